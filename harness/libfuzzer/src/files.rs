//! Inputs, folders and logs on the disk.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use assay_fuzzing::artifact::is_crash;

use crate::LibfuzzerError;

/// Bytes of an input, or of its record, at most: far more than any target takes.
const MOST_BYTES: u64 = 16 * assay_files::MIB;

/// Makes a folder.
pub fn make(folder: &Path) -> Result<(), LibfuzzerError> {
    std::fs::create_dir_all(folder).map_err(|e| LibfuzzerError::input(folder, e))
}

/// Inputs with their sizes in bytes.
pub type Inputs = Vec<(u64, PathBuf)>;

/// Lists the files of a folder with their sizes, the shortest first, then by name.
pub fn inputs(folder: &Path) -> Result<Inputs, LibfuzzerError> {
    let list = || -> io::Result<Inputs> {
        let mut list = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            match entry.metadata() {
                Ok(metadata) if metadata.is_file() => list.push((metadata.len(), entry.path())),
                // While a target runs, its processes put shorter inputs in the place of others.
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        list.sort();
        Ok(list)
    };
    list().map_err(|e| LibfuzzerError::input(folder, e))
}

/// Lists the inputs in a folder that ended a process, the shortest first. An input that is slow and no more is none.
pub fn crashes(folder: &Path) -> Result<Vec<PathBuf>, LibfuzzerError> {
    Ok(inputs(folder)?.into_iter().map(|(_, path)| path).filter(|path| is_crash(path)).collect())
}

/// The inputs in a folder that ended a process, at one moment. A newer input differs in its name or in its time of
/// modification: no clock is read, because it may jump.
pub struct EarlierCrashes {
    folder: PathBuf,
    known: Vec<(PathBuf, Option<SystemTime>)>,
}

impl EarlierCrashes {
    /// Lists those that are there now.
    pub fn list(folder: &Path) -> Result<EarlierCrashes, LibfuzzerError> {
        let known = crashes(folder)?.into_iter().map(stamped).collect();
        Ok(EarlierCrashes { folder: folder.to_owned(), known })
    }

    /// Lists those that were written since, the shortest first.
    pub fn since(&self) -> Result<Vec<PathBuf>, LibfuzzerError> {
        let now = crashes(&self.folder)?.into_iter().map(stamped);
        Ok(now.filter(|stamped| !self.known.contains(stamped)).map(|(path, _)| path).collect())
    }
}

/// A file, and when it was last written.
fn stamped(path: PathBuf) -> (PathBuf, Option<SystemTime>) {
    let written = path.metadata().and_then(|metadata| metadata.modified());
    (path, written.ok())
}

/// Refuses a path that libFuzzer would hand to a shell, where the shell would take it for something else.
pub fn plain_path(path: &Path) -> Result<(), LibfuzzerError> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+,=@:%".contains(letter);
    let text = path.to_str().unwrap_or("\u{fffd}");
    let bad =
        text.chars().enumerate().find(|(nth, letter)| !is_plain(*letter) || (*nth, *letter) == (0, '-'));
    bad.map_or(Ok(()), |(_, letter)| Err(LibfuzzerError::Path { path: path.to_owned(), letter }))
}

/// Reads an input.
pub fn read(path: &Path) -> Result<Vec<u8>, LibfuzzerError> {
    assay_files::read_regular(path, MOST_BYTES).map_err(|e| LibfuzzerError::input(path, e))
}

/// Makes the first free `NAME-N.log` of a folder: the sessions of a run share it, and none removes what another wrote.
pub fn fresh_log(folder: &Path, name: &str) -> Result<(PathBuf, File), LibfuzzerError> {
    for number in 1u64.. {
        let path = folder.join(format!("{name}-{number}.log"));
        match File::create_new(&path) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|file| (path.clone(), file)).map_err(LibfuzzerError::file(&path)),
        }
    }
    unreachable!("there is always a next number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_of_an_earlier_session_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("decode-1.log"), "earlier").unwrap();
        let (path, _) = fresh_log(folder.path(), "decode").unwrap();
        assert_eq!(path, folder.path().join("decode-2.log"));
        assert_eq!(std::fs::read(folder.path().join("decode-1.log")).unwrap(), b"earlier");
    }

    #[test]
    fn a_crash_is_new_if_its_file_is_or_was_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["crash-1", "crash-2", "corpus"] {
            std::fs::write(path(name), name).unwrap();
        }
        let crashes = EarlierCrashes::list(folder.path()).unwrap();
        assert!(crashes.since().unwrap().is_empty());
        let written = path("crash-1").metadata().unwrap().modified().unwrap();
        let earlier = written - std::time::Duration::from_secs(3600);
        File::options().write(true).open(path("crash-1")).unwrap().set_modified(earlier).unwrap();
        std::fs::write(path("timeout-3"), "").unwrap();
        std::fs::write(path("slow-unit-4"), "").unwrap();
        assert_eq!(crashes.since().unwrap(), [path("timeout-3"), path("crash-1")]);
    }

    #[test]
    fn a_path_that_a_shell_would_read_is_refused() {
        assert!(plain_path(Path::new("/a/b-c_1.2")).is_ok());
        for path in ["a b", "a;b", "$HOME", "a'b", "x(1)", "-x", "~/x", "a\nb", "a*"] {
            assert!(plain_path(Path::new(path)).is_err(), "{path}");
        }
    }
}
