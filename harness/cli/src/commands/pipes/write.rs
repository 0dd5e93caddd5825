//! `assay gen`: cases of the one generator, with what the oracle expects.

use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use arbitrary::Unstructured;
use assay_engine::compare::judge::allowed::Expectation;
use assay_engine::compare::versus::PRECISION;
use assay_engine::generate::{self, LANES, Scope};
use assay_engine::result::Shard;
use assay_engine::run::campaign::CampaignError;
use assay_files::Staged;
use assay_isa::{Answer, Batch, Instruction, Oracle, Truths, asm};
use clap::Args;
use rayon::prelude::*;
use serde_json::json;

use super::dialect::{Dialect, Posed};
use super::forms::As;
use super::head::Head;
use super::testfloat::named;
use crate::commands::run_record::{parse_shard, rounded};
use crate::commands::selection::{parties, select};
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::output;
use crate::voices::Voice;
use assay_runner::folder::destination;

/// Batches that are written out as text on all threads before they leave, in their order.
const AT_ONCE: u64 = 32;

/// Write cases for a simulator, with what the oracle expects of them.
///
/// The cases are those of `assay fuzz` with the same seed, selection and shard. A device reads them, executes them and
/// writes answers, which `assay ver` judges: `assay gen --as jsonl | device | assay ver --as jsonl`.
#[derive(Args)]
pub struct Gen {
    /// The form of the cases.
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: As,
    /// Optypes, forms or functions, such as FFMA, 'FADD_R?' or 'MUFU.RCP.*'; everything by default.
    #[arg(long, value_name = "GLOB", num_args = 1.., conflicts_with = "instruction")]
    only: Vec<String>,
    /// One instruction, as assembler text or a function of TestFloat: f32_add, or f32_add.RM for another rounding.
    #[arg(long, value_name = "TEXT")]
    instruction: Option<String>,
    /// Number of cases over all shards.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    cases: u64,
    /// Seed of the generator.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Write only this share of the cases.
    #[arg(long, value_name = "i/n", value_parser = parse_shard, default_value = "0/1", hide_default_value = true)]
    shard: Shard,
    /// Write what must come of each case; the default.
    #[arg(long, overrides_with = "no_expect")]
    expect: bool,
    /// Write the inputs alone.
    #[arg(long)]
    no_expect: bool,
    /// Leave out the head, which tells `assay ver` how many cases there are and how they were made.
    #[arg(long)]
    no_head: bool,
    /// The file to write; standard output by default.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file.
    #[arg(long, requires = "out")]
    overwrite: bool,
}

/// What was written.
#[derive(Clone, Copy, Default)]
struct Counts {
    cases: u64,
    /// Cases that the specification leaves undefined.
    undefined: u64,
    /// Cases of which only the judge can tell: too many values to list, or nothing judged.
    unlisted: u64,
}

/// Where the cases come from.
struct Origin {
    scope: Option<Scope>,
    one: Option<Instruction>,
    /// Functions that a voice lacks.
    unsupported: Vec<String>,
}

impl Gen {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let origin = self.origin(context)?;
        let dialect = self.form.dialect(context, origin.one.as_ref())?;
        let (batches, cases) = self.planned();
        if cases == 0 {
            let Shard { index, of } = self.shard;
            let message =
                format!("shard {index}/{of} has no case: a batch of {LANES} is of one shard; raise --cases");
            return Err(Failure::input(message));
        }
        let mut out = Out::open(self.out.as_deref(), self.overwrite)?;
        if !self.no_head {
            let head = Head::new(context, cases, origin.one.as_ref().map(asm::print));
            out.write(&dialect.head(&head))?;
        }
        let started = Instant::now();
        let mut counts = Counts::default();
        for first in (0..batches).step_by(AT_ONCE as usize) {
            if STOP.load(Ordering::Relaxed) {
                output::say(format_args!("interrupted after {} of {cases} cases", counts.cases));
                return Ok(Status::Interrupted);
            }
            let some = first..batches.min(first + AT_ONCE);
            for (text, part) in self.texts(context, &origin, &*dialect, some)? {
                counts.cases += part.cases;
                counts.undefined += part.undefined;
                counts.unlisted += part.unlisted;
                if !out.write(&text)? {
                    // Whoever read it has enough.
                    return Ok(Status::Held);
                }
            }
        }
        out.finish()?;
        self.report(context, &counts, &origin.unsupported, started.elapsed().as_secs_f64())?;
        Ok(Status::Held)
    }

    /// Batches of the shard, and cases in them. All are whole but the last of the plan.
    fn planned(&self) -> (u64, u64) {
        let all = self.cases.div_ceil(LANES as u64);
        let batches = all.saturating_sub(self.shard.index).div_ceil(self.shard.of);
        let Some(last) = batches.checked_sub(1) else { return (0, 0) };
        (batches, last * LANES as u64 + generate::lanes_of(self.cases, self.shard.batch(last)))
    }

    fn origin(&self, context: &Context) -> Result<Origin, Failure> {
        if let Some(text) = &self.instruction {
            let one = Some(named(context, text)?);
            return Ok(Origin { scope: None, one, unsupported: Vec::new() });
        }
        let (subject, oracle) = (|| context.subject(&Voice::Model), || context.oracle(None));
        let selection = select(&parties(context, &subject, &oracle), &self.only)?;
        if selection.scope.is_empty() {
            return Err(CampaignError::EmptyScope.into());
        }
        Ok(Origin { scope: Some(selection.scope), one: None, unsupported: selection.unsupported })
    }

    /// The text of each of some batches, and what is in it.
    fn texts(
        &self,
        context: &Context,
        origin: &Origin,
        dialect: &dyn Dialect,
        batches: Range<u64>,
    ) -> Result<Vec<(String, Counts)>, Failure> {
        let worker = || Worker {
            context,
            dialect,
            oracle: context.oracle(None),
            truths: Truths::default(),
            bytes: Vec::new(),
            batch: Batch::default(),
        };
        let text = |worker: &mut Worker<'_>, nth: u64| worker.text(self, origin, self.shard.batch(nth));
        batches.into_par_iter().map_init(worker, text).collect()
    }

    /// Says what was written: beside a file on standard output, and else on standard error.
    fn report(
        &self,
        context: &Context,
        counts: &Counts,
        unsupported: &[String],
        seconds: f64,
    ) -> Result<(), Failure> {
        let Counts { cases, undefined, unlisted } = counts;
        let rate = *cases as f64 / seconds;
        if let (true, Some(out)) = (context.json, &self.out) {
            return output::print_json(&json!({
                "out": out, "cases": cases, "undefined": undefined, "unlisted": unlisted,
                "not_generated": unsupported, "seconds": rounded(seconds, 3), "cases_per_second": rate.round(),
            }));
        }
        let mut page = match unsupported {
            [] => String::new(),
            modes => format!("not generated, no voice for: {}\n", modes.join(" ")),
        };
        if !self.no_expect {
            page +=
                &format!("{undefined} undefined, {unlisted} with more values allowed than can be listed; ");
        }
        page += &format!("{cases} cases in {seconds:.1} s, {:.2} million a second\n", rate / 1e6);
        match &self.out {
            Some(_) => output::print(&page),
            None => {
                output::say(page.trim_end());
                Ok(())
            }
        }
    }
}

