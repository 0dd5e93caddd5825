//! Writes generated or recorded cases, with the oracle's expectations.

use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use arbitrary::Unstructured;
use assay_engine::compare::comparator::PRECISION;
use assay_engine::compare::judge::allowed::Expectation;
use assay_engine::generate::{self, BatchPlan, Scope};
use assay_engine::run::CampaignError;
use assay_files::Staged;
use assay_isa::shown::plural;
use assay_isa::{Answer, Batch, Instruction, Oracle, Truths, asm};
use assay_records::Shard;
use assay_runner::folder::destination;
use assay_runner::selection::select;
use assay_runner::subjects::SubjectName;
use assay_runner::{Context, RunError};
use assay_vectors::InstructionParts;
use rayon::prelude::*;

use crate::dialect::{Dialect, Posed};
use crate::digest::CasesDigest;
use crate::forms::Form;
use crate::head::Head;
use crate::recorded::Recorded;
use crate::testfloat::named;

/// Number of batches whose texts are made in parallel. Then the texts are written in order.
const AT_ONCE: u64 = 32;

/// Cases to write.
#[derive(Clone, Debug)]
pub struct WriteRequest {
    /// The form of the cases.
    pub form: Form,
    /// Patterns of optypes, forms or functions. Empty means everything.
    pub only: Vec<String>,
    /// One instruction, as assembler text or a function of TestFloat.
    pub instruction: Option<String>,
    /// Names or paths of suites. If there are any, their cases are written instead of generated
    /// cases.
    pub suites: Vec<String>,
    /// Number of generated cases, counted over all shards.
    pub cases: u64,
    /// Seed of the generator.
    pub seed: u64,
    /// The shard to write.
    pub shard: Shard,
    /// Whether the expectation of each case is written.
    pub expects: bool,
    /// Whether JSON lines have the parts of the instruction.
    pub has_parts: bool,
    /// Whether to write a head with the number of cases and their origin.
    pub has_head: bool,
    /// The file to write. None means the stream.
    pub out: Option<PathBuf>,
    /// Whether an existing file is replaced.
    pub overwrite: bool,
}

/// How the writing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All cases were written.
    Whole,
    /// The reader closed the stream.
    Enough,
    /// The user stopped the command.
    Interrupted,
}

/// The outcome of writing.
pub struct WrittenCases {
    /// Numbers of written cases.
    pub counts: Counts,
    /// The digest of the cases.
    pub digest: CasesDigest,
    /// Number of cases in the shard. An ending other than `Whole` leaves some unwritten.
    pub planned: u64,
    /// Functions with modes that an implementation lacks.
    pub not_generated: Vec<String>,
    /// Duration in seconds.
    pub seconds: f64,
    /// How it ended.
    pub ending: Ending,
}

/// The counts of written cases.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    /// Number of all cases.
    pub cases: u64,
    /// Number of cases that the specification leaves undefined.
    pub undefined: u64,
    /// Number of cases without a written expectation: too many values are allowed, no bound
    /// applies, or the oracle knows no result.
    pub unlisted: u64,
}

/// The origin of the cases.
struct Origin {
    source: CaseSource,
    /// The only instruction of the cases, if the request or the form demands a single instruction.
    one: Option<Instruction>,
    /// How the cases are divided into batches.
    plan: BatchPlan,
    /// Functions with modes that an implementation lacks.
    unsupported: Vec<String>,
}

/// The source of the cases.
enum CaseSource {
    /// Generated cases of these modes.
    Scope(Scope),
    /// Generated cases of one instruction.
    One(Instruction),
    /// Recorded cases.
    Recorded(Vec<(Instruction, Batch)>),
}

