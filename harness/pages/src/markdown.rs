//! Renders a page as Markdown, for a message or a pull request.

use assay_isa::shown;

use crate::chart::Figure;
use crate::href;
use crate::text::{aligned, bars};
use crate::{Block, Cell, Document, Inline, Item, List, Table, Text};

/// Returns the page.
pub fn markdown(document: &Document) -> String {
    let colon = if document.language == "zh" { "：" } else { ": " };
    let parts = Renderer { colon, is_aligned: document.is_aligned };
    let mut page = vec![format!("# {}", words(&document.title))];
    page.extend(Some(inline(&document.lead)).filter(|lead| !lead.is_empty()));
    page.extend(parts.body(&document.blocks, 2));
    shown::page(&(page.join("\n\n") + "\n")).into_owned()
}

struct Renderer {
    /// The text after a label.
    colon: &'static str,
    /// Whether the cells of each column are padded to one width.
    is_aligned: bool,
}

impl Renderer {
    /// Renders blocks as separate parts. Headings of their sections have the given level.
    fn body(&self, blocks: &[Block], level: usize) -> Vec<String> {
        blocks.iter().flat_map(|block| self.block(block, level)).filter(|part| !part.is_empty()).collect()
    }

    fn block(&self, block: &Block, level: usize) -> Vec<String> {
        match block {
            Block::Paragraph(text) | Block::Note(text) => vec![inline(text)],
            Block::Conclusion(_, text) => vec![words(text)],
            Block::Section { id, heading, body } => {
                let anchor = id.iter().map(|id| format!("<a id=\"{id}\"></a>")).collect::<String>();
                let heading = format!("{} {anchor}{}", "#".repeat(level), inline(heading));
                let body = self.body(body, level + 1);
                if body.is_empty() { body } else { [vec![heading], body].concat() }
            }
            Block::Table(table) => self.table(table),
            Block::Facts(list) => {
                let rows = list.iter().map(|(label, text)| crate::row![*label, text.clone()]);
                vec![self.grid(&Table::new("", "Property | Value", rows))]
            }
            Block::Entries(list) => {
                list.iter().flat_map(|(label, blocks)| self.entry(label, blocks, level)).collect()
            }
            Block::List(list, items) => vec![listed(*list, items)],
            Block::Lines(lines) => vec![fenced("text", lines)],
            Block::Command(command) => vec![fenced("sh", &[without_tags(&line(command), "\\u{3c}")])],
            Block::Folded(summary, blocks) => match self.body(blocks, level) {
                parts if parts.is_empty() => parts,
                parts => vec![folded(&plain(summary), &parts.join("\n\n"))],
            },
            Block::Figures(list) => list.iter().map(figure).collect(),
            Block::Cards(_) | Block::Detail(_) => Vec::new(),
        }
    }

    fn entry(&self, label: &str, blocks: &[Block], level: usize) -> Vec<String> {
        let label = format!("**{label}**{}", self.colon);
        match blocks {
            [Block::Paragraph(text), rest @ ..] => {
                [vec![(label + &inline(text)).trim_end().to_owned()], self.body(rest, level)].concat()
            }
            _ => [vec![label.trim_end().to_owned()], self.body(blocks, level)].concat(),
        }
    }

    fn table(&self, table: &Table) -> Vec<String> {
        match table.folded() {
            _ if table.rows.is_empty() => Vec::new(),
            Some(summary) => vec![folded(&summary, &self.grid(table))],
            None if table.caption.is_empty() => vec![self.grid(table)],
            None => vec![format!("**{}**", words(&table.caption)), self.grid(table)],
        }
    }

    /// Renders the head, the rule and the rows of a table.
    fn grid(&self, table: &Table) -> String {
        let right = table.right();
        let head: Vec<String> = table.head.iter().map(|name| words(name).replace('|', "\\|")).collect();
        let rows = table.all_rows().map(|row| row.iter().map(cell).collect());
        let mut lines = [vec![head], rows.collect()].concat();
        if self.is_aligned {
            lines = aligned(&lines, &right);
        }
        let rule = right.iter().zip(&lines[0]).map(|(right, name)| {
            let dashes = "-".repeat(if self.is_aligned { name.chars().count() } else { 3 });
            if *right { format!("{}:", "-".repeat(dashes.len().max(2) - 1)) } else { dashes }
        });
        let space = if self.is_aligned { " " } else { "" };
        let rule = rule.collect::<Vec<_>>().join(&format!("{space}|{space}"));
        let rule = format!("|{space}{rule}{space}|");
        let mut lines = lines.iter().map(|cells| format!("| {} |", cells.join(" | "))).collect::<Vec<_>>();
        lines.insert(1, rule);
        lines.join("\n")
    }
}

fn listed(list: List, items: &[Item]) -> String {
    let item = |(number, Item { text, lines }): (usize, &Item)| {
        let mark = match list {
            List::Bullets => "*".to_owned(),
            List::Numbers => format!("{number}."),
            List::Contents => "-".to_owned(),
        };
        let lines: String = lines.iter().map(|line| format!("   - {}\n", inline(line))).collect();
        format!("{mark} {}\n{lines}", inline(text))
    };
    (1..).zip(items).map(item).collect::<String>().trim_end().to_owned()
}

