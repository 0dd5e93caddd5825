//! The multiplier: UIMAD, UIMAD_WIDE and UIMUL.
//!
//! The product has 64 bits. The addend is added to the whole product, or to half of it. The sum has
//! one or two words. The carry depends on how the terms count as integers, which several errata
//! leave open.

use assay_isa::tables::types::{IExt, LOHI};
use assay_isa::{Instruction, Operand, Reading, Source};

use super::adder::{MODULUS, carries, is_negative_immediate, is_read_again};
use super::is_signed;
use crate::columns::{first, lanes};
use crate::knobs::Knobs;
use crate::semantics::{Minus, Semantics};

/// Returns the product of two words. Signed and unsigned products differ in the high half only.
#[inline(always)]
fn product(signed: bool, a: u32, b: u32) -> u64 {
    if signed { (i64::from(a as i32) * i64::from(b as i32)) as u64 } else { u64::from(a) * u64::from(b) }
}

#[inline(always)]
fn half(product: u64, high: bool) -> u32 {
    if high { (product >> 32) as u32 } else { product as u32 }
}

/// Defines UIMUL: half of the product. Under E118 = 2, a minus before the second factor negates the
/// product instead of the factor.
pub(crate) fn multiply<K: Knobs>(k: &K, instruction: &Instruction, inputs: &[Operand]) -> Semantics<K> {
    let m = Multiply::of(k, instruction, inputs);
    let later = k.reading(Reading::E118) == 2;
    Semantics::columns(move |_, columns, _, results| {
        let m = m;
        lanes(results, first(columns), |[a, b]| uimul(m, a, b));
    })
    .minus(if later { Minus::Later } else { Minus::Negative })
}

/// Defines UIMAD: the sum, and the carry.
pub(crate) fn multiply_add<K: Knobs>(k: &K, instruction: &Instruction, inputs: &[Operand]) -> Semantics<K> {
    let m = MultiplyAdd::of(k, instruction, inputs);
    Semantics::columns(move |k, columns, position, results| {
        let m = m;
        match position {
            0 => lanes(results, first(columns), |[a, b, c, upp]| uimad(k, m, a, b, c, upp)),
            _ => lanes(results, first(columns), |[a, b, c, upp]| uimad_carry(k, m, a, b, c, upp)),
        }
    })
    .minus(Minus::Later)
}

/// Defines UIMAD_WIDE: both words of the sum, and the carry.
pub(crate) fn multiply_add_wide<K: Knobs>(
    k: &K,
    instruction: &Instruction,
    inputs: &[Operand],
) -> Semantics<K> {
    let m = Wide::of(k, instruction, inputs);
    let semantics = Semantics::columns(move |k, columns, position, results| {
        let m = m;
        match position {
            0 | 1 => {
                let high_word = position == 1;
                lanes(results, first(columns), |[a, b, low, high, upp]| {
                    half(wide(k, m, a, b, m.read(low, high), upp), high_word)
                });
            }
            _ => lanes(results, first(columns), |[a, b, low, high, upp]| {
                wide_carry(k, m, a, b, m.read(low, high), upp)
            }),
        }
    });
    Semantics { words: m.words(), ..semantics.minus(Minus::Later) }
}

/// UIMUL's modifiers.
#[derive(Clone, Copy, Debug)]
struct Multiply {
    signed: bool,
    high: bool,
    /// Whether the product is negated, instead of the second factor (E118 = 2).
    negated: bool,
}

impl Multiply {
    /// Decodes an instruction.
    fn of<K: Knobs>(k: &K, instruction: &Instruction, inputs: &[Operand]) -> Multiply {
        Multiply {
            signed: is_signed(instruction),
            high: is_high(instruction),
            negated: inputs[1].neg && k.reading(Reading::E118) == 2,
        }
    }
}

fn is_high(instruction: &Instruction) -> bool {
    instruction.modifier("lohi") == Some(LOHI::HI)
}

#[inline(always)]
fn uimul(m: Multiply, a: u32, b: u32) -> u32 {
    let product = product(m.signed, a, b);
    half(if m.negated { product.wrapping_neg() } else { product }, m.high)
}

/// The addend and its prefix.
#[derive(Clone, Copy, Debug)]
struct Addend {
    /// Whether `-` precedes the addend, or `~` with `.X`.
    negated: bool,
    /// `.X`
    extended: bool,
    /// Whether the addend is also the destination, and is read again after the write (E011 = 1).
    again: bool,
    /// A mask of all ones, as wide as the addend.
    ones: u64,
}

impl Addend {
    fn of<K: Knobs>(k: &K, instruction: &Instruction, operand: Operand, ones: u64) -> Addend {
        Addend {
            negated: operand.neg,
            extended: instruction.modifier("ext") == Some(IExt::X),
            again: is_read_again(k, instruction, operand),
            ones,
        }
    }

