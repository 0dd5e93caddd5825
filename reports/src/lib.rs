//! Renders results: HTML and Markdown for people, JSON and JUnit XML for programs, text for terminals.
//!
//! Every format shows the same facts. A fact that a result lacks is left out or shown as unknown.
//! Rounding never overstates a share: only a whole share reads 100 %, and only zero reads 0 %.
//!
//! A page is built once, as a `Document` of `assay-pages`, which has one renderer for each format.
//!
//! | module | contents |
//! |---|---|
//! | `run`, `pair`, `terminal` | the pages of one result, of two, and for a terminal |
//! | `checks` | what held and what did not, for CI systems |
//! | [`errata`] | the defects of the specification: each as a report, all as a page |
//! | [`nightly_report`] | the page of a nightly run: new, gone and worse findings |
//! | `summary` | a result as JSON |
//! | `comparable` | whether two results compare figure by figure |
//! | `facts`, `findings`, `coverage`, `rounding_stats`, `exhaustive`, `change` | tables that pages are made of |
//! | `histogram`, `figures` | the charts of a function |
//! | `plan` | what was run, in words |
//! | `value` | patterns as the numbers that they stand for |
//! | [`number`] | counts, shares, errors and patterns as text |
//! | [`fuzzing`] | what the libFuzzer target of results checks of all renderings |
//!
//! ```
//! assert_eq!(assay_reports::number::hex(1), "0x00000001");
//! ```

mod change;
mod checks;
mod comparable;
mod coverage;
pub mod errata;
mod exhaustive;
mod facts;
mod figures;
mod findings;
pub mod fuzzing;
mod histogram;
pub mod nightly_report;
pub mod number;
mod pair;
mod plan;
mod rounding_stats;
mod run;
mod summary;
mod terminal;
#[cfg(test)]
mod tests;
mod value;

use assay_records::RunResult;

use assay_pages::{Document, paragraph, section};

pub use checks::junit;
pub use summary::{ResultReport, functions, report, schema};
pub use terminal::text;

/// A page of HTML over results, each with its title or path, laid out as [`markdown()`] lays them out.
pub fn html(outcomes: &[(String, RunResult)]) -> String {
    assay_pages::html(&page(outcomes))
}

/// A Markdown page over results, each with its title or path. Two results are laid side by side, the
/// first one before and the second one after; any other number of them follow one another.
pub fn markdown(outcomes: &[(String, RunResult)]) -> String {
    assay_pages::markdown(&page(outcomes))
}

fn page(outcomes: &[(String, RunResult)]) -> Document {
    let parts = match outcomes {
        [] => vec![paragraph("No result was given.")],
        [(title, outcome)] => return Document::new(title, run::blocks(outcome)),
        [before, after] => return pair::page(before, after),
        several => {
            several.iter().map(|(title, outcome)| section(title.as_str(), run::blocks(outcome))).collect()
        }
    };
    Document::new("Results", parts)
}
