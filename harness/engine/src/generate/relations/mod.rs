//! Operands that are related on purpose.
//!
//! Independent values almost never cancel, tie, compare equal or meet at the edge of the subnormals. So a
//! block of lanes shares a *relation*: it starts from independent draws and bends one operand toward the
//! others. Arithmetic here is the host's and only aims; a near miss is as good a test.

use assay_isa::hints::{Computes, IntegerOperation, Operation, Segments};
use assay_isa::row::Data;
use assay_isa::tables::types::MUFUDType;
use assay_isa::{Instruction, Location};
use multiversion::multiversion;

use super::edges;
use super::stream::BLOCK;

mod bits;
mod ends;
mod floats;
mod integers;
mod numbers;

use bits::each;

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
    /// One term is a power of two, and the other about a quarter to a half of its unit: below it numbers lie twice as close.
    Edge,
    /// The sum just reaches the least normal or the first power of two beyond all numbers, or just misses it.
    ReachingSum,
    /// The same of a product.
    ReachingProduct,
    /// Terms in one register, whose sum overflows or is subnormal.
    Doubled,
    /// Factors in one register, whose product overflows or is subnormal.
    Squared,
    /// The addend in one register with a factor, where the sum overflows or is subnormal. The index is that of the other
    /// factor.
    AddedFactor(usize),
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
    /// The operand is at an end of a segment of the function's table, or next to it.
    SegmentEnd(Segments),
}
use OperandRelation::*;

/// The relations of an instruction's operands.
#[derive(Clone, Debug)]
pub(super) struct Relations {
    /// Each as often as another.
    usual: &'static [OperandRelation],
    /// Each in few blocks.
    seldom: &'static [OperandRelation],
    /// Those of this very instruction, each as often as another.
    own: Vec<OperandRelation>,
    /// Blocks of which one has one of these.
    own_every: u64,
}

/// Blocks of which one has a certain seldom relation. A greater share would leave fewer lanes to the classes that meet at
/// random.
const SELDOM: u64 = 128;
/// Blocks of which one ends in a segment of a function's table, and blocks of which one has what leaves the range if operands
/// are one register: the usual relations are of independent operands.
const SEGMENTED: u64 = 16;
const REPEATED: u64 = 8;

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

const SELDOM_OF_FUSED: &[OperandRelation] = &[Residue, Edge, ReachingSum];
const SELDOM_OF_SUM: &[OperandRelation] = &[Edge, ReachingSum];
const SELDOM_OF_PRODUCT: &[OperandRelation] = &[ReachingProduct];

