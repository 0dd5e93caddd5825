//! Kinds of values: what the bits of an operand stand for, and the classes of values that reports
//! distinguish.
//!
//! A kind comes from the row of the optype, for MUFU also from the dtype. Generation, coverage,
//! signatures and sweeps all use this module, so a class has the same meaning in all of them.

use std::borrow::Cow;

use assay_isa::format::{BF16, F16, F32, F64_HIGH, Format};
use assay_isa::row::{Data, FieldType};
use assay_isa::tables::types::{HSel, MUFUDType};
use assay_isa::{Form, Instruction};
use multiversion::multiversion;

/// The kind of an operand: what its values stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// A float of a format, in the low bits.
    Float(Format),
    /// A float of 16 bits in one half of a register. The other half may have any value.
    Half {
        /// Its format.
        format: Format,
        /// Whether it is the high half.
        high: bool,
    },
    /// Two floats of 16 bits, one in each half.
    Pair(Format),
    /// A float of which only the exponent is used.
    Exponent,
    /// A pattern or an integer of 32 bits.
    Bits,
    /// A bit position or a number of bits.
    Amount,
    /// A number of bits or a bit position. All ones stand for none.
    Index,
    /// A truth value in every bit of the register.
    Mask,
    /// Four selectors of bytes, a nibble each.
    Selector,
    /// An address or an index, or a part of one.
    Address,
    /// A bit for each channel.
    Channels,
    /// A literal of this many bits, fewer than 32.
    Narrow(u8),
    /// A predicate.
    Predicate,
}

/// The classes of a float. Also the classes of a pair: those of the low half, then those of the
/// high half.
macro_rules! floats {
    ($($name:literal),*) => {
        pub(crate) const FLOATS: &[&str] = &[$($name),*];
        const PAIRS: &[&str] = &[$($name,)* $(concat!($name, " in the high half")),*];
    };
}
floats!(
    "+zero",
    "+subnormal",
    "+normal",
    "+infinity",
    "+quiet NaN",
    "+signalling NaN",
    "-zero",
    "-subnormal",
    "-normal",
    "-infinity",
    "-quiet NaN",
    "-signalling NaN"
);

/// The index of the class of positive normal numbers, among the classes of floats.
pub(crate) const NORMAL: usize = 2;

/// Whether a class of floats contains normal numbers. All other classes are special.
pub(crate) fn is_normal(class: usize) -> bool {
    class % (FLOATS.len() / 2) == NORMAL
}

const BITS: [&str; 8] =
    ["zero", "all ones", "the top bit", "all but the top bit", "one bit", "one run", "positive", "negative"];

const AMOUNTS: [&str; 11] =
    ["0", "1 to 30", "31", "32", "33", "34 to 62", "63", "64", "65", "66 and more", "beyond 2^31"];

const INDICES: [&str; 5] = ["0", "1 to 30", "31", "32", "none"];

const ADDRESSES: [&str; 2] = ["below 2^31", "2^31 and more"];

const CHANNELS: [&str; 2] = ["some channels", "all channels"];

const NARROW: [&str; 4] = ["zero", "one bit", "all ones", "other"];

const TRUTH: [&str; 2] = ["false", "true"];

impl OperandKind {
    /// The kind of an operand of an instruction.
    pub fn of(instruction: &Instruction, operand: &str) -> OperandKind {
        let form = instruction.form();
        if let Some(FieldType::UImm(width @ ..32)) = form.field(operand).map(|f| f.ty) {
            return OperandKind::Narrow(width);
        }
        match form.data(operand) {
            None => OperandKind::Predicate,
            Some(Data::Float) => float_kind(instruction, operand),
            Some(Data::Exponent) => OperandKind::Exponent,
            Some(Data::Bits | Data::Table) => OperandKind::Bits,
            Some(Data::Address) => OperandKind::Address,
            Some(Data::Channels) => OperandKind::Channels,
            Some(Data::Halves) => OperandKind::Pair(F16),
            Some(Data::Selector) => OperandKind::Selector,
            Some(Data::Amount) => OperandKind::Amount,
            Some(Data::Index) => OperandKind::Index,
            Some(Data::Mask) => OperandKind::Mask,
        }
    }

    /// The format of an instruction's first result. `None` if it is not a float.
    pub fn result_format(instruction: &Instruction) -> Option<Format> {
        match instruction.form().optype.outs.first().map(|out| OperandKind::of(instruction, out)) {
            Some(OperandKind::Float(format)) => Some(format),
            _ => None,
        }
    }

