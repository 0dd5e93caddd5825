//! The findings of the linter.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::layout::Span;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// A broken convention, or a rule that is not stated.
    Note,
    /// The document can be followed, but its meaning is doubtful.
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

/// A class of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// The stable name: `overlapping-fields`.
    pub name: &'static str,
    /// The severity of the findings.
    pub severity: Severity,
    /// The remedy.
    pub help: &'static str,
}

/// A range of bytes of a document.
#[derive(JsonSchema)]
struct ByteSpan {
    /// The first byte, counted from 0.
    #[expect(dead_code, reason = "it describes the range that is printed")]
    start: usize,
    /// The first byte after the range.
    #[expect(dead_code, reason = "it describes the range that is printed")]
    end: usize,
}

/// A defect of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// Name of the class of findings.
    pub class: &'static str,
    /// The severity.
    pub severity: Severity,
    /// Name of the document.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
    /// The range of bytes with the defect.
    #[schemars(with = "ByteSpan")]
    pub span: Span,
    /// The definition with the defect: a form, optype, group or type. Empty if no definition has
    /// it.
    pub of: String,
    /// The defect.
    pub message: String,
    /// The remedy.
    pub help: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { class, severity, file, line, column, message, .. } = self;
        write!(f, "{file}:{line}:{column}: {severity}[{class}]: {message}")
    }
}
