//! `assay merge`: merges shards into one result.

use std::io::Read;
use std::path::{Path, PathBuf};

use assay_isa::shown::plural;
use assay_records::MOST_SHARDS;
use assay_records::commands::campaign::{JudgedShares, MergeOutput, VerdictOutput};
use assay_records::merge::{self, Merged};
use assay_runner::campaign::merge::MergeRequest;
use clap::Args;

use super::demands::{self, Allow as AllowedShares};
use super::ending;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;
use crate::program::RunCommand;

/// Merge the results of shards into one result.
///
/// Merging all shards of a plan gives the same bytes as one run of the whole plan. The command
/// refuses what may be a mistake: a missing shard, a result given twice, and results of different
/// builds of assay or of different devices. The message names the option that allows it. The
/// command never merges different results of the same shard. The verdict is computed again, from
/// the merged counts and the demands of the shards. Exit status 1 means that the verdict is FAILED,
/// or UNVERIFIED because an older version of assay wrote a result. The merged result is written in
/// any case.
#[derive(Args)]
pub struct Merge {
    /// Files `result.json`, folders that hold such a file, or folders of such folders.
    #[arg(required_unless_present = "from")]
    results: Vec<PathBuf>,
    /// Read more paths from this file, one on each line. `-` reads standard input.
    #[arg(long, value_name = "FILE|-")]
    from: Option<PathBuf>,
    /// Accept a result that is given more than once, and count it once.
    #[arg(long)]
    repeated: bool,
    /// Merge although shards are missing.
    #[arg(long)]
    partial: bool,
    /// Merge results of different builds of assay.
    #[arg(long)]
    other_build: bool,
    /// Merge results of devices with different names, versions, declarations or files. The merged
    /// result lists all of them.
    #[arg(long)]
    same_device: bool,
    #[command(flatten)]
    allow: AllowedShares,
    /// File for the merged result. An earlier merged result is replaced.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the regular file at --out, whatever it contains, unless it is one of the results to
    /// merge.
    #[arg(long)]
    overwrite: bool,
}

impl RunCommand for Merge {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let Merge { repeated, partial, other_build: other_builds, same_device, .. } = *self;
        let mut given = self.results.clone();
        if let Some(from) = &self.from {
            given.extend(listed(from)?);
        }
        let request = MergeRequest {
            results: given,
            allow: merge::MergeAllowances { repeated, partial, other_builds, same_device },
            demands: self.allow.lowered(),
            out: self.out.clone(),
            overwrite: self.overwrite,
        };
        let merged = request.merge()?;
        self.print(context, &merged)?;
        Ok(ending::stored(&merged.outcome))
    }
}

impl Merge {
    fn print(&self, context: &Context, merged: &Merged) -> Result<(), Failure> {
        let Merged { outcome, repeated, missing } = merged;
        let cases = outcome.tally.cases;
        if context.json {
            return output::print_output(&MergeOutput {
                out: self.out.clone(),
                shards: outcome.shards.iter().map(ToString::to_string).collect(),
                missing: missing.to_string(),
                repeated: *repeated,
                cases,
                unverified: outcome.unverified,
                judged: JudgedShares::from(outcome),
                verdict: VerdictOutput::from(outcome),
            });
        }
        let mut page = format!("{} in {}\n", plural(cases, "case", "cases"), self.out.display());
        if !missing.is_empty() {
            page += &format!("incomplete: shards {missing} of {} are missing\n", outcome.shards[0].of);
        }
        if outcome.unverified > 0 {
            page += &format!("unverified: {} of the results have no digest\n", outcome.unverified);
        }
        if *repeated > 0 {
            page += &format!(
                "{} given more than once and counted once\n",
                plural(repeated, "result was", "results were")
            );
        }
        if outcome.verdict.is_some() {
            page += &demands::text(outcome.shares());
        }
        output::print(&page)?;
        output::print_verdict(outcome)
    }
}

/// Greatest size of a list of paths in bytes: a hundred bytes for each shard that a plan can have.
const LIST_BYTES: u64 = 100 * MOST_SHARDS;

/// Returns the paths that a file or standard input lists.
fn listed(from: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |e: std::io::Error| Failure::input(format!("--from {}: {e}", from.display()));
    let text = if from.as_os_str() == "-" {
        let mut text = String::new();
        let read = std::io::stdin().lock().take(LIST_BYTES + 1).read_to_string(&mut text);
        if read.map_err(failed)? as u64 > LIST_BYTES {
            return Err(Failure::input(format!("--from -: the limit is {LIST_BYTES} bytes")));
        } else {
            text
        }
    } else {
        assay_files::read_text(from, LIST_BYTES).map_err(failed)?
    };
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(PathBuf::from).collect())
}
