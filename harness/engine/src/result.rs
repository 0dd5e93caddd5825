//! Result files: the plan of a run, which parts of it were done, and what they counted.
//!
//! The same plan gives the same bytes on any number of threads, shards and restarts. What depends on the
//! machine, the clock and the progress goes to `run.json` instead.
//!
//! The third line of a result is the SHA-256 of the file without that line (`sed 3d result.json | sha256sum`). A
//! result that does not have this digest, or whose counts contradict each other, is refused.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest as _, Sha256};

use crate::consistency;
use crate::coverage::layout::Layout;
use crate::devices::Devices;
use crate::record;
use crate::tally::Tally;

/// Version of the result format. Version 1 had no digest.
pub const VERSION: u32 = 2;
/// The version without a digest, which is still read.
const WITHOUT_DIGEST: u32 = 1;
/// Bytes of a result at most, a hundred times what the largest has.
pub const MOST_BYTES: u64 = 256 * assay_files::MIB;
/// How a result begins: then come the 64 digits of its digest, and the rest of that line.
pub(crate) const HEAD: &str = "{\n  \"version\": 2,\n";
const DIGEST: &str = "  \"digest\": \"";
const DIGEST_END: &str = "\",\n";

/// What a run set out to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Plan {
    /// A campaign of generated cases.
    Fuzz {
        /// Seed of the generator.
        seed: u64,
        /// Number of cases; none where time was the limit, and then shards cannot be merged.
        cases: Option<u64>,
        /// Whether the run ends early once every coverage bin was hit; then shards cannot be merged.
        until_covered: bool,
        /// Globs over optypes, forms and functions; empty for everything.
        only: Vec<String>,
        /// Who is compared under which rules.
        #[serde(flatten)]
        setting: Setting,
    },
    /// Every input of unary functions, or a stated sample of them, and products of listed operands.
    Sweep {
        /// Functions, e.g. `MUFU.RCP.F32`, with the number of inputs of each.
        functions: BTreeMap<String, u64>,
        /// Distance between neighbouring inputs of a unary function: 1 is exhaustive.
        stride: u64,
        /// Who is compared under which rules.
        #[serde(flatten)]
        setting: Setting,
    },
    /// Every case of recorded traces.
    Trace {
        /// The traces by the hash of their rows, with the number of cases of each.
        traces: BTreeMap<String, u64>,
        /// Who is compared under which rules.
        #[serde(flatten)]
        setting: Setting,
    },
}

impl Plan {
    /// Cases that the whole plan holds; none where time or coverage was the limit.
    pub fn cases(&self) -> Option<u64> {
        match self {
            Plan::Fuzz { until_covered: true, .. } => None,
            Plan::Fuzz { cases, .. } => *cases,
            Plan::Sweep { functions, .. } => Some(functions.values().sum()),
            Plan::Trace { traces, .. } => Some(traces.values().sum()),
        }
    }

    /// Who is compared, and under which rules.
    pub fn setting(&self) -> &Setting {
        match self {
            Plan::Fuzz { setting, .. } | Plan::Sweep { setting, .. } | Plan::Trace { setting, .. } => setting,
        }
    }

    /// The same plan for any device.
    pub(crate) fn without_devices(mut self) -> Plan {
        *self.devices_mut() = Devices::default();
        self
    }

    /// The devices that take part.
    pub fn devices_mut(&mut self) -> &mut Devices {
        match self {
            Plan::Fuzz { setting, .. } | Plan::Sweep { setting, .. } | Plan::Trace { setting, .. } => {
                &mut setting.devices
            }
        }
    }
}

/// Who is compared, and under which rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The voice under test.
    pub subject: String,
    /// The voice that knows.
    pub against: String,
    /// Name of the profile.
    pub profile: String,
    /// The setting of every reading, overrides included.
    pub readings: BTreeMap<String, u8>,
    /// The bound of every function that has one; the others are held to bits.
    pub contracts: BTreeMap<String, String>,
    /// The least percentage of lanes that must be judged, by globs over optypes, forms and functions; `*` is everything
    /// without a name of its own. Empty in results of before it was asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub judged: BTreeMap<String, u8>,
    /// The devices under test, in either role: more than one of a role only where the user said that they are the same.
    /// None where no device takes part, and in results of before they were recorded.
    #[serde(default, skip_serializing_if = "Devices::is_empty")]
    pub devices: Devices,
    /// Digest of the table of numbers: it decides what is generated and how it is encoded.
    pub numbers: String,
    /// Version of the generator: another one draws other cases from the same seed.
    pub generator: u32,
}

