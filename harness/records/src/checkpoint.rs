//! Saves the progress of a run to disk, so that the progress survives a kill, a crash, a full disk
//! or a power failure.
//!
//! A checkpoint is two lines of JSON. The first line has the length and the digest of the second.
//! The second line identifies the run, lists the builds that executed cases, and has the progress.
//! The file is written under a temporary name, synced and renamed. The previous checkpoint is kept.
//! A damaged checkpoint is reported and not used: the run continues from the previous checkpoint
//! and executes the later cases again. If a checkpoint cannot be written, the run continues and
//! tries again.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use assay_files::{Staged, read_regular};

use crate::devices::Devices;
use crate::{MOST_BYTES, ResultError, sha256};

/// Version of the format.
pub const VERSION: u32 = 2;
/// The value of `format` in the first line.
const FORMAT: &str = "assay checkpoint";

/// Where and how a run saves its progress.
#[derive(Clone, Copy)]
pub struct Checkpoints<'a> {
    /// Path of the newest checkpoint. [`previous`] returns the path of the checkpoint before it.
    pub path: &'a Path,
    /// Minimum time between two checkpoints.
    pub every: Duration,
    /// The running build of assay.
    pub build: &'a str,
    /// Whether to continue from an existing checkpoint.
    pub resume: Resume,
    /// Whether the user declares that a different device counts as the same device.
    pub same_device: bool,
    /// Called with messages for the user.
    pub say: &'a dyn Fn(&str),
}

/// Whether a run continues from its checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// No. The run begins anew.
    No,
    /// Yes, if the running build wrote the checkpoint.
    SameBuild,
    /// Yes, no matter which build wrote the checkpoint.
    AnyBuild,
}

/// Returns the path of the previous checkpoint, given the path of the newest.
pub fn previous(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".previous");
    name.into()
}

/// Why a run cannot continue from its checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// Neither the newest nor the previous checkpoint can be used.
    #[error("{}: {wrong}, and there is no sound one before it; start anew in another folder, or remove it", path.display())]
    Unusable {
        /// The newest existing checkpoint.
        path: PathBuf,
        /// The defect of the checkpoint.
        wrong: CheckpointFault,
    },
    /// The checkpoint belongs to another run.
    #[error(
        "{}: is of another run, {differs} differs; repeat the options of that run, or start anew in another folder{}",
        path.display(), same_device(*is_device)
    )]
    Foreign {
        /// The checkpoint.
        path: PathBuf,
        /// The first difference.
        differs: String,
        /// Whether only devices differ.
        is_device: bool,
    },
    /// The digest is right, but the counts contradict the progress or each other.
    #[error("{}: contradicts itself: {what}; start anew in another folder, or remove it", path.display())]
    Contradiction {
        /// The checkpoint.
        path: PathBuf,
        /// The contradiction.
        what: String,
    },
    /// Another build wrote the checkpoint.
    #[error(
        "{}: assay {its} counted this, and here is {ours}: they may not do the same; go on with that build, or add \
         --other-build to let the two mix",
        path.display()
    )]
    OtherBuild {
        /// The checkpoint.
        path: PathBuf,
        /// The build that wrote it.
        its: String,
        /// The build that runs.
        ours: String,
    },
}

/// Returns advice on `--same-device` if only the devices differ. Otherwise returns an empty text.
pub(crate) fn same_device(is_device: bool) -> &'static str {
    if is_device { "; if the device is the same for all that matters, add --same-device" } else { "" }
}

/// A defect of a checkpoint file.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointFault {
    /// The file does not exist.
    #[error("is missing")]
    Missing,
    /// The file cannot be read.
    #[error("cannot be read ({0})")]
    Unreadable(io::Error),
    /// The file is empty.
    #[error("is empty")]
    Empty,
    /// The first line is not the first line of a checkpoint.
    #[error("is damaged, or no checkpoint: its first line is not `{{\"format\":\"{FORMAT}\",…}}`")]
    NoCheckpoint,
    /// The format has another version.
    #[error("has version {0} of the format, and this assay reads {VERSION}")]
    Version(u32),
    /// The length of the second line differs from the length in the first line.
    #[error("is damaged: {holds} bytes follow its first line, which has {says}")]
    Length {
        /// Bytes after the first line.
        holds: u64,
        /// Bytes according to the first line.
        says: u64,
    },
    /// The digest of the second line differs from the digest in the first line.
    #[error("is damaged: its contents differ from the digest in its first line")]
    Digest,
    /// The file is undamaged, but its second line does not fit this kind of run.
    #[error("is sound, but not of such a run ({})", assay_isa::shown::message(&.0.to_string()))]
    Content(serde_json::Error),
}

