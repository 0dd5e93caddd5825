//! `assay sweep`: executes every input of unary functions, and every combination of listed operands
//! of other functions.

use assay_isa::shown::plural;
use assay_records::Shard;
use assay_records::commands::campaign::{
    BaselineOutput, DeviceFailures, JudgedShares, Remedy, SweepOutput, VerdictOutput,
};
use assay_records::commands::rounded;
use assay_runner::campaign::functions;
use assay_runner::campaign::sweep::SweepRequest;
use assay_runner::campaign::{CommonRequest, FinishedRun};
use clap::{Args, ValueEnum};

use super::baseline::{self, Baseline};
use super::demands::{self, RequiredShares};
use super::ending;
use super::findings;
use super::run_folder::{INTERRUPTED, RunFolderOptions, parse_shard};
use crate::context::Context;
use crate::count::parse_count;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, for_new_cases};
use crate::output;
use crate::program::RunCommand;

/// Execute every input of unary functions, and every combination of listed operands of other
/// functions.
///
/// A function is a mnemonic with its modifiers, in any case and order: mufu.rcp.f32, fsetp.lt.and.
/// A mnemonic alone stands for every legal combination of its modifiers: `sweep flo` runs four
/// functions.
///
/// A unary function gets all 2^32 inputs, or a sample with --tier quick. All inputs of a MUFU
/// function in F32 take ten seconds on two cores. A function of 16-bit floats gets all 65,536
/// inputs in each half of its operand. Each operand of another function gets a list of values that
/// suits its kind: every shift amount from 0 to 65, every exponent (FCHK), the ends of every class
/// of float. The sweep executes all combinations.
///
/// FADD, FMUL and FFMA get two kinds of cases with every combination of prefixes: constructed cases
/// that are hard to round, and all combinations of classes of floats. On two cores, each of the
/// three optypes takes seconds (quick), a minute (standard) or an hour (deep).
#[derive(Args)]
pub struct Sweep {
    /// Functions such as mufu.rcp.f32, or mnemonics such as flo.
    #[arg(required = true)]
    functions: Vec<String>,
    /// How many inputs of a unary function to execute, and how many values of each class of floats.
    #[arg(long, value_enum, default_value_t = Tier::Standard)]
    tier: Tier,
    /// The subject to test.
    #[arg(long, value_name = "SUBJECT", default_value = "model", value_parser = for_new_cases)]
    subject: SubjectName,
    /// Execute only this shard of the inputs: part i of n, counted from 0.
    #[arg(long, value_name = "i/n", value_parser = parse_shard, default_value = "0/1", hide_default_value = true)]
    shard: Shard,
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

/// How many inputs a sweep executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tier {
    /// Every 255th input of a unary function (16.8 million), and the ends of every class of values.
    /// A function of floats also gets the ends of every binade of both signs (fraction 0, 1, 2, all
    /// ones but the last, all ones), the ends of each table segment, and the inputs that are
    /// hardest to round.
    Quick,
    /// Every input.
    Standard,
    /// Every input. FADD, FMUL and FFMA get about sixty times as many combinations as with
    /// `standard`.
    Deep,
}

impl From<Tier> for functions::Tier {
    fn from(tier: Tier) -> functions::Tier {
        match tier {
            Tier::Quick => functions::Tier::Quick,
            Tier::Standard => functions::Tier::Standard,
            Tier::Deep => functions::Tier::Deep,
        }
    }
}

impl RunCommand for Sweep {
    const SAVES: bool = true;
    const NAMES_BUILD: bool = true;

    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let request = self.request();
        let run = request.run(context)?;
        if run.interrupted && !run.stopped_early && run.unwritten.is_none() {
            let (partial, folder) = (run.folder.join(INTERRUPTED), run.folder.display());
            output::say(format_args!(
                "interrupted; the counts are in {}; continue with --out {folder} --resume",
                partial.display()
            ));
            return Ok(ExitStatus::Interrupted);
        }
        let status = ending::finished(&run);
        print(context, &run, request.tier.stride())?;
        Ok(ending::written(run.unwritten, status))
    }

    fn check(&self, context: &Context) -> Result<(), Failure> {
        Ok(self.request().check(context)?)
    }
}

impl Sweep {
    /// Returns the requested sweep.
    fn request(&self) -> SweepRequest {
        SweepRequest {
            functions: self.functions.clone(),
            tier: self.tier.into(),
            common: CommonRequest {
                subject: self.subject.clone(),
                against: None,
                shard: self.shard,
                baseline: self.baseline.path.clone(),
                demands: self.shares.lowered(),
                stop_after: self.stop_after,
                keeping: self.keeping.lowered(),
            },
        }
    }
}

fn print(context: &Context, run: &FinishedRun, stride: u64) -> Result<(), Failure> {
    let FinishedRun { outcome, found, seconds, .. } = run;
    if context.json {
        return output::print_output(&SweepOutput {
            functions: assay_reports::functions(outcome),
            inputs: outcome.tally.cases,
            verdicts: outcome.tally.verdicts,
            divergences: outcome.tally.verdicts.diverged,
            judged: JudgedShares::from(outcome),
            findings: run.paths.clone(),
            baseline: run.compared.as_ref().map(BaselineOutput::from),
            verdict: VerdictOutput::from(outcome),
            unexamined: found.unexamined,
            otherwise: found.otherwise.as_ref().map(Remedy::from),
            stride,
            seconds: rounded(*seconds, 3),
            device: run.failures.map(|failures| DeviceFailures { failures, dead: run.gone.clone() }),
            out: run.folder.to_path_buf(),
        });
    }
    let mut page = findings::page(found, &run.paths, outcome);
    page += &demands::text(outcome.shares());
    page += &findings::warning(found);
    page += &baseline::text(run.compared.as_ref());
    page += &ending::place(run);
    page += &format!(
        "{} in {seconds:.1} s, {:.1} ns each\n",
        plural(outcome.tally.cases, "input", "inputs"),
        seconds * 1e9 / run.executed.max(1) as f64
    );
    output::print(&page)?;
    output::print_verdict(outcome)
}
