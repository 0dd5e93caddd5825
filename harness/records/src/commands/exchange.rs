//! What `gen` and `ver` print.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_engine::stats::tally::Counts;
use assay_vectors::{Actual, ExpectedEffect, WrittenValue};
use schemars::JsonSchema;
use serde::Serialize;

use super::ByName;

/// What `assay gen --out` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GenOutput {
    /// The file that was written.
    pub out: PathBuf,
    /// Cases that were written.
    pub cases: u64,
    /// Cases of which the specification does not say what must come of them.
    pub undefined: u64,
    /// Cases that only `ver` can judge: too many values to list, or nothing judged.
    pub unlisted: u64,
    /// Functions of the selection that an implementation lacks, in whole or in part.
    pub not_generated: Vec<String>,
    /// Duration.
    pub seconds: f64,
    /// Cases written a second.
    pub cases_per_second: f64,
}

/// What `assay ver` prints. Exit status 1 if an answer diverged, 2 if a line could not be read.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VerOutput {
    /// Cases that were read and judged.
    pub cases: u64,
    /// Cases that `--cases` or all heads together promise; null where neither is there.
    pub promised: Option<u64>,
    /// How they fared.
    pub verdicts: Counts,
    /// The diverged ones of `verdicts`.
    pub divergences: u64,
    /// Undefined cases by erratum.
    pub undefined: BTreeMap<String, u64>,
    /// Verdicts by form.
    pub forms: BTreeMap<String, Counts>,
    /// Lines, or cases of a suite, that could not be read.
    pub unreadable: u64,
    /// The first of them, `--limit` at most.
    pub problems: Vec<UnreadableAnswer>,
    /// The first divergences, `--limit` at most.
    pub wrong: Vec<WrongAnswer>,
    /// The profile in force.
    pub profile: String,
    /// Duration.
    pub seconds: f64,
    /// Cases judged a second.
    pub cases_per_second: f64,
}

/// Where an answer stands in what was read, from 1.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnswerPlace {
    /// The number of its line.
    Line(u64),
    /// The number of its case in a suite.
    Case(u64),
}

/// An answer that could not be read.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UnreadableAnswer {
    /// Where it stands.
    #[serde(flatten)]
    pub place: AnswerPlace,
    /// What is wrong with it.
    pub error: String,
}

/// An answer that diverged.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WrongAnswer {
    /// Where it stands.
    #[serde(flatten)]
    pub place: AnswerPlace,
    /// The instruction.
    pub asm: String,
    /// The value of each location that it reads.
    pub inputs: ByName<WrittenValue>,
    /// What the device answered.
    pub actual: Actual,
    /// What must come of it; null where that cannot be listed.
    pub expected: Option<ExpectedAnswer>,
    /// The verdict: `diverged`, the kind, and the error in ulp where there is one.
    pub verdict: String,
}

/// What must come of a case.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExpectedAnswer {
    /// Writes, and an event or none.
    Effect(ExpectedEffect),
    /// Anything.
    Undefined {
        /// The erratum that leaves it open.
        undefined: String,
    },
}
