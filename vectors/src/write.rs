//! Suites to files: canonical text, and never half a file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::case::{Case, Suite};
use crate::error::{ErrorKind, VectorError};

/// The canonical text of a suite; reading it gives the suite back. A suite that could not be read is
/// refused.
pub fn suite_to_string(suite: &Suite) -> Result<String, VectorError> {
    suite.check(|index, error| error.in_case(&suite.cases[index].name))?;
    Ok(serde_yaml::to_string(suite).expect("maps with text keys serialise"))
}

/// A case as one item of the list in a suite's text, for a suite that is written piece by piece.
pub fn to_item(case: &Case) -> String {
    serde_yaml::to_string(std::slice::from_ref(case)).expect("maps with text keys serialise")
}

/// Writes a suite. The file appears complete or not at all: the text goes to a temporary file in the
/// same folder, which then takes the name.
pub fn write_suite(path: &Path, suite: &Suite) -> Result<(), VectorError> {
    let text = suite_to_string(suite).map_err(|e| e.in_file(path.display()))?;
    let written = write_beside(path, &text);
    written.map_err(|e| VectorError::from(ErrorKind::Write(e)).in_file(path.display()))
}

fn write_beside(path: &Path, text: &str) -> io::Result<()> {
    let temporary = temporary_name(path)?;
    let result = fill(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    if result.is_err() {
        // Whether or not there is something to remove, the first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    result
}

fn fill(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// A name in the same folder that no other writer uses and that [`crate::discover`] does not read.
fn temporary_name(path: &Path) -> io::Result<PathBuf> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    let unique = COUNTER.fetch_add(1, Ordering::Relaxed);
    let name = format!(".{}.{}.{unique}.tmp", name.to_string_lossy(), std::process::id());
    Ok(path.with_file_name(name))
}
