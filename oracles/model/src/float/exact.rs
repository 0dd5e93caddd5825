//! Finite numbers without rounding: how operands are unpacked, multiplied and added.

use std::hint::select_unpredictable;

use super::{INFINITY, SIGN};
use crate::knobs::Knobs;
use crate::site::Site;

/// The bit of a significand with the weight that the exponent gives. Two bits above it hold the
/// carry of an addition and the sign of a difference. The bits below are space for alignment.
pub(super) const POINT: u32 = 61;

const FRACTION: u32 = 23;
const BIAS: i32 = 127;

/// ±significand · 2^(exponent − 127 − [`POINT`]).
#[derive(Clone, Copy)]
pub(super) struct Exact {
    /// [`SIGN`] or 0.
    pub sign: u32,
    /// As in a binary32, biased.
    pub exponent: i32,
    /// Not necessarily normalised. The lowest bit may be sticky: set if anything non-zero lies below.
    pub significand: u64,
}

impl Exact {
    /// Unpacks a finite binary32. A subnormal is not normalised: the rounder normalises any result.
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
        // The top one of the 48 bits is at POINT. It weighs twice the product of the exponents.
        Exact {
            sign: (a ^ b) & SIGN,
            exponent: exponent_a + exponent_b - BIAS + 1,
            significand: product << (POINT - 2 * FRACTION - 1),
        }
    }

    /// Returns the sum, with a sticky bit for the bits that alignment shifts out. The sign of a
    /// zero is left to the caller.
    ///
    /// The sticky bit matters for rounding only. Bits are lost only where the exponents are far
    /// apart. Then the sum keeps the leading bit of the larger number, or that number is a
    /// subnormal or a zero, whose own last place (bit 38) is the last one of the result.
    #[inline(always)]
    pub(super) fn plus<K: Knobs>(self, k: &K, other: Exact) -> Exact {
        // Which exponent is higher is random, so a branch would be mispredicted.
        let ordered = self.exponent >= other.exponent;
        let (high, low) = (select(ordered, self, other), select(ordered, other, self));
        let mut aligned = shift_right_sticky(low.significand, (high.exponent - low.exponent) as u32);
        if k.wrong(Site::FaddStickyDropped) {
            aligned &= !0 << (POINT - FRACTION - 2);
        }
        if k.wrong(Site::FaddGuardBitLost) {
            aligned &= !0 << (POINT - FRACTION);
        }
        // Both significands stay below 2^62, so this fits in two's complement.
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

/// Returns the biased exponent and 24-bit significand. A subnormal has the least normal exponent.
#[inline(always)]
fn parts(bits: u32) -> (i32, u64) {
    let field = (bits & INFINITY) >> FRACTION;
    let hidden = u32::from(field != 0) << FRACTION;
    (field.max(1) as i32, u64::from(bits & ((1 << FRACTION) - 1) | hidden))
}

/// Shifts right. The lowest bit is set if a set bit was shifted out.
#[inline(always)]
pub(super) fn shift_right_sticky(significand: u64, distance: u32) -> u64 {
    let shifted = select_unpredictable(distance < u64::BITS, significand.wrapping_shr(distance), 0);
    shifted | u64::from(shifted.wrapping_shl(distance) != significand)
}
