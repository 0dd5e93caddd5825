//! The truth of a batch, from an oracle: exact bits, or real numbers in enclosures.
//!
//! A real number is not rounded. An enclosure is an interval with dyadic ends, in plain integers.
//! The judge can request tighter enclosures, so it needs no high-precision library.

use std::ops::Range;

use crate::effect::{Event, Lanes};
use crate::format::Format;
use crate::location::Location;
use crate::readings::Erratum;

/// A non-zero real number y with m·2^e <= |y| < (m + 1)·2^e.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enclosure {
    /// Whether y is negative.
    pub negative: bool,
    /// m: the leading bits of |y|. The most significant bit of the precision is 1, so m is never 0.
    pub significand: u128,
    /// e: the exponent of m's last bit.
    pub exponent: i32,
    /// Whether |y| equals m·2^e.
    pub exact: bool,
}

/// The exact value that one result rounds or approximates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Real {
    /// The exact bits that a special row of the specification demands.
    Bits(u32),
    /// An exact zero for which no row of the specification gives the bits, such as log2(1). Its
    /// sign is not specified.
    Zero,
    /// An exact zero with a specified sign, such as the sine of half a turn (IEEE 754-2019, sinPi).
    SignedZero {
        /// Whether the zero is negative.
        negative: bool,
    },
    /// A real number other than zero.
    Near(Enclosure),
}

/// The exact number that one lane rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrounded {
    /// No error can be measured: a NaN, an infinite operand, or an exact result of zero.
    Special,
    /// A number.
    Number(Enclosure),
}

/// The truth of a batch, estimated in double precision.
///
/// The value of executed lane i differs from `bases[i] + deltas[i]` by at most `slack` times the
/// magnitude of `deltas[i]`. If the delta is 0, the value is exact. If the base is NaN, the lane
/// has no value: a row of the specification demands the bits `rows[i]`.
///
/// The bound has two exceptions. Value and base + delta may both lie on the same side of the base,
/// less than 2^-100 of the format's least unit away from the base. Or both may lie at least 100
/// binades beyond the largest number of the format.
#[derive(Clone, Debug, Default)]
pub struct Estimates {
    /// The location of the result.
    pub location: Option<Location>,
    /// The lanes of the batch that execute. The vectors below hold values for these lanes only, in
    /// the order of the lanes.
    pub executed: Lanes,
    /// Whether the result is clamped to [+0, 1].
    pub saturate: bool,
    /// Whether subnormal results become zeros.
    pub flush: bool,
    /// The arguments of the function, with prefixes applied.
    pub arguments: Vec<u32>,
    /// A number of at most 24 significant bits near the value, or 0.
    pub bases: Vec<f64>,
    /// The difference between the value and the base, rounded.
    pub deltas: Vec<f64>,
    /// The bound on the relative error of a delta.
    pub slack: f64,
    /// The bits that a row of the specification demands, if the base is NaN.
    pub rows: Vec<u32>,
    /// Whether a row of the specification may decide some lane. If not, no base is NaN.
    pub has_rows: bool,
    /// The properties of the function.
    pub traits: Traits,
}

impl Estimates {
    /// Replaces these estimates by those of the lanes `lanes` in `whole`.
    pub fn copy_lanes(&mut self, whole: &Estimates, lanes: Range<usize>) {
        fn copy<T: Copy>(some: &mut Vec<T>, all: &[T], lanes: &Range<usize>) {
            some.clear();
            some.extend_from_slice(&all[lanes.clone()]);
        }
        copy(&mut self.arguments, &whole.arguments, &lanes);
        copy(&mut self.bases, &whole.bases, &lanes);
        copy(&mut self.deltas, &whole.deltas, &lanes);
        copy(&mut self.rows, &whole.rows, &lanes);
        (self.location, self.saturate, self.flush) = (whole.location, whole.saturate, whole.flush);
        self.executed = Lanes::All;
        (self.slack, self.has_rows, self.traits) = (whole.slack, whole.has_rows, whole.traits);
    }
}

/// The arguments of a function on a 16-bit format, for all lanes of a batch.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// Names the function, its format and the treatment of its results. This name and the argument
    /// determine the truth.
    pub function: String,
    /// The location of the results.
    pub location: Option<Location>,
    /// The lanes of the batch that execute.
    pub executed: Lanes,
    /// Number of results that a lane packs into the register, the first in the lowest 16 bits. The
    /// bits above the last result are 0.
    pub packed: usize,
    /// The arguments, with prefixes and half select applied: `packed` for each lane, lane after
    /// lane. Lanes that do not execute are included.
    pub values: Vec<u32>,
}

