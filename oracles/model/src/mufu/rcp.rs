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
//! Only the numeric path is here. Zeros, infinities, NaNs, flushing (FTZ) and saturation are the
//! caller's. On bit patterns of those rows the functions return something, so a loop over a batch needs
//! no branch, but nothing is promised about it.

use crate::faults::Fault;
use crate::knobs::Knobs;
use crate::mufu::rom::Rom;

mod table;

/// Fraction bits of what [`significand`] returns.
const GUARDED: u32 = 31;

/// 1/x for a significand `x` of 24 bits with the leading one explicit (so 1 ≤ x < 2 in units of 2⁻²³),
/// unrounded: 31 fraction bits, above 1/2 and below 1, less than 2⁻²⁵ away from the truth.
///
/// Normal results round it to 24 fraction bits; subnormal ones and the high word of a double round the
/// same number to fewer, and nothing is rounded twice. Only at x = 1 is it all of 2⁻²⁵ too small, for C0
/// cannot hold 1: a tie at 24 bits, which both half up and half to even take to 1.
#[inline]
pub(crate) fn significand<K: Knobs>(k: &K, x: u32) -> u32 {
    let segment = (x >> 16 & 0x7f) as usize;
    let mut t = x & 0xffff;
    let [mut c0, mut c1, mut c2] = k.row(Rom::Rcp, &table::ROM, segment);
    if k.fault(Fault::RcpSegmentRom) && segment == 0x25 {
        c0 ^= 1 << 6; // 16 ulp
    }
    if k.fault(Fault::RcpSlopeRom) && segment == 0x5a {
        c1 ^= 1 << 2; // 8 ulp at the segment's end
    }
    if k.fault(Fault::RcpSquareDropped) {
        c2 = 0;
    }
    if k.fault(Fault::RcpOffsetTruncated) {
        t &= 0xf000;
    }
    let square = (t * t) >> 17; // the 15 leading bits of 32
    (c0 << 5) - ((c1 * t) >> 8) + ((c2 * square) >> 8)
}

/// Rounds an unrounded [`significand`] to `bits` fraction bits, to nearest and half up.
#[inline]
fn round(quotient: u32, bits: u32) -> u32 {
    let dropped = GUARDED - bits;
    (quotient + (1 << (dropped - 1))) >> dropped
}

/// 1/x for the bits of a finite, non-zero binary32 `x`, subnormal ones included.
///
/// Above 2¹²⁶ the result is subnormal and rounded once, where its last place is. From 2⁻¹²⁸ downwards
/// it is beyond the finite numbers: ±Inf.
#[inline]
pub(crate) fn rcp_f32<K: Knobs>(k: &K, x: u32) -> u32 {
    let sign = x & 0x8000_0000;
    let field = x >> 23 & 0xff;
    let unnormal = x & 0x007f_ffff | u32::from(field != 0) << 23;
    let shift = match k.fault(Fault::RcpSubnormalInputNotNormalised) {
        true => 0,
        false => unnormal.leading_zeros() - 8,
    };
    let exponent = field.max(1) as i32 - shift as i32 + i32::from(k.fault(Fault::RcpExponentOffByOne));
    // x = s · 2^(exponent − 127), so 1/x = 1/s · 2^(127 − exponent) with 1/2 < 1/s ≤ 1: an exponent
    // field of 253 − exponent, one less for the leading one that adds itself to it.
    let target = 252 - exponent;
    let rounded = round(significand(k, unnormal << shift), 24 - (-target).max(0) as u32);
    let result = (((target.max(0) as u32) << 23) + rounded).min(0x7f80_0000);
    if k.fault(Fault::RcpNoDenormal) && result < 0x0080_0000 {
        return sign;
    }
    sign | result
}

/// The high word of 1/x for the high word `x` of a normal binary64 whose low word is zero, rounded to
/// the 20 fraction bits of a high word: less than one unit of its last place away from the truth.
///
/// `None` where the result is below the least normal (|x| above 2¹⁰²²): the caller flushes it.
#[inline]
pub(crate) fn rcp_f64_high<K: Knobs>(k: &K, x: u32) -> Option<u32> {
    let sign = x & 0x8000_0000;
    let exponent = (x >> 20 & 0x7ff) as i32 + i32::from(k.fault(Fault::RcpExponentOffByOne));
    let quotient = significand(k, (x & 0x000f_ffff | 0x0010_0000) << 3);
    // As above: the result's exponent field is 2045 − exponent, one less for the leading one.
    let result = ((2044 - exponent) << 20) + round(quotient, 21) as i32;
    (result >= 0x0010_0000).then_some(sign | result as u32)
}

#[cfg(test)]
mod tests;
