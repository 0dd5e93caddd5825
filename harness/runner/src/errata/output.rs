//! What `errata show` prints as JSON.

use assay_records::commands::ByName;
use assay_records::commands::errata::ErratumOutput;
use assay_vectors::Values;
use schemars::JsonSchema;
use serde::Serialize;

use crate::inspect::inspector::CaseAnswer;

/// An erratum with its cases executed. Exit status 1 if a case does not do what it claims.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErratumPage {
    /// What is known of it.
    #[serde(flatten)]
    pub erratum: ErratumOutput,
    /// Its recorded cases, those together that have the same instruction, inputs and other readings.
    pub groups: Vec<WitnessGroup>,
    /// Its assembler texts, assembled.
    pub trials: Vec<TrialOutput>,
}

/// Recorded cases that differ in the setting alone.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WitnessGroup {
    /// The instruction.
    pub asm: String,
    /// The values of the locations that it reads.
    pub inputs: Values,
    /// Further readings that the cases set, such as `E050=1`.
    pub readings: Vec<String>,
    /// The cases.
    pub witnesses: Vec<WitnessOutput>,
}

/// A recorded case of an erratum, executed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WitnessOutput {
    /// Its name.
    pub name: String,
    /// The setting that it is for; null where there is no switch.
    pub setting: Option<u8>,
    /// What each implementation answers.
    pub answers: ByName<CaseAnswer>,
    /// Why it proves nothing; null where it proves something.
    pub problem: Option<String>,
}

/// An assembler text that the erratum is about.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TrialOutput {
    /// The text.
    pub text: String,
    /// Whether it must be accepted.
    pub wanted: bool,
    /// Whether it is; null where the tables lack the optype.
    pub accepted: Option<bool>,
    /// The canonical text of what was accepted.
    pub asm: Option<String>,
    /// Why it was refused.
    pub problem: Option<String>,
}
