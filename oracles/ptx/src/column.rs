//! The columns of a kernel: registers, constants, parameters, special registers and the carry flag.
//!
//! Every kind of operand is a column, so a step needs to handle only columns. The check that
//! columns are written before they are read therefore covers the carry flag too.

/// The index of a column. A column has one value for each of the threads that run together.
pub(crate) type Column = usize;

/// The column of the constant 0. This column replaces operands that a step does not have.
pub(crate) const ZERO: Column = 0;

/// The column for results that are not needed.
pub(crate) const SINK: Column = 1;

/// The column of the carry flag `CC.CF` (ISA 9.7.2).
pub(crate) const CARRY: Column = 2;

/// The initial contents of these three columns, in this order. Every kernel has them.
pub(crate) const FIRST: [Initial; 3] = [Initial::Constant(0), Initial::Nothing, Initial::Nothing];

/// The contents of a column before the first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Initial {
    /// Nothing. The column must be written before it is read.
    Nothing,
    /// A constant.
    Constant(u64),
    /// The argument for the parameter with this index.
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
