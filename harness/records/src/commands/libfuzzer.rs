//! The JSON of the commands of `libfuzzer`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// The output of `libfuzzer replay`. Exit status 1 if the input violates the property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReplayReport {
    /// Name of the target.
    pub target: String,
    /// Whether a case of the input was judged. Null if the input violates the property.
    pub judged: Option<bool>,
    /// The violated property. Null if there is no violation.
    pub property: Option<String>,
    /// The violation in words. Null if there is no violation.
    pub message: Option<String>,
    /// Paths of the findings that were written.
    pub findings: Vec<PathBuf>,
}

/// The output of `libfuzzer list` for a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TargetListing {
    /// Name of the target.
    pub name: &'static str,
    /// The property that the target checks.
    pub about: &'static str,
    /// Size of the longest input in bytes.
    pub longest: usize,
    /// Whether the target has a dictionary.
    pub dictionary: bool,
}
