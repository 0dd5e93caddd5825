//! A machine whose rounding modes this crate cannot set.

use assay_isa::tables::types::FPRound;

use super::Capabilities;
use crate::arithmetic::Operation;

/// A float unit that answers nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit;

impl Unit {
    /// The unit of this machine.
    pub(super) fn detect() -> Unit {
        Unit
    }

    /// What it can do.
    pub(super) fn capabilities(self) -> Capabilities {
        const WHY: &str = "the rounding mode is set through MXCSR, on x86_64 alone";
        Capabilities {
            unit: std::env::consts::ARCH.to_owned(),
            optypes: Vec::new(),
            roundings: Vec::new(),
            missing: ["FADD", "FMUL", "FFMA"].map(|optype| (optype, WHY)).to_vec(),
        }
    }

    /// Whether it can execute an operation: never, so none of the rest is reached.
    pub(super) fn executes(self, _: Operation) -> bool {
        false
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
