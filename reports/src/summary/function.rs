//! The facts about a function, as JSON.

use std::collections::BTreeMap;

use assay_engine::stats::accuracy::{Accuracy, Usage};
use assay_records::RunResult;
use assay_records::commands::function::{BoundUsage, Function, Histogram, MeasuredAccuracy};

use super::extreme::extreme;
use super::{exhaustive, ratio};
use crate::number::{hex, in_metric};
use crate::{facts, histogram};

/// Returns how much of a bound its farthest result uses.
fn bound(text: &str, usage: &Usage) -> BoundUsage {
    let far = usage.farthest;
    BoundUsage {
        metric: usage.metric.clone(),
        measured: usage.measured,
        refused: usage.refused,
        farthest: far.map(|far| in_metric(&usage.metric, far.distance)),
        used: facts::used(text, usage),
        input: far.map(|far| hex(far.input)),
        result: far.map(|far| hex(far.result)),
    }
}

/// Returns the functions of a result, by name.
pub fn by_name(outcome: &RunResult) -> BTreeMap<String, Function> {
    let tally = &outcome.tally;
    let measured = tally.accuracy.iter().map(|(name, accuracy)| {
        let (inputs, accuracy) = (accuracy.inputs, Some(measured(accuracy)));
        (name.clone(), Function { inputs, accuracy, verdicts: None })
    });
    let mut functions: BTreeMap<String, Function> = measured.collect();
    for (name, counts) in &tally.functions {
        let bare = || Function { inputs: counts.total(), accuracy: None, verdicts: None };
        functions.entry(name.clone()).or_insert_with(bare).verdicts = Some(*counts);
    }
    functions
}

/// Returns the accuracy of a function.
fn measured(accuracy: &Accuracy) -> MeasuredAccuracy {
    let any = accuracy.measured > 0;
    let worst = accuracy.worst();
    let bounds = accuracy.bounds.iter().map(|(text, usage)| (text.clone(), bound(text, usage)));
    MeasuredAccuracy {
        measured: accuracy.measured,
        special: accuracy.special,
        max_ulp: worst.map(|_| accuracy.max_ulp()),
        worst_input: worst.map(|e| hex(e.input)),
        worst_result: worst.map(|e| hex(e.result)),
        least: accuracy.least.map(extreme),
        greatest: accuracy.greatest.map(extreme),
        mean_ulp: any.then(|| accuracy.mean_ulp()),
        bias_ulp: any.then(|| accuracy.bias_ulp()),
        rms_ulp: any.then(|| accuracy.rms_ulp()),
        correctly_rounded: ratio(accuracy.correctly_rounded, accuracy.measured),
        correctly_rounded_count: accuracy.correctly_rounded,
        faithful: ratio(accuracy.faithful, accuracy.measured),
        faithful_count: accuracy.faithful,
        bounds: bounds.collect(),
        histogram: Histogram {
            edges: histogram::edges(accuracy.histogram.len()),
            counts: accuracy.histogram.clone(),
        },
        far: accuracy.far.clone(),
        exhaustive: accuracy.exhaustive.as_ref().map(exhaustive::of),
    }
}
