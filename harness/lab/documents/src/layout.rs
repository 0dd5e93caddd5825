//! The layout of a document: the sections of each definition, with their code, tables and prose.
//!
//! The parser reads facts directly, and keeps the rest of a section as spans of the text. The
//! linter parses these spans separately.

use std::ops::Range;

/// A range of bytes of a document's text.
pub type Span = Range<usize>;

/// A section of a definition, such as `__Syntax`, up to the next section or definition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// Name of the section, with the underscores: `__Syntax`.
    pub name: String,
    /// Position of the name.
    pub head: Span,
    /// The contents other than facts, in order.
    pub blocks: Vec<Block>,
    /// Number of facts in the section.
    pub facts: usize,
}

impl Section {
    /// Whether nothing follows the section's name.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.facts == 0
    }

    /// Returns the fenced code.
    pub fn code(&self) -> impl Iterator<Item = Span> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Code(span) => Some(span.clone()),
            _ => None,
        })
    }

    /// Returns the tables.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    /// Returns the lines of prose.
    pub fn prose(&self) -> impl Iterator<Item = Span> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Prose(span) => Some(span.clone()),
            _ => None,
        })
    }
}

/// A part of a section.
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
    /// The heading (`### …`) directly above the table, without the `#`. Blank lines may lie
    /// between.
    pub heading: Option<Span>,
    /// The cells of each row, trimmed. The row of dashes is left out.
    pub rows: Vec<Vec<Span>>,
}

impl Section {
    /// Adds a line that is neither code nor a fact. `span` is the line without surrounding white
    /// space.
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

    /// Ends a table at an empty line. Later rows belong to a new table.
    pub(crate) fn add_blank(&mut self) {
        if matches!(self.blocks.last(), Some(Block::Table(_))) {
            self.blocks.push(Block::Prose(0..0));
        }
    }

    fn last_heading(&self, text: &str) -> Option<Span> {
        let mut back = self.blocks.iter().rev();
        // Only the nearest line above is examined, so the cost does not grow with the section.
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

/// Returns the cells of a row. An escaped bar (`\|`) does not end a cell.
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

/// Whether a row is the row of dashes below a table's head.
fn is_rule(text: &str, cells: &[Span]) -> bool {
    let is_dashes = |cell: &Span| {
        let cell = &text[cell.clone()];
        cell.contains("--") && cell.chars().all(|c| matches!(c, '-' | ':' | ' '))
    };
    !cells.is_empty() && cells.iter().all(is_dashes)
}
