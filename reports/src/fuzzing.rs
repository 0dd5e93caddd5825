//! The property of reports: whatever a result holds, its renderings are whole and safe to show.

use assay_records::Outcome;
use roxmltree::Document;

/// Renders a result in every form, alone and beside itself, and checks what can be checked of any of them.
///
/// # Errors
///
/// What is wrong with the first rendering that is not sound.
pub fn render(outcome: &Outcome) -> Result<(), String> {
    let one = || ("a result".to_owned(), outcome.clone());
    for list in [vec![one()], vec![one(), one()], vec![one(), one(), one()]] {
        let page = crate::html(&list);
        plain("the HTML page", &page)?;
        whole("the HTML page", &as_xml(&page))?;
        let markdown = crate::markdown(&list);
        plain("the Markdown page", &markdown)?;
        whole_tables(&markdown).map_err(|problem| format!("the Markdown page: {problem}"))?;
        let junit = crate::junit(&list);
        plain("the JUnit file", &junit)?;
        whole("the JUnit file", &junit)?;
    }
    plain("the text for a terminal", &crate::text(outcome))?;
    match crate::report(&[one()]).is_object() {
        true => Ok(()),
        false => Err("the JSON report cannot be written".into()),
    }
}

/// Checks that every table of a Markdown page has rows of one length, and returns the number of tables.
pub(crate) fn whole_tables(page: &str) -> Result<usize, String> {
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

/// A page of HTML as XML, which is stricter. Two kinds of elements are never closed in HTML.
pub(crate) fn as_xml(page: &str) -> String {
    let text = page.replace("<!DOCTYPE html>", "").replace("<br>", "<br/>");
    let mut parts = text.split("<meta");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, meta| text + "<meta" + &meta.replacen('>', "/>", 1))
}

fn whole(what: &str, text: &str) -> Result<(), String> {
    Document::parse(text).map(drop).map_err(|error| format!("{what} is not well-formed: {error}"))
}

fn plain(what: &str, text: &str) -> Result<(), String> {
    match assay_isa::shown::page(text) == text {
        true => Ok(()),
        false => Err(format!("{what} has characters that a terminal would obey")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::samples;

    #[test]
    fn the_renderings_of_samples_are_sound() {
        for outcome in [samples::fuzz(), samples::sweep(60)] {
            render(&outcome).unwrap();
        }
    }

    #[test]
    fn a_page_that_is_cut_off_or_hostile_is_caught() {
        let page = crate::html(&[("a result".to_owned(), samples::fuzz())]);
        whole("the page", &as_xml(&page)).unwrap();
        for broken in [&page[..page.len() - 9], &page.replacen("<body", "<body class=x", 1)] {
            assert!(whole("the page", &as_xml(broken)).is_err_and(|e| e.contains("not well-formed")));
        }
        assert!(plain("the page", "a\u{1b}[2K").is_err() && plain("the page", "two\nlines").is_ok());
    }

    #[test]
    fn a_table_that_is_cut_off_is_caught() {
        for broken in
            ["| a |\n| - |\n", "| a |\n| b |\n| c |\n", "| a |\n| - |\n| b | c |\n", "| a |\n| - |\n| b\n"]
        {
            assert!(whole_tables(broken).is_err(), "{broken}");
        }
    }
}
