//! `assay trace capture`: what a subject does on generated cases, recorded.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use assay_engine::generate::{self, LANES};
use assay_hardware::cuda::{Device, Identity};
use assay_hardware::ptx;
use assay_hardware::trace::{Header, Writer};
use assay_isa::{Answer, Batch, Effects, Instruction, Numbers, Subject, VoiceError};
use clap::Args;
use rayon::prelude::*;
use serde_json::json;

use crate::commands::run_record::rounded;
use crate::commands::selection::{Selection, parties, select};
use crate::commands::suites::suites;
use crate::commands::witness::answered;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::output;
use crate::progress::Progress;
use crate::voices::{Voice, fingerprint, for_new_cases};

/// Batches that are executed on all threads before they are written, in their order.
const AT_ONCE: u64 = 128;

/// Record what a subject does on generated cases, or on the cases of suites.
///
/// The cases are those of `assay fuzz` with the same seed and selection, or with --vectors those of YAML suites, each once:
/// of the witnesses of the errata, for `assay errata settle --subject trace:FILE`. SOURCE_DATE_EPOCH, in seconds since 1970,
/// stands in for the time of recording where a file has to come out the same.
#[derive(Args)]
pub struct Capture {
    /// The voice that is recorded: model, exec:COMMAND, lib:PATH, cuda:N, ptx, mutant:FAULT, apfloat, host or
    /// core-math.
    #[arg(long, value_name = "SUBJECT", value_parser = for_new_cases)]
    subject: Voice,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Optypes, forms or functions, such as FFMA, 'FADD_R?' or 'MUFU.RCP.*'; everything by default.
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    /// Number of cases.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    cases: u64,
    /// Seed of the generator.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Files or folders of suites, whose cases are recorded instead. What they expect does not matter.
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., conflicts_with_all = ["only", "cases", "seed"])]
    vectors: Vec<PathBuf>,
    /// Replace the file.
    #[arg(long)]
    overwrite: bool,
}

/// A batch that was executed.
struct Executed {
    instruction: Instruction,
    batch: Batch,
    effects: Effects,
    answer: Answer,
}

/// The cases to be recorded, batch by batch.
enum Plan {
    /// Those of a campaign.
    Generated { seed: u64, cases: u64, selection: Selection },
    /// Those of suites, one in a batch.
    Suites(Vec<(Instruction, Batch)>),
}

impl Plan {
    fn cases(&self) -> u64 {
        match self {
            Plan::Generated { cases, .. } => *cases,
            Plan::Suites(cases) => cases.len() as u64,
        }
    }

    fn batches(&self) -> u64 {
        match self {
            Plan::Generated { cases, .. } => cases.div_ceil(LANES as u64),
            Plan::Suites(cases) => cases.len() as u64,
        }
    }

    fn batch(
        &self,
        index: u64,
        numbers: &Numbers,
        bytes: &mut Vec<u8>,
    ) -> Result<(Instruction, Batch), VoiceError> {
        match self {
            Plan::Generated { seed, cases, selection } => {
                let lanes = (cases - index * LANES as u64).min(LANES as u64) as usize;
                let mut batch = Batch::default();
                let pick = |u: &mut arbitrary::Unstructured<'_>| selection.scope.instruction(u);
                let drawn = generate::from_stream((*seed, index), numbers, lanes, bytes, &mut batch, pick);
                Ok((drawn.map_err(|error| generate::undrawn(index, error))?, batch))
            }
            Plan::Suites(cases) => Ok(cases[index as usize].clone()),
        }
    }

    /// Modes that nobody knows.
    fn not_generated(&self) -> &[String] {
        match self {
            Plan::Generated { selection, .. } => &selection.unsupported,
            Plan::Suites(_) => &[],
        }
    }
}

/// The cases of suites, each once.
fn cases(context: &Context, paths: &[PathBuf]) -> Result<Vec<(Instruction, Batch)>, Failure> {
    let mut seen = HashSet::new();
    let mut cases = Vec::new();
    for file in suites(paths)? {
        for case in &file.suite.cases {
            let (instruction, batch) = case.batch(&context.numbers)?;
            if seen.insert((batch.word(), batch.lane(0).collect::<Vec<_>>())) {
                cases.push((instruction, batch));
            }
        }
    }
    match cases.is_empty() {
        true => Err(Failure::input("the suites of --vectors hold no case")),
        false => Ok(cases),
    }
}

