//! What `fuzz`, `sweep` and `merge` print.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_engine::stats::baseline::{Comparison, Excess};
use assay_engine::stats::judged::JudgedShare;
use assay_engine::stats::tally::Counts;
use assay_engine::triage::Unexamined;
use assay_engine::triage::otherwise::SettingsThatExplain;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::function::Function;

/// What `assay fuzz` prints. Exit status 1 if anything diverged, if nothing was judged, or if `judged` has a problem.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct FuzzOutput {
    /// Cases of this shard that were executed.
    pub cases: u64,
    /// How they fared.
    pub verdicts: Counts,
    /// The diverged ones of `verdicts`.
    pub divergences: u64,
    /// Different bugs after shrinking.
    pub signatures: usize,
    /// Divergences that no finding accounts for.
    pub unexamined: Unexamined,
    /// Settings of errata under which most divergences would vanish; null where there are none.
    pub otherwise: Option<Remedy>,
    /// Files of the findings, one for each signature.
    pub findings: Vec<PathBuf>,
    /// Share of the coverage bins in reach that were hit, 0 to 1.
    pub coverage: f64,
    /// Coverage bins that cases of the selection can hit.
    pub bins: usize,
    /// Names of bins that were hit although no case should be able to.
    pub impossible: Vec<String>,
    /// Undefined cases by erratum.
    pub undefined: BTreeMap<String, u64>,
    /// How much of each form was judged.
    pub judged: JudgedShares,
    /// Functions of the selection that an implementation lacks, in whole or in part.
    pub not_generated: Vec<String>,
    /// The accuracy of each function that a contract bounds. It is not read back.
    #[serde(skip_deserializing)]
    pub functions: BTreeMap<String, Function>,
    /// What `--baseline` compared; null without it.
    pub baseline: Option<BaselineOutput>,
    /// Duration of this session.
    pub seconds: f64,
    /// Cases executed a second in this session.
    pub cases_per_second: f64,
    /// How the device under test failed; null where there is no device.
    pub device: Option<DeviceFailures>,
    /// The folder of the run.
    pub out: PathBuf,
}

/// What `assay sweep` prints. The exit status is that of `fuzz`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct SweepOutput {
    /// The accuracy and the verdicts of each function. It is not read back.
    #[serde(skip_deserializing)]
    pub functions: BTreeMap<String, Function>,
    /// Inputs of all functions that were executed.
    pub inputs: u64,
    /// How they fared.
    pub verdicts: Counts,
    /// The diverged ones of `verdicts`.
    pub divergences: u64,
    /// How much of each function was judged.
    pub judged: JudgedShares,
    /// Files of the findings, one for each signature.
    pub findings: Vec<PathBuf>,
    /// What `--baseline` compared; null without it.
    pub baseline: Option<BaselineOutput>,
    /// Divergences that no finding accounts for.
    pub unexamined: Unexamined,
    /// Settings of errata under which most divergences would vanish; null where there are none.
    pub otherwise: Option<Remedy>,
    /// Distance between neighbouring inputs of a unary function; 1: every input.
    pub stride: u64,
    /// Duration of this session.
    pub seconds: f64,
    /// How the device under test failed; null where there is no device.
    pub device: Option<DeviceFailures>,
    /// The folder of the run.
    pub out: PathBuf,
}

/// What `assay merge` prints. The exit status is that of `fuzz`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MergeOutput {
    /// The file that was written.
    pub out: PathBuf,
    /// The shards that are part of the result, as `i/n`; `0/1` is the whole.
    pub shards: Vec<String>,
    /// Shards that are missing, as ranges such as `0-13, 15`; empty where none is.
    pub missing: String,
    /// Results that were given more than once and counted once.
    pub repeated: usize,
    /// Cases of all shards.
    pub cases: u64,
    /// Results without a digest that are part of it.
    pub unverified: u64,
    /// How much of each form, or in a sweep of each function, was judged.
    pub judged: JudgedShares,
}

/// How much of a run was judged, and what of that fails the run.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct JudgedShares {
    /// Each form, or in a sweep each function.
    pub forms: Vec<JudgedShare>,
    /// What is wrong, a sentence each.
    pub problems: Vec<String>,
}

impl From<&[JudgedShare]> for JudgedShares {
    fn from(forms: &[JudgedShare]) -> JudgedShares {
        let problems = forms.iter().filter_map(|form| form.problem.clone()).collect();
        JudgedShares { forms: forms.to_vec(), problems }
    }
}

/// Settings of errata under which most divergences would vanish.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Remedy {
    /// The settings, such as `C001=2`.
    pub readings: Vec<String>,
    /// Divergences that would vanish under these settings.
    pub vanishing: u64,
    /// Divergences that were executed again to find out.
    pub asked: u64,
}

impl From<&SettingsThatExplain> for Remedy {
    fn from(otherwise: &SettingsThatExplain) -> Remedy {
        let settings = otherwise.settings.iter().map(|(erratum, setting)| format!("{erratum}={setting}"));
        Remedy { readings: settings.collect(), vanishing: otherwise.vanishing, asked: otherwise.asked }
    }
}

/// How a device under test failed.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct DeviceFailures {
    /// Crashes, hangs and unreadable answers.
    pub failures: u32,
    /// Why the device ended the run; null where it did not.
    pub dead: Option<String>,
}

/// How the errors of a run compare with those of an earlier one.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct BaselineOutput {
    /// Functions whose errors were compared.
    pub compared: Vec<String>,
    /// Functions of the run that the earlier run did not measure.
    pub missing: Vec<String>,
    /// Errors that are greater than in the earlier run.
    pub exceeded: Vec<ExceededError>,
}

/// An error that is greater than in the earlier run.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ExceededError {
    /// The function.
    pub function: String,
    /// How the error is measured: `ulp`, `absolute` or `relative`.
    pub metric: String,
    /// The bound that an absolute or relative error belongs to; null of an error in ulp.
    pub bound: Option<String>,
    /// The greatest error of the earlier run, in the metric.
    pub baseline: f64,
    /// The greatest error of this run, in the metric.
    pub run: f64,
    /// Bits of the input that shows the error of this run.
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
