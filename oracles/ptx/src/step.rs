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
    /// The line that it stands on.
    pub(crate) line: usize,
    /// Its action.
    pub(crate) action: Action,
    /// The columns that it writes (`to`) and reads (`from`).
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
    /// Goes on at that step, if it has no guard or the predicate `from[0]` equals its guard.
    Branch {
        /// The value of the predicate at which to branch.
        guard: Option<bool>,
        /// The step to go on at; always a later one.
        target: usize,
    },
    /// Ends the thread.
    Return,
}

/// The computed function.
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
