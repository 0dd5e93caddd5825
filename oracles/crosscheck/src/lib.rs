//! Cross-checks: executes instructions with foreign floating-point code.
//!
//! The same people wrote model and oracle from the specification. If these agree with each other
//! and with nothing else, something is wrong. So these implementations use arithmetic that the
//! project did not write:
//!
//! * [`ApFloat`]: LLVM's software floats, in every rounding mode, and their order;
//! * [`HostCpu`]: the current machine, its float unit in its own rounding modes and its integer unit;
//! * [`CoreMath`]: correctly rounded functions, for MUFU.
//!
//! [`H200`] is code of this project, and what it returns is not: MUFU as measured on an NVIDIA H200, bit for
//! bit.
//!
//! Each is a [`Subject`]: it gets the encoded word as a device would. The parts that foreign arithmetic lacks
//! are written once: operand prefixes and the guard in `operands`; flushing, saturation and the one NaN in
//! `arithmetic`; the common parts of compares in `comparison`, of integer instructions in `integers`, of
//! exponents in `check`. The implementations follow the reading `intended`. Where a reading departs from it
//! in a way that can change the result, an implementation answers [`Answer::Unsupported`](assay_isa::Answer),
//! except where its documentation names the setting. [`H200`] follows the readings that were measured instead.
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

/// Returns the cross-checks, with one encoding table and one reading. [`H200`] is none: silicon exceeds bounds that other
/// profiles than `sm90` have, and is right all the same.
pub fn all(numbers: &EncodingTable, readings: Readings) -> Vec<Box<dyn Subject>> {
    vec![
        Box::new(ApFloat::new(numbers.clone(), readings)),
        Box::new(HostCpu::new(numbers.clone(), readings)),
        Box::new(CoreMath::new(numbers.clone(), readings)),
    ]
}
