//! The changes between two results of a function, by measure, and whether each is an improvement.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use assay_engine::stats::accuracy::{Accuracy, Extreme};
use assay_engine::stats::exhaustive::{ExhaustiveStats, Pairs, ResultRelation};

use crate::exhaustive;
use crate::facts;
use crate::number::{
    NONE, count, count_change, hex, in_ulp, magnitude, percent, share, share_change, ulp, ulp_units,
};
use assay_pages::{Cell, judged as judgement, number, row};

/// The text under the measures.
pub const CHANGES: &str = "The maximum is a magnitude here, and the change of a share is in percentage points. Better is \
    what is nearer to the truth: a smaller error, a larger share of correctly rounded or faithful results, fewer \
    broken pairs. A number of inputs is neither better nor worse. Means, bias, RMS and shares are the same if they \
    differ by less than a ten-thousandth. Sampled is not judged: another sample of the same subject differs too.";

/// Figures that sum up many inputs count as equal if their relative difference is below this limit.
const SAME: f64 = 1e-4;

/// A measured quantity, with its values in two results.
pub struct Measure {
    /// The measured quantity.
    pub label: String,
    /// The value in the earlier result.
    pub before: String,
    /// The value in the later result.
    pub after: String,
    /// The difference.
    pub change: String,
    /// `better`, `worse`, `same` or `sampled`; empty for a quantity that is not judged.
    pub judged: &'static str,
}

impl Measure {
    /// Returns the values before and after, with the judgement.
    pub fn line(&self) -> String {
        let Measure { before, after, judged, .. } = self;
        match *judged {
            "same" => format!("same: {before}"),
            "" => format!("{before} → {after}"),
            judged => format!("{judged}: {before} → {after}"),
        }
    }
}

impl From<Measure> for [Cell; 5] {
    fn from(measure: Measure) -> Self {
        let Measure { label, before, after, change, judged } = measure;
        row![label, number(before), number(after), number(change), judgement(judged)]
    }
}

/// Judges a quantity for which smaller is better.
fn judged(before: f64, after: f64) -> &'static str {
    match after.partial_cmp(&before) {
        Some(Ordering::Less) => "better",
        Some(Ordering::Equal) => "same",
        Some(Ordering::Greater) => "worse",
        None => "",
    }
}

/// Judges a figure that sums up many inputs. A difference below `SAME` times `scale` counts as
/// `same`.
fn judged_beside(scale: f64, before: f64, after: f64) -> &'static str {
    if (after - before).abs() < SAME * scale { "same" } else { judged(before, after) }
}

/// Returns all measures of a function. With `sampled`, a change is marked `sampled` instead of
/// better or worse.
pub fn measures(old: &Accuracy, new: &Accuracy, sampled: bool) -> Vec<Measure> {
    let mut list = compared(old, new);
    for measure in list.iter_mut().filter(|measure| sampled && ["better", "worse"].contains(&measure.judged))
    {
        measure.judged = "sampled";
    }
    list
}

fn compared(old: &Accuracy, new: &Accuracy) -> Vec<Measure> {
    let mut rows = vec![
        counted("inputs", old.inputs, new.inputs),
        counted("measured", old.measured, new.measured),
        counted("special", old.special, new.special),
    ];
    rows.extend(errors(old, new));
    rows.extend(extremes("least", old.least, new.least));
    rows.extend(extremes("greatest", old.greatest, new.greatest));
    rows.push(shared("correctly rounded", old, new, |a| a.correctly_rounded));
    rows.push(shared("faithful", old, new, |a| a.faithful));
    rows.extend(bounds(old, new));
    if let (Some(old), Some(new)) = (&old.exhaustive, &new.exhaustive) {
        rows.extend(exhaustive_measures(old, new));
    }
    rows
}

fn counted(label: &str, old: u64, new: u64) -> Measure {
    let label = label.to_owned();
    Measure { label, before: count(old), after: count(new), change: count_change(old, new), judged: "" }
}

fn shared(label: &str, old: &Accuracy, new: &Accuracy, of: fn(&Accuracy) -> u64) -> Measure {
    let (a, b) = ((of(old), old.measured), (of(new), new.measured));
    let missed = |(part, whole): (u64, u64)| {
        if whole == 0 { f64::NAN } else { (whole - part.min(whole)) as f64 / whole as f64 }
    };
    Measure {
        label: label.to_owned(),
        before: share(a.0, a.1),
        after: share(b.0, b.1),
        change: share_change(a, b),
        judged: judged_beside(missed(a).max(missed(b)), missed(a), missed(b)),
    }
}

/// Returns the measures that sum up the errors. The largest error is compared by magnitude, because
/// the worst input of either result may have either sign.
fn errors(old: &Accuracy, new: &Accuracy) -> [Measure; 4] {
    // The mean magnitude is also the scale of the bias, because the bias itself can be near 0.
    let scale = old.mean_ulp().max(new.mean_ulp());
    let row = |label: &str, of: fn(&Accuracy) -> f64, text: fn(f64) -> String| {
        let scale = if label == "max ulp" { 0.0 } else { scale };
        let cell = |a: &Accuracy| if a.measured > 0 { text(of(a)) } else { NONE.to_owned() };
        let both = old.measured > 0 && new.measured > 0;
        Measure {
            label: label.to_owned(),
            before: cell(old),
            after: cell(new),
            change: if both { ulp(of(new) - of(old)) } else { NONE.to_owned() },
            judged: if both { judged_beside(scale, of(old).abs(), of(new).abs()) } else { "" },
        }
    };
    [
        row("max ulp", Accuracy::max_ulp, magnitude),
        row("mean ulp", Accuracy::mean_ulp, magnitude),
        row("bias", Accuracy::bias_ulp, ulp),
        row("RMS", Accuracy::rms_ulp, magnitude),
    ]
}

