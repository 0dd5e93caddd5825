//! The result of an optype's definition: the loop over the lanes, and the properties that the steps
//! before and after need.

use std::fmt;
use std::sync::Arc;

use assay_isa::effect::Lanes;
use assay_isa::{BackendError, Batch, Effects, Location, Reading};

use crate::columns::{self, Columns};
use crate::gap::Gap;
use crate::knobs::Knobs;

/// The work of an instruction's lanes. Everything that the lanes share is already decided.
#[derive(Clone)]
pub(crate) struct Semantics<K> {
    /// The computation of the results.
    pub work: Work<K>,
    /// The effect of a minus before an operand.
    pub minus: Minus,
    /// Whether the work reads loaded columns. If not, the work reads the batch directly.
    pub is_loaded: bool,
    /// Whether `.FTZ` acts during the work, instead of when the operands are read.
    pub flushes_late: bool,
    /// The greatest number of words of an output that are written.
    pub words: u8,
    /// The lanes that the current reading leaves without a value.
    pub gap: Option<Gap>,
    /// The value that the documents' code assigns to an operand, apart from flushing by FTZ.
    pub assigned: Option<Assigned<K>>,
}

/// The computation of results. Each function pointer is called once for a column or a batch, not
/// for each lane.
#[derive(Clone)]
pub(crate) enum Work<K> {
    /// The model does not implement the instruction.
    Unknown,
    /// Computes each output word as a column, from the columns of the operands.
    Columns(Arc<Compute<K>>),
    /// Computes the effects of a whole batch.
    Batch(Arc<Perform<K>>),
}

/// A function that computes a column of results. The `usize` is the position among the words of all
/// outputs.
pub(crate) type Compute<K> = dyn Fn(&K, &Columns, usize, &mut [u32]) + Send + Sync;

/// A function that computes the effects of a batch.
pub(crate) type Perform<K> =
    dyn Fn(&K, &Executed<'_>, &mut Effects) -> Result<(), BackendError> + Send + Sync;

/// A batch with loaded operands.
pub(crate) struct Executed<'a> {
    /// The batch.
    pub batch: &'a Batch,
    /// The values of the operands.
    pub operands: &'a Columns,
    /// The lanes that execute.
    pub lanes: &'a Lanes,
    /// The locations of the result words.
    pub outputs: &'a [Option<Location>],
}

/// A function that returns the value that the code assigns to an operand (E012). The function's
/// arguments are the operand, and the first two operands of the instruction.
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

    /// Returns semantics that compute a column for each output word.
    pub(crate) fn columns(
        compute: impl Fn(&K, &Columns, usize, &mut [u32]) + Send + Sync + 'static,
    ) -> Semantics<K> {
        Semantics::new(Work::Columns(Arc::new(compute)))
    }

    /// Returns semantics that apply a function of one value.
    pub(crate) fn unary(lane: impl Fn(&K, u32) -> u32 + Copy + Send + Sync + 'static) -> Semantics<K> {
        Semantics::columns(move |k, [x, ..], _, results| {
            let lane = lane;
            columns::unary(results, x, |x| lane(k, x));
        })
    }

    /// Returns semantics that apply a function of two values.
    pub(crate) fn binary(lane: impl Fn(&K, u32, u32) -> u32 + Copy + Send + Sync + 'static) -> Semantics<K> {
        Semantics::columns(move |k, [a, b, ..], _, results| {
            let lane = lane;
            columns::binary(results, a, b, |a, b| lane(k, a, b));
        })
    }

    /// Returns semantics that apply a function of three values.
    pub(crate) fn ternary(
        lane: impl Fn(&K, u32, u32, u32) -> u32 + Copy + Send + Sync + 'static,
    ) -> Semantics<K> {
        Semantics::columns(move |k, [a, b, c, ..], _, results| {
            let lane = lane;
            columns::ternary(results, a, b, c, |a, b, c| lane(k, a, b, c));
        })
    }

    /// Returns semantics that compute the effects of a batch.
    pub(crate) fn batch(
        perform: impl Fn(&K, &Executed<'_>, &mut Effects) -> Result<(), BackendError> + Send + Sync + 'static,
    ) -> Semantics<K> {
        Semantics::new(Work::Batch(Arc::new(perform)))
    }

    /// Sets the effect of a minus before an operand.
    pub(crate) fn minus(self, minus: Minus) -> Semantics<K> {
        Semantics { minus, ..self }
    }

    /// Sets the undefined lanes, unless `gap` is `None`.
    pub(crate) fn gap(self, gap: Option<Gap>) -> Semantics<K> {
        Semantics { gap: gap.or(self.gap), ..self }
    }

    /// Makes every lane undefined if a reading has this setting.
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

/// The effect of a `-` before an operand, or of a `~` in the place of the `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Minus {
    /// Inverts the sign of a float.
    Sign,
    /// Takes the two's complement.
    Negative,
    /// Takes the one's complement.
    Complement,
    /// The operation itself applies the minus, because the minus affects more than one word.
    Later,
}

impl Minus {
    /// Applies the minus to an integer.
    #[inline(always)]
    pub(crate) fn of_integer(self, x: u32) -> u32 {
        match self {
            Minus::Negative => x.wrapping_neg(),
            Minus::Complement => !x,
            Minus::Sign | Minus::Later => x,
        }
    }
}
