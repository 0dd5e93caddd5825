//! The page of a nightly run: new, fixed and worse results, its speed, and whether it passed.
//!
//! `page` assembles the page from the tables of `facts` and `settings`. `checks` has the form for
//! CI systems. The JSON form is the [`NightlyReport`] itself.

mod checks;
mod facts;
mod page;
mod settings;
#[cfg(test)]
mod tests;

use assay_nightly::nightly_report::NightlyReport;

use crate::reported::ReportedFinding;

pub use checks::junit;

/// Returns the page as one self-contained HTML file. `found` has the findings whose cases can be
/// read.
pub fn html(nightly: &NightlyReport, found: &[ReportedFinding]) -> String {
    assay_pages::html(&page::page(nightly, found))
}

/// Returns the page as Markdown, for a message or a pull request.
pub fn markdown(nightly: &NightlyReport, found: &[ReportedFinding]) -> String {
    assay_pages::markdown(&page::page(nightly, found))
}
