//! Operands that are related on purpose.
//!
//! Independent values almost never cancel, tie, compare equal or meet at the edge of the subnormals. So a
//! block of lanes shares a *relation*: it starts from independent draws and bends one operand toward the
//! others. Arithmetic here is the host's and only aims; a near miss is as good a test.

use assay_isa::Instruction;
use assay_isa::hints::{Computes, IntegerOperation, Operation};
use assay_isa::row::Data;
use assay_isa::tables::types::MUFUDType;
use multiversion::multiversion;

use super::stream::BLOCK;

/// The relation of the operands of a lane.
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
    /// The addend cancels a product of a few units of the least subnormal: the sum lies far below all numbers.
    Residue,
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

/// The relations of an instruction's operands: each of a list as often as another, and one that few blocks have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Relations(&'static [OperandRelation], Option<OperandRelation>);

/// Blocks of which one has the seldom relation. A greater share would leave fewer lanes to the classes that meet at random.
const SELDOM: u64 = 64;

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
        let usual = match (instruction.form().optype.hints.computes, &data[..]) {
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
        };
        let fused = instruction.form().optype.hints.computes == Computes::Rounded(Operation::Fused);
        Relations(usual, fused.then_some(Residue))
    }

    /// One of them.
    pub fn pick(self, random: u64) -> OperandRelation {
        match self.1 {
            Some(relation) if (random >> 32).is_multiple_of(SELDOM) => relation,
            _ => self.0[(random % self.0.len() as u64) as usize],
        }
    }
}

/// Bends the words that an instruction reads, predicates left out, toward a relation that suits it.
pub fn bend(instruction: &Instruction, values: &mut [u32], random: [u64; 2]) {
    Relations::of(instruction).pick(random[0]).bend(values.as_chunks_mut().0, &[random[1]]);
}

/// What a lane is bent by: two numbers of 32 random bits.
#[derive(Clone, Copy)]
struct BendBits {
    first: u32,
    second: u32,
}

impl BendBits {
    #[inline(always)]
    fn of(random: u64) -> BendBits {
        BendBits { first: random as u32, second: (random >> 32) as u32 }
    }

    /// A number below another, of the leading bits of the first.
    #[inline(always)]
    fn below(self, number: u32) -> u32 {
        below(self.first, number)
    }

    /// The number give or take two, by the trailing bits of the first.
    #[inline(always)]
    fn near(self, number: u32) -> u32 {
        number.wrapping_add(below(self.first << 16, 5)).wrapping_sub(2)
    }

    /// Either sign, by the last bit of the first, which [`BendBits::below`] hardly depends on.
    #[inline(always)]
    fn sign(self) -> u32 {
        self.first << 31
    }
}

/// A number below another: the leading bits of a random one decide.
#[inline(always)]
fn below(random: u32, number: u32) -> u32 {
    ((u64::from(random) * u64::from(number)) >> 32) as u32
}

/// A value for each lane, from its place and its random bits.
#[inline(always)]
fn each<const N: usize>(random: &[u64; N], value: impl Fn(usize, BendBits) -> u32) -> [u32; N] {
    let mut values = [0; N];
    for (lane, (drawn, random)) in values.iter_mut().zip(random).enumerate() {
        *drawn = value(lane, BendBits::of(*random));
    }
    values
}

