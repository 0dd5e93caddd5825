//! Finds defects in documents that are written in the definition language. The rules do not know
//! the correct text.
//!
//! A rule compares two statements of a document, or a statement with common knowledge (C, IEEE 754,
//! elementary functions). So a rule finds a contradiction, but not which statement is right.
//!
//! | module | rules about |
//! |---|---|
//! | `declared`, `types` | definitions, operand lists, widths, bit-field types |
//! | `notation`, `slots` | syntax lines against fields |
//! | `examples`, `matching` | examples against syntax lines |
//! | `code`, `flow`, `arithmetic` | pseudo-code: names, sequence, expressions |
//! | `prose`, `tables` | words, references, tables |
//! | `siblings` | what differs between things that are otherwise alike |
//! | `streams` | pages about one instruction of another kind |
//!
//! The cost of a rule is proportional to the text. To keep this proportion, the numbers of forms of
//! an optype, operands of a line and analysed statements are limited. The limits are far above the
//! numbers of real instructions.

mod arithmetic;
mod classes;
mod code;
mod condition;
mod declared;
mod examples;
mod finding;
mod flow;
mod known;
mod matching;
mod model;
mod notation;
mod prose;
mod siblings;
mod slots;
mod streams;
mod tables;
mod types;

use std::collections::HashSet;

pub use classes::CLASSES;
pub use finding::{Class, Finding, Severity};
pub use known::{Count, LintOutput, Recall, recall};
use model::{DocumentSet, Page, register_name};

use crate::document::DefinitionKind;
use crate::error::Error;
use crate::layout::Span;
use crate::resolve::resolve_all;

/// Applies all rules to every `(file name, text)`. Returns the findings in the order of files and
/// lines.
pub fn lint<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Finding> {
    let pages: Vec<Page> = files.into_iter().map(|(name, text)| Page::read(name, text)).collect();
    let documents: Vec<_> = pages.iter().map(|page| &page.document).collect();
    let (forms, resolving) = resolve_all(&documents);
    let set = DocumentSet::new(&pages, &forms);
    let mut lint = Lint::new(&set, resolving);
    for check in [
        declared::check,
        types::check,
        notation::check,
        examples::check,
        code::check,
        flow::check,
        arithmetic::check,
        prose::check,
        tables::check,
        siblings::check,
        streams::check,
    ] {
        check(&mut lint);
    }
    lint.finish()
}

/// The shared state of the rules: the documents, and the findings so far.
struct Lint<'a> {
    set: &'a DocumentSet<'a>,
    /// The errors found while resolving inheritance.
    resolving: Vec<Error>,
    /// The names of all optypes and forms.
    names: HashSet<&'a str>,
    /// The letters that name registers and memories of any type.
    registers: HashSet<String>,
    /// The types of the fields that are operands.
    operand_types: HashSet<&'a str>,
    findings: Vec<(usize, Finding)>,
    /// Class and subject of findings that are reported only once.
    seen: HashSet<(&'static str, String)>,
}

impl<'a> Lint<'a> {
    fn new(set: &'a DocumentSet<'a>, resolving: Vec<Error>) -> Self {
        let definitions = set.pages.iter().flat_map(|page| &page.document.definitions);
        let names =
            definitions.filter(|d| d.kind != DefinitionKind::Group).map(|d| d.name.as_str()).collect();
        let operands =
            set.forms().flat_map(|(_, form)| form.operands.iter().filter_map(|name| form.field(name)));
        let operand_types = operands.map(|field| field.ty.as_str()).collect();
        let types: HashSet<&str> = set.declared_fields().map(|(_, _, field)| field.ty.as_str()).collect();
        // Memory is named by the first letter of its type.
        let letter = |ty: &str| ty.chars().next().map(|first| first.to_ascii_lowercase().to_string());
        let registers = types.iter().flat_map(|ty| [Some(register_name(ty)), letter(ty)]).flatten().collect();
        Self { set, resolving, names, registers, operand_types, findings: Vec::new(), seen: HashSet::new() }
    }

    /// Whether a class is reported for a subject for the first time.
    fn once(&mut self, class: &'static Class, subject: &str) -> bool {
        self.seen.insert((class.name, subject.to_owned()))
    }

    fn report(&mut self, class: &'static Class, page: &Page, span: Span, of: &str, message: String) {
        let index = self.set.pages.iter().position(|other| std::ptr::eq(other, page)).unwrap_or(0);
        let finding = Finding {
            class: class.name,
            severity: class.severity,
            file: page.source.name.to_string(),
            line: 0,
            column: 0,
            span,
            of: of.to_owned(),
            message,
            help: class.help,
        };
        self.findings.push((index, finding));
    }

    /// Sorts the findings and sets their lines and columns. Each column is counted from the
    /// previous finding, because a line can be as long as the document.
    fn finish(mut self) -> Vec<Finding> {
        self.findings.sort_by(|(page, one), (other_page, other)| {
            let key = |page: &usize, finding: &Finding| (*page, finding.span.start);
            key(page, one).cmp(&key(other_page, other)).then_with(|| {
                (one.class, &one.of, &one.message).cmp(&(other.class, &other.of, &other.message))
            })
        });
        let (mut last_page, mut line_start, mut counted, mut column) = (usize::MAX, 0, 0, 1);
        for (index, finding) in &mut self.findings {
            let source = &self.set.pages[*index].source;
            let line = source.line_of(finding.span.start);
            let start = source.line(line).start;
            if (*index, start) != (last_page, line_start) {
                (last_page, line_start, counted, column) = (*index, start, start, 1);
            }
            column += source.text[counted..finding.span.start].chars().count() as u32;
            counted = finding.span.start;
            (finding.line, finding.column) = (line as u32 + 1, column);
        }
        self.findings.into_iter().map(|(_, finding)| finding).collect()
    }
}
