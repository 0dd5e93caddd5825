//! `assay report`: results as pages.

use std::path::PathBuf;

use assay_engine::result::{write_bytes, write_json};
use clap::Args;
use serde_json::json;

use super::merge::read;
use crate::context::Context;
use crate::failure::{Failure, Status};

/// Render results as Markdown and JSON; two results side by side.
#[derive(Args)]
pub struct Report {
    /// Files `result.json`, or folders that hold one.
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// Folder for report.md and report.json; without it the Markdown goes to stdout.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
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
        let (markdown, data) = (folder.join("report.md"), folder.join("report.json"));
        write_bytes(&markdown, page.as_bytes())?;
        write_json(&data, &json!({ "results": summaries }))?;
        if context.json {
            crate::print_json(&json!({ "paths": [markdown, data] }))?;
        } else {
            crate::print(&format!("{}\n{}\n", markdown.display(), data.display()))?;
        }
        Ok(Status::Held)
    }
}
