//! The registers that a field can name.

use assay_isa::Location;

/// A class of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Register {
    General,
    Uniform,
    Predicate,
    UniformPredicate,
}

impl Register {
    /// Returns the registers that fields of a type name.
    pub fn of(ty: &str) -> Option<Register> {
        match ty {
            "Reg" => Some(Register::General),
            "UReg" => Some(Register::Uniform),
            "Pred" => Some(Register::Predicate),
            "UPred" => Some(Register::UniformPredicate),
            _ => None,
        }
    }

    /// Whether the registers hold truth values.
    pub fn is_predicate(self) -> bool {
        matches!(self, Register::Predicate | Register::UniformPredicate)
    }

    /// Returns what a register without storage reads as: RZ and URZ as 0, PT and UPT as true
    /// (E010).
    pub fn constant(self) -> u32 {
        self.is_predicate().into()
    }

    /// Returns a register, or one that holds a higher word of it. `None` for a register without
    /// storage: the last number of its class (E010).
    pub fn at(self, number: u32, word: u64) -> Option<Location> {
        let last: u8 = match self {
            Register::General => 255,
            Register::Uniform => 63,
            Register::Predicate | Register::UniformPredicate => 7,
        };
        let number = u8::try_from(u64::from(number) + word).ok().filter(|number| *number < last)?;
        Some(match self {
            Register::General => Location::R(number),
            Register::Uniform => Location::UR(number),
            Register::Predicate => Location::P(number),
            Register::UniformPredicate => Location::UP(number),
        })
    }
}
