//! `assay eval`: shows the effects of an instruction on given values in every implementation.

use std::io::BufRead;

use assay_engine::compare::shown_value::show;
use assay_isa::{Instruction, shown};
use assay_runner::inspect::blame::Blame;
use assay_runner::inspect::explained::{admitted, explain};
use assay_runner::inspect::inspector::{CaseAnswer, Inspector, Judgement};
use assay_runner::inspect::output::{ActualOutput, EvalError, EvalLine, EvalOutput};
use assay_runner::inspect::pose::{answered, posed, posed_line};
use assay_vectors::{ErrorKind, VectorError};
use clap::Args;
use rayon::prelude::*;

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::implementations::{SubjectName, parse_implementation};
use crate::interrupt::STOP;
use crate::output;
use crate::program::RunCommand;

/// Evaluate an instruction on given values in every implementation.
///
/// A value is a bit pattern, such as 0x3f800000, or a number. A float operand takes numbers such as
/// 1.5, -0, 0x1.8p0, inf or nan, and an integer operand takes numbers such as -1. A decimal integer
/// without a sign is a bit pattern too, even for a float operand. The value of a predicate is true
/// or false. Every location that the instruction reads needs a value.
///
/// --actual, such as --actual R0=1.5 P0=true, judges the answer of a simulator and explains the
/// verdict. The inputs must come before --actual.
///
/// The exit status is 1 if an answer is wrong, or if the judged implementation or the oracle does
/// not support the instruction.
///
/// --stdin reads one JSON object on each line, such as {"asm": "FADD.FTZ R0, R1, R2", "inputs":
/// {"R1": "0x3f800000", "R2": "0x00000001"}}, and writes one line for each object, in order. For a
/// bad line, the command writes {"line", "error"} and continues. The exit status is then 2.
#[derive(Args)]
pub struct Eval {
    /// Assembler text, or an encoded word as 0x and up to 32 hexadecimal digits.
    #[arg(required_unless_present = "stdin", conflicts_with = "stdin")]
    instruction: Option<String>,
    /// Values of the locations that the instruction reads.
    #[arg(value_name = "LOC=VALUE", conflicts_with = "stdin")]
    inputs: Vec<String>,
    /// Read JSON lines from standard input.
    #[arg(long)]
    stdin: bool,
    /// The answer of a device, to be judged: each location that it wrote, with the value, or
    /// 'nothing'. An event is fault=NAME, executed=NAME or failed=NAME.
    #[arg(long, value_name = "LOC=VALUE", num_args = 1.., conflicts_with_all = ["stdin", "subject"])]
    actual: Vec<String>,
    /// The implementation to judge.
    #[arg(long, value_name = "SUBJECT", default_value = "model", value_parser = parse_implementation)]
    subject: SubjectName,
}

/// Number of lines that are evaluated together.
const CHUNK: usize = 1 << 14;

impl RunCommand for Eval {
    const SAVES: bool = true;

    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        if self.stdin { self.bulk(context) } else { self.one(context) }
    }
}

impl Eval {
    fn inspector(&self, context: &Context) -> Inspector {
        Inspector::new(self.subject.clone(), None, &context.numbers, &context.profile)
    }

    fn one(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let text = self.instruction.as_deref().unwrap_or_default();
        let case = posed(context, text, &self.inputs)?;
        let (instruction, batch) =
            case.batch(&context.numbers).map_err(|error| behind_actual(error, &self.actual))?;
        let actual = match &self.actual[..] {
            [] => None,
            texts => Some(answered(context, &instruction, texts)?),
        };
        let mut inspector = match &actual {
            None => self.inspector(context),
            Some(actual) => Inspector::answered(actual, &batch, &context.numbers, &context.profile),
        };
        let judgement = inspector.run(&instruction, &batch)?;
        let contract = inspector.contract(&instruction);
        let admitted = admitted(&inspector, &instruction);
        let status = status(&judgement);
        let has_diverged = judgement.answers.first().is_some_and(|first| first.diverged);
        // The search for the implementation to blame executes the subject once more, so it runs
        // only if its result is printed.
        let explained = if actual.is_some() || has_diverged && !context.json {
            Some((
                explain(&mut inspector, &contract, (&instruction, &batch), &judgement)?,
                Blame::find(
                    context,
                    &context.profile,
                    &mut inspector,
                    None,
                    &instruction,
                    &batch,
                    &judgement,
                )?,
            ))
        } else {
            None
        };
        if context.json {
            let output = EvalOutput::new(&instruction, batch.word(), &context.profile, &judgement);
            match explained {
                None => output::print_output(&output)?,
                Some((explanation, blame)) => {
                    let (judgement, blame) = (output, (&blame).into());
                    output::print_output(&ActualOutput { judgement, explanation, blame })?;
                }
            }
            return Ok(status);
        }
        let mut page = format!(
            "{}\n{:#034x}  profile {}\n",
            assay_isa::asm::print(&instruction),
            batch.word(),
            context.profile.name
        );
        for (location, bits) in batch.lane(0) {
            page += &format!("  {:<14} {}\n", location.to_string(), show(&instruction, location, bits));
        }
        page += &render(&instruction, &judgement);
        page += &bounds(&admitted);
        if let Some((explanation, blame)) = explained {
            page += &format!("{explanation}\n");
            page += &super::replay::blame::text(&blame);
        }
        output::print(&page)?;
        Ok(status)
    }

