//! Finite numbers, unpacked, multiplied and added without rounding.

use std::hint::select_unpredictable;

use super::{INFINITY, SIGN};
use crate::knobs::Knobs;
use crate::site::Site;

/// The bit of a significand whose weight is 2^(exponent − 127). The two bits above it hold the
/// carry of an addition and the sign of a difference. The bits below it are space for alignment.
pub(super) const POINT: u32 = 61;

const FRACTION: u32 = 23;
const BIAS: i32 = 127;

/// ±significand · 2^(exponent − 127 − [`POINT`]).
#[derive(Clone, Copy)]
pub(super) struct Exact {
    /// [`SIGN`] or 0.
    pub sign: u32,
    /// The biased exponent, as in a binary32.
    pub exponent: i32,
    /// The significand, not necessarily normalised. Its lowest bit may be a sticky bit, which is
    /// set if a bit below it was set.
    pub significand: u64,
}

impl Exact {
    /// Unpacks a finite binary32. Does not normalise a subnormal, because the rounder normalises
    /// every result.
    #[inline(always)]
    pub(super) fn unpack(bits: u32) -> Exact {
        let (exponent, significand) = parts(bits);
        Exact { sign: bits & SIGN, exponent, significand: significand << (POINT - FRACTION) }
    }

    /// Returns the product of two finite binary32 numbers, exact in 48 bits.
    #[inline(always)]
    pub(super) fn product<K: Knobs>(k: &K, a: u32, b: u32) -> Exact {
        let ((exponent_a, a_significand), (exponent_b, b_significand)) = (parts(a), parts(b));
        let mut product = a_significand * b_significand;
        if k.wrong(Site::FmulStickyDropped) && product != 0 {
            product &= !0 << (38 - product.leading_zeros().min(38));
        }
        if k.wrong(Site::FfmaProductStickyLost) {
            product &= !0 << 20;
        }
        // The product has 48 bits. Its top bit, at POINT, has the weight 2^(exponent sum + 1).
        Exact {
            sign: (a ^ b) & SIGN,
            exponent: exponent_a + exponent_b - BIAS + 1,
            significand: product << (POINT - 2 * FRACTION - 1),
        }
    }

    /// Returns the sum, with a sticky bit for the bits that alignment shifts out. The caller sets
    /// the sign of a zero.
    ///
    /// The sticky bit affects rounding only. Bits are shifted out only if the exponents are far
    /// apart. If the number with the greater exponent is normalised, the leading bit of the sum is
    /// the leading bit of that number, or the bit beside it. So the leading bit is far above the
    /// sticky bit. A number that is not normalised is a subnormal number, a product of one, or a
    /// zero.
    #[inline(always)]
    pub(super) fn plus<K: Knobs>(self, k: &K, other: Exact) -> Exact {
        // This code has no branch, which would be mispredicted for random operands.
        let ordered = self.exponent >= other.exponent;
        let (high, low) = (select(ordered, self, other), select(ordered, other, self));
        let mut aligned = shift_right_sticky(low.significand, (high.exponent - low.exponent) as u32);
        if k.wrong(Site::FaddStickyDropped) {
            aligned &= !0 << (POINT - FRACTION - 2);
        }
        if k.wrong(Site::FaddGuardBitLost) {
            aligned &= !0 << (POINT - FRACTION);
        }
        // Both significands stay below 2^62, so the sum fits in two's complement.
        let opposed = (high.sign != low.sign) as u64;
        let sum =
            high.significand.wrapping_add((aligned ^ opposed.wrapping_neg()).wrapping_add(opposed)) as i64;
        let sign = high.sign ^ (((sum as u64) >> 32) as u32 & SIGN);
        Exact { sign, exponent: high.exponent, significand: sum.unsigned_abs() }
    }
}

#[inline(always)]
fn select(first: bool, a: Exact, b: Exact) -> Exact {
    Exact {
        sign: select_unpredictable(first, a.sign, b.sign),
        exponent: select_unpredictable(first, a.exponent, b.exponent),
        significand: select_unpredictable(first, a.significand, b.significand),
    }
}

/// Returns the biased exponent and the 24-bit significand. A subnormal has the exponent of the
/// least normal number.
#[inline(always)]
fn parts(bits: u32) -> (i32, u64) {
    let field = (bits & INFINITY) >> FRACTION;
    let hidden = u32::from(field != 0) << FRACTION;
    (field.max(1) as i32, u64::from(bits & ((1 << FRACTION) - 1) | hidden))
}

/// Shifts right. Sets the lowest bit if a set bit was shifted out.
#[inline(always)]
pub(super) fn shift_right_sticky(significand: u64, distance: u32) -> u64 {
    let shifted = select_unpredictable(distance < u64::BITS, significand.wrapping_shr(distance), 0);
    shifted | u64::from(shifted.wrapping_shl(distance) != significand)
}
