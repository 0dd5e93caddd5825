//! Folders, inputs and logs on the disk.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};

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

/// The inputs in a folder that ended a process, at one moment. What is new later is told by names and by when a file was last
/// written, each held against itself: no clock is asked, which may jump.
pub struct Crashes {
    folder: PathBuf,
    known: BTreeMap<PathBuf, Metadata>,
}

impl Crashes {
    /// Lists those that are there now.
    pub fn known(folder: &Path) -> Result<Crashes, Failure> {
        let known = crashes(folder)?.filter_map(|path| Some((path.clone(), path.metadata().ok()?))).collect();
        Ok(Crashes { folder: folder.to_owned(), known })
    }

    /// Lists those that were written since, the shortest first.
    pub fn since(&self) -> Result<Vec<PathBuf>, Failure> {
        let is_new = |path: &PathBuf| {
            let written = |metadata: &Metadata| metadata.modified().ok();
            let was_written = |before| path.metadata().is_ok_and(|now| written(&now) != written(before));
            self.known.get(path).is_none_or(was_written)
        };
        Ok(crashes(&self.folder)?.filter(is_new).collect())
    }
}

fn crashes(folder: &Path) -> Result<impl Iterator<Item = PathBuf> + use<>, Failure> {
    Ok(inputs(folder)?.into_iter().map(|(_, path)| path).filter(|path| is_crash(path)))
}

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
    fn a_crash_is_new_if_its_file_is_or_was_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["crash-1", "crash-2", "corpus"] {
            std::fs::write(path(name), name).unwrap();
        }
        let crashes = Crashes::known(folder.path()).unwrap();
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
