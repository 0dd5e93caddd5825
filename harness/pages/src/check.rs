//! Checks for the tests of pages: Markdown tables have equal rows, and HTML is well-formed.

/// Checks that in every table of a Markdown page all rows have equally many cells. Returns the
/// number of tables.
///
/// # Errors
/// The first table that has no row, no rule below its head, or rows with different numbers of
/// cells.
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

/// Converts a page of HTML to XML, whose rules are stricter. Closes `<br>` and `<meta>`, which HTML
/// never closes, gives `hidden` a value, and removes the script.
pub fn as_xml(page: &str) -> String {
    let text =
        page.replace("<!DOCTYPE html>", "").replace("<br>", "<br/>").replace(" hidden>", " hidden=\"\">");
    let script = text.split_once("<script>").and_then(|(before, rest)| {
        let (_, after) = rest.split_once("</script>")?;
        Some(format!("{before}<script></script>{after}"))
    });
    let text = script.unwrap_or(text);
    let mut parts = text.split("<meta");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, meta| text + "<meta" + &meta.replacen('>', "/>", 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_cut_off_is_caught() {
        for broken in
            ["| a |\n| - |\n", "| a |\n| b |\n| c |\n", "| a |\n| - |\n| b | c |\n", "| a |\n| - |\n| b\n"]
        {
            assert!(whole_tables(broken).is_err(), "{broken}");
        }
    }
}
