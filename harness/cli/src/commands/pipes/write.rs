//! `assay gen`: writes generated cases, with the results that the oracle expects.

use std::path::PathBuf;

use assay_exchange::write::{Counts, Ending, WriteRequest, WrittenCases};
use assay_isa::shown::plural;
use assay_records::Shard;
use assay_records::commands::exchange::GenOutput;
use assay_records::commands::rounded;
use assay_runner::selection::selector;
use clap::Args;

use super::ExchangeForm;
use crate::commands::modes;
use crate::commands::run_folder::parse_shard;
use crate::context::Context;
use crate::count::{parse_count, parse_seed};
use crate::failure::{ExitStatus, Failure};
use crate::implementations::SubjectName;
use crate::output;
use crate::program::RunCommand;

/// Write cases for a simulator, with the results that the oracle expects.
///
/// The cases are those of `assay fuzz` with the same seed, selection, number of cases and shard. A
/// device reads the cases, executes them and writes answers, which `assay ver` judges: `assay gen
/// --as jsonl | device | assay ver --as jsonl`.
///
/// Each batch of cases has one instruction. With fewer than 1,024 cases, each batch has one case.
/// From 1,024 cases on, there are 512 to 1,024 batches. From 1,048,576 cases on, each batch has
/// 1,024 cases. So a stream with more cases can contain fewer different instructions. For more
/// instructions, write several streams of 1,000 cases, each with its own --seed.
#[derive(Args)]
pub struct Gen {
    /// The format of the cases.
    #[arg(long = "as", value_enum, value_name = "FORM", required_unless_present = "modes")]
    form: Option<ExchangeForm>,
    /// Optypes, forms or functions, such as FFMA, 'FADD_R?' or 'MUFU.RCP.*', also with values of
    /// modifiers, such as FADD.RM or '*.NoFTZ'. '!GLOB' excludes, as in '!*.FTZ'. The default is
    /// all of them.
    #[arg(long, value_name = "GLOB", num_args = 1.., conflicts_with = "instruction")]
    only: Vec<String>,
    /// List the forms and modifiers from which cases are drawn, and write nothing.
    #[arg(long, conflicts_with = "instruction")]
    modes: bool,
    /// One instruction, as assembler text or a TestFloat function: f32_add, or f32_add.RM for
    /// another rounding.
    #[arg(long, value_name = "TEXT")]
    instruction: Option<String>,
    /// Write recorded cases instead of generated cases. Takes a suite that this program carries,
    /// such as ffma or mufu-rcp, or a file or folder of suites. --only and --instruction select
    /// from the recorded cases.
    #[arg(long, value_name = "NAME|PATH", num_args = 1.., conflicts_with_all = ["cases", "seed", "modes"])]
    suite: Vec<String>,
    /// Number of cases over all shards, such as 20M or 1e9.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = parse_count)]
    cases: u64,
    /// Seed of the generator.
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = parse_seed)]
    seed: u64,
    /// Write only this shard of the cases: part i of n, counted from 0.
    #[arg(long, value_name = "i/n", value_parser = parse_shard, default_value = "0/1", hide_default_value = true)]
    shard: Shard,
    /// Write the expected result of each case. This is the default.
    #[arg(long, overrides_with = "no_expect")]
    expect: bool,
    /// Write the inputs without expected results.
    #[arg(long)]
    no_expect: bool,
    /// Write JSON lines without the parts of the instruction.
    #[arg(long)]
    no_parts: bool,
    /// Omit the header, which states the number of cases and how they were generated.
    #[arg(long)]
    no_head: bool,
    /// The file to write. The default is standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace an existing file.
    #[arg(long, requires = "out")]
    overwrite: bool,
}

impl RunCommand for Gen {
    const SAVES: bool = true;

    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let Some(form) = self.form.filter(|_| !self.modes) else {
            return modes::list(context, &self.only, &SubjectName::MODEL, None);
        };
        let request = WriteRequest {
            form: form.into(),
            only: self.only.clone(),
            instruction: self.instruction.clone(),
            suites: self.suite.clone(),
            cases: self.cases,
            seed: self.seed,
            shard: self.shard,
            expects: !self.no_expect,
            has_parts: !self.no_parts,
            has_head: !self.no_head,
            out: self.out.clone(),
            overwrite: self.overwrite,
        };
        let written = request.write(context, &mut std::io::stdout())?;
        match written.ending {
            Ending::Whole => report(context, self, &written)?,
            Ending::Enough => {}
            Ending::Interrupted => {
                let (cases, planned) = (written.counts.cases, written.planned);
                output::say(format_args!(
                    "interrupted after {cases} of {}",
                    plural(planned, "case", "cases")
                ));
                return Ok(ExitStatus::Interrupted);
            }
        }
        Ok(ExitStatus::Held)
    }

    fn check(&self, _: &Context) -> Result<(), Failure> {
        Ok(selector(&self.only).map(drop)?)
    }
}

/// Prints the number of written cases: to standard output if the cases go to a file, otherwise to
/// standard error.
fn report(context: &Context, command: &Gen, written: &WrittenCases) -> Result<(), Failure> {
    let WrittenCases { counts, digest, not_generated, seconds, .. } = written;
    let Counts { cases, undefined, unlisted } = &counts;
    let rate = *cases as f64 / seconds;
    if let (true, Some(out)) = (context.json, &command.out) {
        return output::print_output(&GenOutput {
            out: out.clone(),
            cases: *cases,
            digest: digest.to_string(),
            undefined: *undefined,
            unlisted: *unlisted,
            not_generated: not_generated.clone(),
            seconds: rounded(*seconds, 3),
            cases_per_second: rate.round(),
        });
    }
    let mut page = output::not_generated(not_generated);
    if !command.no_expect {
        page += &format!("{undefined} undefined, {unlisted} with more values allowed than can be listed; ");
    }
    page += &format!(
        "{}, digest {digest}, in {seconds:.1} s, {:.2} million a second\n",
        plural(cases, "case", "cases"),
        rate / 1e6
    );
    match &command.out {
        Some(_) => output::print(&page),
        None => {
            output::say(page.trim_end());
            Ok(())
        }
    }
}
