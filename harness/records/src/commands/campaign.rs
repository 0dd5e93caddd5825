//! The JSON of `fuzz`, `sweep` and `merge`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_engine::stats::baseline::{Comparison, Excess};
use assay_engine::stats::judged::{JudgedShare, UnjudgedShare};
use assay_engine::stats::tally::Counts;
use assay_engine::triage::Unexamined;
use assay_engine::triage::explain::settings::SettingsThatExplain;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::function::Function;
use crate::RunResult;
use crate::verdict::{Reason, VerdictWord};

/// The output of `assay fuzz`. Exit status 1 if `verdict` is `failed`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct FuzzOutput {
    /// Number of executed cases of this shard.
    pub cases: u64,
    /// Number of drawn instructions. All cases of a batch have the same instruction.
    #[serde(default)]
    pub instructions: u64,
    /// Number of forms that were drawn.
    #[serde(default)]
    pub forms: usize,
    /// Number of cases by verdict.
    pub verdicts: Counts,
    /// Number of diverged cases. Equals the number in `verdicts`.
    pub divergences: u64,
    /// Number of different signatures after shrinking. A signature identifies a bug.
    pub signatures: usize,
    /// Divergences that no finding covers.
    pub unexamined: Unexamined,
    /// Settings of readings under which most divergences disappear. Null if there are no such
    /// settings.
    pub otherwise: Option<Remedy>,
    /// Paths of the findings, one for each signature.
    pub findings: Vec<PathBuf>,
    /// Share of the reachable coverage bins that were hit, 0 to 1.
    pub coverage: f64,
    /// Number of coverage bins that cases of the selection can reach.
    pub bins: usize,
    /// Names of bins that were hit although they are listed as unreachable. Each such bin shows a
    /// defect of the harness.
    pub impossible: Vec<String>,
    /// Number of undefined cases by erratum.
    pub undefined: BTreeMap<String, u64>,
    /// Number of judged lanes of each form.
    pub judged: JudgedShares,
    /// Selected functions of which subject or oracle does not support some or all modes.
    pub not_generated: Vec<String>,
    /// The accuracy of each function with an error bound. This field is ignored when the output is
    /// read back.
    #[serde(skip_deserializing)]
    pub functions: BTreeMap<String, Function>,
    /// The comparison with `--baseline`. Null without it.
    pub baseline: Option<BaselineOutput>,
    /// The verdict, as in the result.
    pub verdict: VerdictOutput,
    /// Duration of this session in seconds.
    pub seconds: f64,
    /// Cases executed per second in this session.
    pub cases_per_second: f64,
    /// Failures of the device under test. Null if no device takes part.
    pub device: Option<DeviceFailures>,
    /// The folder of the run.
    pub out: PathBuf,
}

/// The output of `assay sweep`. Exit status 1 if `verdict` is `failed`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct SweepOutput {
    /// The accuracy and the verdicts of each function. This field is ignored when the output is
    /// read back.
    #[serde(skip_deserializing)]
    pub functions: BTreeMap<String, Function>,
    /// Number of executed inputs of all functions.
    pub inputs: u64,
    /// Number of inputs by verdict.
    pub verdicts: Counts,
    /// Number of diverged inputs. Equals the number in `verdicts`.
    pub divergences: u64,
    /// Number of judged lanes of each function.
    pub judged: JudgedShares,
    /// Paths of the findings, one for each signature.
    pub findings: Vec<PathBuf>,
    /// The comparison with `--baseline`. Null without it.
    pub baseline: Option<BaselineOutput>,
    /// The verdict, as in the result.
    pub verdict: VerdictOutput,
    /// Divergences that no finding covers.
    pub unexamined: Unexamined,
    /// Settings of readings under which most divergences disappear. Null if there are no such
    /// settings.
    pub otherwise: Option<Remedy>,
    /// Distance between consecutive inputs of a unary function. 1 means every input.
    pub stride: u64,
    /// Duration of this session in seconds.
    pub seconds: f64,
    /// Failures of the device under test. Null if no device takes part.
    pub device: Option<DeviceFailures>,
    /// The folder of the run.
    pub out: PathBuf,
}

/// The output of `assay merge`. Exit status 1 if `verdict` is `failed` or `unverified`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MergeOutput {
    /// Path of the merged result.
    pub out: PathBuf,
    /// The shards of the result, as `i/n`. `0/1` is the whole plan.
    pub shards: Vec<String>,
    /// The missing shards as ranges, such as `0-13, 15`. Empty if no shard is missing.
    pub missing: String,
    /// Number of given results that repeat an earlier given result. They were not counted again.
    pub repeated: usize,
    /// Number of cases of all shards.
    pub cases: u64,
    /// Number of merged results without a digest, which only old versions wrote.
    pub unverified: u64,
    /// Number of judged lanes of each form, or of each function in a sweep.
    pub judged: JudgedShares,
    /// The verdict, as in the merged result.
    pub verdict: VerdictOutput,
}

