//! A page as blocks, and the two forms that it is printed in: Markdown and plain text.

use std::fmt::Write;

/// A part of a page. Text has Markdown's backticks, and no other markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading of level 1 or 2.
    Heading(usize, String),
    /// A paragraph.
    Paragraph(String),
    /// Lines that keep their spacing.
    Code(Vec<String>),
    /// A list.
    List(Vec<String>),
    /// A table.
    Table {
        /// Names of the columns.
        head: Vec<String>,
        /// Rows with as many cells.
        rows: Vec<Vec<String>>,
    },
}

impl Block {
    /// A table.
    pub fn table<const N: usize>(head: [&str; N], rows: Vec<[String; N]>) -> Block {
        Block::Table {
            head: head.map(str::to_owned).to_vec(),
            rows: rows.into_iter().map(Vec::from).collect(),
        }
    }
}

/// The blocks as Markdown.
pub fn markdown(blocks: &[Block]) -> String {
    let mut page = String::new();
    for block in blocks {
        match block {
            Block::Heading(level, text) => page += &format!("{} {text}\n", "#".repeat(*level)),
            Block::Paragraph(text) => page += &format!("{text}\n"),
            Block::Code(lines) => page += &format!("```text\n{}\n```\n", lines.join("\n")),
            Block::List(items) => items.iter().for_each(|item| page += &format!("* {item}\n")),
            Block::Table { head, rows } => {
                page += &format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
                for row in rows {
                    let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
                    page += &format!("| {} |\n", cells.join(" | "));
                }
            }
        }
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page + "\n"
}

/// The blocks for a terminal.
pub fn text(blocks: &[Block]) -> String {
    let mut page = String::new();
    for block in blocks {
        match block {
            Block::Heading(1, text) => {
                page += &format!("{}\n{}\n", plain(text), "=".repeat(text.chars().count()))
            }
            Block::Heading(_, text) => page += &format!("{}\n", plain(text).to_uppercase()),
            Block::Paragraph(text) => page += &format!("{}\n", plain(text)),
            Block::Code(lines) => lines.iter().for_each(|line| page += &format!("    {line}\n")),
            Block::List(items) => items.iter().for_each(|item| page += &format!("  * {}\n", plain(item))),
            Block::Table { head, rows } => page += &columns(head, rows),
        }
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page + "\n"
}

/// Text without backticks.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// A table with its columns aligned.
fn columns(head: &[String], rows: &[Vec<String>]) -> String {
    let all: Vec<Vec<String>> = std::iter::once(head)
        .chain(rows.iter().map(Vec::as_slice))
        .map(|row| row.iter().map(|c| plain(c)).collect())
        .collect();
    let width = |column: usize| all.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut text = String::new();
    for row in all {
        let mut line = String::from("  ");
        for (cell, width) in row.iter().zip(&widths) {
            write!(line, "{cell:<width$}  ").expect("writing to a string cannot fail");
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}
