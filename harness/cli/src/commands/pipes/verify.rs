//! `assay ver`: answers of a device before the one judge.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use assay_isa::asm;
use clap::Args;
use rayon::prelude::*;

use super::dialect::{Dialect, Line, answer_of};
use super::forms::As;
use super::head::Head;
use super::judged::{Judged, judge};
use super::lines::{Piece, Raw, Source};
use super::testfloat::named;
use crate::commands::selection::parties;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::interrupt::STOP;
use crate::voices::Voice;

/// Judge what a device answered to the cases of `assay gen`.
///
/// Each answer comes with its inputs, so that any order and any part will do. What is judged is the answer against the
/// oracle, under the profile's contracts; an expectation beside it is not looked at. A line that cannot be read is
/// reported with its number, and the rest goes on. Exit status: 1 where an answer diverged, 2 where a line could not be
/// read, or where there are more or fewer cases than the stream promised.
#[derive(Args)]
pub struct Ver {
    /// The form of the answers.
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: As,
    /// The instruction that a stream of testfloat or readmemh is about, as given to `assay gen`.
    #[arg(long, value_name = "TEXT")]
    instruction: Option<String>,
    /// Number of cases that there must be; by default what the stream's head says, if it has one.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cases: Option<u64>,
    /// Divergences and unreadable lines that are shown of each; all are counted.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// The answers; standard input by default, and for -.
    file: Option<PathBuf>,
}

impl Ver {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        let (mut source, suite, heads) = Source::open(self.file.as_deref(), self.form)?;
        let context = match suite.and_then(|suite| suite.profile) {
            Some(profile) => &context.clone().under(&profile)?,
            None => context,
        };
        let one = self.instruction.as_deref().map(|text| named(context, text)).transpose()?;
        let one_text = one.as_ref().map(asm::print);
        let dialect = self.form.dialect(context, one.as_ref())?;
        let (subject, oracle) = (|| context.subject(&Voice::Model), || context.oracle(None));
        let parties = parties(context, &subject, &oracle);
        let mut judged = Judged::new(self.form.unit(), self.limit, self.cases);
        for head in &heads {
            admit(head, context, one_text.as_deref(), &mut judged)?;
        }
        let started = Instant::now();
        let interrupted = loop {
            let pieces = source.next()?;
            if STOP.load(Ordering::Relaxed) {
                break true;
            }
            if pieces.is_empty() {
                break false;
            }
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
            judge(&parties, answers, &mut judged)?;
        };
        judged.seconds = started.elapsed().as_secs_f64();
        judged.print(context)?;
        if interrupted { Ok(Status::Interrupted) } else { judged.status() }
    }
}

/// Takes a head into account: how many cases it promises, and whether it is of these rules and this instruction.
fn admit(head: &Head, context: &Context, one: Option<&str>, judged: &mut Judged) -> Result<(), Failure> {
    head.check(context)?;
    if let (Some(theirs), Some(ours)) = (&head.instruction, one)
        && theirs != ours
    {
        let message = format!("the stream is about `{theirs}`, and --instruction says `{ours}`");
        return Err(Failure::input(message));
    }
    judged.promise(head.cases);
    Ok(())
}

fn read(dialect: &dyn Dialect, context: &Context, piece: Piece) -> Result<Line, String> {
    match piece.raw? {
        Raw::Line(line) => dialect.read(&line),
        Raw::Case(case) => answer_of(*case, context).map(|answer| Line::Answer(Box::new(answer))),
    }
}