    /// Names of the classes, in the order of [`OperandKind::class_of`].
    pub fn classes(self) -> &'static [&'static str] {
        match self {
            OperandKind::Float(_) | OperandKind::Half { .. } | OperandKind::Exponent => FLOATS,
            OperandKind::Pair(_) => PAIRS,
            OperandKind::Bits | OperandKind::Selector => &BITS,
            OperandKind::Amount => &AMOUNTS,
            OperandKind::Index => &INDICES,
            OperandKind::Address => &ADDRESSES,
            OperandKind::Channels => &CHANNELS,
            OperandKind::Narrow(_) => &NARROW,
            OperandKind::Mask | OperandKind::Predicate => &TRUTH,
        }
    }

    /// Returns the maximum number of classes that an operand of a form has, whatever its modifiers
    /// are.
    pub fn count_of(form: &'static Form, operand: &str) -> usize {
        match OperandKind::of(&Instruction::new(form), operand) {
            OperandKind::Float(_) if form.position("dtype").is_some() => PAIRS.len(),
            kind => kind.classes().len(),
        }
    }

    /// Returns the classes of some values, one bit per class. Each value has one class. A pair has
    /// one class for each half.
    #[inline]
    pub fn class_set(self, values: &[u32]) -> u64 {
        union_of_sets(self, values).into()
    }

    /// Calls `each` with the classes of each value, as [`OperandKind::class_set`] represents them.
    #[inline(always)]
    pub fn each_set(self, values: &[u32], mut each: impl FnMut(u32)) {
        // Each kind has its own loop, so that the kind is not tested again for each value.
        match self {
            OperandKind::Float(F32) | OperandKind::Exponent => {
                values.iter().for_each(|bits| each(float_set(F32, *bits)))
            }
            OperandKind::Float(format) => {
                values.iter().for_each(|bits| each(float_set(format, bits & format.mask())))
            }
            OperandKind::Pair(format) => values.iter().for_each(|bits| {
                let [low, high] = [bits & 0xffff, bits >> 16].map(|half| float_set(format, half));
                each(low | high << FLOATS.len())
            }),
            OperandKind::Half { format, high } => {
                values.iter().for_each(|bits| each(half_set(format, high, *bits)))
            }
            OperandKind::Bits | OperandKind::Selector => {
                values.iter().for_each(|bits| each(pattern_set(*bits)))
            }
            OperandKind::Amount => values.iter().for_each(|bits| each(ordered_set(&AMOUNT_STARTS, *bits))),
            OperandKind::Index => values.iter().for_each(|bits| each(ordered_set(&INDEX_STARTS, *bits))),
            OperandKind::Address => values.iter().for_each(|bits| each(1 << (bits >> 31))),
            OperandKind::Channels => {
                values.iter().for_each(|bits| each(1 << u32::from(*bits == u32::MAX)));
            }
            OperandKind::Narrow(width) => values.iter().for_each(|bits| each(narrow_set(width, *bits))),
            OperandKind::Mask | OperandKind::Predicate => {
                values.iter().for_each(|bits| each(1 << u32::from(*bits != 0)));
            }
        }
    }

    /// Index of the class of a value; for a pair, that of its low half.
    #[inline]
    pub fn class_of(self, bits: u32) -> usize {
        let mut index = 0;
        self.each_set(&[bits], |set| index = set.trailing_zeros() as usize);
        index
    }

    /// Returns a byte for the class of a value. Classes that the grouping of divergences
    /// distinguishes have different bytes.
    #[inline]
    pub(crate) fn class_byte(self, bits: u32) -> u8 {
        // The sign of a number other than zero distinguishes bugs only by chance.
        let unsigned = |class: usize| if class == 7 || class == 8 { class - 6 } else { class };
        let class = match self {
            OperandKind::Pair(format) => {
                let high = unsigned(float_class(format, bits >> 16));
                unsigned(self.class_of(bits)) + FLOATS.len() * high
            }
            OperandKind::Float(_) | OperandKind::Half { .. } | OperandKind::Exponent => {
                unsigned(self.class_of(bits))
            }
            kind => kind.class_of(bits),
        };
        class as u8
    }

    /// Name of the class of a value. For a pair, the names of both classes, the low half first.
    pub fn class_name(self, bits: u32) -> Cow<'static, str> {
        let name = |class: usize| self.classes()[class];
        match self {
            OperandKind::Pair(format) => {
                format!("({}, {})", name(self.class_of(bits)), name(float_class(format, bits >> 16))).into()
            }
            _ => name(self.class_of(bits)).into(),
        }
    }
}

/// The kind of a float operand: MUFU's dtype decides, and the half select of the source.
fn float_kind(instruction: &Instruction, operand: &str) -> OperandKind {
    let format = match instruction.modifier("dtype") {
        Some(MUFUDType::F16_V2) => return OperandKind::Pair(F16),
        Some(MUFUDType::BF16_V2) => return OperandKind::Pair(BF16),
        Some(MUFUDType::F16) => F16,
        Some(MUFUDType::BF16) => BF16,
        Some(MUFUDType::F64) => return OperandKind::Float(F64_HIGH),
        _ => return OperandKind::Float(F32),
    };
    if instruction.form().is_output(operand) {
        return OperandKind::Float(format);
    }
    let half = instruction.get(&format!("{operand}.hsel"));
    OperandKind::Half { format, high: half == Some(HSel::H1 as u32) }
}

#[inline]
fn float_class(format: Format, bits: u32) -> usize {
    float_set(format, bits).trailing_zeros() as usize
}

/// The least amount of each class, without the first class.
const AMOUNT_STARTS: [u32; 10] = [1, 31, 32, 33, 34, 63, 64, 65, 66, 0x8000_0000];
/// The least index of each class, without the first class.
const INDEX_STARTS: [u32; 4] = [1, 31, 32, 33];

