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
//! | `head` | title, figures that sum a result up, and the record of the run |
//! | `finding_card` | one finding: case, values, who agrees, command |
//! | `reported` | what a page is made of, as the caller reads it from the folder of a run |
//! | `plan` | what was run, in words |
//! | `verdict` | the verdict in words, as the result has it |
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
mod finding_card;
mod findings;
pub mod fuzzing;
mod head;
mod histogram;
pub mod nightly_report;
pub mod number;
mod pair;
mod plan;
mod reported;
mod rounding_stats;
mod run;
mod summary;
mod terminal;
#[cfg(test)]
mod tests;
mod value;
mod verdict;

use assay_pages::{Document, Inline, Text, paragraph, section};

pub use checks::junit;
pub use reported::{FindingFiles, ReportedAnswer, ReportedFinding, ReportedRun, Side};
pub use summary::{ResultReport, functions, report, schema};
pub use terminal::{brief, text};
pub use verdict::{conclusion, lowered};

/// A page of HTML over runs, laid out as [`markdown()`] lays them out.
pub fn html(runs: &[ReportedRun]) -> String {
    assay_pages::html(&page(runs))
}

/// A Markdown page over runs. Two runs are laid side by side, the first one before and the second one
/// after; any other number of them follow one another.
pub fn markdown(runs: &[ReportedRun]) -> String {
    assay_pages::markdown(&page(runs))
}

fn page(runs: &[ReportedRun]) -> Document {
    let parts = match runs {
        [] => vec![paragraph("No result was given.")],
        [run] => {
            return Document::new(&head::title(&run.outcome), run::blocks(run)).with_lead(head::lead(run));
        }
        [before, after] => return pair::page(before, after),
        several => several.iter().map(|run| section(heading(run), run::blocks(run))).collect(),
    };
    Document::new(&format!("{} results", runs.len()), parts)
}

/// The title of a result among others, with its path.
fn heading(run: &ReportedRun) -> Text {
    Text(vec![
        Inline::Verbatim(format!("{} ", head::title(&run.outcome))),
        Inline::Small(format!("({})", run.path)),
    ])
}
