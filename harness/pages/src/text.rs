//! Renders blocks for a terminal: aligned tables, wrapped entries, and charts made of characters.

use assay_isa::shown;

use crate::chart::Figure;
use crate::chart::bars::{Bar, Bars};
use crate::number::{count, share};
use crate::{Block, Cell, Document, Inline, Item, List, Table, Text};

/// Width of wrapped text, in columns.
const WIDTH: usize = 100;
/// Width of a label and its indentation, in columns.
const INDENT: usize = 16;

/// Returns the page, with an empty line between its parts. Tables, lists and lines under a title or
/// a heading are indented.
pub fn text(document: &Document) -> String {
    let Document { title, lead, blocks, .. } = document;
    let mut parts = body(blocks, !title.is_empty());
    if !lead.0.is_empty() {
        parts.insert(0, lines(lead));
    }
    if !title.is_empty() {
        parts.insert(0, vec![title.clone(), "=".repeat(title.chars().count())]);
    }
    // Names in a result may contain characters that control a terminal.
    let safe = |lines: Vec<String>| lines.iter().map(|line| shown::line(line)).collect::<Vec<_>>().join("\n");
    parts.into_iter().map(safe).collect::<Vec<_>>().join("\n\n") + "\n"
}

/// Renders blocks as separate parts. A note directly follows the block before it.
fn body(blocks: &[Block], is_set_in: bool) -> Vec<Vec<String>> {
    let mut parts: Vec<Vec<String>> = Vec::new();
    let mut is_shown = false;
    for block in blocks {
        let mut new = self::parts(block);
        let columns = match block {
            Block::Lines(_) => 4,
            Block::Table(_) | Block::List(..) => 2,
            _ => 0,
        };
        if is_set_in {
            new.iter_mut().flatten().for_each(|line| line.insert_str(0, &" ".repeat(columns)));
        }
        let under = matches!(block, Block::Note(_)) && is_shown;
        is_shown = !new.is_empty();
        match parts.last_mut().filter(|_| under) {
            Some(part) => part.extend(new.concat()),
            None => parts.extend(new),
        }
    }
    parts
}

/// Renders a block as separate parts. Empty if the block is empty.
fn parts(block: &Block) -> Vec<Vec<String>> {
    let mut parts = match block {
        Block::Paragraph(text) | Block::Note(text) => vec![lines(text)],
        Block::Conclusion(_, words) => vec![vec![words.clone()]],
        Block::Section { heading, body: list, .. } => {
            let body = body(list, true);
            let heading = lines(heading).iter().map(|line| line.to_uppercase()).collect();
            if body.is_empty() { body } else { [vec![heading], body].concat() }
        }
        Block::Table(it) => vec![table(it)],
        Block::Facts(list) => {
            vec![list.iter().flat_map(|(label, text)| labelled(label, lines(text))).collect()]
        }
        Block::Entries(list) => list.iter().map(|(label, blocks)| entry(label, blocks)).collect(),
        Block::List(list, items) => vec![items_of(*list, items, None)],
        Block::Lines(lines) => vec![lines.clone()],
        Block::Command(command) => vec![vec![format!("  {command}")]],
        Block::Folded(summary, blocks) => match body(blocks, true) {
            parts if parts.is_empty() => parts,
            parts => [vec![lines(summary)], parts].concat(),
        },
        Block::Figures(list) => list.iter().map(figure).collect(),
        Block::Cards(_) | Block::Detail(_) => Vec::new(),
    };
    parts.retain(|part| !part.is_empty());
    parts
}

pub(super) fn lines(text: &Text) -> Vec<String> {
    let part = |part: &Inline| match part {
        Inline::Words(text) | Inline::Verbatim(text) | Inline::Code(text) => shown::line(text).into_owned(),
        Inline::Bold(text) | Inline::Small(text) | Inline::Changed(text) => shown::line(text).into_owned(),
        Inline::Link(text, _) | Inline::File(text, _) => shown::line(text).into_owned(),
        Inline::Markdown(text) => text.replace('`', ""),
        Inline::Key(..) => String::new(),
        Inline::Break => "\n".to_owned(),
    };
    text.0.iter().map(part).collect::<String>().lines().map(str::to_owned).collect()
}

/// Renders a label beside its content. If the content is lines that keep their spacing, the label
/// is on a line above them.
fn entry(label: &str, blocks: &[Block]) -> Vec<String> {
    let part = |block: &Block| match block {
        Block::List(list, items) => items_of(*list, items, Some(WIDTH - INDENT)),
        block => parts(block).concat(),
    };
    match blocks {
        [Block::Lines(lines)] => [vec![format!("  {label}")], lines.clone()].concat(),
        _ => labelled(label, blocks.iter().flat_map(part).collect()),
    }
}

fn labelled(label: &str, lines: Vec<String>) -> Vec<String> {
    let lines = lines.iter().flat_map(|line| wrapped(line, WIDTH - INDENT));
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    labels.zip(lines).map(|(label, line)| format!("  {}{line}", padded(label, INDENT - 2))).collect()
}

/// Renders items as lines, with an optional limit on their width.
fn items_of(list: List, items: &[Item], limit: Option<usize>) -> Vec<String> {
    let set_in = |text: &Text, first: &str, rest: &str| {
        let limit = limit.unwrap_or(usize::MAX).saturating_sub(rest.len());
        let all = lines(text).into_iter().flat_map(|line| wrapped(&line, limit));
        let mark = |(at, line)| format!("{}{line}", if at == 0 { first } else { rest });
        all.enumerate().map(mark).collect::<Vec<_>>()
    };
    let item = |(number, Item { text, lines }): (usize, &Item)| {
        let mark = if list == List::Numbers { format!("{number}: ") } else { "* ".to_owned() };
        let under = lines.iter().flat_map(|line| set_in(line, "     ", "     "));
        set_in(text, &mark, &" ".repeat(mark.len())).into_iter().chain(under).collect::<Vec<_>>()
    };
    (1..).zip(items).flat_map(item).collect()
}

