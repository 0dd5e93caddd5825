//! `assay report`: results as pages.

use std::path::{Path, PathBuf};

use assay_records::{RunResult, write_bytes, write_json};
use assay_runner::campaign::merge::read;
use clap::Args;

use super::errata;
use super::run_folder;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Render results as HTML, Markdown, JSON and JUnit XML.
///
/// Two results are shown side by side. The HTML is one file without external resources. The
/// Markdown suits a pull request. Exit status 1 means that a case diverged in one of the results,
/// or that one of them has no judged case.
#[derive(Args)]
pub struct Report {
    /// Files `result.json`, or folders that hold one.
    #[arg(required_unless_present_any = ["errata", "schema"])]
    results: Vec<PathBuf>,
    /// Folder for report.html, report.md, report.json and report.junit.xml. Without it, the
    /// Markdown goes to standard output.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write the errata, as `assay errata report` does. Without results, write only these.
    #[arg(long, requires = "out")]
    errata: bool,
    /// Print the JSON Schema of report.json.
    #[arg(long, conflicts_with_all = ["results", "out", "errata"])]
    schema: bool,
    #[command(flatten)]
    source: errata::Source,
}

impl Report {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        if self.schema {
            output::print_json(&assay_reports::schema())?;
            return Ok(ExitStatus::Held);
        }
        let mut outcomes = Vec::new();
        for path in &self.results {
            outcomes.push((path.display().to_string(), read(path)?));
        }
        let Some(folder) = &self.out else {
            match context.json {
                true => output::print_output(&assay_reports::report(&outcomes))?,
                false => output::print(&assay_reports::markdown(&outcomes))?,
            }
            return Ok(status(&outcomes));
        };
        std::fs::create_dir_all(folder).map_err(|e| Failure::input(format!("{}: {e}", folder.display())))?;
        let mut paths = if outcomes.is_empty() { Vec::new() } else { write(folder, &outcomes)? };
        let mut status = status(&outcomes);
        if self.errata {
            let (pages, held) = errata::write(context, &self.source, folder, errata::Languages::Both)?;
            paths.extend(pages);
            status = if held == ExitStatus::Held { status } else { held };
        }
        errata::print_paths(context, &paths)?;
        Ok(status)
    }
}

/// The exit status of results: that of a run which ended with each of them.
fn status(outcomes: &[(String, RunResult)]) -> ExitStatus {
    let failed =
        outcomes.iter().filter(|(_, outcome)| run_folder::status(&outcome.tally) != ExitStatus::Held);
    ExitStatus::of(failed.count() == 0)
}

/// Writes every rendering of results into a folder. Returns their paths.
fn write(folder: &Path, outcomes: &[(String, RunResult)]) -> Result<Vec<PathBuf>, Failure> {
    let pages = [
        ("report.html", assay_reports::html(outcomes)),
        ("report.md", assay_reports::markdown(outcomes)),
        ("report.junit.xml", assay_reports::junit(outcomes)),
    ];
    let mut paths = Vec::new();
    for (name, text) in pages {
        paths.push(folder.join(name));
        write_bytes(&folder.join(name), text.as_bytes())?;
    }
    paths.push(folder.join("report.json"));
    write_json(&folder.join("report.json"), &assay_reports::report(outcomes))?;
    Ok(paths)
}
