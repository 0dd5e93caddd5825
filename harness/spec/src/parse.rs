//! Text to [`Document`]: one pass, one line at a time, going on after an error so that all are found.
//!
//! Only `__Encoding`, `__OperandInfo`, `__Exception` and the values of `__DefBitFieldType` hold facts. Whatever
//! else stands in a document is prose: it is skipped, as are fenced code and the prose that `__OperandInfo`
//! mixes with its facts.

use std::sync::Arc;

use crate::document::{Definition, Document, Kind};
use crate::error::{Error, ErrorKind, Location};
use crate::facts::{Body, ExceptionFacts, FieldFacts, TypeFacts, ValueFacts};
use crate::lexer::{Cursor, Fault};

/// Bits in an instruction word.
const WORD: u64 = 128;

/// Reads one document; `file` is the name that locations will give. Returns every error, in order of lines.
pub fn parse(file: &str, text: &str) -> Result<Document, Vec<Error>> {
    let mut parser = Parser {
        here: Location { file: Arc::from(file), line: 0, column: 1 },
        document: Document::default(),
        errors: Vec::new(),
        owner: Owner::None,
        section: Section::Prose,
        fence: None,
    };
    for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
        parser.line(line);
    }
    parser.close_lost_fence();
    if parser.errors.is_empty() { Ok(parser.document) } else { Err(parser.errors) }
}

/// To what the facts below belong.
#[derive(Clone, Copy)]
enum Owner {
    /// Nothing has been defined yet.
    None,
    /// A head that could not be read: its facts are skipped, so that one mistake is one error.
    Lost,
    /// The last bit-field type.
    Type,
    /// The last group, optype or form.
    Definition,
}

/// How lines are read at present.
#[derive(Clone, Copy)]
enum Section {
    Prose,
    Values,
    Encoding,
    OperandInfo,
    Exception,
}

struct Parser {
    here: Location,
    document: Document,
    errors: Vec<Error>,
    owner: Owner,
    section: Section,
    /// Where the fence that is open was opened.
    fence: Option<Location>,
}

impl Parser {
    fn line(&mut self, line: &str) {
        self.here.line += 1;
        let cursor = Cursor::new(line);
        self.here.column = column(line, cursor.at());
        if self.in_code(line.trim()) || cursor.rest().is_empty() {
            return;
        }
        if let Err(fault) = self.statement(cursor) {
            let at = Location { column: column(line, fault.at), ..self.here.clone() };
            self.errors.push(Error { at, kind: fault.kind });
        }
    }

    /// Whether the line belongs to fenced code. A fence or a definition that cannot be inside code shows that the
    /// one before was never closed: without that, all that follows would be taken for code in silence.
    fn in_code(&mut self, line: &str) -> bool {
        let fence = line.starts_with("```");
        if self.fence.is_none() {
            if fence {
                self.fence = Some(self.here.clone());
            }
            return fence;
        }
        if line == "```" {
            self.fence = None;
            return true;
        }
        if fence || line.starts_with("__Def") {
            self.close_lost_fence();
            return self.in_code(line);
        }
        true
    }

    fn close_lost_fence(&mut self) {
        if let Some(at) = self.fence.take() {
            self.errors.push(Error { at, kind: ErrorKind::OpenFence });
        }
    }

    fn statement(&mut self, cursor: Cursor) -> Result<(), Fault> {
        if cursor.rest().starts_with("__Def") {
            return self.definition(cursor);
        }
        if let Some(section) = section_head(cursor) {
            return self.section(section, cursor);
        }
        match self.section {
            Section::Prose => Ok(()),
            Section::Values => self.value(cursor),
            Section::Encoding => {
                let field = field(cursor, &self.here)?;
                self.body(cursor).fields.push(field);
                Ok(())
            }
            Section::OperandInfo => self.operand_info(cursor),
            Section::Exception => {
                let exception = exception(cursor)?;
                self.body(cursor).exceptions.push(exception);
                Ok(())
            }
        }
    }

    /// `__DefX NAME : [PARENT]` or `__DefBitFieldType NAME<WIDTH>`.
    fn definition(&mut self, mut cursor: Cursor) -> Result<(), Fault> {
        (self.owner, self.section) = (Owner::Lost, Section::Prose);
        let at = cursor.at();
        let kind = match cursor.word("a definition")? {
            "__DefBitFieldType" => return self.bit_field_type(cursor),
            "__DefGroup" => Kind::Group,
            "__DefOptype" => Kind::Optype,
            "__DefOpcode" => Kind::Form,
            other => return Err(Fault { at, kind: ErrorKind::UnknownDefinition(other.to_owned()) }),
        };
        let name = cursor.word("a name")?.to_owned();
        cursor.expect(":", "`:` and what it inherits from")?;
        cursor.expect("[", "`[`")?;
        let parent = cursor.word("the name of one parent")?.to_owned();
        cursor.expect("]", "`]`")?;
        cursor.end_line()?;
        self.owner = Owner::Definition;
        let (body, at) = (Body::default(), self.here.clone());
        self.document.definitions.push(Definition { kind, name, parent, body, weight: 0, at });
        Ok(())
    }

    fn bit_field_type(&mut self, mut cursor: Cursor) -> Result<(), Fault> {
        let name = cursor.word("a name")?.to_owned();
        cursor.expect("<", "`<`")?;
        let before = cursor;
        let width = cursor.number("a width in bits")?;
        if !(1..=64).contains(&width) {
            return Err(before.expected("a width from 1 to 64"));
        }
        cursor.expect(">", "`>`")?;
        cursor.end_line()?;
        (self.owner, self.section) = (Owner::Type, Section::Values);
        let (values, at) = (Vec::new(), self.here.clone());
        self.document.types.push(TypeFacts { name, width: width as u8, values, at });
        Ok(())
    }

