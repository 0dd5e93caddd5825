//! Decodes an opcode with its modifiers to a function and its operands (ISA 9.7).

use crate::approx::{Approximation, Turn};
use crate::compare::{Combine, Compare, Relation, Values};
use crate::float::{Float, Mode, Rounding};
use crate::form::Slot::{
    Address, CarryIn, CarryOut, From, FromVector, Parameter, Table, To, ToBoth, ToVector, Zero,
};
use crate::form::{Decoded, Form, Modifiers, Slot};
use crate::format::Format;
use crate::integer::{Integer, ProductPart};
use crate::logic::{Logic, Permute};
use crate::machine::Machine;
use crate::operand::Operand;
use crate::step::{Action, Function};
use crate::types::Type::{B16, B32, B64, F32, F64, Pred, S32, S64, U16, U32, U64};

/// The statements that are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// The statements of PTX.
    Ptx,
    /// The statements of PTX, and the statements for machine instructions that PTX lacks.
    Machine,
}

/// Returns the form of an instruction. The operands only affect the form of `mov`.
pub(crate) fn form(opcode: &str, operands: &[Operand<'_>], language: Language) -> Decoded<Form> {
    if let Some(form) = approximation(opcode) {
        return Ok(form);
    }
    if language == Language::Machine
        && let Some(form) = machine(opcode)?
    {
        return Ok(form);
    }
    let (name, mut modifiers) = Modifiers::of_opcode(opcode);
    let modifiers = &mut modifiers;
    let form = match name {
        "ret" => Form { action: Action::Return, slots: Vec::new() },
        "ld" | "st" => memory(name, modifiers)?,
        "cvta" | "cvt" | "mov" => movement(name, modifiers, operands)?,
        "fma" => float(modifiers, 3, Float::Fuse)?,
        "add" | "addc" | "sub" => sum(name, modifiers)?,
        "mul" | "mad" | "madc" => product(name, modifiers)?,
        "div" | "rem" => division(name, modifiers)?,
        "abs" | "neg" => sign(name, modifiers)?,
        "min" | "max" => extreme(name == "max", modifiers)?,
        "setp" | "set" => compare(name, modifiers)?,
        "selp" => select(modifiers)?,
        "and" | "not" | "popc" | "brev" => bitwise(name, modifiers)?,
        "lop3" => lookup(modifiers)?,
        "shl" | "shr" => shift(name, modifiers)?,
        "shf" => funnel(modifiers)?,
        "prmt" => permute(modifiers)?,
        "bfind" => find(modifiers)?,
        "bmsk" | "szext" => field(name, modifiers)?,
        _ => return Err("unsupported instruction".to_owned()),
    };
    modifiers.end().map(|()| form)
}

fn compute(function: Function, slots: impl Into<Vec<Slot>>) -> Form {
    Form { action: Action::Compute(function), slots: slots.into() }
}

fn integer(integer: Integer, slots: impl Into<Vec<Slot>>) -> Form {
    compute(Function::Integer(integer), slots)
}

fn logic(logic: Logic, slots: impl Into<Vec<Slot>>) -> Form {
    compute(Function::Logic(logic), slots)
}

/// ISA 9.7.8: `ld` and `st`. `.volatile` has no effect, because no other thread can change the
/// memory.
fn memory(name: &str, modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    if name == "ld" && modifiers.has("param") {
        let of = modifiers.of([U32, U64])?;
        return Ok(logic(Logic::Copy, [To(of), Parameter(of)]));
    }
    modifiers.has("volatile");
    modifiers.need("global")?;
    modifiers.need("b32")?;
    Ok(match name {
        "ld" => Form { action: Action::Load, slots: vec![To(B32), Address] },
        _ => Form { action: Action::Store, slots: vec![Address, From(B32)] },
    })
}

/// ISA 9.7.8: `cvta`, `cvt` and `mov`. Here, generic addresses equal addresses of global memory.
fn movement(name: &str, modifiers: &mut Modifiers<'_>, operands: &[Operand<'_>]) -> Decoded<Form> {
    if name == "cvta" {
        ["to", "global", "u64"].into_iter().try_for_each(|modifier| modifiers.need(modifier))?;
        return Ok(logic(Logic::Copy, [To(U64), From(U64)]));
    }
    if name == "cvt" && modifiers.has("rn") {
        ["f16x2", "f32"].into_iter().try_for_each(|modifier| modifiers.need(modifier))?;
        return Ok(compute(Function::Float(Float::Halves), [To(B32), From(F32), From(F32)]));
    }
    if name == "cvt" {
        ["u32", "u16"].into_iter().try_for_each(|modifier| modifiers.need(modifier))?;
        return Ok(logic(Logic::Copy, [To(U32), From(U16)]));
    }
    let of = modifiers.of([U32, B32, B64])?;
    let (half, bits) = if of == B64 { (B32, 32) } else { (B16, 16) };
    Ok(match operands {
        [Operand::Vector(_), _] if of != U32 => logic(Logic::Unpack { bits }, [ToVector(half), From(of)]),
        [_, Operand::Vector(_)] if of != U32 => logic(Logic::Pack { bits }, [To(of), FromVector(half)]),
        _ => logic(Logic::Copy, [To(of), From(of)]),
    })
}