    /// Returns the bits of the addend, with its prefix applied.
    #[inline(always)]
    fn pattern<K: Knobs>(self, k: &K, c: u64) -> u64 {
        let complements = self.extended && k.reading(Reading::E105) == 2;
        match (self.negated, complements) {
            (false, _) => c,
            (true, true) => c ^ self.ones,
            (true, false) => c.wrapping_neg() & self.ones,
        }
    }

    /// Returns the addend as an integer, for the carry. Without `.X` a subtraction adds the
    /// complement and 1 (E103).
    #[inline(always)]
    fn count<K: Knobs>(self, k: &K, c: u64) -> i128 {
        let subtracted = self.negated && !self.extended;
        match k.reading(Reading::E103) {
            1 if subtracted => -i128::from(c),
            3 if subtracted => i128::from(c ^ self.ones) + 1,
            _ => i128::from(self.pattern(k, c)),
        }
    }
}

/// UIMAD's modifiers.
#[derive(Clone, Copy, Debug)]
struct MultiplyAdd {
    signed: bool,
    high: bool,
    addend: Addend,
    /// Whether the addend's value is 2^32 less for the carry.
    borrows: bool,
}

impl MultiplyAdd {
    /// Decodes an instruction.
    fn of<K: Knobs>(k: &K, instruction: &Instruction, inputs: &[Operand]) -> MultiplyAdd {
        MultiplyAdd {
            signed: is_signed(instruction),
            high: is_high(instruction),
            addend: Addend::of(k, instruction, inputs[2], u32::MAX.into()),
            borrows: is_negative_immediate(k, inputs[2]),
        }
    }
}

#[inline(always)]
fn uimad<K: Knobs>(k: &K, m: MultiplyAdd, a: u32, b: u32, c: u32, carry_in: u32) -> u32 {
    let product = product(m.signed, a, b);
    let addend = m.addend.pattern(k, c.into());
    if m.high && k.reading(Reading::E104) == 1 {
        return shifted(m.signed, product, 32 + addend + u64::from(carry_in));
    }
    half(product, m.high).wrapping_add(addend as u32).wrapping_add(carry_in)
}

/// Returns the product shifted right. By C's precedence, the expression in the description means
/// this (E104 = 1).
fn shifted(signed: bool, product: u64, places: u64) -> u32 {
    match signed {
        true => (product as i64 >> places.min(63)) as u32,
        false if places > 63 => 0,
        false => (product >> places) as u32,
    }
}

#[inline(always)]
fn uimad_carry<K: Knobs>(k: &K, m: MultiplyAdd, a: u32, b: u32, c: u32, carry_in: u32) -> u32 {
    let read = if m.addend.again { uimad(k, m, a, b, c, carry_in) } else { c };
    let counted = m.addend.count(k, read.into()) as i64 - if m.borrows { MODULUS } else { 0 };
    let sum = i64::from(half(product(m.signed, a, b), m.high)) + counted + i64::from(carry_in);
    carries(k, Reading::E102, sum, MODULUS)
}

/// UIMAD_WIDE's modifiers.
#[derive(Clone, Copy, Debug)]
struct Wide {
    signed: bool,
    addend: Addend,
    /// Whether the high word of the addend is ignored, and the high word of the result is not
    /// written (E111 = 1).
    short: bool,
}

impl Wide {
    /// Decodes an instruction.
    fn of<K: Knobs>(k: &K, instruction: &Instruction, inputs: &[Operand]) -> Wide {
        Wide {
            signed: is_signed(instruction),
            addend: Addend::of(k, instruction, inputs[2], u64::MAX),
            short: k.reading(Reading::E111) == 1 && matches!(inputs[2].source, Source::Const { .. }),
        }
    }

    /// Returns the number of result words that are written.
    fn words(self) -> u8 {
        if self.short { 1 } else { 2 }
    }

    #[inline(always)]
    fn read(self, low: u32, high: u32) -> u64 {
        let high = if self.short { 0 } else { high };
        u64::from(high) << 32 | u64::from(low)
    }
}

#[inline(always)]
fn wide<K: Knobs>(k: &K, m: Wide, a: u32, b: u32, c: u64, carry_in: u32) -> u64 {
    if k.reading(Reading::E114) == 1 {
        return 0;
    }
    product(m.signed, a, b).wrapping_add(m.addend.pattern(k, c)).wrapping_add(carry_in.into())
}

#[inline(always)]
fn wide_carry<K: Knobs>(k: &K, m: Wide, a: u32, b: u32, c: u64, carry_in: u32) -> u32 {
    let pattern = product(m.signed, a, b);
    let counted = if m.signed && k.reading(Reading::E113) == 1 {
        i128::from(pattern as i64)
    } else {
        i128::from(pattern)
    };
    let read = if m.addend.again { wide(k, m, a, b, c, carry_in) } else { c };
    let modulus = if k.reading(Reading::E114) == 1 { 1 } else { 1 << 64 };
    carries(k, Reading::E112, counted + m.addend.count(k, read) + i128::from(carry_in), modulus)
}
