//! A result as JSON, with computed ratios. `docs/formats.md` documents its keys.
//!
//! The result file has sums where this form has ratios. The caller adds what only the run knows:
//! seconds, paths of findings, and the share of coverage. The JSON Schema of the format is derived
//! from the types in this module.

mod coverage;
mod exhaustive;
mod extreme;
mod function;
mod rounding_stats;

use std::collections::BTreeMap;

use assay_engine::run::trace_judge::Agreement;
use assay_engine::stats::tally::Counts;
use assay_records::commands::campaign::VerdictOutput;
use assay_records::commands::function::Function;
use assay_records::{Plan, RunResult, Shard};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::reported::ReportedRun;
use crate::{findings, plan};
use coverage::Covered;
use rounding_stats::ArithmeticSummary;

/// `report.json`: the results of runs.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ResultReport<'a> {
    /// The results, in the order of the command line.
    results: Vec<Summary<'a>>,
}

/// The result of a run.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Summary<'a> {
    /// The plan, as in the result file.
    plan: &'a Plan,
    /// Readings with another setting than in the profile `intended`, by erratum.
    departures: BTreeMap<String, Departure>,
    /// The finished shards. Shard 0 of 1 is the whole plan.
    shards: &'a [Shard],
    /// Number of merged results that have no digest.
    #[serde(skip_serializing_if = "is_zero")]
    unverified: u64,
    /// Whether every case of the plan was executed. Null if the run has a limit of time or
    /// coverage.
    complete: Option<bool>,
    /// Number of cases of the plan. Null if the run has a limit of time or coverage.
    planned: Option<u64>,
    /// The verdict, as in the result file.
    verdict: VerdictOutput,
    /// Number of executed cases.
    cases: u64,
    /// Number of cases by verdict.
    verdicts: Counts,
    /// Share of each verdict.
    shares: VerdictShares,
    /// Number of divergences.
    divergences: u64,
    /// For a trace, the number of cases by agreement of trace, model and oracle. Otherwise null.
    agreement: Option<&'a Agreement>,
    /// Number of cases by form and verdict.
    forms: &'a BTreeMap<String, Counts>,
    /// Number of undefined cases by erratum.
    undefined: &'a BTreeMap<String, u64>,
    /// The accuracy of each function, and in a sweep its verdicts.
    functions: BTreeMap<String, Function>,
    /// Rounding statistics by optype, of the sampled batches.
    #[serde(rename = "dissections")]
    rounding_stats: BTreeMap<String, ArithmeticSummary>,
    /// Coverage. Null if the result lists no bins.
    coverage: Option<Covered>,
    /// For a sweep, the functions that were not measured.
    without_accuracy: Vec<&'a str>,
    /// Number of divergences that the result keeps.
    findings_kept: usize,
    /// Number of kept divergences by function and kind.
    kinds: BTreeMap<&'a str, usize>,
}

/// A reading with another setting than in the profile `intended`.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Departure {
    /// The setting.
    setting: u8,
    /// The setting of `intended`. Null for an unknown reading.
    intended: Option<u8>,
    /// Meaning of the setting. Empty if it is unknown.
    means: &'static str,
}

/// Share of each verdict, 0 to 1. Null if no case was executed.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct VerdictShares {
    /// Every bit is as required.
    exact: Option<f64>,
    /// Within the bound of the contract.
    within: Option<f64>,
    /// Not as required.
    diverged: Option<f64>,
    /// The specification leaves the result undefined.
    undefined: Option<f64>,
    /// The contract has no bound for the arguments.
    unjudged: Option<f64>,
    /// An implementation does not support the instruction.
    unsupported: Option<f64>,
    /// Diverged, and waived by the user.
    waived: Option<f64>,
    /// A device that declared no modes answered `unsupported`. Absent if there is none.
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
            verdict: VerdictOutput::from(outcome),
            cases: tally.cases,
            verdicts: tally.verdicts,
            shares: VerdictShares::of(&tally.verdicts, tally.cases),
            divergences: tally.verdicts.diverged,
            agreement: Some(&tally.agreement).filter(|agreement| !agreement.is_empty()),
            forms: &tally.forms,
            undefined: &tally.undefined,
            functions: function::by_name(outcome),
            rounding_stats: rounding_stats::by_optype(outcome),
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

/// Returns the contents of `report.json`.
pub fn report(runs: &[ReportedRun]) -> ResultReport<'_> {
    ResultReport { results: runs.iter().map(|run| Summary::of(&run.outcome)).collect() }
}

/// Returns the JSON Schema (draft 2020-12) of `report.json`.
pub fn schema() -> Value {
    assay_records::commands::schema::<ResultReport<'_>>()
}

/// Returns the facts about each function, by name, as in `report.json`.
pub fn functions(outcome: &RunResult) -> BTreeMap<String, Function> {
    function::by_name(outcome)
}

/// Returns a share from 0 to 1. `None`, which is null in JSON, if `whole` is 0.
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
