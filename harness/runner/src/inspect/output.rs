//! The JSON output of `eval` and `replay`.

use assay_engine::compare::judge::real::Error;
use assay_isa::{Instruction, asm};
use assay_records::commands::ByName;
use assay_vectors::{Case, Finding, Profile};
use schemars::JsonSchema;
use serde::Serialize;

use super::blame::Blame;
use super::explained::bound;
use super::inspector::{CaseAnswer, Exact, Judgement};
use super::participants::Participants;
use super::replay::Replayed;
use super::values::errata;

/// The answers of all implementations to a case. The output of `assay eval`, and of `assay eval
/// --stdin` for each line. Exit status 1 if any implementation diverged.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EvalOutput {
    /// The canonical assembler text.
    pub asm: String,
    /// The encoded instruction, `0x` and 32 digits.
    pub word: String,
    /// Name of the profile.
    pub profile: String,
    /// The answer of each implementation, the subject first and the oracle last.
    pub answers: ByName<CaseAnswer>,
    /// The verdict on the subject: `exact`, `within`, `unjudged`, `diverged: KIND`, `undefined
    /// (E177)` or `unsupported`.
    pub verdict: String,
    /// The verdict on each implementation except the oracle.
    pub verdicts: ByName<String>,
    /// The settings of the readings that affect the optype, such as `E036=2`.
    pub errata: Vec<String>,
    /// The contract of the answers, such as `exact` or `2 ulp`.
    pub bound: String,
    /// The true value, if it is a real number.
    #[serde(flatten)]
    pub real: Option<RealTruth>,
}

/// The output of `assay eval --actual`. Exit status 1 if the answer, or an implementation, diverged.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ActualOutput {
    /// The answers, the given answer first, with the name `actual`.
    #[serde(flatten)]
    pub judgement: EvalOutput,
    /// Why the answer is right or wrong, in a sentence.
    pub explanation: String,
    /// Which implementations agree with the answer, and the settings of errata under which the
    /// answer is right.
    pub blame: BlameOutput,
}

/// A true value that is a real number.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RealTruth {
    /// The true value in decimal, with 25 digits. Present if the true value is a real number.
    pub value: String,
    /// The signed error of each implementation in ulp. Present beside `value`.
    pub ulp: ByName<f64>,
}

/// A line that `assay eval --stdin` cannot read. Exit status 2.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EvalError {
    /// Number of the line, counted from 1.
    pub line: usize,
    /// The error.
    pub error: String,
}

/// The output of `assay eval --stdin` for a line.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum EvalLine {
    /// The line is a case.
    Answered(Box<EvalOutput>),
    /// The line is not a case.
    Refused(EvalError),
}

impl EvalOutput {
    /// Returns the output for the judgement of a case.
    pub fn new(
        instruction: &Instruction,
        word: u128,
        profile: &Profile,
        judgement: &Judgement,
    ) -> EvalOutput {
        let answers = || judgement.answers.iter();
        let verdicts = answers().filter_map(|a| Some((a.implementation.clone(), a.verdict.clone()?)));
        let ulp = || answers().filter_map(|a| Some((a.implementation.clone(), a.error?.ulp()))).collect();
        EvalOutput {
            asm: asm::print(instruction),
            word: format!("{word:#034x}"),
            profile: profile.name.clone(),
            answers: answers().map(|a| (a.implementation.clone(), a.answer.clone())).collect(),
            verdict: judgement.verdict().to_owned(),
            verdicts: verdicts.collect(),
            errata: errata(instruction, &profile.readings),
            bound: bound(instruction, &profile.contract_for(instruction)),
            real: judgement.value.clone().map(|value| RealTruth { value, ulp: ulp() }),
        }
    }
}

/// The output of `assay replay`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplayOutput {
    /// The cases of the file.
    pub cases: Vec<ReplayedCase>,
    /// Whether every case was executed without a problem: no implementation diverged, no
    /// expectation contradicts the oracle, and no transient effect of a finding showed again.
    pub held: bool,
}

/// A replayed case.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplayedCase {
    /// The answers of all implementations.
    #[serde(flatten)]
    pub judgement: EvalOutput,
    /// Name of the case.
    pub name: String,
    /// The subject whose answer is judged.
    pub subject: String,
    /// Subjects that the file names, but that only the command line can start. Absent if there are
    /// none. If present, the exit status is 2, or 1 if `held` is false.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_run: Vec<SubjectNotRun>,
    /// The subject or the oracle, if it does not support the case, so that nothing was compared.
    /// Absent if the case was compared. If present, the exit status is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declined_by: Option<String>,
    /// For each rounded real number, the numbers of the format on either side of it.
    pub neighbours: Vec<NeighbourOutput>,
    /// The analysis of the fault.
    pub blame: BlameOutput,
    /// The circumstance in which the case shows the effect of its finding, such as `only now and
    /// then` or `never again`. Absent if no circumstances were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows: Option<String>,
    /// Why the expectation of the case contradicts the oracle. Absent if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contradiction: Option<String>,
    /// The finding in the file. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Finding>,
    /// The subject that takes the place of the oracle. Absent if the oracle judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The comparison of both subjects with the oracle. Absent if the oracle judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<EvalOutput>,
}

