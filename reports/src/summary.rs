//! A result as JSON, its ratios computed, with the keys that the command line promises.
//!
//! What the result file holds as sums is here as ratios; what only the run knows (seconds, paths of
//! findings, the share of coverage) is for the caller to add.

use assay_engine::accuracy::{Accuracy, Extreme, Usage};
use assay_engine::dissect::{DEPTHS, Dissection, EVERY};
use assay_engine::result::Outcome;
use assay_engine::tally::Counts;
use serde_json::{Map, Value, json};

use crate::dissection::{self, Arithmetic, MODES};
use crate::number::{hex, in_metric, in_ulp};
use crate::{facts, found, histogram, plan};

/// Everything that a reader of a result wants to know.
///
/// `plan` is as in the result file; `departures` are the readings not set as the profile `intended` sets
/// them; `complete` and `planned` are null where time was the limit. `verdicts` are counts and `shares`
/// the same over all cases; `forms` and `undefined` count by form and by erratum. `functions` is what
/// [`functions`] gives, `dissections` what became of exact results, by optype, in the batches dissected. Of
/// the findings, `kinds` has the number kept of each function and kind of divergence and `findings_kept`
/// their sum, while `divergences` counts all.
pub fn summary(outcome: &Outcome) -> Value {
    let tally = &outcome.tally;
    let forms = tally.forms.iter().map(|(form, counts)| (form.clone(), verdicts(counts)));
    let kinds = tally.findings.iter().map(|(key, list)| (key.clone(), json!(list.len())));
    let shares = facts::verdicts(&tally.verdicts).map(|(name, n)| (name.to_owned(), ratio(n, tally.cases)));
    json!({
        "plan": outcome.plan,
        "departures": departures(outcome),
        "shards": outcome.shards,
        "complete": plan::complete(outcome),
        "planned": plan::planned(&outcome.plan),
        "cases": tally.cases,
        "verdicts": verdicts(&tally.verdicts),
        "shares": Map::from_iter(shares),
        "divergences": tally.verdicts.diverged,
        "forms": Map::from_iter(forms),
        "undefined": tally.undefined,
        "functions": functions(outcome),
        "dissections": dissections(outcome),
        "without_accuracy": plan::without_accuracy(outcome),
        "findings_kept": found::kept(tally),
        "kinds": Map::from_iter(kinds),
    })
}

/// What is known of each function, by name: its accuracy where it is held to a bound, and in a sweep its
/// `verdicts`. A swept function that is held to bits has `inputs` and `verdicts` alone.
///
/// `inputs` are the cases that had to write a result: their error was `measured`, or they held without one
/// (`special`), or they diverged without one, as a NaN or a missing write does. Errors are in ulp of the true
/// value: `max_ulp` and `mean_ulp` are magnitudes, `bias_ulp` is the signed mean, `least` and `greatest`
/// are the signed extremes. `correctly_rounded` and `faithful` are shares of the measured, 0 to 1. Bin i
/// of the `histogram` reaches from `edges[i]` up to `edges[i + 1]`, the outermost ones without end. What
/// takes a measurement is null where there was none.
pub fn functions(outcome: &Outcome) -> Value {
    let list = outcome.tally.accuracy.iter();
    let mut functions: Map<String, Value> =
        list.map(|(name, accuracy)| (name.clone(), function(accuracy))).collect();
    for (name, counts) in &outcome.tally.functions {
        let entry = functions.entry(name.clone()).or_insert_with(|| json!({ "inputs": counts.total() }));
        entry["verdicts"] = verdicts(counts);
    }
    Value::Object(functions)
}

