//! The answer of an oracle to a batch: exact bits, or a real number in an enclosure.
//!
//! A real number stays unrounded. It is a dyadic interval in plain integers that can be requested more tightly, so the
//! judge needs no high-precision library.

use std::ops::Range;

use crate::effect::{Event, Lanes};
use crate::format::Format;
use crate::location::Location;
use crate::readings::Erratum;

/// A non-zero real number y with ±m·2^e <= |y| < (m + 1)·2^e, or exactly ±m·2^e.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enclosure {
    /// Whether y is negative.
    pub negative: bool,
    /// m: the leading bits of |y|; the top bit of its precision is set, so it is never 0.
    pub significand: u128,
    /// e: exponent of the last bit of m.
    pub exponent: i32,
    /// Whether |y| is m·2^e itself.
    pub exact: bool,
}

/// The truth of one lane where the result is a real number rounded or approximated to a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Real {
    /// A special row of the specification: these bits and no others.
    Bits(u32),
    /// A real number that is exactly zero where no row gives its bits, such as log2(1). No source gives its sign.
    Zero,
    /// An exact zero whose sign a source gives, such as the sine of half a turn (IEEE 754-2019, sinPi).
    SignedZero {
        /// Whether the zero is negative.
        negative: bool,
    },
    /// A real number other than zero.
    Near(Enclosure),
}

/// The real number that the arithmetic of one lane rounds, unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrounded {
    /// There is no error to measure: a NaN, an infinite operand, or a result of exactly zero.
    Special,
    /// A number.
    Number(Enclosure),
}

/// The answer of an oracle to a batch in double precision: the truth of executed lane i is `bases[i] + deltas[i]` to within
/// `slack` times the magnitude of `deltas[i]`, and a delta of 0 is exact. Where the base is NaN there is no number: a
/// row of the specification gives `rows[i]`.
///
/// Instead of the relative bound, value and base + delta may both lie on one side of the base and less than 2^-100 of its
/// format's least unit away, or both beyond all of its numbers by as many binades.
#[derive(Clone, Debug, Default)]
pub struct Estimates {
    /// Where the result is written.
    pub location: Option<Location>,
    /// Which lanes of the batch execute. All that follows is of these alone, in their order.
    pub executed: Lanes,
    /// Whether the result is clamped to [+0, 1].
    pub saturate: bool,
    /// Whether subnormal results become zeros.
    pub flush: bool,
    /// What the function is applied to, prefixes applied.
    pub arguments: Vec<u32>,
    /// The numbers of 24 bits that the truths are near to, or 0.
    pub bases: Vec<f64>,
    /// How far they are from there.
    pub deltas: Vec<f64>,
    /// The bound on the error of a delta, as a share of it.
    pub slack: f64,
    /// Bits where a row gives them.
    pub rows: Vec<u32>,
    /// Whether some lane has a row.
    pub has_rows: bool,
    /// What the function is like.
    pub traits: Traits,
}

impl Estimates {
    /// Becomes the answer to some lanes of a batch, given the whole answer.
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

/// What a function of numbers of 16 bits is applied to in a batch.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// Names the function, its format and what becomes of its results. The truth of an argument depends on nothing else.
    pub function: String,
    /// Where the results are written.
    pub location: Option<Location>,
    /// Which lanes of the batch execute.
    pub executed: Lanes,
    /// How many results a lane packs into the register, the first in the lowest 16 bits. The bits above the last are 0.
    pub packed: usize,
    /// The arguments, prefixes and half select applied: `packed` a lane, lane by lane, of executed lanes and of others.
    pub values: Vec<u32>,
}

/// What relates the values of a function at different arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// Whether f(-x) is f(x), or -f(x).
    pub symmetry: Option<Symmetry>,
    /// After how many binades the significands of the values repeat, if they do.
    pub period: Option<u32>,
    /// Whether the exact zeros have a sign: that of the base.
    pub signed_zeros: bool,
}

/// What becomes of a value when the argument's sign changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// It stays.
    Even,
    /// Its sign changes too.
    Odd,
}

/// The truth of one location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TruthValues {
    /// Exact bits, one pattern a lane.
    Bits(Vec<u32>),
    /// Real numbers that the contract's bound decides about.
    Reals {
        /// The format of the arguments and of the results.
        format: Format,
        /// How many results a lane packs into the register, the first in the lowest bits: each as wide as the
        /// format, and the bits above the last are 0.
        packed: usize,
        /// Whether a subnormal result is flushed to a zero of its sign.
        flush: bool,
        /// Whether the result is clamped to [+0, 1].
        saturate: bool,
        /// What the functions are applied to, prefixes and half select applied: [`packed`] a lane, lane by lane.
        ///
        /// [`packed`]: TruthValues::Reals::packed
        arguments: Vec<u32>,
        /// The value of each argument.
        values: Vec<Real>,
    },
}

/// The demanded value of one location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// Where.
    pub location: Location,
    /// What; meaningless in a lane that must not be written.
    pub values: TruthValues,
    /// Which lanes must write it.
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
    /// Forgets everything and prepares for `len` lanes, keeping memory for reuse.
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

    /// Records that a fast path found the truth: [`Oracle::truth_unfiltered`] has another.
    ///
    /// [`Oracle::truth_unfiltered`]: crate::Oracle::truth_unfiltered
    pub fn mark_filtered(&mut self) {
        self.filtered = true;
    }

    /// Whether a fast path found the truth.
    pub fn is_filtered(&self) -> bool {
        self.filtered
    }

    /// Number of lanes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no lane.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a column of exact bits and returns its values for writing: they are zeros or old values.
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

    /// The columns, one a location.
    pub fn columns(&self) -> &[Truth] {
        &self.columns
    }

    /// Records that the specification leaves the effect of a lane open in the current reading: no other effect of the
    /// lane counts.
    pub fn undefine(&mut self, lane: usize, erratum: Erratum) {
        self.undefined.push((lane, erratum));
    }

    /// The lanes that are undefined, each with the erratum that leaves it so.
    pub fn undefined(&self) -> &[(usize, Erratum)] {
        &self.undefined
    }

    /// Events by lane.
    pub fn events(&self) -> &[(usize, Event)] {
        &self.events
    }

    /// The event of a lane.
    pub fn event_of(&self, lane: usize) -> Option<&Event> {
        self.events.iter().find(|(l, _)| *l == lane).map(|(_, e)| e)
    }
}
