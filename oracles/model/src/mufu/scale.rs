//! Splits an operand of RCP, RSQ or SQRT into significand and exponent.

use assay_isa::format::Format;

/// The split of a finite, non-zero operand into a significand s and an exponent e, with |x| = s ·
/// 2^(e − 23). s has 24 bits with an explicit leading one. A subnormal operand is normalised.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    fraction_mask: u32,
    /// The leading one of a normal operand, or 0.
    leading: u32,
    /// Left shift of the significand.
    shift: u32,
    /// The exponent e.
    pub exponent: i32,
}

impl Scale {
    /// Returns the scale of an operand.
    #[inline(always)]
    pub fn of(format: Format, x: u32) -> Scale {
        let field = format.exponent_field(x);
        let fraction_mask = format.fraction_mask();
        let leading = u32::from(field != 0) << format.fraction_bits;
        let shift = (x & fraction_mask | leading).leading_zeros() - 8;
        let spare = 23 - format.fraction_bits as i32;
        let exponent = field.max(1) as i32 - format.bias() - (shift as i32 - spare);
        Scale { fraction_mask, leading, shift, exponent }
    }

    /// Returns the significand of an operand of this scale.
    #[inline(always)]
    pub fn significand(self, x: u32) -> u32 {
        (x & self.fraction_mask | self.leading) << self.shift
    }

    /// Returns half the exponent, rounded down, and whether the exponent is odd.
    #[inline(always)]
    pub fn halved(self) -> (i32, bool) {
        (self.exponent >> 1, self.exponent & 1 != 0)
    }
}
