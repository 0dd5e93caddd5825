//! Progress on disk, for whatever ends a run: a kill, a crash, a full disk, a power cut.
//!
//! A checkpoint is two lines of JSON: what the file is, with the length and the digest of the rest; and the rest, which
//! says what run it is of, which builds counted, and how far they got. It is written beside its place, flushed and
//! renamed, and the one before is kept. What is damaged is told and never used: the run goes on from the one before, and
//! counts again what came after it. A checkpoint that cannot be written ends no run: the next one is tried.

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
/// What the first line says that the file is.
const FORMAT: &str = "assay checkpoint";

/// Where and how a run keeps its progress.
#[derive(Clone, Copy)]
pub struct Checkpoints<'a> {
    /// The newest checkpoint; the one before lies beside it, as [`previous`] has it.
    pub path: &'a Path,
    /// How often one is written at most.
    pub every: Duration,
    /// Which build of assay counts.
    pub build: &'a str,
    /// Whether to go on from what is there.
    pub resume: Resume,
    /// Whether the user says that other devices than before are the same.
    pub same_device: bool,
    /// Told what a user should know.
    pub say: &'a dyn Fn(&str),
}

/// Whether a run goes on from its checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// No: it begins anew.
    No,
    /// If the build that runs now wrote it.
    SameBuild,
    /// Whichever build wrote it.
    AnyBuild,
}

/// Where the checkpoint before the newest is.
pub fn previous(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".previous");
    name.into()
}

/// Why a run cannot go on from its checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// Neither the newest nor the one before can be used.
    #[error("{}: {wrong}, and there is no sound one before it; start anew in another folder, or remove it", path.display())]
    Unusable {
        /// The newest that there is.
        path: PathBuf,
        /// What is wrong with it.
        wrong: CheckpointFault,
    },
    /// It is of another run.
    #[error(
        "{}: is of another run, {differs} differs; repeat the options of that run, or start anew in another folder{}",
        path.display(), same_device(*is_device)
    )]
    Foreign {
        /// The checkpoint.
        path: PathBuf,
        /// The first part that differs.
        differs: String,
        /// Whether only devices differ.
        is_device: bool,
    },
    /// Its digest is right, and what it counted is not what it says is done.
    #[error("{}: contradicts itself: {what}; start anew in another folder, or remove it", path.display())]
    Contradiction {
        /// The checkpoint.
        path: PathBuf,
        /// What contradicts what.
        what: String,
    },
    /// Another build counted.
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

/// What a user can do where only devices differ.
pub(crate) fn same_device(is_device: bool) -> &'static str {
    match is_device {
        true => "; if the device is the same for all that matters, add --same-device",
        false => "",
    }
}

/// What is wrong with a file that should be a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointFault {
    /// There is no such file.
    #[error("is missing")]
    Missing,
    /// The system does not give it.
    #[error("cannot be read ({0})")]
    Unreadable(io::Error),
    /// There is nothing in it.
    #[error("is empty")]
    Empty,
    /// The first line is another's.
    #[error("is damaged, or no checkpoint: its first line is not `{{\"format\":\"{FORMAT}\",…}}`")]
    NoCheckpoint,
    /// Another version of assay wrote it.
    #[error("has version {0} of the format, and this assay reads {VERSION}")]
    Version(u32),
    /// It was cut off, or grew.
    #[error("is damaged: {holds} bytes follow its first line, which says {says}")]
    Length {
        /// Bytes after the first line.
        holds: u64,
        /// Bytes according to it.
        says: u64,
    },
    /// Some of it is not what was written.
    #[error("is damaged: what it holds does not have the digest of its first line")]
    Digest,
    /// It is whole, and of something else.
    #[error("is sound, but not of such a run ({})", assay_isa::shown::message(&.0.to_string()))]
    Content(serde_json::Error),
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    version: u32,
    bytes: u64,
    sha256: String,
}

/// The rest.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body<B, I, P> {
    /// The builds that counted, the last one last.
    pub builds: B,
    /// What it is of.
    pub run: I,
    /// How far it got.
    pub progress: P,
}

/// A checkpoint that was read, and where it was, if there was one.
type NewestCheckpoint<I, P> = Option<(PathBuf, Body<Vec<String>, I, P>)>;

/// What a checkpoint must agree with, for a run to go on from it.
pub trait Identity: Serialize + DeserializeOwned {
    /// Names the first part in which another differs.
    fn difference(&self, other: &Self) -> Option<String>;

    /// The devices that take part, if any can.
    fn devices_mut(&mut self) -> Option<&mut Devices> {
        None
    }
}

/// Keeps the progress of a run.
pub struct Keeper<'a, I> {
    place: Option<Checkpoints<'a>>,
    run: I,
    builds: Vec<String>,
    /// When it was last tried.
    tried: Instant,
    /// Whether what has the name of the newest is one, to become the one before.
    newest_is_sound: bool,
    /// Whether the last try failed.
    fails: bool,
}

impl<'a, I: Identity> Keeper<'a, I> {
    /// Begins to keep the progress of a run, if there is a place for it, and gives the progress to go on from.
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

    /// An error that names the checkpoint as one that contradicts itself.
    pub fn contradicts(&self, what: String) -> CheckpointError {
        let path = self.place.map_or_else(PathBuf::new, |place| place.path.to_owned());
        CheckpointError::Contradiction { path, what }
    }

    /// The newest sound checkpoint and where it is; none if there is no file at all.
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

    /// Saves progress if it is time.
    pub fn keep<P: Serialize>(&mut self, progress: &P) {
        if self.is_due() {
            self.save(progress);
        }
    }

    /// Returns whether it is time to save progress.
    pub(crate) fn is_due(&self) -> bool {
        self.place.is_some_and(|place| self.tried.elapsed() >= place.every)
    }

    /// Returns what the progress is of.
    pub(crate) fn run(&self) -> &I {
        &self.run
    }

    /// Saves progress now. What goes wrong is told once, until it goes right again.
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

    /// Whether all that is kept was counted by the build that runs.
    pub(crate) fn is_of_one_build(&self) -> bool {
        self.builds.len() <= 1
    }

    /// What the progress is of, and the builds that counted, the one that runs last.
    pub fn into_parts(self) -> (I, Vec<String>) {
        (self.run, self.builds)
    }
}

/// Gives two runs the devices of both.
fn unite_devices<I: Identity>(one: &mut I, other: &mut I) {
    if let (Some(these), Some(those)) = (one.devices_mut(), other.devices_mut()) {
        these.unite(those);
        those.unite(these);
    }
}

/// Puts the first line before what a checkpoint holds.
pub fn seal(body: &[u8]) -> serde_json::Result<Vec<u8>> {
    let (version, bytes) = (VERSION, body.len() as u64);
    let head = Head { format: FORMAT.to_owned(), version, bytes, sha256: sha256(body) };
    let mut text = serde_json::to_vec(&head)?;
    text.push(b'\n');
    text.extend(body);
    Ok(text)
}

/// What a checkpoint holds, if it holds what was written.
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

/// Reads the bytes of a checkpoint.
pub fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, CheckpointFault> {
    serde_json::from_slice(unseal(text)?).map_err(CheckpointFault::Content)
}

/// Removes the checkpoints of a run that is finished, the newest last: a kill between leaves what can be used.
pub fn remove(path: &Path) -> Result<(), ResultError> {
    for path in [previous(path), path.to_owned()] {
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(ResultError::Write { path, source });
            }
            _ => {}
        }
    }
    Ok(())
}
