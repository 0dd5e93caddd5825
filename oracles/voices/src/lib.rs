//! Third opinions: what others who know floating point say about an instruction.
//!
//! Model and oracle are written from the specification by the same hands. When they agree with each
//! other and with nobody else, something is wrong, so these voices bring arithmetic that the project did
//! not write:
//!
//! * [`ApFloat`]: LLVM's software floats, in every rounding mode;
//! * [`HostCpu`]: the float unit of the machine at hand, in its own rounding modes;
//! * [`CoreMath`]: correctly rounded functions, for MUFU.
//!
//! Each is a [`Subject`]: it takes the encoded word as a device would. What the foreign arithmetic does
//! not have (operand prefixes, flushing, saturation, the one NaN, the guard) is written once, in
//! `operands` and `arithmetic`. The voices follow the reading `intended`; where a reading departs from it
//! in a way that can change the result, a voice says [`Answer::Unsupported`](assay_isa::Answer) rather
//! than guess, except where its documentation names the setting.

mod apfloat;
mod arithmetic;
mod core_math;
mod departures;
mod host;
mod operands;

use assay_isa::{Numbers, Readings, Subject};

pub use apfloat::ApFloat;
pub use core_math::CoreMath;
pub use host::{Capabilities, HostCpu};

/// Every voice, under one numbering and one reading.
pub fn all(numbers: &Numbers, readings: Readings) -> Vec<Box<dyn Subject>> {
    vec![
        Box::new(ApFloat::new(numbers.clone(), readings)),
        Box::new(HostCpu::new(numbers.clone(), readings)),
        Box::new(CoreMath::new(numbers.clone(), readings)),
    ]
}
