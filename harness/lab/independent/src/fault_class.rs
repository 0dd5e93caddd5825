//! How faults are sorted: by the part of the device, and by how many inputs show them.

/// The part of a device that a fault is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Fields of the word.
    Decoder,
    /// Literals in the word.
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
    /// Single values.
    Value,
}

/// How many inputs show a fault. `tests/it/faults.rs` measures it on random words with values at edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// At least one in 10,000 random cases of an optype.
    Common,
    /// Operands, batches or sequences that few random cases have.
    Rare,
    /// Only an exhaustive sweep over F32.
    Sweep,
}
