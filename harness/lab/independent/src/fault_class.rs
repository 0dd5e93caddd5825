//! Classes of faults: by the part of the device, and by the number of inputs that show them.

/// The part of a device that has a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Reading fields of the word.
    Decoder,
    /// Reading literals in the word.
    Literal,
    /// Operands and writes.
    Operand,
    /// Sums, products and rounding.
    Float,
    /// Flushing, saturation, NaN, infinities and the signs of zeros.
    Special,
    /// Comparisons, minima and maxima.
    Comparison,
    /// Integers and bits.
    Integer,
    /// The functions of MUFU.
    Function,
    /// Lanes, batches and state.
    Batch,
    /// Errors at single values.
    Value,
}

/// How many inputs show a fault. `tests/it/faults.rs` checks `Common` with random words and values
/// at edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// At least one in 10,000 random cases of some optype shows the fault.
    Common,
    /// Only operands, batches or sequences that are rare among random cases show the fault.
    Rare,
    /// Only an exhaustive sweep over F32 shows the fault.
    Sweep,
}
