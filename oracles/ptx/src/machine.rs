//! Statements of machine instructions that PTX lacks: FMUL with a scale, FSEL.FTZ, FCHK, and MUFU.SIN and MUFU.COS of
//! turns. They follow the document of the instruction set instead of the PTX ISA.

use crate::approx::Turn;
use crate::column::Access;
use crate::decode::{compute, mode};
use crate::float::{Float, read};
use crate::form::Slot::{From, To};
use crate::form::{Decoded, Form, Modifiers};
use crate::lanes::Lanes;
use crate::step::Function;
use crate::types::Type::{F32, Pred};

/// A function that PTX lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    /// `selp.ftz.f32`: a subnormal number becomes a zero of its sign; a NaN keeps all its bits (E185).
    SelectFlushed,
    /// `fchk.f32`: whether a division needs more than the plain routine.
    CheckDivision,
}

/// Scales of a product, as powers of two.
const SCALES: [(&str, i8); 6] = [("d2", -1), ("d4", -2), ("d8", -3), ("m2", 1), ("m4", 2), ("m8", 3)];

/// The form of such a statement; none if PTX may have it.
pub(crate) fn form(opcode: &str) -> Decoded<Option<Form>> {
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

/// `mul.rnd{.ftz}{.sat}.scale.f32`; none if there is no scale.
fn scaled(opcode: &str) -> Decoded<Option<Form>> {
    let ("mul", mut modifiers) = Modifiers::of_opcode(opcode) else { return Ok(None) };
    let Ok(mode) = mode(&mut modifiers) else { return Ok(None) };
    let Some(scale) = modifiers.maybe(&SCALES) else { return Ok(None) };
    modifiers.need("f32")?;
    modifiers.end()?;
    let multiply = Function::Float(Float::Multiply { mode, scale });
    Ok(Some(compute(multiply, [To(F32), From(F32), From(F32)])))
}

impl Machine {
    pub(crate) fn compute(self, lanes: &mut Lanes, access: &Access) {
        match self {
            Self::SelectFlushed => lanes.words(access, |[a, b, p]| [flushed(if p != 0 { a } else { b })]),
            Self::CheckDivision => lanes.words(access, |[a, b]| [needs_more(a, b).into()]),
        }
    }
}

/// The operand, or a zero of its sign if it is subnormal.
fn flushed(bits: u32) -> u32 {
    // A number goes through no arithmetic, so the bits of a NaN stay.
    if f32::from_bits(bits).is_subnormal() { read(bits, true).to_bits() } else { bits }
}

/// The exponent of a single without its bias, from bits 30 to 23 (E189).
fn exponent(bits: u32) -> i32 {
    (bits >> 23 & 0xff).cast_signed() - 127
}

/// Whether an exponent of the dividend or divisor, or their difference, is beyond what the plain routine can divide.
fn needs_more(dividend: u32, divisor: u32) -> bool {
    const LEAST: i32 = -126;
    const GREATEST: i32 = 127;
    const FRACTION_BITS: i32 = 23;
    let [a, b] = [dividend, divisor].map(exponent);
    let plain_dividend = LEAST + FRACTION_BITS < a && a <= GREATEST;
    let plain_divisor = LEAST < b && b < GREATEST - 2;
    let plain_difference = LEAST + 1 < a - b && a - b < GREATEST;
    !(plain_dividend && plain_divisor && plain_difference)
}
