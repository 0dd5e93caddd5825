//! The header of a trace: the recorded device, the time, the recording program, and totals over the
//! rows.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Key of the header among the key-value metadata of the file.
pub const KEY: &str = "assay.trace";
/// Version of the format.
pub const VERSION: u32 = 2;
/// The oldest version that can be read. A trace of this version does not count unsupported cases.
pub const OLDEST: u32 = 1;

/// The header of a trace: JSON in the metadata of the file, under `assay.trace`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Header {
    /// Version of the format.
    pub version: u32,
    /// Name of the device or implementation.
    pub device: String,
    /// Compute capability of the GPU, such as `9.0`. Null for other devices.
    pub compute_capability: Option<String>,
    /// Version of the GPU driver. Null for other devices.
    pub driver: Option<String>,
    /// Version of the compiled PTX. Null for other devices.
    pub ptx_version: Option<String>,
    /// Versions of the programs that made the trace, such as `assay`.
    pub tools: BTreeMap<String, String>,
    /// Time of recording in UTC, in ISO 8601.
    pub date: String,
    /// The command that recorded the trace.
    pub command: Vec<String>,
    /// Digest of the encoding table of the instruction words.
    pub numbers: String,
    /// Number of rows.
    pub cases: u64,
    /// Number of cases that the recorded subject did not support, by form. They have no row. The
    /// field is absent if there are no such cases, and in traces of version 1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub declined: BTreeMap<String, u64>,
    /// SHA-256 of the rows and the header, in hexadecimal.
    pub hash: String,
}

/// The part of a header that every version has.
#[derive(Deserialize)]
pub(super) struct Versioned {
    pub version: u32,
}
