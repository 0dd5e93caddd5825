//! The classes from which operand values are drawn. Each class has a name, a weight and two masks.
//!
//! A class is two masks over random bits: `random & keep | set`. Some classes also rotate the
//! result by a random distance. So drawing needs no branches, and the tables below show what each
//! class contains. The sign of a float is always random.

use std::f64::consts::{FRAC_PI_2, LN_2, LOG2_E, PI, TAU};

use assay_isa::format::{BF16, F16, F32, F64_HIGH, Format};

use crate::operands::operand_kinds::OperandKind;

/// A named set of bit patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueClass {
    /// Name for reports.
    pub name: &'static str,
    /// Mask of the random bits that are kept.
    pub keep: u32,
    /// Bits that are always set.
    pub set: u32,
    /// Mask of the random distance by which the pattern is rotated: 0 or 31.
    pub turn: u32,
    /// Share of the draws, in 1/256.
    pub weight: u32,
}

impl ValueClass {
    /// Returns a member of the class.
    #[inline]
    pub fn draw(&self, random: u32) -> u32 {
        member(self.keep, self.set, self.turn, random)
    }
}

/// Returns random bits under two masks, rotated by a random distance if `turn` is 31.
#[inline]
fn member(keep: u32, set: u32, turn: u32, random: u32) -> u32 {
    (random & keep | set).rotate_left(random >> 27 & turn)
}

const fn class(name: &'static str, weight: u32, keep: u32, set: u32) -> ValueClass {
    ValueClass { name, keep, set, turn: 0, weight }
}

const fn turned(name: &'static str, weight: u32, set: u32) -> ValueClass {
    ValueClass { name, keep: 0, set, turn: 31, weight }
}

/// The classes of a float format.
///
/// Classes that keep all exponent bits include the exponents of subnormals and of infinities and
/// NaNs.
pub const fn floats(format: Format) -> [ValueClass; 29] {
    let sign = format.sign_mask();
    let fraction = format.fraction_mask();
    let exponent = format.infinity();
    let lsb = 1 << format.fraction_bits;
    let quiet = lsb >> 1;
    let one = format.one();
    let lead = fraction & !(fraction >> 3);
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
        class("just above a power of two", 6, sign | exponent, 1),
        class("two above a power of two", 4, sign | exponent, 2),
        class("just below a power of two", 6, sign | exponent, fraction),
        class("two below a power of two", 4, sign | exponent, fraction - 1),
        class("small dyadic", 14, sign | (3 * lsb) | lead, one),
        class("short significand", 14, sign | exponent | lead, 0),
        class("underflow edge", 14, sign | (0x1f * lsb) | fraction, 0),
        class("overflow edge", 10, sign | (3 * lsb) | fraction, exponent - 4 * lsb),
        class("moderate", 34, sign | (0xf * lsb) | fraction, one & !(0xf * lsb)),
        class("two to hundreds", 20, sign | (7 * lsb) | fraction, one + lsb),
        // Argument reductions multiply by these.
        class("pi", 2, sign, nearest(format, PI)),
        class("half pi", 1, sign, nearest(format, FRAC_PI_2)),
        class("two pi", 1, sign, nearest(format, TAU)),
        class("turns of a radian", 1, sign, nearest(format, 1.0 / TAU)),
        class("ln 2", 1, sign, nearest(format, LN_2)),
        class("log2 e", 1, sign, nearest(format, LOG2_E)),
        class("any", 23, sign | exponent | fraction, 0),
    ]
}

/// Returns the format's nearest number to a positive number in its normal range.
const fn nearest(format: Format, value: f64) -> u32 {
    let dropped = 52 - format.fraction_bits;
    let rebiased = value.to_bits() - ((1023 - format.bias() as u64) << 52);
    // If rounding carries out of the significand, the exponent rises by one, which is correct.
    ((rebiased + (1 << (dropped - 1))) >> dropped) as u32
}

/// The classes of a pattern or an integer.
pub const BITS: [ValueClass; 18] = [
    class("zero", 10, 0, 0),
    class("one", 8, 0, 1),
    class("all ones", 12, 0, u32::MAX),
    class("least integer", 8, 0, 0x8000_0000),
    class("greatest integer", 8, 0, 0x7fff_ffff),
    turned("one bit", 30, 1),
    turned("all bits but one", 16, !1),
    class("bytes of 0x80 and more", 16, 0x7f7f_7f7f, 0x8080_8080),
    turned("run of 8 bits", 10, 0xff),
    turned("run of 16 bits", 10, 0xffff),
    class("byte", 12, 0xff, 0),
    class("low half", 12, 0xffff, 0),
    class("high half", 12, 0xffff_0000, 0),
    ValueClass { name: "sparse", keep: 0x1111_1111, set: 0, turn: 31, weight: 20 },
    turned("alternating bits", 4, 0x5555_5555),
    turned("alternating pairs of bits", 2, 0x3333_3333),
    turned("alternating groups of four bits", 2, 0x0f0f_0f0f),
    class("any", 64, u32::MAX, 0),
];

