//! A parsed kernel: steps that compute columns from columns.

use crate::approx::{Approximation, Turn};
use crate::column::Access;
use crate::compare::Compare;
use crate::float::Float;
use crate::integer::Integer;
use crate::logic::Logic;
use crate::machine::Machine;

/// One step of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The line of the instruction.
    pub(crate) line: usize,
    /// The action of the step.
    pub(crate) action: Action,
    /// The columns that the step writes (`to`) and reads (`from`).
    pub(crate) access: Access,
}

/// The action of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Computes `to` from `from`.
    Compute(Function),
    /// Loads `to[0]` from the address `from[0]`.
    Load,
    /// Stores `from[1]` to the address `from[0]`.
    Store,
    /// Continues at the target if there is no guard, or if the predicate in `from[0]` equals
    /// `guard`.
    Branch {
        /// The value of the predicate for which the branch is taken.
        guard: Option<bool>,
        /// The index of the step at which to continue. It is always a later step.
        target: usize,
    },
    /// Ends the thread.
    Return,
}

/// The function that a step computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Integer(Integer),
    Logic(Logic),
    Compare(Compare),
    Float(Float),
    Approximation(Approximation),
    Turn(Turn),
    Machine(Machine),
}
