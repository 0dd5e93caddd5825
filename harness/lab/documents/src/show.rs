//! Formats findings and errors for people: with the source line, and a mark below the position.

use std::collections::HashMap;
use std::sync::Arc;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, MietteError, MietteSpanContents,
    Report, SourceCode, SourceSpan, SpanContents,
};

use crate::error::{Error, Location};
use crate::layout::Span;
use crate::lint::{Finding, Severity};
use crate::source::Source;

/// Maximum width of a diagnostic, in columns.
const WIDTH: usize = 110;

/// The documents that diagnostics quote.
pub struct ShownDocuments {
    sources: HashMap<Arc<str>, Arc<Source>>,
}

impl ShownDocuments {
    /// Creates the set from pairs of file name and text.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let sources = files.into_iter().map(|(name, text)| Source::new(name, text));
        Self { sources: sources.map(|source| (source.name.clone(), Arc::new(source))).collect() }
    }

    /// Returns a finding as text, with its source line.
    pub fn finding(&self, finding: &Finding) -> String {
        let severity = match finding.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        };
        let diagnostic = MietteDiagnostic::new(finding.message.clone())
            .with_code(finding.class)
            .with_severity(severity)
            .with_help(finding.help);
        self.render(diagnostic, &finding.file, |_| finding.span.clone())
    }

    /// Returns an error as text, with its source line.
    pub fn error(&self, error: &Error) -> String {
        let at: &Location = &error.at;
        self.render(MietteDiagnostic::new(error.kind.to_string()), &at.file, |source| source.statement(at))
    }

    fn render(&self, diagnostic: MietteDiagnostic, file: &str, span: impl Fn(&Source) -> Span) -> String {
        let report = match self.sources.get(file) {
            Some(source) => {
                let label = LabeledSpan::at(span(source), "here");
                Report::from(diagnostic.with_label(label)).with_source_code(source.clone())
            }
            None => Report::from(diagnostic),
        };
        let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_width(WIDTH);
        let mut text = String::new();
        match handler.render_report(&mut text, report.as_ref()) {
            Ok(()) => text,
            Err(_) => format!("{report}\n"),
        }
    }
}

/// Returns the lines around a span without scanning the text before it. With such a scan, the time
/// for many findings would grow with the square of the document's size.
impl SourceCode for Source {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        if end > self.text.len() {
            return Err(MietteError::OutOfBounds);
        }
        let first = self.line_of(start).saturating_sub(before);
        let last = (self.line_of(end) + after).min(self.line_count() - 1);
        let lines = self.line(first).start..self.line(last).end;
        let data = &self.text.as_bytes()[lines.clone()];
        let name = self.name.to_string();
        Ok(Box::new(MietteSpanContents::new_named(name, data, lines.into(), first, 0, last - first + 1)))
    }
}
