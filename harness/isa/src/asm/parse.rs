//! Text to instruction: scan the shape, choose the form by its operands, then fill in the fields.

use std::ops::Range;

use super::scan::{Atom, Cursor, Written, unsigned};
use super::{AsmError, Problem, literal};
use crate::catalog::{Form, catalog};
use crate::instruction::{Instruction, Source};
use crate::legality;
use crate::location::BANK_BYTES;
use crate::row::{FieldType, Optype};

/// Reads one instruction.
pub fn parse(text: &str) -> Result<Instruction, AsmError> {
    let mut cursor = Cursor::new(text);
    let guard = if cursor.eat('@') { Some(cursor.operand()?) } else { None };
    let (optype, mnemonic) = mnemonic(&mut cursor)?;
    let modifiers = modifiers(&mut cursor)?;
    let operands = operands(&mut cursor)?;
    let schedule = schedule(&mut cursor)?;
    cursor.eat(';');
    cursor.skip_space();
    if !cursor.rest().is_empty() {
        return Err(cursor.expected("the end of the instruction", "remove what follows"));
    }

    let form = choose_form(optype, &operands, mnemonic.start..text.trim_end().len())?;
    let mut instruction = Instruction::new(form);
    instruction.schedule = schedule;
    set_modifiers(&mut instruction, &modifiers, &mnemonic)?;
    if let Some(guard) = guard {
        set_operand(&mut instruction, form.guard(), &guard)?;
    }
    for (name, operand) in align(form, &operands).names.iter().zip(&operands) {
        set_operand(&mut instruction, name, operand)?;
    }
    legality::check(&instruction).map_err(|violation| AsmError {
        span: mnemonic.start..text.trim_end().len(),
        problem: Problem::Illegal(violation),
        remedy: "change one of the parts named".into(),
    })?;
    Ok(instruction)
}

fn mnemonic(cursor: &mut Cursor<'_>) -> Result<(&'static Optype, Range<usize>), AsmError> {
    let (name, span) = cursor.word();
    if name.is_empty() {
        return Err(cursor.expected("a mnemonic", "write an instruction such as FADD R0, R1, R2"));
    }
    let optypes = catalog().optypes();
    let optype = optypes.iter().find(|o| o.name == name);
    let known = || optypes.iter().map(|o| o.name).collect::<Vec<_>>().join(" ");
    optype.map(|o| (*o, span.clone())).ok_or_else(|| AsmError {
        span,
        problem: Problem::Mnemonic(name.to_owned()),
        remedy: format!("known are: {}", known()),
    })
}

