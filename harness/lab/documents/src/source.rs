//! The text of a document, with lines and columns of its bytes.

use std::sync::Arc;

use crate::error::Location;
use crate::layout::Span;

/// A document's name and text.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name to show.
    pub name: Arc<str>,
    /// The text.
    pub text: String,
    /// The byte where each line starts.
    lines: Vec<usize>,
}

impl Source {
    /// Creates a source from a name and a text.
    pub fn new(name: &str, text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        Self { name: Arc::from(name), text: text.to_owned(), lines }
    }

    /// Returns the text of a span.
    pub fn get(&self, span: &Span) -> &str {
        &self.text[span.clone()]
    }

    /// Returns the line of a byte, counted from 0.
    pub fn line_of(&self, at: usize) -> usize {
        self.lines.partition_point(|start| *start <= at) - 1
    }

    /// Returns the number of lines. An empty text has one line.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// Returns the bytes of a line without its line end. Lines count from 0.
    pub fn line(&self, line: usize) -> Span {
        let start = self.lines[line];
        let end = self.lines.get(line + 1).copied().unwrap_or(self.text.len());
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// Returns the line and column of a byte.
    pub fn location(&self, at: usize) -> Location {
        let line = self.line_of(at);
        let column = self.text[self.lines[line]..at].chars().count() as u32 + 1;
        Location { file: self.name.clone(), line: line as u32 + 1, column }
    }

    /// Returns the statement that begins at a position: up to a comment or the end of the line.
    pub fn statement(&self, at: &Location) -> Span {
        let line = self.line(at.line.saturating_sub(1) as usize);
        let text = self.get(&line);
        let skipped: usize =
            text.chars().take(at.column.saturating_sub(1) as usize).map(char::len_utf8).sum();
        let rest = &text[skipped..];
        let rest = rest.find("//").map_or(rest, |comment| &rest[..comment]).trim_end();
        let start = line.start + skipped;
        start..start + rest.len()
    }
}
