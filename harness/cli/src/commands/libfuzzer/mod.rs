//! `assay libfuzzer`: campaigns of the libFuzzer targets, and their results. The work is done by `assay_libfuzzer`.
//!
//! | module | what is there |
//! |---|---|
//! | [`options`] | options that the commands share |
//! | [`run`] | a campaign |
//! | [`minimise`] | corpora alone |
//! | [`replay`] | one input once more |

mod minimise;
mod options;
mod replay;
mod run;

use assay_fuzzing::Target;
use assay_libfuzzer::toolchain::Toolchain;
use assay_records::libfuzzer::{Sanitizer, TargetListing};
use clap::{Args, Subcommand};

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Run libFuzzer campaigns, which need a nightly toolchain (docs/libfuzzer.md).
#[derive(Subcommand)]
pub enum Libfuzzer {
    Run(run::LibfuzzerRun),
    List(LibfuzzerList),
    Minimise(minimise::Minimise),
    /// Print the dictionary of a target in libFuzzer's syntax.
    Dictionary {
        /// The target.
        #[arg(value_parser = options::targets())]
        target: Target,
    },
    Replay(replay::LibfuzzerReplay),
}

/// List the targets.
#[derive(Args)]
pub struct LibfuzzerList {
    /// Also check the toolchain that builds the targets. Exit status 3 means that a part is
    /// missing, and names the part.
    #[arg(long)]
    toolchain: bool,
}

impl Libfuzzer {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            Libfuzzer::Run(run) => run.run(context),
            Libfuzzer::List(list) => list.run(context),
            Libfuzzer::Minimise(minimise) => minimise.run(context),
            Libfuzzer::Dictionary { target } => dictionary(*target),
            Libfuzzer::Replay(replay) => replay.run(context),
        }
    }
}

impl LibfuzzerList {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        if self.toolchain {
            Toolchain::find(Sanitizer::None)?;
        }
        if context.json {
            let row = |target: Target| TargetListing {
                name: target.name(),
                about: target.about(),
                longest: target.longest(),
                dictionary: target.dictionary().is_some(),
            };
            output::print_output(&Target::ALL.map(row).to_vec())?;
        } else {
            let line = |target: Target| format!("{:<14} {}\n", target.name(), target.about());
            output::print(&Target::ALL.into_iter().map(line).collect::<String>())?;
        }
        Ok(ExitStatus::Held)
    }
}

fn dictionary(target: Target) -> Result<ExitStatus, Failure> {
    let Some(text) = target.dictionary() else {
        let texts = Target::ALL.into_iter().filter(|target| target.dictionary().is_some());
        let names = texts.map(Target::name).collect::<Vec<_>>().join(", ");
        return Err(Failure::input(format!(
            "inputs of {} are no text; ask for one of {names}",
            target.name()
        )));
    };
    output::print(&text)?;
    Ok(ExitStatus::Held)
}
