//! The JSON of `coverage show`, `coverage missed` and `coverage why`.

use schemars::JsonSchema;
use serde::Serialize;

use super::ByName;

/// The output of `assay coverage show`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BinsOutput {
    /// Digest of the list of bins. Two results can be compared bin by bin only if their digests are
    /// equal.
    pub digest: String,
    /// Number of bins by topic.
    pub topics: ByName<BinCounts>,
    /// Number of bins by form.
    pub forms: ByName<BinCounts>,
}

/// Numbers of bins of a topic or a form.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct BinCounts {
    /// Number of reachable bins.
    pub bins: usize,
    /// Number of unreachable bins.
    pub impossible: usize,
    /// Number of bins that the result hit. Absent without a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit: Option<usize>,
    /// Number of reachable bins that the result did not hit. Absent without a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missed: Option<usize>,
}

/// The output of `assay coverage missed`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MissedOutput {
    /// The missed bins of the selected forms and topic.
    pub missed: Vec<MissedBinOutput>,
}

/// A bin that a run missed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MissedBinOutput {
    /// Name of the bin.
    pub name: String,
    /// Topic of the bin.
    pub topic: String,
}

/// The output of `assay coverage why`. Exit status 1 if no case was found for a reachable bin.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WhyOutput {
    /// Number of bins that match the pattern.
    pub matches: usize,
    /// The first three matching bins.
    pub bins: Vec<BinOutput>,
}

/// A coverage bin, and a case that hits it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BinOutput {
    /// Name of the bin.
    pub name: String,
    /// Topic of the bin.
    pub topic: String,
    /// Whether a case can hit the bin, according to the rules for unreachable bins.
    pub reachable: bool,
    /// Why no case can hit the bin. Null if it is reachable.
    pub reason: Option<String>,
    /// A case that hits the bin. Absent if none was found.
    #[serde(flatten)]
    pub case: Option<BinCase>,
}

/// A case that hits a bin.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BinCase {
    /// The instruction as assembler text.
    pub asm: String,
    /// The encoded instruction, `0x` and 32 digits.
    pub word: String,
    /// The bits of each input location, `0x` and eight digits.
    pub inputs: ByName<String>,
    /// The case as a YAML suite.
    pub yaml: String,
}
