//! The JSON of `gen` and `ver`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_engine::stats::tally::Counts;
use assay_vectors::looser::LooserProfile;
use assay_vectors::{Actual, ExpectedEffect, WrittenValue};
use schemars::JsonSchema;
use serde::Serialize;

use super::ByName;
use super::campaign::{JudgedShares, Remedy};
use crate::{RunDemands, VerdictWord};

/// The output of `assay gen --out`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GenOutput {
    /// Path of the written file.
    pub out: PathBuf,
    /// Number of written cases.
    pub cases: u64,
    /// Digest of the written cases, 16 hexadecimal digits, for `ver --digest`.
    pub digest: String,
    /// Number of cases whose result the specification leaves undefined.
    pub undefined: u64,
    /// Number of cases without a listed expectation, because too many values are allowed or no
    /// bound applies. `ver` judges these cases.
    pub unlisted: u64,
    /// Selected functions of which an implementation does not support some or all modes.
    pub not_generated: Vec<String>,
    /// Duration in seconds.
    pub seconds: f64,
    /// Cases written per second.
    pub cases_per_second: f64,
}

/// The output of `assay ver`. Exit status 1 if `verdict` is `failed` or `unverified`. Exit status 2
/// if a line could not be read.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VerOutput {
    /// The verdict. It is `unverified` if the digest of the generated cases is unknown and
    /// `--allow-incomplete` was not given.
    pub verdict: VerdictWord,
    /// Why the verdict is `failed` or `unverified`, except for divergences.
    pub reasons: Vec<String>,
    /// Whether `--allow-incomplete` was given.
    pub allow_incomplete: bool,
    /// The demands and allowances of the other options. Absent if no such option was given.
    #[serde(default, skip_serializing_if = "RunDemands::is_empty")]
    pub demands: RunDemands,
    /// The demands of the profile that are lower than those of the built-in profile that it
    /// extends. Absent if no demand is lower.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looser: Option<LooserProfile>,
    /// Number of cases that were read and judged.
    pub cases: u64,
    /// Number of cases that `--cases` states, or else the sum over all headers. Null if neither
    /// states it.
    pub promised: Option<u64>,
    /// Digest of the answered cases, 16 hexadecimal digits. The digest does not depend on the order
    /// of the cases.
    pub digest: String,
    /// Digest of the generated cases that `--digest` states, or else the sum over all headers. Null
    /// if neither states it.
    pub expected_digest: Option<String>,
    /// Number of cases by verdict.
    pub verdicts: Counts,
    /// Number of diverged cases. Equals the number in `verdicts`.
    pub divergences: u64,
    /// Number of undefined cases by erratum.
    pub undefined: BTreeMap<String, u64>,
    /// Number of cases by form and verdict.
    pub forms: BTreeMap<String, Counts>,
    /// The judged share of the cases of each form, with its problem if it is too small.
    pub judged: JudgedShares,
    /// Number of lines that could not be read, or of cases if the input is a suite.
    pub unreadable: u64,
    /// The first unreadable lines or cases, at most `--limit`.
    pub problems: Vec<UnreadableAnswer>,
    /// The first divergences, at most `--limit`.
    pub wrong: Vec<WrongAnswer>,
    /// Settings of readings under which most divergences disappear. Null if there are no such
    /// settings.
    pub otherwise: Option<Remedy>,
    /// Name of the profile.
    pub profile: String,
    /// Duration in seconds.
    pub seconds: f64,
    /// Cases judged per second.
    pub cases_per_second: f64,
}

/// The place of an answer in the input, counted from 1.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnswerPlace {
    /// Number of the line.
    Line(u64),
    /// Number of the case in the suite.
    Case(u64),
}

/// An answer that could not be read.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UnreadableAnswer {
    /// The place of the answer.
    #[serde(flatten)]
    pub place: AnswerPlace,
    /// The error.
    pub error: String,
}

/// An answer that diverged.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WrongAnswer {
    /// The place of the answer.
    #[serde(flatten)]
    pub place: AnswerPlace,
    /// The instruction as assembler text.
    pub asm: String,
    /// The value of each input location.
    pub inputs: ByName<WrittenValue>,
    /// The answer of the device.
    pub actual: Actual,
    /// The expected answer. Null if too many answers are allowed to list them.
    pub expected: Option<ExpectedAnswer>,
    /// The verdict: `diverged`, the kind of divergence, and the error in ulp if there is one.
    pub verdict: String,
}

/// The expected answer of a case.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExpectedAnswer {
    /// The expected writes, and the expected event if there is one.
    Effect(ExpectedEffect),
    /// Any answer is allowed.
    Undefined {
        /// The erratum that leaves the result undefined.
        undefined: String,
    },
}
