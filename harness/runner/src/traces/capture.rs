//! Records the effects of a subject on generated cases.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use assay_engine::generate::{self, BatchPlan};
use assay_hardware::cuda::{Device, Identity};
use assay_hardware::ptx;
use assay_hardware::trace::{Header, TraceWriter};
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Instruction, Subject};
use rayon::prelude::*;

use crate::cases::suites::suites;
use crate::cases::witness::answered;
use crate::context::Context;
use crate::error::RunError;
use crate::selection::{Selection, select};
use crate::subjects::SubjectName;

/// Number of batches that all threads together execute at once. Then these batches are written in
/// order.
const AT_ONCE: u64 = 128;

/// Cases to record.
#[derive(Clone, Debug)]
pub struct CaptureRequest {
    /// The subject that is recorded.
    pub subject: SubjectName,
    /// The file to write.
    pub out: PathBuf,
    /// Patterns of optypes, forms or functions. Empty selects everything.
    pub only: Vec<String>,
    /// Number of cases.
    pub cases: u64,
    /// Seed of the generator.
    pub seed: u64,
    /// Files or folders of suites. If there are any, their cases are recorded, and no cases are
    /// generated.
    pub vectors: Vec<PathBuf>,
    /// Patterns of optypes, forms or functions that the subject may lack, although `only` selects
    /// them.
    pub undeclared: Vec<String>,
    /// Whether an existing file is replaced.
    pub overwrite: bool,
}

/// The counts of a recording.
pub struct Captured {
    /// The header of the file.
    pub header: Header,
    /// Number of cases that the subject does not implement.
    pub unsupported: usize,
    /// Selected functions with modes that the subject or the oracle lacks.
    pub not_generated: Vec<String>,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Duration in seconds.
    pub seconds: f64,
}

/// A batch that was executed.
struct Executed {
    instruction: Instruction,
    batch: Batch,
    effects: Effects,
    answer: Answer,
}

/// The cases to record, batch by batch.
enum Plan {
    /// The cases of a campaign.
    Generated { seed: u64, cases: u64, selection: Selection },
    /// The cases of suites, one case in each batch.
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
            Plan::Generated { cases, .. } => BatchPlan::of(*cases).batches(),
            Plan::Suites(cases) => cases.len() as u64,
        }
    }

    fn batch(
        &self,
        index: u64,
        numbers: &EncodingTable,
        bytes: &mut Vec<u8>,
    ) -> Result<(Instruction, Batch), BackendError> {
        match self {
            Plan::Generated { seed, cases, selection } => {
                let lanes = BatchPlan::of(*cases).lanes_of(index) as usize;
                let mut batch = Batch::default();
                let pick = |u: &mut arbitrary::Unstructured<'_>| selection.scope.instruction(u);
                let drawn = generate::from_stream((*seed, index), numbers, lanes, bytes, &mut batch, pick);
                Ok((drawn.map_err(|error| generate::undrawn(index, error))?, batch))
            }
            Plan::Suites(cases) => Ok(cases[index as usize].clone()),
        }
    }

    /// Returns the selected functions with modes that the subject or the oracle lacks.
    fn not_generated(&self) -> &[String] {
        match self {
            Plan::Generated { selection, .. } => &selection.unsupported,
            Plan::Suites(_) => &[],
        }
    }
}

/// Reads the cases of suites. Keeps equal cases once.
fn cases(context: &Context, paths: &[PathBuf]) -> Result<Vec<(Instruction, Batch)>, RunError> {
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
    if cases.is_empty() { Err(RunError::input("the suites of --vectors hold no case")) } else { Ok(cases) }
}

