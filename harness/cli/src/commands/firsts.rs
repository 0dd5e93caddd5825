//! Finds the first divergence of each form or function of a run, with the answers of the
//! implementations and the command that shows the divergence again.

use std::collections::BTreeMap;

use assay_engine::stats::finding::ObservedDivergence;
use assay_engine::stats::tally::Tally;
use assay_isa::shown;
use assay_records::{RunResult, Setting};
use assay_reports::ReportedFinding;
use assay_runner::context::DEFAULT_PROFILE;
use assay_runner::inspect::command::eval_command;
use assay_runner::inspect::finding::explain_kept;
use assay_vectors::{Case, Profile};

use super::reported::answers;
use crate::context::Context;

/// Returns the first kept divergence of each form or function that diverged. Omits a divergence
/// whose case cannot be executed, so that the report does not fail.
pub fn of_run(context: &Context, outcome: &RunResult) -> BTreeMap<String, ReportedFinding> {
    let setting = outcome.plan.setting();
    let one = |(name, (function, kept)): (String, (&str, &ObservedDivergence))| {
        let (case, judgement) = explain_kept(context, setting, function, kept).ok()??;
        let replay = command(&case, setting);
        let found = ReportedFinding::bare(case, String::new(), replay);
        Some((name, ReportedFinding { answers: answers(&judgement), ..found }))
    };
    kept(&outcome.tally).into_iter().filter_map(one).collect()
}

/// Returns, for each function (in a sweep) or form, the kept divergence with the smallest case
/// index, and the function of that divergence.
fn kept(tally: &Tally) -> BTreeMap<String, (&str, &ObservedDivergence)> {
    let mut firsts: BTreeMap<String, (&str, &ObservedDivergence)> = BTreeMap::new();
    for (function, divergences) in &tally.divergences {
        for (_, mode, kept) in divergences.keys() {
            let form = mode.split(' ').next().unwrap_or(mode);
            let name = if tally.functions.is_empty() { form } else { function };
            let first = firsts.entry(name.to_owned()).or_insert((function, &kept.first));
            if kept.first.index < first.1.index {
                *first = (function, &kept.first);
            }
        }
    }
    firsts
}

/// Returns the command that executes the case again on the subject of the run.
fn command(case: &Case, setting: &Setting) -> String {
    let values = case.inputs.iter().map(|(location, value)| (*location, *value));
    let mut command = eval_command(case.asm.as_deref().unwrap_or_default(), values);
    command += &format!(" --subject {}", shown::argument(&setting.subject));
    if setting.profile != DEFAULT_PROFILE {
        command += &format!(" --profile {}", shown::argument(&setting.profile));
    }
    let own = Profile::load(&setting.profile).map(|profile| profile.readings);
    let own: BTreeMap<String, u8> = own
        .iter()
        .flat_map(|readings| readings.iter())
        .map(|(erratum, n)| (erratum.to_string(), n))
        .collect();
    let set = setting.readings.iter().filter(|(erratum, n)| own.get(*erratum).is_some_and(|own| own != *n));
    command.extend(set.map(|(erratum, n)| format!(" --reading {erratum}={n}")));
    command
}
