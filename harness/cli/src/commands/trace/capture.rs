//! `assay trace capture`: what a subject does on generated cases, recorded.

use std::path::{Path, PathBuf};
use std::time::Instant;

use assay_engine::generate::{self, LANES, Scope};
use assay_hardware::cuda::{Device, Identity};
use assay_hardware::ptx;
use assay_hardware::trace::{Header, Writer};
use assay_isa::{Answer, Batch, Effects, Instruction, Subject, VoiceError};
use clap::Args;
use rayon::prelude::*;
use serde_json::json;
use std::sync::atomic::Ordering;

use crate::commands::fuzz::{parties, select};
use crate::commands::run_record::rounded;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::progress::Progress;
use crate::voices::{Voice, fingerprint};

/// Batches that are executed on all threads before they are written, in their order.
const AT_ONCE: u64 = 128;

/// Record what a subject does on generated cases.
///
/// The cases are those of `assay fuzz` with the same seed and selection. SOURCE_DATE_EPOCH, in seconds since 1970, stands
/// in for the time of recording where a file has to come out the same.
#[derive(Args)]
pub struct Capture {
    /// The voice that is recorded: model, exec:COMMAND, lib:PATH, cuda:N, mutant:FAULT, apfloat, host or core-math.
    #[arg(long, value_name = "SUBJECT")]
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
        let subject = || context.subject(&self.subject);
        let oracle = || context.oracle(None);
        let selection = select(&parties(context, &subject, &oracle), &self.only)?;
        if selection.scope.is_empty() {
            return Err(assay_engine::campaign::CampaignError::EmptyScope.into());
        }
        let mut writer = Writer::create(&self.out, header)?;
        let started = Instant::now();
        let mut unsupported = 0;
        let mut progress = Progress::new("cases", Some(self.cases));
        let batches = self.cases.div_ceil(LANES as u64);
        for first in (0..batches).step_by(AT_ONCE as usize) {
            if STOP.load(Ordering::Relaxed) {
                crate::say("interrupted; nothing is kept, for a trace has its name when it is whole");
                return Ok(Status::Interrupted);
            }
            for executed in self.execute(context, &selection.scope, first..batches.min(first + AT_ONCE))? {
                let Executed { instruction, batch, effects, answer } = executed;
                match answer {
                    Answer::Known => {
                        let ptx = self.ptx(&instruction);
                        writer.record(&instruction, ptx.as_deref(), &batch, &effects)?;
                    }
                    Answer::Unsupported => unsupported += batch.len(),
                }
            }
            progress.at(self.cases.min((first + AT_ONCE) * LANES as u64), 0);
        }
        progress.finish();
        let header = writer.finish()?;
        let seconds = started.elapsed().as_secs_f64();
        self.print(context, &header, unsupported, &selection.unsupported, seconds)?;
        Ok(Status::of(header.cases > 0))
    }

    /// The header's fields about the voice that is recorded.
    fn who(&self) -> Result<Header, Failure> {
        let Voice::Cuda(ordinal) = self.subject else {
            return Ok(Header { device: self.subject.to_string(), ..Header::default() });
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

    /// The PTX that stood for an instruction.
    fn ptx(&self, instruction: &Instruction) -> Option<String> {
        let is_device = matches!(self.subject, Voice::Cuda(_));
        is_device.then(|| ptx::lower(instruction).ok()).flatten().map(|lowering| lowering.text())
    }

    /// Executes batches of the plan on all threads.
    fn execute(
        &self,
        context: &Context,
        scope: &Scope,
        batches: std::ops::Range<u64>,
    ) -> Result<Vec<Executed>, VoiceError> {
        let worker = || (context.subject(&self.subject), Vec::new());
        let execute = |(subject, bytes): &mut (Box<dyn Subject>, Vec<u8>), index: u64| {
            let lanes = (self.cases - index * LANES as u64).min(LANES as u64) as usize;
            let (mut batch, mut effects) = (Batch::default(), Effects::default());
            let pick = |u: &mut arbitrary::Unstructured<'_>| scope.instruction(u);
            let drawn =
                generate::from_stream((self.seed, index), &context.numbers, lanes, bytes, &mut batch, pick);
            let instruction = drawn.map_err(|error| generate::undrawn(index, error))?;
            let answer = subject.execute(&batch, &mut effects)?;
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
            return crate::print_json(&json!({
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
        crate::print(&format!(
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
