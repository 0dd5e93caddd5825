//! The square root, `MUFU.SQRT`.
//!
//! The exponent of √x is half that of x, so x counts as a number from 1 to 4: if its exponent is odd, as
//! twice its significand. 2⁶ segments a binade and coefficients of 26, 16 and 10 bits are those of
//! [RSQ](super::rsq), of which the hardware of the papers makes √x, at the price of its error.
//!
//! Over all significands the error stays below 0.799 ulp and 92.56 % of the results are correctly rounded;
//! results never fall as x rises, even before they are rounded. Before that the error is below half an
//! ulp, so that every root that a format can hold is exact.

use crate::knobs::Knobs;
use crate::mufu::interpolate::interpolate;
use crate::mufu::rom::Rom;

mod table;

/// How many segments the table has.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// √x, or √(2x) if `odd`, for a significand `x` of 24 bits with the leading one explicit (so 1 ≤ x < 2 in
/// units of 2⁻²³), unrounded: 31 fraction bits, from 1, which is exact, to below 2.
#[inline]
pub(crate) fn significand<K: Knobs>(k: &K, x: u32, odd: bool) -> u32 {
    let segment = x >> 17 & 0x3f | u32::from(odd) << 6;
    interpolate(k, Rom::Sqrt, &table::ROM, table::SHAPE, segment, x & 0x1_ffff)
}

#[cfg(test)]
mod tests;
