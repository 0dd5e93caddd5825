//! `assay libfuzzer minimise`: corpora without what adds nothing to their coverage.

use std::path::PathBuf;

use assay_fuzzing::Target;
use assay_isa::shown::plural;
use assay_libfuzzer::corpus::{self, Session};
use assay_libfuzzer::toolchain::Toolchain;
use assay_records::commands::ByName;
use assay_records::libfuzzer::{MinimiseReport, Sanitizer};
use clap::Args;

use super::options::{BoundOptions, chosen, targets};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Minimise each corpus: keep the shortest inputs that have its coverage.
///
/// Exit status 1 means that an input crashed the target. The input is among the artifacts.
#[derive(Args)]
pub struct Minimise {
    /// The targets. The default is all targets.
    #[arg(value_parser = targets())]
    targets: Vec<Target>,
    /// Folder of the corpora, one for each target.
    #[arg(long, value_name = "DIR")]
    corpus: PathBuf,
    /// Folder for logs, and for inputs that crash a target. These leave the corpus.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    bounds: BoundOptions,
}

impl Minimise {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let (targets, toolchain) = (chosen(&self.targets), Toolchain::find(Sanitizer::None)?);
        corpus::check_paths(&toolchain, &targets, &[&self.corpus, &self.out])?;
        let (bounds, reporter) = (self.bounds.lowered(), context.reporter);
        let session = Session::open(toolchain, &targets, &self.corpus, &self.out, bounds, reporter)?;
        let Some(session) = session else { return Ok(ExitStatus::Interrupted) };
        let mut held = true;
        let mut reports = Vec::new();
        for target in targets {
            let corpus = session.corpus(target)?;
            let before = corpus.size()?;
            let Some(left) = corpus.minimise()? else { return Ok(ExitStatus::Interrupted) };
            let (name, crashes) = (target.name(), left.crashes.len());
            held &= crashes == 0;
            if crashes > 0 {
                output::say(format_args!(
                    "{name}: {} ended the program and left the corpus for {}, and `assay libfuzzer \
                     replay FILE --target {name}` shows why",
                    plural(crashes, "input", "inputs"),
                    corpus.artifacts.display(),
                ));
            }
            let report = MinimiseReport { before, after: left.size, crashes, artifacts: left.crashes };
            if !context.json {
                output::print(&text(name, &report))?;
            }
            reports.push((name.to_owned(), report));
        }
        if context.json {
            output::print_output(&reports.into_iter().collect::<ByName<_>>())?;
        }
        Ok(ExitStatus::of(held))
    }
}

fn text(name: &str, report: &MinimiseReport) -> String {
    let MinimiseReport { before, after, crashes, .. } = report;
    format!(
        "{name:<14} {} of {} bytes, before {} of {}; {crashes} ended the program\n",
        plural(after.inputs, "input", "inputs"),
        after.bytes,
        before.inputs,
        before.bytes,
    )
}