fn modifiers(cursor: &mut Cursor<'_>) -> Result<Vec<(String, Range<usize>)>, AsmError> {
    let mut modifiers = Vec::new();
    while cursor.rest().starts_with('.') {
        cursor.at += 1;
        let (name, span) = cursor.take(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() {
            return Err(cursor.expected("a modifier", "write its name right behind the dot"));
        }
        modifiers.push((name.to_owned(), span));
    }
    Ok(modifiers)
}

fn operands(cursor: &mut Cursor<'_>) -> Result<Vec<Written>, AsmError> {
    cursor.skip_space();
    if cursor.rest().is_empty() || cursor.rest().starts_with([';', '$']) {
        return Ok(Vec::new());
    }
    let mut operands = vec![cursor.operand()?];
    while cursor.eat(',') {
        operands.push(cursor.operand()?);
    }
    Ok(operands)
}

fn schedule(cursor: &mut Cursor<'_>) -> Result<u16, AsmError> {
    if !cursor.eat('$') {
        return Ok(0);
    }
    let (digits, span) = cursor.word();
    unsigned(digits).and_then(|value| u16::try_from(value).ok()).ok_or_else(|| AsmError {
        span,
        problem: Problem::Literal(digits.to_owned()),
        remedy: "the scheduling field is 16 bits wide: $0x0 to $0xffff".into(),
    })
}

/// Whether a field can hold an operand of that shape.
fn fits(ty: FieldType, atom: &Atom) -> bool {
    matches!(
        (ty, atom),
        (FieldType::Reg, Atom::Place(Source::Reg(_)))
            | (FieldType::UReg, Atom::Place(Source::UReg(_)))
            | (FieldType::Pred, Atom::Place(Source::Pred(_)))
            | (FieldType::CMem, Atom::Place(Source::Const { .. }))
            | (FieldType::F32Imm | FieldType::SImm32, Atom::Literal(_))
    )
}

fn operand_type(form: &Form, name: &str) -> FieldType {
    form.field(name).expect("the lint holds operand lists against fields").ty
}

/// The operands of a form that written ones stand for.
struct Alignment {
    /// Names, as far as the written operands fit from the first on.
    names: Vec<&'static str>,
    /// Whether all of them do, and nothing is missing that must be written.
    complete: bool,
}

/// Lays written operands along those of a form; an optional one is skipped where what is written next
/// does not fit it.
fn align(form: &'static Form, operands: &[Written]) -> Alignment {
    let mut names = Vec::new();
    for name in form.order {
        match operands.get(names.len()) {
            Some(written) if fits(operand_type(form, name), &written.atom) => names.push(*name),
            _ if form.is_optional(name) => {}
            _ => return Alignment { names, complete: false },
        }
    }
    let complete = names.len() == operands.len();
    Alignment { names, complete }
}

fn choose_form(
    optype: &'static Optype,
    operands: &[Written],
    whole: Range<usize>,
) -> Result<&'static Form, AsmError> {
    let forms = || catalog().forms_of(optype.name);
    if let Some(form) = forms().find(|form| align(form, operands).complete) {
        return Ok(form);
    }
    let furthest = forms().map(|form| align(form, operands).names.len()).max().unwrap_or(0);
    let shapes = forms().map(shape);
    Err(AsmError {
        span: operands.get(furthest).map_or(whole, |o| o.span.clone()),
        problem: Problem::Operands(optype.name),
        remedy: format!("it takes one of: {}", shapes.collect::<Vec<_>>().join(" | ")),
    })
}

/// The operand types of a form, those in braces that may be left out.
fn shape(form: &'static Form) -> String {
    let types = form.order.iter().map(|name| {
        let ty = operand_type(form, name).name();
        if form.is_optional(name) { format!("{{{ty}}}") } else { ty.to_owned() }
    });
    types.collect::<Vec<_>>().join(", ")
}

fn set_modifiers(
    instruction: &mut Instruction,
    written: &[(String, Range<usize>)],
    mnemonic: &Range<usize>,
) -> Result<(), AsmError> {
    let form = instruction.form();
    let optype = form.optype;
    let mut open: Vec<&'static str> = optype.syntax.to_vec();
    for (name, span) in written {
        let Some((field, index)) = find_modifier(form, name) else {
            let problem = Problem::Modifier { optype: optype.name, modifier: name.clone() };
            return Err(AsmError { span: span.clone(), problem, remedy: spellings(form) });
        };
        let Some(position) = open.iter().position(|f| *f == field) else {
            let problem = Problem::Repeated(name.clone());
            return Err(AsmError { span: span.clone(), problem, remedy: "write each modifier once".into() });
        };
        open.remove(position);
        instruction.set(field, index);
    }
    let mandatory = open.into_iter().find(|f| form.field(f).is_some_and(|f| f.default.is_none()));
    mandatory.map_or(Ok(()), |field| {
        let problem = Problem::Missing { optype: optype.name, field };
        Err(AsmError { span: mnemonic.clone(), problem, remedy: spellings(form) })
    })
}

/// The field and value index that a modifier's spelling means.
fn find_modifier(form: &'static Form, name: &str) -> Option<(&'static str, u32)> {
    form.optype.syntax.iter().find_map(|field| match form.field(field)?.ty {
        FieldType::Enum(e) => e.index_of(name).filter(|i| !e.is_silent(*i)).map(|i| (*field, i)),
        _ => None,
    })
}

