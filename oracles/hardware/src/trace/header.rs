//! The header of a trace: who was recorded, when, by what, and what the rows must add up to.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Key of the header among the key-value metadata of the file.
pub const KEY: &str = "assay.trace";
/// Version of the format.
pub const VERSION: u32 = 1;

/// Who was recorded, when and by what. It stands as JSON in the metadata of the file, under [`KEY`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    /// Version of the format.
    pub version: u32,
    /// Name of the device, or of the implementation.
    pub device: String,
    /// Its compute capability, such as `9.0`; none for what is no GPU.
    pub compute_capability: Option<String>,
    /// Version of its driver.
    pub driver: Option<String>,
    /// Version of the PTX that was compiled for it.
    pub ptx_version: Option<String>,
    /// Versions of the programs that took part, such as `assay`.
    pub tools: BTreeMap<String, String>,
    /// When, in UTC by ISO 8601.
    pub date: String,
    /// The command that recorded it.
    pub command: Vec<String>,
    /// Digest of the table of numbers that the words are encoded by.
    pub numbers: String,
    /// Number of rows. The writer counts them.
    pub cases: u64,
    /// Hash of what all rows say, in hexadecimal; see [`super::content`]. The writer computes it.
    pub hash: String,
}

/// What every version of a header has.
#[derive(Deserialize)]
pub(super) struct Versioned {
    pub version: u32,
}
