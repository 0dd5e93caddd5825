//! A machine of which this crate knows the compares alone.

use assay_isa::tables::types::FPRound;

use crate::computation::Computation;
use crate::integers::Machine;

/// A machine that is asked for nothing: [`Unit::gap`] keeps all below it from being reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit;

impl Unit {
    /// The unit of this machine.
    pub(super) fn detect() -> Unit {
        Unit
    }

    /// The machine.
    pub(super) fn name(self) -> String {
        std::env::consts::ARCH.to_owned()
    }

    /// The rounding modes that can be set.
    pub(super) fn roundings(self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Why it cannot execute a computation, if it cannot.
    pub(super) fn gap(self, computation: &Computation) -> Option<&'static str> {
        match computation {
            Computation::Arithmetic(_) => Some("the rounding mode is set through MXCSR, on x86_64 alone"),
            Computation::Integer(_) => Some("integer instructions are spelled out for x86_64 alone"),
            Computation::Comparison(_) | Computation::Check => None,
        }
    }

    /// a + b.
    pub(super) fn add(self, _: f32, _: f32, _: FPRound) -> f32 {
        unreachable!("this unit executes nothing")
    }

    /// a·b.
    pub(super) fn mul(self, _: f32, _: f32, _: FPRound) -> f32 {
        unreachable!("this unit executes nothing")
    }

    /// a·b + c.
    pub(super) fn fma(self, _: f32, _: f32, _: f32, _: FPRound) -> f32 {
        unreachable!("this unit executes nothing")
    }

    /// The F32 next to a double.
    pub(super) fn narrow(self, _: f64, _: FPRound) -> f32 {
        unreachable!("this unit executes nothing")
    }
}

impl Machine for Unit {
    fn ones(&self, _: u32) -> u32 {
        unreachable!("this unit executes nothing")
    }

    fn leading_zeros(&self, _: u32) -> u32 {
        unreachable!("this unit executes nothing")
    }

    fn low_bits(&self, _: u32, _: u32) -> u32 {
        unreachable!("this unit executes nothing")
    }
}
