//! `assay errata report`: writes the page for the owner of the specification.

use std::path::{Path, PathBuf};

use assay_records::commands::errata::PathsOutput;
use assay_records::write_bytes;
use assay_reports::errata::{Entry, html, markdown};
use assay_runner::errata::profiles;
use assay_vectors::errata::{Language, built_in};
use clap::{Args, ValueEnum};

use super::Source;
use super::entry::entry;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Write the errata as a report for the owner of the specification.
///
/// The report lists the questions for the owner, then all errata in order of severity, in HTML and
/// in Markdown. The HTML is one file without external resources. The command executes the
/// witnesses. Exit status 1 means that a witness failed, and the report names it.
#[derive(Args)]
pub struct ErrataReport {
    /// Folder for errata.LANG.html and errata.LANG.md.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Languages of the report.
    #[arg(long, value_enum, default_value_t = Languages::Both)]
    lang: Languages,
    #[command(flatten)]
    source: Source,
}

/// Languages of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Languages {
    /// English.
    En,
    /// Chinese, the language of the documents.
    Zh,
    /// One page in each language.
    Both,
}

impl Languages {
    /// Returns the requested languages, each with the code that file names use.
    fn each(self) -> Vec<(Language, &'static str)> {
        let (english, chinese) = ((Language::English, "en"), (Language::Chinese, "zh"));
        match self {
            Languages::En => vec![english],
            Languages::Zh => vec![chinese],
            Languages::Both => vec![english, chinese],
        }
    }
}

impl ErrataReport {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let (paths, status) = write(context, &self.source, &self.out, self.lang)?;
        print_paths(context, &paths)?;
        Ok(status)
    }
}

/// Prints the names of the written files.
pub fn print_paths(context: &Context, paths: &[PathBuf]) -> Result<(), Failure> {
    if context.json {
        return output::print_output(&PathsOutput { paths: paths.to_vec() });
    }
    let lines: String = paths.iter().map(|path| format!("{}\n", path.display())).collect();
    output::print(&lines)
}

/// Writes the pages into a folder. Returns their paths, and an exit status that is 1 if a witness
/// failed.
pub fn write(
    context: &Context,
    source: &Source,
    folder: &Path,
    languages: Languages,
) -> Result<(Vec<PathBuf>, ExitStatus), Failure> {
    let (errata, profiles, witnesses) = (built_in()?, profiles()?, source.witnesses(context)?);
    let entries = errata.iter().map(|defect| entry(context, defect, &profiles, &witnesses));
    let entries = entries.collect::<Result<Vec<Entry>, Failure>>()?;
    std::fs::create_dir_all(folder).map_err(|e| Failure::input(format!("{}: {e}", folder.display())))?;
    let mut paths = Vec::new();
    for (language, name) in languages.each() {
        for (extension, page) in [("html", html(&entries, language)), ("md", markdown(&entries, language))] {
            let path = folder.join(format!("errata.{name}.{extension}"));
            write_bytes(&path, page.as_bytes())?;
            paths.push(path);
        }
    }
    Ok((paths, ExitStatus::of(entries.iter().all(Entry::holds))))
}
