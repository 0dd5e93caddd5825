//! A result as JSON, its ratios computed, with the keys that the command line promises.
//!
//! What the result file holds as sums is here as ratios; what only the run knows (seconds, paths of
//! findings, the share of coverage) is for the caller to add. The types here are the format: the JSON Schema is
//! derived from them.

mod coverage;
mod dissection;
mod extreme;
mod function;
mod schema;
mod survey;

use std::collections::BTreeMap;

use assay_engine::run::recorded::Agreement;
use assay_engine::stats::tally::Counts;
use assay_records::{Outcome, Plan, Shard};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{found, plan};
use coverage::Covered;
use dissection::Arithmetic;
use function::Function;

pub use schema::schema;

/// What `report.json` holds.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Report<'a> {
    /// The results, in the order in which they were given.
    results: Vec<Summary<'a>>,
}

/// Everything that a reader of a result wants to know.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Summary<'a> {
    /// What the run set out to do, as in the result file.
    #[schemars(schema_with = "schema::plan")]
    plan: &'a Plan,
    /// The readings not set as the profile `intended` sets them, by erratum.
    departures: BTreeMap<String, Departure>,
    /// The shards that are done; 0 of 1 is the whole.
    #[schemars(schema_with = "schema::shards")]
    shards: &'a [Shard],
    /// How many results without a digest are part of it: nothing shows that their counts are those of a run.
    #[serde(skip_serializing_if = "is_zero")]
    unverified: u64,
    /// Whether every case of the plan was executed; null where time or coverage was the limit.
    complete: Option<bool>,
    /// How many cases the plan has; null where time or coverage was the limit.
    planned: Option<u64>,
    /// How many were executed.
    cases: u64,
    /// How they fared.
    verdicts: Verdicts<u64>,
    /// The same as shares of the cases, 0 to 1; null where there was no case.
    shares: Verdicts<Option<f64>>,
    /// All divergences.
    divergences: u64,
    /// Of a trace: every case once, by who agrees with whom; null of what is no trace.
    #[schemars(schema_with = "schema::agreement")]
    agreement: Option<&'a Agreement>,
    /// Verdicts by form.
    forms: BTreeMap<&'a str, Verdicts<u64>>,
    /// Undefined verdicts by erratum.
    undefined: &'a BTreeMap<String, u64>,
    /// What is known of each function.
    functions: BTreeMap<&'a str, Function>,
    /// What became of exact results, by optype, in the batches dissected.
    dissections: BTreeMap<String, Arithmetic>,
    /// What was hit of the coverage bins; null of a run that lists none.
    coverage: Option<Covered>,
    /// Of a sweep: functions that were not measured.
    without_accuracy: Vec<&'a str>,
    /// How many divergences the result keeps.
    findings_kept: usize,
    /// How many are kept of each function and kind of divergence.
    kinds: BTreeMap<&'a str, usize>,
}

/// A reading not set as the profile `intended` sets it.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Departure {
    /// The setting.
    setting: u8,
    /// That of `intended`; null for a reading that this version does not know.
    intended: Option<u8>,
    /// What the setting stands for; empty if it is not known.
    means: &'static str,
}

/// A number for each verdict.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Verdicts<T> {
    /// Every bit as it must be.
    exact: T,
    /// Within the bound of the contract.
    within: T,
    /// Not what must be.
    diverged: T,
    /// The specification does not say.
    undefined: T,
    /// The contract gives no bound there.
    unjudged: T,
    /// A voice does not implement it.
    unsupported: T,
    /// Diverged, and waived by the user.
    waived: T,
    /// Not supported by a device that declared no modes; left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    undeclared: Option<T>,
}

impl<T> Verdicts<T> {
    fn of(counts: &Counts, number: impl Fn(u64) -> T) -> Verdicts<T> {
        Verdicts {
            exact: number(counts.exact),
            within: number(counts.within),
            diverged: number(counts.diverged),
            undefined: number(counts.undefined),
            unjudged: number(counts.unjudged),
            unsupported: number(counts.unsupported),
            waived: number(counts.waived),
            undeclared: (counts.undeclared > 0).then(|| number(counts.undeclared)),
        }
    }
}

impl From<&Counts> for Verdicts<u64> {
    fn from(counts: &Counts) -> Verdicts<u64> {
        Verdicts::of(counts, |number| number)
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl<'a> Summary<'a> {
    fn of(outcome: &'a Outcome) -> Summary<'a> {
        let tally = &outcome.tally;
        let forms = tally.forms.iter().map(|(form, counts)| (form.as_str(), Verdicts::from(counts)));
        Summary {
            plan: &outcome.plan,
            departures: departures(outcome),
            shards: &outcome.shards,
            unverified: outcome.unverified,
            complete: plan::complete(outcome),
            planned: outcome.plan.cases(),
            cases: tally.cases,
            verdicts: Verdicts::from(&tally.verdicts),
            shares: Verdicts::of(&tally.verdicts, |number| ratio(number, tally.cases)),
            divergences: tally.verdicts.diverged,
            agreement: Some(&tally.agreement).filter(|agreement| !agreement.is_empty()),
            forms: forms.collect(),
            undefined: &tally.undefined,
            functions: function::by_name(outcome),
            dissections: dissection::by_optype(outcome),
            coverage: coverage::covered(outcome),
            without_accuracy: plan::without_accuracy(outcome),
            findings_kept: found::kept(tally),
            kinds: tally.findings.iter().map(|(key, list)| (key.as_str(), list.len())).collect(),
        }
    }
}

fn departures(outcome: &Outcome) -> BTreeMap<String, Departure> {
    let list = plan::departures(outcome.plan.setting()).into_iter();
    let entry = |d: plan::Departure| {
        let means = d.meaning(d.setting);
        (d.erratum, Departure { setting: d.setting, intended: d.intended, means })
    };
    list.map(entry).collect()
}

/// Everything that a reader of a result wants to know.
pub fn summary(outcome: &Outcome) -> Value {
    value(Summary::of(outcome))
}

/// What `report.json` holds of results.
pub fn report(outcomes: &[(String, Outcome)]) -> Value {
    value(Report { results: outcomes.iter().map(|(_, outcome)| Summary::of(outcome)).collect() })
}

/// What is known of each function, by name, as in the summary.
pub fn functions(outcome: &Outcome) -> Value {
    value(function::by_name(outcome))
}

/// Nothing here fails to be JSON: keys are text, and numbers finite or null.
fn value(of: impl Serialize) -> Value {
    serde_json::to_value(of).unwrap_or_default()
}

/// A share from 0 to 1; null of nothing.
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
