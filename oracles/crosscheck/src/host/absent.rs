//! The host CPU on machines where this crate supports only the compares.

use assay_isa::tables::types::FPRound;

use crate::computation::Computation;
use crate::integers::Machine;

/// A machine that computes nothing. [`Unit::gap`] refuses every computation that would call the
/// functions after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit;

impl Unit {
    /// Returns the unit of this machine.
    pub(super) fn detect() -> Unit {
        Unit
    }

    /// Returns the machine's name.
    pub(super) fn name(self) -> String {
        std::env::consts::ARCH.to_owned()
    }

    /// Returns the rounding modes that the machine can set.
    pub(super) fn roundings(self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns why the machine cannot execute a computation, `None` if it can.
    pub(super) fn gap(self, computation: &Computation) -> Option<&'static str> {
        match computation {
            Computation::Arithmetic(_) => Some("the rounding mode can be set on x86_64 only, through MXCSR"),
            Computation::Integer(_) => Some("integer instructions are supported on x86_64 only"),
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

    /// Rounds a double to F32.
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
