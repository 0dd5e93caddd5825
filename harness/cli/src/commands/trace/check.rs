//! `assay trace check`: judges every recorded case.

use std::path::PathBuf;

use assay_hardware::trace::Reader;
use assay_isa::shown::plural;
use assay_records::commands::rounded;
use assay_runner::traces::check::{CheckedTraces, TraceCheckRequest};
use assay_runner::traces::output::{CheckedTrace, TraceCheckOutput};
use clap::Args;

use crate::commands::demands::{self, RequiredShares};
use crate::commands::ending;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::output;

/// Judge the recorded results of traces.
///
/// The oracle judges every recorded case, under the profile sm90 unless --profile names another.
/// The model executes the same inputs. Each case has three results: of the trace, the model and the
/// oracle. If only two of them agree, the third is at fault. The first divergences are written as
/// cases that `assay replay` explains. Exit status 1 means that the three did not all agree in some
/// case, or that too few cases were judged. Cases that the recorded device did not support count as
/// not judged.
#[derive(Args)]
pub struct TraceCheck {
    /// Files that `assay trace capture` wrote.
    #[arg(required = true, value_name = "FILE")]
    traces: Vec<PathBuf>,
    /// Folder for results and findings. The default is the first free runs/trace-N.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Maximum number of findings to write.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    shares: RequiredShares,
    /// Replace the result in --out.
    #[arg(long, requires = "out")]
    overwrite: bool,
}

impl TraceCheck {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let request = TraceCheckRequest {
            traces: self.traces.clone(),
            out: self.out.clone(),
            limit: self.limit,
            demands: self.shares.lowered(),
            overwrite: self.overwrite,
        };
        let checked = request.check(context)?;
        print(context, &checked)?;
        if let Some(error) = checked.error {
            output::say(format_args!("the results up to then are above and in {}", checked.folder.display()));
            Failure::from(error).report();
            return Ok(ExitStatus::BadInput);
        }
        if checked.interrupted && checked.unwritten.is_none() {
            return Ok(ExitStatus::Interrupted);
        }
        let status = ending::stored(&checked.outcome);
        Ok(ending::written(checked.unwritten, status))
    }
}

fn print(context: &Context, checked: &CheckedTraces) -> Result<(), Failure> {
    let CheckedTraces { readers, outcome, found, seconds, folder, .. } = checked;
    let tally = &outcome.tally;
    let rate = tally.cases as f64 / seconds;
    if context.json {
        let trace = |reader: &Reader| CheckedTrace {
            path: reader.path().to_owned(),
            header: reader.header().clone(),
        };
        return output::print_output(&TraceCheckOutput {
            traces: readers.iter().map(trace).collect(),
            cases: tally.cases,
            verdicts: tally.verdicts,
            divergences: tally.verdicts.diverged,
            agreement: tally.agreement,
            undefined: tally.undefined.clone(),
            functions: assay_reports::functions(outcome),
            judged: outcome.into(),
            findings: found.iter().map(|bug| bug.path.clone()).collect(),
            blamed: found.iter().map(|bug| bug.blame).collect(),
            profile: checked.profile.clone(),
            seconds: rounded(*seconds, 3),
            cases_per_second: rate.round(),
            out: folder.to_path_buf(),
        });
    }
    let mut page = assay_reports::text(outcome, &[]);
    for bug in found {
        page += &format!("found {}: {}\n  assay replay {}\n", bug.signature, bug.blame, bug.path.display());
    }
    page += &demands::text(outcome.shares());
    let (cases, folder) = (plural(tally.cases, "case", "cases"), folder.display());
    let rate = rate / 1e6;
    page += &format!("{cases} in {seconds:.1} s, {rate:.2} million a second; results in {folder}\n");
    output::print(&page)
}
