//! Reads and writes result files: their bytes, and the digest in the third line.

use std::path::Path;

use schemars::Schema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::storage::{ResultError, read_bytes, write_bytes};
use super::{RunResult, VERSION, sha256};
use crate::consistency;
use crate::run_info::RunInfo;

/// Version of the format without a digest. Such files can still be read.
const WITHOUT_DIGEST: u32 = 1;
/// The bytes of a result file that precede the line of the digest.
pub const HEAD: &str = "{\n  \"version\": 2,\n";
const DIGEST: &str = "  \"digest\": \"";
const DIGEST_END: &str = "\",\n";

impl RunResult {
    /// Reads a result file.
    ///
    /// # Errors
    ///
    /// As [`RunResult::read_recorded`].
    pub fn read(path: &Path) -> Result<RunResult, ResultError> {
        Ok(RunResult::read_recorded(path)?.0)
    }

    /// Reads a result file. Also returns the builds that executed the run, if a `run.json` beside
    /// the file lists them.
    ///
    /// # Errors
    ///
    /// The file is not regular, is too long, has a wrong digest, contradicts itself, or is not the
    /// result that its `run.json` records.
    pub fn read_recorded(path: &Path) -> Result<(RunResult, Vec<String>), ResultError> {
        let text = read_bytes(path)?;
        let record = RunInfo::beside(path)?;
        if record.result.is_some_and(|digest| digest != sha256(&text)) {
            return Err(ResultError::Altered { path: path.to_owned() });
        }
        Ok((RunResult::parse(path, text)?, record.builds))
    }

    /// Parses the bytes of a result file. `path` appears in errors only.
    ///
    /// # Errors
    ///
    /// The bytes are no result of a known version, have a wrong digest, or have counts that
    /// contradict each other.
    pub fn parse(path: &Path, text: Vec<u8>) -> Result<RunResult, ResultError> {
        let (text, is_sealed) = unseal(path, text)?;
        let outcome = serde_json::from_slice(&text);
        let mut outcome: RunResult = outcome.map_err(|source| match version(&text) {
            Some(found) if found > VERSION => ResultError::Version { path: path.to_owned(), found },
            _ => ResultError::Format { path: path.to_owned(), source },
        })?;
        match (outcome.version, is_sealed) {
            (VERSION, true) => {}
            (VERSION, false) => return Err(ResultError::Digest { path: path.to_owned() }),
            (WITHOUT_DIGEST, _) => (outcome.version, outcome.unverified) = (VERSION, 1),
            (found, _) => return Err(ResultError::Version { path: path.to_owned(), found }),
        }
        let contradicts = |what| ResultError::Contradiction { path: path.to_owned(), what };
        consistency::check(&outcome).map_err(contradicts)?;
        Ok(outcome)
    }

    /// Writes a result file with its digest, and returns the digest of the whole file.
    pub fn write(&self, path: &Path) -> Result<String, ResultError> {
        let format = |source| ResultError::Format { path: path.to_owned(), source };
        let text = self.to_bytes().map_err(format)?;
        write_bytes(path, &text)?;
        Ok(sha256(&text))
    }

    /// Returns the bytes of a result file with its digest.
    pub fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(seal(&text))
    }
}

/// Adds the digest to the schema of a result, because the Rust type has no field for the digest.
pub(crate) fn describe_digest(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    let description = "SHA-256 of this file without this line; absent in version 1.";
    let digest = json!({ "description": description, "type": "string", "pattern": "^[0-9a-f]{64}$" });
    properties.map(|properties| properties.insert("digest".into(), digest));
}

/// Inserts the digest as the third line.
pub fn seal(text: &[u8]) -> Vec<u8> {
    let rest = text.strip_prefix(HEAD.as_bytes()).expect("a result begins with its version");
    let digest = sha256(text);
    [HEAD.as_bytes(), DIGEST.as_bytes(), digest.as_bytes(), DIGEST_END.as_bytes(), rest].concat()
}

/// Removes the digest from a text, and checks it. Returns the rest, and whether the text had a
/// digest.
fn unseal(path: &Path, mut text: Vec<u8>) -> Result<(Vec<u8>, bool), ResultError> {
    let start = [HEAD, DIGEST].concat();
    if !text.starts_with(start.as_bytes()) {
        return Ok((text, false));
    }
    let line = HEAD.len()..start.len() + 64 + DIGEST_END.len();
    let digest = text.get(start.len()..start.len() + 64).map(<[u8]>::to_vec);
    let is_line = text.get(..line.end).is_some_and(|text| text.ends_with(DIGEST_END.as_bytes()));
    match digest.filter(|_| is_line) {
        Some(digest) => {
            text.drain(line);
            if digest == sha256(&text).as_bytes() {
                Ok((text, true))
            } else {
                Err(ResultError::Digest { path: path.to_owned() })
            }
        }
        None => Err(ResultError::Digest { path: path.to_owned() }),
    }
}

/// Returns the version of a result. Ignores the other fields. `None` if there is no version.
fn version(text: &[u8]) -> Option<u32> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    serde_json::from_slice(text).ok().map(|Versioned { version }| version)
}