/// Renders the bars of a chart as text. Only a browser draws other charts. Tables beside such
/// charts have the numbers.
fn figure(figure: &Figure) -> String {
    match figure {
        Figure::Bars(chart) if !chart.bins.is_empty() => {
            // The name of a bin must open no tag, because some renderers do not support fenced
            // blocks.
            let lines: Vec<String> = bars(chart).iter().map(|line| without_tags(line, "\\u{3c}")).collect();
            folded(&chart.title, &fenced("text", &lines))
        }
        _ => String::new(),
    }
}

/// Returns a fenced block of lines. The lines keep their spacing, and cannot end the block.
fn fenced(language: &str, lines: &[String]) -> String {
    let lines = lines.iter().map(|line| shown::line(line).replace("```", "\\u{60}``"));
    format!("```{language}\n{}\n```", lines.collect::<Vec<_>>().join("\n"))
}

fn folded(summary: &str, body: &str) -> String {
    format!("<details><summary>{}</summary>\n\n{body}\n\n</details>", words(summary))
}

/// Renders a cell as text that cannot end the cell or its row.
fn cell(cell: &Cell) -> String {
    let text = match cell {
        Cell::Words(text) => inline(text),
        Cell::Code(text) => code(text),
        Cell::Number(text) | Cell::Judged(text) | Cell::Heat(_, text, _) => words(text),
    };
    text.replace('|', "\\|")
}

fn inline(text: &Text) -> String {
    let part = |part: &Inline| match part {
        Inline::Words(text) | Inline::Small(text) => words(text),
        Inline::Markdown(text) => text.clone(),
        Inline::Verbatim(text) => escaped(text),
        Inline::Code(text) => code(text),
        Inline::Bold(text) => format!("**{}**", words(text)),
        Inline::Link(name, id) => format!("[{}](#{id})", escaped(name)),
        Inline::File(name, path) => format!("[{}]({})", escaped(name), href(path)),
        Inline::Changed(text) => format!("**{}**", words(text)),
        Inline::Key(..) => String::new(),
        Inline::Break => "\\\n".to_owned(),
    };
    text.0.iter().map(part).collect()
}

/// Returns a text without formatting, for the summary of folded content.
fn plain(text: &Text) -> String {
    crate::text::lines(text).join(" ")
}

/// Returns text on one line, without control characters.
fn line(text: &str) -> String {
    shown::line(&text.replace(['\r', '\n'], " ")).into_owned()
}

/// Returns Markdown words on one line. They open no HTML tag.
fn words(text: &str) -> String {
    without_tags(&line(text), "&lt;")
}

/// Returns text as a code span on one line; unchanged if it is empty. A backtick is escaped,
/// because it would end the span. The start of a tag is escaped too, because some renderers do not
/// support spans.
fn code(text: &str) -> String {
    let line = line(text);
    if line.trim().is_empty() {
        return line;
    }
    format!("`{}`", without_tags(&line, "\\u{3c}").replace('`', "\\u{60}"))
}

/// Escapes text, so that Markdown shows it unchanged.
fn escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '<' => "&lt;".to_owned(),
        c if r"\`*_{}[]>|#~".contains(c) => format!("\\{c}"),
        c => c.to_string(),
    };
    line(text).chars().map(escape).collect()
}

/// Replaces each `<` that opens an HTML tag by `instead`.
fn without_tags(text: &str, instead: &str) -> String {
    let opens = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
    let mut parts = text.split('<');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += if opens(part) { instead } else { "<" };
        out += part;
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::check::whole_tables;
    use crate::{number, row};

    #[test]
    fn layouts_align() {
        let table = |rows: Vec<[Cell; 2]>| Table::new("", "what | n", rows);
        let page = |title: &str, rows| Document::new(title, vec![table(rows).into()]);
        assert_eq!(markdown(&page("t", Vec::new())), "# t\n");
        assert_eq!(crate::text(&page("", Vec::new())), "\n");
        let rows = [("|R1|", "12,000"), ("x", "7")].map(|(what, n)| row![crate::code(what), number(n)]);
        insta::assert_snapshot!(markdown(&page("t", rows.clone().into())), @r"
        # t

        | what     |      n |
        | -------- | -----: |
        | `\|R1\|` | 12,000 |
        | `x`      |      7 |
        ");
        insta::assert_snapshot!(markdown(&page("t", rows.clone().into()).compact()), @r"
        # t

        | what | n |
        |---|--:|
        | `\|R1\|` | 12,000 |
        | `x` | 7 |
        ");
        insta::assert_snapshot!(crate::text(&page("", rows.into())), @r"
        what       n
        |R1|  12,000
        x          7
        ");
    }

    #[test]
    fn what_opens_a_tag_is_spelt_out() {
        for (text, as_words, as_code) in [
            ("a < b <= c <3", "a < b <= c <3", "`a < b <= c <3`"),
            ("<<b>", "<&lt;b>", r"`<\u{3c}b>`"),
            ("</a><!--<?x", "&lt;/a>&lt;!--&lt;?x", r"`\u{3c}/a>\u{3c}!--\u{3c}?x`"),
            ("`<b>", "`&lt;b>", r"`\u{60}\u{3c}b>`"),
            (" ", " ", " "),
        ] {
            assert_eq!((words(text).as_str(), code(text).as_str()), (as_words, as_code));
        }
    }

    proptest! {
        #[test]
        fn any_cell_leaves_the_table_whole(cells in proptest::array::uniform3("[^\\\\]*")) {
            let [words, typed, figure] = cells;
            let table = Table::new("", "a | b|c | d", [row![words, crate::code(typed), number(figure)]]);
            prop_assert_eq!(whole_tables(&markdown(&Document::new("t", vec![table.into()]))), Ok(1));
        }
    }
}