const ROUNDINGS: [(&str, Rounding); 4] =
    [("rn", Rounding::Nearest), ("rz", Rounding::Zero), ("rm", Rounding::Down), ("rp", Rounding::Up)];

/// ISA 9.7.3: parses `.rnd{.ftz}{.sat}`.
fn mode(modifiers: &mut Modifiers<'_>) -> Decoded<Mode> {
    let rounding = modifiers.one_of(&ROUNDINGS)?;
    Ok(Mode { rounding, flush: modifiers.has("ftz"), saturate: modifiers.has("sat") })
}

/// ISA 9.7.3: parses `.rnd{.ftz}{.sat}.f32` of an instruction with `sources` source operands.
fn float(modifiers: &mut Modifiers<'_>, sources: usize, float: fn(Mode) -> Float) -> Decoded<Form> {
    let mode = mode(modifiers)?;
    modifiers.need("f32")?;
    let slots = std::iter::once(To(F32)).chain(std::iter::repeat_n(From(F32), sources));
    Ok(compute(Function::Float(float(mode)), slots.collect::<Vec<_>>()))
}

/// ISA 9.7.1 to 9.7.3: `add`, `addc` and `sub`.
fn sum(name: &str, modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    if name == "add" && modifiers.is_one_of(&ROUNDINGS) {
        return float(modifiers, 2, Float::Add);
    }
    let (carries, continues) = (modifiers.has("cc"), name == "addc");
    let of =
        if carries || continues { modifiers.of([U32, S32])? } else { modifiers.of([U32, S32, U64, S64])? };
    let function = match (name, of) {
        ("sub", U64 | S64) => Integer::Subtract64,
        ("sub", _) => Integer::Subtract,
        (_, U64 | S64) => Integer::Add64,
        _ => Integer::Add,
    };
    let mut slots = vec![To(of)];
    slots.extend(carries.then_some(CarryOut));
    slots.extend([From(of), From(of)]);
    slots.extend(continues.then_some(CarryIn));
    Ok(integer(function, slots))
}

/// ISA 9.7.1 to 9.7.3: `mul`, `mad` and `madc`. A `mul` adds 0.
fn product(name: &str, modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    if name == "mul" && modifiers.is_one_of(&ROUNDINGS) {
        return float(modifiers, 2, |mode| Float::Multiply { mode, scale: 0 });
    }
    if name == "mul" && modifiers.has("wide") {
        let of = modifiers.of([U32, S32])?;
        let wide = if of == U32 { U64 } else { S64 };
        return Ok(integer(Integer::MultiplyWide { signed: of == S32 }, [To(wide), From(of), From(of)]));
    }
    let part = modifiers.one_of(&[("lo", ProductPart::Low), ("hi", ProductPart::High)])?;
    let carries = name != "mul" && modifiers.has("cc");
    let of = modifiers.of([U32, S32])?;
    let mut slots = vec![To(of)];
    slots.extend(carries.then_some(CarryOut));
    slots.extend([From(of), From(of), if name == "mul" { Zero } else { From(of) }]);
    slots.extend((name == "madc").then_some(CarryIn));
    Ok(integer(Integer::MultiplyAdd { part, signed: of == S32 }, slots))
}

/// ISA 9.7.1: `div` and `rem`.
fn division(name: &str, modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    modifiers.need("u32")?;
    let function = if name == "div" { Integer::Divide } else { Integer::Remainder };
    Ok(integer(function, [To(U32), From(U32), From(U32)]))
}

