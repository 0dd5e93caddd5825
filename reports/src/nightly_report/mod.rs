//! The page of a nightly run: new, fixed and worse results, its speed, and whether it passed.
//!
//! `page` assembles it from the tables of `facts` and `settings`; `checks` is the form for CI systems. The JSON is the
//! [`NightlyReport`] itself.

mod checks;
mod facts;
mod page;
mod settings;
#[cfg(test)]
mod tests;

use assay_nightly::nightly_report::NightlyReport;

use crate::reported::ReportedFinding;

pub use checks::junit;

/// The page as one HTML file that needs nothing else. `found` has the findings whose cases can be read.
pub fn html(nightly: &NightlyReport, found: &[ReportedFinding]) -> String {
    assay_pages::html(&page::page(nightly, found))
}

/// The page as Markdown, fit for a message or a pull request.
pub fn markdown(nightly: &NightlyReport, found: &[ReportedFinding]) -> String {
    assay_pages::markdown(&page::page(nightly, found))
}
