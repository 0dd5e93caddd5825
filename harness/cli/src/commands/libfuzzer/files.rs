//! Folders, inputs and logs on the disk.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use assay_fuzzing::artifact::is_crash;

use crate::failure::Failure;

/// Makes a folder.
pub fn make(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|e| Failure::input(format!("{}: {e}", folder.display())))
}

/// Inputs with their sizes.
pub type Inputs = Vec<(u64, PathBuf)>;

/// The files of a folder with their sizes, the shortest first, then by name.
pub fn inputs(folder: &Path) -> Result<Inputs, Failure> {
    let list = || -> std::io::Result<Inputs> {
        let mut list = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let Some(metadata) = unless_gone(entry.metadata())? else { continue };
            if metadata.is_file() {
                list.push((metadata.len(), entry.path()));
            }
        }
        list.sort();
        Ok(list)
    };
    list().map_err(|e| Failure::input(format!("{}: {e}", folder.display())))
}

/// Nothing if the file is not there any more: while a target runs, its processes put shorter inputs in the place of others.
fn unless_gone<T>(done: std::io::Result<T>) -> std::io::Result<Option<T>> {
    match done {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        done => done.map(Some),
    }
}

/// The inputs in a folder that ended a process, and that were written since some time, the shortest first.
pub fn crashes_since(folder: &Path, time: SystemTime) -> Result<Vec<PathBuf>, Failure> {
    let paths = inputs(folder)?.into_iter().map(|(_, path)| path).filter(|path| is_crash(path));
    // The clock of a file system can be some milliseconds late.
    let is_new = |path: &PathBuf| {
        let written = path.metadata().and_then(|metadata| metadata.modified());
        written.is_ok_and(|written| written + CLOCK >= time)
    };
    Ok(paths.filter(is_new).collect())
}

/// How late the clock of a file system can be.
const CLOCK: Duration = Duration::from_millis(20);

/// Refuses a path that libFuzzer would hand to a shell, where the shell would take it for something else.
pub fn plain_path(path: &Path) -> Result<(), Failure> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+,=@:%".contains(letter);
    let text = path.to_str().unwrap_or("\u{fffd}");
    let bad = match text.starts_with('-') {
        true => Some('-'),
        false => text.chars().find(|letter| !is_plain(*letter)),
    };
    match bad {
        None => Ok(()),
        Some(letter) => Err(Failure::input(format!(
            "{}: libFuzzer starts processes by way of a shell, which takes {letter:?} in this path for something else; choose a \
             path of letters, digits and ._-+,=@:% alone",
            path.display()
        ))),
    }
}

/// Bytes of an input, or of its record, at most: far more than any target takes.
const MOST_BYTES: u64 = 16 * assay_files::MIB;

/// The bytes of an artifact.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    assay_files::read_regular(path, MOST_BYTES)
        .map_err(|e| Failure::input(format!("{}: {e}", path.display())))
}

/// Makes the first free `NAME-N.log` of a folder: the sessions of a run share it, and none takes away what another wrote.
pub fn fresh_log(folder: &Path, name: &str) -> Result<(PathBuf, File), Failure> {
    for number in 1u64.. {
        let path = folder.join(format!("{name}-{number}.log"));
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(Failure::harness(format!("{}: {e}", path.display()))),
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
    fn a_path_that_a_shell_would_read_is_refused() {
        assert!(plain_path(Path::new("/a/b-c_1.2")).is_ok());
        for path in ["a b", "a;b", "$HOME", "a'b", "x(1)", "-x", "~/x", "a\nb", "a*"] {
            assert!(plain_path(Path::new(path)).is_err(), "{path}");
        }
    }
}