/// The first line of a checkpoint.
#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
    bytes: u64,
    sha256: String,
}

/// The second line of a checkpoint.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body<B, I, P> {
    /// The builds that executed cases, in order. The build that wrote the checkpoint is the last.
    pub builds: B,
    /// Identifies the run.
    pub run: I,
    /// The progress of the run.
    pub progress: P,
}

/// The newest usable checkpoint with its path. `None` if there is no file.
type NewestCheckpoint<I, P> = Option<(PathBuf, Body<Vec<String>, I, P>)>;

/// The part of a checkpoint that must agree with the run.
pub trait Identity: Serialize + DeserializeOwned {
    /// Returns a phrase that names the first difference. `None` if there is none.
    fn difference(&self, other: &Self) -> Option<String>;

    /// Returns the devices that take part. `None` if runs of this kind have no devices.
    fn devices_mut(&mut self) -> Option<&mut Devices> {
        None
    }
}

/// Saves the progress of a run.
pub struct Keeper<'a, I> {
    place: Option<Checkpoints<'a>>,
    run: I,
    builds: Vec<String>,
    /// Time of the last attempt.
    tried: Instant,
    /// Whether the newest file is a usable checkpoint. Only a usable file may become the previous
    /// checkpoint.
    newest_is_sound: bool,
    /// Whether the last attempt failed.
    fails: bool,
}

impl<'a, I: Identity> Keeper<'a, I> {
    /// Opens the checkpoint of a run, if it has one, and returns the progress to continue from.
    pub fn open<P: DeserializeOwned + Default>(
        place: Option<Checkpoints<'a>>,
        run: I,
    ) -> Result<(Self, P), CheckpointError> {
        let builds = place.iter().map(|place| place.build.to_owned()).collect();
        let mut keeper =
            Keeper { place, run, builds, tried: Instant::now(), newest_is_sound: true, fails: false };
        let progress = match place.filter(|place| place.resume != Resume::No) {
            Some(place) => keeper.resume(place)?,
            None => P::default(),
        };
        Ok((keeper, progress))
    }

    fn resume<P: DeserializeOwned + Default>(
        &mut self,
        place: Checkpoints<'a>,
    ) -> Result<P, CheckpointError> {
        let Some((path, mut body)) = self.newest(place)? else { return Ok(P::default()) };
        if let Some(differs) = self.run.difference(&body.run) {
            unite_devices(&mut self.run, &mut body.run);
            let is_device = self.run.difference(&body.run).is_none();
            if !(is_device && place.same_device) {
                return Err(CheckpointError::Foreign { path, differs, is_device });
            }
        }
        let its = body.builds.last().map_or("", String::as_str);
        if its != place.build {
            if place.resume == Resume::SameBuild {
                let (its, ours) = (its.to_owned(), place.build.to_owned());
                return Err(CheckpointError::OtherBuild { path, its, ours });
            }
            self.builds.splice(0..0, body.builds);
        } else {
            self.builds = body.builds;
        }
        Ok(body.progress)
    }

    /// Returns the error for a checkpoint that contradicts itself.
    pub fn contradicts(&self, what: String) -> CheckpointError {
        let path = self.place.map_or_else(PathBuf::new, |place| place.path.to_owned());
        CheckpointError::Contradiction { path, what }
    }

    /// Returns the newest usable checkpoint and its path. `None` if there is no file.
    fn newest<P: DeserializeOwned>(
        &mut self,
        place: Checkpoints<'a>,
    ) -> Result<NewestCheckpoint<I, P>, CheckpointError> {
        let path = place.path.to_owned();
        let wrong = match read(&path) {
            Ok(body) => return Ok(Some((path, body))),
            Err(wrong) => wrong,
        };
        let before = previous(&path);
        match (wrong, read(&before)) {
            (wrong, Ok(body)) => {
                let (path, beside) = (path.display(), before.display());
                (place.say)(&format!("{path}: {wrong}; going on from the one before, {beside}"));
                self.newest_is_sound = false;
                Ok(Some((before, body)))
            }
            (CheckpointFault::Missing, Err(CheckpointFault::Missing)) => Ok(None),
            (CheckpointFault::Missing, Err(wrong)) => Err(CheckpointError::Unusable { path: before, wrong }),
            (wrong, Err(_)) => Err(CheckpointError::Unusable { path, wrong }),
        }
    }

    /// Saves the progress if the minimum time since the last attempt is over.
    pub fn keep<P: Serialize>(&mut self, progress: &P) {
        if self.is_due() {
            self.save(progress);
        }
    }

