//! The errors in the text of a module. Each has the line.

use std::fmt::Display;

/// The text is not PTX, or contains something that is not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ParseError {
    line: usize,
    message: String,
}

impl ParseError {
    pub(crate) fn new(line: usize, message: impl Display) -> Self {
        Self { line, message: message.to_string() }
    }

    /// Returns the line of the text, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }
}