/// The classes of a bit position or a number of bits.
pub const AMOUNTS: [ValueClass; 13] = [
    class("zero", 14, 0, 0),
    class("below 32", 80, 31, 0),
    class("30 and 31", 14, 1, 30),
    class("32 and 33", 24, 1, 32),
    class("32 to 63", 24, 31, 32),
    class("62 and 63", 10, 1, 62),
    class("64 and 65", 16, 1, 64),
    class("below 128", 14, 127, 0),
    class("multiple of 32", 16, !31, 0),
    class("small negative", 12, 31, !31),
    class("all ones", 8, 0, u32::MAX),
    class("top bit and an amount", 12, 63, 0x8000_0000),
    class("any", 12, u32::MAX, 0),
];

/// Classes, and a table that maps each value of a byte to a class, in proportion to the weights. An
/// entry has the masks and the rotation of its class, and one unused word, so that it has 16 bytes.
struct ClassTable {
    classes: &'static [ValueClass],
    /// Whether any class rotates its patterns. Classes of floats do not, so floats are drawn
    /// faster.
    turns: bool,
    by_byte: [[u32; 4]; 256],
}

impl ClassTable {
    const fn new(classes: &'static [ValueClass]) -> ClassTable {
        let mut by_byte = [[0; 4]; 256];
        let (mut class, mut byte, mut turns) = (0, 0, false);
        while class < classes.len() {
            let mut i = 0;
            let ValueClass { keep, set, turn, .. } = classes[class];
            turns |= turn != 0;
            while i < classes[class].weight {
                by_byte[byte] = [keep, set, turn, 0];
                byte += 1;
                i += 1;
            }
            class += 1;
        }
        assert!(byte == 256, "the weights must add up to 256");
        ClassTable { classes, turns, by_byte }
    }

    /// Draws a value: one byte picks the class by its weight, and 32 random bits pick the member.
    #[inline]
    fn draw(&self, byte: u8, random: u32) -> u32 {
        let [keep, set, turn, _] = self.by_byte[usize::from(byte)];
        member(keep, set, turn, random)
    }

    /// Draws a value from a table whose classes do not rotate.
    #[inline]
    fn draw_unturned(&self, byte: u8, random: u32) -> u32 {
        let [keep, set, ..] = self.by_byte[usize::from(byte)];
        random & keep | set
    }
}

/// The distribution from which values of a kind are drawn.
#[derive(Clone, Copy)]
pub struct ValueDistribution {
    table: &'static ClassTable,
    place: RegisterPart,
}

/// Where in a register a value goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RegisterPart {
    Whole,
    /// In the low half. The high half is random.
    Low,
    /// In the high half. The low half is random.
    High,
    /// A value in each half.
    Both,
}

impl ValueDistribution {
    /// Draws a value with all classes equally likely. For literals, because a batch has only one
    /// value of a literal.
    pub fn draw_evenly(&self, byte: u8, random: u32) -> u32 {
        let classes = self.table.classes;
        let index = usize::from(byte) % classes.len();
        self.placed(classes[index].draw(random), random)
    }

    /// Returns the distribution of a kind. Predicates are drawn elsewhere.
    pub fn of(kind: OperandKind) -> ValueDistribution {
        static F32_TABLE: ClassTable = ClassTable::new(&const { floats(F32) });
        static F64_TABLE: ClassTable = ClassTable::new(&const { floats(F64_HIGH) });
        static F16_TABLE: ClassTable = ClassTable::new(&const { floats(F16) });
        static BF16_TABLE: ClassTable = ClassTable::new(&const { floats(BF16) });
        static BITS_TABLE: ClassTable = ClassTable::new(&BITS);
        static AMOUNT_TABLE: ClassTable = ClassTable::new(&AMOUNTS);
        let float = |format| match format {
            F16 => &F16_TABLE,
            BF16 => &BF16_TABLE,
            F64_HIGH => &F64_TABLE,
            _ => &F32_TABLE,
        };
        let (table, place) = match kind {
            OperandKind::Float(format) => (float(format), RegisterPart::Whole),
            OperandKind::Half { format, high: false } => (float(format), RegisterPart::Low),
            OperandKind::Half { format, high: true } => (float(format), RegisterPart::High),
            OperandKind::Pair(format) => (float(format), RegisterPart::Both),
            OperandKind::Exponent => (&F32_TABLE, RegisterPart::Whole),
            OperandKind::Bits
            | OperandKind::Selector
            | OperandKind::Address
            | OperandKind::Channels
            | OperandKind::Index
            | OperandKind::Mask
            | OperandKind::Narrow(_)
            | OperandKind::Predicate => (&BITS_TABLE, RegisterPart::Whole),
            OperandKind::Amount => (&AMOUNT_TABLE, RegisterPart::Whole),
        };
        ValueDistribution { table, place }
    }

