//! Assembler text in documents: syntax lines, and the examples that should follow them.

pub mod example;
pub mod syntax;
pub mod token;

pub use example::{Core, Example, Operand};
pub use syntax::{Line, Slot, Syntax, ValueList};
