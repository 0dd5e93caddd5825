//! `assay ver`: judges the answers of a device.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_engine::compare::judge::allowed::Expectation;
use assay_engine::stats::tally::Counts;
use assay_exchange::digest::CasesDigest;
use assay_exchange::judged::{DivergedAnswer, JudgedStream, UnreadableLines};
use assay_exchange::verdict::StreamVerdict;
use assay_exchange::verify::VerifyRequest;
use assay_isa::shown::plural;
use assay_records::RunDemands;
use assay_records::commands::campaign::Remedy;
use assay_records::commands::exchange::{
    AnswerPlace, ExpectedAnswer, UnreadableAnswer, VerOutput, WrongAnswer,
};
use assay_records::commands::rounded;
use assay_vectors::{Actual, ExpectedEffect, WrittenValue};
use clap::Args;

use super::ExchangeForm;
use crate::commands::demands::RequiredShares;
use crate::commands::findings;
use crate::context::Context;
use crate::count::parse_count;
use crate::failure::{ExitStatus, Failure};
use crate::output;
use crate::program::RunCommand;
use assay_runner::inspect::command::assignment;

/// Judge the answers of a device to the cases of `assay gen`.
///
/// Each answer repeats the inputs of its case, so answers may come in any order, and some may be
/// missing. The oracle judges each answer under the contracts of the profile. An expectation in the
/// answer is ignored. A line that cannot be read is reported with its number, and the command
/// continues.
///
/// The stream's header has a digest of the generated cases. With the digest, the command checks
/// that each of these cases was answered exactly once. Without the digest, a stream is UNVERIFIED.
/// Exit status 1 means that an answer diverged, that too few cases were judged, that the answered
/// cases are not the generated cases, or that the stream is UNVERIFIED. Exit status 2 means that a
/// line could not be read, or that the number of cases differs from the number in the stream's
/// header.
#[derive(Args)]
pub struct Ver {
    /// The format of the answers.
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: ExchangeForm,
    /// The instruction of a testfloat or readmemh stream, as given to `assay gen`.
    #[arg(long, value_name = "TEXT")]
    instruction: Option<String>,
    /// The expected number of cases. The default is the number in the stream's header, if it has
    /// one.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    cases: Option<u64>,
    /// The digest of the generated cases, as `assay gen` reports it. The default is the digest in the
    /// stream's header, if it has one.
    #[arg(long, value_name = "DIGEST")]
    digest: Option<CasesDigest>,
    /// Accept a stream whose digest is unknown. Missing cases and cases that were answered twice
    /// are then not noticed.
    #[arg(long)]
    allow_incomplete: bool,
    #[command(flatten)]
    shares: RequiredShares,
    /// Maximum number of divergences and of unreadable lines to show. All are counted.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// The answers. The default, and `-`, is standard input.
    file: Option<PathBuf>,
}

impl RunCommand for Ver {
    const SAVES: bool = true;

    fn run(&self, context: &Context) -> Result<ExitStatus, Failure> {
        let request = VerifyRequest {
            form: self.form.into(),
            instruction: self.instruction.clone(),
            cases: self.cases,
            digest: self.digest,
            allow_incomplete: self.allow_incomplete,
            demands: self.shares.lowered(),
            limit: self.limit,
            file: self.file.clone(),
        };
        let judged = request.judge(context)?;
        let verdict = judged.verdict();
        print(context, &judged, &verdict, self.shares.lowered())?;
        status(&judged, &verdict)
    }
}

/// Returns the exit status of the command. Fails if the number of cases is wrong.
fn status(judged: &JudgedStream, verdict: &StreamVerdict) -> Result<ExitStatus, Failure> {
    if judged.interrupted {
        return Ok(ExitStatus::Interrupted);
    }
    if let Some(problem) = judged.misfit() {
        return Err(Failure::input(problem));
    }
    verdict.reasons.iter().for_each(output::say);
    Ok(if judged.unreadable > 0 { ExitStatus::BadInput } else { verdict.word.into() })
}

