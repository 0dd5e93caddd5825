//! Parses text into a [`Document`]: one pass, line by line. Continues after an error, to find all
//! errors.
//!
//! Only `__Encoding`, `__OperandInfo`, `__Exception` and the values of `__DefBitFieldType` contain
//! facts. All other text of a section is kept as spans of code, tables and prose
//! ([`crate::layout`]). `__OperandInfo` mixes facts with prose. A text without definitions may be a
//! page about an operand stream ([`crate::stream`]).

use std::collections::{BTreeMap, HashSet};

use crate::asm::Syntax;
use crate::document::{Definition, DefinitionKind, Document};
use crate::error::{Error, ErrorKind, Location};
use crate::facts::{Body, ExceptionFacts, FieldFacts, ListFacts, TypeFacts, ValueFacts};
use crate::layout::{Block, Section as Layout, Span};
use crate::lexer::{Cursor, Fault};
use crate::source::Source;
use crate::stream;

/// Number of bits of an instruction word.
const WORD: u64 = 128;

/// Reads a document. `file` is the file name in the positions. Returns all errors, in order of
/// lines.
pub fn parse(file: &str, text: &str) -> Result<Document, Vec<Error>> {
    let (document, errors) = parse_source(&Source::new(file, text));
    if errors.is_empty() { Ok(document) } else { Err(errors) }
}

/// Reads as much of a document as possible, and returns all errors.
pub(crate) fn parse_source(source: &Source) -> (Document, Vec<Error>) {
    let mut parser = Parser {
        here: Location { file: source.name.clone(), line: 0, column: 1 },
        text: &source.text,
        span: 0..0,
        document: Document::default(),
        errors: Vec::new(),
        owner: Owner::None,
        section: ParseState::Prose,
        fence: None,
    };
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        parser.line(start, line);
        start += line.len();
    }
    parser.span = start..start;
    parser.close_lost_fence();
    let Parser { mut document, mut errors, .. } = parser;
    for definition in
        document.definitions.iter_mut().filter(|definition| definition.kind == DefinitionKind::Optype)
    {
        spellings(&source.text, definition);
    }
    if document.definitions.is_empty() && document.types.is_empty() && stream::is_stream(&source.text) {
        document.streams.push(stream::parse_stream(source, &mut errors));
    }
    (document, errors)
}

/// Records the modifiers of an optype, from its syntax.
fn spellings(text: &str, optype: &mut Definition) {
    let Some(section) = optype.sections.iter().find(|section| section.name == "__Syntax") else { return };
    let syntax = Syntax::read(text, section);
    for list in &syntax.lists {
        let values = list.values.iter().map(|(value, _)| value.clone()).collect();
        let (modifier, starred) = (list.name.clone(), list.starred.clone());
        optype.lists.push(ListFacts { modifier, values, starred });
    }
    let mut seen = HashSet::new();
    for modifier in syntax.lines.iter().flat_map(|line| line.modifiers_of(&optype.name)) {
        if syntax.list(&modifier.name).is_none() && seen.insert(&modifier.name) {
            optype.words.push(modifier.name.clone());
        }
    }
}

/// What the following facts belong to.
#[derive(Clone, Copy)]
enum Owner {
    /// Nothing: no definition came before.
    None,
    /// A definition whose head is unreadable. The facts below are skipped, so that one mistake
    /// gives one error.
    Lost,
    /// The last bit-field type.
    Type,
    /// The last group, optype or form.
    Definition,
}

/// The kind of section that is being read.
#[derive(Clone, Copy)]
enum ParseState {
    Prose,
    Values,
    Encoding,
    OperandInfo,
    Exception,
}

struct Parser<'a> {
    here: Location,
    text: &'a str,
    /// The current line, without white space around it.
    span: Span,
    document: Document,
    errors: Vec<Error>,
    owner: Owner,
    section: ParseState,
    /// Start of the open fence, and the first byte of its code.
    fence: Option<(Location, usize)>,
}

