//! The folder of a run. It has `result.json`, which depends only on the plan, and `run.json`, which
//! also depends on the machine and the time. It also has the checkpoints of an unfinished run.

pub mod destination;

use std::fs::{File, TryLockError};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_engine::triage::explain::settings::SettingsThatExplain;
use assay_files::{Lock, Staged, TEMPORARY};
use assay_isa::shown;
use assay_mpfr::filter::certificate::{Verification, verifications};
use assay_records::checkpoint::{self, Checkpoints, Resume};
use assay_records::run_info::{self, RECORD, RESULT, RunInfo};
use assay_records::{ResultError, RunResult, read_json, write_json};

use crate::build;
use crate::error::RunError;
use crate::reporter::Reporter;

/// The file with every bin that was not hit.
pub const COVERAGE: &str = "coverage.json";
/// The file with the progress of an unfinished run.
pub const CHECKPOINT: &str = "checkpoint.json";
/// The file with the counts of an interrupted run.
pub const INTERRUPTED: &str = "interrupted.json";
/// The folder of findings.
pub const FINDINGS: &str = "findings";

/// How a run keeps its progress.
#[derive(Clone, Debug)]
pub struct KeepOptions {
    /// Folder for results and findings. `None` selects the first free `runs/NAME-N`.
    pub out: Option<PathBuf>,
    /// What to do with a folder that was used before.
    pub again: ExistingFolder,
    /// Whether a resumed run may add to the counts of another build.
    pub other_build: bool,
    /// Whether a resumed run may add to the counts of a different device, because the user declares
    /// the two to be the same.
    pub same_device: bool,
    /// Minimum time between two checkpoints.
    pub every: Duration,
}

impl KeepOptions {
    /// Prepares the folder of a run, as [`prepare`] does.
    pub fn prepare(&self, name: &str, reporter: &dyn Reporter) -> Result<Folder, RunError> {
        prepare(self.out.as_deref(), name, self.again, reporter)
    }

    /// Returns where and how the progress of the run is kept.
    pub fn checkpoints<'a>(&self, path: &'a Path, build: &'a str, say: &'a dyn Fn(&str)) -> Checkpoints<'a> {
        let resume = match (self.again == ExistingFolder::Resume, self.other_build) {
            (false, _) => Resume::No,
            (true, false) => Resume::SameBuild,
            (true, true) => Resume::AnyBuild,
        };
        Checkpoints { path, every: self.every, build, resume, same_device: self.same_device, say }
    }
}

