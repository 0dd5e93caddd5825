//! The JSON of the commands of `errata`. The types of `errata show` are in crate `runner`.

use std::path::PathBuf;

use assay_vectors::errata::{Class, Decision, Evident, Ground, Passage, Severity, Text};
use schemars::JsonSchema;
use serde::Serialize;

use super::ByName;

/// An erratum in the output of `assay errata list`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErratumOutput {
    /// Number of the erratum, such as `E053`.
    pub erratum: String,
    /// The kind of defect.
    pub class: Class,
    /// The severity of the defect.
    pub severity: Severity,
    /// The affected optypes. Empty means all.
    pub optypes: Vec<String>,
    /// The places of the defect in the documents.
    #[serde(rename = "where")]
    pub passages: Vec<Passage>,
    /// The defect in one line.
    pub title: Text,
    /// The text of the documents, and its defect.
    pub problem: Text,
    /// The possible readings. The first has number 1.
    pub readings: Vec<Text>,
    /// The reasons for the recommended reading, the strongest first.
    pub basis: Vec<Ground>,
    /// The consequence if the defect is not corrected.
    pub consequence: Text,
    /// The question that the erratum's switch decides. Null if the erratum has no switch.
    pub question: Option<&'static str>,
    /// The meanings of the settings of the switch, beginning with setting 1. Empty if the erratum
    /// has no switch.
    pub settings: Vec<&'static str>,
    /// The setting of the switch in each built-in profile. Empty if the erratum has no switch.
    pub profiles: ByName<ProfileChoice>,
    /// A decision that holds under every profile. Null if the switch alone decides.
    pub decision: Option<Decision>,
    /// Evidence of the defect besides the witnesses. Null if the witnesses suffice.
    pub witness: Option<Evident>,
    /// Names of the witnesses, which are recorded cases with different results under different
    /// readings.
    pub witnesses: Vec<String>,
    /// The correction that the documents need.
    pub correction: Text,
    /// A question that only the owner of the documents can answer. Null if there is none.
    pub ask: Option<Text>,
}

/// The setting of an erratum's switch in a profile.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProfileChoice {
    /// The setting.
    pub setting: u8,
    /// The evidence for the setting.
    pub evidence: String,
    /// The reason for the setting.
    pub note: String,
}

/// The output of `assay-lab errata prove`. Exit status 1 if the proof of an erratum fails.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProveOutput {
    /// Number of errata with a switch.
    pub switches: usize,
    /// Number of settings of all switches.
    pub settings: usize,
    /// Number of witnesses of all switches.
    pub witnesses: usize,
    /// Number of proved errata.
    pub proved: usize,
    /// The failures, as `ERRATUM REASON`.
    pub failures: Vec<String>,
    /// The proof of each erratum.
    pub errata: Vec<ProofOutput>,
}

/// The proof that the witnesses of an erratum distinguish all of its settings.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProofOutput {
    /// Number of the erratum.
    pub erratum: String,
    /// Number of settings of the switch.
    pub settings: usize,
    /// Number of witnesses.
    pub witnesses: usize,
    /// Whether the erratum is proved.
    pub proved: bool,
    /// Why the erratum is not proved. Empty if it is.
    pub failures: Vec<String>,
}

/// The reading of an erratum that a subject follows, in the output of `assay errata settle`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SettledOutput {
    /// Number of the erratum.
    pub erratum: String,
    /// The question that the switch decides.
    pub question: &'static str,
    /// The outcome in words.
    pub outcome: String,
    /// The settings that agree with all results of the subject.
    pub settings: Vec<u8>,
    /// The setting of the profile.
    pub profile: u8,
    /// Number of executed inputs.
    pub asked: usize,
    /// Number of inputs that subject or oracle does not support.
    pub unsupported: usize,
    /// Number of inputs that the trace lacks.
    pub missing: usize,
    /// Whether the profile names this trace as the evidence for its setting. Null if the profile
    /// names no trace.
    pub claimed: Option<bool>,
    /// For each setting, the number of inputs whose result the oracle refuses under this setting.
    pub refused: Vec<usize>,
    /// For each setting, the number of results that it accepts and that another setting refuses or
    /// leaves open.
    pub confirmed: Vec<usize>,
}

/// The output of `assay-lab errata discover`. Exit status 1 if no case was found for a pair of
/// settings.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DiscoverOutput {
    /// Each pair of settings.
    pub pairs: Vec<PairOutput>,
    /// Errata whose literal reading leaves some case undefined. Another setting gives this case a
    /// result.
    pub no_executable_literal_reading: Vec<String>,
}

/// Two settings of a switch.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PairOutput {
    /// Number of the erratum.
    pub erratum: String,
    /// The two settings.
    pub settings: [u8; 2],
    /// A case with different results under the two settings. Null if none was found within
    /// `--cases`.
    pub found: Option<DiscoveredCase>,
    /// Names of the recorded witnesses of the erratum.
    pub known: Vec<String>,
}

/// A case with different results under two settings.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DiscoveredCase {
    /// The instruction as assembler text.
    pub asm: String,
    /// The bits of each input location, `0x` and eight digits.
    pub inputs: ByName<String>,
    /// The setting under which the case is undefined. Null if both settings define its result.
    pub undefined_under: Option<u8>,
    /// The profile that sets the other readings.
    pub profile: String,
}

/// The files that `assay errata report` and `assay report --out` wrote.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PathsOutput {
    /// Paths of the files.
    pub paths: Vec<PathBuf>,
}