impl WriteRequest {
    /// Writes the cases to the file, or to `stream` if there is no file.
    pub fn write(&self, context: &Context, stream: &mut dyn Write) -> Result<WrittenCases, RunError> {
        let origin = self.origin(context)?;
        let dialect = self.form.dialect(context, origin.one.as_ref())?;
        let batches = origin.plan.batches().saturating_sub(self.shard.index).div_ceil(self.shard.of);
        let planned = self.shard.cases(origin.plan);
        if planned == 0 {
            let Shard { index, of } = self.shard;
            let lanes = origin.plan.lanes();
            let message =
                format!("shard {index}/{of} has no case: a batch of {lanes} is of one shard; raise --cases");
            return Err(RunError::input(message));
        }
        let mut out = CaseOutput::open(self.out.as_deref(), self.overwrite, stream)?;
        let digest = self.digest(context, &origin, batches)?;
        if self.has_head {
            let head = Head::new(context, planned, origin.one.as_ref().map(asm::print), self.shard, digest);
            out.write(&dialect.head(&head))?;
        }
        let started = Instant::now();
        let mut counts = Counts::default();
        let mut ending = Ending::Whole;
        'batches: for first in (0..batches).step_by(AT_ONCE as usize) {
            if context.reporter.is_stopped() {
                ending = Ending::Interrupted;
                break;
            }
            let some = first..batches.min(first + AT_ONCE);
            for (text, part) in self.texts(context, &origin, &*dialect, some)? {
                counts.cases += part.cases;
                counts.undefined += part.undefined;
                counts.unlisted += part.unlisted;
                if !out.write(&text)? {
                    ending = Ending::Enough;
                    break 'batches;
                }
            }
        }
        if ending == Ending::Whole {
            out.finish()?;
        }
        let seconds = started.elapsed().as_secs_f64();
        Ok(WrittenCases { counts, digest, planned, not_generated: origin.unsupported, seconds, ending })
    }

    /// Returns the digest of all cases. The head precedes the cases, so the cases are generated
    /// once more for their digest.
    fn digest(&self, context: &Context, origin: &Origin, batches: u64) -> Result<CasesDigest, RunError> {
        let add = |(mut digest, mut bytes, mut batch): (CasesDigest, Vec<u8>, Batch), nth: u64| {
            if !context.reporter.is_stopped() {
                let instruction =
                    self.case(context, origin, self.shard.batch(nth), (&mut bytes, &mut batch))?;
                digest.add(&instruction, &batch);
            }
            Ok::<_, RunError>((digest, bytes, batch))
        };
        let parts = (0..batches).into_par_iter().try_fold(Default::default, add);
        let digest = parts.map(|part| part.map(|(digest, ..)| digest));
        digest.try_reduce(CasesDigest::default, |mut a, b| {
            a.merge(b);
            Ok(a)
        })
    }

    /// Generates the cases of a batch, or copies a recorded case. Returns their instruction.
    fn case(
        &self,
        context: &Context,
        origin: &Origin,
        index: u64,
        (bytes, batch): (&mut Vec<u8>, &mut Batch),
    ) -> Result<Instruction, RunError> {
        let lanes = origin.plan.lanes_of(index) as usize;
        let mut drawn = |pick: &dyn Fn(&mut Unstructured<'_>) -> arbitrary::Result<Instruction>| {
            generate::from_stream((self.seed, index), &context.numbers, lanes, bytes, batch, pick)
                .map_err(|error| generate::undrawn(index, error))
        };
        Ok(match &origin.source {
            CaseSource::Scope(scope) => drawn(&|u| scope.instruction(u))?,
            CaseSource::One(one) => drawn(&|_| Ok(one.clone()))?,
            CaseSource::Recorded(cases) => {
                let (instruction, recorded) = &cases[index as usize];
                batch.clone_from(recorded);
                instruction.clone()
            }
        })
    }

    fn origin(&self, context: &Context) -> Result<Origin, RunError> {
        let one = self.instruction.as_deref().map(|text| named(context, text)).transpose()?;
        let plan = BatchPlan::of(self.cases);
        if !self.suites.is_empty() {
            let recorded = Recorded::read(context, &self.suites, &self.only, one.as_ref())?;
            if recorded.left_out > 0 {
                let left_out = recorded.left_out;
                context.reporter.say(&format!(
                    "{} left out: of other readings, skipped, or part of a batch",
                    plural(left_out, "case is", "cases are")
                ));
            }
            let one = if self.form.has_one_instruction() {
                Some(recorded.instruction(self.form.name())?.clone())
            } else {
                one
            };
            let plan = BatchPlan::singles(recorded.cases.len() as u64);
            return Ok(Origin {
                source: CaseSource::Recorded(recorded.cases),
                one,
                plan,
                unsupported: Vec::new(),
            });
        }
        if let Some(one) = one {
            let source = CaseSource::One(one.clone());
            return Ok(Origin { source, one: Some(one), plan, unsupported: Vec::new() });
        }
        let selection = select(&context.setup(&SubjectName::MODEL, None).compared(), &self.only)?;
        if selection.scope.is_empty() {
            return Err(CampaignError::EmptyScope.into());
        }
        let source = CaseSource::Scope(selection.scope);
        Ok(Origin { source, one: None, plan, unsupported: selection.unsupported })
    }

    /// Returns the text of each batch in a range, with its counts.
    fn texts(
        &self,
        context: &Context,
        origin: &Origin,
        dialect: &dyn Dialect,
        batches: Range<u64>,
    ) -> Result<Vec<(String, Counts)>, RunError> {
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
}

