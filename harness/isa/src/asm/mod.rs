//! Assembler text, in and out: `@!P0 FFMA.FTZ.RZ R0, |R1|, -R2, 0f405A7EFA`.
//!
//! Modifiers are accepted in any order and printed in the order of the syntax line (E019). The guard
//! stands in front as `@P0` or `@!P0` (E008), the scheduling field behind as `$0x1234` when it is not 0
//! (E007), and a trailing `;` is allowed. Printing is canonical: one instruction has one text, and
//! parsing that text gives the instruction back.

mod literal;
mod parse;
mod print;
mod scan;
mod visa;

use std::ops::Range;

pub use parse::{parse, parse_mode};
pub use print::{mnemonic, print};

use crate::legality::Violation;
use crate::shown::quoted;

/// An error in a text, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem} (column {}); {remedy}", span.start + 1)]
pub struct AsmError {
    /// Byte range of the offending part.
    pub span: Range<usize>,
    /// The problem.
    pub problem: Problem,
    /// What to write instead.
    pub remedy: String,
}

/// The problems of a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Something else stands where a token is expected.
    #[error("expected {0}")]
    Expected(&'static str),
    /// No optype of that name has a row.
    #[error("unknown mnemonic `{}`", quoted(.0))]
    Mnemonic(String),
    /// The optype has no such modifier.
    #[error("{optype} has no modifier .{}", quoted(modifier))]
    Modifier {
        /// Optype.
        optype: &'static str,
        /// The written text.
        modifier: String,
    },
    /// Two modifiers for one field.
    #[error(".{} contradicts or repeats an earlier modifier", quoted(.0))]
    Repeated(String),
    /// A modifier that must be written is not.
    #[error("{optype} lacks a modifier for {field}")]
    Missing {
        /// Optype.
        optype: &'static str,
        /// The field left open.
        field: &'static str,
    },
    /// No form takes these operands.
    #[error("{0} takes no such operands")]
    Operands(&'static str),
    /// A prefix or suffix that the operand cannot carry.
    #[error("this operand takes no {0}")]
    Attribute(&'static str),
    /// A number that does not fit or is malformed.
    #[error("`{}` is no value here", quoted(.0))]
    Literal(String),
    /// A register number out of range.
    #[error("there is no {}", quoted(.0))]
    Register(String),
    /// Legal parts that do not go together.
    #[error("{0}")]
    Illegal(Box<Violation>),
}
