//! `assay libfuzzer run`: a campaign of the targets, one after the other, each in several processes over one corpus.

use std::path::PathBuf;
use std::time::Duration;

use assay_fuzzing::Target;
use assay_isa::shown::plural;
use assay_libfuzzer::campaign::{Campaign, Plan};
use assay_libfuzzer::corpus::{self, Session};
use assay_libfuzzer::subject;
use assay_libfuzzer::toolchain::Toolchain;
use assay_records::libfuzzer::{CorpusSize, Coverage, FoundInput, Sanitizer, TargetRecord};
use clap::Args;

use super::options::{BoundOptions, chosen, sanitizers, targets};
use crate::commands::run_folder::{self, ExistingFolder, LIBFUZZER};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::SubjectName;
use crate::output;
use crate::time::parse_time;

/// Run libFuzzer targets over persistent corpora, and write their crashes as findings.
///
/// Each target runs in --jobs processes that share its corpus. Then the corpus is minimised.
///
/// Exit status 1 means that an input violates a property, or that no input of a target reached its
/// judge. Exit status 3 means that the nightly toolchain is missing, or that the work on a target
/// could not be finished. --resume then runs that target again.
#[derive(Args)]
pub struct LibfuzzerRun {
    /// The targets. The default is all targets.
    #[arg(value_parser = targets())]
    targets: Vec<Target>,
    /// Time for each target, such as 90s, 30m or 8h.
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s")]
    time: Duration,
    /// Folder of the corpora, one for each target. It is created if it does not exist.
    #[arg(long, value_name = "DIR")]
    corpus: PathBuf,
    /// Folder for the record, findings and logs. The default is the first free runs/libfuzzer-N.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the record in --out.
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// Continue the run in --out. Finished targets are not run again, and findings are kept.
    #[arg(long, requires = "out", conflicts_with = "overwrite")]
    resume: bool,
    /// The sanitizer of the targets.
    #[arg(long, value_name = "SANITIZER", value_parser = sanitizers(), default_value = "none")]
    sanitizer: Sanitizer,
    /// The subject of the target `differential`: model or mutant:FAULT.
    #[arg(long, value_name = "SUBJECT", default_value = "model", value_parser = subject::parse)]
    subject: SubjectName,
    #[command(flatten)]
    bounds: BoundOptions,
}

impl LibfuzzerRun {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        subject::only_defaults(context)?;
        let (targets, toolchain) = (chosen(&self.targets), Toolchain::find(self.sanitizer)?);
        let folders: Vec<_> = [Some(&*self.corpus), self.out.as_deref()].into_iter().flatten().collect();
        corpus::check_paths(&toolchain, &targets, &folders)?;
        let again = if self.resume { ExistingFolder::Resume } else { ExistingFolder::of(self.overwrite) };
        let out = run_folder::prepare(self.out.as_deref(), "libfuzzer", again)?;
        output::say(format_args!("building {} fuzz targets", targets.len()));
        let (bounds, reporter) = (self.bounds.lowered(), context.reporter);
        let session = Session::open(toolchain, &targets, &self.corpus, &out, bounds, reporter)?;
        let Some(session) = session else { return Ok(ExitStatus::Interrupted) };
        let plan = Plan { targets: &targets, time: self.time, subject: &self.subject, out: &out };
        let mut campaign = Campaign::start(&session, plan, context)?;
        for target in &targets {
            match campaign.run(*target)? {
                None => {}
                Some(row) if context.json => {
                    row.problem.iter().for_each(|why| output::say(format_args!("{}: {why}", target.name())));
                }
                Some(row) => output::print(&text(*target, row))?,
            }
            if campaign.record.interrupted {
                output::say(format_args!("interrupted; the findings are in {}", out.display()));
                return Ok(ExitStatus::Interrupted);
            }
        }
        let record = &campaign.record;
        match context.json {
            true => output::print_output(record)?,
            false => output::print(&format!("the record is {}\n", out.join(LIBFUZZER).display()))?,
        }
        // An incomplete run outweighs its findings, because it could have found more.
        Ok(if record.is_broken() { ExitStatus::Broke } else { ExitStatus::of(record.holds()) })
    }
}

/// The outcome of a target, as people read it.
fn text(target: Target, row: &TargetRecord) -> String {
    let TargetRecord { executions, judged, corpus: CorpusSize { inputs, bytes, left_out }, .. } = row;
    let (rate, wasted) = (row.executions_per_second, 100.0 * row.wasted);
    let coverage = |coverage: Option<Coverage>| match coverage {
        Some(Coverage { edges, features }) => format!("{edges} edges, {features} features"),
        None => "unknown".into(),
    };
    let mut text = format!(
        "{}: {}, {rate:.0} a second in a process; {judged} of them reached the judge, {wasted:.2} % \
         are wasted\n  coverage {}, before {}; corpus of {}, {bytes} bytes\n",
        target.name(),
        plural(executions, "input", "inputs"),
        coverage(row.coverage.after),
        coverage(row.coverage.before),
        plural(inputs, "input", "inputs"),
    );
    if *left_out > 0 {
        text +=
            &format!("  not in the corpus, which is full: {}\n", plural(left_out, "new input", "new inputs"));
    }
    if let Some(problem) = &row.problem {
        text += &format!("  {problem}\n");
    }
    if row.nothing_new {
        text += "  nothing new\n";
    }
    text + &row.findings.iter().map(found).collect::<String>()
}

/// A finding, as people read it.
pub fn found(finding: &FoundInput) -> String {
    format!("  found {}\n    {}\n", finding.signature, finding.replay)
}

#[cfg(test)]
mod tests {
    use assay_records::libfuzzer::CorpusCoverage;

    use super::*;

    #[test]
    fn what_came_of_a_target_is_a_few_lines() {
        let coverage = |edges| Some(Coverage { edges, features: 3 * edges });
        let of = |new_units: u64, problem: Option<&str>| {
            let coverage = CorpusCoverage { before: coverage(100), after: coverage(120) };
            let problem = problem.map(str::to_owned);
            let mut row = TargetRecord { coverage, new_units, problem, ..TargetRecord::default() };
            row.count();
            text(Target::Document, &row)
        };
        let (sound, idle, broken) = (of(7, None), of(0, None), of(7, Some("no room; no memory")));
        assert!(sound.contains("coverage 120 edges, 360 features, before 100 edges"), "{sound}");
        assert!(!sound.contains("nothing new") && idle.contains("nothing new"), "{idle}");
        assert!(broken.contains("no room; no memory"), "{broken}");
    }
}