/// Renders a table. No line ends with a space.
fn table(table: &Table) -> Vec<String> {
    if table.rows.is_empty() {
        return Vec::new();
    }
    let cell = |cell: &Cell| match cell {
        Cell::Words(text) => lines(text).join(" "),
        Cell::Code(text) | Cell::Number(text) | Cell::Judged(text) | Cell::Heat(_, text, _) => {
            shown::line(text).into_owned()
        }
    };
    let rows = table.all_rows().map(|row| row.iter().map(cell).collect());
    joined(&[vec![table.head.clone()], rows.collect()].concat(), &table.right())
}

fn joined(rows: &[Vec<String>], right: &[bool]) -> Vec<String> {
    aligned(rows, right).iter().map(|cells| cells.join("  ").trim_end().to_owned()).collect()
}

/// Pads the cells of each column to the width of its widest cell.
pub(super) fn aligned(rows: &[Vec<String>], right: &[bool]) -> Vec<Vec<String>> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..right.len()).map(width).collect();
    // Pads with `repeat`, because the format `{cell:>width$}` panics for a width of 65,536 or more.
    let align = |((cell, right), width): ((&String, &bool), &usize)| {
        let space = " ".repeat(width.saturating_sub(cell.chars().count()));
        if *right { space + cell } else { cell.clone() + &space }
    };
    rows.iter().map(|row| row.iter().zip(right).zip(&widths).map(align).collect()).collect()
}

fn figure(figure: &Figure) -> Vec<String> {
    match figure {
        Figure::Bars(chart) => bars(chart),
        _ => Vec::new(),
    }
}

/// Renders a chart with a line for each bin. The length of a bar is proportional to the share, with
/// one scale for all series. So samples of different size can be compared. A count too small for a
/// bar is shown as a dot, which an empty bin lacks.
pub(super) fn bars(chart: &Bars) -> Vec<String> {
    let width = [40, 20].get(chart.series.len() - 1).copied().unwrap_or(16);
    let all = || chart.series.iter().flat_map(|series| &series.bars);
    let (has_counts, has_shares) = (chart.series.len() <= 2, all().any(|bar| bar.of > 0));
    let ratio = |bar: &Bar| bar.number as f64 / bar.of.max(1) as f64;
    let most = all().map(ratio).fold(0.0, f64::max);
    let line = |text: &str| shown::line(text).into_owned();
    let (mut head, mut right) = (vec![chart.x.to_owned()], vec![true]);
    for series in &chart.series {
        let name = line(if series.name.is_empty() { "count" } else { &series.name });
        let names = if has_counts { vec![name.to_lowercase(), "share".to_owned()] } else { vec![name] };
        let number = usize::from(has_counts) + usize::from(has_shares);
        head.extend(names.into_iter().take(number).chain([String::new()]));
        right.extend(std::iter::repeat_n(true, number).chain([false]));
    }
    let row = |(place, bin): (usize, &String)| {
        let mut cells = vec![line(bin)];
        for bar in chart.series.iter().map(|series| &series.bars[place]) {
            cells.extend(has_counts.then(|| count(bar.number)));
            cells.extend(has_shares.then(|| share(bar.number, bar.of)));
            cells.push(format!("{:<width$}", marks(ratio(bar) / most, width)));
        }
        cells
    };
    let rows: Vec<Vec<String>> = chart.bins.iter().enumerate().map(row).collect();
    let has_dot = rows.iter().flatten().any(|cell| cell.starts_with('·'));
    let mut lines = joined(&[vec![head], rows].concat(), &right);
    lines.extend(has_dot.then(|| "· stands for a count too small for a bar".to_owned()));
    lines
}

/// Returns a bar, for a height from 0 to 1.
fn marks(height: f64, width: usize) -> String {
    match (height * width as f64).round() as usize {
        0 if height > 0.0 => "·".to_owned(),
        marks => "█".repeat(marks.min(width)),
    }
}

/// Returns the width of a character in columns: two for Chinese characters.
fn columns(c: char) -> usize {
    if ('\u{2e80}'..='\u{ffef}').contains(&c) { 2 } else { 1 }
}

fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// Splits text into lines of at most `limit` columns, at spaces and after Chinese characters.
fn wrapped(text: &str, limit: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in text.split_inclusive(|c| c == ' ' || columns(c) == 2) {
        let line = lines.last_mut().expect("there is always a line");
        // A closing punctuation mark does not begin a line.
        let closes = piece.starts_with(['，', '。', '；', '：', '、', '）', '？']);
        if width(line) + width(piece.trim_end()) > limit && !closes && !line.is_empty() {
            lines.push(piece.to_owned());
        } else {
            line.push_str(piece);
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_where_they_may() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("incomprehensible", 8), ["incomprehensible"]);
        assert_eq!(wrapped("一二三四，五六", 8), ["一二三四，", "五六"]);
        assert_eq!(wrapped("按 C 的规则", 6), ["按 C", "的规则"]);
        assert_eq!(wrapped("", 8), [""]);
        assert_eq!(padded("位置", 6), "位置  ");
    }
}
