//! What `coverage show` and `coverage why` print.

use schemars::JsonSchema;
use serde::Serialize;

use super::ByName;

/// What `assay coverage show` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BinsOutput {
    /// Digest of the list of bins: only results with the same one can be compared bin by bin.
    pub digest: String,
    /// The bins of each topic.
    pub topics: ByName<BinCounts>,
    /// The bins of each form.
    pub forms: ByName<BinCounts>,
}

/// Bins of a topic or a form.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct BinCounts {
    /// Bins that cases can hit.
    pub bins: usize,
    /// Bins that no case can hit.
    pub impossible: usize,
    /// Bins that the result hit; absent without a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit: Option<usize>,
    /// Bins in reach that the result did not hit; absent without a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missed: Option<usize>,
}

/// What `assay coverage why` prints. Exit status 1: no case was found for a bin that no rule excludes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WhyOutput {
    /// Bins that match.
    pub matches: usize,
    /// The first of them, three at most.
    pub bins: Vec<BinOutput>,
}

/// A coverage bin, and a case that hits it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BinOutput {
    /// Its name.
    pub name: String,
    /// Its topic.
    pub topic: String,
    /// Whether no rule excludes it.
    pub reachable: bool,
    /// Why no case can hit it; null where it is reachable.
    pub reason: Option<String>,
    /// A case that hits it; absent where none was found.
    #[serde(flatten)]
    pub case: Option<BinCase>,
}

/// A case that hits a bin.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BinCase {
    /// The instruction.
    pub asm: String,
    /// The encoded instruction, `0x` and 32 digits.
    pub word: String,
    /// The bits of each location that it reads, `0x` and eight digits.
    pub inputs: ByName<String>,
    /// The case as a suite of its own.
    pub yaml: String,
}