/// Returns an extreme error, and the input that has it.
fn extremes(label: &str, old: Option<Extreme>, new: Option<Extreme>) -> [Measure; 2] {
    let both = old.zip(new).map(|(old, new)| (in_ulp(old.error), in_ulp(new.error)));
    let error = |e: Option<Extreme>| e.map_or(NONE.to_owned(), |e| ulp_units(e.error));
    let input = |e: Option<Extreme>| e.map_or(NONE.to_owned(), |e| format!("`{}`", hex(e.input)));
    let moved = if old.map(|e| e.input) == new.map(|e| e.input) { "same" } else { "moved" };
    [
        Measure {
            label: format!("{label} ulp"),
            before: error(old),
            after: error(new),
            change: both.map_or(NONE.to_owned(), |(old, new)| ulp(new - old)),
            judged: both.map_or("", |(old, new)| judged(old.abs(), new.abs())),
        },
        Measure {
            label: format!("{label} at input"),
            before: input(old),
            after: input(new),
            change: moved.to_owned(),
            judged: "",
        },
    ]
}

/// Returns the used share of each bound that both results have.
fn bounds<'a>(old: &'a Accuracy, new: &'a Accuracy) -> impl Iterator<Item = Measure> + 'a {
    old.bounds.iter().filter_map(|(bound, before)| {
        let (before, after) = (facts::used(bound, before)?, facts::used(bound, new.bounds.get(bound)?)?);
        Some(Measure {
            label: format!("used of {bound}"),
            before: percent(before),
            after: percent(after),
            change: format!("{:+.1}", (after - before) * 100.0),
            judged: judged(before, after),
        })
    })
}

/// Returns the measures that exist only if both results are full sweeps.
fn exhaustive_measures(old: &ExhaustiveStats, new: &ExhaustiveStats) -> Vec<Measure> {
    let missed =
        |stats: &ExhaustiveStats| stats.rows.values().map(|rows| rows.inputs.saturating_sub(rows.held)).sum();
    let (a, b): (u64, u64) = (missed(old), missed(new));
    let rows = Measure { judged: judged(a as f64, b as f64), ..counted("given results missed", a, b) };
    let mut list = vec![counted("undecided", old.undecided, new.undecided), rows];
    let relations: BTreeSet<ResultRelation> =
        old.relations.keys().chain(new.relations.keys()).copied().collect();
    for relation in relations {
        if let (Some(old), Some(new)) = (old.relations.get(&relation), new.relations.get(&relation)) {
            list.extend(related(relation, old, new));
        }
    }
    list
}

fn related(relation: ResultRelation, old: &Pairs, new: &Pairs) -> Vec<Measure> {
    let name = relation.name();
    let share = |pairs: &Pairs| pairs.broken as f64 / pairs.seen as f64;
    let far = |pairs: &Pairs| pairs.farthest.map_or(f64::NAN, |pair| pair.by as f64);
    let broken = || Measure {
        judged: judged(share(old), share(new)),
        ..counted(&format!("{name}, broken"), old.broken, new.broken)
    };
    let farthest = Measure {
        label: format!("{name}, farthest"),
        before: exhaustive::farthest(relation, old),
        after: exhaustive::farthest(relation, new),
        change: String::new(),
        judged: judged(far(old), far(new)),
    };
    exhaustive::is_asked(relation).then(broken).into_iter().chain([farthest]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::samples;

    #[test]
    fn nearer_to_the_truth_is_better() {
        let [old, new] =
            [60, 100].map(|spread| samples::sweep(spread).tally.accuracy["MUFU.RCP.F32"].clone());
        let of = |old: &_, new: &_, label: &str| {
            measures(old, new, false).into_iter().find(|m| m.label == label).unwrap().judged
        };
        assert_eq!(of(&old, &new, "max ulp"), "worse");
        assert_eq!(of(&new, &old, "max ulp"), "better");
        assert_eq!(of(&new, &old, "correctly rounded"), "better");
        assert_eq!(of(&old, &old, "RMS"), "same");
        assert_eq!(of(&old, &new, "inputs"), "");
        let none = Accuracy::default();
        assert_eq!([of(&old, &none, "mean ulp"), of(&old, &none, "faithful")], ["", ""]);
    }

    #[test]
    fn a_sample_is_neither_better_nor_worse() {
        let [old, new] =
            [60, 100].map(|spread| samples::sweep(spread).tally.accuracy["MUFU.RCP.F32"].clone());
        let words: BTreeSet<&str> = measures(&old, &new, true).iter().map(|m| m.judged).collect();
        assert_eq!(words, ["", "same", "sampled"].into());
        let words: BTreeSet<&str> = measures(&old, &old, true).iter().map(|m| m.judged).collect();
        assert_eq!(words, ["", "same"].into());
    }

    #[test]
    fn a_tiny_difference_of_a_mean_is_none() {
        let old = samples::sweep(60).tally.accuracy["MUFU.RCP.F32"].clone();
        let mut new = old.clone();
        new.sum += 1;
        new.sum_magnitude += 1;
        new.sum_squares += 1;
        let changed: Vec<String> = measures(&old, &new, false)
            .into_iter()
            .filter(|m| ["better", "worse"].contains(&m.judged))
            .map(|m| m.label)
            .collect();
        assert!(changed.is_empty(), "{changed:?}");
        new.sum_magnitude += old.sum_magnitude / 100;
        let mean = measures(&old, &new, false).into_iter().find(|m| m.label == "mean ulp").unwrap();
        assert_eq!(mean.judged, "worse");
    }
}
