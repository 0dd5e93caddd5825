//! The statistics of a sweep of a unary function, besides its accuracy: errors by place, and
//! relations between results. The results of neighbours are compared. If every input is swept, the
//! results of mirror images and of other binades are compared, too.
//!
//! All statistics merge in any order, as [`crate::stats::tally`] demands.

pub(crate) mod halves;
pub mod map;
pub(crate) mod relate;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use assay_isa::format::Format;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::counts::is_zero;
use crate::stats::exhaustive::map::ErrorMap;
use crate::stats::extreme::{Extreme, greater, keep_worst, lesser};

pub use crate::compare::judge::quick::WORST;

/// Number of broken pairs of a relation that are kept. They are the pairs with the smallest inputs.
pub const PAIRS: usize = 4;
/// Number of low bits of an input that vary within a place. A place has 2^16 neighbouring inputs.
/// In F32, a place is one of the 128 segments of a binade.
pub const PLACE_BITS: u32 = 16;
/// Binary logarithm of the number of segments in a binade.
pub const SEGMENT_BITS: u32 = 7;

/// The statistics of a sweep of a unary function, in addition to its accuracy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExhaustiveStats {
    /// Number of results that were decided by MPFR, not by double precision.
    pub undecided: u64,
    /// The inputs with the errors of the largest magnitude. Of errors with equal magnitude, only
    /// the one with the smallest input is listed.
    pub worst: Vec<Extreme>,
    /// Errors by binade. The key is the sign and exponent field of the argument.
    pub binades: BTreeMap<u32, Range>,
    /// Errors by segment, over all binades. The key is the leading seven fraction bits of the
    /// argument.
    pub segments: BTreeMap<u32, Range>,
    /// Counts of inputs whose result bits the specification gives, by class of input.
    pub rows: BTreeMap<String, Conformance>,
    /// The relations between results, by name.
    pub relations: BTreeMap<ResultRelation, Pairs>,
    /// The errors by reduced argument and by place, of a sweep over all inputs in F32.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<ErrorMap>,
}

/// The errors of a range of arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Range {
    /// Number of measured results.
    pub measured: u64,
    /// Number of correctly rounded results.
    pub correctly_rounded: u64,
    /// The least signed error.
    pub least: Option<Extreme>,
    /// The greatest signed error.
    pub greatest: Option<Extreme>,
}

/// Inputs whose result bits the specification gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conformance {
    /// Number of inputs.
    pub inputs: u64,
    /// Number of inputs whose result has the specified bits.
    pub held: u64,
}

/// A relation between two results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResultRelation {
    /// If the function rises between neighbouring swept inputs, the results do not fall, and the
    /// reverse. The unit is a step of the format.
    Monotonic,
    /// f(-x) = -f(x), bit by bit, except for NaN. The unit is a step of the format.
    Odd,
    /// f(-x) = f(x), bit by bit. The unit is a step of the format.
    Even,
    /// For two arguments with the same fraction, the fractions of the results are equal, if both
    /// results are normal. The reference argument is in [1, 2). For roots, it is in [1, 2) or [2,
    /// 4), by the parity of the exponent. The unit is a step of the format.
    ExponentInvariant,
    /// The change of the error from the last input of a place to the first input of the next place,
    /// in units of 2^-32 ulp. It is never violated.
    BorderJump,
    /// |sin² x + cos² x - 1| in units of 2^-52, rounded down, for positive arguments. It is never violated. The symmetries
    /// cover negative arguments.
    UnitCircle,
}

impl ResultRelation {
    /// Returns the name of the relation in reports and messages.
    pub fn name(self) -> &'static str {
        match self {
            ResultRelation::Monotonic => "monotonic",
            ResultRelation::Odd => "odd",
            ResultRelation::Even => "even",
            ResultRelation::ExponentInvariant => "exponent invariant",
            ResultRelation::BorderJump => "border jump",
            ResultRelation::UnitCircle => "unit circle",
        }
    }
}

