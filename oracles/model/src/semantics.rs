//! What an optype does, as its definition hands it over: the loop over the lanes, and what it has of its own on the way to
//! the loop and from it.

use std::fmt;
use std::sync::Arc;

use assay_isa::effect::Lanes;
use assay_isa::{BackendError, Batch, Effects, Location, Reading};

use crate::columns::{self, Columns};
use crate::gap::Gap;
use crate::knobs::Knobs;

/// What the lanes of an instruction do, with everything decided that they share.
#[derive(Clone)]
pub(crate) struct Semantics<K> {
    /// How the results come about.
    pub work: Work<K>,
    /// What a minus before an operand does.
    pub minus: Minus,
    /// Whether the work reads the columns that were loaded; one that does not reads the batch by itself.
    pub is_loaded: bool,
    /// Whether `.FTZ` acts during the work and not as the operands are read.
    pub flushes_late: bool,
    /// How many words of an output are written at most.
    pub words: u8,
    /// The lanes that the current reading leaves without a value.
    pub gap: Option<Gap>,
    /// What the code assigns to an operand, where that is more than FTZ's zero.
    pub assigned: Option<Assigned<K>>,
}

/// How results come about. What is behind the pointers is called once a column or once a batch, never once a lane.
#[derive(Clone)]
pub(crate) enum Work<K> {
    /// The model does not know.
    Unknown,
    /// Each word of an output is a column, computed from the columns of the operands.
    Columns(Arc<Compute<K>>),
    /// The effects of a batch come about in a loop of its own.
    Batch(Arc<Perform<K>>),
}

/// Computes a column of results: the word of the outputs that a position tells.
pub(crate) type Compute<K> = dyn Fn(&K, &Columns, usize, &mut [u32]) + Send + Sync;

/// Computes the effects of a batch.
pub(crate) type Perform<K> =
    dyn Fn(&K, &Executed<'_>, &mut Effects) -> Result<(), BackendError> + Send + Sync;

/// A batch whose operands are loaded.
pub(crate) struct Executed<'a> {
    /// The batch.
    pub batch: &'a Batch,
    /// The values of its operands.
    pub operands: &'a Columns,
    /// The lanes that execute.
    pub lanes: &'a Lanes,
    /// Where the words of the results go.
    pub outputs: &'a [Option<Location>],
}

/// What the code assigns to an operand (E012), given its value and those of the first two operands.
pub(crate) type Assigned<K> = Arc<dyn Fn(&K, u32, [u32; 2]) -> Option<u32> + Send + Sync>;

impl<K> fmt::Debug for Semantics<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Semantics")
            .field("minus", &self.minus)
            .field("gap", &self.gap)
            .finish_non_exhaustive()
    }
}

impl<K: Knobs> Semantics<K> {
    fn new(work: Work<K>) -> Semantics<K> {
        Semantics {
            work,
            minus: Minus::Sign,
            is_loaded: true,
            flushes_late: false,
            words: u8::MAX,
            gap: None,
            assigned: None,
        }
    }

    /// Those of an instruction that the model does not know.
    pub(crate) fn unknown() -> Semantics<K> {
        Semantics::new(Work::Unknown)
    }

    /// A column for each word of an output.
    pub(crate) fn columns(
        compute: impl Fn(&K, &Columns, usize, &mut [u32]) + Send + Sync + 'static,
    ) -> Semantics<K> {
        Semantics::new(Work::Columns(Arc::new(compute)))
    }

    /// A function of one value.
    pub(crate) fn unary(lane: impl Fn(&K, u32) -> u32 + Copy + Send + Sync + 'static) -> Semantics<K> {
        Semantics::columns(move |k, [x, ..], _, results| {
            let lane = lane;
            columns::unary(results, x, |x| lane(k, x));
        })
    }

    /// A function of two values.
    pub(crate) fn binary(lane: impl Fn(&K, u32, u32) -> u32 + Copy + Send + Sync + 'static) -> Semantics<K> {
        Semantics::columns(move |k, [a, b, ..], _, results| {
            let lane = lane;
            columns::binary(results, a, b, |a, b| lane(k, a, b));
        })
    }

    /// A function of three values.
    pub(crate) fn ternary(
        lane: impl Fn(&K, u32, u32, u32) -> u32 + Copy + Send + Sync + 'static,
    ) -> Semantics<K> {
        Semantics::columns(move |k, [a, b, c, ..], _, results| {
            let lane = lane;
            columns::ternary(results, a, b, c, |a, b, c| lane(k, a, b, c));
        })
    }

    /// The effects of a batch.
    pub(crate) fn batch(
        perform: impl Fn(&K, &Executed<'_>, &mut Effects) -> Result<(), BackendError> + Send + Sync + 'static,
    ) -> Semantics<K> {
        Semantics::new(Work::Batch(Arc::new(perform)))
    }

    /// Says what a minus before an operand does.
    pub(crate) fn minus(self, minus: Minus) -> Semantics<K> {
        Semantics { minus, ..self }
    }

    /// Leaves lanes without a value.
    pub(crate) fn gap(self, gap: Option<Gap>) -> Semantics<K> {
        Semantics { gap: gap.or(self.gap), ..self }
    }

    /// Leaves every lane without a value where a reading has that setting.
    pub(crate) fn undefined(self, k: &K, reading: Reading, setting: u8) -> Semantics<K> {
        self.gap((k.reading(reading) == setting).then(|| Gap::new(reading, |_, _| true)))
    }

    /// Says what the code assigns to an operand.
    pub(crate) fn assigns(
        self,
        assigned: impl Fn(&K, u32, [u32; 2]) -> Option<u32> + Send + Sync + 'static,
    ) -> Semantics<K> {
        Semantics { assigned: Some(Arc::new(assigned)), ..self }
    }
}

/// What a `-` before an operand does, or the `~` that takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Minus {
    /// It turns the sign of a float over.
    Sign,
    /// It is the two's complement.
    Negative,
    /// It is the complement.
    Complement,
    /// The operation sees to it, for there is more to it than the word.
    Later,
}

impl Minus {
    /// What it makes of an integer.
    #[inline(always)]
    pub(crate) fn of_integer(self, x: u32) -> u32 {
        match self {
            Minus::Negative => x.wrapping_neg(),
            Minus::Complement => !x,
            Minus::Sign | Minus::Later => x,
        }
    }
}
