//! A Markdown page under construction: headings, paragraphs, tables and what is folded.

use assay_isa::shown;

use crate::table::{Table, words};

/// A table with more rows is folded.
pub const LONG: usize = 24;

/// A page under construction: sections apart by an empty line, those without a body left out.
pub struct Page {
    text: String,
    level: usize,
}

impl Page {
    /// A page with a title in Markdown: what a file gave is escaped by then.
    pub fn new(title: &str, level: usize) -> Page {
        Page { text: format!("{} {}\n", "#".repeat(level), title), level }
    }

    /// Adds a paragraph, or a table as text.
    pub fn paragraph(&mut self, text: &str) {
        if !text.is_empty() {
            self.text += &format!("\n{}\n", text.trim_end());
        }
    }

    /// Adds a heading with its body; nothing where there is no body.
    pub fn section(&mut self, heading: &str, body: &str) {
        if !body.is_empty() {
            self.paragraph(&format!("{} {}", "#".repeat(self.level + 1), words(heading)));
            self.paragraph(body);
        }
    }

    /// Adds a code block, folded under its heading where Markdown is shown as a page; nothing where there is no line.
    pub fn block(&mut self, heading: &str, lines: &[String]) {
        if !lines.is_empty() {
            self.folded(heading, &format!("```text\n{}\n```", lines.join("\n")));
        }
    }

    /// Adds a section that is folded where it is long.
    pub fn long_section<const N: usize>(&mut self, heading: &str, table: &Table<N>) {
        match table.rows().len() {
            0..=LONG => self.section(heading, &table.markdown()),
            rows => self.folded(&format!("{heading} ({rows} rows)"), &table.markdown()),
        }
    }

    fn folded(&mut self, heading: &str, body: &str) {
        self.paragraph(&format!(
            "<details><summary>{}</summary>\n\n{}\n\n</details>",
            words(heading),
            body.trim_end()
        ));
    }

    /// The page's text.
    pub fn finish(self) -> String {
        shown::page(&self.text).into_owned()
    }
}
