//! `assay libfuzzer`: campaigns of the libFuzzer targets, and what comes of them.
//!
//! | room | what is there |
//! |---|---|
//! | [`toolchain`] | finding the nightly toolchain and cargo-fuzz, building the targets |
//! | [`process`] | one process of cargo-fuzz or of a target, and what its log says |
//! | [`files`] | folders, inputs and logs on the disk |
//! | [`corpus`] | coverage of a corpus, minimising it by `cargo fuzz cmin`, bounding it |
//! | [`options`] | options that the commands share |
//! | [`fork`] | a target under `cargo fuzz run`, until its time is over |
//! | [`run`] | a campaign: one target after the other |
//! | [`repeat`] | one input once more in the program of its target |
//! | [`crash`] | what libFuzzer stopped at, as findings |
//! | [`record`] | `libfuzzer.json`, and the page |

mod corpus;
mod crash;
mod files;
mod fork;
mod minimise;
mod options;
mod process;
mod record;
mod repeat;
mod replay;
mod run;
mod toolchain;

use assay_fuzzing::Target;
use clap::{Args, Subcommand};
use serde_json::json;

use self::toolchain::Toolchain;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;

/// Campaigns of the libFuzzer targets, which need a nightly toolchain (docs/libfuzzer.md).
#[derive(Subcommand)]
pub enum Libfuzzer {
    Run(run::Run),
    List(List),
    Minimise(minimise::Minimise),
    /// Print the words of a target's inputs, from the tables, in libFuzzer's syntax.
    Dictionary {
        /// The target.
        #[arg(value_parser = options::targets())]
        target: Target,
    },
    Replay(replay::Replay),
}

/// List the targets.
#[derive(Args)]
pub struct List {
    /// Also look for all that they are built with; exit status 3 tells that something is missing, and what.
    #[arg(long)]
    toolchain: bool,
}

impl Libfuzzer {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        match self {
            Libfuzzer::Run(run) => run.run(context),
            Libfuzzer::List(list) => list.run(context),
            Libfuzzer::Minimise(minimise) => minimise.run(context),
            Libfuzzer::Dictionary { target } => dictionary(*target),
            Libfuzzer::Replay(replay) => replay.run(context),
        }
    }
}

impl List {
    fn run(&self, context: &Context) -> Result<Status, Failure> {
        if self.toolchain {
            Toolchain::find()?;
        }
        if context.json {
            let row = |target: Target| {
                let dictionary = target.dictionary().is_some();
                let (name, about, longest) = (target.name(), target.about(), target.longest());
                json!({ "name": name, "about": about, "longest": longest, "dictionary": dictionary })
            };
            output::print_json(&Target::ALL.into_iter().map(row).collect())?;
        } else {
            let line = |target: Target| format!("{:<14} {}\n", target.name(), target.about());
            output::print(&Target::ALL.into_iter().map(line).collect::<String>())?;
        }
        Ok(Status::Held)
    }
}

fn dictionary(target: Target) -> Result<Status, Failure> {
    let Some(text) = target.dictionary() else {
        let texts = Target::ALL.into_iter().filter(|target| target.dictionary().is_some());
        let names = texts.map(Target::name).collect::<Vec<_>>().join(", ");
        return Err(Failure::input(format!(
            "inputs of {} are no text; ask for one of {names}",
            target.name()
        )));
    };
    output::print(&text)?;
    Ok(Status::Held)
}
