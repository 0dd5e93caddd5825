//! The JSON output of `errata show`.

use assay_records::commands::ByName;
use assay_records::commands::errata::ErratumOutput;
use assay_vectors::Values;
use schemars::JsonSchema;
use serde::Serialize;

use crate::inspect::inspector::CaseAnswer;

/// An erratum with its executed witnesses. Exit status 1 if a witness or a trial has a problem.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErratumPage {
    /// The erratum.
    #[serde(flatten)]
    pub erratum: ErratumOutput,
    /// The witnesses of the erratum, grouped by instruction, inputs and other readings.
    pub groups: Vec<WitnessGroup>,
    /// The assembler texts of the erratum, each with the outcome of assembling it.
    pub trials: Vec<TrialOutput>,
}

/// Witnesses that differ only in the setting of the erratum.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WitnessGroup {
    /// The instruction as assembler text.
    pub asm: String,
    /// The values of the input locations.
    pub inputs: Values,
    /// Other readings that the cases set, such as `E050=1`.
    pub readings: Vec<String>,
    /// The witnesses.
    pub witnesses: Vec<WitnessOutput>,
}

/// A witness of an erratum with its results.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WitnessOutput {
    /// Name of the case.
    pub name: String,
    /// The setting that the witness is for. Null if there is no switch.
    pub setting: Option<u8>,
    /// The answer of each implementation.
    pub answers: ByName<CaseAnswer>,
    /// Why the witness does not prove its setting. Null if it does.
    pub problem: Option<String>,
}

/// An assembler text of an erratum.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TrialOutput {
    /// The text.
    pub text: String,
    /// Whether the assembler must accept the text.
    pub wanted: bool,
    /// Whether the assembler accepts the text. Null if the tables lack the optype.
    pub accepted: Option<bool>,
    /// The canonical text, if the text was accepted.
    pub asm: Option<String>,
    /// Why the text was refused.
    pub problem: Option<String>,
}