/// The relations between a function's values at different arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// Whether f(-x) is f(x) or -f(x); `None` if neither.
    pub symmetry: Option<Symmetry>,
    /// The number of binades after which the significands of the values repeat, if they do.
    pub period: Option<u32>,
    /// Whether the sign of an exact zero is specified. If so, the zero has the sign of the base.
    pub signed_zeros: bool,
}

/// The effect of the argument's sign on the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// f(-x) = f(x).
    Even,
    /// f(-x) = -f(x).
    Odd,
}

/// The truth of one location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TruthValues {
    /// Exact bits, one word for each lane.
    Bits(Vec<u32>),
    /// Real numbers. The contract's bound decides which results pass.
    Reals {
        /// The format of the arguments and of the results.
        format: Format,
        /// Number of results that a lane packs into the register, the first in the lowest bits.
        /// Each is as wide as the format. The bits above the last result are 0.
        packed: usize,
        /// Whether a subnormal result is flushed to a zero with the sign of the result.
        flush: bool,
        /// Whether the result is clamped to [+0, 1].
        saturate: bool,
        /// The arguments of the function, with prefixes and half select applied: [`packed`] for
        /// each lane, lane after lane.
        ///
        /// [`packed`]: TruthValues::Reals::packed
        arguments: Vec<u32>,
        /// The exact value of the function at each argument.
        values: Vec<Real>,
    },
}

/// The demanded values of one location, one or more for each lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// The location.
    pub location: Location,
    /// The demanded values. The value of a lane that must not write is meaningless.
    pub values: TruthValues,
    /// The lanes that must write.
    pub written: Lanes,
}

/// The truth of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truths {
    len: usize,
    columns: Vec<Truth>,
    events: Vec<(usize, Event)>,
    undefined: Vec<(usize, Erratum)>,
    filtered: bool,
    spare: Vec<Vec<u32>>,
}

impl Truths {
    /// Removes all truths, and prepares for `len` lanes. Keeps memory for reuse.
    pub fn reset(&mut self, len: usize) {
        self.len = len;
        for column in self.columns.drain(..) {
            if let TruthValues::Bits(values) = column.values {
                self.spare.push(values);
            }
        }
        self.events.clear();
        self.undefined.clear();
        self.filtered = false;
    }

    /// Records that a fast path computed the truth. [`FastOracle::truth_unfiltered`] can check it.
    ///
    /// [`FastOracle::truth_unfiltered`]: crate::FastOracle::truth_unfiltered
    pub fn mark_filtered(&mut self) {
        self.filtered = true;
    }

    /// Whether a fast path computed the truth.
    pub fn is_filtered(&self) -> bool {
        self.filtered
    }

    /// Number of lanes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the batch has no lanes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a column of exact bits, and returns the column's values for writing. The initial values
    /// are arbitrary.
    pub fn bits(&mut self, location: Location, written: Lanes) -> &mut [u32] {
        let mut values = self.spare.pop().unwrap_or_default();
        values.resize(self.len, 0);
        self.columns.push(Truth { location, values: TruthValues::Bits(values), written });
        match &mut self.columns.last_mut().expect("a column was just pushed").values {
            TruthValues::Bits(values) => values,
            TruthValues::Reals { .. } => unreachable!("a column of bits was just pushed"),
        }
    }

    /// Adds a column.
    pub fn push(&mut self, truth: Truth) {
        self.columns.push(truth);
    }

    /// Records the demanded event of a lane.
    pub fn event(&mut self, lane: usize, event: Event) {
        self.events.push((lane, event));
    }

    /// Returns the columns, one for each location.
    pub fn columns(&self) -> &[Truth] {
        &self.columns
    }

    /// Records that the specification leaves a lane undefined in the current reading. Other effects
    /// of the lane then do not count.
    pub fn undefine(&mut self, lane: usize, erratum: Erratum) {
        self.undefined.push((lane, erratum));
    }

    /// Returns the undefined lanes, each with the erratum that makes it undefined.
    pub fn undefined(&self) -> &[(usize, Erratum)] {
        &self.undefined
    }

    /// Returns each demanded event with its lane.
    pub fn events(&self) -> &[(usize, Event)] {
        &self.events
    }

    /// Returns the first demanded event of a lane.
    pub fn event_of(&self, lane: usize) -> Option<&Event> {
        self.events.iter().find(|(l, _)| *l == lane).map(|(_, e)| e)
    }
}
