//! Operands that are related on purpose.
//!
//! Independent values almost never cancel, tie, compare equal or meet at the edge of the subnormals. So a
//! block of lanes shares a *relation*: it starts from independent draws and bends one operand toward the
//! others. Arithmetic here is the host's and only aims; a near miss is as good a test.

use assay_isa::Instruction;
use assay_isa::hints::{Computes, IntegerOperation, Operation};
use assay_isa::row::Data;
use assay_isa::tables::types::MUFUDType;

/// The relation of the operands of a lane. Each relation of an optype has an equal share of the blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperandRelation {
    /// Not at all.
    Independent,
    /// The addend cancels the rest, down to a random number of low bits.
    Cancel,
    /// The addend's exponent lies 0 to 60 below or above the rest's.
    Distance,
    /// The addend is half a unit of the rest's last place, give or take one bit: ties and near ties.
    Tie,
    /// The factors have short significands: ties of a product.
    Short,
    /// The factors' exponents put the product at the edge of the subnormals.
    Underflow,
    /// The factors' exponents put the product at the edge of overflow.
    Overflow,
    /// The product lies within a few units of the least normal: tiny before rounding and not after.
    Brink,
    /// The operands are the same.
    Equal,
    /// They differ in the sign.
    Opposite,
    /// They are neighbours, or two apart.
    Neighbour,
    /// Their exponents lie about the range of the format apart, where a quotient leaves it.
    Apart,
    /// The addend brings the sum of integers to a power of two, give or take two: carries and near carries.
    Carry,
    /// The same for an addend of two words behind the factors.
    WideCarry,
    /// The same for a base next to the shifted word: the low word, its base, the high word and the amount.
    ShiftedCarry,
    /// The product of the integers is about 2^31, 2^32, 2^63 or 2^64.
    Halfway,
    /// The operand is next to a multiple of π/2, where sine and cosine vanish.
    Quadrant,
    /// The operand is a multiple of 1/4, or next to one: exact powers of two, quarters of a turn.
    Quarter,
    /// The lanes of the block have many bits of each operand in common: one binade, one segment of a table.
    Segment,
}
use OperandRelation::*;

/// The relations of an instruction's operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relations(&'static [OperandRelation]);

const SUM: &[OperandRelation] =
    &[Independent, Independent, Brink, Cancel, Distance, Tie, Underflow, Overflow, Segment];
const PRODUCT: &[OperandRelation] =
    &[Independent, Independent, Brink, Short, Short, Short, Underflow, Overflow, Segment];
const COMPARISON: &[OperandRelation] = &[Independent, Independent, Equal, Opposite, Neighbour, Segment];
const QUOTIENT: &[OperandRelation] = &[Independent, Distance, Apart, Apart];
const FUNCTION: &[OperandRelation] = &[Independent, Independent, Independent, Quadrant, Quarter, Segment];
const INTEGER_SUM: &[OperandRelation] = &[Independent, Independent, Carry, Equal, Segment];
const INTEGER_PRODUCT: &[OperandRelation] = &[Independent, Independent, Carry, Halfway, Segment];
const FULL_PRODUCT: &[OperandRelation] = &[Independent, Independent, Independent, Halfway, Segment];
const SHIFTED_SUM: &[OperandRelation] = &[Independent, Independent, ShiftedCarry, Segment];
const WIDE_PRODUCT: &[OperandRelation] = &[Independent, Independent, WideCarry, Halfway, Segment];
const NONE: &[OperandRelation] = &[Independent, Independent, Independent, Segment];

impl Relations {
    /// Those that suit an instruction.
    pub fn of(instruction: &Instruction) -> Relations {
        let data = instruction.form().inputs().filter_map(|operand| instruction.form().data(operand));
        let data: Vec<Data> = data.collect();
        let is_f32 = instruction.modifier("dtype") == Some(MUFUDType::F32);
        Relations(match (instruction.form().optype.hints.computes, &data[..]) {
            (Computes::Rounded(Operation::Sum | Operation::Fused), _) => SUM,
            (Computes::Rounded(Operation::Product), _) => PRODUCT,
            (Computes::Integer(IntegerOperation::Sum), _) => INTEGER_SUM,
            (Computes::Integer(IntegerOperation::ShiftedSum), _) => SHIFTED_SUM,
            (Computes::Integer(IntegerOperation::Product), _) => FULL_PRODUCT,
            (Computes::Integer(IntegerOperation::Fused), _) => INTEGER_PRODUCT,
            (Computes::Integer(IntegerOperation::WideFused), _) => WIDE_PRODUCT,
            (Computes::Comparison | Computes::Extreme, _) => COMPARISON,
            (Computes::Function, _) if is_f32 => FUNCTION,
            (_, [Data::Float, Data::Float]) => COMPARISON,
            (_, [Data::Exponent, Data::Exponent]) => QUOTIENT,
            _ => NONE,
        })
    }