impl Relations {
    /// Those that suit an instruction.
    pub fn of(instruction: &Instruction) -> Relations {
        let data = instruction.form().inputs().filter_map(|operand| instruction.form().data(operand));
        let data: Vec<Data> = data.collect();
        let is_f32 = instruction.modifier("dtype") == Some(MUFUDType::F32);
        let computes = instruction.form().optype.hints.computes;
        let usual = match (computes, &data[..]) {
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
        let seldom = match computes {
            Computes::Rounded(Operation::Fused) => SELDOM_OF_FUSED,
            Computes::Rounded(Operation::Sum) => SELDOM_OF_SUM,
            Computes::Rounded(Operation::Product) => SELDOM_OF_PRODUCT,
            _ => &[],
        };
        let (own, own_every) = match computes {
            Computes::Rounded(operation) => (repeated(instruction, operation), REPEATED),
            Computes::Function if is_f32 => {
                (edges::segments(instruction).map(SegmentEnd).collect(), SEGMENTED)
            }
            _ => (Vec::new(), 1),
        };
        Relations { usual, seldom, own, own_every }
    }

    /// One of them.
    pub fn pick(&self, random: u64) -> OperandRelation {
        // Bits that the usual relations hardly depend on, and others for each choice.
        let (seldom, own) = (random >> 32 & (SELDOM - 1), random >> 39 & (self.own_every - 1));
        match (self.seldom.get(seldom as usize), &self.own[..]) {
            (Some(relation), _) => *relation,
            (None, [_, ..]) if own == 0 => self.own[(random >> 44) as usize % self.own.len()],
            _ => self.usual[(random % self.usual.len() as u64) as usize],
        }
    }
}

/// What makes the results of a sum or a product whose operands are one register leave the range. Independent values of two
/// operands do so by themselves.
fn repeated(instruction: &Instruction, operation: Operation) -> Vec<OperandRelation> {
    let sources: Vec<Option<Location>> =
        instruction.inputs().map(|operand| operand.source.location()).collect();
    let are_one = |a: usize, b: usize| sources[a].is_some() && sources[a] == sources[b];
    let relation = match operation {
        Operation::Sum => are_one(0, 1).then_some(Doubled),
        Operation::Product => are_one(0, 1).then_some(Squared),
        Operation::Fused if are_one(0, 1) => Some(Squared),
        Operation::Fused if are_one(0, 2) => Some(AddedFactor(1)),
        Operation::Fused => are_one(1, 2).then_some(AddedFactor(0)),
    };
    relation.into_iter().collect()
}

/// Bends the words that an instruction reads, predicates left out, toward a relation that suits it.
pub fn bend(instruction: &Instruction, values: &mut [u32], random: [u64; 2]) {
    Relations::of(instruction).pick(random[0]).bend(values.as_chunks_mut().0, &[random[1]]);
}

/// Operands of a sum or a product of which one term is a power of two and the other a part of its unit.
pub(crate) fn at_edge(operation: Operation, operands: [u32; 3], random: u64) -> [u32; 3] {
    bent(Edge, operation, operands, random)
}

/// Operands whose sum or product just reaches an end of the range, or just misses it.
pub(crate) fn reaching(operation: Operation, operands: [u32; 3], random: u64) -> [u32; 3] {
    let relation = if operation == Operation::Product { ReachingProduct } else { ReachingSum };
    bent(relation, operation, operands, random)
}

fn bent(relation: OperandRelation, operation: Operation, mut operands: [u32; 3], random: u64) -> [u32; 3] {
    let number = if operation == Operation::Fused { 3 } else { 2 };
    relation.bend(operands[..number].as_chunks_mut().0, &[random]);
    operands
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
            Quadrant => values[last] = each(random, |_, bits| numbers::quadrant(bits)),
            Quarter => values[last] = each(random, |_, bits| numbers::quarter(bits)),
            SegmentEnd(segments) => {
                let before = values[last];
                values[last] = each(random, |lane, bits| numbers::segment_end(segments, before[lane], bits));
            }
            _ if last >= 1 => self.bend_floats(values, random),
            _ => {}
        }
    }
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
            let Relations { usual, seldom, own, .. } = Relations::of(mode);
            for relation in usual.iter().chain(seldom).chain(&own) {
                if !all.contains(relation) {
                    all.push(*relation);
                }
            }
        }
        all.extend([Doubled, Squared, AddedFactor(0), AddedFactor(1)]);
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
    fn few_blocks_have_a_seldom_relation_and_a_quarter_one_of_the_instruction() {
        let mut random = Random(3);
        let relations = Relations { usual: SUM, seldom: SELDOM_OF_FUSED, own: vec![Squared], own_every: 4 };
        let picked: Vec<OperandRelation> = (0..64_000).map(|_| relations.pick(random.next())).collect();
        let number = |relation| picked.iter().filter(|picked| **picked == relation).count();
        for relation in SELDOM_OF_FUSED {
            let seldom = number(*relation);
            assert!((400..600).contains(&seldom), "{relation:?}: {seldom} of 64,000 blocks");
        }
        assert!((14_500..16_500).contains(&number(Squared)), "{} of 64,000 blocks", number(Squared));
        assert!((4800..6000).contains(&number(Tie)), "{} of 64,000 blocks", number(Tie));
        let ends = [SegmentEnd(Segments::Fraction(6)), SegmentEnd(Segments::Multiples(-7))];
        let relations = Relations { usual: FUNCTION, seldom: &[], own: ends.to_vec(), own_every: SEGMENTED };
        let picked: Vec<OperandRelation> = (0..64_000).map(|_| relations.pick(random.next())).collect();
        for end in ends {
            let number = picked.iter().filter(|picked| **picked == end).count();
            assert!((1800..2200).contains(&number), "{end:?}: {number} of 64,000 blocks");
        }
    }
}
