//! Finds faults by name, and stores the fault of a device.

pub use crate::fault_list::{Fault, FaultInfo};

impl Fault {
    /// Returns the fault with this name.
    pub fn of(name: &str) -> Option<Fault> {
        Fault::ALL.iter().find(|info| info.name == name).map(|info| info.fault)
    }

    /// Returns the facts about the fault.
    pub fn info(self) -> Option<&'static FaultInfo> {
        Fault::ALL.get(self as usize)
    }
}

/// The fault of a device, if it has one.
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
