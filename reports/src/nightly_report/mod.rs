//! The page of a nightly run: what is new, what is gone, what got worse, how fast it was, and whether it passed.
//!
//! `page` puts it together of the tables of `facts`; `checks` says it to CI systems. The JSON is the [`NightlyReport`] itself.

mod checks;
mod facts;
mod page;
#[cfg(test)]
mod tests;

use assay_nightly::nightly_report::NightlyReport;

pub use checks::junit;

/// The page as one HTML file that needs nothing else.
pub fn html(morning: &NightlyReport) -> String {
    assay_pages::html(&page::page(morning))
}

/// The page as Markdown, fit for a message or a pull request.
pub fn markdown(morning: &NightlyReport) -> String {
    assay_pages::markdown(&page::page(morning))
}
