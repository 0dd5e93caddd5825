//! How a run ends: its exit status, and the line that names its folder.

use std::path::Path;

use assay_engine::stats::tally::Tally;
use assay_isa::shown;
use assay_isa::shown::plural;
use assay_records::RunResult;
use assay_runner::RunError;
use assay_runner::campaign::FinishedRun;
use assay_runner::shares::Shares;

use crate::failure::{ExitStatus, Failure};
use crate::output;

/// The status of a finished run. It fails if a case diverged, in a trace also by model or oracle alone, if a required
/// relation is broken, or if nothing was judged.
pub fn status(tally: &Tally) -> ExitStatus {
    let judged = tally.verdicts.judged();
    if judged == 0 {
        let cases = plural(tally.cases, "case is", "cases are");
        output::say(format_args!("nothing was judged: {cases} undefined, unjudged or unsupported"));
    }
    ExitStatus::of(tally.holds())
}

/// The status of a finished run: failed if anything diverged, if nothing was judged at all, or too little of a form.
pub fn demanded(shares: &Shares, outcome: &RunResult) -> ExitStatus {
    shares.problems().for_each(output::say);
    match status(&outcome.tally) {
        ExitStatus::Held => ExitStatus::of(shares.problems().next().is_none()),
        failed => failed,
    }
}

/// How a campaign or a sweep that was not interrupted ends. Says why it fails, or ended early.
pub fn finished(run: &FinishedRun) -> ExitStatus {
    let cases = run.outcome.tally.cases;
    if let Some(reason) = &run.gone {
        say_gone(reason, cases, &run.folder);
        return ExitStatus::Failed;
    }
    if run.stopped_early {
        let folder = run.folder.display();
        output::say(format_args!(
            "stopped early after {} (--stop-after); continue with --out {folder} --resume",
            plural(cases, "case", "cases")
        ));
        return ExitStatus::Failed;
    }
    let status = demanded(&run.shares, &run.outcome);
    let keeps_to_baseline = run.compared.as_ref().is_none_or(|compared| compared.holds());
    if keeps_to_baseline { status } else { ExitStatus::Failed }
}

/// The status of a run that is shown: that the harness failed if its files could not all be written. Says why.
pub fn written(unwritten: Option<RunError>, status: ExitStatus) -> ExitStatus {
    let Some(error) = unwritten else { return status };
    Failure::from(error).report();
    ExitStatus::Broke
}

/// A line with the folder of a run, and the command that makes a page of it; empty if the folder is not whole.
pub fn place(run: &FinishedRun) -> String {
    if run.unwritten.is_some() {
        return String::new();
    }
    let folder = shown::argument(&run.folder.display().to_string());
    format!("results in {folder}; `assay report {folder} --out page` makes a page of them\n")
}

/// Reports that a device was declared dead, and the judged part of the run.
fn say_gone(reason: &str, cases: u64, folder: &Path) {
    let folder = folder.display();
    output::say(format_args!(
        "{reason}\n{} checked until then; all that they showed is in {folder}",
        plural(cases, "case was", "cases were")
    ));
}
