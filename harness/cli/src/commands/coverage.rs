//! `assay coverage`: counts the coverage bins and those that a run hit, lists those that it missed,
//! and finds a case that hits a bin.

use std::path::PathBuf;

use assay_engine::coverage::{Bin, Topic};
use assay_isa::{Batch, Instruction, asm};
use assay_records::commands::ByName;
use assay_records::commands::coverage::{
    BinCase, BinOutput, BinsOutput, MissedBinOutput, MissedOutput, WhyOutput,
};
use assay_runner::coverage::{Count, CountedBins, TOLD, count, find, missed, suite};
use assay_runner::inspect::command::eval_command;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

use crate::context::Context;
use crate::count::parse_count;
use crate::failure::{ExitStatus, Failure};
use crate::output;
use crate::program::RunCommand;

/// Count the coverage bins, list those that a run missed, or explain a bin.
#[derive(Subcommand)]
pub enum Coverage {
    Show(CoverageShow),
    Missed(CoverageMissed),
    Why(CoverageWhy),
}

/// Count the coverage bins by topic and by form, and how many of them a run hit.
#[derive(Args)]
pub struct CoverageShow {
    /// A `result.json`, or a folder that holds such a file. Without a result, the command only
    /// counts the bins that exist under the profile.
    result: Option<PathBuf>,
    /// Only these forms, such as 'FADD_*'. The default is all forms.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
}

/// List the bins that a run missed, with one name on each line.
///
/// `assay coverage why NAME` then finds a case that hits the bin. The command reads the `result.json`
/// and the `coverage.json` of the run.
#[derive(Args)]
pub struct CoverageMissed {
    /// The folder of a run, or its `result.json`.
    run: PathBuf,
    /// Only these forms, such as 'FADD_*'. The default is all forms.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    /// Only this topic, as `assay coverage show` names it.
    #[arg(long, value_parser = PossibleValuesParser::new(Topic::ALL.map(Topic::name)))]
    topic: Option<String>,
}

/// Explain a coverage bin, and find a case that hits it.
///
/// Give the name as `coverage.json` and `assay fuzz` print it, or a pattern such as 'FADD_RR rnd
/// RP, *becomes -zero'. If several bins match, the command explains the first three. Exit status 1
/// means that no case was found for a bin that no rule excludes.
#[derive(Args)]
pub struct CoverageWhy {
    /// Name of a bin, or a pattern.
    bin: String,
    /// Number of batches of 1024 cases to search.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = parse_count)]
    batches: u64,
}

impl RunCommand for Coverage {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        match self {
            Coverage::Show(show) => show.run(context),
            Coverage::Missed(missed) => missed.run(context),
            Coverage::Why(why) => why.run(context),
        }
    }
}

fn count_text(count: &Count) -> String {
    let hit = count.hit.map_or(String::new(), |hit| {
        let share = 100.0 * hit as f64 / count.reachable.max(1) as f64;
        format!(" {hit:>9} {:>9} {:>8.2} %", count.reachable - hit, (100.0 * share).floor() / 100.0)
    });
    format!("{:>9} {:>10}{hit}", count.reachable, count.impossible)
}

impl CoverageShow {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let CountedBins { digest, topics, forms, has_result } =
            count(context, self.result.as_deref(), &self.only)?;
        if context.json {
            let topics = topics.iter().map(|(topic, count)| (topic.name().to_owned(), count.into()));
            let forms = forms.iter().map(|(form, count)| (form.clone(), count.into()));
            output::print_output(&BinsOutput { digest, topics: topics.collect(), forms: forms.collect() })?;
            return Ok(ExitStatus::Held);
        }
        let hit = if has_result { "       hit    missed      share" } else { "" };
        let mut page = format!("{:<16}      bins impossible{hit}\n", "topic");
        for (topic, count) in &topics {
            page += &format!("{:<16} {}  {}\n", topic.name(), count_text(count), topic.about());
        }
        page += &format!("\n{:<16}      bins impossible{hit}\n", "form");
        for (form, count) in &forms {
            page += &format!("{form:<16} {}\n", count_text(count));
        }
        output::print(&page)?;
        Ok(ExitStatus::Held)
    }
}

impl CoverageMissed {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let topic = Topic::ALL.into_iter().find(|topic| Some(topic.name()) == self.topic.as_deref());
        let bins = missed(&self.run, &self.only, topic)?;
        if context.json {
            let output = bins
                .into_iter()
                .map(|bin| MissedBinOutput { name: bin.name, topic: bin.topic.name().into() });
            output::print_output(&MissedOutput { missed: output.collect() })?;
        } else {
            output::print(&bins.iter().map(|bin| format!("{}\n", bin.name)).collect::<String>())?;
        }
        Ok(ExitStatus::Held)
    }
}

impl CoverageWhy {
    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let (matches, told) = find(context, &self.bin, self.batches)?;
        if context.json {
            let bins = told.iter().map(|(bin, case)| bin_output(context, bin, case.as_ref()));
            output::print_output(&WhyOutput { matches, bins: bins.collect::<Result<Vec<_>, _>>()? })?;
        } else {
            let mut page = String::new();
            for (bin, case) in &told {
                page += &self.told(context, bin, case.as_ref())?;
            }
            if matches > told.len() {
                page += &format!("{matches} bins match; these are the first {TOLD}\n");
            }
            output::print(&page)?;
        }
        Ok(ExitStatus::of(told.iter().all(|(bin, case)| bin.unreachable.is_some() || case.is_some())))
    }

    fn told(
        &self,
        context: &Context,
        bin: &Bin,
        case: Option<&(Instruction, Batch)>,
    ) -> Result<String, Failure> {
        let mut page = format!("{}\n  {}: {}\n", bin.name, bin.topic.name(), bin.topic.about());
        match (bin.unreachable, case) {
            (Some(why), _) => page += &format!("  no case hits it: {why}\n"),
            (None, None) => {
                page += &format!(
                    "  no rule says that no case hits it, and none of {} that aim at it does: a hole, or a rule that \
                     is missing; try more --batches\n",
                    self.batches * 1024
                );
            }
            (None, Some((instruction, batch))) => {
                page += &format!("  hit by\n    {}\n  as a case\n", eval_line(instruction, batch));
                let text = yaml(context, bin, instruction, batch)?;
                page += &text.lines().map(|line| format!("    {line}\n")).collect::<String>();
            }
        }
        Ok(page + "\n")
    }
}

/// Returns the command that shows the results of a case in every implementation.
fn eval_line(instruction: &Instruction, batch: &Batch) -> String {
    eval_command(&asm::print(instruction), batch.lane(0))
}

fn yaml(context: &Context, bin: &Bin, instruction: &Instruction, batch: &Batch) -> Result<String, Failure> {
    Ok(assay_vectors::suite_to_string(&suite(context, bin, instruction, batch)?)?)
}

fn bin_output(
    context: &Context,
    bin: &Bin,
    found: Option<&(Instruction, Batch)>,
) -> Result<BinOutput, Failure> {
    let case = |(instruction, batch): &(Instruction, Batch)| {
        Ok::<_, Failure>(BinCase {
            asm: asm::print(instruction),
            word: format!("{:#034x}", batch.word()),
            inputs: ByName::bits(batch),
            yaml: yaml(context, bin, instruction, batch)?,
        })
    };
    Ok(BinOutput {
        name: bin.name.clone(),
        topic: bin.topic.name().to_owned(),
        reachable: bin.unreachable.is_none(),
        reason: bin.unreachable.map(|reason| reason.to_string()),
        case: found.map(case).transpose()?,
    })
}
