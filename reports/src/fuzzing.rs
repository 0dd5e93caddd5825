//! The property that fuzzing checks: every rendering of any result is well-formed and safe to show.

use assay_pages::check::{as_xml, whole_tables};
use assay_records::RunResult;
use roxmltree::Document;

use crate::reported::ReportedRun;

/// Renders a result in every form, alone and beside copies of itself, and checks each rendering.
///
/// # Errors
///
/// The problem of the first rendering that is not well-formed or not safe.
pub fn render(outcome: &RunResult) -> Result<(), String> {
    let one = || ReportedRun::bare("a result", outcome.clone());
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
    plain("the text for a terminal", &crate::text(outcome, &[]))?;
    let written = serde_json::to_string(&crate::report(&[one()]));
    written.map(drop).map_err(|error| format!("the JSON report cannot be written: {error}"))
}

fn whole(what: &str, text: &str) -> Result<(), String> {
    Document::parse(text).map(drop).map_err(|error| format!("{what} is not well-formed: {error}"))
}

fn plain(what: &str, text: &str) -> Result<(), String> {
    if assay_isa::shown::page(text) == text {
        Ok(())
    } else {
        Err(format!("{what} has characters that a terminal would obey"))
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
        let page = crate::html(&[ReportedRun::bare("a result", samples::fuzz())]);
        whole("the page", &as_xml(&page)).unwrap();
        for broken in [&page[..page.len() - 9], &page.replacen("<body", "<body class=x", 1)] {
            assert!(whole("the page", &as_xml(broken)).is_err_and(|e| e.contains("not well-formed")));
        }
        assert!(plain("the page", "a\u{1b}[2K").is_err() && plain("the page", "two\nlines").is_ok());
    }
}
