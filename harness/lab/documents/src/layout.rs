//! How a document is laid out: the sections of each definition, and in them code, tables and prose.
//!
//! Facts are read while the text is parsed. The rest of a section is kept as spans of the text; the linter reads them
//! with a parser of its own.

use std::ops::Range;

/// A part of a document's text, in bytes.
pub type Span = Range<usize>;

/// A section of a definition: `__Syntax`, and its text up to the next head.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// Its name with the underscores: `__Syntax`.
    pub name: String,
    /// Where the name stands.
    pub head: Span,
    /// Its contents besides facts, in order.
    pub blocks: Vec<Block>,
    /// How many statements of facts are in it.
    pub facts: usize,
}

impl Section {
    /// Whether there is nothing below the head.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.facts == 0
    }

    /// The fenced code.
    pub fn code(&self) -> impl Iterator<Item = Span> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Code(span) => Some(span.clone()),
            _ => None,
        })
    }

    /// The tables.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    /// The lines of prose.
    pub fn prose(&self) -> impl Iterator<Item = Span> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Prose(span) => Some(span.clone()),
            _ => None,
        })
    }
}

/// A stretch of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// The lines between two fences.
    Code(Span),
    /// A Markdown table.
    Table(Table),
    /// A line of prose, trimmed.
    Prose(Span),
}

/// A Markdown table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// The heading (`### …`) that stands last before it in the section, without the `#`.
    pub heading: Option<Span>,
    /// The cells of each row, trimmed; the row of dashes is left out.
    pub rows: Vec<Vec<Span>>,
}

impl Section {
    /// Adds a line outside code that is not a fact; `span` is the line without white space around it.
    pub(crate) fn add_line(&mut self, text: &str, span: Span) {
        let line = &text[span.clone()];
        if !line.starts_with('|') {
            self.blocks.push(Block::Prose(span));
            return;
        }
        let cells = cells(line, span.start);
        let heading = self.last_heading(text);
        match self.blocks.last_mut() {
            Some(Block::Table(table)) => {
                if !is_rule(text, &cells) {
                    table.rows.push(cells);
                }
            }
            _ => self.blocks.push(Block::Table(Table { heading, rows: vec![cells] })),
        }
    }

    /// Ends a table: text after an empty line is another one.
    pub(crate) fn add_blank(&mut self) {
        if matches!(self.blocks.last(), Some(Block::Table(_))) {
            self.blocks.push(Block::Prose(0..0));
        }
    }

    fn last_heading(&self, text: &str) -> Option<Span> {
        let mut back = self.blocks.iter().rev();
        // Only the line above counts, so that no search goes back through the whole section.
        let Some(Block::Prose(span)) =
            back.find(|block| !matches!(block, Block::Prose(span) if span.is_empty()))
        else {
            return None;
        };
        let line = &text[span.clone()];
        let title = line.strip_prefix('#')?.trim_start_matches('#').trim_start();
        Some(span.end - title.len()..span.end)
    }
}

/// The cells of a row, by the bars that no backslash escapes.
fn cells(line: &str, start: usize) -> Vec<Span> {
    let mut cells = Vec::new();
    let mut from = 1;
    let bytes = line.as_bytes();
    for at in 1..=bytes.len() {
        let ends = at == bytes.len() || (bytes[at] == b'|' && bytes[at - 1] != b'\\');
        if !ends || (at == bytes.len() && from == at) {
            continue;
        }
        let cell = &line[from..at];
        let lead = cell.len() - cell.trim_start().len();
        let at_cell = start + from + lead;
        cells.push(at_cell..at_cell + cell.trim().len());
        from = at + 1;
    }
    cells
}

/// Whether a row is the one of dashes below the head of a table.
fn is_rule(text: &str, cells: &[Span]) -> bool {
    let is_dashes = |cell: &Span| {
        let cell = &text[cell.clone()];
        cell.contains("--") && cell.chars().all(|c| matches!(c, '-' | ':' | ' '))
    };
    !cells.is_empty() && cells.iter().all(is_dashes)
}
