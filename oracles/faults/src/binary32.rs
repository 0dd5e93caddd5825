//! Patterns of binary32.

use assay_isa::format::F32;

/// The sign bit.
pub(crate) const SIGN: u32 = F32.sign_mask();
/// +Inf.
pub(crate) const INFINITY: u32 = F32.infinity();
/// 1.0.
pub(crate) const ONE: u32 = F32.one();
/// A NaN.
pub(crate) const NAN: u32 = !SIGN;
/// The bit that makes a NaN quiet.
pub(crate) const QUIET: u32 = 1 << (F32.fraction_bits - 1);

pub(crate) fn is_nan(bits: u32) -> bool {
    F32.is_nan(bits)
}

/// Clamps to [+0, 1], NaN to +0.
pub(crate) fn saturate(bits: u32) -> u32 {
    if is_nan(bits) { 0 } else { (bits as i32).clamp(0, ONE as i32) as u32 }
}

/// Turns a subnormal into a zero of its sign, and returns other values unchanged.
pub(crate) fn flush(bits: u32) -> u32 {
    if bits & INFINITY == 0 { bits & SIGN } else { bits }
}