/// The verdict of a result.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct VerdictOutput {
    /// The verdict in one word.
    pub status: VerdictWord,
    /// Why the run failed. Empty if it passed.
    pub reasons: Vec<Reason>,
    /// The functions with results that were not judged, because no bound of the contract covers
    /// their arguments.
    pub unjudged: Vec<UnjudgedShare>,
}

impl From<&RunResult> for VerdictOutput {
    fn from(outcome: &RunResult) -> VerdictOutput {
        VerdictOutput {
            status: outcome.verdict_word(),
            reasons: outcome.reasons().to_vec(),
            unjudged: outcome.verdict.as_ref().map_or_else(Vec::new, |verdict| verdict.unjudged.clone()),
        }
    }
}

/// The judged shares of a run, and which of them are too small.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct JudgedShares {
    /// The shares of each form, or of each function in a sweep.
    pub forms: Vec<JudgedShare>,
    /// The problems that fail the run, one sentence each.
    pub problems: Vec<String>,
}

impl From<&RunResult> for JudgedShares {
    fn from(outcome: &RunResult) -> JudgedShares {
        outcome.shares().to_vec().into()
    }
}

impl From<Vec<JudgedShare>> for JudgedShares {
    fn from(forms: Vec<JudgedShare>) -> JudgedShares {
        let problems = forms.iter().filter_map(|form| form.problem.clone()).collect();
        JudgedShares { forms, problems }
    }
}

/// Settings of readings under which most divergences disappear.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remedy {
    /// The settings, such as `C001=2`.
    pub readings: Vec<String>,
    /// Number of divergences that would disappear under these settings. One case of each raw key is
    /// judged again, and stands for all divergences with this key.
    pub vanishing: u64,
    /// Number of divergences whose raw key had a case that was judged again.
    pub asked: u64,
}

impl From<&SettingsThatExplain> for Remedy {
    fn from(otherwise: &SettingsThatExplain) -> Remedy {
        let settings = otherwise.settings.iter().map(|(erratum, setting)| format!("{erratum}={setting}"));
        Remedy { readings: settings.collect(), vanishing: otherwise.vanishing, asked: otherwise.asked }
    }
}

/// The failures of a device under test.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct DeviceFailures {
    /// Number of failures: crashes, timeouts, reported errors, and answers that are unreadable or
    /// do not fit.
    pub failures: u32,
    /// Why the device ended the run early. Null if it did not.
    pub dead: Option<String>,
}

/// The comparison of a run's largest errors with those of an earlier run.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct BaselineOutput {
    /// Names of the functions whose errors were compared.
    pub compared: Vec<String>,
    /// Names of the functions of this run that the earlier run did not measure.
    pub missing: Vec<String>,
    /// The errors that exceed the errors of the earlier run.
    pub exceeded: Vec<ExceededError>,
}

/// An error that exceeds the same error of the earlier run.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExceededError {
    /// Name of the function.
    pub function: String,
    /// The metric of the error: `ulp`, `absolute` or `relative`.
    pub metric: String,
    /// The bound that applies to an absolute or relative error. Null for an error in ulp.
    pub bound: Option<String>,
    /// The largest error of the earlier run, in the metric.
    pub baseline: f64,
    /// The largest error of this run, in the metric.
    pub run: f64,
    /// The input with the largest error of this run, as `0x` and eight digits.
    pub input: String,
}

impl From<&Comparison> for BaselineOutput {
    fn from(comparison: &Comparison) -> BaselineOutput {
        BaselineOutput {
            compared: comparison.compared.clone(),
            missing: comparison.missing.clone(),
            exceeded: comparison.exceeded.iter().map(ExceededError::from).collect(),
        }
    }
}

impl From<&Excess> for ExceededError {
    fn from(excess: &Excess) -> ExceededError {
        let unit = if excess.metric == "ulp" { 32 } else { 64 };
        let in_metric = |units: u64| units as f64 * 2.0_f64.powi(-unit);
        ExceededError {
            function: excess.function.clone(),
            metric: excess.metric.clone(),
            bound: excess.bound.clone(),
            baseline: in_metric(excess.before),
            run: in_metric(excess.now),
            input: format!("{:#010x}", excess.input),
        }
    }
}
