//! An independent device for part of the instruction set, written from the documents alone, with
//! selectable faults.
//!
//! The crate shares no code with the rest of the workspace. The author chose the faults without
//! regard to how `assay` explains findings. So the faults show what `assay` finds in a device that
//! played no part in its development.
//! * Without a fault a [`Device`] is sound under the profile `intended`, within the bounds of its contracts.
//! * [`Fault::ALL`] lists the faults. A device has at most one of them.
//! * As a shared library, the crate exports the C interface. `ASSAY_INDEPENDENT_FAULT` names the
//!   fault:
//!
//! ```sh
//! cargo build --release -p assay-independent
//! ASSAY_INDEPENDENT_FAULT=ties-away assay fuzz --subject lib:target/release/libassay_independent.so
//! ```
//!
//! Sources: the five documents of the specification, their inventory and errata, `docs/readings.md`
//! and the profile `intended`.

mod abi;
mod arith;
mod batch;
mod bits;
mod codes;
mod compare;
mod decode;
mod device;
mod disturbance;
mod execute;
mod fault;
mod fault_class;
mod fault_list;
mod feeds;
mod fields;
mod float;
mod function;
mod instruction;
mod integer;
mod location;
mod logic;
mod modifiers;
mod mufu;
mod small;

pub use abi::{FAULT_VARIABLE, Handle, assay_device_modes_v1, assay_device_v1};
pub use batch::{Batch, Column};
pub use codes::{OPTYPES, Optype, OptypeInfo};
pub use device::Device;
pub use fault::{Fault, FaultInfo};
pub use fault_class::{Family, Reach};
pub use location::Location;
