//! `assay errata show`: prints an erratum as a bug report, and executes its cases.

use assay_isa::asm;
use assay_reports::errata::{Trial, TrialResult, text};
use assay_runner::cases::witness::{Group, Witness};
use assay_runner::errata::output::{ErratumPage, TrialOutput, WitnessGroup, WitnessOutput};
use assay_runner::errata::{named, profiles};
use assay_vectors::errata::Defect;
use clap::Args;

use super::entry::entry;
use super::list::erratum_output;
use super::{Lang, Source};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Explain errata.
///
/// Prints the place of an erratum in the documents, its consequence, its possible readings, and the
/// reading of each profile. Executes each witness on model and oracle and prints the answers.
/// Prints the proposed correction and the question to the owner.
///
/// Exit status 1 means that a witness failed.
#[derive(Args)]
pub struct ErrataShow {
    /// Errata such as E053. `assay errata list` lists all errata.
    #[arg(required = true)]
    errata: Vec<String>,
    /// Language of the texts.
    #[arg(long, value_enum, default_value_t = Lang::En)]
    lang: Lang,
    #[command(flatten)]
    source: Source,
}

impl ErrataShow {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let (errata, profiles) = (named(&self.errata)?, profiles()?);
        let witnesses = self.source.witnesses(context)?;
        let (mut pages, mut objects) = (Vec::new(), Vec::new());
        let mut held = true;
        for defect in &errata {
            let entry = entry(context, defect, &profiles, &witnesses)?;
            held &= entry.holds();
            if !context.json {
                pages.push(text(&entry, self.lang.into()));
                continue;
            }
            let groups = witnesses.groups(context, defect.id)?;
            objects.push(ErratumPage {
                erratum: erratum_output(defect, &profiles, &witnesses),
                groups: groups.iter().map(|group| witness_group(defect, group)).collect(),
                trials: entry.trials.iter().map(trial_output).collect(),
            });
        }
        if context.json {
            output::print_output(&objects)?;
        } else {
            output::print(&pages.join("\n"))?;
        }
        Ok(ExitStatus::of(held))
    }
}

fn witness_group(defect: &Defect, group: &Group) -> WitnessGroup {
    let witness = |w: &Witness| {
        let answers = w.execution.judgement.answers.iter();
        WitnessOutput {
            name: w.case.name.clone(),
            setting: w.setting,
            answers: answers.map(|a| (a.implementation.clone(), a.answer.clone())).collect(),
            problem: w.problem(),
        }
    };
    let first = &group[0];
    WitnessGroup {
        asm: asm::print(&first.execution.instruction),
        inputs: first.case.inputs.clone(),
        readings: first.other_readings(defect.id),
        witnesses: group.iter().map(witness).collect(),
    }
}

fn trial_output(trial: &Trial) -> TrialOutput {
    let (accepted, asm, problem) = match &trial.outcome {
        TrialResult::Accepted(asm) => (Some(true), Some(asm.clone()), None),
        TrialResult::Refused(problem) => (Some(false), None, Some(problem.clone())),
        TrialResult::Unknown => (None, None, None),
    };
    TrialOutput { text: trial.text.clone(), wanted: trial.wanted, accepted, asm, problem }
}
