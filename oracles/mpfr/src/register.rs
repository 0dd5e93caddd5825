//! An MPFR number of one limb that is set directly from a bit pattern, and converted back directly.
//!
//! MPFR's own conversions take as long as the operation between them, and a campaign converts four
//! times per case. So this file writes the limb and the exponent itself. Outside of tests, it is
//! this crate's only file with `unsafe`.

use std::cmp::Ordering;
use std::ops::Deref;

use assay_isa::format::{F32, Format};
use gmp_mpfr_sys::gmp::{LIMB_BITS, limb_t};
use gmp_mpfr_sys::mpfr::{self, INF_KIND, NAN_KIND, REGULAR_KIND, ZERO_KIND};
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;

/// Width of a limb in bits.
const LIMB: u32 = LIMB_BITS as u32;

/// An MPFR number whose significand is one limb.
#[derive(Debug)]
pub struct Register(Float);

impl Register {
    /// Creates a register with `precision` bits, which must fit one limb.
    pub fn new(precision: u32) -> Register {
        assert!((1..=LIMB).contains(&precision), "{precision} bits do not fit one limb");
        Register(Float::new(precision))
    }

    /// Sets the value to the result of an operation, rounded once. Returns how the value compares
    /// to the exact result.
    #[inline]
    pub fn compute<Operation>(&mut self, operation: Operation, round: Round) -> Ordering
    where
        Float: AssignRound<Operation, Round = Round, Ordering = Ordering>,
    {
        self.0.assign_round(operation, round)
    }

    /// Rounds a number below a format's normal range to a subnormal. `direction` is the result of
    /// comparing the number with the exact value, so that the value is rounded only once.
    pub fn subnormalize(&mut self, format: Format, direction: Ordering, round: Round) {
        // MPFR's significands have the form 0.1…, so its least normal exponent is one greater than
        // that of IEEE 754.
        self.0.subnormalize_round(format.emin() + 1, direction, round);
    }

    /// Rounds the value to a multiple of 2^`unit`, ties away from zero. The register must be able
    /// to represent the multiple.
    pub fn round_half_away(&mut self, unit: i32) {
        self.0 >>= unit;
        self.0.round_mut();
        self.0 <<= unit;
    }

    /// Sets the value to exactly `2^scale` times the number that a format's pattern represents. The
    /// register must be at least as precise as the format.
    #[inline]
    pub fn load(&mut self, bits: u32, format: Format, scale: i32) {
        debug_assert!(self.0.prec() >= format.precision());
        let field = format.exponent_field(bits) as i32;
        let fraction = bits & format.fraction_mask();
        let (kind, significand) = if !format.is_finite(bits) {
            (if fraction == 0 { INF_KIND } else { NAN_KIND }, 0)
        } else if field != 0 {
            (REGULAR_KIND, fraction | 1 << format.fraction_bits)
        } else {
            (if fraction == 0 { ZERO_KIND } else { REGULAR_KIND }, fraction)
        };
        // The number is significand · 2^unit. MPFR represents this number as 0.1… · 2^(unit + bits
        // in use).
        let unit = format.grid() + field.max(1) - 1 + scale;
        let significand = limb_t::from(significand);
        let vacant = significand.leading_zeros();
        let exponent = i64::from(unit) + i64::from(LIMB - vacant);
        let kind = if format.is_negative(bits) { -kind } else { kind };
        self.set(kind, exponent, significand.checked_shl(vacant).unwrap_or(0));
    }

    /// Sets kind, sign, exponent and limb. For a regular number, the top bit of the limb must be
    /// set, and all bits below the precision must be 0.
    #[inline]
    fn set(&mut self, kind: i32, exponent: i64, limb: limb_t) {
        let precision = mpfr::prec_t::from(self.0.prec());
        let raw = self.0.as_raw_mut();
        // SAFETY: `raw` is an initialised number that this register owns. Its significand is
        // exactly one limb, since no precision above LIMB is ever given to it, and the significand
        // is not moved. The only caller keeps what the comment above asks, so MPFR's invariants
        // hold: the limb is normalised and the register is as precise as the format that the bits
        // came from.
        unsafe {
            let significand = mpfr::custom_get_significand(raw);
            significand.cast::<limb_t>().write(limb);
            mpfr::custom_init_set(raw, kind, exponent as mpfr::exp_t, precision, significand);
        }
    }

