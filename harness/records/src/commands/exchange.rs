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
    /// Number of cases without a listed expectation: too many values are allowed, or no bound
    /// applies. `ver` judges them.
    pub unlisted: u64,
    /// Selected functions that an implementation lacks, in whole or in part.
    pub not_generated: Vec<String>,
    /// Duration in seconds.
    pub seconds: f64,
    /// Cases written per second.
    pub cases_per_second: f64,
}

/// The output of `assay ver`. Exit status 1 if `verdict` is `failed` or `unverified`, 2 if a line could not
/// be read.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VerOutput {
    /// The verdict. It is `unverified` if the digest of the generated cases is unknown, unless
    /// `--allow-incomplete` allows that.
    pub verdict: VerdictWord,
    /// Why the verdict is `failed` or `unverified`, except for divergences.
    pub reasons: Vec<String>,
    /// Whether `--allow-incomplete` was given.
    pub allow_incomplete: bool,
    /// What the other options demand and allow. Absent if none was given.
    #[serde(default, skip_serializing_if = "RunDemands::is_empty")]
    pub demands: RunDemands,
    /// What the profile demands less of than the built-in profile that it extends. Absent if it demands as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looser: Option<LooserProfile>,
    /// Number of cases that were read and judged.
    pub cases: u64,
    /// Number of cases according to `--cases`, or to all headers together. Null if neither states
    /// it.
    pub promised: Option<u64>,
    /// Digest of the answered cases, 16 hexadecimal digits. It does not depend on their order.
    pub digest: String,
    /// Digest of the generated cases according to `--digest`, or to all headers together. Null if it is
    /// unknown.
    pub expected_digest: Option<String>,
    /// Number of cases by verdict.
    pub verdicts: Counts,
    /// Number of diverged cases, the same as in `verdicts`.
    pub divergences: u64,
    /// Number of undefined cases by erratum.
    pub undefined: BTreeMap<String, u64>,
    /// Number of cases by form and verdict.
    pub forms: BTreeMap<String, Counts>,
    /// Number of judged cases of each form.
    pub judged: JudgedShares,
    /// Number of lines, or cases of a suite, that could not be read.
    pub unreadable: u64,
    /// The first unreadable lines or cases, at most `--limit`.
    pub problems: Vec<UnreadableAnswer>,
    /// The first divergences, at most `--limit`.
    pub wrong: Vec<WrongAnswer>,
    /// Settings of readings under which most divergences disappear. Null if there are none.
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
    /// The expected answer. Null if too many answers are allowed.
    pub expected: Option<ExpectedAnswer>,
    /// The verdict: `diverged`, the kind of divergence, and the error in ulp if there is one.
    pub verdict: String,
}

/// The expected answer of a case.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExpectedAnswer {
    /// Writes, and an event or none.
    Effect(ExpectedEffect),
    /// Any answer.
    Undefined {
        /// The erratum that leaves the result undefined.
        undefined: String,
    },
}