/// Bends the lanes of a block.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx2", "x86_64+avx2"))]
fn bend_block(relation: OperandRelation, values: &mut [[u32; BLOCK]], random: &[u64; BLOCK]) {
    relation.bend(values, random);
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
    pub fn bend_block(self, values: &mut [[u32; BLOCK]], random: &[u64; BLOCK]) {
        if !matches!(self, Independent | Segment) {
            bend_block(self, values, random);
        }
    }

    /// Bends the last operand of each lane (or, for a product, its second factor) toward the relation.
    #[inline(always)]
    fn bend<const N: usize>(self, values: &mut [[u32; N]], random: &[u64; N]) {
        let Some(last) = values.len().checked_sub(1) else { return };
        match self {
            // A segment is of a block, not of a lane.
            Independent | Segment => {}
            Carry | WideCarry | ShiftedCarry | Halfway => self.bend_integers(values, random),
            Quadrant => {
                values[last] =
                    each(random, |_, bits| beside(multiple(bits) * std::f64::consts::FRAC_PI_2, bits));
            }
            Quarter => values[last] = each(random, |_, bits| beside(multiple(bits) * 0.25, bits)),
            _ if last >= 1 => self.bend_floats(values, random),
            _ => {}
        }
    }

    #[inline(always)]
    fn bend_floats<const N: usize>(self, values: &mut [[u32; N]], random: &[u64; N]) {
        let last = values.len() - 1;
        let (a, b, addend) = (values[0], values[1], values[last]);
        // What the last operand meets: the other one, or the product of the factors.
        let rest = if last == 2 { each(random, |lane, _| product_of(a[lane], b[lane])) } else { a };
        match self {
            Cancel => values[last] = each(random, |lane, bits| cancel(rest[lane], bits)),
            Distance => values[last] = each(random, |lane, bits| at_distance(rest[lane], addend[lane], bits)),
            Tie => values[last] = each(random, |lane, bits| half_unit(rest[lane], bits)),
            Short => {
                values[0] = each(random, |lane, bits| a[lane] & !0 << bits.below(16));
                values[1] = each(random, |lane, bits| b[lane] & !0 << (bits.second & 15));
            }
            Underflow => {
                values[1] =
                    each(random, |lane, bits| with_product_exponent(a[lane], b[lane], -150, bits.below(27)));
            }
            Overflow => {
                values[1] =
                    each(random, |lane, bits| with_product_exponent(a[lane], b[lane], 125, bits.below(5)));
            }
            Brink => values[1] = each(random, |lane, bits| brink(a[lane], bits)),
            Residue if last == 2 => {
                values[0] = each(random, |lane, bits| with_exponent(a[lane], 1 + (bits.second & 63) as i32));
                let a = values[0];
                values[1] = each(random, |lane, bits| residual_factor(a[lane], bits) ^ bits.sign());
                values[2] = each(random, |_, bits| residual_units(bits) ^ bits.sign() ^ 0x8000_0000);
            }
            Equal => values[last] = rest,
            Opposite => values[last] = each(random, |lane, _| rest[lane] ^ 0x8000_0000),
            Neighbour => values[last] = each(random, |lane, bits| bits.near(rest[lane])),
            Apart => {
                values[0] = each(random, |lane, bits| with_exponent(a[lane], apart(bits)[0]));
                values[1] = each(random, |lane, bits| with_exponent(b[lane], apart(bits)[1]));
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn bend_integers<const N: usize>(self, values: &mut [[u32; N]], random: &[u64; N]) {
        let last = values.len() - 1;
        let lanes = 0..N;
        match self {
            Carry if last >= 1 => {
                let (a, b) = (values[0], values[1]);
                // The addend behind two factors meets one half of their product.
                let half = |lane: usize, bits: BendBits| {
                    ((u64::from(a[lane]) * u64::from(b[lane])) >> (bits.second & 32)) as u32
                };
                let rest = if last == 2 { each(random, half) } else { a };
                values[last.min(2)] = each(random, |lane, bits| near_carry(rest[lane], bits));
            }
            WideCarry if last >= 3 => {
                for lane in lanes {
                    let (a, b) = (values[0][lane], values[1][lane]);
                    let addend = near_negated_product(a, b, BendBits::of(random[lane]));
                    [values[2][lane], values[3][lane]] = [addend as u32, (addend >> 32) as u32];
                }
            }
            Halfway if last >= 1 => {
                for lane in lanes {
                    // Either factor may be a literal, which stays as it is.
                    let (bent, other) = if random[lane] >> 63 == 0 { (0, 1) } else { (1, 0) };
                    values[bent][lane] = halfway(values[other][lane], BendBits::of(random[lane]));
                }
            }
            ShiftedCarry if last >= 3 => {
                for lane in lanes {
                    let pair = u64::from(values[2][lane]) << 32 | u64::from(values[0][lane]);
                    let shifted = u128::from(pair) << (values[3][lane] & 31);
                    let rest = (shifted >> (random[lane] >> 32 & 32)) as u32;
                    values[1][lane] = near_carry(rest, BendBits::of(random[lane]));
                }
            }
            _ => {}
        }
    }
}

/// What brings a sum to 2^32, or equals the other operand so that a difference is 0, give or take two.
#[inline(always)]
fn near_carry(rest: u32, bits: BendBits) -> u32 {
    bits.near(if bits.second >> 30 == 0 { rest } else { rest.wrapping_neg() })
}

/// What brings the sum with a product, unsigned or signed, to 2^64, give or take two.
#[inline(always)]
fn near_negated_product(a: u32, b: u32, bits: BendBits) -> u64 {
    let product = match bits.second >> 29 & 1 {
        0 => u64::from(a) * u64::from(b),
        _ => (i64::from(a as i32) * i64::from(b as i32)) as u64,
    };
    product.wrapping_neg().wrapping_add(below(bits.first, 5).into()).wrapping_sub(2)
}

/// The factor that brings a product to 2^31, 2^32, 2^63 or 2^64, give or take twice the other factor.
#[inline(always)]
fn halfway(other: u32, bits: BendBits) -> u32 {
    let product = 1_u128 << [31, 32, 63, 64][(bits.second >> 29 & 3) as usize];
    bits.near(product.div_ceil(u128::from(other.max(1))) as u32)
}

#[inline(always)]
fn product_of(a: u32, b: u32) -> u32 {
    (f32::from_bits(a) * f32::from_bits(b)).to_bits()
}

/// The negation with its low bits replaced: cancellation to a random depth, every bit included.
#[inline(always)]
fn cancel(rest: u32, bits: BendBits) -> u32 {
    let noise = (1_u32 << bits.below(24)) - 1;
    (rest ^ (bits.second & noise)) ^ 0x8000_0000 ^ bits.sign()
}

/// A value whose exponent differs from the other's by up to 60.
#[inline(always)]
fn at_distance(rest: u32, value: u32, bits: BendBits) -> u32 {
    with_exponent(value, exponent(rest) + bits.below(121) as i32 - 60)
}

/// About half a unit in the last place of the other.
#[inline(always)]
fn half_unit(rest: u32, bits: BendBits) -> u32 {
    with_exponent(bits.second & 0x8000_0000, exponent(rest) - 24).wrapping_add(bits.below(3)).wrapping_sub(1)
}

/// The factor that brings the product to the least normal, give or take a few units.
#[inline(always)]
fn brink(a: u32, bits: BendBits) -> u32 {
    let factor = (f64::from(f32::MIN_POSITIVE) / f64::from(f32::from_bits(a))) as f32;
    factor.to_bits().wrapping_add(bits.below(8)).wrapping_sub(4)
}

/// One to 64 units of the least subnormal.
#[inline(always)]
fn residual_units(bits: BendBits) -> u32 {
    1 + bits.below(64)
}

/// The factor that brings the product to [`residual_units`], as near as a float can.
#[inline(always)]
fn residual_factor(a: u32, bits: BendBits) -> u32 {
    let units = f64::from(residual_units(bits)) * f64::from(f32::from_bits(1));
    ((units / f64::from(f32::from_bits(a))) as f32).to_bits()
}

/// The second factor with the exponent that puts the product's so far above the least one.
#[inline(always)]
fn with_product_exponent(a: u32, b: u32, least: i32, above: u32) -> u32 {
    with_exponent(b, least + above as i32 - exponent(a) + 2 * 127)
}

/// Exponents 120 to 131 apart, the first to one side to make room.
#[inline(always)]
fn apart(bits: BendBits) -> [i32; 2] {
    let distance = 120 + bits.below(12) as i32;
    let low = (bits.second & 0x7f) as i32;
    if bits.sign() == 0 { [low, low + distance] } else { [254 - low, 254 - low - distance] }
}

/// A whole number of up to 24 bits and either sign, small ones as likely as large ones.
#[inline(always)]
fn multiple(bits: BendBits) -> f64 {
    let magnitude = bits.second & ((2 << bits.below(24)) - 1);
    let signed = magnitude as i32;
    f64::from(if bits.second >> 31 == 1 { -signed } else { signed })
}

/// The nearest F32 of a number, or one of its four neighbours.
#[inline(always)]
fn beside(number: f64, bits: BendBits) -> u32 {
    bits.near((number as f32).to_bits())
}

/// Biased exponent of a value, or the middle of the range for those that have none.
#[inline(always)]
fn exponent(bits: u32) -> i32 {
    let field = bits >> 23 & 0xff;
    if field == 0 || field == 255 { 127 } else { field as i32 }
}

/// A value with another biased exponent, kept within the finite range.
#[inline(always)]
fn with_exponent(bits: u32, exponent: i32) -> u32 {
    bits & 0x807f_ffff | (exponent.clamp(0, 254) as u32) << 23
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Scope;
    use crate::generate::splitmix::Random;

    /// Every relation that an instruction's operands can have.
    fn all() -> Vec<OperandRelation> {
        let mut all = Vec::new();
        for mode in Scope::everything().modes() {
            let Relations(usual, seldom) = Relations::of(mode);
            for relation in usual.iter().copied().chain(seldom) {
                if !all.contains(&relation) {
                    all.push(relation);
                }
            }
        }
        all
    }

    /// A block of random operands, so many in a lane, and what it is bent by.
    fn block(words: usize, random: &mut Random) -> (Vec<[u32; BLOCK]>, [u64; BLOCK]) {
        let values = (0..words).map(|_| std::array::from_fn(|_| random.next() as u32)).collect();
        (values, std::array::from_fn(|_| random.next()))
    }

    #[test]
    fn a_block_is_bent_as_its_lanes_are_one_by_one() {
        let mut random = Random(1);
        let all = all();
        assert!(all.contains(&Residue) && all.contains(&Carry) && all.contains(&Quadrant));
        for relation in all {
            for words in 0..6 {
                for _ in 0..200 {
                    let (before, bits) = block(words, &mut random);
                    let mut after = before.clone();
                    relation.bend_block(&mut after, &bits);
                    for lane in 0..BLOCK {
                        let mut one: Vec<[u32; 1]> = before.iter().map(|column| [column[lane]]).collect();
                        relation.bend(&mut one, &[bits[lane]]);
                        let bent: Vec<[u32; 1]> = after.iter().map(|column| [column[lane]]).collect();
                        assert_eq!(bent, one, "{relation:?} of {words} words");
                    }
                }
            }
        }
    }

    /// Asserts what a relation makes of the operands of FFMA, where all are finite and it can be kept: in a third of the lanes
    /// at least.
    fn holds(
        relation: OperandRelation,
        can_be: impl Fn(f64, f64) -> bool,
        is_so: impl Fn(f64, f64, f64) -> bool,
    ) {
        let (mut random, mut checked) = (Random(2), 0);
        for _ in 0..2000 {
            let (mut values, bits) = block(3, &mut random);
            relation.bend_block(&mut values, &bits);
            for ((a, b), c) in values[0].iter().zip(&values[1]).zip(&values[2]) {
                let [a, b, c] = [a, b, c].map(|bits| f64::from(f32::from_bits(*bits)));
                if (a * b * c).is_finite() && can_be(a, b) {
                    checked += 1;
                    assert!(is_so(a, b, c), "{relation:?}: {a:e}, {b:e}, {c:e}");
                }
            }
        }
        assert!(checked > 10_000, "{relation:?}: {checked} lanes were checked");
    }

    #[test]
    fn relations_are_what_they_say() {
        let (least, always) = (f64::from(f32::from_bits(1)), |_: f64, _: f64| true);
        // The product is exact in 53 bits, and so is its sum with a few of the least subnormals.
        holds(Residue, always, |a, b, c| (a * b + c).abs() <= 64.0 * least / f64::from(1 << 24) && c != 0.0);
        holds(Equal, always, |a, b, c| c == f64::from((a * b) as f32));
        holds(Opposite, always, |a, b, c| c == -f64::from((a * b) as f32));
        let is_quarter = |x: f64| (4.0 * x - (4.0 * x).round()).abs() <= (x * 2.0_f64.powi(-19)).abs();
        holds(Quarter, always, |_, _, c| is_quarter(c) || c.abs() <= 2.0 * least);
        // The sum of the exponents, where the second factor can have the one that is needed.
        let exponents = |a: f64, b: f64| (a.abs().log2().floor() + b.abs().log2().floor()) as i32;
        let reached =
            |a: f64, b: f64| a.abs() >= 2.0_f64.powi(-126) && (-125..=126).contains(&exponents(b, 1.0));
        holds(Underflow, reached, |a, b, _| (-150..=-124).contains(&exponents(a, b)));
        holds(Overflow, reached, |a, b, _| (125..=129).contains(&exponents(a, b)));
    }

    #[test]
    fn few_blocks_have_the_seldom_relation() {
        let mut random = Random(3);
        let relations = Relations(SUM, Some(Residue));
        let seldom = (0..64_000).filter(|_| relations.pick(random.next()) == Residue).count();
        assert!((800..1200).contains(&seldom), "{seldom} of 64,000 blocks");
    }
}