/// The folder of a run. It stays locked against other runs as long as this value exists.
pub struct Folder {
    path: PathBuf,
    _lock: Option<Lock>,
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl Folder {
    /// Locks a folder. Fails if another run has locked it. On a file system without locks, the
    /// folder stays unlocked.
    ///
    /// # Errors
    ///
    /// Another run has locked the folder (then the message is `busy`), or the folder cannot be
    /// opened.
    pub fn lock(path: PathBuf, busy: &str) -> Result<Folder, RunError> {
        let refused = |problem: &str| RunError::input(format!("{}: {problem}", path.display()));
        let file = File::open(&path).map_err(|e| refused(&e.to_string()))?;
        match Lock::exclusive(file, Duration::ZERO) {
            Ok(lock) => Ok(Folder { path, _lock: Some(lock) }),
            Err(TryLockError::WouldBlock) => Err(refused(busy)),
            Err(TryLockError::Error(_)) => Ok(Folder { path, _lock: None }),
        }
    }
}

/// Makes sure that a run can write to its folder, before the run computes anything. Without `out`,
/// the folder is the first free `runs/NAME-N`. A folder with a result or an unfinished run is used
/// again only on request. `ExistingFolder::Overwrite` removes the files of the earlier run.
pub fn prepare(
    out: Option<&Path>,
    name: &str,
    again: ExistingFolder,
    reporter: &dyn Reporter,
) -> Result<Folder, RunError> {
    let folder = out.map_or_else(|| first_free(name), |out| make(out).map(|()| out.to_owned()))?;
    let busy = "another run is writing there; wait for its end, or choose another --out";
    let folder = Folder::lock(folder, busy)?;
    let refused = |problem: String| RunError::input(format!("{}: {problem}", folder.display()));
    // If the program is killed here, the file stays. It has the name of a temporary file, so a
    // later run removes it.
    Staged::create(&folder.join(RESULT)).map_err(|e| refused(format!("cannot be written: {e}")))?;
    let has = |file: &str| folder.join(file).exists();
    let is_unfinished = has(CHECKPOINT) || checkpoint::previous(&folder.join(CHECKPOINT)).exists();
    let files = [(RESULT, has(RESULT)), (CHECKPOINT, is_unfinished), (INTERRUPTED, has(INTERRUPTED))];
    let held = files.into_iter().find(|(_, is_held)| *is_held).map(|(file, _)| file);
    destination::refuse_link(&folder.join(FINDINGS))?;
    match (again, held) {
        (ExistingFolder::No, Some(CHECKPOINT)) => {
            return Err(refused(
                "holds an unfinished run; add --resume to go on, or --overwrite to start anew".into(),
            ));
        }
        (ExistingFolder::No, Some(file)) => {
            return Err(refused(format!("holds {file} already; choose another --out, or add --overwrite")));
        }
        (ExistingFolder::Resume, _) if is_unfinished => {}
        // A finished run is refused: without its checkpoint, the plans cannot be compared, and the
        // result may belong to another plan.
        (ExistingFolder::Resume, Some(RESULT)) => {
            return Err(refused(
                "holds a finished run; choose another --out, or add --overwrite for --resume".into(),
            ));
        }
        (ExistingFolder::Resume, _) => {
            reporter.say(&format!("nothing to resume in {}: starting from the first case", folder.display()));
        }
        (ExistingFolder::Overwrite, None) => match files_of(&folder).find(|path| !is_left_over(path)) {
            None => clear(&folder)?,
            Some(other) => {
                return Err(refused(format!(
                    "never held a run, and holds {}; choose another --out, because --overwrite replaces only runs",
                    shown::quoted(&other.file_name().unwrap_or_default().to_string_lossy())
                )));
            }
        },
        (ExistingFolder::Overwrite, Some(_)) => clear(&folder)?,
        (ExistingFolder::No, None) => {}
    }
    remove_temporary(&folder)?;
    Ok(folder)
}

fn make(folder: &Path) -> Result<(), RunError> {
    let failed = |e| RunError::input(format!("{}: {e}; choose a folder with --out", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)
}

/// Creates and returns the first free `runs/NAME-N`. Creating the folder reserves it: another run
/// may be searching for a free folder at the same time.
fn first_free(name: &str) -> Result<PathBuf, RunError> {
    make(Path::new("runs"))?;
    let numbered = (1u32..).map(|n| PathBuf::from(format!("runs/{name}-{n}")));
    let taken = |path: &PathBuf| {
        std::fs::create_dir(path).is_err_and(|e| e.kind() == std::io::ErrorKind::AlreadyExists)
    };
    let folder = numbered.into_iter().find(|path| !taken(path)).expect("there is always a next number");
    // If the folder could not be created above, this call fails with the reason.
    make(&folder).map(|()| folder)
}

/// What to do with a folder that was used before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingFolder {
    /// Refuse it.
    No,
    /// Continue from its checkpoint.
    Resume,
    /// Remove the files of the earlier run.
    Overwrite,
}

impl ExistingFolder {
    /// Returns `Overwrite` or `No`, for a command that cannot resume.
    pub fn of(overwrite: bool) -> ExistingFolder {
        if overwrite { ExistingFolder::Overwrite } else { ExistingFolder::No }
    }
}

/// Removes the files of an earlier run and no others. The files that mark a run are removed last,
/// so a partly cleared folder is still recognised as the folder of a run.
fn clear(folder: &Path) -> Result<(), RunError> {
    let is_finding = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "yaml" || kind == "json");
    let findings = files_of(&folder.join(FINDINGS)).filter(is_finding);
    let files = [RECORD, COVERAGE, INTERRUPTED, RESULT].map(|file| folder.join(file));
    for path in findings.chain(files.into_iter().filter(|path| path.exists())) {
        remove(&path)?;
    }
    Ok(checkpoint::remove(&folder.join(CHECKPOINT))?)
}