impl Parser<'_> {
    fn line(&mut self, start: usize, line: &str) {
        self.here.line += 1;
        let lead = line.len() - line.trim_start().len();
        self.span = start + lead..start + lead + line.trim().len();
        let line = line.trim_end_matches(['\n', '\r']);
        let line = if start == 0 { line.strip_prefix('\u{feff}').unwrap_or(line) } else { line };
        let cursor = Cursor::new(line);
        self.here.column = column(line, cursor.at());
        if self.in_code(line.trim()) {
            return;
        }
        if cursor.rest().is_empty() {
            if let (true, Some(layout)) = (line.trim().is_empty(), self.layout()) {
                layout.add_blank();
            }
            return;
        }
        if let Err(fault) = self.statement(cursor) {
            let at = Location { column: column(line, fault.at), ..self.here.clone() };
            self.errors.push(Error { at, kind: fault.kind });
        }
    }

    /// Whether the line belongs to fenced code. An opening fence or a definition cannot be code. If
    /// such a line follows an open fence, the fence was never closed, which is an error. Without
    /// this rule, all following text would be read as code.
    fn in_code(&mut self, line: &str) -> bool {
        let fence = line.starts_with("```");
        if self.fence.is_none() {
            if fence {
                self.fence = Some((self.here.clone(), self.span.end));
            }
            return fence;
        }
        if line == "```" {
            let code = self.fence.take().map(|(_, from)| Block::Code(from..self.span.start));
            self.add(code);
            return true;
        }
        if fence || line.starts_with("__Def") {
            self.close_lost_fence();
            return self.in_code(line);
        }
        true
    }

    fn close_lost_fence(&mut self) {
        if let Some((at, from)) = self.fence.take() {
            self.add(Some(Block::Code(from..self.span.start)));
            self.errors.push(Error { at, kind: ErrorKind::OpenFence });
        }
    }

    /// Returns the section that receives text other than facts.
    fn layout(&mut self) -> Option<&mut Layout> {
        match self.owner {
            Owner::Definition => self.document.definitions.last_mut()?.sections.last_mut(),
            _ => None,
        }
    }

    fn add(&mut self, block: Option<Block>) {
        if let Some(layout) = self.layout() {
            layout.blocks.extend(block);
        }
    }

    /// Adds the current line as prose, or as a row of a table.
    fn add_line(&mut self) {
        let (text, span) = (self.text, self.span.clone());
        if let Some(layout) = self.layout() {
            layout.add_line(text, span);
        }
    }

    fn count_fact(&mut self) {
        if let Some(layout) = self.layout() {
            layout.facts += 1;
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
            ParseState::Prose => {
                self.add_line();
                Ok(())
            }
            ParseState::Values => self.value(cursor),
            ParseState::Encoding => {
                self.count_fact();
                let field = field(cursor, &self.here)?;
                self.body(cursor).fields.push(field);
                Ok(())
            }
            ParseState::OperandInfo => self.operand_info(cursor),
            ParseState::Exception => {
                self.count_fact();
                let exception = exception(cursor)?;
                self.place(format!("EncodingError<{}>", exception.kind));
                self.body(cursor).exceptions.push(exception);
                Ok(())
            }
        }
    }

    /// Reads `__DefX NAME : [PARENT]` or `__DefBitFieldType NAME<WIDTH>`.
    fn definition(&mut self, mut cursor: Cursor) -> Result<(), Fault> {
        (self.owner, self.section) = (Owner::Lost, ParseState::Prose);
        let at = cursor.at();
        let kind = match cursor.word("a definition")? {
            "__DefBitFieldType" => return self.bit_field_type(cursor),
            "__DefGroup" => DefinitionKind::Group,
            "__DefOptype" => DefinitionKind::Optype,
            "__DefOpcode" => DefinitionKind::Form,
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
        self.document.definitions.push(Definition {
            kind,
            name,
            parent,
            body,
            lists: Vec::new(),
            words: Vec::new(),
            weight: 0,
            sections: Vec::new(),
            places: BTreeMap::new(),
            at,
        });
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
        (self.owner, self.section) = (Owner::Type, ParseState::Values);
        let (values, at) = (Vec::new(), self.here.clone());
        self.document.types.push(TypeFacts { name, width: width as u8, values, at });
        Ok(())
    }

    /// Reads a value: `NAME;` or `NAME = VALUE;`.
    fn value(&mut self, mut cursor: Cursor) -> Result<(), Fault> {
        let at = cursor.at();
        let ty = self.document.types.last_mut().expect("values follow the head of their type");
        let name = cursor.word("the name of a value")?.to_owned();
        let value = if cursor.eat("=") {
            cursor.number("a number")?
        } else {
            ty.values.last().map_or(0, |last| last.value.saturating_add(1))
        };
        cursor.end_statement()?;
        if value > u64::MAX >> (64 - ty.width) {
            return Err(Fault { at, kind: ErrorKind::OutOfType { name, value, width: ty.width } });
        }
        ty.values.push(ValueFacts { name, value });
        Ok(())
    }

    fn section(&mut self, name: &str, mut cursor: Cursor) -> Result<(), Fault> {
        self.section = ParseState::Prose;
        if let (Owner::Definition, Some(last)) = (self.owner, self.document.definitions.last_mut()) {
            let head = self.span.start..self.span.start + name.len();
            last.sections.push(Layout { name: name.to_owned(), head, ..Layout::default() });
        }
        let section = match name {
            "__Encoding" => ParseState::Encoding,
            "__OperandInfo" => ParseState::OperandInfo,
            "__Exception" => ParseState::Exception,
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

    /// Reads a list, a width or an assembler format. Any other line is prose.
    fn operand_info(&mut self, mut cursor: Cursor) -> Result<(), Fault> {
        let line = cursor;
        const FACTS: [&str; 5] = ["InList", "OutList", "Order", "Bitwidth", "AsmFormat"];
        let name = cursor.word("a fact").ok().filter(|name| FACTS.contains(name));
        let Some(name) = name.filter(|_| cursor.rest().starts_with('<')) else {
            self.add_line();
            return Ok(());
        };
        self.count_fact();
        let repeated = match name {
            "InList" | "OutList" | "Order" => {
                let body = self.body(line);
                let list = match name {
                    "InList" => &mut body.ins,
                    "OutList" => &mut body.outs,
                    _ => &mut body.order,
                };
                let before = std::mem::replace(list, cursor.list()?);
                self.place(name.to_owned());
                (!before.is_empty()).then(|| name.to_owned())
            }
            _ => {
                let body = self.body(line);
                let map = match name {
                    "Bitwidth" => &mut body.bitwidths,
                    _ => &mut body.asm_formats,
                };
                let target = cursor.target()?;
                cursor.expect("=", "`=`")?;
                let before = map.insert(target.to_owned(), cursor.expression()?);
                self.place(format!("{name}<{target}>"));
                before.map(|_| format!("{name}<{target}>"))
            }
        };
        cursor.end_statement()?;
        match repeated {
            Some(what) => Err(Fault { at: line.at(), kind: ErrorKind::GivenTwice(what) }),
            None => Ok(()),
        }
    }

    fn place(&mut self, what: String) {
        let here = self.here.clone();
        if let Some(last) = self.document.definitions.last_mut() {
            last.places.entry(what).or_insert(here);
        }
    }

    /// Returns the body to which the fact on a line belongs.
    fn body(&mut self, line: Cursor) -> &mut Body {
        let last = self.document.definitions.last_mut();
        let last = last.expect("facts are read below a definition only");
        last.weight += line.rest().len();
        &mut last.body
    }
}

/// Returns the name of the section that a line opens: `__Name` with a capital. On this line, text
/// may follow the name only if the section has facts.
fn section_head(mut cursor: Cursor<'_>) -> Option<&'_ str> {
    let name = cursor.word("a section").ok()?;
    let is_head = name.strip_prefix("__")?.starts_with(|c: char| c.is_ascii_uppercase());
    let holds_facts = matches!(name, "__Encoding" | "__OperandInfo" | "__Exception");
    (is_head && (holds_facts || cursor.rest().is_empty())).then_some(name)
}

/// Reads `field<LO, WIDTH> TYPE NAME;`, optionally with `= DEFAULT` or `== CONSTRAINT` before the
/// `;`.
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

/// Reads `EncodingError<KIND, "message"> = CONDITION;`.
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

/// Returns the column of a byte in a line, in characters, counted from 1.
fn column(line: &str, at: usize) -> u32 {
    line[..at].chars().count() as u32 + 1
}
