//! The folder of a nightly campaign. All nightly runs share it, so it has all data that are needed
//! after a single run.
//!
//! ```text
//! DIR/
//!   known-issues.yaml     every signature that was ever found, and its status
//!   findings/             a case for each signature that has one
//!   lock                  locked during a nightly run
//!   nights/0001/
//!     plan.yaml           the plan of the run
//!     modes.json          the modes that the subject supports
//!     state.json          the progress, saved during the run
//!     stages/NAME/        said.json (the standard output), log (the standard error), and run/ with
//!                         results, checkpoints and findings
//!     report/             nightly.html, nightly.md, nightly.junit.xml, nightly.json
//! ```

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_files::Lock;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::NightlyError;

/// Time that a nightly run waits for the lock of the folder.
const PATIENCE: Duration = Duration::from_secs(1);

/// The file that a nightly run locks.
const LOCK: &str = "lock";

/// Opens the lock file without changing its contents. Without `create`, returns `None` if the file
/// does not exist. Refuses a link, a pipe or a device node at this path.
fn open_lock(path: &Path, create: bool) -> Result<Option<File>, NightlyError> {
    let access = if create { OFlags::RDWR | OFlags::CREATE } else { OFlags::RDONLY };
    let flags = access | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = match rustix::fs::open(path, flags, Mode::from_raw_mode(0o666)) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) if !create => return Ok(None),
        Err(Errno::LOOP) => return Err(NightlyError::input(path, "is a symbolic link; remove it")),
        Err(e) => return Err(NightlyError::file(path)(e.into())),
    };
    if file.metadata().map_err(NightlyError::file(path))?.is_file() {
        Ok(Some(file))
    } else {
        Err(NightlyError::input(path, "is no regular file; remove it"))
    }
}

/// File name of the known-issues list. `OLDER_LIST` is its name in older versions.
const LIST: &str = "known-issues.yaml";
const OLDER_LIST: &str = "ledger.yaml";

/// The folder of all nightly runs.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

/// The folder of one nightly run.
#[derive(Clone, Debug)]
pub struct NightFolder {
    /// Number of the nightly run.
    pub number: u32,
    path: PathBuf,
}

impl Folder {
    /// Returns the folder at a path. Creates it if it does not exist.
    pub fn create(root: &Path) -> Result<Folder, NightlyError> {
        for part in ["nights", "findings"] {
            let path = root.join(part);
            fs::create_dir_all(&path).map_err(NightlyError::file(&path))?;
        }
        Folder { root: root.to_owned() }.with_one_list()
    }

    /// Refuses a folder with two known-issues lists. Only one list is read, so statuses in the
    /// other would have no effect.
    fn with_one_list(self) -> Result<Folder, NightlyError> {
        let older = self.root.join(OLDER_LIST);
        if older.exists() && self.root.join(LIST).exists() {
            let problem = format!(
                "is the older name of {LIST}, which is there, too; merge the two and remove this one"
            );
            return Err(NightlyError::input(&older, problem));
        }
        Ok(self)
    }

