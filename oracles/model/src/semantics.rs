//! What an optype's definition returns: the loop over the lanes, and its properties for the steps
//! before and after.

use std::fmt;
use std::sync::Arc;

use assay_isa::effect::Lanes;
use assay_isa::{BackendError, Batch, Effects, Location, Reading};

use crate::columns::{self, Columns};
use crate::gap::Gap;
use crate::knobs::Knobs;

/// What the lanes of an instruction do. Everything that they share is already decided.
#[derive(Clone)]
pub(crate) struct Semantics<K> {
    /// The computation of the results.
    pub work: Work<K>,
    /// The effect of a minus before an operand.
    pub minus: Minus,
    /// Whether the work reads the loaded columns. Otherwise it reads the batch directly.
    pub is_loaded: bool,
    /// Whether `.FTZ` acts during the work, not when the operands are read.
    pub flushes_late: bool,
    /// The most words of an output that are written.
    pub words: u8,
    /// The lanes that the current reading leaves without a value.
    pub gap: Option<Gap>,
    /// The value that the code assigns to an operand, if it is more than FTZ's zero.
    pub assigned: Option<Assigned<K>>,
}

/// The computation of results. Each pointer is called once a column or once a batch, never once a lane.
#[derive(Clone)]
pub(crate) enum Work<K> {
    /// The model does not implement the instruction.
    Unknown,
    /// Each word of an output is a column, computed from the columns of the operands.
    Columns(Arc<Compute<K>>),
    /// A loop of its own computes the effects of a batch.
    Batch(Arc<Perform<K>>),
}

/// Computes a column of results: the word of the outputs at a position.
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

/// Returns the value that the code assigns to an operand (E012), from it and the first two operands.
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

    /// Returns the semantics of an instruction that the model does not implement.
    pub(crate) fn unknown() -> Semantics<K> {
        Semantics::new(Work::Unknown)
    }

    /// Computes a column for each word of an output.
    pub(crate) fn columns(
        compute: impl Fn(&K, &Columns, usize, &mut [u32]) + Send + Sync + 'static,
    ) -> Semantics<K> {
        Semantics::new(Work::Columns(Arc::new(compute)))
    }

    /// Computes a function of one value.
    pub(crate) fn unary(lane: impl Fn(&K, u32) -> u32 + Copy + Send + Sync + 'static) -> Semantics<K> {
        Semantics::columns(move |k, [x, ..], _, results| {
            let lane = lane;
            columns::unary(results, x, |x| lane(k, x));
        })
    }

    /// Computes a function of two values.
    pub(crate) fn binary(lane: impl Fn(&K, u32, u32) -> u32 + Copy + Send + Sync + 'static) -> Semantics<K> {
        Semantics::columns(move |k, [a, b, ..], _, results| {
            let lane = lane;
            columns::binary(results, a, b, |a, b| lane(k, a, b));
        })
    }

    /// Computes a function of three values.
    pub(crate) fn ternary(
        lane: impl Fn(&K, u32, u32, u32) -> u32 + Copy + Send + Sync + 'static,
    ) -> Semantics<K> {
        Semantics::columns(move |k, [a, b, c, ..], _, results| {
            let lane = lane;
            columns::ternary(results, a, b, c, |a, b, c| lane(k, a, b, c));
        })
    }

    /// Computes the effects of a batch.
    pub(crate) fn batch(
        perform: impl Fn(&K, &Executed<'_>, &mut Effects) -> Result<(), BackendError> + Send + Sync + 'static,
    ) -> Semantics<K> {
        Semantics::new(Work::Batch(Arc::new(perform)))
    }

    /// Sets the effect of a minus before an operand.
    pub(crate) fn minus(self, minus: Minus) -> Semantics<K> {
        Semantics { minus, ..self }
    }

    /// Sets the lanes without a value.
    pub(crate) fn gap(self, gap: Option<Gap>) -> Semantics<K> {
        Semantics { gap: gap.or(self.gap), ..self }
    }

    /// Leaves every lane without a value if a reading has this setting.
    pub(crate) fn undefined(self, k: &K, reading: Reading, setting: u8) -> Semantics<K> {
        self.gap((k.reading(reading) == setting).then(|| Gap::new(reading, |_, _| true)))
    }

    /// Sets the value that the code assigns to an operand.
    pub(crate) fn assigns(
        self,
        assigned: impl Fn(&K, u32, [u32; 2]) -> Option<u32> + Send + Sync + 'static,
    ) -> Semantics<K> {
        Semantics { assigned: Some(Arc::new(assigned)), ..self }
    }
}

/// The effect of a `-` before an operand, or of the `~` in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Minus {
    /// It inverts the sign of a float.
    Sign,
    /// It is the two's complement.
    Negative,
    /// It is the complement.
    Complement,
    /// The operation applies it, because it affects more than the word.
    Later,
}

impl Minus {
    /// Applies it to an integer.
    #[inline(always)]
    pub(crate) fn of_integer(self, x: u32) -> u32 {
        match self {
            Minus::Negative => x.wrapping_neg(),
            Minus::Complement => !x,
            Minus::Sign | Minus::Later => x,
        }
    }
}
