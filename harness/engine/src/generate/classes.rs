//! Value classes of the float operands: named, weighted, and one line of arithmetic each.
//!
//! A class is two masks over random bits: `value = random & keep | set`. That keeps drawing free of
//! branches and makes every class readable off this table. The sign stays random throughout.

use assay_isa::Instruction;
use assay_isa::format::{F32, F64_HIGH, Format};

use crate::coverage::format_of;

/// A named set of bit patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Name for reports.
    pub name: &'static str,
    /// Random bits that survive.
    pub keep: u32,
    /// Bits that are always set.
    pub set: u32,
    /// Share of the draws, in 1/256.
    pub weight: u32,
}

impl Class {
    /// A member of the class.
    #[inline]
    pub fn draw(&self, random: u32) -> u32 {
        random & self.keep | self.set
    }
}

/// The classes of a format.
///
/// "Any exponent" includes the exponents of subnormals and of infinities and NaNs.
pub const fn classes(format: Format) -> [Class; 20] {
    let sign = format.sign_mask();
    let fraction = format.fraction_mask();
    let exponent = format.infinity();
    let lsb = 1 << format.fraction_bits;
    let quiet = lsb >> 1;
    let one = format.one();
    let lead = fraction & !(fraction >> 3);
    const fn class(name: &'static str, weight: u32, keep: u32, set: u32) -> Class {
        Class { name, keep, set, weight }
    }
    [
        class("zero", 12, sign, 0),
        class("least subnormal", 6, sign, 1),
        class("greatest subnormal", 6, sign, fraction),
        class("subnormal", 14, sign | fraction, 0),
        class("least normal", 6, sign, lsb),
        class("greatest normal", 6, sign, (exponent - lsb) | fraction),
        class("infinity", 8, sign, exponent),
        class("quiet NaN", 5, sign | fraction >> 1, exponent | quiet),
        class("signalling NaN", 5, sign | fraction >> 1, exponent | 1),
        class("one", 6, sign, one),
        class("near one", 12, sign | lsb | fraction, one - lsb),
        class("power of two", 14, sign | exponent, 0),
        class("just above a power of two", 10, sign | exponent, 1),
        class("just below a power of two", 10, sign | exponent, fraction),
        class("small dyadic", 14, sign | (3 * lsb) | lead, one),
        class("short significand", 14, sign | exponent | lead, 0),
        class("underflow edge", 14, sign | (0x1f * lsb) | fraction, 0),
        class("overflow edge", 10, sign | (3 * lsb) | fraction, exponent - 4 * lsb),
        class("moderate", 44, sign | (0xf * lsb) | fraction, one & !(0xf * lsb)),
        class("any", 40, sign | exponent | fraction, 0),
    ]
}

/// The classes of a format, with a class index for each value of a byte in proportion to the weights.
pub struct Table([Class; 20]);

static F32_TABLE: Table = Table(classes(F32));
static F64_TABLE: Table = Table(classes(F64_HIGH));

impl Table {
    /// The table of the operands of an instruction.
    pub fn of(instruction: &Instruction) -> &'static Table {
        if format_of(instruction) == F64_HIGH { &F64_TABLE } else { &F32_TABLE }
    }

    /// A value of a class drawn by its weight: one byte picks the class, 32 random bits the member.
    #[inline]
    pub fn draw(&self, byte: u8, random: u32) -> u32 {
        self.0[usize::from(BY_BYTE[usize::from(byte)])].draw(random)
    }
}

/// Class index for each value of a byte, in proportion to the weights, which all formats share.
static BY_BYTE: [u8; 256] = {
    let mut table = [0; 256];
    let (mut class, mut byte) = (0, 0);
    let classes = classes(F32);
    while class < classes.len() {
        let mut i = 0;
        while i < classes[class].weight {
            table[byte] = class as u8;
            byte += 1;
            i += 1;
        }
        class += 1;
    }
    assert!(byte == 256, "the weights must add up to 256");
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use assay_isa::format::{BF16, F16};

    fn check(format: Format, name: &str, holds: impl Fn(u32) -> bool) {
        let list = classes(format);
        let class = list.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no class {name}"));
        for random in (0..u32::MAX).step_by(0x0123_4567) {
            let bits = class.draw(random);
            assert!(holds(bits), "{} {name}: {bits:#x}", format.name);
            assert_eq!(bits & !format.mask(), 0, "{} {name}: {bits:#x}", format.name);
        }
    }

    #[test]
    fn classes_are_what_they_say() {
        for f in [F32, F16, BF16, F64_HIGH] {
            let magnitude = |bits: u32| bits & !f.sign_mask();
            check(f, "zero", |b| magnitude(b) == 0);
            check(f, "subnormal", |b| f.is_subnormal(b) || magnitude(b) == 0);
            check(f, "greatest subnormal", |b| f.is_subnormal(b) && magnitude(b + 1) == 1 << f.fraction_bits);
            check(f, "least normal", |b| magnitude(b) == 1 << f.fraction_bits);
            check(f, "greatest normal", |b| magnitude(b) + 1 == f.infinity());
            check(f, "infinity", |b| magnitude(b) == f.infinity());
            check(f, "quiet NaN", |b| f.is_nan(b) && b & f.fraction_mask() >> 1 != b & f.fraction_mask());
            check(f, "signalling NaN", |b| {
                f.is_nan(b) && b & f.fraction_mask() >> 1 == b & f.fraction_mask()
            });
            check(f, "one", |b| magnitude(b) == f.one());
        }
        check(F32, "overflow edge", |b| (251..=254).contains(&F32.exponent_field(b)));
        check(F32, "moderate", |b| (112..=127).contains(&F32.exponent_field(b)));
    }
}
