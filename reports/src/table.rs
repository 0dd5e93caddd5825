//! Tables: rows of as many cells as there are columns, by type, laid out for Markdown or a terminal.

/// How the cells of a column are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Words, to the left.
    Words,
    /// Something to be typed or searched for, to the left; code in Markdown.
    Code,
    /// A number, to the right.
    Number,
}

/// A table of `N` columns.
pub struct Table<const N: usize> {
    head: [(&'static str, Set); N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    /// A table without rows.
    pub fn new(head: [(&'static str, Set); N]) -> Self {
        Table { head, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as Markdown, a line feed at its end; nothing where there is no row.
    pub fn markdown(&self) -> String {
        if self.is_empty() {
            return String::new();
        }
        let head = self.head.map(|(name, _)| escape(name));
        let rows = self.rows.iter().map(|row| self.marked(row)).collect::<Vec<_>>();
        let widths = widths(&head, &rows);
        let rule: [String; N] = std::array::from_fn(|i| match self.head[i].1 {
            Set::Number => format!("{}:", "-".repeat(widths[i].max(2) - 1)),
            _ => "-".repeat(widths[i]),
        });
        let lines = [&head, &rule].into_iter().chain(&rows);
        lines.map(|cells| format!("| {} |\n", self.aligned(cells, &widths).join(" | "))).collect()
    }

    /// The table as plain text with a head in small letters, a line each and no space at a line's end;
    /// nothing where there is no row.
    pub fn text(&self) -> Vec<String> {
        if self.is_empty() {
            return Vec::new();
        }
        let head = self.head.map(|(name, _)| name.to_lowercase());
        let widths = widths(&head, &self.rows);
        let lines = std::iter::once(&head).chain(&self.rows);
        lines.map(|cells| self.aligned(cells, &widths).join("  ").trim_end().to_owned()).collect()
    }

    /// A row's cells with what Markdown needs around and in them.
    fn marked(&self, cells: &[String; N]) -> [String; N] {
        std::array::from_fn(|i| match self.head[i].1 {
            Set::Code => code(&escape(&cells[i])),
            _ => escape(&cells[i]),
        })
    }

    fn aligned(&self, cells: &[String; N], widths: &[usize; N]) -> [String; N] {
        std::array::from_fn(|i| {
            let (cell, width) = (&cells[i], widths[i]);
            match self.head[i].1 {
                Set::Number => format!("{cell:>width$}"),
                _ => format!("{cell:<width$}"),
            }
        })
    }
}

fn widths<const N: usize>(head: &[String; N], rows: &[[String; N]]) -> [usize; N] {
    let width = |i: usize| std::iter::once(head).chain(rows).map(|cells| cells[i].chars().count()).max();
    std::array::from_fn(|i| width(i).unwrap_or(0))
}

/// A cell that ends neither its column nor its row.
fn escape(cell: &str) -> String {
    cell.replace('|', "\\|").replace(['\r', '\n'], " ")
}

/// Text as a Markdown code span; as it is where it has nothing to show or would end the span.
pub fn code(text: &str) -> String {
    if text.trim().is_empty() || text.contains('`') { text.to_owned() } else { format!("`{text}`") }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Cells of a line of a Markdown table.
    fn cells(line: &str) -> usize {
        line.replace("\\|", "").matches('|').count() - 1
    }

    /// Holds every table of a page to one number of cells a row, and says how many tables there are.
    pub fn assert_well_formed(page: &str) -> usize {
        let mut fenced = false;
        let outside = page.lines().map(|line| {
            fenced ^= line.starts_with("```");
            if fenced { "" } else { line }
        });
        let lines: Vec<&str> = outside.collect();
        let tables = lines.split(|line| !line.starts_with('|')).filter(|rows| !rows.is_empty());
        tables.map(|rows| assert_rows(rows, page)).count()
    }

    fn assert_rows(rows: &[&str], page: &str) {
        assert!(rows.len() > 2, "a table without a row in\n{page}");
        assert!(rows[1].chars().all(|c| "|-: ".contains(c)), "no rule under the head: {}", rows[1]);
        for row in rows {
            assert!(row.ends_with(" |"), "unfinished row: {row}");
            assert_eq!(cells(row), cells(rows[0]), "{row}\nunder\n{}", rows[0]);
        }
    }

    #[test]
    fn layouts_align() {
        let mut table = Table::new([("what", Set::Code), ("n", Set::Number)]);
        assert_eq!(table.markdown(), "");
        assert!(table.text().is_empty());
        table.row(["|R1|".into(), "12,000".into()]);
        table.row(["x".into(), "7".into()]);
        insta::assert_snapshot!(table.markdown(), @r"
        | what     |      n |
        | -------- | -----: |
        | `\|R1\|` | 12,000 |
        | `x`      |      7 |
        ");
        insta::assert_snapshot!(table.text().join("\n"), @r"
        what       n
        |R1|  12,000
        x          7
        ");
    }

    proptest! {
        #[test]
        fn any_cell_leaves_the_table_whole(cells in proptest::array::uniform3("[^\\\\]*")) {
            let mut table = Table::new([("a", Set::Words), ("b|c", Set::Code), ("d", Set::Number)]);
            table.row(cells);
            prop_assert_eq!(assert_well_formed(&table.markdown()), 1);
        }
    }
}
