//! `assay isa show`: prints the manual page of an optype, or writes all pages as files.

use std::path::{Path, PathBuf};

use assay_isa::catalog;
use assay_isa::shown::plural;
use assay_isa::similar::did_you_mean;
use assay_manual::library::files;
use assay_manual::{ManualError, Page, Setting};
use assay_runner::folder::destination::is_taken;
use clap::Args;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Show what an instruction computes: formula, operands, modifiers, rules, faults, examples,
/// readings and encoding.
#[derive(Args)]
pub struct IsaShow {
    /// Optype or form, such as FFMA or FFMA_RRI.
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    name: Option<String>,
    /// Write the pages of all optypes as Markdown.
    #[arg(long, requires = "out")]
    all: bool,
    /// Folder for the pages. Existing pages are replaced.
    #[arg(long, value_name = "DIR", requires = "all")]
    out: Option<PathBuf>,
}

impl IsaShow {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match (&self.name, &self.out) {
            (Some(name), _) => page(context, name),
            (None, Some(folder)) => pages(context, folder),
            (None, None) => Err(Failure::input("name an optype or form, or give --all and --out")),
        }
    }
}

fn page(context: &Context, name: &str) -> Result<ExitStatus, Failure> {
    let setting = Setting { profile: &context.profile, numbers: &context.numbers };
    let page = Page::of(name, &setting, &mut *context.truth()).map_err(failure)?;
    if context.json {
        output::print_output(&page)?;
    } else {
        output::print(&page.text())?;
    }
    Ok(ExitStatus::Held)
}

fn pages(context: &Context, folder: &Path) -> Result<ExitStatus, Failure> {
    let setting = Setting { profile: &context.profile, numbers: &context.numbers };
    let files = files(&setting, &mut *context.truth()).map_err(failure)?;
    let at = |e: std::io::Error, path: &Path| Failure::harness(format!("{}: {e}", path.display()));
    std::fs::create_dir_all(folder).map_err(|e| at(e, folder))?;
    for (name, text) in &files {
        let path = folder.join(name);
        is_taken(&path, &[] as &[&Path])?;
        assay_files::write_whole(&path, text.as_bytes()).map_err(|e| Failure::harness(e.to_string()))?;
    }
    output::print(&format!("{} in {}\n", plural(files.len(), "file", "files"), folder.display()))?;
    Ok(ExitStatus::Held)
}

fn failure(error: ManualError) -> Failure {
    let help = match &error {
        ManualError::Unknown(name) => alternatives(name),
        _ => return Failure::harness(error.to_string()),
    };
    Failure::input(error.to_string()).help(help)
}

/// Returns the advice for a name that does not exist.
fn alternatives(name: &str) -> String {
    let names = catalog().forms.iter().flat_map(|form| [form.optype.name, form.name]);
    did_you_mean(name, names, "`assay isa list` has all optypes and forms")
}
