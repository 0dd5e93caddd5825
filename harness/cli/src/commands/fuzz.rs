//! `assay fuzz`: the differential campaign.

use std::path::Path;
use std::time::Duration;

use assay_engine::coverage::Depth;
use assay_isa::shown::plural;
use assay_records::commands::campaign::{
    BaselineOutput, DeviceFailures, FuzzOutput, JudgedShares, Remedy, VerdictOutput,
};
use assay_records::commands::rounded;
use assay_records::{RunResult, Shard};
use assay_runner::campaign::fuzz::{FinishedCampaign, FuzzRequest, Limit};
use assay_runner::campaign::{CommonRequest, FinishedRun};
use clap::{Args, ValueEnum};

use super::baseline::{self, Baseline};
use super::covered;
use super::demands::{self, RequiredShares};
use super::ending;
use super::findings;
use super::modes;
use super::run_folder::{RunFolderOptions, parse_shard};
use crate::context::Context;
use crate::count::{parse_count, parse_seed};
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, for_new_cases};
use crate::output;
use crate::program::RunCommand;
use crate::time::parse_time;

/// Generate cases, execute them on a subject, and judge every result.
///
/// Runs with the same seed, selection and number of cases execute the same cases, on any number of
/// threads and in any number of shards. Divergences are shrunk and written as cases that `assay
/// replay` explains. Exit status 1 means that the verdict is FAILED, for example because a case
/// diverged, too few lanes were judged, or an error exceeds the --baseline. NOT FULLY JUDGED means
/// that nothing failed, and that the profile has no bound for some results (status 0, see
/// --require-judged).
#[derive(Args)]
pub struct Fuzz {
    /// Optypes, forms or functions, such as FFMA, 'FADD_R?' or 'MUFU.RCP.*', also with values of
    /// modifiers, such as FADD.RM or '*.NoFTZ'. '!GLOB' excludes, as in '!*.FTZ'. The default is
    /// all of them.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    /// Also print every table: verdicts, forms, errata, accuracy, statistics of arithmetic.
    #[arg(short, long)]
    verbose: bool,
    /// List the forms and modifiers from which cases are drawn, and run nothing.
    #[arg(long)]
    modes: bool,
    /// Number of cases over all shards, such as 20M or 1e9. With --until-covered, the maximum
    /// number, by default 4 billion.
    #[arg(long, value_name = "N", default_value_t = 20_000_000, conflicts_with = "time", value_parser = parse_count)]
    #[arg(default_value_if("until_covered", "true", "4000000000"))]
    cases: u64,
    /// Run for this time, such as 90s, 30m or 8h, in place of a number of cases.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Stop as soon as every coverage bin was hit. If some bins are still not hit after the number
    /// of --cases, the exit status is 1.
    #[arg(long, conflicts_with_all = ["time", "shard"])]
    until_covered: bool,
    /// Which coverage bins to count.
    #[arg(long, value_enum, default_value_t = CountedBins::All)]
    bins: CountedBins,
    /// Seed of the generator.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// Execute only this shard of the cases: part i of n, counted from 0.
    #[arg(long, value_name = "i/n", value_parser = parse_shard, default_value = "0/1", hide_default_value = true)]
    shard: Shard,
    /// The subject to test: model, exec:COMMAND, lib:PATH, cuda:N, ptx, mutant:FAULT, apfloat, host,
    /// core-math or h200.
    #[arg(long, value_name = "SUBJECT", default_value = "model", value_parser = for_new_cases)]
    subject: SubjectName,
    /// Compare the results bit by bit with those of this second subject, in place of the oracle's.
    #[arg(long, value_name = "SUBJECT", value_parser = for_new_cases)]
    against: Option<SubjectName>,
    #[command(flatten)]
    baseline: Baseline,
    #[command(flatten)]
    shares: RequiredShares,
    /// End the run early once this number of cases has diverged. The result then counts only a part
    /// of the plan. --resume continues the run.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    stop_after: Option<u64>,
    #[command(flatten)]
    keeping: RunFolderOptions,
}

/// Which coverage bins a campaign counts.
#[derive(Clone, Copy, ValueEnum)]
enum CountedBins {
    /// All bins: plain bins, crossed bins, and bins of exact sums and products.
    All,
    /// Only the plain bins, each about one class of one operand.
    Plain,
}

impl From<CountedBins> for Depth {
    fn from(counted: CountedBins) -> Depth {
        match counted {
            CountedBins::All => Depth::Crossed,
            CountedBins::Plain => Depth::Plain,
        }
    }
}

