//! `assay merge`: shards to one result.

use std::io::Read;
use std::path::{Path, PathBuf};

use assay_engine::result::merge::{Allow, Merged, merge};
use assay_engine::result::record::{RECORD, RESULT};
use assay_engine::result::{MOST_SHARDS, Outcome};
use clap::Args;
use serde_json::json;

use super::demands::{Allow as AllowedShares, Shares};
use crate::context::Context;
use crate::destination;
use crate::failure::{Failure, Status};
use crate::output;

/// Merge the results of shards: all shards of a plan equal one run, to the byte.
///
/// What could be a slip is refused, and says which option lets it pass: a shard that is missing, the same result twice,
/// results of different builds of assay. Different results of one shard never merge. Exit status 1 tells that something
/// diverged, or that nothing was judged; the merged result is written all the same.
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
    /// Merge results of devices that differ by their name, version, declaration or files; the merged result lists them all.
    #[arg(long)]
    same_device: bool,
    #[command(flatten)]
    allow: AllowedShares,
    /// The merged result. An earlier merged result there is replaced.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace whatever regular file is there, unless it is one of those to merge.
    #[arg(long)]
    overwrite: bool,
}

impl Merge {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let Merge { repeated, partial, other_build: other_builds, same_device, .. } = *self;
        let mut given = self.results.clone();
        if let Some(from) = &self.from {
            given.extend(listed(from)?);
        }
        let mut files = Vec::new();
        for path in &given {
            files.extend(results(path)?);
        }
        if destination::is_taken(&self.out, &files)? && !self.overwrite {
            self.check_merged()?;
        }
        let merged = merge(&files, Allow { repeated, partial, other_builds, same_device })?;
        let demands = self.allow.demands(merged.outcome.plan.setting())?;
        let shares = Shares::of(&merged.outcome, &demands);
        merged.outcome.write(&self.out)?;
        self.print(context, &merged, &shares)?;
        Ok(shares.status(&merged.outcome))
    }

    /// Refuses to replace what no merge wrote.
    fn check_merged(&self) -> Result<(), Failure> {
        let is_named = self.out.file_name().is_some_and(|name| name == RESULT);
        let problem = match is_named && self.out.with_file_name(RECORD).exists() {
            true => "is the result of a run",
            false if Outcome::read(&self.out).is_err() => "is there and holds no result",
            false => return Ok(()),
        };
        let out = self.out.display();
        Err(Failure::input(format!("{out}: {problem}; choose another --out, or add --overwrite")))
    }

    fn print(&self, context: &Context, merged: &Merged, shares: &Shares) -> Result<(), Failure> {
        let Merged { outcome, repeated, missing } = merged;
        let cases = outcome.tally.cases;
        if context.json {
            let shards: Vec<String> = outcome.shards.iter().map(ToString::to_string).collect();
            let missing = missing.to_string();
            return output::print_json(&json!({
                "out": self.out, "shards": shards, "missing": missing, "repeated": repeated, "cases": cases,
                "unverified": outcome.unverified,
                "judged": shares.json(),
            }));
        }
        let mut page = format!("{cases} cases in {}\n", self.out.display());
        if !missing.is_empty() {
            page += &format!("incomplete: shards {missing} of {} are missing\n", outcome.shards[0].of);
        }
        if outcome.unverified > 0 {
            page += &format!("unverified: {} of the results have no digest\n", outcome.unverified);
        }
        if *repeated > 0 {
            page += &format!("{repeated} results were given more than once and counted once\n");
        }
        page += &shares.text();
        output::print(&page)
    }
}

/// Bytes of a list of paths at most: a hundred for each shard that a plan can have.
const LIST_BYTES: u64 = 100 * MOST_SHARDS;

/// The paths that a file or standard input lists.
fn listed(from: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |e: std::io::Error| Failure::input(format!("--from {}: {e}", from.display()));
    let text = match from.as_os_str() == "-" {
        true => {
            let mut text = String::new();
            let read = std::io::stdin().lock().take(LIST_BYTES + 1).read_to_string(&mut text);
            match read.map_err(failed)? as u64 > LIST_BYTES {
                true => return Err(Failure::input(format!("--from -: the limit is {LIST_BYTES} bytes"))),
                false => text,
            }
        }
        false => assay_files::read_text(from, LIST_BYTES).map_err(failed)?,
    };
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(PathBuf::from).collect())
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
