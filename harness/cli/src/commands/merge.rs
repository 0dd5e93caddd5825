//! `assay merge`: shards to one result.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use assay_engine::merge::{Allow, Merged, merge};
use assay_engine::record::RESULT;
use assay_engine::result::Outcome;
use clap::Args;
use serde_json::json;

use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;

/// Merge the results of shards: all shards of a plan equal one run, to the byte.
///
/// What could be a slip is refused, and says which option lets it pass: a shard that is missing, the same result twice,
/// results of different builds of assay. Different results of one shard never merge.
#[derive(Args)]
pub struct Merge {
    /// Files `result.json`, folders that hold one, or folders of such folders.
    #[arg(required_unless_present = "from")]
    results: Vec<PathBuf>,
    /// Take more of them from a file, one a line; - is stdin.
    #[arg(long, value_name = "FILE|-")]
    from: Option<PathBuf>,
    /// Count the same result once that is given more than once.
    #[arg(long)]
    repeated: bool,
    /// Merge what there is, though shards are missing.
    #[arg(long)]
    partial: bool,
    /// Merge what different builds of assay counted.
    #[arg(long)]
    other_build: bool,
    /// The merged result. A file that is no result is not replaced.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace whatever regular file is there, unless it is one of those to merge.
    #[arg(long)]
    overwrite: bool,
}

impl Merge {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let Merge { repeated, partial, other_build: other_builds, .. } = *self;
        let mut given = self.results.clone();
        if let Some(from) = &self.from {
            given.extend(listed(from)?);
        }
        let mut files = Vec::new();
        for path in &given {
            files.extend(results(path)?);
        }
        if output::is_taken(&self.out, &files)? && !self.overwrite && Outcome::read(&self.out).is_err() {
            return Err(Failure::input(format!(
                "{}: is there and holds no result; choose another --out, or add --overwrite",
                self.out.display()
            )));
        }
        let merged = merge(&files, Allow { repeated, partial, other_builds })?;
        merged.outcome.write(&self.out)?;
        self.print(context, &merged)?;
        Ok(Status::Held)
    }

    fn print(&self, context: &Context, merged: &Merged) -> Result<(), Failure> {
        let Merged { outcome, repeated, missing } = merged;
        let cases = outcome.tally.cases;
        if context.json {
            let shards: Vec<String> = outcome.shards.iter().map(ToString::to_string).collect();
            let missing = missing.to_string();
            return crate::print_json(&json!({
                "out": self.out, "shards": shards, "missing": missing, "repeated": repeated, "cases": cases,
            }));
        }
        let mut page = format!("{cases} cases in {}\n", self.out.display());
        if !missing.is_empty() {
            page += &format!("incomplete: shards {missing} of {} are missing\n", outcome.shards[0].of);
        }
        if *repeated > 0 {
            page += &format!("{repeated} results were given more than once and counted once\n");
        }
        crate::print(&page)
    }
}

/// The paths that a file lists.
fn listed(from: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |e: std::io::Error| Failure::input(format!("--from {}: {e}", from.display()));
    let lines = match from.as_os_str() == "-" {
        true => std::io::stdin().lines().collect(),
        false => std::fs::File::open(from).and_then(|file| BufReader::new(file).lines().collect()),
    };
    let lines: Vec<String> = lines.map_err(failed)?;
    Ok(lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).map(PathBuf::from).collect())
}

/// The results that a path stands for: itself, the one of a folder, or those of the folders in it.
fn results(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let file = file(path);
    if file == path {
        return Ok(vec![file]);
    }
    let failed = |e: std::io::Error| Failure::input(format!("{}: {e}", path.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        files.push(entry.map_err(failed)?.path().join(RESULT));
    }
    files.retain(|file| file.exists());
    files.sort();
    if file.exists() {
        return match files.first() {
            None => Ok(vec![file]),
            // Perhaps an earlier merge of them: it would be taken for all that there is.
            Some(other) => Err(Failure::input(format!(
                "{} and {}: name the one that is meant, or write merged results elsewhere",
                file.display(),
                other.display()
            ))),
        };
    }
    match files.is_empty() {
        true => Err(Failure::input(format!(
            "{}: holds no {RESULT}, and no folder in it does: is the run finished?",
            path.display()
        ))),
        false => Ok(files),
    }
}

/// A result by its file or its folder.
fn file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(RESULT) } else { path.to_owned() }
}

/// Reads a result by its file or its folder.
pub(super) fn read(path: &Path) -> Result<Outcome, Failure> {
    Ok(Outcome::read(&file(path))?)
}
