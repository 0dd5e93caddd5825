//! `assay sweep`: every input of a unary function.

use std::path::PathBuf;
use std::time::Instant;

use assay_engine::result::{Outcome, Plan, Shard};
use assay_engine::sweep::{self, ALL_INPUTS};
use assay_engine::tally::Tally;
use clap::{Args, ValueEnum};
use serde_json::json;

use super::findings;
use super::fuzz::{parties, select};
use super::run_record::{self, Again, INTERRUPTED, parse_shard, rounded};
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::progress::Progress;
use crate::voices::Voice;

/// Every input of unary functions, with their accuracy.
///
/// A function is written as its mnemonic with modifiers, in any case: mufu.rcp.f32; `mufu` means all
/// that are implemented.
#[derive(Args)]
pub struct Sweep {
    /// Functions such as mufu.rcp.f32.
    #[arg(required = true)]
    functions: Vec<String>,
    /// How much of the 2^32 inputs.
    #[arg(long, value_enum, default_value_t = Tier::Standard)]
    tier: Tier,
    /// The voice under test.
    #[arg(long, value_name = "SUBJECT", default_value = "model")]
    subject: Voice,
    /// Do only this share of the inputs.
    #[arg(long, value_name = "i/n", value_parser = parse_shard, default_value = "0/1", hide_default_value = true)]
    shard: Shard,
    /// Folder for results and findings; the first free runs/sweep-N by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the result in --out.
    #[arg(long, requires = "out")]
    overwrite: bool,
}

/// How much of the inputs is swept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tier {
    /// Every 257th input: 16.7 million, all exponents and both signs.
    Quick,
    /// Every input.
    Standard,
    /// Every input; for functions of one operand the same as standard.
    Deep,
}

impl Tier {
    fn stride(self) -> u64 {
        match self {
            Tier::Quick => 257,
            Tier::Standard | Tier::Deep => 1,
        }
    }
}

impl Sweep {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let folder = run_record::prepare(self.out.as_deref(), "sweep", Again::of(false, self.overwrite))?;
        let subject = || context.subject(&self.subject);
        let oracle = || context.oracle(None);
        let parties = parties(context, &subject, &oracle);
        let functions = self.functions(&parties)?;
        let stride = self.tier.stride();
        let started = Instant::now();
        let inputs = ALL_INPUTS.div_ceil(stride) / self.shard.of * functions.len() as u64;
        let mut progress = Progress::new("inputs", Some(inputs));
        let mut tally = Tally::default();
        let mut interrupted = false;
        for function in &functions {
            let sweep = sweep::Sweep { parties, function, stride, shard: self.shard };
            let instruction =
                sweep.instruction().map_err(|error| Failure::asm(&format!("{function} R0, R1"), &error))?;
            let (before, diverged) = (tally.cases, tally.verdicts.diverged);
            let mut show = |part: &Tally| progress.at(before + part.cases, diverged + part.verdicts.diverged);
            let (part, stopped) = sweep.run(&instruction, &STOP, &mut show)?;
            tally.merge(part);
            interrupted |= stopped;
            if stopped {
                break;
            }
        }
        progress.finish();
        let seconds = started.elapsed().as_secs_f64();
        let plan = Plan::Sweep { functions, stride, setting: context.setting(&self.subject, None) };
        if interrupted {
            let partial = folder.join(INTERRUPTED);
            Outcome::partial(plan, tally).write(&partial)?;
            eprintln!("interrupted; what was counted is in {}", partial.display());
            return Ok(Status::Interrupted);
        }
        let outcome = Outcome::new(plan, self.shard, tally);
        run_record::finish(&folder, &outcome, seconds)?;
        let bugs = findings::shrink_all(&outcome, &parties)?;
        let paths = findings::write(&folder, &bugs, context)?;
        if context.json {
            crate::print_json(&json!({
                "functions": assay_reports::functions(&outcome),
                "verdicts": outcome.tally.verdicts,
                "divergences": outcome.tally.verdicts.diverged,
                "findings": paths,
                "stride": stride,
                "seconds": rounded(seconds, 3),
                "out": folder,
            }))?;
        } else {
            let mut page = assay_reports::text(&outcome);
            for (bug, path) in bugs.iter().zip(&paths) {
                page += &format!("found {}\n  assay replay {}\n", bug.signature, path.display());
            }
            page += &format!(
                "{} inputs in {seconds:.1} s, {:.1} ns each; results in {}\n",
                outcome.tally.cases,
                seconds * 1e9 / outcome.tally.cases.max(1) as f64,
                folder.display()
            );
            crate::print(&page)?;
        }
        Ok(run_record::status(&outcome.tally))
    }

    /// The functions asked for, in canonical spelling and table order.
    fn functions(&self, parties: &assay_engine::versus::Parties<'_>) -> Result<Vec<String>, Failure> {
        let unary = |name: &str| -> Result<Vec<String>, Failure> {
            let glob =
                if name.contains('.') { name.to_uppercase() } else { format!("{}*", name.to_uppercase()) };
            let selection = select(parties, &[glob])?;
            let mut names: Vec<String> = Vec::new();
            for mode in selection.scope.modes().filter(|mode| mode.inputs().count() == 1) {
                if !names.contains(&mode.function()) {
                    names.push(mode.function());
                }
            }
            if names.is_empty() {
                let message = format!(
                    "{name} cannot be swept: it has more than one operand, or a voice does not implement it"
                );
                return Err(Failure::input(message));
            }
            Ok(names)
        };
        let mut functions = Vec::new();
        for name in &self.functions {
            for function in unary(name)? {
                if !functions.contains(&function) {
                    functions.push(function);
                }
            }
        }
        Ok(functions)
    }
}