fn function(accuracy: &Accuracy) -> Value {
    let measured = accuracy.measured > 0;
    let worst = accuracy.worst();
    json!({
        "inputs": accuracy.inputs,
        "measured": accuracy.measured,
        "special": accuracy.special,
        "max_ulp": worst.map(|_| accuracy.max_ulp()),
        "worst_input": worst.map(|e| hex(e.input)),
        "worst_result": worst.map(|e| hex(e.result)),
        "least": accuracy.least.map(extreme),
        "greatest": accuracy.greatest.map(extreme),
        "mean_ulp": measured.then(|| accuracy.mean_ulp()),
        "bias_ulp": measured.then(|| accuracy.bias_ulp()),
        "rms_ulp": measured.then(|| accuracy.rms_ulp()),
        "correctly_rounded": ratio(accuracy.correctly_rounded, accuracy.measured),
        "correctly_rounded_count": accuracy.correctly_rounded,
        "faithful": ratio(accuracy.faithful, accuracy.measured),
        "faithful_count": accuracy.faithful,
        "bounds": Map::from_iter(accuracy.bounds.iter().map(|(bound, usage)| (bound.clone(), self::bound(usage)))),
        "histogram": {
            "edges": histogram::edges(accuracy.histogram.len()),
            "counts": accuracy.histogram,
        },
    })
}

/// `farthest` is in ulp, absolute or relative, as the metric is; null where the subject's results are all special.
fn bound(usage: &Usage) -> Value {
    let farthest = usage.farthest;
    json!({
        "metric": usage.metric,
        "measured": usage.measured,
        "refused": usage.refused,
        "farthest": farthest.map(|far| in_metric(&usage.metric, far.distance)),
        "input": farthest.map(|far| hex(far.input)),
        "result": farthest.map(|far| hex(far.result)),
    })
}

/// One batch in [`EVERY`] was dissected: `cases` results of the `executed` cases of the optype. The counts of
/// `total` are again in `by_rounding`, in `ftz` and in `sat`, as far as they are of functions of that kind.
/// `cancelled` and `differences` are null for FMUL, which has no sum.
fn dissections(outcome: &Outcome) -> Value {
    let list = dissection::by_optype(outcome).into_iter();
    Value::Object(list.map(|one| (one.optype.clone(), arithmetic(&one))).collect())
}

fn arithmetic(one: &Arithmetic) -> Value {
    let Arithmetic { executed, total, modes, ftz, sat, .. } = one;
    let modes = MODES.into_iter().zip(modes);
    let by_rounding = modes.map(|(name, one)| {
        let mut entry = counts(one);
        entry["errors"] = json!({ "edges": dissection::error_edges(), "counts": one.errors });
        (name.to_owned(), entry)
    });
    let cancelled = json!({ "bits": (0..DEPTHS).collect::<Vec<_>>(), "counts": total.cancelled });
    let differences = json!({ "edges": dissection::difference_edges(), "counts": total.differences });
    json!({
        "every": EVERY,
        "executed": executed,
        "total": counts(total),
        "by_rounding": Map::from_iter(by_rounding),
        "ftz": {
            "cases": ftz.cases,
            "inputs_flushed": ftz.inputs_flushed,
            "results_flushed": ftz.results_flushed,
        },
        "sat": { "cases": sat.cases, "raised": sat.raised, "lowered": sat.lowered },
        "cancelled": one.is_sum().then_some(cancelled),
        "differences": one.is_sum().then_some(differences),
        "results": Map::from_iter(dissection::classes(total).map(|(class, n)| (class.to_owned(), json!(n)))),
    })
}

fn counts(one: &Dissection) -> Value {
    json!({
        "cases": one.cases,
        "special": one.special,
        "overflowed": one.overflowed,
        "tiny": one.tiny,
        "rounded": dissection::rounded(one),
        "representable": one.representable,
        "ties": one.ties,
    })
}

fn extreme(extreme: Extreme) -> Value {
    json!({ "ulp": in_ulp(extreme.error), "input": hex(extreme.input), "result": hex(extreme.result) })
}

fn verdicts(counts: &Counts) -> Value {
    Value::Object(facts::verdicts(counts).map(|(name, n)| (name.to_owned(), json!(n))).into_iter().collect())
}

fn departures(outcome: &Outcome) -> Value {
    let list = plan::departures(plan::setting(&outcome.plan)).into_iter();
    let entry = |d: plan::Departure| {
        let meaning = json!({ "setting": d.setting, "intended": d.intended, "means": d.meaning(d.setting) });
        (d.erratum, meaning)
    };
    Value::Object(list.map(entry).collect())
}

/// A share from 0 to 1; null of nothing.
fn ratio(part: u64, whole: u64) -> Value {
    if whole == 0 { Value::Null } else { json!(part as f64 / whole as f64) }
}
