//! Sine and cosine, `MUFU.SIN` and `MUFU.COS`.
//!
//! The argument is brought to quadrants: in turns it is four of them, in radians 2/π, of which there are
//! as many bits as the largest argument needs (Payne and Hanek, "Radian Reduction for Trigonometric
//! Functions", 1983). The last two bits before the point tell the quadrant, the fraction r the place in
//! it; in odd quadrants, and the cosine's are one on, 1 − r is taken.
//!
//! 2⁶ segments a quadrant and coefficients of 26, 15 and 11 bits are those published (Oberman and Siu, see
//! [`interpolate`](super::interpolate)). What they interpolate is our choice: not the sine but
//! sin(r·π/2) / r, and r multiplies it. So where the sine is near 0 the error is relative.
//!
//! Over samples of all arguments the error stays below 1.502 ulp and, before rounding, below 2⁻²³·⁹⁹, and
//! 88.8 % of the results are correctly rounded (published: 22.5 good bits).

use crate::faults::Fault;
use crate::knobs::Knobs;
use crate::mufu::interpolate::interpolate;
use crate::mufu::number::Number;
use crate::mufu::rom::Rom;

mod table;

/// How many segments the table has.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// Arguments below 2²⁴ times this power of two are reduced as if their last place were here.
const LEAST: i32 = -90;

/// sin x or cos x for the bits of a finite, non-zero binary32 `x` in radians, or of 2πx if in `turns`.
///
/// Zeros, which there are in turns only, have the sign of the argument for the sine, no minus for the cosine.
#[inline]
pub(crate) fn evaluate<K: Knobs>(k: &K, x: u32, cosine: bool, turns: bool) -> Number {
    let field = x >> 23 & 0xff;
    let significand = x & 0x007f_ffff | u32::from(field != 0) << 23;
    let exponent = field.max(1) as i32 - 150;
    let last = exponent.max(LEAST);
    // Quadrants in units of 2⁻¹²⁶, the fours left out.
    let unit = if turns { turn(last) } else { radian(k, last) };
    let angle = u128::from(significand).wrapping_mul(unit);
    let mut quadrant = (angle >> 126) as u32 + u32::from(cosine);
    if k.fault(Fault::TrigQuadrantOffByOne) {
        quadrant += 3;
    }
    let odd = quadrant & 1; // as random as the argument is: what follows has no branch on it
    let negative = (quadrant & 2 != 0) != (!cosine && x >> 31 != 0);
    // Of 128 bits. The complement is 2⁻¹²⁸ too small, so it is never all of a quadrant.
    let place = angle << 2 ^ u128::from(odd).wrapping_neg();
    if place == 0 {
        return Number { negative: !cosine && x >> 31 != 0, significand: 0, exponent: 0 };
    }
    let zeros = place.leading_zeros();
    let high = (place >> 96) as u32;
    let slope = interpolate(k, Rom::Sin, &table::ROM, table::SHAPE, high >> 26, high & 0x3ff_ffff);
    let product = ((place << zeros) >> 96) as u64 * u64::from(slope);
    // A sine is 1 at most.
    let product = if zeros == 0 { product.min(1 << 63) } else { product };
    // Tiny arguments are tiny sines, as much smaller as they were reduced as if greater.
    let tiny = (exponent - last) * (1 - odd as i32);
    Number::new(negative, product, tiny - 63 - zeros as i32)
}

/// 4 · 2^`last` in units of 2⁻¹²⁶, modulo 4.
#[inline]
fn turn(last: i32) -> u128 {
    1_u128.checked_shl((last + 128) as u32).unwrap_or(0)
}

/// 2/π · 2^`last` in units of 2⁻¹²⁶, modulo 4, cut off: even for a product with 24 bits 2⁻¹⁰² of a
/// quadrant, where the binary32 nearest to a multiple of π/2 is some 2⁻³⁰ away from it.
#[inline]
fn radian<K: Knobs>(k: &K, last: i32) -> u128 {
    let start = (last + 126) as usize; // of the 128 bits, in the table's
    let [high, middle, low] = [0, 1, 2].map(|n| u128::from(table::TWO_OVER_PI[start / 64 + n]));
    let shift = start % 64;
    let unit = ((high << 64 | middle) << shift) | (low << shift) >> 64;
    let unused = if k.fault(Fault::TrigReductionShort) { (last + 110).clamp(0, 127) } else { 0 };
    unit >> unused << unused
}

#[cfg(test)]
mod tests;
