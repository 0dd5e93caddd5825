//! What a sweep over every input of a unary function tells beyond its accuracy: where the errors are, and how the
//! results of neighbours, mirror images and other binades stand to each other.
//!
//! All of it merges in any order, as [`crate::stats::tally`] demands.

pub mod examine;
pub mod line;
mod relate;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stats::extreme::{Extreme, greater, keep_worst, lesser};

pub use crate::compare::judge::quick::WORST;

/// How many broken pairs of a relation are kept, the smallest inputs first.
pub const PAIRS: usize = 4;
/// Bits of a pattern below those that name its place: a place has 2^16 neighbouring inputs, in F32 one of 128
/// segments of a binade.
pub const PLACE_BITS: u32 = 16;

/// What a sweep of a unary function found beside its accuracy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExhaustiveStats {
    /// Results that double precision could not decide about, so that MPFR did.
    pub undecided: u64,
    /// The inputs farthest off: by magnitude of the error, then by input.
    pub worst: Vec<Extreme>,
    /// Errors by binade: the key is sign and exponent field of the argument.
    pub binades: BTreeMap<u32, Range>,
    /// Errors by segment over all binades: the key is the leading seven bits of the argument's fraction.
    pub segments: BTreeMap<u32, Range>,
    /// How inputs fared for which the specification gives the bits, by their class.
    pub rows: BTreeMap<String, Conformance>,
    /// How results stand to each other, by the name of the relation.
    pub relations: BTreeMap<ResultRelation, Pairs>,
}

/// The errors of a range of arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Range {
    /// Results measured.
    pub measured: u64,
    /// Those correctly rounded.
    pub correctly_rounded: u64,
    /// The most negative error.
    pub least: Option<Extreme>,
    /// The most positive error.
    pub greatest: Option<Extreme>,
}

/// Inputs with a row in the specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conformance {
    /// How many.
    pub inputs: u64,
    /// Those that gave the bits of the row.
    pub held: u64,
}

/// How two results stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResultRelation {
    /// Of neighbouring inputs the results do not move against the truth. Broken by so many steps of the format.
    Monotonic,
    /// f(-x) = -f(x), to the bit, but for NaN. Broken by so many steps.
    Odd,
    /// f(-x) = f(x), to the bit. Broken by so many steps.
    Even,
    /// The fraction is that of the same argument in the binade from 1, or for roots in the two from 1, where both
    /// results are normal. Broken by so many steps.
    ExponentInvariant,
    /// How much the error changes from the last input of a place to the first of the next, in units of 2^-32 ulp;
    /// never broken.
    BorderJump,
    /// |sin² x + cos² x - 1| in units of 2^-52, rounded down; never broken. Of positive arguments: what holds for the
    /// others is the symmetries' to say.
    UnitCircle,
}

/// The pairs of results that were held against a relation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pairs {
    /// How many.
    pub seen: u64,
    /// Those that break it.
    pub broken: u64,
    /// Those of them that fail the run. The contract requires the relation, and an inversion is larger than both results'
    /// bounds together.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refused: u64,
    /// The pair that is farthest from it: of equal ones that of the smallest input.
    pub farthest: Option<Pair>,
    /// The first that break it, by input.
    pub first: Vec<Pair>,
    /// How many break it, by the input's bits above the lowest [`PLACE_BITS`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub places: BTreeMap<u32, u64>,
}

/// Two inputs and their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// The input's bits.
    pub input: u32,
    /// The result's bits.
    pub result: u32,
    /// Bits of the input that it is held against.
    pub partner: u32,
    /// The result there.
    pub partner_result: u32,
    /// How far it is from the relation, in the unit of that.
    pub by: u64,
}

/// Keeps the results of runs in which nothing was refused as they were before this was counted.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl ExhaustiveStats {
    /// Adds another survey of the same function.
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
    }
}

impl Conformance {
    /// Adds other inputs.
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

    /// Notes how far a pair is from the relation.
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