impl Capture {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        if self.out.exists() && !self.overwrite {
            let out = self.out.display();
            return Err(Failure::input(format!("{out} exists; choose another --out, or add --overwrite")));
        }
        let header = Header {
            tools: [("assay".to_owned(), env!("CARGO_PKG_VERSION").to_owned())].into(),
            date: date()?,
            command: std::env::args().collect(),
            numbers: fingerprint(&context.numbers),
            ..self.who()?
        };
        let plan = self.plan(context)?;
        let mut writer = Writer::create(&self.out, header)?;
        let started = Instant::now();
        let mut unsupported = 0;
        let mut progress = Progress::new("cases", Some(plan.cases()));
        let mut done = 0;
        for first in (0..plan.batches()).step_by(AT_ONCE as usize) {
            if STOP.load(Ordering::Relaxed) {
                output::say("interrupted; nothing is kept, for a trace has its name when it is whole");
                return Ok(Status::Interrupted);
            }
            for executed in self.execute(context, &plan, first..plan.batches().min(first + AT_ONCE))? {
                let Executed { instruction, batch, effects, answer } = executed;
                done += batch.len() as u64;
                match answer {
                    Answer::Known => {
                        let ptx = self.ptx(&instruction);
                        writer.record(&instruction, ptx.as_deref(), &batch, &effects)?;
                    }
                    Answer::Unsupported => unsupported += batch.len(),
                }
            }
            progress.at(done, 0);
        }
        progress.finish();
        let header = writer.finish()?;
        let seconds = started.elapsed().as_secs_f64();
        self.print(context, &header, unsupported, plan.not_generated(), seconds)?;
        Ok(Status::of(header.cases > 0))
    }

    /// What is to be executed.
    fn plan(&self, context: &Context) -> Result<Plan, Failure> {
        if !self.vectors.is_empty() {
            return Ok(Plan::Suites(cases(context, &self.vectors)?));
        }
        let subject = || context.subject(&self.subject);
        let oracle = || context.oracle(None);
        let selection = select(&parties(context, &subject, &oracle), &self.only)?;
        match selection.scope.is_empty() {
            true => Err(assay_engine::run::campaign::CampaignError::EmptyScope.into()),
            false => Ok(Plan::Generated { seed: self.seed, cases: self.cases, selection }),
        }
    }

    /// The header's fields about the voice that is recorded.
    fn who(&self) -> Result<Header, Failure> {
        let Voice::Cuda(ordinal) = self.subject else {
            let ptx_version = self.is_told_ptx().then(|| ptx::VERSION.to_owned());
            return Ok(Header { device: self.subject.to_string(), ptx_version, ..Header::default() });
        };
        let device = Device::get(ordinal).map_err(|error| Failure::harness(error.to_string()))?;
        let Identity { name, compute_capability, driver } = device.identity.clone();
        Ok(Header {
            device: name,
            compute_capability: Some(compute_capability),
            driver: Some(driver),
            ptx_version: Some(ptx::VERSION.to_owned()),
            ..Header::default()
        })
    }

    /// Whether PTX stands for instructions.
    fn is_told_ptx(&self) -> bool {
        matches!(self.subject, Voice::Cuda(_) | Voice::Ptx)
    }

    /// The PTX that stood for an instruction.
    fn ptx(&self, instruction: &Instruction) -> Option<String> {
        self.is_told_ptx().then(|| ptx::lower(instruction).ok()).flatten().map(|lowering| lowering.text())
    }

    /// Executes batches of the plan on all threads.
    fn execute(
        &self,
        context: &Context,
        plan: &Plan,
        batches: std::ops::Range<u64>,
    ) -> Result<Vec<Executed>, VoiceError> {
        let worker = || (context.subject(&self.subject), Vec::new());
        let execute = |(subject, bytes): &mut (Box<dyn Subject>, Vec<u8>), index: u64| {
            let (instruction, batch) = plan.batch(index, &context.numbers, bytes)?;
            let mut effects = Effects::default();
            let executed = subject.execute(&batch, &mut effects);
            let answer = match plan {
                Plan::Generated { .. } => executed?,
                Plan::Suites(_) => answered(executed)?,
            };
            Ok(Executed { instruction, batch, effects, answer })
        };
        batches.into_par_iter().map_init(worker, execute).collect()
    }

    fn print(
        &self,
        context: &Context,
        header: &Header,
        unsupported: usize,
        not_generated: &[String],
        seconds: f64,
    ) -> Result<(), Failure> {
        let bytes = size(&self.out)?;
        if context.json {
            return output::print_json(&json!({
                "out": self.out,
                "cases": header.cases,
                "unsupported": unsupported,
                "not_generated": not_generated,
                "hash": header.hash,
                "bytes": bytes,
                "seconds": rounded(seconds, 3),
            }));
        }
        let (cases, out) = (header.cases, self.out.display());
        let each = bytes as f64 / cases.max(1) as f64;
        let left_out = match unsupported {
            0 => String::new(),
            some => format!("not recorded, {} does not implement them: {some} cases\n", self.subject),
        };
        let left_out = match not_generated {
            [] => left_out,
            modes => left_out + &format!("not generated, no voice for: {}\n", modes.join(" ")),
        };
        output::print(&format!(
            "{left_out}{cases} cases of {} in {seconds:.1} s, {each:.1} bytes each: {out}\nhash {}\n",
            self.subject, header.hash
        ))
    }
}

fn size(path: &Path) -> Result<u64, Failure> {
    let read = std::fs::metadata(path).map_err(|e| Failure::harness(format!("{}: {e}", path.display())))?;
    Ok(read.len())
}

/// The time of recording.
fn date() -> Result<String, Failure> {
    let now = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => {
            text.parse().ok().and_then(|seconds| chrono::DateTime::from_timestamp(seconds, 0)).ok_or_else(
                || Failure::input(format!("SOURCE_DATE_EPOCH is `{text}`; write seconds since 1970")),
            )?
        }
        Err(_) => std::time::SystemTime::now().into(),
    };
    Ok(now.to_rfc3339_opts(chrono::SecondsFormat::Secs, true))
}
