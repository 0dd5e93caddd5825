//! `assay merge`: shards to one result.

use std::path::PathBuf;

use assay_engine::result::Outcome;
use clap::Args;
use serde_json::json;

use crate::context::Context;
use crate::failure::{Failure, Status};

/// Merge the results of shards: all shards of a plan equal one run, to the byte.
#[derive(Args)]
pub struct Merge {
    /// Files `result.json`, or folders that hold one.
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// The merged result.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Merge {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let outcomes = self.results.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
        let merged = Outcome::merge(outcomes)?;
        merged.write(&self.out)?;
        let shards: Vec<String> = merged.shards.iter().map(|s| format!("{}/{}", s.index, s.of)).collect();
        if context.json {
            crate::print_json(&json!({ "out": self.out, "shards": shards, "cases": merged.tally.cases }))?;
        } else {
            let cases = merged.tally.cases;
            crate::print(&format!(
                "{cases} cases of shards {} in {}\n",
                shards.join(" "),
                self.out.display()
            ))?;
        }
        Ok(Status::Held)
    }
}

/// Reads a result by its file or its folder.
pub(super) fn read(path: &std::path::Path) -> Result<Outcome, Failure> {
    let file = if path.is_dir() { path.join("result.json") } else { path.to_owned() };
    Ok(Outcome::read(&file)?)
}