    /// One of them.
    pub fn pick(self, random: u64) -> OperandRelation {
        self.0[(random % self.0.len() as u64) as usize]
    }
}

/// Bends the words that an instruction reads, predicates left out, toward a relation that suits it.
pub fn bend(instruction: &Instruction, values: &mut [u32], random: [u64; 2]) {
    Relations::of(instruction).pick(random[0]).bend(values, random[1]);
}

impl OperandRelation {
    /// The bits that the lanes of a block have in common in each operand; those of a segment are mostly the upper ones.
    /// `None` where lanes are drawn one by one.
    pub fn common(self, random: u64) -> Option<u32> {
        let upper = !0 << (1 + (random >> 32) % 23);
        let halves = (0xffff << (1 + (random >> 32) % 9) & 0xffff) * 0x1_0001;
        let any = (random | random >> 32) as u32;
        (self == Segment).then_some([upper, upper, halves, any][(random >> 60 & 3) as usize])
    }

    /// Bends each lane of a block, of which the values are given operand by operand.
    pub fn bend_lanes<const N: usize>(self, values: &mut [[u32; N]], random: &[u64; N]) {
        if matches!(self, Independent | Segment) {
            return;
        }
        match values {
            [_] => self.bend_words::<1, N>(values, random),
            [_, _] => self.bend_words::<2, N>(values, random),
            [_, _, _] => self.bend_words::<3, N>(values, random),
            _ => {
                let mut words = vec![0; values.len()];
                self.bend_each(values, random, &mut words);
            }
        }
    }

    fn bend_words<const WORDS: usize, const N: usize>(self, values: &mut [[u32; N]], random: &[u64; N]) {
        self.bend_each(values, random, &mut [0; WORDS]);
    }

    /// `words` is memory for the values of a lane.
    #[inline]
    fn bend_each<const N: usize>(self, values: &mut [[u32; N]], random: &[u64; N], words: &mut [u32]) {
        for (lane, random) in random.iter().enumerate() {
            words.iter_mut().zip(&*values).for_each(|(word, values)| *word = values[lane]);
            self.bend(words, *random);
            values.iter_mut().zip(&*words).for_each(|(values, word)| values[lane] = *word);
        }
    }

    /// Bends the last operand (or, for a product, its second factor) toward the relation.
    #[inline]
    pub fn bend(self, values: &mut [u32], random: u64) {
        let Some(last) = values.len().checked_sub(1) else { return };
        let integer = last == 2 && self == Carry;
        let rest = if integer {
            ((u64::from(values[0]) * u64::from(values[1])) >> (random >> 32 & 32)) as u32
        } else if last == 2 {
            product_of(values[0], values[1])
        } else {
            values[0]
        };
        match self {
            // A segment is of a block, not of a lane.
            Independent | Segment => {}
            Cancel => values[last] = cancel(rest, random),
            Distance => values[last] = at_distance(rest, values[last], random),
            Tie => values[last] = half_unit(rest, random),
            Short => {
                values[0] &= !0 << (random % 16);
                values[1] &= !0 << (random / 16 % 16);
            }
            Underflow => values[1] = with_product_exponent_in(values[0], values[1], random, -150..=-124),
            Brink => values[1] = brink(values[0], random),
            Overflow => values[1] = with_product_exponent_in(values[0], values[1], random, 125..=129),
            Equal => values[last] = rest,
            Opposite => values[last] = rest ^ 0x8000_0000,
            Neighbour => values[last] = near(rest, random),
            Apart => apart(values, random),
            Carry if last >= 1 => values[last.min(2)] = near_carry(rest, random),
            WideCarry if last >= 3 => {
                let product = match random >> 61 & 1 {
                    0 => u64::from(values[0]) * u64::from(values[1]),
                    _ => (i64::from(values[0] as i32) * i64::from(values[1] as i32)) as u64,
                };
                let addend = product.wrapping_neg().wrapping_add(random % 5).wrapping_sub(2);
                [values[2], values[3]] = [addend as u32, (addend >> 32) as u32];
            }
            Halfway if last >= 1 => {
                // Either factor may be a literal, which stays as it is.
                let (bent, other) = if random >> 63 == 0 { (0, 1) } else { (1, 0) };
                let product = 1_u128 << [31, 32, 63, 64][(random >> 61 & 3) as usize];
                values[bent] = near(product.div_ceil(u128::from(values[other].max(1))) as u32, random);
            }
            ShiftedCarry if last >= 3 => {
                let pair = u64::from(values[2]) << 32 | u64::from(values[0]);
                let shifted = u128::from(pair) << (values[3] & 31);
                values[1] = near_carry((shifted >> (random >> 32 & 32)) as u32, random);
            }
            Carry | WideCarry | ShiftedCarry | Halfway => {}
            Quadrant => values[last] = beside(multiple(random) * std::f64::consts::FRAC_PI_2, random),
            Quarter => values[last] = beside(multiple(random) * 0.25, random),
        }
    }
}

