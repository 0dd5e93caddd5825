//! A page as data, without its appearance, and one renderer for each format.
//!
//! A caller builds a [`Document`]. Each renderer is one file, and knows no page:
//!
//! | file | what it renders |
//! |---|---|
//! | `html` | one HTML file with its own style; charts are SVG |
//! | `markdown` | a message, a pull request; what is long is folded |
//! | `text` | a terminal |
//! | `junit` | checks for CI systems, which are no page |
//!
//! [`chart`] has charts as data and as SVG, [`mod@number`] counts and shares as text, [`check`] what tests check of pages.
//! Texts come from files and devices: every renderer escapes what its format or a terminal obeys.
//!
//! ```
//! use assay_pages::{Document, Table, code, markdown, row, section};
//!
//! let table = Table::new("", "Form | Cases", [row![code("FADD_RR"), 12_000]]);
//! let page = Document::new("A run", vec![section("Forms", vec![table.into()])]);
//! assert_eq!(
//!     markdown(&page),
//!     "# A run\n\n## Forms\n\n| Form      |  Cases |\n| --------- | -----: |\n| `FADD_RR` | 12,000 |\n"
//! );
//! ```

pub mod chart;
pub mod check;
mod html;
mod junit;
mod markdown;
pub mod number;
#[cfg(test)]
mod tests;
mod text;

pub use html::html;
pub use junit::{Check, Status, Suite, junit};
pub use markdown::markdown;
pub use text::text;

use chart::Figure;
use number::count;

/// A page.
pub struct Document {
    /// Tag of its language: `en`, `zh`.
    pub language: &'static str,
    /// Its title. A terminal shows a page without one as blocks that are not set in.
    pub title: String,
    /// A line under the title; can be empty.
    pub lead: Text,
    /// The blocks under the title.
    pub blocks: Vec<Block>,
    /// Whether the cells of a column have one width in Markdown, for readers of its source.
    pub is_aligned: bool,
}

/// A part of a page. An empty part is left out: a table without rows, a section without a body.
pub enum Block {
    /// A paragraph.
    Paragraph(Text),
    /// Small print about the block before it.
    Note(Text),
    /// The result in a sentence.
    Conclusion(Tone, String),
    /// Figures that sum the page up, for a browser: the text of other formats has them in sentences.
    Cards(Vec<Card>),
    /// Blocks under a heading. A link leads to the id.
    Section {
        /// The target of links.
        id: Option<String>,
        /// The heading.
        heading: Text,
        /// The blocks under it.
        body: Vec<Block>,
    },
    /// A table.
    Table(Table),
    /// Labels, each with a short text.
    Facts(Vec<(&'static str, Text)>),
    /// Labels, each with blocks.
    Entries(Vec<(&'static str, Vec<Block>)>),
    /// A list.
    List(List, Vec<Item>),
    /// Lines that keep their spacing.
    Lines(Vec<String>),
    /// Charts side by side.
    Figures(Vec<Figure>),
    /// A command to copy.
    Command(String),
    /// Blocks that are shown on request, under a summary.
    Folded(Text, Vec<Block>),
    /// Content for a browser only.
    Detail(Vec<Block>),
}

/// A figure that sums a page up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The label.
    pub label: &'static str,
    /// The figure.
    pub value: String,
    /// More about it; can be empty.
    pub note: String,
    /// Whether it is good or bad, if it is either.
    pub tone: Option<Tone>,
}

/// How good a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Everything held.
    Good,
    /// Something did not.
    Bad,
    /// Open.
    Open,
}

/// The mark before an item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// A bullet.
    Bullets,
    /// A number, from 1.
    Numbers,
    /// None: the items lead to places on the page.
    Contents,
}

/// An item of a list.
pub struct Item {
    /// The text.
    pub text: Text,
    /// Lines under it.
    pub lines: Vec<Text>,
}

/// Text with marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(pub Vec<Inline>);

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Words; text between backticks is code.
    Words(String),
    /// A text of the program's own, in Markdown.
    Markdown(String),
    /// A quotation: not even a backtick has a meaning.
    Verbatim(String),
    /// Text to type or to search for.
    Code(String),
    /// Words that stand out.
    Bold(String),
    /// Words that stand back.
    Small(String),
    /// A name that leads to an id on the page.
    Link(String, String),
    /// A name that leads to a file, by its path relative to the page.
    File(String, String),
    /// Characters that differ from those of another text.
    Changed(String),
    /// The colour of cells of a heat map, and its meaning.
    Key(&'static str, &'static str),
    /// The end of a line.
    Break,
}

/// A table. A column is aligned as its first cell.
pub struct Table {
    /// The caption; can be empty.
    pub caption: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// Rows with as many cells.
    pub rows: Vec<Vec<Cell>>,
    /// Whether it is shown in full however long it is.
    pub is_open: bool,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Text, to the left.
    Words(Text),
    /// Text to type or to search for, aligned to the left; can be empty.
    Code(String),
    /// A number, to the right.
    Number(String),
    /// A judgement, whose first word decides its colour.
    Judged(String),
    /// A number of a heat map: the level of its colour, its text, and the text beside it.
    Heat(&'static str, String, String),
}

/// A row of a table: each value becomes the [`Cell`] of its type.
#[macro_export]
macro_rules! row {
    [$($cell:expr),* $(,)?] => { [$($crate::Cell::from($cell)),*] };
}

impl Document {
    /// A page in English.
    pub fn new(title: &str, blocks: Vec<Block>) -> Document {
        Document { language: "en", title: title.to_owned(), lead: Text::default(), blocks, is_aligned: true }
    }

