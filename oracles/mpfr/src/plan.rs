//! The operation of FADD, FMUL or FFMA under its modifiers and the readings E169 to E180.

use assay_isa::Instruction;
use assay_isa::readings::{Reading, Readings};
use assay_isa::tables::types::{FMULScale, FPRound};
use rug::float::Round;

use crate::nan::NanRule;
use crate::operand::SIGN;
use crate::unit::Rounding;

/// The operation of an optype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// FADD.
    Add,
    /// FMUL.
    Multiply,
    /// FFMA.
    MultiplyAdd,
}

impl Operation {
    /// Returns the operation of an instruction, if it has one.
    pub fn of(instruction: &Instruction) -> Option<Operation> {
        match instruction.optype() {
            "FADD" => Some(Operation::Add),
            "FMUL" => Some(Operation::Multiply),
            "FFMA" => Some(Operation::MultiplyAdd),
            _ => None,
        }
    }
}

/// The steps that compute a lane, under the instruction's modifiers and the readings.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub rounding: Rounding,
    /// Whether .FTZ flushes operands. This includes FMUL's scaled operand (C010).
    pub flush_inputs: bool,
    /// What replaces a result that .FTZ flushes. `None`: results are not flushed (C010).
    pub flush_result: Option<FlushedResult>,
    pub saturate: bool,
    /// Whether .SAT keeps -0 (E170 = 1).
    pub keep_negative_zero: bool,
    /// Whether an exact sum of zero is +0 (E172 = 1).
    pub zero_is_positive: bool,
    /// Which results .FTZ flushes in addition to subnormal ones (E173, C003).
    pub tiny: Tiny,
    /// The rule that chooses a NaN result (C001, C002).
    pub nan: NanRule,
    pub scaling: Scaling,
    /// Whether .FTZ flushes FFMA's addend (E179 = 2).
    pub flush_addend: bool,
    /// Whether FFMA rounds its product before the addition (E180 = 1).
    pub round_product: bool,
}

/// Which results .FTZ flushes in addition to subnormal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiny {
    /// No others.
    Subnormal,
    /// Results below the normal numbers when they are rounded with an unbounded exponent (E173 =
    /// 2).
    Unbounded,
    /// Results below the normal numbers before they are rounded (C003 = 2).
    Exact,
}

/// The zero that replaces a flushed result (C011).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlushedResult {
    /// The zero of the result's sign.
    Signed,
    /// +0.
    Positive,
}

impl FlushedResult {
    /// Returns the zero that replaces a result.
    #[inline]
    pub fn of(self, bits: u32) -> u32 {
        match self {
            FlushedResult::Signed => bits & SIGN,
            FlushedResult::Positive => 0,
        }
    }
}

/// How FMUL's first operand is scaled (E176).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// The operand is multiplied by 2^k exactly. The value is k.
    Exact(i32),
    /// The operand is multiplied by 2^`scale` and rounded to F32. With `flush`, a subnormal product
    /// becomes zero.
    Rounded { scale: i32, flush: bool },
}

impl Plan {
    /// Returns the plan of an instruction with this operation.
    pub fn new(operation: Operation, instruction: &Instruction, readings: &Readings) -> Plan {
        let ftz = instruction.flag("ftz");
        let (flush_inputs, flush_results) = match readings.get(Reading::C010) {
            1 => (ftz, ftz),
            2 => (ftz, false),
            _ => (false, ftz),
        };
        let scale = instruction.modifier("scl").map_or(0, power_of_two);
        Plan {
            rounding: rounding(operation, instruction, readings),
            flush_inputs,
            flush_result: flush_results.then(|| match readings.get(Reading::C011) {
                1 => FlushedResult::Signed,
                _ => FlushedResult::Positive,
            }),
            saturate: instruction.flag("sat"),
            keep_negative_zero: readings.get(Reading::E170) == 1,
            zero_is_positive: readings.get(Reading::E172) == 1,
            tiny: match (readings.get(Reading::C003), readings.get(Reading::E173)) {
                (2, _) if operation != Operation::Add => Tiny::Exact,
                (_, 2) => Tiny::Unbounded,
                _ => Tiny::Subnormal,
            },
            nan: NanRule::new(readings),
            scaling: match readings.get(Reading::E176) {
                2 | 3 if scale != 0 => {
                    Scaling::Rounded { scale, flush: flush_inputs && readings.get(Reading::E176) == 3 }
                }
                _ => Scaling::Exact(scale),
            },
            flush_addend: readings.get(Reading::E179) == 2,
            round_product: readings.get(Reading::E180) == 1,
        }
    }
}

/// Returns the rounding of an instruction. Under E178 = 1, `.rnd` has no effect on FFMA.
fn rounding(operation: Operation, instruction: &Instruction, readings: &Readings) -> Rounding {
    let ignored = operation == Operation::MultiplyAdd && readings.get(Reading::E178) == 1;
    match instruction.modifier("rnd") {
        Some(FPRound::RP) if !ignored => Rounding::Directed(Round::Up),
        Some(FPRound::RM) if !ignored => Rounding::Directed(Round::Down),
        Some(FPRound::RZ) if !ignored => Rounding::Directed(Round::Zero),
        _ if readings.get(Reading::E169) == 1 => Rounding::HalfAway,
        _ => Rounding::Directed(Round::Nearest),
    }
}

/// Returns the exponent k of the scale factor 2^k.
pub fn power_of_two(scale: FMULScale) -> i32 {
    match scale {
        FMULScale::NoScale => 0,
        FMULScale::D2 => -1,
        FMULScale::D4 => -2,
        FMULScale::D8 => -3,
        FMULScale::M2 => 1,
        FMULScale::M4 => 2,
        FMULScale::M8 => 3,
    }
}