    /// Draws `N` values. For each value, one byte picks the class, and 32 random bits pick the
    /// member.
    #[inline]
    pub fn draw_lanes<const N: usize>(&self, bytes: &[u8; N], random: &[u32; N], values: &mut [u32; N]) {
        let drawn = values.iter_mut().zip(bytes).zip(random);
        if self.table.turns {
            drawn.for_each(|((value, byte), random)| *value = self.table.draw(*byte, *random));
        } else {
            drawn.for_each(|((value, byte), random)| *value = self.table.draw_unturned(*byte, *random));
        }
        // Most values fill a register.
        if self.place != RegisterPart::Whole {
            values.iter_mut().zip(random).for_each(|(value, random)| *value = self.placed(*value, *random));
        }
    }

    /// Puts a value in its part of the register. If the value is a half of the register, the other
    /// half gets another value or random bits.
    #[inline]
    fn placed(&self, value: u32, random: u32) -> u32 {
        match self.place {
            RegisterPart::Whole => value,
            RegisterPart::Low => value | random & 0xffff_0000,
            RegisterPart::High => value << 16 | random >> 16,
            RegisterPart::Both => {
                let mixed = random.wrapping_mul(0x9e37_79b1);
                self.table.draw((mixed >> 24) as u8, mixed >> 8) << 16 | value
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each(classes: &[ValueClass], name: &str, mut holds: impl FnMut(u32)) {
        let class = classes.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no class {name}"));
        (0..u32::MAX).step_by(0x0123_4567).for_each(|random| holds(class.draw(random)));
    }

    fn check(format: Format, name: &str, holds: impl Fn(u32) -> bool) {
        each(&floats(format), name, |bits| {
            assert!(holds(bits), "{} {name}: {bits:#x}", format.name);
            assert_eq!(bits & !format.mask(), 0, "{} {name}: {bits:#x}", format.name);
        });
    }

    #[test]
    fn float_classes_are_what_they_say() {
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
        check(F32, "pi", |b| f32::from_bits(b).abs() == std::f32::consts::PI);
        check(F32, "ln 2", |b| f32::from_bits(b).abs() == std::f32::consts::LN_2);
        check(BF16, "two pi", |b| f32::from_bits(b << 16).abs() == 6.28125);
        check(F16, "half pi", |b| b & 0x7fff == 0x3e48);
        check(F64_HIGH, "pi", |b| b & 0x7fff_ffff == 0x4009_21fb);
        check(F32, "overflow edge", |b| (251..=254).contains(&F32.exponent_field(b)));
        check(F32, "moderate", |b| (112..=127).contains(&F32.exponent_field(b)));
    }

    #[test]
    fn halves_are_drawn_where_they_belong() {
        let randoms = || (0..u32::MAX).step_by(0x0123_4567);
        let table = ClassTable::new(&const { floats(F16) });
        let infinity =
            table.by_byte.iter().position(|[keep, set, ..]| (keep, set) == (&0x8000, &0x7c00)).unwrap() as u8;
        let draw = |kind, random| {
            let mut values = [0];
            ValueDistribution::of(kind).draw_lanes(&[infinity], &[random], &mut values);
            values[0]
        };
        for random in randoms() {
            let low = draw(OperandKind::Half { format: F16, high: false }, random);
            let high = draw(OperandKind::Half { format: F16, high: true }, random);
            let pair = draw(OperandKind::Pair(F16), random);
            assert!([low, high >> 16, pair].iter().all(|half| half & 0x7fff == 0x7c00));
        }
        let others = randoms().map(|random| draw(OperandKind::Pair(F16), random) >> 16 & 0x7fff);
        assert!(others.collect::<std::collections::BTreeSet<_>>().len() > 100);
    }

    #[test]
    fn integer_classes_are_what_they_say() {
        each(&BITS, "one bit", |b| assert_eq!(b.count_ones(), 1));
        each(&BITS, "all bits but one", |b| assert_eq!(b.count_zeros(), 1));
        each(&BITS, "alternating bits", |b| assert_eq!(b ^ b.rotate_left(1), u32::MAX));
        each(&BITS, "alternating groups of four bits", |b| assert_eq!(b ^ b.rotate_left(4), u32::MAX));
        each(&BITS, "run of 8 bits", |b| assert_eq!(b.count_ones(), 8));
        each(&BITS, "bytes of 0x80 and more", |b| assert!(b.to_le_bytes().iter().all(|byte| *byte >= 0x80)));
        each(&AMOUNTS, "32 and 33", |b| assert!((32..=33).contains(&b)));
        each(&AMOUNTS, "multiple of 32", |b| assert_eq!(b % 32, 0));
        each(&AMOUNTS, "small negative", |b| assert!((-32..0).contains(&(b as i32))));
    }
}