    /// The page with a line under its title.
    pub fn with_lead(self, lead: impl Into<Text>) -> Document {
        Document { lead: lead.into(), ..self }
    }

    /// The page, with tables of Markdown as short as they go.
    pub fn compact(self) -> Document {
        Document { is_aligned: false, ..self }
    }
}

/// A section that no link leads to.
pub fn section(heading: impl Into<Text>, body: Vec<Block>) -> Block {
    Block::Section { id: None, heading: heading.into(), body }
}

/// A paragraph.
pub fn paragraph(text: impl Into<Text>) -> Block {
    Block::Paragraph(text.into())
}

/// Small print about the block before it.
pub fn note(text: impl Into<Text>) -> Block {
    Block::Note(text.into())
}

/// A cell of code.
pub fn code(text: impl Into<String>) -> Cell {
    Cell::Code(text.into())
}

/// A cell with a number.
pub fn number(text: impl Into<String>) -> Cell {
    Cell::Number(text.into())
}

/// A cell with a judgement.
pub fn judged(text: impl Into<String>) -> Cell {
    Cell::Judged(text.into())
}

impl Table {
    /// A table that is folded where it is long. The head has the names of the columns with ` | ` between them.
    ///
    /// # Panics
    /// If there are not as many columns as cells in a row.
    pub fn new<const N: usize>(
        caption: &str,
        head: &str,
        rows: impl IntoIterator<Item = [Cell; N]>,
    ) -> Table {
        let head: Vec<String> = head.split(" | ").map(str::to_owned).collect();
        assert_eq!(head.len(), N, "{head:?}");
        let rows = rows.into_iter().map(Vec::from).collect();
        Table { caption: caption.to_owned(), head, rows, is_open: false }
    }

    /// The table, shown in full however long it is.
    pub fn open(self) -> Table {
        Table { is_open: true, ..self }
    }

    /// Its caption with the number of rows, if it is folded.
    fn folded(&self) -> Option<String> {
        const LONG: usize = 24;
        let rows = self.rows.len();
        (rows > LONG && !self.is_open).then(|| format!("{} ({rows} rows)", self.caption).trim().to_owned())
    }

    /// Whether each column is aligned to the right.
    fn right(&self) -> Vec<bool> {
        let is_number = |cell: &Cell| matches!(cell, Cell::Number(_) | Cell::Heat(..));
        self.rows.first().map_or(Vec::new(), |row| row.iter().map(is_number).collect())
    }
}

impl Text {
    /// Codes with commas between them.
    pub fn codes(names: impl IntoIterator<Item = impl Into<String>>) -> Text {
        let mut parts = Vec::new();
        for name in names {
            if !parts.is_empty() {
                parts.push(Inline::Words(", ".to_owned()));
            }
            parts.push(Inline::Code(name.into()));
        }
        Text(parts)
    }

    /// A text of the program's own, in Markdown.
    pub fn markdown(text: impl Into<String>) -> Text {
        Inline::Markdown(text.into()).into()
    }

    /// Quotations, a line each.
    pub fn verbatim(lines: impl IntoIterator<Item = impl Into<String>>) -> Text {
        let mut parts = Vec::new();
        for line in lines {
            if !parts.is_empty() {
                parts.push(Inline::Break);
            }
            parts.push(Inline::Verbatim(line.into()));
        }
        Text(parts)
    }
}

/// A relative path as the target of a link. No character in it names a scheme, such as `javascript:`, or another host.
pub(crate) fn href(path: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'/' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let text: String = path.bytes().map(byte).collect();
    if text.starts_with("//") { format!(".{text}") } else { text }
}

impl From<Text> for Item {
    fn from(text: Text) -> Item {
        Item { text, lines: Vec::new() }
    }
}

impl From<Table> for Block {
    fn from(table: Table) -> Block {
        Block::Table(table)
    }
}

impl From<Inline> for Text {
    fn from(part: Inline) -> Text {
        Text(vec![part])
    }
}

impl From<String> for Text {
    fn from(words: String) -> Text {
        Inline::Words(words).into()
    }
}

impl From<&str> for Text {
    fn from(words: &str) -> Text {
        words.to_owned().into()
    }
}

impl From<Text> for Cell {
    fn from(text: Text) -> Cell {
        Cell::Words(text)
    }
}

impl From<String> for Cell {
    fn from(words: String) -> Cell {
        Cell::Words(words.into())
    }
}

impl From<&str> for Cell {
    fn from(words: &str) -> Cell {
        Cell::Words(words.into())
    }
}

impl From<u64> for Cell {
    fn from(value: u64) -> Cell {
        Cell::Number(count(value))
    }
}
