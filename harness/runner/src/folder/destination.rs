//! Checks a path to which a command is about to write. The path must be free, or a regular file
//! that may be replaced.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::Path;

use crate::error::RunError;

/// Whether a file exists at a path to which a command is about to write.
///
/// Refuses a path that must not be replaced: a symbolic link, a device node, a pipe, a folder, and
/// a file that the same command reads. Opens and changes nothing.
pub fn is_taken(path: &Path, inputs: &[impl AsRef<Path>]) -> Result<bool, RunError> {
    let refused = |problem: &str| {
        Err(RunError::input(format!("{}: {problem}; choose another file to write", path.display())))
    };
    let there = match fs::symlink_metadata(path) {
        Ok(there) => there,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(false),
        Err(e) => return refused(&e.to_string()),
    };
    if there.is_symlink() {
        return refused("is a symbolic link");
    }
    if !there.is_file() {
        return refused("is no regular file");
    }
    let is_input = |input: &Path| fs::metadata(input).is_ok_and(|input| is_same(&input, &there));
    if inputs.iter().any(|input| is_input(input.as_ref())) {
        refused("is one of the files to read")
    } else {
        Ok(true)
    }
}

/// Refuses a symbolic link in place of a folder inside a run's folder. Files behind the link are
/// not the run's own.
pub fn refuse_link(folder: &Path) -> Result<(), RunError> {
    if fs::symlink_metadata(folder).is_ok_and(|there| there.is_symlink()) {
        Err(RunError::input(format!(
            "{}: is a symbolic link, and a run writes to its own folder alone; choose another --out",
            folder.display()
        )))
    } else {
        Ok(())
    }
}

#[cfg(unix)]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    false
}