/// A share of a plan: batches whose index is `index` modulo `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which.
    pub index: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// The whole.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// Index of its batch with that number.
    pub fn batch(self, nth: u64) -> u64 {
        nth.saturating_mul(self.of).saturating_add(self.index)
    }
}

/// A result: a plan, the shards of it that are done, and their sum. An interrupted run has no shard that
/// is done; it can be looked at and not merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Version of this format.
    pub version: u32,
    /// The plan.
    pub plan: Plan,
    /// The shards that are done; all of a plan's shards together are the whole.
    pub shards: Vec<Shard>,
    /// How many results without a digest (version 1) are part of it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unverified: u64,
    /// The bins that the coverage is about; none of a run that counts none, and of results of before there was a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bins: Option<Layout>,
    /// What they counted.
    pub tally: Tally,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl Shard {
    /// Whether there is such a share.
    pub(crate) fn is_valid(self) -> bool {
        self.index < self.of && self.of <= MOST_SHARDS
    }
}

/// Shards that a plan can be divided into at most.
pub const MOST_SHARDS: u64 = 1_000_000;

/// Why results could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ResultError {
    /// A file could not be read.
    #[error("{}: {source}; give a result.json or the folder that holds it", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file could not be written.
    #[error("{}: {source}; check that there is room and that the folder can be written", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file is no result.
    #[error("{}: not a result of this version of assay: {}", path.display(), assay_isa::shown::message(&source.to_string()))]
    Format {
        /// The path.
        path: PathBuf,
        /// Where and why reading stopped.
        source: serde_json::Error,
    },
    /// The format is newer or older.
    #[error("{}: result format {found}, this assay reads {VERSION} and older", path.display())]
    Version {
        /// The path.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The result does not have its digest.
    #[error(
        "{}: its content does not have the digest of its third line; it was edited, reformatted or damaged: copy it \
         again, or run again",
        path.display()
    )]
    Digest {
        /// The path.
        path: PathBuf,
    },
    /// The counts of the result contradict each other.
    #[error("{}: contradicts itself: {what}; it was edited or damaged: copy it again, or run again", path.display())]
    Contradiction {
        /// The path.
        path: PathBuf,
        /// What contradicts what.
        what: String,
    },
    /// The result is not the one that its run recorded.
    #[error(
        "{}: not the bytes that the run.json beside it records; copy the folder again, or run --resume in it if it \
         holds a checkpoint; without run.json the file is taken as it is",
        path.display()
    )]
    Altered {
        /// The path.
        path: PathBuf,
    },
}

impl Outcome {
    /// A result of one shard.
    pub fn new(plan: Plan, shard: Shard, tally: Tally) -> Outcome {
        Outcome { version: VERSION, plan, shards: vec![shard], unverified: 0, bins: None, tally }
    }

    /// The same result, its coverage being about some bins.
    pub fn counting(self, bins: Layout) -> Outcome {
        Outcome { bins: Some(bins), ..self }
    }

    /// What an interrupted run counted.
    pub fn partial(plan: Plan, tally: Tally) -> Outcome {
        Outcome { shards: Vec::new(), ..Outcome::new(plan, Shard::WHOLE, tally) }
    }

    /// Reads a result file, as [`Outcome::read_recorded`] does.
    ///
    /// # Errors
    ///
    /// The same.
    pub fn read(path: &Path) -> Result<Outcome, ResultError> {
        Ok(Outcome::read_recorded(path)?.0)
    }

    /// Reads a result file, and which builds counted it as far as a `run.json` beside it says so.
    ///
    /// # Errors
    ///
    /// Refuses what is no regular file, is too long, does not have its digest, contradicts itself, or is not the
    /// result that its `run.json` records.
    pub fn read_recorded(path: &Path) -> Result<(Outcome, Vec<String>), ResultError> {
        let text = read_bytes(path)?;
        let record = record::beside(path)?;
        if record.result.is_some_and(|digest| digest != sha256(&text)) {
            return Err(ResultError::Altered { path: path.to_owned() });
        }
        Ok((Outcome::parse(path, text)?, record.builds))
    }

