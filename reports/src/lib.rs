//! Renders results: HTML and Markdown for people, JSON and JUnit XML for programs, text for terminals.
//!
//! All of them show the same facts, and none invents one: what a result does not hold is left out or said
//! to be unknown. A number is never rounded into a claim that it does not make: a share that is not
//! whole never reads 100 %, and one that is not zero never reads 0 %.
//!
//! | room | what happens there |
//! |---|---|
//! | [`number`] | counts, shares, errors and patterns as text |
//! | `table` | rows of cells, laid out for Markdown or a terminal |
//! | `markdown` | a Markdown page under construction |
//! | `plan` | what was run, in words |
//! | `found` | findings, their words put back into assembler text |
//! | `value` | patterns as the numbers that they stand for |
//! | `histogram` | the distribution of errors as a bar chart of text |
//! | `survey` | what a sweep over every input tells beyond accuracy |
//! | `change` | what changed between two results, and whether for the better |
//! | `chart` | charts as SVG |
//! | `coverage` | what was hit of the coverage bins |
//! | `dissection` | what became of the exact results of sums and products |
//! | [`errata`] | the defects of the specification: each as a report, all as a page |
//! | `facts` | the tables that pages and terminal share |
//! | `summary`, `page`, `pair`, `terminal` | the renderings: JSON, Markdown of one and of two, a terminal |
//! | `html` | the pages in HTML, of one result and of two |
//! | [`morning`] | the page of a night: what is new, what is gone, what got worse |
//! | [`fuzzing`] | what the libFuzzer target of results checks of all renderings |
//! | `junit` | what held and what did not, for CI systems |

mod change;
mod chart;
mod coverage;
mod dissection;
pub mod errata;
mod facts;
mod found;
pub mod fuzzing;
mod histogram;
mod html;
mod junit;
mod markdown;
pub mod morning;
pub mod number;
mod page;
mod pair;
mod plan;
mod summary;
mod survey;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod value;

use assay_engine::result::Outcome;

pub use junit::junit;
pub use summary::{functions, report, schema, summary};
pub use terminal::text;

/// A page of HTML over results, each with its title or path, laid out as [`markdown()`] lays them out.
pub fn html(outcomes: &[(String, Outcome)]) -> String {
    match outcomes {
        [before, after] => html::pair::page(before, after),
        any => html::run::page(any),
    }
}

/// A Markdown page over results, each with its title or path. Two results are laid side by side, the
/// first one before and the second one after; any other number of them follow one another.
pub fn markdown(outcomes: &[(String, Outcome)]) -> String {
    match outcomes {
        [] => "# Results\n\nNo result was given.\n".to_owned(),
        [(title, outcome)] => page::page(title, outcome, 1),
        [before, after] => pair::page(before, after),
        several => {
            let pages = several.iter().map(|(title, outcome)| page::page(title, outcome, 2));
            format!("# Results\n\n{}", pages.collect::<Vec<_>>().join("\n"))
        }
    }
}