/// The oracle and the buffers of one thread.
struct Worker<'a> {
    context: &'a Context,
    dialect: &'a dyn Dialect,
    oracle: Box<dyn Oracle>,
    truths: Truths,
    bytes: Vec<u8>,
    batch: Batch,
}

impl Worker<'_> {
    fn text(
        &mut self,
        request: &WriteRequest,
        origin: &Origin,
        index: u64,
    ) -> Result<(String, Counts), RunError> {
        let Worker { context, dialect, oracle, truths, bytes, batch } = self;
        let lanes = origin.plan.lanes_of(index) as usize;
        let instruction = request.case(context, origin, index, (bytes, batch))?;
        let contract = context.profile.contract_for(&instruction);
        let expects = request.expects;
        let known = expects && oracle.truth(&instruction, batch, PRECISION, truths)? == Answer::Known;
        let has_parts = request.has_parts && request.form == Form::Jsonl;
        let parts = has_parts.then(|| InstructionParts::of(&instruction).to_json());
        let (mut text, mut counts) = (String::new(), Counts { cases: lanes as u64, ..Counts::default() });
        for lane in 0..lanes {
            let expected = expects.then(|| {
                if known { Expectation::of(&contract, truths, lane) } else { Expectation::Unlisted }
            });
            match &expected {
                Some(Expectation::Undefined(_)) => counts.undefined += 1,
                Some(Expectation::Unlisted) => counts.unlisted += 1,
                Some(Expectation::Effect(..)) | None => {}
            }
            let index = origin.plan.first_of(index) + lane as u64;
            let parts = parts.as_deref();
            let case = Posed { instruction: &instruction, parts, batch, lane, index, expected };
            dialect.write(&case, &mut text)?;
        }
        Ok((text, counts))
    }
}

/// The destination of cases: a stream, or a file that is renamed to its path when complete.
enum CaseOutput<'a> {
    File(BufWriter<Staged>),
    Stream(&'a mut dyn Write),
}

impl<'a> CaseOutput<'a> {
    fn open(
        path: Option<&Path>,
        overwrite: bool,
        stream: &'a mut dyn Write,
    ) -> Result<CaseOutput<'a>, RunError> {
        let Some(path) = path else { return Ok(CaseOutput::Stream(stream)) };
        if destination::is_taken(path, &[] as &[&Path])? && !overwrite {
            let path = path.display();
            return Err(RunError::input(format!("{path} exists; choose another --out, or add --overwrite")));
        }
        let file = Staged::create(path)
            .map_err(|e| RunError::input(format!("{}: cannot be written: {e}", path.display())))?;
        Ok(CaseOutput::File(BufWriter::new(file)))
    }

    /// Writes a text. Returns whether the reader still has the stream open.
    fn write(&mut self, text: &str) -> Result<bool, RunError> {
        let (written, name) = match self {
            CaseOutput::File(file) => {
                (file.write_all(text.as_bytes()), file.get_ref().path().display().to_string())
            }
            CaseOutput::Stream(stdout) => {
                (stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()), "stdout".to_owned())
            }
        };
        match written {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(e) => Err(RunError::harness(format!("{name}: {e}"))),
        }
    }

    fn finish(self) -> Result<(), RunError> {
        let CaseOutput::File(writer) = self else { return Ok(()) };
        let path = writer.get_ref().path().to_owned();
        let staged = writer.into_inner().map_err(io::IntoInnerError::into_error);
        let put = staged.and_then(|staged| {
            staged.sync()?;
            staged.put()
        });
        put.map_err(|e| RunError::harness(format!("{}: {e}", path.display())))
    }
}
