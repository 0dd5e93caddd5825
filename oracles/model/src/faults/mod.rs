//! The table of faults: bugs as people make them, each in one optype, planted through the
//! [knobs](crate::knobs).
//!
//! A campaign that does not find one of them has a gap. Those that are written down come first, those that are made last:
//! from the tables of MUFU, from the faults of XU for the uniform datapath, and from what many optypes can have wrong.

mod families;
mod listed;

use std::str::FromStr;
use std::sync::LazyLock;

pub use self::families::Bug;
use self::families::{common, hyphenated, interpolators, siblings, special_rows};
pub use self::listed::Fault;
use self::listed::LISTED;
pub use crate::mufu::{Class, Rom, Table};

/// A row of the table of faults.
#[derive(Clone, Copy, Debug)]
pub struct FaultInfo {
    /// The fault.
    pub fault: Fault,
    /// Name on the command line.
    pub name: &'static str,
    /// The optype it spoils.
    pub optype: &'static str,
    /// What is wrong, in a sentence.
    pub about: &'static str,
}

/// Every fault.
pub static FAULTS: LazyLock<Vec<FaultInfo>> = LazyLock::new(|| {
    let made =
        special_rows().chain(Rom::ALL.into_iter().flat_map(interpolators)).chain(siblings()).chain(common());
    LISTED.iter().copied().chain(made).collect()
});

impl FaultInfo {
    /// Patterns of the functions that the fault can show in: those of its table, or all of its optype.
    pub fn functions(&'static self) -> &'static [&'static str] {
        match &self.fault {
            Fault::OffsetTruncated(rom) | Fault::SquareDropped(rom) | Fault::RomBit(rom, _) => {
                rom.functions()
            }
            _ => std::slice::from_ref(&self.optype),
        }
    }

    /// The fault that its sites ask for: for a sibling that of the optype of XU.
    pub(crate) fn site(&self) -> Fault {
        match self.fault {
            Fault::Sibling(place) => LISTED[usize::from(place)].fault,
            fault => fault,
        }
    }

    /// What it is counted under: its table, or its optype.
    pub fn group(&self) -> String {
        match self.fault {
            Fault::RomBit(rom, _) => format!("{}-rom", hyphenated(rom)),
            _ => self.optype.to_owned(),
        }
    }
}

impl Fault {
    /// Its row of [`FAULTS`].
    pub fn info(self) -> &'static FaultInfo {
        FAULTS.iter().find(|info| info.fault == self).expect("every fault has a row")
    }
}

/// A name that no fault has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no fault; `assay mutants list` has the names, such as fadd-sticky-dropped")]
pub struct UnknownFault(pub String);

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let info = FAULTS.iter().find(|info| info.name == name);
        info.map(|info| info.fault).ok_or_else(|| UnknownFault(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use assay_isa::catalog;

    use super::*;

    #[test]
    fn names_lead_back_to_their_fault() {
        for info in FAULTS.iter() {
            assert_eq!(info.name.parse(), Ok(info.fault));
            assert_eq!(info.fault.info().name, info.name);
            assert!(info.about.ends_with('.'), "{}", info.name);
        }
        assert!("fadd".parse::<Fault>().is_err());
    }

    #[test]
    fn every_optype_has_its_share() {
        for optype in catalog().optypes() {
            let share = FAULTS.iter().filter(|info| info.optype == optype.name).count();
            assert!(share >= 8, "{}: {share}", optype.name);
        }
    }
}