fn spellings(form: &'static Form) -> String {
    let lists = form.optype.syntax.iter().filter_map(|field| match form.field(field)?.ty {
        FieldType::Enum(e) => {
            let spelled =
                (0..e.values.len()).filter(|i| !e.is_silent(*i as u32)).map(|i| format!(".{}", e.values[i]));
            Some(format!("{field}: {}", spelled.collect::<Vec<_>>().join(" ")))
        }
        _ => None,
    });
    format!("it has {}", lists.collect::<Vec<_>>().join("; "))
}

fn set_operand(instruction: &mut Instruction, name: &str, written: &Written) -> Result<(), AsmError> {
    let form = instruction.form();
    let error = |problem, remedy: String| AsmError { span: written.span.clone(), problem, remedy };
    let field = form.field(name).expect("the lint holds operand lists against fields");
    if name == form.guard() && !fits(field.ty, &written.atom) {
        return Err(error(Problem::Expected("a predicate"), "guard with P0..P6 or PT".into()));
    }
    let value = match &written.atom {
        Atom::Place(source) => raw(*source),
        Atom::Literal(text) => literal::read(literal::kind(instruction, name), written, text)
            .map_err(|remedy| error(Problem::Literal(text.clone()), remedy))?,
    };
    instruction.set(name, value);
    if instruction.form().field(&format!("{name}.not")).is_some() {
        instruction.set(&format!("{name}.not"), u32::from(written.not));
    } else {
        set_attribute(instruction, name, "not", "`!`", written.not, &error)?;
    }
    if matches!(written.atom, Atom::Place(_)) {
        set_attribute(instruction, name, "neg", "`-`", written.neg, &error)?;
        set_attribute(instruction, name, "bitnot", "`~`", written.bitnot, &error)?;
        set_attribute(instruction, name, "abs", "`|`", written.abs, &error)?;
    }
    set_half(instruction, name, written, &error)
}

fn set_attribute(
    instruction: &mut Instruction,
    name: &str,
    attribute: &str,
    spelled: &'static str,
    present: bool,
    error: &dyn Fn(Problem, String) -> AsmError,
) -> Result<(), AsmError> {
    let field = format!("{name}.{attribute}");
    match (present, instruction.form().position(&field)) {
        (false, _) => Ok(()),
        (true, Some(position)) => {
            instruction.set_at(position, 1);
            Ok(())
        }
        (true, None) => Err(error(Problem::Attribute(spelled), "remove it".into())),
    }
}

/// A half select is written exactly where the rules let it differ: it has no default.
fn set_half(
    instruction: &mut Instruction,
    name: &str,
    written: &Written,
    error: &dyn Fn(Problem, String) -> AsmError,
) -> Result<(), AsmError> {
    let field = format!("{name}.hsel");
    let position = instruction.form().position(&field).filter(|_| legality::permits(instruction, &field));
    match (&written.suffix, position) {
        (None, None) => Ok(()),
        (None, Some(_)) => {
            Err(error(Problem::Expected("`.H0` or `.H1`"), "say which half the operand is in".into()))
        }
        (Some((text, span)), Some(position)) => {
            let half = ["H0", "H1"].iter().position(|h| h == text).ok_or_else(|| AsmError {
                span: span.clone(),
                problem: Problem::Literal(text.clone()),
                remedy: "a half is .H0 or .H1".into(),
            })?;
            instruction.set_at(position, half as u32);
            Ok(())
        }
        (Some((_, span)), None) => {
            let problem = Problem::Attribute("suffix");
            Err(AsmError { span: span.clone(), problem, remedy: "remove it".into() })
        }
    }
}

/// The bits of a field that names a place.
fn raw(source: Source) -> u32 {
    match source {
        Source::Reg(n) | Source::UReg(n) | Source::Pred(n) => u32::from(n),
        Source::Const { bank, offset } => u32::from(bank) * BANK_BYTES + offset,
        Source::Imm(bits) => bits,
    }
}