impl CaptureRequest {
    /// Records the cases. Returns `None` if the user stopped the recording. Then no trace is left,
    /// because the file gets its name only when it is complete.
    pub fn capture(&self, context: &Context) -> Result<Option<Captured>, RunError> {
        if self.out.exists() && !self.overwrite {
            let out = self.out.display();
            return Err(RunError::input(format!("{out} exists; choose another --out, or add --overwrite")));
        }
        let header = Header {
            tools: [("assay".to_owned(), env!("CARGO_PKG_VERSION").to_owned())].into(),
            date: date()?,
            command: std::env::args().collect(),
            numbers: context.numbers.fingerprint().to_owned(),
            ..self.who()?
        };
        let plan = self.plan(context)?;
        let mut writer = TraceWriter::create(&self.out, header)?;
        let started = Instant::now();
        let mut unsupported = 0;
        let mut progress = context.reporter.begin("cases", Some(plan.cases()));
        let mut done = 0;
        for first in (0..plan.batches()).step_by(AT_ONCE as usize) {
            if context.reporter.is_stopped() {
                return Ok(None);
            }
            for executed in self.execute(context, &plan, first..plan.batches().min(first + AT_ONCE))? {
                let Executed { instruction, batch, effects, answer } = executed;
                done += batch.len() as u64;
                match answer {
                    Answer::Known => {
                        let ptx = self.ptx(&instruction);
                        writer.record(&instruction, ptx.as_deref(), &batch, &effects)?;
                    }
                    Answer::Unsupported => {
                        unsupported += batch.len();
                        writer.decline(&instruction, batch.len());
                    }
                }
            }
            progress.at(done, 0);
        }
        drop(progress);
        let header = writer.finish()?;
        let seconds = started.elapsed().as_secs_f64();
        let not_generated = plan.not_generated().to_vec();
        Ok(Some(Captured { header, unsupported, not_generated, bytes: size(&self.out)?, seconds }))
    }

    /// Selects the cases to execute.
    fn plan(&self, context: &Context) -> Result<Plan, RunError> {
        if !self.vectors.is_empty() {
            return Ok(Plan::Suites(cases(context, &self.vectors)?));
        }
        let selection = select(&context.setup(&self.subject, None).compared(), &self.only)?;
        if selection.scope.is_empty() {
            return Err(assay_engine::run::CampaignError::EmptyScope.into());
        }
        selection.require_drawn(&self.undeclared)?;
        Ok(Plan::Generated { seed: self.seed, cases: self.cases, selection })
    }

    /// Returns a header with the fields that describe the recorded subject.
    fn who(&self) -> Result<Header, RunError> {
        let SubjectName::Cuda(ordinal) = self.subject else {
            let ptx_version = self.subject.runs_lowerings().then(|| ptx::VERSION.to_owned());
            return Ok(Header { device: self.subject.to_string(), ptx_version, ..Header::default() });
        };
        let device = Device::get(ordinal).map_err(|error| RunError::harness(error.to_string()))?;
        let Identity { name, compute_capability, driver } = device.identity.clone();
        Ok(Header {
            device: name,
            compute_capability: Some(compute_capability),
            driver: Some(driver),
            ptx_version: Some(ptx::VERSION.to_owned()),
            ..Header::default()
        })
    }

    /// Returns the PTX that the subject executed for an instruction. `None` if the subject does not
    /// execute PTX.
    fn ptx(&self, instruction: &Instruction) -> Option<String> {
        self.subject
            .runs_lowerings()
            .then(|| ptx::lower(instruction).ok())
            .flatten()
            .map(|lowering| lowering.text())
    }

    /// Executes batches of the plan on all threads.
    fn execute(
        &self,
        context: &Context,
        plan: &Plan,
        batches: std::ops::Range<u64>,
    ) -> Result<Vec<Executed>, BackendError> {
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
}

fn size(path: &Path) -> Result<u64, RunError> {
    let read = std::fs::metadata(path).map_err(|e| RunError::harness(format!("{}: {e}", path.display())))?;
    Ok(read.len())
}

/// Returns the time of the recording: `SOURCE_DATE_EPOCH` if that is set, else the current time.
fn date() -> Result<String, RunError> {
    let now = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => {
            text.parse().ok().and_then(|seconds| chrono::DateTime::from_timestamp(seconds, 0)).ok_or_else(
                || RunError::input(format!("SOURCE_DATE_EPOCH is `{text}`; write seconds since 1970")),
            )?
        }
        Err(_) => std::time::SystemTime::now().into(),
    };
    Ok(now.to_rfc3339_opts(chrono::SecondsFormat::Secs, true))
}
