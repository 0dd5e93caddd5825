//! Parses an instruction: scans the text, chooses the form by its operands, then sets the fields.

use std::ops::Range;

use super::scan::{Atom, Cursor, Written, unsigned};
use super::{AsmError, Problem, literal, visa};
use crate::catalog::{Form, catalog, parts};
use crate::instruction::{Instruction, Source};
use crate::legality;
use crate::legalize::legalize;
use crate::location::{BANK_BYTES, URZ};
use crate::row::{Field, FieldType, Optype};
use crate::similar::did_you_mean;

/// Parses one instruction.
pub fn parse(text: &str) -> Result<Instruction, AsmError> {
    let mut cursor = Cursor::new(text);
    if visa::is_visa(text)
        && let Some(form) = catalog().forms_of(visa::MNEMONIC).next()
    {
        let mut instruction = visa::parse(&mut cursor, form)?;
        instruction.schedule = end(&mut cursor)?;
        return Ok(instruction);
    }
    let guard = if cursor.eat('@') { Some(cursor.operand()?) } else { None };
    let (optype, mnemonic, modifiers) = mnemonic(&mut cursor)?;
    let operands = operands(&mut cursor)?;
    let schedule = end(&mut cursor)?;

    let whole = mnemonic.start..text.trim_end().len();
    let (mut instruction, names) = choose_form(optype, &modifiers, &operands, &mnemonic, whole.clone())?;
    instruction.schedule = schedule;
    if let Some(guard) = guard {
        let name = instruction.form().guard();
        set_operand(&mut instruction, name, &guard)?;
    }
    for (name, operand) in names.iter().zip(&operands) {
        set_operand(&mut instruction, name, operand)?;
    }
    legality::check(&instruction).map_err(|violation| AsmError {
        span: whole,
        problem: Problem::Illegal(Box::new(violation)),
        remedy: "change one of the parts named".into(),
    })?;
    Ok(instruction)
}

/// Parses a mode: a mnemonic with its modifiers and without operands, such as `FFMA.FTZ`.
///
/// Returns an instruction of the first form with which the modifiers are legal. Operands have their
/// defaults, or other legal values where a default is illegal.
pub fn parse_mode(text: &str) -> Result<Instruction, AsmError> {
    let mut cursor = Cursor::new(text);
    let (optype, span, modifiers) = mnemonic(&mut cursor)?;
    cursor.skip_space();
    if !cursor.rest().is_empty() {
        return Err(
            cursor.expected("the end of the mode", "write the operands in full, or leave them all out")
        );
    }
    let mut violations = Vec::new();
    for form in catalog().forms_of(optype.name) {
        let mut instruction = Instruction::new(form);
        set_modifiers(&mut instruction, &modifiers, &span)?;
        for position in (0..form.fields.len()).filter(|position| form.is_operand(form.fields[*position])) {
            let value = legalize(&instruction, position, instruction.values()[position]);
            instruction.set_at(position, value);
        }
        match legality::check(&instruction) {
            Ok(()) => return Ok(instruction),
            Err(violation) => violations.push(violation),
        }
    }
    let violation = violations.into_iter().next().map(Box::new);
    Err(AsmError {
        span: 0..text.len(),
        problem: violation.map_or(Problem::Operands(optype.name), Problem::Illegal),
        remedy: "change one of the parts named".into(),
    })
}

/// A modifier as written, with its byte range.
type Spelled = (String, Range<usize>);

/// Parses a mnemonic. Returns the optype, the byte range of its name, and its modifiers. A modifier
/// that is part of the name, such as WIDE, is left out.
fn mnemonic(cursor: &mut Cursor<'_>) -> Result<(&'static Optype, Range<usize>, Vec<Spelled>), AsmError> {
    let (name, span) = cursor.word();
    if name.is_empty() {
        return Err(cursor.expected("a mnemonic", "write an instruction such as FADD R0, R1, R2"));
    }
    let mut modifiers = modifiers(cursor)?;
    let optype = catalog().optype(name, |modifier| modifiers.iter().any(|(written, _)| written == modifier));
    let remedy = || {
        let known = catalog().optypes().into_iter().map(|optype| optype.mnemonic());
        did_you_mean(name, known, "`assay isa list` has all")
    };
    let optype = optype.ok_or_else(|| AsmError {
        span: span.clone(),
        problem: Problem::Mnemonic(name.to_owned()),
        remedy: remedy(),
    })?;
    if let Some((_, part)) = optype.mnemonic().split_once('.')
        && let Some(position) = modifiers.iter().position(|(written, _)| written == part)
    {
        modifiers.remove(position);
    }
    Ok((optype, span, modifiers))
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
    cursor.skip_space();
    if cursor.rest().starts_with(|next: char| next.is_ascii_alphanumeric() || "+-|!~".contains(next)) {
        Err(cursor.expected("a comma", "write one between two operands"))
    } else {
        Ok(operands)
    }
}

