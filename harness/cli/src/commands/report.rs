//! `assay report`: results as pages.

use std::path::PathBuf;

use assay_engine::result::{write_bytes, write_json};
use clap::Args;
use serde_json::json;

use super::errata;
use super::merge::read;
use crate::context::Context;
use crate::failure::{Failure, Status};

/// Render results as Markdown and JSON; two results side by side.
#[derive(Args)]
pub struct Report {
    /// Files `result.json`, or folders that hold one.
    #[arg(required_unless_present = "errata")]
    results: Vec<PathBuf>,
    /// Folder for report.md and report.json; without it the Markdown goes to stdout.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the specification's errata beside, as `assay errata report` does; without results, these alone.
    #[arg(long, requires = "out")]
    errata: bool,
    #[command(flatten)]
    source: errata::Source,
}

impl Report {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let mut outcomes = Vec::new();
        for path in &self.results {
            outcomes.push((path.display().to_string(), read(path)?));
        }
        let page = assay_reports::markdown(&outcomes);
        let summaries: Vec<_> = outcomes.iter().map(|(_, outcome)| assay_reports::summary(outcome)).collect();
        let Some(folder) = &self.out else {
            if context.json {
                crate::print_json(&json!({ "results": summaries }))?;
            } else {
                crate::print(&page)?;
            }
            return Ok(Status::Held);
        };
        std::fs::create_dir_all(folder).map_err(|e| Failure::input(format!("{}: {e}", folder.display())))?;
        let mut paths = Vec::new();
        if !outcomes.is_empty() {
            paths = vec![folder.join("report.md"), folder.join("report.json")];
            write_bytes(&paths[0], page.as_bytes())?;
            write_json(&paths[1], &json!({ "results": summaries }))?;
        }
        let mut status = Status::Held;
        if self.errata {
            let (pages, held) = errata::write(context, &self.source, folder, errata::Languages::Both)?;
            paths.extend(pages);
            status = held;
        }
        errata::print_paths(context, &paths)?;
        Ok(status)
    }
}
