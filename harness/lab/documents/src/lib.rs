//! Reads specification documents, compares them with the tables, finds defects in them, and executes
//! them.
//!
//! No other check finds a wrong table row, because everything else is derived from the tables. So
//! this crate extracts the facts that a document states: form, field, low bit, width, type,
//! default, constraint, operand lists, widths, exceptions. It compares each fact with the rows:
//!
//! ```text
//! text --parse--> Document (as declared) --resolve--> Facts (fully inherited) --diff--> Report
//! ```
//!
//! Besides the facts, a [`Document`] has the positions of its code, tables and prose.
//! [`lint`](mod@lint) also reads these parts, and compares the statements of a document with each
//! other.
//!
//! [`eval`] executes the pseudo-code, as an implementation that is independent of the tables.
//!
//! The repository does not contain the documents, only their facts: `fixture/facts.json` has one
//! definition a line, without the documents' prose. [`fixture()`] returns these facts. To
//! regenerate the file for a new edition of the documents:
//!
//! ```text
//! cargo run -p assay-documents --example extract -- SPEC.txt... > harness/lab/documents/fixture/facts.json
//! ASSAY_SPEC_DIR=/where/the/documents/are cargo test -p assay-documents
//! ```

mod asm;
pub mod diff;
mod document;
mod error;
pub mod eval;
mod facts;
mod fixture;
mod layout;
mod lexer;
pub mod limits;
pub mod lint;
mod parse;
mod pseudo;
mod resolve;
mod show;
mod source;
mod stream;
mod tables;

pub use diff::{Deviation, DiffReport, Difference, Explained, Scope, diff};
pub use document::{Definition, DefinitionKind, Document};
pub use error::{Error, ErrorKind, Location};
pub use facts::{
    BitsFacts, Body, ExceptionFacts, Facts, FieldFacts, FormFacts, ListFacts, SpellingFacts, StreamFacts,
    StreamFieldFacts, TypeFacts, ValueFacts,
};
pub use fixture::{declarations, fixture, render};
pub use layout::{Block, Section, Span, Table};
pub use lint::{CLASSES, Class, Finding, Severity, lint};
pub use parse::parse;
pub use resolve::resolve;
pub use show::ShownDocuments;
pub use source::Source;
pub use tables::{departures, tables};

/// Parses every `(file name, text)`, and resolves them together. Returns the facts of the
/// documents, or all their errors.
///
/// A group or optype must come before the definitions that inherit from it, within a file and
/// across files.
pub fn extract<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Facts, Vec<Error>> {
    resolve(&read(files)?)
}

/// Parses every `(file name, text)` into one document, as declared, without inheritance.
pub fn read<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Document, Vec<Error>> {
    let mut whole = Document::default();
    let mut errors = Vec::new();
    for (file, text) in files {
        match parse(file, text) {
            Ok(part) => whole.append(part),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(whole) } else { Err(errors) }
}