/// Prints the judged stream and its verdict.
fn print(
    context: &Context,
    judged: &JudgedStream,
    verdict: &StreamVerdict,
    demands: RunDemands,
) -> Result<(), Failure> {
    let JudgedStream { unit, tally, setting, .. } = judged;
    let rate = tally.cases as f64 / judged.seconds;
    if context.json {
        let problem = |lines: &UnreadableLines| {
            let error = lines.error.clone();
            let of_line = move |number: &u64| (*number, error.clone());
            lines.first.iter().map(of_line).collect::<Vec<_>>()
        };
        let problems: BTreeMap<u64, String> = judged.problems.iter().flat_map(problem).collect();
        let problem = |(number, error)| UnreadableAnswer { place: place(unit, number), error };
        return output::print_output(&VerOutput {
            verdict: verdict.word,
            reasons: verdict.reasons.clone(),
            allow_incomplete: judged.allows_incomplete,
            demands,
            looser: setting.looser.clone(),
            cases: tally.cases,
            promised: judged.promised,
            digest: judged.digest.to_string(),
            expected_digest: judged.expected_digest.map(|digest| digest.to_string()),
            verdicts: tally.verdicts,
            divergences: tally.verdicts.diverged,
            undefined: tally.undefined.clone(),
            forms: tally.forms.clone(),
            judged: judged.shares().into(),
            unreadable: judged.unreadable,
            problems: problems.into_iter().map(problem).collect(),
            wrong: judged.wrong.iter().map(|wrong| wrong_answer(wrong, unit)).collect(),
            otherwise: judged.otherwise.as_ref().map(Remedy::from),
            profile: setting.profile.clone(),
            seconds: rounded(judged.seconds, 3),
            cases_per_second: rate.round(),
        });
    }
    let mut page = findings::remedy(judged.otherwise.as_ref());
    page.extend(judged.problems.iter().map(|lines| unreadable_text(lines, unit)));
    page.extend(judged.wrong.iter().map(|wrong| wrong_text(context, wrong, unit)));
    let Counts { exact, within, diverged, undefined, unjudged, unsupported, undeclared, .. } = tally.verdicts;
    let unsupported = unsupported + undeclared;
    if diverged > judged.wrong.len() as u64 {
        page += &format!(
            "and {} more\n",
            plural(diverged - judged.wrong.len() as u64, "divergence", "divergences")
        );
    }
    page += &format!(
        "{}: {exact} exact, {within} within, {diverged} diverged, {undefined} undefined, \
         {unjudged} unjudged, {unsupported} unsupported; {} unreadable; {:.1} s, {:.2} million a second\n",
        plural(tally.cases, "case", "cases"),
        judged.unreadable,
        judged.seconds,
        rate / 1e6
    );
    output::print(&page)?;
    output::print_word(verdict.word, &(verdict.sentence() + &assay_reports::lowered(setting, Some(&demands))))
}

/// Greatest number of line numbers in a message about unreadable lines.
const NUMBERS: usize = 5;

/// Returns one message for all lines with the same error.
fn unreadable_text(lines: &UnreadableLines, unit: &str) -> String {
    let UnreadableLines { error, count, first } = lines;
    let shown: Vec<String> = first.iter().take(NUMBERS).map(u64::to_string).collect();
    let units = if *count == 1 { unit.to_owned() } else { format!("{unit}s") };
    let more = match count - shown.len() as u64 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{units} {}{more}: {error}\n", shown.join(", "))
}

fn verdict_text(wrong: &DivergedAnswer) -> String {
    let ulp = wrong.divergence.error.map_or(String::new(), |error| format!(", {error} ulp"));
    format!("diverged: {}{ulp}", wrong.divergence.kind.name())
}

fn place(unit: &str, number: u64) -> AnswerPlace {
    if unit == "case" { AnswerPlace::Case(number) } else { AnswerPlace::Line(number) }
}

fn wrong_answer(wrong: &DivergedAnswer, unit: &str) -> WrongAnswer {
    let expected = match &wrong.expected {
        Expectation::Effect(expected, event) => {
            Some(ExpectedAnswer::Effect(ExpectedEffect { expect: expected.clone(), event: *event }))
        }
        Expectation::Undefined(erratum) => Some(ExpectedAnswer::Undefined { undefined: erratum.to_string() }),
        Expectation::Unlisted => None,
    };
    let inputs = wrong
        .inputs
        .iter()
        .map(|(location, value)| (location.to_string(), WrittenValue::at(*location, *value)));
    WrongAnswer {
        place: place(unit, wrong.number),
        asm: wrong.asm.clone(),
        inputs: inputs.collect(),
        actual: wrong.actual.clone(),
        expected,
        verdict: verdict_text(wrong),
    }
}

/// Returns the command that judges an answer again and explains the verdict.
fn explaining_command(context: &Context, wrong: &DivergedAnswer) -> String {
    let mut words = vec!["assay".to_owned(), "eval".to_owned(), wrong.asm.clone()];
    words.extend(wrong.inputs.iter().map(|(location, bits)| assignment(*location, *bits)));
    // `eval --actual` has no syntax for the answers `undefined` and `unsupported`.
    if let Actual::Did { writes, event } = &wrong.actual {
        words.push("--actual".to_owned());
        let event = event.iter().map(|event| event.to_string().replacen(": ", "=", 1));
        let effects: Vec<String> =
            writes.0.iter().map(|(l, bits)| assignment(*l, *bits)).chain(event).collect();
        words.extend(if effects.is_empty() { vec!["nothing".to_owned()] } else { effects });
    }
    if context.profile_is_given {
        words.extend(["--profile".to_owned(), context.profile_name.clone()]);
    }
    for (erratum, setting) in context.overrides.iter() {
        words.extend(["--reading".to_owned(), format!("{erratum}={setting}")]);
    }
    shell_words::join(words)
}

fn wrong_text(context: &Context, wrong: &DivergedAnswer, unit: &str) -> String {
    let expected = match &wrong.expected {
        Expectation::Effect(expected, event) => {
            let writes = expected.iter().map(|(location, allowed)| format!("{location} = {allowed}"));
            let parts: Vec<_> = writes.chain(event.iter().map(|event| format!("{event:?}"))).collect();
            if parts.is_empty() { "nothing is written".into() } else { parts.join("; ") }
        }
        Expectation::Undefined(erratum) => format!("undefined by {erratum}"),
        Expectation::Unlisted => "more values than can be listed".into(),
    };
    format!(
        "{unit} {}: {}\n  answer    {}\n  expected  {expected}\n  explain   {}\n",
        wrong.number,
        verdict_text(wrong),
        serde_json::to_string(&wrong.actual).unwrap_or_default(),
        explaining_command(context, wrong)
    )
}