/// A subject that did not run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SubjectNotRun {
    /// The option that runs the subject.
    pub option: &'static str,
    /// Name of the subject.
    pub name: String,
}

/// The numbers of a format on either side of a real number.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NeighbourOutput {
    /// The location to which the result is written.
    pub location: String,
    /// The format.
    pub format: &'static str,
    /// The real number in decimal, with 25 digits.
    pub value: String,
    /// The two numbers, the number nearer to zero first. A single number if the format can
    /// represent the real number exactly.
    pub patterns: Vec<PatternError>,
}

/// A number of a format and its error.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PatternError {
    /// Bits of the number.
    pub bits: String,
    /// The signed error in ulp of the true value.
    pub ulp: f64,
}

/// The fault analysis of a divergence.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BlameOutput {
    /// Which implementation differs from the others, in words. Null if none diverged.
    pub who: Option<String>,
    /// The place of the fault. Null if the subject did not diverge.
    pub fault_in: Option<&'static str>,
    /// What the subject does instead. Null if no simple explanation fits.
    pub instead: Option<InsteadOutput>,
    /// Settings of errata under which the subject is right, such as `E053=1`.
    pub right_under: Vec<String>,
}

/// An explanation of the subject's behaviour, tested on cases around the finding.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InsteadOutput {
    /// The explanation.
    pub what: String,
    /// Number of cases that diverge as the explanation predicts.
    pub explained: usize,
    /// Number of cases that diverge in another way.
    pub unexplained: usize,
    /// Number of cases that pass although the explanation predicts a divergence.
    pub refuted: usize,
    /// Number of cases that diverge although the explanation predicts no difference.
    pub elsewhere: usize,
}

impl ReplayedCase {
    /// Returns the output for a replayed case.
    pub fn new(case: &Case, named: &Participants, replayed: &Replayed) -> ReplayedCase {
        let Replayed {
            instruction,
            batch,
            profile,
            subject,
            judgement,
            truth,
            reals,
            admitted: _,
            again,
            contradiction,
            blame,
        } = replayed;
        let judged = |judgement: &Judgement| EvalOutput::new(instruction, batch.word(), profile, judgement);
        let left_out = named.left_out.iter();
        ReplayedCase {
            judgement: judged(judgement),
            name: case.name.clone(),
            subject: subject.clone(),
            not_run: left_out.map(|it| SubjectNotRun { option: it.option, name: it.name.clone() }).collect(),
            declined_by: replayed.declined_by().map(str::to_owned),
            neighbours: reals.iter().map(NeighbourOutput::from).collect(),
            blame: blame.into(),
            shows: again.as_ref().map(ToString::to_string),
            contradiction: contradiction.clone(),
            found: case.finding.clone(),
            against: truth.as_ref().map(|(opinion, _)| opinion.clone()),
            truth: truth.as_ref().map(|(_, truth)| judged(truth)),
        }
    }
}

impl From<&Exact> for NeighbourOutput {
    fn from(exact: &Exact) -> NeighbourOutput {
        let patterns = exact.neighbours().into_iter();
        let pattern_error =
            |(bits, error): (u32, Error)| PatternError { bits: format!("{bits:#x}"), ulp: error.ulp() };
        NeighbourOutput {
            location: exact.location.to_string(),
            format: exact.format.name,
            value: exact.decimal(),
            patterns: patterns.map(pattern_error).collect(),
        }
    }
}

impl From<&Blame> for BlameOutput {
    fn from(blame: &Blame) -> BlameOutput {
        let instead = blame.instead.as_ref().map(|explanation| InsteadOutput {
            what: explanation.to_string(),
            explained: explanation.evidence.explained,
            unexplained: explanation.evidence.unexplained,
            refuted: explanation.evidence.refuted,
            elsewhere: explanation.evidence.elsewhere,
        });
        let right = blame.right_under.iter().map(|(erratum, setting)| format!("{erratum}={setting}"));
        BlameOutput { who: blame.who.clone(), fault_in: blame.stage, instead, right_under: right.collect() }
    }
}
