//! Machine instructions that PTX lacks: FSEL.FTZ and FCHK. These instructions follow the document
//! of the instruction set instead of the PTX ISA.

use crate::column::Access;
use crate::float::read;
use crate::lanes::Lanes;

/// A function that PTX lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    /// `selp.ftz.f32`. A subnormal number becomes a zero of its sign, and a NaN keeps all its bits
    /// (E185).
    SelectFlushed,
    /// `fchk.f32`. The result is true if a division needs more than the plain routine.
    CheckDivision,
}

impl Machine {
    pub(crate) fn compute(self, lanes: &mut Lanes, access: &Access) {
        match self {
            Self::SelectFlushed => lanes.words(access, |[a, b, p]| [flushed(if p != 0 { a } else { b })]),
            Self::CheckDivision => lanes.words(access, |[a, b]| [needs_more(a, b).into()]),
        }
    }
}

/// Returns the operand, or a zero of its sign if it is subnormal.
fn flushed(bits: u32) -> u32 {
    // Other values pass through no arithmetic, so a NaN keeps its bits.
    if f32::from_bits(bits).is_subnormal() { read(bits, true).to_bits() } else { bits }
}

/// Returns the unbiased exponent of a single, from bits 30 to 23 (E189).
fn exponent(bits: u32) -> i32 {
    (bits >> 23 & 0xff).cast_signed() - 127
}

/// Returns whether the plain routine cannot divide these operands. The plain routine has limits for
/// the two exponents and for their difference.
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
