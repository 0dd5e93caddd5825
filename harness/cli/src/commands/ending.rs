//! How a run ends: its exit status, and the line that names its folder.

use std::path::Path;

use assay_isa::shown;
use assay_isa::shown::plural;
use assay_records::RunResult;
use assay_records::verdict::{ReasonKind, UNVERIFIED};
use assay_runner::RunError;
use assay_runner::campaign::FinishedRun;

use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Returns the exit status of a result, from its verdict. Prints the reasons of the verdict on
/// stderr, without those that are divergences.
pub fn stored(outcome: &RunResult) -> ExitStatus {
    if outcome.verdict.is_none() {
        output::say(UNVERIFIED);
    }
    let reasons = outcome.reasons().iter().filter(|reason| reason.kind != ReasonKind::Divergence);
    reasons.for_each(|reason| output::say(&reason.message));
    outcome.verdict_word().into()
}

/// Returns the exit status of a campaign or a sweep that the user did not interrupt. Prints why the
/// run failed or ended early.
pub fn finished(run: &FinishedRun) -> ExitStatus {
    let cases = run.outcome.tally.cases;
    if let Some(reason) = &run.gone {
        say_gone(reason, cases, &run.folder);
    } else if run.stopped_early {
        let folder = run.folder.display();
        output::say(format_args!(
            "stopped early after {} (--stop-after); continue with --out {folder} --resume",
            plural(cases, "case", "cases")
        ));
    } else {
        return stored(&run.outcome);
    }
    run.outcome.verdict_word().into()
}

/// Returns the exit status of a run: `Broke` if some of its files could not be written, otherwise
/// `status`. Prints the reason.
pub fn written(unwritten: Option<RunError>, status: ExitStatus) -> ExitStatus {
    let Some(error) = unwritten else { return status };
    Failure::from(error).report();
    ExitStatus::Broke
}

/// Returns a line with the folder of a run, and the command that renders the run as a page. Empty
/// if some files of the run could not be written.
pub fn place(run: &FinishedRun) -> String {
    if run.unwritten.is_some() {
        return String::new();
    }
    let folder = shown::argument(&run.folder.display().to_string());
    format!("results in {folder}; `assay report {folder} --out page` makes a page of them\n")
}

/// Prints why a device was declared dead, and how many cases were checked before that.
fn say_gone(reason: &str, cases: u64, folder: &Path) {
    let folder = folder.display();
    output::say(format_args!(
        "{reason}\n{} checked until then; all that they showed is in {folder}",
        plural(cases, "case was", "cases were")
    ));
}
