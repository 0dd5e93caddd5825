//! A page as data, without its appearance, and one renderer for each format.
//!
//! A caller builds a [`Document`]. Each renderer is one module, and depends on no particular page:
//!
//! | file | what it renders |
//! |---|---|
//! | `html` | one HTML file with its own style; charts are SVG |
//! | `markdown` | Markdown for messages and pull requests; long parts are folded |
//! | `text` | text for a terminal |
//! | `junit` | checks for CI systems, not pages |
//!
//! [`chart`] has charts, as data and as SVG. [`mod@number`] writes counts and shares as text.
//! [`check`] has checks of pages for tests. Texts come from files and devices. So each renderer
//! escapes characters with a meaning in its format or in a terminal.
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
    /// Tag of the page's language: `en` or `zh`.
    pub language: &'static str,
    /// Title of the page. For a page without a title, a terminal shows its blocks without
    /// indentation.
    pub title: String,
    /// A line below the title; may be empty.
    pub lead: Text,
    /// The blocks below the title.
    pub blocks: Vec<Block>,
    /// Whether Markdown pads the cells of each column to one width, for readers of the source.
    pub is_aligned: bool,
}

/// A part of a page. An empty part is left out: a table without rows, a section without a body.
pub enum Block {
    /// A paragraph.
    Paragraph(Text),
    /// A remark on the block before it.
    Note(Text),
    /// The outcome of the page in a sentence.
    Conclusion(Tone, String),
    /// Figures that sum up the page, for a browser only. Other formats state them in sentences.
    Cards(Vec<Card>),
    /// Blocks under a heading.
    Section {
        /// The id, to which links lead.
        id: Option<String>,
        /// The heading.
        heading: Text,
        /// The blocks below the heading.
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

/// A figure that sums up a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The label.
    pub label: &'static str,
    /// The figure.
    pub value: String,
    /// A remark; may be empty.
    pub note: String,
    /// Whether the figure is good, bad or undecided. `None` if it is not judged.
    pub tone: Option<Tone>,
}

/// The judgement of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Everything held.
    Good,
    /// Something did not hold.
    Bad,
    /// Undecided.
    Open,
}

/// The mark before an item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// A bullet.
    Bullets,
    /// A number, counted from 1.
    Numbers,
    /// No mark: each item links to a place on the page.
    Contents,
}

/// An item of a list.
pub struct Item {
    /// The text.
    pub text: Text,
    /// Lines below the text.
    pub lines: Vec<Text>,
}

/// Text with formatting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(pub Vec<Inline>);

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Words, in which text between backticks is code.
    Words(String),
    /// Markdown that the program itself wrote.
    Markdown(String),
    /// A quotation, in which no character has a meaning.
    Verbatim(String),
    /// Text to type or to search for.
    Code(String),
    /// Emphasised words.
    Bold(String),
    /// Words in small print.
    Small(String),
    /// A name, and the id on the page to which it links.
    Link(String, String),
    /// A name, and the path of the file to which it links, relative to the page.
    File(String, String),
    /// Characters that differ from another text.
    Changed(String),
    /// The colour of some cells of a heat map, and the meaning of this colour.
    Key(&'static str, &'static str),
    /// The end of a line.
    Break,
}

/// A table. The first cell of a column decides the column's alignment.
#[derive(Default)]
pub struct Table {
    /// The caption; may be empty.
    pub caption: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// The rows. Each has as many cells as the head.
    pub rows: Vec<Vec<Cell>>,
    /// The totals below the rows, which sorting does not move. Empty if there are none.
    pub foot: Vec<Cell>,
    /// A command about a cell. `{row}` and `{column}` stand for the heads of the cell's row and
    /// column. A page writes the command of a clicked cell.
    pub cell_command: Option<String>,
    /// Whether the table is shown in full, even if it is long.
    pub is_open: bool,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Text, aligned to the left.
    Words(Text),
    /// Text to type or to search for, aligned to the left; may be empty.
    Code(String),
    /// A number, aligned to the right.
    Number(String),
    /// A judgement, whose first word decides the colour.
    Judged(String),
    /// A number of a heat map: the level of its colour, its text, and its tooltip.
    Heat(&'static str, String, String),
}

/// A row of a table. Each value becomes a [`Cell`], by its type.
#[macro_export]
macro_rules! row {
    [$($cell:expr),* $(,)?] => { [$($crate::Cell::from($cell)),*] };
}

impl Document {
    /// Returns a page in English.
    pub fn new(title: &str, blocks: Vec<Block>) -> Document {
        Document { language: "en", title: title.to_owned(), lead: Text::default(), blocks, is_aligned: true }
    }

