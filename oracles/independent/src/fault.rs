//! What a fault is, and the one that a device has.

pub use crate::fault_list::Fault;

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

/// What is known of a fault.
#[derive(Clone, Copy, Debug)]
pub struct FaultInfo {
    /// The fault.
    pub fault: Fault,
    /// Its name in `ASSAY_INDEPENDENT_FAULT`.
    pub name: &'static str,
    /// The part of the device that it is in.
    pub family: Family,
    /// Optypes that show it, separated by spaces. There may be others.
    pub optypes: &'static str,
    /// How many inputs show it.
    pub reach: Reach,
    /// What is wrong, in one sentence.
    pub about: &'static str,
}

impl Fault {
    /// Returns the fault with a name.
    pub fn of(name: &str) -> Option<Fault> {
        Fault::ALL.iter().find(|info| info.name == name).map(|info| info.fault)
    }

    /// Returns what is known of the fault.
    pub fn info(self) -> Option<&'static FaultInfo> {
        Fault::ALL.get(self as usize)
    }
}

/// The fault of a device, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Active(Option<Fault>);

impl Active {
    pub(crate) const NONE: Active = Active(None);

    pub(crate) const fn of(fault: Option<Fault>) -> Active {
        Active(fault)
    }

    pub(crate) fn has(self, fault: Fault) -> bool {
        self.0 == Some(fault)
    }
}
