//! What is known of a function, as JSON.

use std::collections::BTreeMap;

use assay_engine::stats::accuracy::{Accuracy, Usage};
use assay_records::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

use super::extreme::Extreme;
use super::survey::Survey;
use super::{Verdicts, ratio};
use crate::number::{hex, in_metric};
use crate::{facts, histogram};

/// A function: its accuracy where it is held to a bound, and in a sweep its verdicts. A swept function that is held to
/// bits has inputs and verdicts alone.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Function {
    /// The cases that had to write a result: their error was measured, or they held without one (special), or they
    /// diverged without one, as a NaN or a missing write does.
    inputs: u64,
    #[serde(flatten)]
    accuracy: Option<Measured>,
    /// How its cases fared; of a sweep.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdicts: Option<Verdicts<u64>>,
}

/// Errors are in ulp of the true value. What takes a measurement is null where there was none.
#[derive(Serialize, JsonSchema)]
struct Measured {
    /// Results whose error was measured.
    measured: u64,
    /// Results that held without an error to measure.
    special: u64,
    /// The largest magnitude.
    max_ulp: Option<f64>,
    /// The input that shows it.
    worst_input: Option<String>,
    /// The result there.
    worst_result: Option<String>,
    /// The most negative error.
    least: Option<Extreme>,
    /// The most positive error.
    greatest: Option<Extreme>,
    /// Mean of the magnitudes.
    mean_ulp: Option<f64>,
    /// The signed mean.
    bias_ulp: Option<f64>,
    /// Root of the mean square.
    rms_ulp: Option<f64>,
    /// Share of the measured, 0 to 1.
    correctly_rounded: Option<f64>,
    /// How many.
    correctly_rounded_count: u64,
    /// Share of the measured that are less than one ulp off.
    faithful: Option<f64>,
    /// How many.
    faithful_count: u64,
    /// How far each bound was used up, by its text; `no bound` where none holds.
    bounds: BTreeMap<String, Bound>,
    /// How often errors occur.
    histogram: Histogram<f64>,
    /// Of a sweep over every input: where the errors are, and how results stand to each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    survey: Option<Survey>,
}

/// Counts of bins: bin i reaches from edge i up to edge i + 1, the outermost ones without end.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Histogram<T> {
    /// Edges of the bins, one more than there are counts.
    pub edges: Vec<T>,
    /// How many in each.
    pub counts: Vec<u64>,
}

/// How far a bound was used up.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Bound {
    /// `ulp`, `absolute` or `relative`.
    metric: String,
    /// Results measured under it.
    measured: u64,
    /// Those that were refused.
    refused: u64,
    /// Distance of the farthest, in the metric; null where every result is special.
    farthest: Option<f64>,
    /// The same as a share of the bound.
    used: Option<f64>,
    /// Its input.
    input: Option<String>,
    /// Its result.
    result: Option<String>,
}

impl Bound {
    fn of(bound: &str, usage: &Usage) -> Bound {
        let far = usage.farthest;
        Bound {
            metric: usage.metric.clone(),
            measured: usage.measured,
            refused: usage.refused,
            farthest: far.map(|far| in_metric(&usage.metric, far.distance)),
            used: facts::used(bound, usage),
            input: far.map(|far| hex(far.input)),
            result: far.map(|far| hex(far.result)),
        }
    }
}

/// The functions of a result by name.
pub fn by_name(outcome: &Outcome) -> BTreeMap<&str, Function> {
    let tally = &outcome.tally;
    let measured = tally.accuracy.iter().map(|(name, accuracy)| {
        let (inputs, accuracy) = (accuracy.inputs, Some(Measured::of(accuracy)));
        (name.as_str(), Function { inputs, accuracy, verdicts: None })
    });
    let mut functions: BTreeMap<&str, Function> = measured.collect();
    for (name, counts) in &tally.functions {
        let bare = || Function { inputs: counts.total(), accuracy: None, verdicts: None };
        functions.entry(name).or_insert_with(bare).verdicts = Some(Verdicts::from(counts));
    }
    functions
}

impl Measured {
    fn of(accuracy: &Accuracy) -> Measured {
        let any = accuracy.measured > 0;
        let worst = accuracy.worst();
        let bounds = accuracy.bounds.iter().map(|(bound, usage)| (bound.clone(), Bound::of(bound, usage)));
        Measured {
            measured: accuracy.measured,
            special: accuracy.special,
            max_ulp: worst.map(|_| accuracy.max_ulp()),
            worst_input: worst.map(|e| hex(e.input)),
            worst_result: worst.map(|e| hex(e.result)),
            least: accuracy.least.map(Extreme::from),
            greatest: accuracy.greatest.map(Extreme::from),
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
            survey: accuracy.survey.as_ref().map(Survey::of),
        }
    }
}
