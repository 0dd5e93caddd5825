//! Operands that are related on purpose.
//!
//! Independent values almost never cancel, tie, compare equal or lie at the edge of the subnormals.
//! So the lanes of a block share a *relation*. It changes (bends) one of the independent operands
//! toward the others. The host's arithmetic is exact enough, because a near miss is as good a test.

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
    /// The operands are not related.
    Independent,
    /// The addend cancels the other term, except for a random number of low bits.
    Cancel,
    /// The exponent of the addend is up to 60 below or above that of the other term.
    Distance,
    /// The addend is about half a unit in the last place of the other term: ties and near ties.
    Tie,
    /// The factors have short significands: ties of a product.
    Short,
    /// The factors' exponents put the product at the edge of the subnormals.
    Underflow,
    /// The factors' exponents put the product at the edge of overflow.
    Overflow,
    /// The product lies within a few units of the least normal number, so it may be tiny before
    /// rounding and not after.
    Brink,
    /// The product is a few units of the least subnormal number, and the addend cancels it. The sum
    /// lies far below the least subnormal number.
    Residue,
    /// One term is a power of two, and the other term is about a quarter to a half of its unit in
    /// the last place. Below a power of two, numbers are spaced half as far apart as above it.
    Edge,
    /// The sum just reaches, or just misses, the least normal number or 2^128.
    ReachingSum,
    /// The product just reaches, or just misses, the least normal number or 2^128.
    ReachingProduct,
    /// Terms in one register, whose sum overflows or is subnormal.
    Doubled,
    /// Factors in one register, whose product overflows or is subnormal.
    Squared,
    /// The addend and a factor are one register, and the sum overflows or is subnormal. The field
    /// is the index of the other factor.
    AddedFactor(usize),
    /// The operands are the same.
    Equal,
    /// The operands differ only in the sign.
    Opposite,
    /// The operands are at most two patterns apart.
    Neighbour,
    /// The exponents differ by about the range of the format, so that a quotient leaves the range.
    Apart,
    /// The addend brings the sum of integers to within two of a power of two: carries and near
    /// carries.
    Carry,
    /// As `Carry`, for an addend of two words that follows the factors.
    WideCarry,
    /// As `Carry`, for a shifted pair and a base. The words are the low word, the base, the high
    /// word and the amount.
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
    /// The usual relations, all equally likely.
    usual: &'static [OperandRelation],
    /// Rare relations: each is in one block of [`SELDOM`].
    seldom: &'static [OperandRelation],
    /// Relations that depend on the instruction's table or shared registers, all equally likely.
    own: Vec<OperandRelation>,
    /// One block in this many has one of the `own` relations.
    own_every: u64,
}

/// One block in this many has a given rare relation. More such blocks would leave fewer lanes for
/// random combinations.
const SELDOM: u64 = 128;
/// One block in this many has arguments at the ends of a table's segments.
const SEGMENTED: u64 = 16;
/// If two operands are one register, one block in this many has results that leave the range. The
/// usual relations do not cause this, because they assume independent operands.
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
    /// Returns the relations that suit an instruction.
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

    /// Picks a relation by random bits.
    pub fn pick(&self, random: u64) -> OperandRelation {
        // Each choice uses different bits. The choice of a usual relation hardly depends on the
        // bits of the other choices.
        let (seldom, own) = (random >> 32 & (SELDOM - 1), random >> 39 & (self.own_every - 1));
        match (self.seldom.get(seldom as usize), &self.own[..]) {
            (Some(relation), _) => *relation,
            (None, [_, ..]) if own == 0 => self.own[(random >> 44) as usize % self.own.len()],
            _ => self.usual[(random % self.usual.len() as u64) as usize],
        }
    }
}

/// Returns a relation that makes results leave the range, if two operands are one register. Empty
/// for independent operands, whose results leave the range by other relations.
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

/// Bends the words that an instruction reads, except predicates, toward a relation that suits the
/// instruction.
pub fn bend(instruction: &Instruction, values: &mut [u32], random: [u64; 2]) {
    Relations::of(instruction).pick(random[0]).bend(values.as_chunks_mut().0, &[random[1]]);
}

/// Returns operands of a sum. One term is a power of two, and the other is a fraction of its unit
/// in the last place.
pub(crate) fn at_edge(operation: Operation, operands: [u32; 3], random: u64) -> [u32; 3] {
    bent(Edge, operation, operands, random)
}

/// Returns operands whose sum or product just reaches or just misses an end of the range.
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
    /// Returns a mask of the bits that the lanes of a block have in common in each operand, mostly
    /// upper bits. `None` if the relation is not `Segment`.
    pub fn common(self, random: u64) -> Option<u32> {
        let upper = !0 << (1 + (random >> 32) % 23);
        let halves = (0xffff << (1 + (random >> 32) % 9) & 0xffff) * 0x1_0001;
        let any = (random | random >> 32) as u32;
        (self == Segment).then_some([upper, upper, halves, any][(random >> 60 & 3) as usize])
    }

    /// Bends each lane of a block. `values` has one array for each operand.
    pub fn bend_block(self, values: &mut [[u32; BLOCK]], random: &[u64; BLOCK]) {
        if !matches!(self, Independent | Segment) {
            bend_block(self, values, random);
        }
    }

    /// Bends operands of each lane toward the relation: mostly the last operand or, for a product,
    /// its second factor.
    #[inline(always)]
    fn bend<const N: usize>(self, values: &mut [[u32; N]], random: &[u64; N]) {
        let Some(last) = values.len().checked_sub(1) else { return };
        match self {
            // `Segment` relates the lanes of a block, not the operands of a lane.
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

    /// Returns a block of random operands, `words` in each lane, and the bits by which it is bent.
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

    /// Checks the operands of FFMA after a relation was applied. Only lanes in which all operands
    /// are finite and the relation is possible count. These must be at least about a third of the
    /// lanes.
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
        // The sum of the exponents. Lanes count only if the second factor can have the required
        // exponent.
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