    /// Returns the page with a line below its title.
    pub fn with_lead(self, lead: impl Into<Text>) -> Document {
        Document { lead: lead.into(), ..self }
    }

    /// Returns the page with unpadded Markdown tables.
    pub fn compact(self) -> Document {
        Document { is_aligned: false, ..self }
    }
}

/// Returns a section without an id for links.
pub fn section(heading: impl Into<Text>, body: Vec<Block>) -> Block {
    Block::Section { id: None, heading: heading.into(), body }
}

/// Returns a paragraph.
pub fn paragraph(text: impl Into<Text>) -> Block {
    Block::Paragraph(text.into())
}

/// Returns a remark on the block before it.
pub fn note(text: impl Into<Text>) -> Block {
    Block::Note(text.into())
}

/// Returns a cell of code.
pub fn code(text: impl Into<String>) -> Cell {
    Cell::Code(text.into())
}

/// Returns a cell with a number.
pub fn number(text: impl Into<String>) -> Cell {
    Cell::Number(text.into())
}

/// Returns a cell with a judgement.
pub fn judged(text: impl Into<String>) -> Cell {
    Cell::Judged(text.into())
}

impl Table {
    /// Returns a table, which is folded if it is long. `head` has the names of the columns, with
    /// ` | ` between them.
    ///
    /// # Panics
    /// If the number of columns differs from the number of cells in a row.
    pub fn new<const N: usize>(
        caption: &str,
        head: &str,
        rows: impl IntoIterator<Item = [Cell; N]>,
    ) -> Table {
        let head: Vec<String> = head.split(" | ").map(str::to_owned).collect();
        assert_eq!(head.len(), N, "{head:?}");
        let rows = rows.into_iter().map(Vec::from).collect();
        Table { caption: caption.to_owned(), head, rows, ..Table::default() }
    }

    /// Returns the table, marked to be shown in full even if it is long.
    pub fn open(self) -> Table {
        Table { is_open: true, ..self }
    }

    /// Returns the table without the columns in which every row has a blank or [`number::NONE`].
    pub fn without_blank(mut self) -> Table {
        let is_blank = |cell: &Cell| match cell {
            Cell::Words(Text(parts)) => parts.is_empty(),
            Cell::Code(text) | Cell::Number(text) | Cell::Judged(text) | Cell::Heat(_, text, _) => {
                text.is_empty() || text == number::NONE
            }
        };
        let column = |place: usize| self.rows.iter().map(move |row| &row[place]);
        let kept: Vec<bool> = (0..self.head.len()).map(|place| !column(place).all(is_blank)).collect();
        let of_kept = |place: usize| kept[place];
        for cells in self.rows.iter_mut().chain([&mut self.foot]) {
            let mut places = 0..;
            cells.retain(|_| places.next().is_some_and(of_kept));
        }
        let mut places = 0..;
        self.head.retain(|_| places.next().is_some_and(of_kept));
        self
    }

    /// Returns the caption with the number of rows, if the table is folded.
    fn folded(&self) -> Option<String> {
        const LONG: usize = 24;
        let rows = self.rows.len();
        (rows > LONG && !self.is_open).then(|| format!("{} ({rows} rows)", self.caption).trim().to_owned())
    }

    /// Returns for each column whether it is aligned to the right.
    fn right(&self) -> Vec<bool> {
        let is_number = |cell: &Cell| matches!(cell, Cell::Number(_) | Cell::Heat(..));
        self.rows.first().map_or(Vec::new(), |row| row.iter().map(is_number).collect())
    }

    /// Returns the rows, and the totals if there are any.
    fn all_rows(&self) -> impl Iterator<Item = &Vec<Cell>> {
        self.rows.iter().chain(Some(&self.foot).filter(|foot| !foot.is_empty()))
    }
}

impl Text {
    /// Returns names as code, with commas between them.
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

    /// Returns text from Markdown that the program itself wrote.
    pub fn markdown(text: impl Into<String>) -> Text {
        Inline::Markdown(text.into()).into()
    }

    /// Returns quotations, one on each line.
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

/// Converts a relative path to a link target. Escaping ensures that the target names no scheme,
/// such as `javascript:`, and no other host.
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