    /// Returns the folder at a path, which must be the folder of a nightly campaign.
    pub fn open(root: &Path) -> Result<Folder, NightlyError> {
        if !root.join("nights").is_dir() {
            return Err(NightlyError::input(
                root,
                "is no campaign's folder; `assay nightly --out` makes one",
            ));
        }
        Folder { root: root.to_owned() }.with_one_list()
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// Returns the path of the known-issues list. A folder of an older version has the list under
    /// another name.
    pub fn known_issues(&self) -> PathBuf {
        renamed(&self.root, OLDER_LIST, LIST)
    }

    /// Returns the folder of the cases of all signatures.
    pub fn findings(&self) -> PathBuf {
        self.root.join("findings")
    }

    /// Locks the folder for a whole nightly run. Fails if another run holds the lock.
    pub fn lock(&self) -> Result<Lock, NightlyError> {
        let path = self.root.join(LOCK);
        let file =
            open_lock(&path, true)?.ok_or_else(|| NightlyError::input(&path, "is no file any more"))?;
        // `assay status` holds the lock for a moment.
        Lock::exclusive(file, PATIENCE).map_err(|e| match e {
            TryLockError::WouldBlock => {
                let problem = "a nightly run is using it; `assay status` shows its progress";
                NightlyError::input(&self.root, problem)
            }
            TryLockError::Error(source) => NightlyError::File { path, source },
        })
    }

    /// Returns whether a nightly run holds the lock of the folder. Creates and changes no file.
    pub fn is_locked(&self) -> Result<bool, NightlyError> {
        let path = self.root.join(LOCK);
        match open_lock(&path, false)?.map(Lock::shared) {
            None | Some(Ok(_)) => Ok(false),
            Some(Err(TryLockError::WouldBlock)) => Ok(true),
            Some(Err(TryLockError::Error(source))) => Err(NightlyError::File { path, source }),
        }
    }

    /// Returns the folders of the nightly runs, the first run first.
    pub fn nights(&self) -> Result<Vec<NightFolder>, NightlyError> {
        let path = self.root.join("nights");
        let mut nights = Vec::new();
        for entry in fs::read_dir(&path).map_err(NightlyError::file(&path))? {
            let path = entry.map_err(NightlyError::file(&path))?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if let Some(number) = name.parse().ok().filter(|number| *number > 0) {
                nights.push(NightFolder { number, path });
            }
        }
        nights.sort_by_key(|night| night.number);
        Ok(nights)
    }

    /// Creates the folder of the next nightly run, and returns it.
    pub fn begin(&self) -> Result<NightFolder, NightlyError> {
        let number = self.nights()?.last().map_or(1, |last| last.number + 1);
        let path = self.root.join("nights").join(format!("{number:04}"));
        fs::create_dir_all(&path).map_err(NightlyError::file(&path))?;
        Ok(NightFolder { number, path })
    }

    /// Removes the stage files of all nightly runs except the last `keep` runs. The other files of
    /// these runs stay.
    pub fn prune(&self, keep: u32) -> Result<(), NightlyError> {
        let nights = self.nights()?;
        let old = nights.len().saturating_sub(keep as usize);
        for night in &nights[..old] {
            let stages = night.path.join("stages");
            if stages.is_dir() {
                fs::remove_dir_all(&stages).map_err(NightlyError::file(&stages))?;
            }
        }
        Ok(())
    }
}

impl NightFolder {
    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the copy of the plan with which the run began.
    pub fn plan(&self) -> PathBuf {
        self.path.join("plan.yaml")
    }

    /// Returns the path of the state of the run.
    pub fn state(&self) -> PathBuf {
        self.path.join("state.json")
    }

    /// Returns the path of the list of modes that the subject supports.
    pub fn modes(&self) -> PathBuf {
        self.path.join("modes.json")
    }

    /// Returns the folder of the pages.
    pub fn report(&self) -> PathBuf {
        self.path.join("report")
    }

    /// Returns the path of the report in JSON, for programs and for later nightly runs.
    ///
    /// A run of an older version has the report under another name.
    pub fn nightly_report(&self) -> PathBuf {
        renamed(&self.report(), "morning.json", "nightly.json")
    }

    /// Returns the folder of a stage.
    pub fn stage(&self, name: &str) -> StageFolder {
        StageFolder(self.path.join("stages").join(name))
    }
}

/// Returns the path of a file. The path has the older name if a file with that name exists, and
/// none with the new name.
fn renamed(folder: &Path, older: &str, name: &str) -> PathBuf {
    let [older, path] = [older, name].map(|name| folder.join(name));
    if older.exists() && !path.exists() { older } else { path }
}

/// The folder of a stage of a nightly run.
#[derive(Clone, Debug)]
pub struct StageFolder(PathBuf);

impl StageFolder {
    /// Creates the folder.
    pub fn create(&self) -> Result<(), NightlyError> {
        fs::create_dir_all(&self.0).map_err(NightlyError::file(&self.0))
    }

    /// Returns the path of the standard output of the command.
    pub fn said(&self) -> PathBuf {
        self.0.join("said.json")
    }

    /// Returns the path of the standard error of the command.
    pub fn log(&self) -> PathBuf {
        self.0.join("log")
    }

    /// Returns the folder of the stage's results, checkpoint and findings.
    pub fn run(&self) -> PathBuf {
        self.0.join("run")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nights_are_numbered_locked_and_cleared_away() {
        let root = tempfile::tempdir().expect("a folder");
        let path = root.path().join("campaign");
        assert!(Folder::open(&path).is_err_and(|e| e.to_string().contains("is no campaign's folder")));
        let folder = Folder::create(&path).expect("a folder");
        for number in 1..=3 {
            let night = folder.begin().expect("a night");
            assert_eq!(night.number, number);
            night.stage("a").create().expect("a stage");
            fs::create_dir_all(night.report()).expect("a report");
        }
        let lock = folder.lock().expect("no other process is there");
        assert!(folder.lock().is_err_and(|e| e.to_string().contains("a nightly run is using")));
        assert!(folder.is_locked().expect("a lock"));
        drop(lock);
        assert!(!folder.is_locked().expect("a lock"));
        folder.lock().expect("it is free again");
        folder.prune(1).expect("pruned");
        let kept = |night: &NightFolder| (night.report().is_dir(), night.stage("a").0.is_dir());
        let nights: Vec<_> = folder.nights().expect("nights").iter().map(kept).collect();
        assert_eq!(nights, [(true, false), (true, false), (true, true)]);
    }
}
