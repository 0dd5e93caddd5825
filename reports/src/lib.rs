//! Renders results: HTML and Markdown for people, JSON and JUnit XML for programs, text for terminals.
//!
//! Every format shows the same facts. A fact that a result lacks is left out or shown as unknown.
//! Shares have three digits that count. Only a whole share reads 100 %, and only zero reads
//! 0 %.
//!
//! A page is built once, as a `Document` of `assay-pages`, which has one renderer for each format.
//!
//! | module | contents |
//! |---|---|
//! | `run`, `pair`, `terminal` | the pages of one result and of two, and the text for a terminal |
//! | `checks` | passed and failed checks, for CI systems |
//! | [`errata`] | the defects of the specification: one as a report, or all as a page |
//! | [`nightly_report`] | the page of a nightly run: new, gone and worse findings |
//! | `summary` | a result as JSON |
//! | `comparable` | whether the figures of two results can be compared |
//! | `facts`, `findings`, `coverage`, `rounding_stats`, `exhaustive`, `change` | tables that pages are made of |
//! | `histogram`, `figures` | the charts of a function |
//! | `head` | title, figures that sum up a result, and facts from `run.json` |
//! | `finding_card` | one finding: case, values, agreeing implementations, command |
//! | `reported` | the data of a page, which the caller reads from the folder of a run |
//! | `plan` | describes what was run |
//! | `verdict` | describes the verdict that the result contains |
//! | `value` | bit patterns as the numbers that they represent |
//! | [`number`] | counts, shares, errors and patterns as text |
//! | [`fuzzing`] | the checks of all renderings that a libFuzzer target makes |
//!
//! ```
//! assert_eq!(assay_reports::number::hex(1), "0x00000001");
//! ```

mod change;
mod checks;
mod comparable;
mod coverage;
pub mod errata;
mod error_map;
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
mod tested;
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

/// Returns an HTML page over runs, with the layout of [`markdown()`].
pub fn html(runs: &[ReportedRun]) -> String {
    assay_pages::html(&page(runs))
}

/// Returns a Markdown page over runs. Two runs are compared side by side, as before and after. Any
/// other number of runs follow one another.
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

/// Returns the title of one result among several, with its path.
fn heading(run: &ReportedRun) -> Text {
    Text(vec![
        Inline::Verbatim(format!("{} ", head::title(&run.outcome))),
        Inline::Small(format!("({})", run.path)),
    ])
}
