//! The JSON of `rtl`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// The output of `assay rtl`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RtlOutput {
    /// Name of the device.
    pub name: String,
    /// Path of the written library.
    pub library: PathBuf,
    /// The modes that the device declares, as patterns.
    pub modes: Vec<String>,
    /// Number of modes that match the patterns.
    pub mode_count: usize,
    /// The command to run next.
    pub next: String,
}