/// ISA 9.7.1 and 9.7.3: `abs` and `neg`.
fn sign(name: &str, modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    let of = modifiers.of([S32, F32])?;
    let function = match (name, of) {
        ("abs", S32) => Function::Integer(Integer::Absolute),
        (_, S32) => Function::Integer(Integer::Negate),
        ("abs", _) => Function::Float(Float::Absolute),
        _ => Function::Float(Float::Negate),
    };
    Ok(compute(function, [To(of), From(of)]))
}

/// ISA 9.7.1 and 9.7.3: `min` and `max`. `{.ftz}{.NaN}` is allowed only for floats.
fn extreme(maximum: bool, modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    let (flush, nan) = (modifiers.has("ftz"), modifiers.has("NaN"));
    let of = if flush || nan { modifiers.of([F32])? } else { modifiers.of([U32, S32, F32])? };
    let function = match of {
        F32 => Function::Float(Float::Extreme { maximum, flush, nan }),
        _ => Function::Integer(Integer::Extreme { maximum, signed: of == S32 }),
    };
    Ok(compute(function, [To(of), From(of), From(of)]))
}

/// ISA 9.7.5: `setp` and `set`. Without a Boolean operator, the result is combined with false by
/// `or`, which does not change it.
fn compare(name: &str, modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    let relation = modifiers.one_of(&Relation::NAMES)?;
    let combine = modifiers.maybe(&[("and", Combine::And), ("or", Combine::Or), ("xor", Combine::Exclusive)]);
    let flush = modifiers.has("ftz");
    if name == "set" {
        modifiers.need("f32")?;
    }
    let of = if flush || name == "set" || relation.is_for_floats() {
        modifiers.of([F32])?
    } else {
        modifiers.of([U32, S32, U64, S64, F32])?
    };
    let values = match of {
        F32 => Values::Float { flush },
        U32 | U64 => Values::Unsigned,
        S32 => Values::Signed,
        _ => Values::Signed64,
    };
    let (to, yes) = if name == "set" { (F32, 1.0_f32.to_bits()) } else { (Pred, 1) };
    let combined = if combine.is_some() { From(Pred) } else { Zero };
    let compare = Compare::Test { relation, values, combine: combine.unwrap_or(Combine::Or), yes };
    Ok(compute(Function::Compare(compare), [To(to), From(of), From(of), combined]))
}

/// ISA 9.7.5: `selp`.
fn select(modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    let of = modifiers.of([B32, U32, F32])?;
    Ok(compute(Function::Compare(Compare::Select), [To(of), From(of), From(of), From(Pred)]))
}

/// ISA 9.7.7 and 9.7.1: instructions on the bits of a word.
fn bitwise(name: &str, modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    modifiers.need("b32")?;
    Ok(match name {
        "and" => logic(Logic::And, [To(B32), From(B32), From(B32)]),
        "not" => logic(Logic::Not, [To(B32), From(B32)]),
        "popc" => logic(Logic::Count, [To(U32), From(B32)]),
        _ => logic(Logic::Reverse, [To(B32), From(B32)]),
    })
}

/// ISA 9.7.7: `lop3.b32 d, a, b, c, immLut` and `lop3.BoolOp.b32 d|p, a, b, c, immLut, q`.
fn lookup(modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    let combine = modifiers.maybe(&[("and", Combine::And), ("or", Combine::Or)]);
    modifiers.need("b32")?;
    let mut slots = vec![To(B32), From(B32), From(B32), From(B32), Table];
    let Some(combine) = combine else { return Ok(logic(Logic::Lookup, slots)) };
    slots[0] = ToBoth(B32);
    slots.push(From(Pred));
    Ok(logic(Logic::LookupTest(combine), slots))
}

/// ISA 9.7.7: `shl` and `shr`. The amount is a `.u32` for all types.
fn shift(name: &str, modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    let of = if name == "shl" { modifiers.of([B32, B64])? } else { modifiers.of([U32, S32, U64, S64])? };
    let width = if matches!(of, B32 | U32 | S32) { 32 } else { 64 };
    let function = match name {
        "shl" => Logic::ShiftLeft { width },
        _ => Logic::ShiftRight { width, signed: matches!(of, S32 | S64) },
    };
    Ok(logic(function, [To(of), From(of), From(U32)]))
}

