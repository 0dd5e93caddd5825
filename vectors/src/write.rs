//! Writes suites to files, in canonical text. An interrupted write leaves no partial file.

use std::io;
use std::path::Path;

use assay_files::Staged;

use crate::case::{Case, Suite};
use crate::error::{ErrorKind, VectorError};
use crate::read::{read_suite_str, read_text};

/// Returns the canonical text of a suite. Reading it returns an equal suite. Refuses an invalid
/// suite.
pub fn suite_to_string(suite: &Suite) -> Result<String, VectorError> {
    suite.check(|index, error| error.in_case(&suite.cases[index].name))?;
    Ok(serde_yaml::to_string(suite).expect("maps with text keys serialise"))
}

/// Returns a case as one item of a suite's list, for a suite that is written piece by piece.
pub fn to_item(case: &Case) -> String {
    serde_yaml::to_string(std::slice::from_ref(case)).expect("maps with text keys serialise")
}

/// Writes a suite. The file is written completely or not at all. On return, it is on the disk under
/// its final name.
pub fn write_suite(path: &Path, suite: &Suite) -> Result<(), VectorError> {
    let text = suite_to_string(suite).map_err(|e| e.in_file(path.display()))?;
    let written = write_beside(path, &text);
    written.map_err(|e| VectorError::from(ErrorKind::Write(e)).in_file(path.display()))
}

/// Appends a case to a suite's file. The rest of the file stays, with its comments and its mode.
///
/// `suite` is the content of the file, with the new case at the end. If the case cannot be appended
/// as text, the whole file is rewritten. A file that contains a `#` is not rewritten but refused,
/// because its comments would be lost.
pub fn append_case(path: &Path, suite: &Suite) -> Result<(), VectorError> {
    let at = |kind: ErrorKind| VectorError::from(kind).in_file(path.display());
    suite
        .check(|index, error| error.in_case(&suite.cases[index].name))
        .map_err(|e| e.in_file(path.display()))?;
    let Some(case) = suite.cases.last() else { return Err(at(ErrorKind::NoCases)) };
    let old = read_text(path)?;
    let text = appended(&old, case);
    let is_right = |text: &str| read_suite_str("", text).is_ok_and(|read| read == *suite);
    let text = match is_right(&text) {
        true => text,
        false if !old.contains('#') => suite_to_string(suite)?,
        false => return Err(at(ErrorKind::Unappendable)),
    };
    write_beside(path, &text).map_err(|e| at(ErrorKind::Write(e)))
}

/// Returns a suite's text with a case appended. The case is indented like the items of `cases:`.
fn appended(text: &str, case: &Case) -> String {
    let items = text.lines().skip_while(|line| !line.starts_with("cases:")).skip(1);
    let first = items.map(|line| (line, line.trim_start())).find(|(_, item)| item.starts_with("- "));
    let indent = first.map_or("", |(line, item)| &line[..line.len() - item.len()]);
    let item: String = to_item(case).lines().map(|line| format!("{indent}{line}\n")).collect();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{end}{item}")
}

/// Replaces or creates a file in one step. A replaced file's mode stays.
fn write_beside(path: &Path, text: &str) -> io::Result<()> {
    let staged = Staged::new(path, text.as_bytes())?;
    staged.keep_mode()?;
    staged.put()
}