    /// Returns whether the minimum time since the last attempt to save is over.
    pub(crate) fn is_due(&self) -> bool {
        self.place.is_some_and(|place| self.tried.elapsed() >= place.every)
    }

    /// Returns the identity of the run.
    pub(crate) fn run(&self) -> &I {
        &self.run
    }

    /// Saves the progress now. Reports only the first of consecutive errors, and the first success
    /// after them.
    pub fn save<P: Serialize>(&mut self, progress: &P) {
        let Some(place) = self.place else { return };
        let written = self.write(place.path, progress);
        self.tried = Instant::now();
        match (&written, self.fails) {
            (Err(error), false) => {
                (place.say)(&format!("progress cannot be saved: {error}; going on, and trying again"));
            }
            (Ok(()), true) => (place.say)("progress is saved again"),
            _ => {}
        }
        self.fails = written.is_err();
    }

    fn write<P: Serialize>(&mut self, path: &Path, progress: &P) -> Result<(), ResultError> {
        let format = |source| ResultError::Format { path: path.to_owned(), source };
        let body = Body { builds: &self.builds, run: &self.run, progress };
        let body = serde_json::to_vec(&body).map_err(format)?;
        let io = |source| ResultError::Write { path: path.to_owned(), source };
        let staged = Staged::new(path, &seal(&body).map_err(format)?).map_err(io)?;
        if self.newest_is_sound {
            match std::fs::rename(path, previous(path)) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(ResultError::Write { path: previous(path), source });
                }
                _ => {}
            }
        }
        staged.put().map_err(io)?;
        self.newest_is_sound = true;
        Ok(())
    }

    /// Returns whether the running build executed all cases.
    pub(crate) fn is_of_one_build(&self) -> bool {
        self.builds.len() <= 1
    }

    /// Returns the identity of the run, and the builds that executed cases. The running build is
    /// the last.
    pub fn into_parts(self) -> (I, Vec<String>) {
        (self.run, self.builds)
    }
}

/// Gives both runs the devices of both runs, so that only other differences remain.
fn unite_devices<I: Identity>(one: &mut I, other: &mut I) {
    if let (Some(these), Some(those)) = (one.devices_mut(), other.devices_mut()) {
        these.unite(those);
        those.unite(these);
    }
}

/// Returns the bytes of a checkpoint whose second line is `body`.
pub fn seal(body: &[u8]) -> serde_json::Result<Vec<u8>> {
    let (version, bytes) = (VERSION, body.len() as u64);
    let head = Head { format: FORMAT.to_owned(), version, bytes, sha256: sha256(body) };
    let mut text = serde_json::to_vec(&head)?;
    text.push(b'\n');
    text.extend(body);
    Ok(text)
}

/// Returns the second line of a checkpoint, if format, version, length and digest are right.
fn unseal(text: &[u8]) -> Result<&[u8], CheckpointFault> {
    if text.is_empty() {
        return Err(CheckpointFault::Empty);
    }
    let end = text.iter().position(|byte| *byte == b'\n').ok_or(CheckpointFault::NoCheckpoint)?;
    let (head, body) = (&text[..end], &text[end + 1..]);
    let head: Head = serde_json::from_slice(head).map_err(|_| CheckpointFault::NoCheckpoint)?;
    let holds = body.len() as u64;
    match head {
        Head { format, .. } if format != FORMAT => Err(CheckpointFault::NoCheckpoint),
        Head { version, .. } if version != VERSION => Err(CheckpointFault::Version(version)),
        Head { bytes, .. } if bytes != holds => Err(CheckpointFault::Length { holds, says: bytes }),
        Head { sha256: digest, .. } if digest != sha256(body) => Err(CheckpointFault::Digest),
        _ => Ok(body),
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, CheckpointFault> {
    let text = read_regular(path, MOST_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => CheckpointFault::Missing,
        _ => CheckpointFault::Unreadable(error),
    })?;
    parse(&text)
}

/// Parses the bytes of a checkpoint.
pub fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, CheckpointFault> {
    serde_json::from_slice(unseal(text)?).map_err(CheckpointFault::Content)
}

/// Removes the checkpoints of a finished run, first the newest and then the previous one. The
/// newest may be damaged, but the previous one never is. So a kill in between leaves a usable
/// checkpoint.
pub fn remove(path: &Path) -> Result<(), ResultError> {
    for path in [path.to_owned(), previous(path)] {
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(ResultError::Write { path, source });
            }
            _ => {}
        }
    }
    Ok(())
}