/// Removes the temporary files of runs that were killed while they wrote.
fn remove_temporary(folder: &Path) -> Result<(), RunError> {
    files_of(folder).filter(|path| is_temporary(path)).try_for_each(|path| remove(&path))
}

/// Whether a path can belong to a run without a result: the run was killed before it wrote the
/// result, or the disk was full.
fn is_left_over(path: &Path) -> bool {
    let is_called = |names: &[&str]| path.file_name().is_some_and(|name| names.iter().any(|n| name == *n));
    is_temporary(path)
        || path.is_file() && is_called(&[RECORD, COVERAGE])
        || path.is_dir() && is_called(&[FINDINGS]) && files_of(path).all(|path| is_finding(&path))
}

/// Whether a file is a finding that a run wrote.
fn is_finding(path: &Path) -> bool {
    is_temporary(path)
        || assay_vectors::read_suite(path)
            .is_ok_and(|suite| suite.cases.iter().all(|case| case.finding.is_some()))
}

fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(TEMPORARY))
}

fn files_of(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

fn remove(path: &Path) -> Result<(), RunError> {
    std::fs::remove_file(path).map_err(|e| RunError::input(format!("{}: {e}", path.display())))
}

/// Writes the counts of a run: as its result, or as an interrupted result if the run is not
/// complete. The checkpoints stay until [`close`], because later steps may fail.
pub fn record(
    folder: &Path,
    outcome: &RunResult,
    seconds: f64,
    builds: &[String],
    reporter: &dyn Reporter,
) -> Result<(), RunError> {
    for (name, verification) in verifications() {
        if matches!(verification, Verification::Refused(_)) {
            reporter.say(&format!("the certificate of {name} is {verification}"));
        }
    }
    let write = || -> Result<(), ResultError> {
        if outcome.shards.is_empty() {
            return outcome.write(&folder.join(INTERRUPTED)).map(drop);
        }
        let result = outcome.write(&folder.join(RESULT))?;
        let record = RunInfo {
            version: run_info::VERSION,
            assay: env!("CARGO_PKG_VERSION").to_owned(),
            command: std::env::args().collect(),
            jobs: rayon::current_num_threads(),
            seconds,
            date: Some(build::now()),
            machine: Some(build::machine()),
            commit: build::COMMIT.map(str::to_owned),
            otherwise: None,
            result: Some(result),
            builds: builds.to_owned(),
            certificates: verifications().map(|(name, one)| (name.to_owned(), one.to_string())).collect(),
        };
        write_json(&folder.join(RECORD), &record)
    };
    write().map_err(|error| RunError::harness(format!("the result cannot be written: {error}")))
}

/// Adds to the `run.json` of a run the settings of readings under which most of its divergences
/// would vanish.
pub fn record_otherwise(folder: &Path, otherwise: &SettingsThatExplain) -> Result<(), RunError> {
    let path = folder.join(RECORD);
    if path.exists() {
        let record: RunInfo = read_json(&path)?;
        write_json(&path, &RunInfo { otherwise: Some(otherwise.into()), ..record })?;
    }
    Ok(())
}

/// Closes a run whose files are all written. If the run is complete, removes its checkpoints and an
/// earlier interrupted result.
pub fn close(folder: &Path, outcome: &RunResult) -> Result<(), RunError> {
    if outcome.shards.is_empty() {
        return Ok(());
    }
    let interrupted = folder.join(INTERRUPTED);
    if interrupted.exists() {
        remove(&interrupted)?;
    }
    Ok(checkpoint::remove(&folder.join(CHECKPOINT))?)
}

/// Adds advice to a failure that occurs after the cases of a run were executed: what is kept, and
/// how to continue.
pub fn kept(folder: &Path, failure: RunError) -> RunError {
    let counted = if folder.join(CHECKPOINT).exists() {
        "what the last checkpoint counted is kept"
    } else {
        "there is no checkpoint, and all has to be counted again"
    };
    let folder = folder.display();
    failure.help(format!("{counted}; fix that and continue with --out {folder} --resume"))
}

/// Creates the folder of `--out` if it does not exist.
pub fn make_folder(out: &Path) -> Result<(), RunError> {
    let refused = |e| RunError::input(format!("{}: {e}; choose another --out", out.display()));
    std::fs::create_dir_all(out).map_err(refused)
}
