//! A result as JSON, its ratios computed, with the keys that the command line promises.
//!
//! What the result file holds as sums is here as ratios; what only the run knows (seconds, paths of
//! findings, the share of coverage) is for the caller to add. The types here are the format: the JSON Schema is
//! derived from them.

mod coverage;
mod exhaustive;
mod extreme;
mod function;
mod rounding_stats;

use std::collections::BTreeMap;

use assay_engine::run::trace_judge::Agreement;
use assay_engine::stats::tally::Counts;
use assay_records::commands::function::Function;
use assay_records::{Plan, RunResult, Shard};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{findings, plan};
use coverage::Covered;
use rounding_stats::ArithmeticSummary;

/// What `report.json` holds.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ResultReport<'a> {
    /// The results, in the order in which they were given.
    results: Vec<Summary<'a>>,
}

/// Everything that a reader of a result wants to know.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Summary<'a> {
    /// What the run set out to do, as in the result file.
    plan: &'a Plan,
    /// The readings not set as the profile `intended` sets them, by erratum.
    departures: BTreeMap<String, Departure>,
    /// The shards that are done; 0 of 1 is the whole.
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
    verdicts: Counts,
    /// The same as shares of the cases, 0 to 1; null where there was no case.
    shares: VerdictShares,
    /// All divergences.
    divergences: u64,
    /// Of a trace: every case once, by who agrees with whom; null of what is no trace.
    agreement: Option<&'a Agreement>,
    /// Verdicts by form.
    forms: &'a BTreeMap<String, Counts>,
    /// Undefined verdicts by erratum.
    undefined: &'a BTreeMap<String, u64>,
    /// What is known of each function.
    functions: BTreeMap<String, Function>,
    /// What became of exact results, by optype, in the batches dissected.
    dissections: BTreeMap<String, ArithmeticSummary>,
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

/// The share of each verdict, 0 to 1; null where there was no case.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct VerdictShares {
    /// Every bit as it must be.
    exact: Option<f64>,
    /// Within the bound of the contract.
    within: Option<f64>,
    /// Not what must be.
    diverged: Option<f64>,
    /// The specification does not say.
    undefined: Option<f64>,
    /// The contract gives no bound there.
    unjudged: Option<f64>,
    /// An implementation does not implement it.
    unsupported: Option<f64>,
    /// Diverged, and waived by the user.
    waived: Option<f64>,
    /// Not supported by a device that declared no modes; left out if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    undeclared: Option<f64>,
}

impl VerdictShares {
    fn of(counts: &Counts, cases: u64) -> VerdictShares {
        let share = |number: u64| ratio(number, cases);
        VerdictShares {
            exact: share(counts.exact),
            within: share(counts.within),
            diverged: share(counts.diverged),
            undefined: share(counts.undefined),
            unjudged: share(counts.unjudged),
            unsupported: share(counts.unsupported),
            waived: share(counts.waived),
            undeclared: share(counts.undeclared).filter(|_| counts.undeclared > 0),
        }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl<'a> Summary<'a> {
    fn of(outcome: &'a RunResult) -> Summary<'a> {
        let tally = &outcome.tally;
        Summary {
            plan: &outcome.plan,
            departures: departures(outcome),
            shards: &outcome.shards,
            unverified: outcome.unverified,
            complete: plan::complete(outcome),
            planned: outcome.plan.cases(),
            cases: tally.cases,
            verdicts: tally.verdicts,
            shares: VerdictShares::of(&tally.verdicts, tally.cases),
            divergences: tally.verdicts.diverged,
            agreement: Some(&tally.agreement).filter(|agreement| !agreement.is_empty()),
            forms: &tally.forms,
            undefined: &tally.undefined,
            functions: function::by_name(outcome),
            dissections: rounding_stats::by_optype(outcome),
            coverage: coverage::covered(outcome),
            without_accuracy: plan::without_accuracy(outcome),
            findings_kept: findings::kept(tally),
            kinds: tally.findings.iter().map(|(key, list)| (key.as_str(), list.len())).collect(),
        }
    }
}

fn departures(outcome: &RunResult) -> BTreeMap<String, Departure> {
    let list = plan::departures(outcome.plan.setting()).into_iter();
    let entry = |d: plan::ReadingDeparture| {
        let means = d.meaning(d.setting);
        (d.erratum, Departure { setting: d.setting, intended: d.intended, means })
    };
    list.map(entry).collect()
}

/// What `report.json` holds of results.
pub fn report(outcomes: &[(String, RunResult)]) -> ResultReport<'_> {
    ResultReport { results: outcomes.iter().map(|(_, outcome)| Summary::of(outcome)).collect() }
}

/// The JSON Schema (draft 2020-12) of `report.json`.
pub fn schema() -> Value {
    assay_records::commands::schema::<ResultReport<'_>>()
}

/// What is known of each function, by name, as in the summary.
pub fn functions(outcome: &RunResult) -> BTreeMap<String, Function> {
    function::by_name(outcome)
}

/// A share from 0 to 1; null of nothing.
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