    fn bulk(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let mut lines = std::io::stdin().lock().split(b'\n');
        let mut status = ExitStatus::Held;
        let mut first = 1;
        loop {
            let chunk: Vec<Vec<u8>> = lines
                .by_ref()
                .take(CHUNK)
                .collect::<Result<_, _>>()
                .map_err(|e| Failure::harness(format!("standard input behind line {first}: {e}")))?;
            if chunk.is_empty() {
                return Ok(status);
            }
            if STOP.load(std::sync::atomic::Ordering::Relaxed) {
                return Ok(ExitStatus::Interrupted);
            }
            let answers: Vec<(String, ExitStatus)> = chunk
                .par_iter()
                .enumerate()
                .map_init(
                    || self.inspector(context),
                    |inspector, (i, line)| answer(inspector, context, line, first + i),
                )
                .collect();
            output::print_json_text(&answers.iter().map(|(text, _)| text.as_str()).collect::<String>())?;
            let worst = answers.iter().map(|(_, s)| *s).max_by_key(|s| *s as u8).unwrap_or(ExitStatus::Held);
            status = if worst as u8 > status as u8 { worst } else { status };
            first += chunk.len();
        }
    }
}

/// Returns the exit status of a judged case. A case that the subject or the oracle does not support
/// does not hold.
fn status(judgement: &Judgement) -> ExitStatus {
    ExitStatus::of(judgement.is_consistent() && judgement.declined_by().is_none())
}

/// Converts an error of a case into a failure. If a missing input stands after `--actual`, the
/// message states that it was read as part of the answer.
fn behind_actual(error: VectorError, actual: &[String]) -> Failure {
    let ErrorKind::MissingInput(location) = *error.kind else { return error.into() };
    let is_of_location =
        |text: &&String| text.split_once('=').is_some_and(|(name, _)| name.parse() == Ok(location));
    match actual.iter().rfind(is_of_location) {
        None => error.into(),
        Some(text) => Failure::input(format!(
            "{location} has no input: `{text}` follows --actual, so it is part of the answer; write the inputs before \
             --actual"
        )),
    }
}

fn answer(inspector: &mut Inspector, context: &Context, line: &[u8], number: usize) -> (String, ExitStatus) {
    let evaluated = posed_line(context, line);
    let outcome = evaluated.and_then(|(instruction, batch)| {
        let judgement = inspector.run(&instruction, &batch).map_err(|e| e.to_string())?;
        let answered = EvalOutput::new(&instruction, batch.word(), &context.profile, &judgement);
        Ok((answered, status(&judgement)))
    });
    let (line, status) = match outcome {
        Ok((answered, status)) => (EvalLine::Answered(Box::new(answered)), status),
        Err(error) => (EvalLine::Refused(EvalError { line: number, error }), ExitStatus::BadInput),
    };
    (output::json_line(&line), status)
}

/// Returns the answers of all implementations as a table.
pub(super) fn render(instruction: &Instruction, judgement: &Judgement) -> String {
    let mut text = String::new();
    for answer in &judgement.answers {
        let said = said(instruction, &answer.answer);
        let verdict = answer.verdict.clone().unwrap_or_else(|| "the truth".into());
        let ulp = answer.error.map_or(String::new(), |error| format!(", {error} ulp"));
        text += &format!("  {:<10} {said}  [{verdict}{ulp}]\n", shown::line(&answer.implementation));
    }
    if let Some(value) = &judgement.value {
        text += &format!("  exactly    {value}\n");
    }
    text
}

/// Returns the bounds by which a case is judged, one on each line.
pub(super) fn bounds(admitted: &[String]) -> String {
    admitted.iter().map(|bound| format!("{bound}\n")).collect()
}

/// Returns an answer in words.
pub(super) fn said(instruction: &Instruction, answer: &CaseAnswer) -> String {
    match answer {
        CaseAnswer::Unsupported => "-".to_owned(),
        CaseAnswer::Undefined(erratum) => format!("undefined by {erratum}"),
        CaseAnswer::Effect(writes, event) => {
            let writes = writes.iter().map(|(l, v)| format!("{l} = {}", show(instruction, *l, *v)));
            let event = event.iter().map(|e| format!("{e:?}"));
            let parts: Vec<String> = writes.chain(event).collect();
            if parts.is_empty() { "writes nothing".into() } else { parts.join("; ") }
        }
    }
}
