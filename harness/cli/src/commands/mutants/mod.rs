//! `assay mutants`: plants known faults and shows that the harness catches them.
//!
//! | room | what is there |
//! |---|---|
//! | [`mutant`] | every mutant: of the model, of its lanes, of the harness itself, of the codec |
//! | [`outcome`] | which check caught a mutant, and when |
//! | [`hunt`] | hunts them, those together that share their work |
//! | [`lanes`] | faults of one lane, and of what a subject remembers from one batch to the next |
//! | [`harness`] | defects of the harness itself, and the checks that notice them |
//! | [`report`] | what became of them, by layer and family |

mod harness;
mod hunt;
mod lanes;
mod mutant;
mod outcome;
mod report;

use std::time::Instant;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use self::mutant::Mutant;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::output;

/// Faults that are planted on purpose.
#[derive(Subcommand)]
pub enum Mutants {
    /// List the faults.
    List(Selection),
    /// Plant each fault and show which check catches it.
    Run(Run),
}

/// Which faults are meant.
#[derive(Args)]
pub struct Selection {
    /// Names of faults, or patterns of them, such as 'ffma-*'; all of them by default.
    names: Vec<String>,
    /// Families only, such as rounding; the report of `mutants run` names all.
    #[arg(long, value_name = "FAMILY", num_args = 1..)]
    family: Vec<String>,
    /// Optypes only, such as FFMA or 'U*'.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
}

/// Plant each fault and hunt it until it is caught.
///
/// A fault is caught if a case diverges in which the sound model holds. One that no contract catches is held against
/// the sound model to the bit as well: what only that shows lies within the contract, as some mistakes of MUFU do. A
/// fault that nothing shows survives, and the exit status is 1, unless it is listed as equivalent, with a proof; one
/// that is so listed and caught fails as well. Where the sound model diverges too, the command ends with status 2.
#[derive(Args)]
pub struct Run {
    #[command(flatten)]
    selection: Selection,
    /// Cases spent on a fault at most.
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    cases: u64,
    /// Seed of the generator.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

impl Mutants {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        match self {
            Mutants::List(selection) => list(context, &selection.mutants()?),
            Mutants::Run(run) => run.run(context),
        }
    }
}

fn list(context: &Context, mutants: &[Mutant]) -> Result<Status, Failure> {
    if context.json {
        let row = |m: &Mutant| {
            json!({ "name": m.name, "optype": m.optype, "layer": m.layer.name(), "family": m.family, "about": m.about,
                "equivalent": m.equivalent })
        };
        output::print_json(&Value::Array(mutants.iter().map(row).collect()))?;
    } else {
        let line = |m: &Mutant| format!("{:<44} {:<16} {}\n", m.name, m.family, m.about);
        output::print(
            &(mutants.iter().map(line).collect::<String>() + &format!("{} faults\n", mutants.len())),
        )?;
    }
    Ok(Status::Held)
}

impl Run {
    fn run(&self, context: &Context) -> Result<Status, Failure> {
        let started = Instant::now();
        let mutants = self.selection.mutants()?;
        let Some(caught) = hunt::all(context, &mutants, self.seed, self.cases)? else {
            return Ok(Status::Interrupted);
        };
        let report = report::Report::new(&mutants, caught, started.elapsed().as_secs_f64());
        if context.json {
            output::print_json(&report.json())?;
        } else {
            output::print(&report.text())?;
        }
        Ok(Status::of(report.holds()))
    }
}
