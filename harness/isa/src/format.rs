//! The layout of binary floating-point formats: field widths, field positions and exponent range.
//!
//! This module only describes formats, as IEEE 754-2019, section 3.4, does. Each implementation has
//! its own arithmetic.

/// A binary interchange format of at most 32 bits: one sign bit, `exponent_bits`, `fraction_bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// Name as the assembler spells the type, e.g. `F32`.
    pub name: &'static str,
    /// Width of the biased exponent field in bits.
    pub exponent_bits: u32,
    /// Width of the trailing significand field in bits.
    pub fraction_bits: u32,
}

/// IEEE binary32.
pub const F32: Format = Format { name: "F32", exponent_bits: 8, fraction_bits: 23 };
/// IEEE binary16.
pub const F16: Format = Format { name: "F16", exponent_bits: 5, fraction_bits: 10 };
/// bfloat16: the upper half of a binary32.
pub const BF16: Format = Format { name: "BF16", exponent_bits: 8, fraction_bits: 7 };
/// The high word of a binary64 whose low word is zero (`spec/README`, row E040 E041 E042). A word h
/// means exactly the double `h:00000000`. So the last place of a number with exponent e is
/// 2^(e-20).
pub const F64_HIGH: Format = Format { name: "F64", exponent_bits: 11, fraction_bits: 20 };

impl Format {
    /// Returns the format of a function's arguments and results, from its mnemonic. F32 if the
    /// mnemonic names no format.
    pub fn of_function(mnemonic: &str) -> Format {
        let has = |name: &str| mnemonic.split('.').any(|part| part == name);
        match () {
            () if has("F64") => F64_HIGH,
            () if has("F16") || has("F16_V2") => F16,
            () if has("BF16") || has("BF16_V2") => BF16,
            () => F32,
        }
    }

    /// Returns the width of a number in bits, including the sign.
    #[inline]
    pub const fn width(self) -> u32 {
        1 + self.exponent_bits + self.fraction_bits
    }

    /// Returns the precision p: the number of significand bits, including the implicit one.
    #[inline]
    pub const fn precision(self) -> u32 {
        self.fraction_bits + 1
    }

    /// Returns the exponent bias, which equals the largest exponent emax.
    #[inline]
    pub const fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// Smallest exponent of a normal number.
    #[inline]
    pub const fn emin(self) -> i32 {
        1 - self.bias()
    }

    /// Returns the exponent of the least subnormal. Every finite value is a multiple of 2 to this
    /// power.
    #[inline]
    pub const fn grid(self) -> i32 {
        self.emin() - self.fraction_bits as i32
    }

    /// Returns the mask of the sign bit, which is also the encoding of -0.
    #[inline]
    pub const fn sign_mask(self) -> u32 {
        1 << (self.width() - 1)
    }

    /// Mask of the fraction field.
    #[inline]
    pub const fn fraction_mask(self) -> u32 {
        (1 << self.fraction_bits) - 1
    }

    /// Returns the encoding of +Inf, which is also the mask of the exponent field.
    #[inline]
    pub const fn infinity(self) -> u32 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    /// Returns the encoding of +1.0.
    #[inline]
    pub const fn one(self) -> u32 {
        (self.bias() as u32) << self.fraction_bits
    }

    /// Returns the biased exponent field of an encoding.
    #[inline]
    pub const fn exponent_field(self, bits: u32) -> u32 {
        (bits & self.infinity()) >> self.fraction_bits
    }

    /// Whether the sign bit is set.
    #[inline]
    pub const fn is_negative(self, bits: u32) -> bool {
        bits & self.sign_mask() != 0
    }

    /// Whether the encoding is a NaN, quiet or signalling.
    #[inline]
    pub const fn is_nan(self, bits: u32) -> bool {
        bits & !self.sign_mask() & self.mask() > self.infinity()
    }

    /// Whether the encoding is finite: neither an infinity nor a NaN.
    #[inline]
    pub const fn is_finite(self, bits: u32) -> bool {
        bits & self.infinity() != self.infinity()
    }

    /// Whether the encoding is a subnormal number. Zero is not subnormal.
    #[inline]
    pub const fn is_subnormal(self, bits: u32) -> bool {
        self.exponent_field(bits) == 0 && bits & self.fraction_mask() != 0
    }

    /// Returns the mask of all bits of the format.
    #[inline]
    pub const fn mask(self) -> u32 {
        (((1u64) << self.width()) - 1) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_name_their_format() {
        let formats = ["MUFU.RCP.F32.SAT", "MUFU.RSQ.F64", "MUFU.TANH.F16_V2", "MUFU.EX2.BF16", "FADD"];
        assert_eq!(formats.map(|name| Format::of_function(name).name), ["F32", "F64", "F16", "BF16", "F32"]);
    }

    #[test]
    fn landmarks() {
        assert_eq!((F32.one(), F32.infinity(), F32.sign_mask()), (0x3f80_0000, 0x7f80_0000, 0x8000_0000));
        assert_eq!((F32.emin(), F32.grid(), F32.mask()), (-126, -149, u32::MAX));
        assert_eq!((F16.one(), F16.infinity(), F16.grid()), (0x3c00, 0x7c00, -24));
        assert_eq!((BF16.one(), BF16.infinity(), BF16.grid()), (0x3f80, 0x7f80, -133));
        assert_eq!((F64_HIGH.one(), F64_HIGH.infinity(), F64_HIGH.grid()), (0x3ff0_0000, 0x7ff0_0000, -1042));
    }

    #[test]
    fn kinds_do_not_overlap_and_miss_nothing() {
        for bits in 0..=u16::MAX as u32 {
            for format in [F16, BF16] {
                let zero = bits & !format.sign_mask() == 0;
                let normal = format.is_finite(bits) && format.exponent_field(bits) != 0;
                let infinite = bits & !format.sign_mask() == format.infinity();
                let kinds = [zero, format.is_subnormal(bits), normal, infinite, format.is_nan(bits)];
                assert_eq!(kinds.iter().filter(|k| **k).count(), 1, "{} {bits:#06x}", format.name);
            }
        }
    }
}
