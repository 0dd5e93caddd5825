//! Definitions that all float optypes share: flushing, and the quiet NaN.

use assay_isa::format::F32;

use crate::operand::SIGN;

/// The quiet NaN of F32 that most float instructions return under the intended readings.
pub const QUIET_NAN: u32 = 0x7fff_ffff;

/// Returns the zero that replaces a subnormal operand when it is flushed. Returns `None` if the
/// operand is not subnormal.
#[inline]
pub fn flushed(bits: u32) -> Option<u32> {
    F32.is_subnormal(bits).then_some(bits & SIGN)
}

/// Returns an operand after the flush: a subnormal becomes a zero of its sign.
#[inline]
pub fn flush(bits: u32) -> u32 {
    if F32.exponent_field(bits) == 0 { bits & SIGN } else { bits }
}
