//! The columns of a kernel: registers, constants, parameters, special registers and the carry flag.
//!
//! All of them are columns, so that a step needs to know no other kind of operand, and the check that everything read was
//! written covers the carry flag too.

/// A column: one value for each of the threads that run together.
pub(crate) type Column = usize;

/// The constant 0; stands for operands that a step has not.
pub(crate) const ZERO: Column = 0;

/// Takes results that are not needed.
pub(crate) const SINK: Column = 1;

/// The carry flag `CC.CF` (ISA 9.7.2).
pub(crate) const CARRY: Column = 2;

/// The columns that every kernel has, in the order of the constants above.
pub(crate) const FIRST: [Initial; 3] = [Initial::Constant(0), Initial::Nothing, Initial::Nothing];

/// The contents of a column before the first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Initial {
    /// Nothing: it must be written before it is read.
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
}

/// The columns that a step writes and reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) to: [Column; 2],
    pub(crate) from: [Column; 5],
}
