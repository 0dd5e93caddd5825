//! The reciprocal, `MUFU.RCP`: a quadratic interpolator, as the hardware has it.
//!
//! Seven bits of the fraction choose a row of the [table], the other sixteen are the offset t, and
//! C0 − C1·t + C2·t² is 1/x in fixed point. The segments and the coefficients' widths are those of Oberman
//! and Siu, "A High-Performance Area-Efficient Multifunction Interpolator" (ARITH 2005), NVIDIA's design.
//! Squarer and products keep leading bits only, as truncated arrays do; the cuts are our choice, and the
//! squarer's hardly moves the figures below. How the coefficients were fitted is told in
//! `oracles/tables/src/rcp.rs`.
//!
//! Over all significands the error stays below 0.931 ulp and 88.97 % of the results are correctly
//! rounded (published: 0.98 ulp, 87 %); results never rise as x does, and powers of two are exact.
//!
//! Only the numeric path is here. Exponents and signs are the caller's.

use crate::knobs::Knobs;
use crate::mufu::interpolate::used;
use crate::mufu::rom::Rom;

mod table;

/// How many segments the table has.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// 1/x for a significand `x` of 24 bits with the leading one explicit (so 1 ≤ x < 2 in units of 2⁻²³),
/// unrounded: 31 fraction bits, above 1/2 and below 1, less than 2⁻²⁵ away from the truth.
///
/// Normal results round it to 24 fraction bits; subnormal ones and the high word of a double round the
/// same number to fewer, and nothing is rounded twice. Only at x = 1 is it all of 2⁻²⁵ too small, for C0
/// cannot hold 1: a tie at 24 bits, which both half up and half to even take to 1.
#[inline]
pub(crate) fn significand<K: Knobs>(k: &K, x: u32) -> u32 {
    let [c0, c1, c2] = k.row(Rom::Rcp, &table::ROM, (x >> 16 & 0x7f) as usize);
    let t = used(k, Rom::Rcp, 16, x & 0xffff);
    let square = (t * t) >> 17; // the 15 leading bits of 32
    // No sound row overflows, but a faulty one may.
    (c0 << 5).wrapping_sub((c1 * t) >> 8).wrapping_add((c2 * square) >> 8)
}

#[cfg(test)]
mod tests;
