//! What a kernel is once it is parsed: columns, and steps that compute columns from columns.
//!
//! Registers, constants, parameters, special registers and the carry flag are all columns, so that a step needs
//! to know no other kind of operand, and the check that everything read was written covers the carry flag too.

use crate::approx::{Approximation, Turn};
use crate::compare::Compare;
use crate::float::Float;
use crate::integer::Integer;
use crate::logic::Logic;

/// A column: one value for each of the threads that run together.
pub(crate) type Column = usize;

/// The constant 0; stands for operands that a step has not.
pub(crate) const ZERO: Column = 0;

/// Takes results that nobody asked for.
pub(crate) const SINK: Column = 1;

/// The carry flag `CC.CF` (ISA 9.7.2).
pub(crate) const CARRY: Column = 2;

/// The factor of `sin` and `cos`.
pub(crate) const TURN: Column = 3;

/// The columns that every kernel has, in the order of the constants above.
pub(crate) const FIRST: [Initial; 4] =
    [Initial::Constant(0), Initial::Nothing, Initial::Nothing, Initial::Turn];

/// What a column holds before the first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Initial {
    /// Nothing: to be written before it is read.
    Nothing,
    /// A constant.
    Constant(u64),
    /// The argument for that parameter.
    Parameter(usize),
    /// `%tid.x`
    Thread,
    /// `%ntid.x`
    Threads,
    /// `%ctaid.x`
    Block,
    /// The factor of `sin` and `cos`.
    Turn,
}

/// One step of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The line that it stands on.
    pub(crate) line: usize,
    /// What it does.
    pub(crate) action: Action,
    /// The columns that it writes.
    pub(crate) to: [Column; 2],
    /// The columns that it reads.
    pub(crate) from: [Column; 5],
}

/// What a step does.
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

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Integer(Integer),
    Logic(Logic),
    Compare(Compare),
    Float(Float),
    Approximation(Approximation),
    Turn(Turn),
}