    /// Makes a result of the bytes of a file; `path` is for errors.
    ///
    /// # Errors
    ///
    /// Refuses what does not have its digest or contradicts itself.
    pub fn parse(path: &Path, text: Vec<u8>) -> Result<Outcome, ResultError> {
        let (text, is_sealed) = unseal(path, text)?;
        let outcome = serde_json::from_slice(&text);
        let mut outcome: Outcome = outcome.map_err(|source| match version(&text) {
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

    /// The bytes of a result file, digest included.
    pub fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(seal(&text))
    }
}

/// Inserts the digest as the third line.
pub(crate) fn seal(text: &[u8]) -> Vec<u8> {
    let rest = text.strip_prefix(HEAD.as_bytes()).expect("a result begins with its version");
    let digest = sha256(text);
    [HEAD.as_bytes(), DIGEST.as_bytes(), digest.as_bytes(), DIGEST_END.as_bytes(), rest].concat()
}

/// Takes the digest out of a text that begins with one, and checks it. Returns whether there was one.
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
            match digest == sha256(&text).as_bytes() {
                true => Ok((text, true)),
                false => Err(ResultError::Digest { path: path.to_owned() }),
            }
        }
        None => Err(ResultError::Digest { path: path.to_owned() }),
    }
}

/// The version that a result states, whatever else it holds.
fn version(text: &[u8]) -> Option<u32> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    serde_json::from_slice(text).ok().map(|Versioned { version }| version)
}

/// Names the first part in which two plans that are not equal differ.
pub(crate) fn difference(a: &Plan, b: &Plan) -> String {
    let part = match (a, b) {
        (
            Plan::Fuzz { seed, cases, until_covered, only, setting: _ },
            Plan::Fuzz { seed: seed2, cases: cases2, until_covered: covered2, only: only2, setting: _ },
        ) => match () {
            () if until_covered != covered2 => Some("the limit"),
            () if seed != seed2 => Some("the seed"),
            () if cases != cases2 => Some("the number of cases"),
            () if only != only2 => Some("the selection"),
            () => None,
        },
        (
            Plan::Sweep { functions, stride, setting: _ },
            Plan::Sweep { functions: functions2, stride: stride2, setting: _ },
        ) => match () {
            () if functions != functions2 => Some("the functions"),
            () if stride != stride2 => Some("the tier"),
            () => None,
        },
        (Plan::Trace { traces, .. }, Plan::Trace { traces: traces2, .. }) => {
            (traces != traces2).then_some("the traces")
        }
        _ => Some("the kind of run"),
    };
    part.map_or_else(|| a.setting().difference(b.setting()), str::to_owned)
}

impl Setting {
    fn difference(&self, other: &Setting) -> String {
        let part = match () {
            () if self.subject != other.subject => "the subject",
            () if self.against != other.against => "what it is held against",
            () if self.devices != other.devices => return self.devices.difference(&other.devices),
            () if self.judged != other.judged => "what share of a form must be judged",
            () if self.numbers != other.numbers => "the table of numbers",
            () if self.generator != other.generator => "the version of the generator",
            () if self.contracts != other.contracts => "the contracts of the profile",
            () => "the profile",
        };
        part.to_owned()
    }
}

/// Reads JSON.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ResultError> {
    serde_json::from_slice(&read_bytes(path)?)
        .map_err(|source| ResultError::Format { path: path.to_owned(), source })
}

pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, ResultError> {
    assay_files::read_regular(path, MOST_BYTES)
        .map_err(|source| ResultError::Read { path: path.to_owned(), source })
}

/// Writes JSON as [`write_bytes`] does.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), ResultError> {
    write_bytes(path, &to_text(path, value)?)
}

fn to_text<T: Serialize>(path: &Path, value: &T) -> Result<Vec<u8>, ResultError> {
    let mut text = serde_json::to_vec_pretty(value)
        .map_err(|source| ResultError::Format { path: path.to_owned(), source })?;
    text.push(b'\n');
    Ok(text)
}

/// Writes a file as [`assay_files::write_whole`] does: readers see all of it or none, also after a power cut.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), ResultError> {
    assay_files::write_whole(path, bytes)
        .map_err(|source| ResultError::Write { path: path.to_owned(), source })
}

/// SHA-256 in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