impl RunCommand for Fuzz {
    const SAVES: bool = true;
    const NAMES_BUILD: bool = true;

    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        if self.modes {
            return modes::list(context, &self.only, &self.subject, self.against.as_ref());
        }
        let finished = self.request().run(context)?;
        let run = &finished.run;
        if run.interrupted && !run.stopped_early && run.unwritten.is_none() {
            say_interrupted(&run.outcome, &run.folder);
            return Ok(ExitStatus::Interrupted);
        }
        let status = ending::finished(run);
        self.print(context, &finished)?;
        Ok(ending::written(finished.run.unwritten, status))
    }

    fn check(&self, context: &Context) -> Result<(), Failure> {
        Ok(self.request().check(context)?)
    }
}

impl Fuzz {
    /// Prints the result, with the verdict on the last line.
    fn print(&self, context: &Context, finished: &FinishedCampaign) -> Result<(), Failure> {
        let FinishedCampaign { run, covered, not_generated, instructions, forms } = finished;
        let FinishedRun { outcome, found, seconds, .. } = run;
        let tally = &outcome.tally;
        let rate = run.executed as f64 / seconds;
        if context.json {
            return output::print_output(&FuzzOutput {
                cases: tally.cases,
                instructions: *instructions,
                forms: tally.forms.len(),
                verdicts: tally.verdicts,
                divergences: tally.verdicts.diverged,
                signatures: found.bugs.len(),
                unexamined: found.unexamined,
                otherwise: found.otherwise.as_ref().map(Remedy::from),
                findings: run.paths.clone(),
                coverage: rounded(covered.share, 6),
                bins: covered.bins,
                impossible: covered.impossible.clone(),
                undefined: tally.undefined.clone(),
                judged: JudgedShares::from(outcome),
                not_generated: not_generated.clone(),
                functions: assay_reports::functions(outcome),
                baseline: run.compared.as_ref().map(BaselineOutput::from),
                verdict: VerdictOutput::from(outcome),
                seconds: rounded(*seconds, 3),
                cases_per_second: rate.round(),
                device: run.failures.map(|failures| DeviceFailures { failures, dead: run.gone.clone() }),
                out: run.folder.to_path_buf(),
            });
        }
        let mut page = if self.verbose {
            findings::page(found, &run.paths, outcome)
        } else {
            findings::brief(found, &run.paths, outcome)
        };
        page += &demands::text(outcome.shares());
        page += &covered::text(covered, self.verbose);
        page += &output::not_generated(not_generated);
        page += &findings::warning(found);
        if let Some(failures @ 1..) = run.failures {
            page += &format!("the device failed in {}\n", plural(failures, "execution", "executions"));
        }
        page += &baseline::text(run.compared.as_ref());
        page += &ending::place(run);
        page += &format!(
            "{} in {} of {} drawn; {seconds:.1} s, {:.2} million cases a second\n",
            plural(instructions, "instruction", "instructions"),
            tally.forms.len(),
            plural(forms, "form", "forms"),
            rate / 1e6
        );
        output::print(&page)?;
        output::print_verdict(outcome)
    }

    /// Returns the requested campaign.
    fn request(&self) -> FuzzRequest {
        let limit = match (self.time, self.until_covered) {
            (Some(time), _) => Limit::Time(time),
            (None, true) => Limit::Covered(self.cases),
            (None, false) => Limit::Cases(self.cases),
        };
        FuzzRequest {
            only: self.only.clone(),
            limit,
            depth: self.bins.into(),
            seed: self.seed,
            common: CommonRequest {
                subject: self.subject.clone(),
                against: self.against.clone(),
                shard: self.shard,
                baseline: self.baseline.path.clone(),
                demands: self.shares.lowered(),
                stop_after: self.stop_after,
                keeping: self.keeping.lowered(),
            },
        }
    }
}

fn say_interrupted(outcome: &RunResult, folder: &Path) {
    let (cases, diverged) = (outcome.tally.cases, outcome.tally.verdicts.diverged);
    let cases = plural(cases, "case", "cases");
    let folder = folder.display();
    match outcome.tally.cases {
        0 => output::say(format_args!("interrupted before a case was counted; nothing is kept")),
        _ => output::say(format_args!(
            "interrupted after {cases}, {diverged} diverged; all of it is kept in {folder}\n\
             go on with --out {folder} --resume"
        )),
    }
}