/// The modifiers `.clamp` and `.wrap`, each with the value of the flag `wrap`.
const WRAP: [(&str, bool); 2] = [("clamp", false), ("wrap", true)];

/// ISA 9.7.7: `shf`.
fn funnel(modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    let left = modifiers.one_of(&[("l", true), ("r", false)])?;
    let wrap = modifiers.one_of(&WRAP)?;
    modifiers.need("b32")?;
    Ok(logic(Logic::Funnel { left, wrap }, [To(B32), From(B32), From(B32), From(U32)]))
}

/// ISA 9.7.8: `prmt`.
fn permute(modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    modifiers.need("b32")?;
    let mode = modifiers.maybe(&Permute::NAMES).unwrap_or(Permute::Generic);
    Ok(logic(Logic::Permute(mode), [To(B32), From(B32), From(B32), From(B32)]))
}

/// ISA 9.7.1: `bfind`.
fn find(modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    let shift = modifiers.has("shiftamt");
    let of = modifiers.of([U32, S32])?;
    Ok(logic(Logic::Find { shift, signed: of == S32 }, [To(U32), From(of)]))
}

/// ISA 9.7.1: `bmsk` and `szext`.
fn field(name: &str, modifiers: &mut Modifiers<'_>) -> Decoded<Form> {
    let wrap = modifiers.one_of(&WRAP)?;
    if name == "bmsk" {
        modifiers.need("b32")?;
        return Ok(logic(Logic::Mask { wrap }, [To(B32), From(B32), From(B32)]));
    }
    let of = modifiers.of([U32, S32])?;
    Ok(logic(Logic::Extend { wrap, signed: of == S32 }, [To(of), From(of), From(U32)]))
}

/// Returns the form of an instruction with `.approx`, if the opcode is a supported one.
fn approximation(opcode: &str) -> Option<Form> {
    if let Some(row) = Turn::RADIANS.iter().find(|row| row.0 == opcode) {
        return Some(compute(Function::Turn(row.1), [To(F32), From(F32)]));
    }
    let row = Approximation::NAMES.iter().find(|row| row.0 == opcode)?;
    let of = match (row.1.format, row.1.pair) {
        (Format::Single, _) => F32,
        (Format::Upper, _) => F64,
        (Format::Half | Format::Brain, false) => B16,
        (Format::Half | Format::Brain, true) => B32,
    };
    Some(compute(Function::Approximation(row.1), [To(of), From(of)]))
}

/// The scales of a product, as exponents of 2.
const SCALES: [(&str, i8); 6] = [("d2", -1), ("d4", -2), ("d8", -3), ("m2", 1), ("m4", 2), ("m8", 3)];

/// Returns the form of a statement for a machine instruction that PTX lacks. `None`: the opcode may
/// be PTX.
fn machine(opcode: &str) -> Decoded<Option<Form>> {
    if let Some(row) = Turn::TURNS.iter().find(|row| row.0 == opcode) {
        return Ok(Some(compute(Function::Turn(row.1), [To(F32), From(F32)])));
    }
    Ok(match opcode {
        "selp.ftz.f32" => {
            let select = Function::Machine(Machine::SelectFlushed);
            Some(compute(select, [To(F32), From(F32), From(F32), From(Pred)]))
        }
        "fchk.f32" => {
            let check = Function::Machine(Machine::CheckDivision);
            Some(compute(check, [To(Pred), From(F32), From(F32)]))
        }
        _ => scaled(opcode)?,
    })
}

/// Returns the form of `mul.rnd{.ftz}{.sat}.scale.f32`. Returns `None` if the opcode has no scale.
fn scaled(opcode: &str) -> Decoded<Option<Form>> {
    let ("mul", mut modifiers) = Modifiers::of_opcode(opcode) else { return Ok(None) };
    let Ok(mode) = mode(&mut modifiers) else { return Ok(None) };
    let Some(scale) = modifiers.maybe(&SCALES) else { return Ok(None) };
    modifiers.need("f32")?;
    modifiers.end()?;
    let multiply = Function::Float(Float::Multiply { mode, scale });
    Ok(Some(compute(multiply, [To(F32), From(F32), From(F32)])))
}
