//! `assay report`: renders results as pages.

use std::path::{Path, PathBuf};

use assay_records::{write_bytes, write_json};
use assay_reports::ReportedRun;
use clap::Args;

use super::ending;
use super::errata;
use super::firsts;
use super::reported;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;
use crate::program::RunCommand;

/// Render results as HTML, Markdown, JSON and JUnit XML.
///
/// Findings come first. They are read from the folder of the run. Two results are shown side by
/// side. The HTML is one file without external resources. The Markdown suits a pull request. Exit
/// status 1 means that the verdict of a result is FAILED, or UNVERIFIED because an older version of
/// assay wrote the result.
#[derive(Args)]
pub struct Report {
    /// Files `result.json`, or folders that hold such a file.
    #[arg(required_unless_present_any = ["errata", "schema"])]
    results: Vec<PathBuf>,
    /// Folder for report.html, report.md, report.json and report.junit.xml. Without it, the
    /// Markdown goes to standard output.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write the errata, as `assay errata report` does. Without results, write only the
    /// errata.
    #[arg(long, requires = "out")]
    errata: bool,
    /// Print the JSON Schema of report.json.
    #[arg(long, conflicts_with_all = ["results", "out", "errata"])]
    schema: bool,
    #[command(flatten)]
    source: errata::Source,
}

impl RunCommand for Report {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        if self.schema {
            output::print_json(&assay_reports::schema())?;
            return Ok(ExitStatus::Held);
        }
        if let Some(folder) = &self.out {
            std::fs::create_dir_all(folder)
                .map_err(|e| Failure::input(format!("{}: {e}", folder.display())))?;
        }
        let mut runs = Vec::new();
        for path in &self.results {
            let mut run = reported::read(context, path, self.out.as_deref())?;
            if self.out.is_some() {
                // Only the JUnit file shows them.
                run.firsts = firsts::of_run(context, &run.outcome);
            }
            runs.push(run);
        }
        let Some(folder) = &self.out else {
            if context.json {
                output::print_output(&assay_reports::report(&runs))?
            } else {
                output::print(&assay_reports::markdown(&runs))?
            }
            return Ok(status(&runs));
        };
        let mut paths = if runs.is_empty() { Vec::new() } else { write(folder, &runs)? };
        let mut status = status(&runs);
        if self.errata {
            let (pages, held) = errata::write(context, &self.source, folder, errata::Languages::Both)?;
            paths.extend(pages);
            status = if held == ExitStatus::Held { status } else { held };
        }
        errata::print_paths(context, &paths)?;
        Ok(status)
    }
}

/// Returns the exit status of results: failed if the verdict of any result is not passed.
fn status(runs: &[ReportedRun]) -> ExitStatus {
    let failed = runs.iter().filter(|run| ending::stored(&run.outcome) != ExitStatus::Held);
    ExitStatus::of(failed.count() == 0)
}

/// Writes every rendering of results into a folder. Returns the paths of the files.
fn write(folder: &Path, runs: &[ReportedRun]) -> Result<Vec<PathBuf>, Failure> {
    let pages = [
        ("report.html", assay_reports::html(runs)),
        ("report.md", assay_reports::markdown(runs)),
        ("report.junit.xml", assay_reports::junit(runs)),
    ];
    let mut paths = Vec::new();
    for (name, text) in pages {
        paths.push(folder.join(name));
        write_bytes(&folder.join(name), text.as_bytes())?;
    }
    paths.push(folder.join("report.json"));
    write_json(&folder.join("report.json"), &assay_reports::report(runs))?;
    Ok(paths)
}
