//! Tables: rows of as many cells as there are columns, by type, laid out for Markdown or a terminal.

use assay_isa::shown;

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
        grid(&self.head(), &self.rows)
    }

    /// Names of the columns, and how each is set.
    pub fn head(&self) -> [(String, Set); N] {
        self.head.map(|(name, set)| (name.to_owned(), set))
    }

    /// The rows.
    pub fn rows(&self) -> &[[String; N]] {
        &self.rows
    }

    /// The table as plain text with a head in small letters, a line each and no space at a line's end;
    /// nothing where there is no row.
    pub fn text(&self) -> Vec<String> {
        if self.is_empty() {
            return Vec::new();
        }
        let head = self.head.map(|(name, _)| name.to_lowercase());
        let rows: Vec<[String; N]> = self
            .rows
            .iter()
            .map(|cells| cells.each_ref().map(|cell| shown::line(cell).into_owned()))
            .collect();
        let widths = widths(&head, &rows);
        let lines = std::iter::once(&head).chain(&rows);
        lines.map(|cells| self.aligned(cells, &widths).trim_end().to_owned()).collect()
    }

    fn aligned(&self, cells: &[String; N], widths: &[usize]) -> String {
        aligned(cells, self.head.map(|(_, set)| set), widths).join("  ")
    }
}

/// A table as Markdown, a line feed at its end; nothing where there is no row. Each row has a cell for each column.
pub fn grid<R: AsRef<[String]>>(head: &[(String, Set)], rows: &[R]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let sets = || head.iter().map(|(_, set)| *set);
    let names: Vec<String> = head.iter().map(|(name, _)| escape(name)).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(|cells| marked(cells.as_ref(), sets())).collect();
    let widths = widths(&names, &rows);
    let rule = sets().zip(&widths).map(|(set, width)| match set {
        Set::Number => format!("{}:", "-".repeat((*width).max(2) - 1)),
        _ => "-".repeat(*width),
    });
    let rule: Vec<String> = rule.collect();
    let lines = [&names, &rule].into_iter().chain(&rows);
    lines.map(|cells| format!("| {} |\n", aligned(cells, sets(), &widths).join(" | "))).collect()
}

/// A row's cells with what Markdown needs around and in them.
fn marked(cells: &[String], sets: impl Iterator<Item = Set>) -> Vec<String> {
    let mark = |(cell, set): (&String, Set)| match set {
        Set::Code => code(&escape(cell)),
        _ => words(&escape(cell)),
    };
    cells.iter().zip(sets).map(mark).collect()
}

fn aligned(cells: &[String], sets: impl IntoIterator<Item = Set>, widths: &[usize]) -> Vec<String> {
    // Not by `{cell:>width$}`, which panics from a width of 65,536 on.
    let align = |((cell, set), width): ((&String, Set), &usize)| {
        let space = " ".repeat(width.saturating_sub(cell.chars().count()));
        match set {
            Set::Number => space + cell,
            _ => cell.clone() + &space,
        }
    };
    cells.iter().zip(sets).zip(widths).map(align).collect()
}

fn widths<R: AsRef<[String]>>(head: &[String], rows: &[R]) -> Vec<usize> {
    let width = |i: usize| {
        let cells = rows.iter().map(|row| &row.as_ref()[i]);
        cells.chain([&head[i]]).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    (0..head.len()).map(width).collect()
}

/// A cell that ends neither its column nor its row, and forges nothing.
fn escape(cell: &str) -> String {
    shown::line(&cell.replace(['\r', '\n'], " ")).replace('|', "\\|")
}

/// Words of Markdown on one line, which open no tag of HTML.
pub fn words(text: &str) -> String {
    without_tags(&shown::line(text), "&lt;")
}

/// Text as a Markdown code span, on one line; as it is where it has nothing to show. A backtick would end the span, and
/// is spelt out; so is what opens a tag, for readers that know no spans.
pub fn code(text: &str) -> String {
    let line = shown::line(text);
    if line.trim().is_empty() {
        return line.into_owned();
    }
    format!("`{}`", without_tags(&line, "\\u{3c}").replace('`', "\\u{60}"))
}

/// A text with another text in place of each `<` that opens a tag of HTML.
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

/// Checks that every table of a Markdown page has rows of one length, and returns the number of tables.
pub fn whole_tables(page: &str) -> Result<usize, String> {
    let mut fenced = false;
    let outside = page.lines().map(|line| {
        fenced ^= line.starts_with("```");
        if fenced { "" } else { line }
    });
    let lines: Vec<&str> = outside.collect();
    let tables = lines.split(|line| !line.starts_with('|')).filter(|rows| !rows.is_empty());
    tables.map(whole_rows).try_fold(0, |count, table| table.map(|()| count + 1))
}

fn whole_rows(rows: &[&str]) -> Result<(), String> {
    let [head, rule, _, ..] = rows else { return Err(format!("a table without a row: {rows:?}")) };
    if !rule.chars().all(|c| "|-: ".contains(c)) {
        return Err(format!("no rule under the head of a table: {rule}"));
    }
    let cells = |row: &str| row.replace("\\|", "").matches('|').count();
    match rows.iter().find(|row| !row.ends_with(" |") || cells(row) != cells(head)) {
        Some(row) => Err(format!("the row `{row}` does not fit under `{head}`")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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

    #[test]
    fn a_table_that_is_cut_off_is_caught() {
        for broken in
            ["| a |\n| - |\n", "| a |\n| b |\n| c |\n", "| a |\n| - |\n| b | c |\n", "| a |\n| - |\n| b\n"]
        {
            assert!(whole_tables(broken).is_err(), "{broken}");
        }
    }

    proptest! {
        #[test]
        fn any_cell_leaves_the_table_whole(cells in proptest::array::uniform3("[^\\\\]*")) {
            let mut table = Table::new([("a", Set::Words), ("b|c", Set::Code), ("d", Set::Number)]);
            table.row(cells);
            prop_assert_eq!(whole_tables(&table.markdown()), Ok(1));
        }
    }
}
