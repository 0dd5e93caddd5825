//! Cross-checks: implementations of the instructions by arithmetic that others wrote.
//!
//! The same people wrote model and oracle from the specification, so both may have the same
//! mistake. The cross-checks can reveal it, since they use arithmetic that the project did not
//! write:
//!
//! * [`ApFloat`]: LLVM's software floats, in every rounding mode, and their order;
//! * [`HostCpu`]: this machine's float unit in each rounding mode, and its integer unit;
//! * [`CoreMath`]: correctly rounded functions, for MUFU.
//!
//! [`H200`] is code of this project, but its results are not: it computes MUFU as measured on an
//! NVIDIA H200, bit for bit.
//!
//! Each implementation is a [`Subject`]: it gets the encoded word as a device would. Code for the
//! parts of an instruction that foreign arithmetic lacks is shared by all implementations:
//! `operands` has operand prefixes and the guard. `arithmetic` has flushing, saturation and NaN
//! results. `comparison`, `integers` and `check` have the common parts of compares, integer
//! instructions and FCHK. The implementations follow the readings `intended`. If another setting
//! can change a result, an implementation answers [`Answer::Unsupported`](assay_isa::Answer),
//! except for the settings that its documentation names. [`H200`] follows the measured readings
//! instead.
//!
//! ```
//! use assay_isa::{EncodingTable, Readings};
//!
//! let all = assay_crosscheck::all(EncodingTable::provisional(), Readings::INTENDED);
//! let names: Vec<&str> = all.iter().map(|subject| subject.name()).collect();
//! assert_eq!(names, ["apfloat", "host", "core-math"]);
//! ```

mod apfloat;
mod arithmetic;
mod check;
mod comparison;
mod computation;
mod core_math;
mod departures;
mod h200;
mod host;
mod integers;
mod operands;

use assay_isa::{EncodingTable, Readings, Subject};

pub use apfloat::ApFloat;
pub use core_math::CoreMath;
pub use h200::H200;
pub use host::{Capabilities, HostCpu};

/// Returns the cross-checks, with one encoding table and one set of readings. [`H200`] is not among
/// them: its errors exceed bounds of profiles other than `sm90`, although it is right.
pub fn all(numbers: &EncodingTable, readings: Readings) -> Vec<Box<dyn Subject>> {
    vec![
        Box::new(ApFloat::new(numbers.clone(), readings)),
        Box::new(HostCpu::new(numbers.clone(), readings)),
        Box::new(CoreMath::new(numbers.clone(), readings)),
    ]
}