/// The pairs of results on which a relation was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pairs {
    /// Number of pairs.
    pub seen: u64,
    /// Number of pairs that violate the relation.
    pub broken: u64,
    /// Number of violations that fail the run, because the contract requires the relation. For
    /// `monotonic`, only inversions by more steps than the profile allows.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refused: u64,
    /// The pair with the largest distance from the relation. Of pairs with equal distances, the
    /// pair with the smallest input.
    pub farthest: Option<Pair>,
    /// The first pairs that violate the relation, by input.
    pub first: Vec<Pair>,
    /// Number of violations by the leading 16 bits of the 32-bit input.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub places: BTreeMap<u32, u64>,
}

/// Two inputs and their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// Bits of the first input.
    pub input: u32,
    /// Bits of the result of the first input.
    pub result: u32,
    /// Bits of the second input.
    pub partner: u32,
    /// Bits of the result of the second input.
    pub partner_result: u32,
    /// Distance of the pair from the relation, in the unit of the relation.
    pub by: u64,
}

/// Returns the keys of the binade and of the segment in which an argument lies.
pub(crate) fn keys(format: Format, argument: u32) -> (u32, u32) {
    let segment = (argument & format.fraction_mask()) >> (format.fraction_bits - SEGMENT_BITS);
    (argument >> format.fraction_bits, segment)
}

impl ExhaustiveStats {
    /// Adds the statistics of another part of the same function.
    pub fn merge(&mut self, other: &ExhaustiveStats) {
        self.undecided += other.undecided;
        self.worst.extend(&other.worst);
        keep_worst(&mut self.worst);
        for (key, range) in &other.binades {
            self.binades.entry(*key).or_default().merge(range);
        }
        for (key, range) in &other.segments {
            self.segments.entry(*key).or_default().merge(range);
        }
        for (class, rows) in &other.rows {
            self.rows.entry(class.clone()).or_default().merge(*rows);
        }
        for (relation, pairs) in &other.relations {
            self.relations.entry(*relation).or_default().merge(pairs);
        }
        match (&mut self.map, &other.map) {
            (Some(map), Some(more)) => map.merge(more),
            (map, more) => *map = map.take().or_else(|| more.clone()),
        }
    }
}

impl Conformance {
    /// Adds the counts of other inputs.
    pub(crate) fn merge(&mut self, other: Conformance) {
        self.inputs += other.inputs;
        self.held += other.held;
    }
}

impl Range {
    /// Adds the errors of another range.
    pub fn merge(&mut self, other: &Range) {
        self.measured += other.measured;
        self.correctly_rounded += other.correctly_rounded;
        self.least = lesser(self.least, other.least);
        self.greatest = greater(self.greatest, other.greatest);
    }
}

impl Pairs {
    /// Counts a pair that breaks the relation.
    pub(crate) fn broken(&mut self, pair: Pair) {
        self.broken += 1;
        *self.places.entry(pair.input >> PLACE_BITS).or_default() += 1;
        self.first.push(pair);
        keep_first(&mut self.first);
        self.far(pair);
    }

    /// Stores a pair if it is the farthest from the relation so far.
    pub(crate) fn far(&mut self, pair: Pair) {
        self.farthest = farther(self.farthest, Some(pair));
    }

    pub(crate) fn merge(&mut self, other: &Pairs) {
        self.seen += other.seen;
        self.broken += other.broken;
        self.refused += other.refused;
        self.farthest = farther(self.farthest, other.farthest);
        self.first.extend(&other.first);
        keep_first(&mut self.first);
        for (place, count) in &other.places {
            *self.places.entry(*place).or_default() += count;
        }
    }
}

fn keep_first(list: &mut Vec<Pair>) {
    list.sort_unstable();
    list.truncate(PAIRS);
}

fn farther(a: Option<Pair>, b: Option<Pair>) -> Option<Pair> {
    a.into_iter().chain(b).max_by_key(|pair| (pair.by, Reverse(*pair)))
}
