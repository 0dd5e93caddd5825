//! What the commands of `errata` print. What `errata show` prints besides stands in `runner`.

use std::path::PathBuf;

use assay_vectors::errata::{Class, Decision, Evident, Ground, Passage, Severity, Text};
use schemars::JsonSchema;
use serde::Serialize;

use super::ByName;

/// An erratum, as `assay errata list` prints it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErratumOutput {
    /// Its number, such as `E053`.
    pub erratum: String,
    /// What kind of defect it is.
    pub class: Class,
    /// How much depends on it.
    pub severity: Severity,
    /// The optypes that it touches; empty for all.
    pub optypes: Vec<String>,
    /// Where it is in the documents.
    #[serde(rename = "where")]
    pub passages: Vec<Passage>,
    /// The defect in one line.
    pub title: Text,
    /// What is written, and why that is a defect.
    pub problem: Text,
    /// How it can be read; the first is numbered 1.
    pub readings: Vec<Text>,
    /// What the recommended reading rests on, the strongest first.
    pub basis: Vec<Ground>,
    /// What goes wrong if nothing is done.
    pub consequence: Text,
    /// What the switch decides; null where there is no switch.
    pub question: Option<&'static str>,
    /// The settings of the switch, setting 1 first; empty where there is no switch.
    pub settings: Vec<&'static str>,
    /// What each built-in profile takes; empty where there is no switch.
    pub profiles: ByName<ProfileChoice>,
    /// How the project reads it under every profile; null where a switch decides alone.
    pub decision: Option<Decision>,
    /// What shows the defect besides its cases; null where the cases suffice.
    pub witness: Option<Evident>,
    /// Names of the recorded cases that tell the readings apart.
    pub witnesses: Vec<String>,
    /// What the documents should say instead.
    pub correction: Text,
    /// What only the owner of the documents can answer; null where that is nothing.
    pub ask: Option<Text>,
}

/// What a profile takes for an erratum.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProfileChoice {
    /// The setting.
    pub setting: u8,
    /// What it rests on.
    pub evidence: String,
    /// Why.
    pub note: String,
}

/// What `assay errata prove` prints. Exit status 1 if an erratum is not proved.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProveOutput {
    /// Errata with a switch.
    pub switches: usize,
    /// Settings of all of them.
    pub settings: usize,
    /// Recorded cases of all of them.
    pub witnesses: usize,
    /// Errata that are proved.
    pub proved: usize,
    /// Why the others are not: `ERRATUM REASON`.
    pub failures: Vec<String>,
    /// Each erratum.
    pub errata: Vec<ProofOutput>,
}

/// Whether the recorded cases of an erratum tell all of its settings apart.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProofOutput {
    /// Its number.
    pub erratum: String,
    /// Settings of its switch.
    pub settings: usize,
    /// Its recorded cases.
    pub witnesses: usize,
    /// Whether it is proved.
    pub proved: bool,
    /// Why not.
    pub failures: Vec<String>,
}

/// What a subject follows of an erratum, as `assay errata settle` prints it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SettledOutput {
    /// Its number.
    pub erratum: String,
    /// What the switch decides.
    pub question: &'static str,
    /// What came of it in words.
    pub outcome: String,
    /// The settings that stand.
    pub settings: Vec<u8>,
    /// The setting of the profile.
    pub profile: u8,
    /// Inputs that were executed.
    pub asked: usize,
    /// Inputs that the subject or the oracle does not implement.
    pub unsupported: usize,
    /// Inputs that the trace lacks.
    pub missing: usize,
    /// Whether the profile says that the setting was measured with this trace; null where it says nothing.
    pub claimed: Option<bool>,
    /// Of each setting: inputs in which the oracle refuses what the subject did under it.
    pub refused: Vec<usize>,
    /// Of each setting: inputs that told it from another setting.
    pub confirmed: Vec<usize>,
}

/// What `assay errata discover` prints. Exit status 1 if a pair was not told apart.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DiscoverOutput {
    /// Each pair of settings.
    pub pairs: Vec<PairOutput>,
    /// Errata that need a literal reading that can be executed, and have none.
    pub no_executable_literal_reading: Vec<String>,
}

/// Two settings of a switch.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PairOutput {
    /// The erratum.
    pub erratum: String,
    /// The settings.
    pub settings: [u8; 2],
    /// A case that tells them apart; null where none was found within `--cases`.
    pub found: Option<DiscoveredCase>,
    /// Names of the recorded cases that tell them apart.
    pub known: Vec<String>,
}

/// A case that tells two settings apart.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DiscoveredCase {
    /// The instruction.
    pub asm: String,
    /// The bits of each location that it reads, `0x` and eight digits.
    pub inputs: ByName<String>,
    /// The setting that leaves the case undefined; null where neither does.
    pub undefined_under: Option<u8>,
    /// The profile of the other readings.
    pub profile: String,
}

/// The files that `assay errata report` and `assay report --out` wrote.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PathsOutput {
    /// Their paths.
    pub paths: Vec<PathBuf>,
}
