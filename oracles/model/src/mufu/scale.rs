//! How an operand of reciprocal or roots, whose datapaths know significands only, becomes one.

use assay_isa::format::Format;

/// How a finite, non-zero operand becomes a significand s of 24 bits and an exponent e: |x| = s · 2^(e − 23), the
/// leading one explicit. That of a subnormal operand is found, unless it is given one as if normal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    fraction_mask: u32,
    /// The leading one of a normal operand, or 0.
    leading: u32,
    /// How far the significand is shifted left.
    shift: u32,
    /// e
    pub exponent: i32,
}

impl Scale {
    /// The scale of an operand.
    #[inline(always)]
    pub fn of(format: Format, x: u32, as_normal: bool) -> Scale {
        let field = format.exponent_field(x);
        let fraction_mask = format.fraction_mask();
        let leading = u32::from(field != 0 || as_normal) << format.fraction_bits;
        let shift = (x & fraction_mask | leading).leading_zeros() - 8;
        let spare = 23 - format.fraction_bits as i32;
        let exponent = field.max(1) as i32 - format.bias() - (shift as i32 - spare);
        Scale { fraction_mask, leading, shift, exponent }
    }

    /// The significand of an operand of this scale.
    #[inline(always)]
    pub fn significand(self, x: u32) -> u32 {
        (x & self.fraction_mask | self.leading) << self.shift
    }

    /// For a root: half the exponent, rounded down, and whether that leaves a factor of 2.
    #[inline(always)]
    pub fn halved(self) -> (i32, bool) {
        (self.exponent >> 1, self.exponent & 1 != 0)
    }
}
