//! `assay isa show`: the manual page of an optype, or all pages as files.

use std::path::{Path, PathBuf};

use assay_isa::catalog;
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
    output::print(&format!("{} files in {}\n", files.len(), folder.display()))?;
    Ok(ExitStatus::Held)
}

fn failure(error: ManualError) -> Failure {
    let help = match &error {
        ManualError::Unknown(name) => alternatives(name),
        _ => return Failure::harness(error.to_string()),
    };
    Failure::input(error.to_string()).help(help)
}

/// What to write in place of a name that does not exist: the names that are most like it.
fn alternatives(name: &str) -> String {
    let upper = name.to_uppercase();
    let forms = &catalog().forms;
    let names = forms.iter().flat_map(|form| [form.optype.name, form.name]);
    let mut near: Vec<(f64, &str)> =
        names.map(|other| (strsim::jaro_winkler(&upper, other), other)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.dedup();
    let near: Vec<&str> =
        near.iter().filter(|(likeness, _)| *likeness > 0.7).take(4).map(|(_, n)| *n).collect();
    match near.is_empty() {
        true => "see `assay isa list`".to_owned(),
        false => format!("similar names: {}; `assay isa list` has all", near.join(" ")),
    }
}