/// What brings a sum to 2^32, or equals the other operand so that a difference is 0, give or take two.
fn near_carry(rest: u32, random: u64) -> u32 {
    near(if random >> 62 == 0 { rest } else { rest.wrapping_neg() }, random)
}

/// An integer, give or take two.
fn near(value: u32, random: u64) -> u32 {
    value.wrapping_add((random % 5) as u32).wrapping_sub(2)
}

fn product_of(a: u32, b: u32) -> u32 {
    (f32::from_bits(a) * f32::from_bits(b)).to_bits()
}

/// The negation with its low bits replaced: cancellation to a random depth, every bit included.
fn cancel(rest: u32, random: u64) -> u32 {
    let noise = (1u32 << (random % 24)) - 1;
    (rest ^ (random as u32 >> 6 & noise)) ^ 0x8000_0000 ^ ((random >> 63) as u32) << 31
}

/// A value whose exponent differs from the other's by up to 60.
fn at_distance(rest: u32, value: u32, random: u64) -> u32 {
    let distance = (random % 121) as i32 - 60;
    with_exponent(value, exponent(rest) + distance)
}

/// About half a unit in the last place of the other.
fn half_unit(rest: u32, random: u64) -> u32 {
    let sign = (random as u32) & 0x8000_0000;
    let nudge = (random >> 8) as u32 % 3;
    (with_exponent(sign, exponent(rest) - 24)).wrapping_add(nudge).wrapping_sub(1)
}

/// The factor that brings the product to the least normal, give or take a few units.
fn brink(a: u32, random: u64) -> u32 {
    let factor = (f64::from(f32::MIN_POSITIVE) / f64::from(f32::from_bits(a))) as f32;
    factor.to_bits().wrapping_add((random % 8) as u32).wrapping_sub(4)
}

/// The second factor with the exponent that puts the product's into the range.
#[inline]
fn with_product_exponent_in(a: u32, b: u32, random: u64, range: std::ops::RangeInclusive<i32>) -> u32 {
    let span = (range.end() - range.start() + 1) as u64;
    with_exponent(b, range.start() + (random % span) as i32 - exponent(a) + 127)
}

/// The divisor's exponent 120 to 131 from the dividend's, which is moved to one side to make room.
fn apart(values: &mut [u32], random: u64) {
    let distance = 120 + (random % 12) as i32;
    let (low, down) = ((random >> 8) as i32 & 0x7f, random >> 16 & 1 == 1);
    let side = if down { low } else { 254 - low };
    values[0] = with_exponent(values[0], side);
    values[1] = with_exponent(values[1], if down { side + distance } else { side - distance });
}

/// A whole number of up to 24 bits and either sign, small ones as likely as large ones.
fn multiple(random: u64) -> f64 {
    let bits = 1 + random % 24;
    let magnitude = (random >> 8 & ((1 << bits) - 1)) as f64;
    if random >> 40 & 1 == 1 { -magnitude } else { magnitude }
}

/// The nearest F32 of a number, or one of its four neighbours.
fn beside(number: f64, random: u64) -> u32 {
    (number as f32).to_bits().wrapping_add((random >> 48) as u32 % 5).wrapping_sub(2)
}

/// Biased exponent of a value, or the middle of the range for those that have none.
fn exponent(bits: u32) -> i32 {
    match bits >> 23 & 0xff {
        0 | 255 => 127,
        e => e as i32,
    }
}

/// A value with another biased exponent, kept within the finite range.
fn with_exponent(bits: u32, exponent: i32) -> u32 {
    bits & 0x807f_ffff | (exponent.clamp(0, 254) as u32) << 23
}
