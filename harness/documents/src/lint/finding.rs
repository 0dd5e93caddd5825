//! What the linter says.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::layout::Span;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth a look: a convention that is not kept, or a rule that is stated nowhere.
    Note,
    /// The document can be followed, but perhaps not as its author meant.
    Warning,
    /// The document contradicts itself, or cannot be followed.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// A kind of defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// Its name, which does not change: `overlapping-fields`.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What to do about it.
    pub help: &'static str,
}

/// Bytes of a document, as they are printed.
#[derive(JsonSchema)]
struct ByteSpan {
    /// The first byte, from 0.
    #[expect(dead_code, reason = "it describes the range that is printed")]
    start: usize,
    /// The byte behind the last.
    #[expect(dead_code, reason = "it describes the range that is printed")]
    end: usize,
}

/// A defect of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// The class, by name.
    pub class: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The document.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The bytes of the document that it is about.
    #[schemars(with = "ByteSpan")]
    pub span: Span,
    /// The definition that it is about: a form, optype, group or type; empty if it is about none.
    pub of: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { class, severity, file, line, column, message, .. } = self;
        write!(f, "{file}:{line}:{column}: {severity}[{class}]: {message}")
    }
}
