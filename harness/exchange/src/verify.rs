//! Judges the answers of a device.

use std::path::PathBuf;
use std::time::Instant;

use assay_isa::asm;
use assay_records::RunDemands;
use assay_runner::subjects::SubjectName;
use assay_runner::{Context, RunError, shares};
use rayon::prelude::*;

use crate::dialect::{Dialect, Line, answer_of};
use crate::digest::CasesDigest;
use crate::forms::Form;
use crate::head::Head;
use crate::judged::{JudgedStream, judge, judge_lines};
use crate::lines::{Input, Piece, RawAnswer, Source};
use crate::testfloat::named;

/// Answers to judge.
#[derive(Clone, Debug)]
pub struct VerifyRequest {
    /// The form of the answers.
    pub form: Form,
    /// The instruction of a stream in the form testfloat or readmemh.
    pub instruction: Option<String>,
    /// Number of cases that must arrive. By default the number in the stream's head.
    pub cases: Option<u64>,
    /// Digest of the cases that must arrive. By default the digest in the stream's head.
    pub digest: Option<CasesDigest>,
    /// Whether the digest may be unknown.
    pub allow_incomplete: bool,
    /// The demands of the command line.
    pub demands: RunDemands,
    /// Maximum number of divergences to keep, and of unreadable lines. Further ones are only
    /// counted.
    pub limit: usize,
    /// The file of answers. None and `-` mean standard input.
    pub file: Option<PathBuf>,
}

impl VerifyRequest {
    /// Judges the answers against the oracle.
    pub fn judge(&self, context: &Context) -> Result<JudgedStream, RunError> {
        let (mut source, suite, heads) = Source::open(self.file.as_deref(), self.form)?;
        let context = match suite.and_then(|suite| suite.profile) {
            Some(profile) => &context.under(&profile)?,
            None => context,
        };
        let one = self.instruction.as_deref().map(|text| named(context, text)).transpose()?;
        let one_text = one.as_ref().map(asm::print);
        let dialect = self.form.dialect(context, one.as_ref())?;
        let setup = context.setup(&SubjectName::MODEL, None);
        let compared = setup.compared();
        let promised = (self.cases, self.digest);
        let setting = context.setting(&SubjectName::MODEL, None)?;
        let demands = shares::check(&self.demands, &setting)?;
        let mut judged = JudgedStream::new(self.form.unit(), self.limit, promised, setting);
        judged.allows_incomplete = self.allow_incomplete;
        judged.demands = Some(demands);
        for head in &heads {
            admit(head, context, one_text.as_deref(), &mut judged)?;
        }
        let started = Instant::now();
        let side_by_side = dialect.instruction().is_some();
        loop {
            let input = if side_by_side { source.next_block()? } else { source.next_pieces()? };
            if context.reporter.is_stopped() {
                judged.interrupted = true;
                break;
            }
            let pieces = match input {
                None => break,
                Some(Input::Block(block)) => {
                    judge_lines(&compared, &*dialect, &block, &mut judged)?;
                    continue;
                }
                Some(Input::Pieces(pieces)) => pieces,
            };
            let read = |piece: Piece| (piece.number, read(&*dialect, context, piece));
            let mut answers = Vec::new();
            for (number, line) in pieces.into_par_iter().map(read).collect::<Vec<_>>() {
                match line {
                    Ok(Line::Nothing) => {}
                    Ok(Line::Head(head)) => admit(&head, context, one_text.as_deref(), &mut judged)?,
                    Ok(Line::Answer(answer)) => answers.push((number, *answer)),
                    Err(problem) => judged.unreadable(number, problem),
                }
            }
            judge(&compared, answers, &mut judged)?;
        }
        judged.explain(&context.profile, setup.oracles())?;
        judged.seconds = started.elapsed().as_secs_f64();
        Ok(judged)
    }
}

/// Adds the cases that a head promises. Fails if the head has other rules, or names another
/// instruction.
fn admit(
    head: &Head,
    context: &Context,
    one: Option<&str>,
    judged: &mut JudgedStream,
) -> Result<(), RunError> {
    head.check(context)?;
    if let (Some(theirs), Some(ours)) = (&head.instruction, one)
        && theirs != ours
    {
        let message = format!("the stream is about `{theirs}`, and --instruction is `{ours}`");
        return Err(RunError::input(message));
    }
    judged.promise(head);
    Ok(())
}

fn read(dialect: &dyn Dialect, context: &Context, piece: Piece) -> Result<Line, String> {
    match piece.raw? {
        RawAnswer::Line(line) => dialect.read(&line),
        RawAnswer::Case(case) => answer_of(*case, context).map(|answer| Line::Answer(Box::new(answer))),
    }
}
