//! Tables in HTML. A table wider than the screen has its own scroll bar. The keyboard
//! scrolls it, too.
//!
//! The rows of a long table of plain cells are stored as text. The script unpacks them when a
//! reader opens the table. So the page stays small, and a browser lays out only opened tables.

use maud::{Markup, html};

use super::inline;
use crate::{Cell, Inline, Table, Text};

/// Greatest number of rows of a folded table whose rows are HTML. The rows of a longer table of
/// plain cells are stored as text.
const PACKED: usize = 60;

/// Renders a table. Empty if there are no rows.
pub fn table(table: &Table) -> Markup {
    if table.rows.is_empty() {
        return html! {};
    }
    let Some(summary) = table.folded() else { return frame(table, rows(table)) };
    match packed(table).filter(|_| table.rows.len() > PACKED) {
        Some((kinds, text)) => html! {
            details.packed data-kinds=(kinds) {
                summary { (summary) }
                noscript { p { "These rows need a browser that runs scripts." } }
                (frame(table, html! { tbody {} }))
                template { (text) }
            }
        },
        None => html! { details { summary { (summary) } (frame(table, rows(table))) } },
    }
}

/// Renders the head of a table, and the given rows.
fn frame(table: &Table, rows: Markup) -> Markup {
    let caption = Some(&table.caption).filter(|caption| !caption.is_empty());
    let is_folded = table.folded().is_some();
    html! {
        div.scroll role="group" tabindex="0" aria-label=[caption] {
            table class=[table.cell_command.as_ref().map(|_| "map")] data-command=[&table.cell_command] {
                @if let Some(caption) = caption.filter(|_| !is_folded) { caption { (caption) } }
                thead { tr {
                    @for (name, right) in table.head.iter().zip(table.right()) {
                        @if name.trim().is_empty() { td {} } @else { th scope="col" class=[right.then_some("number")] { (name) } }
                    }
                } }
                (rows)
                @if !table.foot.is_empty() { tfoot { (row(&table.foot)) } }
            }
        }
    }
}

fn rows(table: &Table) -> Markup {
    html! { tbody { @for cells in &table.rows { (row(cells)) } } }
}

fn row(cells: &[Cell]) -> Markup {
    html! { tr { @for it in cells { (cell(it)) } } }
}

fn cell(cell: &Cell) -> Markup {
    html! {
        @match cell {
            Cell::Words(text) => td { (inline(text)) },
            Cell::Code(text) => td { @if !text.is_empty() { code { (text) } } },
            Cell::Number(text) => td.number { (super::marked(text)) },
            Cell::Judged(text) => td class=[tone(text)] { (text) },
            Cell::Heat(level, text, about) => td.number.(level) title=(about) { (text) },
        }
    }
}

/// Returns the class that colours a judgement. The words alone have the full meaning.
fn tone(text: &str) -> Option<&'static str> {
    match text.split([' ', ':']).next() {
        Some("held" | "better") => Some("good"),
        Some("exceeded" | "missed" | "worse") => Some("bad"),
        Some("sampled") => Some("quiet"),
        _ => None,
    }
}

/// Returns one letter for the kind of each column, and the rows as text. Tabs separate cells, and
/// `"` means the text of the cell above. `None` if a cell is more than a text, or if cells of a
/// column differ in kind.
fn packed(table: &Table) -> Option<(String, String)> {
    let kinds: Vec<char> =
        table.rows.first()?.iter().map(|cell| plain(cell).map(|(kind, _)| kind)).collect::<Option<_>>()?;
    let mut above: Vec<&str> = vec![""; kinds.len()];
    let mut lines = Vec::new();
    for row in &table.rows {
        let mut cells = Vec::new();
        for (column, cell) in row.iter().enumerate() {
            let (kind, text) = plain(cell)?;
            if kind != kinds[column] {
                return None;
            }
            let is_same = !lines.is_empty() && above[column] == text;
            cells.push(if is_same { "\"".to_owned() } else { text.replace(['\t', '\r', '\n', '"'], " ") });
            above[column] = text;
        }
        lines.push(cells.join("\t"));
    }
    Some((kinds.into_iter().collect(), lines.join("\n")))
}

/// Returns the kind and the text of a cell that has nothing but a text.
fn plain(cell: &Cell) -> Option<(char, &str)> {
    match cell {
        Cell::Code(text) => Some(('c', text)),
        Cell::Number(text) if !text.contains('`') => Some(('n', text)),
        Cell::Words(Text(parts)) => match &parts[..] {
            [] => Some(('t', "")),
            [Inline::Words(text)] if !text.contains('`') => Some(('t', text)),
            _ => None,
        },
        Cell::Number(_) | Cell::Judged(_) | Cell::Heat(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{code, judged, number, row};

    fn long(cell: fn(usize) -> [Cell; 2]) -> Table {
        Table::new("Rows", "a | b", (0..PACKED + 1).map(cell))
    }

    #[test]
    fn rows_of_a_long_table_are_text() {
        let page = table(&long(|row| row![code("<x>"), number(row.to_string())])).into_string();
        assert!(page.contains("data-kinds=\"cn\""), "{page}");
        assert!(page.contains("<template>&lt;x&gt;\t0\n&quot;\t1\n"), "{page}");
        assert_eq!(page.matches("<tr>").count(), 1);
    }

    #[test]
    fn a_short_table_and_one_with_judgements_are_rows() {
        let page = table(&long(|_| row!["x", judged("held")])).into_string();
        assert_eq!(page.matches("<tr>").count(), PACKED + 2);
        let short = Table::new("", "a", [row!["x"]]);
        assert!(!table(&short).into_string().contains("template"));
        assert!(table(&long(|_| row!["x", "y"]).open()).into_string().contains("<td>"));
    }
}