    /// `NAME;` or `NAME = VALUE;`.
    fn value(&mut self, mut cursor: Cursor) -> Result<(), Fault> {
        let at = cursor.at();
        let ty = self.document.types.last_mut().expect("values follow the head of their type");
        let name = cursor.word("the name of a value")?.to_owned();
        let value = match cursor.eat("=") {
            true => cursor.number("a number")?,
            false => ty.values.last().map_or(0, |last| last.value.saturating_add(1)),
        };
        cursor.end_statement()?;
        if value > u64::MAX >> (64 - ty.width) {
            return Err(Fault { at, kind: ErrorKind::OutOfType { name, value, width: ty.width } });
        }
        ty.values.push(ValueFacts { name, value });
        Ok(())
    }

    fn section(&mut self, name: &str, mut cursor: Cursor) -> Result<(), Fault> {
        self.section = Section::Prose;
        let section = match name {
            "__Encoding" => Section::Encoding,
            "__OperandInfo" => Section::OperandInfo,
            "__Exception" => Section::Exception,
            _ => return Ok(()),
        };
        match self.owner {
            Owner::Definition => self.section = section,
            Owner::Lost => {}
            Owner::None | Owner::Type => {
                let kind = ErrorKind::StraySection(name.to_owned());
                return Err(Fault { at: cursor.at(), kind });
            }
        }
        cursor.eat(name);
        cursor.end_line()
    }

    /// A list, a width or an assembler format; any other line is prose.
    fn operand_info(&mut self, mut cursor: Cursor) -> Result<(), Fault> {
        let line = cursor;
        let Ok(name) = cursor.word("a fact") else { return Ok(()) };
        if !cursor.rest().starts_with('<') {
            return Ok(());
        }
        let repeated = match name {
            "InList" | "OutList" | "Order" => {
                let body = self.body(line);
                let list = match name {
                    "InList" => &mut body.ins,
                    "OutList" => &mut body.outs,
                    _ => &mut body.order,
                };
                let before = std::mem::replace(list, cursor.list()?);
                (!before.is_empty()).then(|| name.to_owned())
            }
            "Bitwidth" | "AsmFormat" => {
                let body = self.body(line);
                let map = match name {
                    "Bitwidth" => &mut body.bitwidths,
                    _ => &mut body.asm_formats,
                };
                let target = cursor.target()?;
                cursor.expect("=", "`=`")?;
                let before = map.insert(target.to_owned(), cursor.expression()?);
                before.map(|_| format!("{name}<{target}>"))
            }
            _ => return Ok(()),
        };
        cursor.end_statement()?;
        match repeated {
            Some(what) => Err(Fault { at: line.at(), kind: ErrorKind::GivenTwice(what) }),
            None => Ok(()),
        }
    }

    /// Where the fact of a line goes.
    fn body(&mut self, line: Cursor) -> &mut Body {
        let last = self.document.definitions.last_mut();
        let last = last.expect("facts are read below a definition only");
        last.weight += line.rest().len();
        &mut last.body
    }
}

/// The section that a line opens: `__Name` with a capital, alone on its line unless it is one that holds facts.
fn section_head(mut cursor: Cursor<'_>) -> Option<&'_ str> {
    let name = cursor.word("a section").ok()?;
    let is_head = name.strip_prefix("__")?.starts_with(|c: char| c.is_ascii_uppercase());
    let holds_facts = matches!(name, "__Encoding" | "__OperandInfo" | "__Exception");
    (is_head && (holds_facts || cursor.rest().is_empty())).then_some(name)
}

/// `field<LO, WIDTH> TYPE NAME;`, with `= DEFAULT` or `== CONSTRAINT` before the `;`.
fn field(mut cursor: Cursor, here: &Location) -> Result<FieldFacts, Fault> {
    let at = cursor.at();
    cursor.expect("field", "`field<LOW BIT, WIDTH> TYPE NAME;`")?;
    cursor.expect("<", "`<`")?;
    let lo = cursor.number("the lowest bit")?;
    cursor.expect(",", "`,`")?;
    let width = cursor.number("the width in bits")?;
    cursor.expect(">", "`>`")?;
    if width == 0 || lo >= WORD || width > WORD - lo {
        return Err(Fault { at, kind: ErrorKind::OutOfWord { lo, width } });
    }
    let ty = cursor.word("a type")?.to_owned();
    let name = cursor.word("the name of the field")?.to_owned();
    let (mut default, mut constraint) = (None, None);
    if cursor.eat("==") {
        constraint = Some(cursor.word("the value it must have")?.to_owned());
    } else if cursor.eat("=") {
        default = Some(cursor.word("the default value")?.to_owned());
    }
    cursor.end_statement()?;
    let (lo, width, at) = (lo as u8, width as u8, here.clone());
    Ok(FieldFacts { name, lo, width, ty, default, constraint, at })
}

/// `EncodingError<KIND, "message"> = CONDITION;`.
fn exception(mut cursor: Cursor) -> Result<ExceptionFacts, Fault> {
    cursor.expect("EncodingError", "`EncodingError<KIND, \"MESSAGE\"> = CONDITION;`")?;
    cursor.expect("<", "`<`")?;
    let kind = cursor.word("the kind of error")?.to_owned();
    cursor.expect(",", "`,`")?;
    cursor.string()?;
    cursor.expect(">", "`>`")?;
    cursor.expect("=", "`=`")?;
    let condition = cursor.expression()?;
    cursor.end_statement()?;
    Ok(ExceptionFacts { kind, condition })
}

/// The column, from 1 and in characters, of a byte in a line.
fn column(line: &str, at: usize) -> u32 {
    line[..at].chars().count() as u32 + 1
}