/// Parses the text after the operands: the scheduling field and a semicolon. Returns the scheduling
/// field.
fn end(cursor: &mut Cursor<'_>) -> Result<u16, AsmError> {
    let schedule = schedule(cursor)?;
    cursor.eat(';');
    cursor.skip_space();
    if cursor.rest().is_empty() {
        Ok(schedule)
    } else {
        Err(cursor.expected("the end of the instruction", "remove what follows"))
    }
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

/// Whether an operand can have this text. The instruction's modifiers must be set already.
fn fits(instruction: &Instruction, name: &str, atom: &Atom) -> bool {
    let operand = instruction.operand(name);
    let of_width =
        |words: u8, source: Source| operand.words == words || words == 1 && source.location().is_none();
    match (operand.source, atom) {
        (Source::Reg(_), Atom::Place(written @ Source::Reg(_)))
        | (Source::UReg(_), Atom::Place(written @ Source::UReg(_))) => of_width(1, *written),
        (Source::Reg(_), Atom::Wide(Source::Reg(_), words))
        | (Source::UReg(_), Atom::Wide(Source::UReg(_), words)) => operand.words == *words && *words > 1,
        (Source::Pred(_), Atom::Place(Source::Pred(_)))
        | (Source::UPred(_), Atom::Place(Source::UPred(_)))
        | (Source::AllPredicates, Atom::Place(Source::AllPredicates))
        | (Source::Special(_), Atom::Place(Source::Special(_)))
        | (Source::Const { .. } | Source::ConstAt { .. }, Atom::Place(Source::Const { .. }))
        | (Source::ConstAt { .. }, Atom::ConstAt { .. })
        | (Source::URegAt { .. }, Atom::URegAt { .. })
        | (Source::Imm(_), Atom::Literal(_)) => true,
        _ => false,
    }
}

/// The result of assigning the written operands to the operands of a form.
struct Alignment {
    /// The names of the operands that were assigned, up to the first written operand that does not
    /// fit.
    names: Vec<&'static str>,
    /// Whether all written operands fit, and no mandatory operand is missing.
    complete: bool,
}

/// Assigns the written operands to the operands of the instruction's mode, in order. Skips an
/// optional operand if the next written operand does not fit it.
fn align(instruction: &Instruction, operands: &[Written]) -> Alignment {
    let form = instruction.form();
    let mut names = Vec::new();
    for name in form.order.iter().filter(|name| legality::has(instruction, name)) {
        match operands.get(names.len()) {
            Some(written) if fits(instruction, name, &written.atom) => names.push(*name),
            _ if form.is_optional(name) => {}
            _ => return Alignment { names, complete: false },
        }
    }
    let complete = names.len() == operands.len();
    Alignment { names, complete }
}

/// Chooses the first form that fits the written operands. Returns its instruction with the
/// modifiers set, and the operands' names.
fn choose_form(
    optype: &'static Optype,
    modifiers: &[Spelled],
    operands: &[Written],
    mnemonic: &Range<usize>,
    whole: Range<usize>,
) -> Result<(Instruction, Vec<&'static str>), AsmError> {
    let mut shapes = Vec::new();
    let mut furthest = 0;
    for form in catalog().forms_of(optype.name) {
        let mut instruction = Instruction::new(form);
        set_modifiers(&mut instruction, modifiers, mnemonic)?;
        let alignment = align(&instruction, operands);
        if alignment.complete {
            return Ok((instruction, alignment.names));
        }
        furthest = furthest.max(alignment.names.len());
        shapes.push(shape(&instruction));
    }
    Err(AsmError {
        span: operands.get(furthest).map_or(whole, |o| o.span.clone()),
        problem: Problem::Operands(optype.name),
        remedy: format!("it takes one of: {}", shapes.join(" | ")),
    })
}

/// Returns the operand types of an instruction as text. Optional operands are in braces.
fn shape(instruction: &Instruction) -> String {
    let form = instruction.form();
    let types = form.order.iter().filter(|name| legality::has(instruction, name)).map(|name| {
        let words = instruction.operand(name).words;
        let ty = match form.field(name) {
            Some(field) if words > 1 => format!("{}[a:a+{}]", field.ty.name(), words - 1),
            Some(field) => field.ty.name().to_owned(),
            None => (*name).to_owned(),
        };
        if form.is_optional(name) { format!("{{{ty}}}") } else { ty }
    });
    let types: Vec<_> = types.collect();
    if types.is_empty() { "no operand".into() } else { types.join(", ") }
}

fn set_modifiers(
    instruction: &mut Instruction,
    written: &[Spelled],
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

/// Returns the field and the value index of a modifier.
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
    if name == form.guard() && !fits(instruction, name, &written.atom) {
        let uniform = matches!(instruction.guard().source, Source::UPred(_));
        let remedy = if uniform { "guard with UP0..UP6 or UPT" } else { "guard with P0..P6 or PT" };
        return Err(error(Problem::Expected("a predicate"), remedy.into()));
    }
    set_place(instruction, name, written)?;
    if instruction.form().field(&format!("{name}.not")).is_some() {
        instruction.set(&format!("{name}.not"), u32::from(written.not));
    } else {
        set_attribute(instruction, name, "not", "`!`", written.not, &error)?;
    }
    if !matches!(written.atom, Atom::Literal(_)) {
        // In a mode where the `neg` bit means a complement, the text has `~` for this bit (E009).
        let (minus, tilde) =
            if legality::complements(instruction) && form.position(&format!("{name}.neg")).is_some() {
                (written.bitnot, written.neg)
            } else {
                (written.neg, written.bitnot)
            };
        let spelled = if minus == written.neg { "`~`" } else { "`-`" };
        let minus = minus && !form.optype.extra.sign_dropped;
        set_attribute(instruction, name, "neg", "`-`", minus, &error)?;
        set_attribute(instruction, name, "bitnot", spelled, tilde, &error)?;
        set_attribute(instruction, name, "abs", "`|`", written.abs, &error)?;
    }
    set_suffix(instruction, name, written, &error)
}

/// Sets the fields that hold an operand's register, address or literal.
fn set_place(instruction: &mut Instruction, name: &str, written: &Written) -> Result<(), AsmError> {
    let error = |problem, remedy: String| AsmError { span: written.span.clone(), problem, remedy };
    let parts: Vec<&'static str> =
        instruction.form().order.iter().find(|n| **n == name).map_or(Vec::new(), |n| parts(n).collect());
    let (base, offset) = match &written.atom {
        Atom::Literal(text) => {
            let value = literal::read(literal::kind(instruction, name), written, text)
                .map_err(|remedy| error(Problem::Literal(text.clone()), remedy))?;
            instruction.set(name, value);
            return Ok(());
        }
        Atom::Place(Source::AllPredicates) => return Ok(()),
        Atom::Place(Source::Const { bank, offset }) if parts.len() == 2 => {
            (URZ, located(*bank, i64::from(*offset)).ok_or(*offset))
        }
        Atom::ConstAt { bank, base, offset } => (*base, located(*bank, *offset).ok_or(*offset as u32)),
        Atom::URegAt { base, offset } => {
            let fits = (-64..64).contains(offset);
            (*base, fits.then_some(*offset as u32 & 0x7f).ok_or(*offset as u32))
        }
        Atom::Place(source) | Atom::Wide(source, _) => {
            instruction.set(name, raw(*source));
            return Ok(());
        }
    };
    let offset = offset.map_err(|_| {
        let remedy =
            "an offset from a register has 17 bits for a constant and 7 for a register, sign included";
        error(Problem::Literal(written.text.clone()), remedy.into())
    })?;
    for part in parts {
        let holds_base = instruction.form().field(part).is_some_and(|f| f.ty == FieldType::UReg);
        instruction.set(part, if holds_base { u32::from(base) } else { offset });
    }
    Ok(())
}

/// Returns the constant field for a bank and a signed offset (E095). `None` if the offset does not
/// fit.
fn located(bank: u8, offset: i64) -> Option<u32> {
    let half = i64::from(BANK_BYTES / 2);
    (-half..half)
        .contains(&offset)
        .then_some(u32::from(bank) * BANK_BYTES + (offset as u32 & (BANK_BYTES - 1)))
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

/// Sets the half or byte select of an operand. The suffix is mandatory if the select has no default
/// and the rules let it vary.
fn set_suffix(
    instruction: &mut Instruction,
    name: &str,
    written: &Written,
    error: &dyn Fn(Problem, String) -> AsmError,
) -> Result<(), AsmError> {
    let fields = ["hsel", "bsel"].map(|attribute| format!("{name}.{attribute}"));
    let form = instruction.form();
    let field = fields.iter().find_map(|f| form.field(f)).filter(|f| legality::permits(instruction, f.name));
    let values = |field: &Field| match field.ty {
        FieldType::Enum(e) => e.values,
        _ => &[],
    };
    match (&written.suffix, field) {
        (None, Some(field)) if field.default.is_none() => {
            let remedy = format!("say which part the operand is in: .{}", values(field).join(" ."));
            Err(error(Problem::Expected("a suffix"), remedy))
        }
        (None, _) => Ok(()),
        (Some((text, span)), Some(field)) => {
            let index = values(field).iter().position(|value| value == text).ok_or_else(|| AsmError {
                span: span.clone(),
                problem: Problem::Literal(text.clone()),
                remedy: format!("the suffix is one of .{}", values(field).join(" .")),
            })?;
            instruction.set(field.name, index as u32);
            Ok(())
        }
        (Some((_, span)), None) => {
            let problem = Problem::Attribute("suffix");
            Err(AsmError { span: span.clone(), problem, remedy: "remove it".into() })
        }
    }
}

/// Returns the field bits that encode a source.
fn raw(source: Source) -> u32 {
    match source {
        Source::Reg(n) | Source::UReg(n) | Source::Pred(n) | Source::UPred(n) | Source::Special(n) => {
            u32::from(n)
        }
        Source::Const { bank, offset } => u32::from(bank) * BANK_BYTES + offset,
        Source::Imm(bits) => bits,
        _ => unreachable!("the scanner reads these as atoms of their own, or not at all"),
    }
}
