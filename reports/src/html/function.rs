//! The section of one function: what was measured, charts, and the inputs that stand out.

use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::survey::Survey;
use assay_engine::stats::tally::Counts;
use assay_isa::format::Format;
use maud::{Markup, html};

use super::figures::{Side, figures};
use super::{anchor, open_table, table};
use crate::facts;
use crate::number::{count, share};
use crate::survey;
use crate::value::{bits, decimal, format_of};

/// Rows of the table of binades for each sign of the argument, at most.
const ROWS: u32 = 256;

/// The section of a function; its verdicts are known after a sweep.
pub fn function(name: &str, accuracy: &Accuracy, verdicts: Option<&Counts>) -> Markup {
    let (format, id) = (format_of(name), anchor(name));
    html! {
        article id=(id) {
            h3 { code { (name) } }
            (figures_of_merit(format, accuracy, verdicts))
            (figures(&id, format, &[Side { label: "", accuracy }]))
            @if let Some(survey) = &accuracy.survey { (surveyed(survey, format)) }
        }
    }
}

/// The facts that fit a line each.
fn figures_of_merit(format: Format, accuracy: &Accuracy, verdicts: Option<&Counts>) -> Markup {
    let [max, mean, bias, rms] = facts::errors(accuracy);
    let n = accuracy.measured;
    let at =
        accuracy.worst().map(|e| format!(" at {} = {}", bits(format, e.input), decimal(format, e.input)));
    let mut list = vec![
        ("Max error", format!("{max} ulp{}", at.unwrap_or_default())),
        ("Mean, RMS", format!("{mean}, {rms} ulp")),
        ("Bias", format!("{bias} ulp")),
        ("Correctly rounded", share(accuracy.correctly_rounded, n)),
        ("Faithful", share(accuracy.faithful, n)),
        (
            "Inputs",
            format!("{}: {} measured, {} special", count(accuracy.inputs), count(n), count(accuracy.special)),
        ),
        ("Undecided", facts::undecided(accuracy)),
    ];
    list.extend(accuracy.bounds.iter().map(|(bound, usage)| ("Bound", facts::bound_line(bound, usage))));
    list.extend(verdicts.map(|counts| ("Verdicts", facts::verdict_line(counts))));
    html! { (super::facts(list.into_iter().map(|(label, text)| (label, html! { (text) })))) }
}

fn surveyed(survey: &Survey, format: Format) -> Markup {
    let rows = survey::conformance(survey);
    html! {
        (open_table("How results stand to each other, with the farthest pair", &survey::relations(survey, format)))
        (table("The first pairs that break a relation", &survey::first_broken(survey, format)))
        (table("Inputs whose result the specification gives", &rows))
        (table("The inputs farthest off", &survey::worst(&survey.worst, format)))
        @let binades = survey::binade_table(survey, format, ROWS);
        @if !binades.is_empty() {
            details { summary { "Extreme errors by binade (" (binades.rows().len()) " rows)" } (open_table("", &binades)) }
        }
    }
}
