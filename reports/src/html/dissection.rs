//! What became of the exact results of sums and products.

use assay_engine::result::Outcome;
use assay_engine::stats::dissect::Dissection;
use maud::{Markup, html};

use super::figures::edge_marks;
use super::{open_table, section};
use crate::chart::axis::{Caption, Marks};
use crate::chart::bars::{Bar, bars};
use crate::chart::scale::Scale;
use crate::dissection::{self as facts, Arithmetic, MODES};
use crate::number::{count, share};

/// A section for each dissected optype.
pub fn sections(outcome: &Outcome) -> Markup {
    html! {
        @for one in facts::by_optype(outcome) {
            (section(&format!("Dissection of {}", one.optype), html! {
                p { (facts::sample(&one)) }
                (open_table("Results by rounding mode", &facts::mode_table(&one)))
                p.note { (facts::ROUNDED) }
                (open_table("What .FTZ and .SAT did", &facts::effect_table(&one)))
                p.note { (facts::EFFECTS) }
                (open_table("Results by class", &facts::class_table(&one.total)))
                div.figures { (errors(&one)) (sums(&one)) }
                @if facts::rounded(&one.total) > 0 { p.note { (facts::ERRORS) } }
                @if one.is_sum() { p.note { (facts::terms(&one.total)) } }
            }))
        }
    }
}

/// The errors of each rounding mode, on one scale.
fn errors(one: &Arithmetic) -> Markup {
    let Some(bins) = facts::occupied(&one.total.errors) else { return Markup::default() };
    let height = |mode: &Dissection, bin: usize| mode.errors[bin] as f64 / facts::rounded(mode).max(1) as f64;
    let most =
        one.modes.iter().flat_map(|mode| bins.clone().map(|bin| height(mode, bin))).fold(0.0, f64::max);
    let below = edge_marks(&facts::error_edges(), &bins);
    html! {
        @for (name, mode) in MODES.into_iter().zip(&one.modes).filter(|(_, mode)| facts::rounded(mode) > 0) {
            @let title = format!("Rounding errors of {} under {name}", one.optype);
            @let about = format!("{} rounded results in bins of a sixteenth of an ulp.", count(facts::rounded(mode)));
            @let bar = |bin: usize| {
                let (number, of) = (mode.errors[bin], facts::rounded(mode));
                let about = format!("{}: {} ({})", facts::error_label(bin), count(number), share(number, of));
                Bar { about, height: height(mode, bin) }
            };
            @let id = format!("d-{}-{name}", one.optype);
            @let caption = Caption { id: &id, title: &title, about, x: "error in ulp", y: "share of the rounded" };
            (bars(&caption, &bins.clone().map(bar).collect::<Vec<_>>(), &below, &Scale::shares(most)))
        }
    }
}

/// Cancellation, and how far the exponents of the terms are apart.
fn sums(one: &Arithmetic) -> Markup {
    let Arithmetic { optype, total, .. } = one;
    html! {
        @if one.is_sum() {
            (counted(&format!("d-{optype}-c"), &format!("Cancellation in {optype}"), "leading bits lost", &total.cancelled, facts::depth_label))
            (counted(&format!("d-{optype}-e"), &facts::difference_heading(one), "difference of exponents", &total.differences, facts::difference_label))
        }
    }
}

/// Counts by order of magnitude; nothing where none is.
fn counted(id: &str, title: &str, x: &str, counts: &[u64], label: fn(usize) -> String) -> Markup {
    let Some(bins) = facts::occupied(counts) else { return Markup::default() };
    let (all, most) = (counts.iter().sum(), counts.iter().copied().max().unwrap_or(0));
    let bar = |bin: usize| {
        let about = format!("{}: {} ({})", label(bin), count(counts[bin]), share(counts[bin], all));
        Bar { about, height: counts[bin] as f64 }
    };
    let about = format!("{} results.", count(all));
    let caption = Caption { id, title, about, x, y: "results, in decades" };
    bars(&caption, &bins.clone().map(bar).collect::<Vec<_>>(), &middles(&bins, label), &Scale::counts(most))
}

/// Marks below the middle of some bins, with the first word of what they hold.
fn middles(bins: &std::ops::RangeInclusive<usize>, label: fn(usize) -> String) -> Marks {
    let number = bins.end() - bins.start() + 1;
    let picked = bins.clone().step_by(number.div_ceil(6).max(1));
    let place = |bin: usize| ((bin - bins.start()) as f64 + 0.5) / number as f64;
    picked.map(|bin| (place(bin), label(bin).split(' ').next().unwrap_or_default().to_owned())).collect()
}