    /// Returns the value as an F32 pattern. F32 must be able to represent it.
    #[inline]
    pub fn f32_bits(&self) -> u32 {
        self.bits(F32)
    }

    /// Returns the value as a pattern of a format that can represent it. A NaN becomes the pattern
    /// of all ones, except for the sign.
    #[inline]
    pub fn bits(&self, format: Format) -> u32 {
        let sign = if self.0.is_sign_negative() { format.sign_mask() } else { 0 };
        let (Some(exponent), Some(significand)) = (self.0.get_exp(), self.0.get_significand()) else {
            return match () {
                () if self.0.is_nan() => format.mask() >> 1,
                () if self.0.is_zero() => sign,
                () => sign | format.infinity(),
            };
        };
        // MPFR's significands have the form 0.1… and those of IEEE 754 the form 1.…, so the
        // exponents differ by one. The leading bit of the significand adds one to the field.
        let significand = (significand.as_limbs()[0] >> (LIMB - format.precision())) as u32;
        let field_less_one = exponent - 1 - format.emin();
        if field_less_one >= 0 {
            sign | (((field_less_one as u32) << format.fraction_bits) + significand)
        } else {
            sign | significand >> -field_less_one
        }
    }
}

impl Deref for Register {
    type Target = Float;

    #[inline]
    fn deref(&self) -> &Float {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use assay_isa::format::F64_HIGH;
    use proptest::prelude::*;

    use super::*;
    use crate::float::QUIET_NAN;

    const LANDMARKS: [u32; 12] = [
        0,
        0x8000_0000,
        1,
        0x8000_0001,
        0x007f_ffff,
        0x0080_0000,
        0x807f_ffff,
        0x3f80_0000,
        0x7f7f_ffff,
        0xff7f_ffff,
        0x7f80_0000,
        0xff80_0000,
    ];

    fn loaded(bits: u32, format: Format, scale: i32) -> Register {
        let mut register = Register::new(24);
        register.load(bits, format, scale);
        register
    }

    #[test]
    fn landmarks_go_in_and_out() {
        for bits in LANDMARKS {
            let register = loaded(bits, F32, 0);
            assert_eq!(register.f32_bits(), bits);
            assert_eq!(register.to_f32().to_bits(), bits, "MPFR reads another number");
        }
        for nan in [0x7f80_0001, 0x7fff_ffff, 0xffc0_0000] {
            assert!(loaded(nan, F32, 0).is_nan());
            assert_eq!(loaded(nan, F32, 0).f32_bits(), QUIET_NAN);
        }
    }

    #[test]
    fn a_high_word_is_the_double_with_an_empty_low_word() {
        for high in [0, 1, 0x8008_0000, 0x000f_ffff, 0x0010_0000, 0x3ff0_0000, 0xc008_0000, 0x7ff0_0000] {
            let double = f64::from_bits(u64::from(high) << 32);
            assert_eq!(loaded(high, F64_HIGH, 0).to_f64().to_bits(), double.to_bits(), "{high:#x}");
        }
    }

    proptest! {
        #[test]
        fn any_number_goes_in_and_out(bits: u32, scale in -3i32..=3) {
            let value = f64::from(f32::from_bits(bits));
            let register = loaded(bits, F32, scale);
            if value.is_nan() {
                prop_assert!(register.is_nan());
            } else {
                prop_assert_eq!(register.to_f64(), value * f64::from(scale).exp2());
                prop_assert_eq!(register.is_sign_negative(), value.is_sign_negative());
                prop_assert_eq!(loaded(bits, F32, 0).f32_bits(), bits);
            }
        }
    }
}
