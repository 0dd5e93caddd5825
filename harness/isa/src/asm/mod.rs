//! Parses and prints assembler text such as `@!P0 FFMA.FTZ.RZ R0, |R1|, -R2, 0f405A7EFA`.
//!
//! Modifiers are accepted in any order and printed in the order of the syntax line (E019). The
//! guard is the prefix `@P0` or `@!P0` (E008). A scheduling field other than 0 is a suffix such as
//! `$0x1234` (E007). A trailing `;` is allowed. Printing is canonical: an instruction has one text,
//! and parsing it returns the instruction.

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

/// An error in assembler text, with its position.
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

/// The problems that assembler text can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// An expected token is missing.
    #[error("expected {0}")]
    Expected(&'static str),
    /// The mnemonic is unknown.
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
    /// Two modifiers set one field.
    #[error(".{} contradicts or repeats an earlier modifier", quoted(.0))]
    Repeated(String),
    /// A mandatory modifier is missing.
    #[error("{optype} lacks a modifier for {field}")]
    Missing {
        /// Optype.
        optype: &'static str,
        /// The field without a modifier.
        field: &'static str,
    },
    /// No form takes these operands.
    #[error("{0} takes no such operands")]
    Operands(&'static str),
    /// A prefix or suffix that the operand cannot have.
    #[error("this operand takes no {0}")]
    Attribute(&'static str),
    /// A number that does not fit or is malformed.
    #[error("`{}` is no value here", quoted(.0))]
    Literal(String),
    /// A register that does not exist.
    #[error("there is no {}", quoted(.0))]
    Register(String),
    /// Fields that are legal alone, but not together.
    #[error("{0}")]
    Illegal(Box<Violation>),
}
