//! Reads specification documents, compares them with the tables, and finds defects in them.
//!
//! A table row can be wrong, and nothing derived from it would notice. So the facts that a document states
//! (form, field, low bit, width, type, default, constraint, operand lists, widths, exceptions) are extracted
//! here and compared with the rows, one by one:
//!
//! ```text
//! text --parse--> Document (as declared) --resolve--> Facts (fully inherited) --diff--> Report
//! ```
//!
//! Besides the facts, a [`Document`] has the places of its code, tables and prose. [`lint`](mod@lint) reads those as
//! well, and compares the statements of a document with each other.
//!
//! The documents are not part of the repository. Their facts are: `fixture/facts.json` holds one definition a
//! line, without any of the documents' prose, and [`fixture()`] returns it. To regenerate it after a new edition
//! of the documents:
//!
//! ```text
//! cargo run -p assay-documents --example extract -- SPEC.txt... > harness/lab/documents/fixture/facts.json
//! ASSAY_SPEC_DIR=/where/the/documents/are cargo test -p assay-documents
//! ```

mod asm;
pub mod diff;
mod document;
mod error;
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

/// Parses every `(file name, text)` and resolves them together: the facts of the documents, or everything that
/// is wrong with them.
///
/// Groups and optypes must come before what inherits from them, within a file and across files.
pub fn extract<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Facts, Vec<Error>> {
    resolve(&read(files)?)
}

/// Parses every `(file name, text)` into one document, as declared and not yet resolved.
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