/// Returns a bit for the class of a value, without a branch. `starts` has the least value of each
/// class, without the first class.
#[inline(always)]
fn ordered_set<const N: usize>(starts: &[u32; N], bits: u32) -> u32 {
    starts.iter().fold(1, |set, start| if bits >= *start { set << 1 } else { set })
}

/// Returns a bit for the class of a literal of `width` bits, without a branch.
#[inline(always)]
fn narrow_set(width: u8, bits: u32) -> u32 {
    let classes = [(bits.wrapping_add(1) == 1 << width, 2), (bits.is_power_of_two(), 1), (bits == 0, 0)];
    classes.iter().fold(1 << 3, |set, (is_it, class)| if *is_it { 1 << class } else { set })
}

/// Returns a bit for the class of the float in one half of a register.
#[inline(always)]
fn half_set(format: Format, high: bool, bits: u32) -> u32 {
    float_set(format, bits >> (16 * u32::from(high)) & 0xffff)
}

/// Returns a bit for the class of a float, without a branch, because the classes of drawn values
/// cannot be predicted.
#[inline]
fn float_set(format: Format, bits: u32) -> u32 {
    let magnitude = bits & (format.sign_mask() - 1);
    let infinity = format.infinity();
    let quiet = infinity | 1 << (format.fraction_bits - 1);
    let least = [(1, 1), (1 << format.fraction_bits, 2), (infinity, 3), (infinity + 1, 5), (quiet, 4)];
    let set = least.iter().fold(1, |set, (least, class)| if magnitude >= *least { 1 << class } else { set });
    if format.is_negative(bits) { set << 6 } else { set }
}

/// Returns a bit for the class of a pattern, without a branch.
#[inline]
fn pattern_set(bits: u32) -> u32 {
    let lowest = bits & bits.wrapping_neg();
    let sign = 6 + (bits >> 31);
    // Of the classes that apply, the last one counts: the classes are tested from the least special
    // to the most special.
    let classes = [
        (bits.wrapping_add(lowest) & bits == 0, 5),
        (bits & bits.wrapping_sub(1) == 0, 4),
        (bits == 0x7fff_ffff, 3),
        (bits == 0x8000_0000, 2),
        (bits == u32::MAX, 1),
        (bits == 0, 0),
    ];
    classes.iter().fold(1 << sign, |set, (is_it, class)| if *is_it { 1 << class } else { set })
}

/// Returns the union of the values' class sets: a bit for each class that occurs.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2", "x86_64+avx2"))]
fn union_of_sets(kind: OperandKind, values: &[u32]) -> u32 {
    let mut union = 0;
    kind.each_set(values, |set| union |= set);
    union
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: OperandKind, table: &[(u32, &str)]) {
        for (bits, class) in table {
            assert_eq!(kind.class_name(*bits), *class, "{kind:?} {bits:#x}");
        }
        let named = |class: &&&str| table.iter().any(|(_, name)| name == *class);
        assert_eq!(kind.classes().iter().filter(named).count(), kind.classes().len(), "{kind:?}");
    }

    #[test]
    fn classes_tell_values_apart() {
        check(
            OperandKind::Float(F32),
            &[
                (0, "+zero"),
                (0x8000_0000, "-zero"),
                (1, "+subnormal"),
                (0x807f_ffff, "-subnormal"),
                (0x0080_0000, "+normal"),
                (0xff7f_ffff, "-normal"),
                (0x7f80_0000, "+infinity"),
                (0xff80_0000, "-infinity"),
                (0x7fff_ffff, "+quiet NaN"),
                (0xffc0_0000, "-quiet NaN"),
                (0x7f80_0001, "+signalling NaN"),
                (0xffbf_ffff, "-signalling NaN"),
            ],
        );
        check(
            OperandKind::Bits,
            &[
                (0, "zero"),
                (u32::MAX, "all ones"),
                (0x8000_0000, "the top bit"),
                (0x7fff_ffff, "all but the top bit"),
                (1, "one bit"),
                (0x4000_0000, "one bit"),
                (0xc000_0000, "one run"),
                (0x0000_0ff0, "one run"),
                (0x0000_0ff1, "positive"),
                (0x8000_0001, "negative"),
            ],
        );
        check(
            OperandKind::Amount,
            &[
                (0, "0"),
                (1, "1 to 30"),
                (30, "1 to 30"),
                (31, "31"),
                (32, "32"),
                (33, "33"),
                (34, "34 to 62"),
                (62, "34 to 62"),
                (63, "63"),
                (64, "64"),
                (65, "65"),
                (66, "66 and more"),
                (0x7fff_ffff, "66 and more"),
                (0x8000_0000, "beyond 2^31"),
            ],
        );
        check(OperandKind::Index, &[(0, "0"), (30, "1 to 30"), (31, "31"), (32, "32"), (u32::MAX, "none")]);
        check(OperandKind::Narrow(5), &[(0, "zero"), (16, "one bit"), (31, "all ones"), (30, "other")]);
        check(OperandKind::Predicate, &[(0, "false"), (1, "true")]);
    }
}