/// One thread's oracle and memory.
struct Worker<'a> {
    context: &'a Context,
    dialect: &'a dyn Dialect,
    oracle: Box<dyn Oracle>,
    truths: Truths,
    bytes: Vec<u8>,
    batch: Batch,
}

impl Worker<'_> {
    fn text(&mut self, command: &Gen, origin: &Origin, index: u64) -> Result<(String, Counts), Failure> {
        let Worker { context, dialect, oracle, truths, bytes, batch } = self;
        let lanes = generate::lanes_of(command.cases, index) as usize;
        let pick = |u: &mut Unstructured<'_>| match (&origin.one, &origin.scope) {
            (Some(one), _) => Ok(one.clone()),
            (None, scope) => scope.as_ref().unwrap_or(Scope::everything()).instruction(u),
        };
        let seed = (command.seed, index);
        let instruction = generate::from_stream(seed, &context.numbers, lanes, bytes, batch, pick)
            .map_err(|error| generate::undrawn(index, error))?;
        let contract = context.profile.contract_for(&instruction);
        let expects = !command.no_expect;
        let known = expects && oracle.truth(&instruction, batch, PRECISION, truths)? == Answer::Known;
        let (mut text, mut counts) = (String::new(), Counts { cases: lanes as u64, ..Counts::default() });
        for lane in 0..lanes {
            let expected = expects.then(|| match known {
                true => Expectation::of(&contract, truths, lane),
                false => Expectation::Unlisted,
            });
            match &expected {
                Some(Expectation::Undefined(_)) => counts.undefined += 1,
                Some(Expectation::Unlisted) => counts.unlisted += 1,
                Some(Expectation::Effect(..)) | None => {}
            }
            let index = index * LANES as u64 + lane as u64;
            dialect.write(&Posed { instruction: &instruction, batch, lane, index, expected }, &mut text)?;
        }
        Ok((text, counts))
    }
}

/// Where cases go: a file, which has its name when it is whole, or standard output.
enum Out {
    File(BufWriter<Staged>),
    Stdout(io::StdoutLock<'static>),
}

impl Out {
    fn open(path: Option<&Path>, overwrite: bool) -> Result<Out, Failure> {
        let Some(path) = path else { return Ok(Out::Stdout(io::stdout().lock())) };
        if destination::is_taken(path, &[] as &[&Path])? && !overwrite {
            let path = path.display();
            return Err(Failure::input(format!("{path} exists; choose another --out, or add --overwrite")));
        }
        let file = Staged::create(path)
            .map_err(|e| Failure::input(format!("{}: cannot be written: {e}", path.display())))?;
        Ok(Out::File(BufWriter::new(file)))
    }

    /// Writes a text. Answers whether anybody still reads.
    fn write(&mut self, text: &str) -> Result<bool, Failure> {
        let (written, name) = match self {
            Out::File(file) => (file.write_all(text.as_bytes()), file.get_ref().path().display().to_string()),
            Out::Stdout(stdout) => {
                (stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()), "stdout".to_owned())
            }
        };
        match written {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(e) => Err(Failure::harness(format!("{name}: {e}"))),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        let Out::File(writer) = self else { return Ok(()) };
        let path = writer.get_ref().path().to_owned();
        let staged = writer.into_inner().map_err(io::IntoInnerError::into_error);
        let put = staged.and_then(|staged| {
            staged.sync()?;
            staged.put()
        });
        put.map_err(|e| Failure::harness(format!("{}: {e}", path.display())))
    }
}
