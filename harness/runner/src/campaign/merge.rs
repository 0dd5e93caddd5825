//! Merges shards into one result, and reads results from a file or a folder.

use std::path::{Path, PathBuf};

use assay_records::merge::{MergeAllowances, Merged, merge};
use assay_records::run_info::{RECORD, RESULT};
use assay_records::{RunDemands, RunResult};

use crate::error::RunError;
use crate::folder::destination;
use crate::shares;

/// Results to merge.
#[derive(Clone)]
pub struct MergeRequest {
    /// Paths of result files, of folders with a `result.json`, or of folders that contain such
    /// folders.
    pub results: Vec<PathBuf>,
    /// Doubtful merges that are allowed.
    pub allow: MergeAllowances,
    /// Allowances in addition to those that the results themselves record.
    pub demands: RunDemands,
    /// Path of the merged result.
    pub out: PathBuf,
    /// Whether any regular file at `out` may be replaced. Otherwise only a result that is not the
    /// result of a run may be replaced, such as an earlier merged result.
    pub overwrite: bool,
}

impl MergeRequest {
    /// Merges the results, and writes the merged result.
    pub fn merge(&self) -> Result<Merged, RunError> {
        let mut files = Vec::new();
        for path in &self.results {
            files.extend(results(path)?);
        }
        if destination::is_taken(&self.out, &files)? && !self.overwrite {
            check_merged(&self.out)?;
        }
        let merged = merge(&files, self.allow, &self.demands)?;
        shares::check(&self.demands, merged.outcome.plan.setting())?;
        merged.outcome.write(&self.out)?;
        Ok(merged)
    }
}

/// Refuses to replace the result of a run, or a file that is not a result.
fn check_merged(out: &Path) -> Result<(), RunError> {
    let is_named = out.file_name().is_some_and(|name| name == RESULT);
    let problem = match is_named && out.with_file_name(RECORD).exists() {
        true => "is the result of a run",
        false if RunResult::read(out).is_err() => "is there and holds no result",
        false => return Ok(()),
    };
    let out = out.display();
    Err(RunError::input(format!("{out}: {problem}; choose another --out, or add --overwrite")))
}

/// Returns the result files at a path: the file itself, the result in a folder, or the results of
/// the folders in a folder.
fn results(path: &Path) -> Result<Vec<PathBuf>, RunError> {
    let file = file(path);
    if file == path {
        return Ok(vec![file]);
    }
    let failed = |e: std::io::Error| RunError::input(format!("{}: {e}", path.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        files.push(entry.map_err(failed)?.path().join(RESULT));
    }
    files.retain(|file| file.exists());
    files.sort();
    if file.exists() {
        return match files.first() {
            None => Ok(vec![file]),
            // The result in the folder may be an earlier merge of the other results. Then their
            // cases would count twice.
            Some(other) => Err(RunError::input(format!(
                "{} and {}: name the one that is meant, or write merged results elsewhere",
                file.display(),
                other.display()
            ))),
        };
    }
    if files.is_empty() {
        Err(RunError::input(format!(
            "{}: holds no {RESULT}, and no folder in it does: is the run finished?",
            path.display()
        )))
    } else {
        Ok(files)
    }
}

/// Returns the path of a result, given by its file or its folder.
fn file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(RESULT) } else { path.to_owned() }
}

/// Reads a result, given by its file or its folder.
pub fn read(path: &Path) -> Result<RunResult, RunError> {
    Ok(RunResult::read(&file(path))?)
}
