//! What `eval` and `replay` print as JSON.

use assay_isa::{Instruction, asm};
use assay_records::commands::ByName;
use assay_vectors::{Case, Finding, Profile};
use schemars::JsonSchema;
use serde::Serialize;

use super::blame::Blame;
use super::inspector::{CaseAnswer, Exact, Judgement};
use super::participants::Participants;
use super::replay::Replayed;
use super::values::errata;

/// A case before all implementations: what `assay eval` prints, and for each line `assay eval --stdin`. Exit status 1
/// if any implementation diverged.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EvalOutput {
    /// The instruction in canonical text.
    pub asm: String,
    /// The encoded instruction, `0x` and 32 digits.
    pub word: String,
    /// The profile in force.
    pub profile: String,
    /// What each implementation answers, the subject first and the oracle last.
    pub answers: ByName<CaseAnswer>,
    /// The verdict on the subject: `exact`, `within`, `unjudged`, `diverged: KIND`, `undefined (E177)` or `unsupported`.
    pub verdict: String,
    /// The verdict on each implementation but the oracle.
    pub verdicts: ByName<String>,
    /// The readings that touch the optype, such as `E036=2`.
    pub errata: Vec<String>,
    /// The truth where it is a real number.
    #[serde(flatten)]
    pub real: Option<RealTruth>,
}

/// A truth that is a real number.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RealTruth {
    /// The number in decimal, 25 digits.
    pub value: String,
    /// The signed error of each implementation that has one, in ulp.
    pub ulp: ByName<f64>,
}

/// A line that `assay eval --stdin` cannot read. Exit status 2.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EvalError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub error: String,
}

/// What `assay eval --stdin` prints of a line.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum EvalLine {
    /// The line is a case.
    Answered(Box<EvalOutput>),
    /// The line is none.
    Refused(EvalError),
}

impl EvalOutput {
    /// Writes down the judgement of a case.
    pub fn new(
        instruction: &Instruction,
        word: u128,
        profile: &Profile,
        judgement: &Judgement,
    ) -> EvalOutput {
        let answers = || judgement.answers.iter();
        let verdicts = answers().filter_map(|a| Some((a.implementation.clone(), a.verdict.clone()?)));
        let ulp = || answers().filter_map(|a| Some((a.implementation.clone(), a.ulp?))).collect();
        EvalOutput {
            asm: asm::print(instruction),
            word: format!("{word:#034x}"),
            profile: profile.name.clone(),
            answers: answers().map(|a| (a.implementation.clone(), a.answer.clone())).collect(),
            verdict: judgement.verdict().to_owned(),
            verdicts: verdicts.collect(),
            errata: errata(instruction, &profile.readings),
            real: judgement.value.clone().map(|value| RealTruth { value, ulp: ulp() }),
        }
    }
}

/// What `assay replay` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplayOutput {
    /// Each case of the file.
    pub cases: Vec<ReplayedCase>,
    /// Whether no implementation diverged in any case, and what was seen once is gone.
    pub held: bool,
}

/// A case that was executed again.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplayedCase {
    /// What all implementations answer.
    #[serde(flatten)]
    pub judgement: EvalOutput,
    /// Name of the case.
    pub name: String,
    /// The subject that executed it.
    pub subject: String,
    /// Subjects that the file names and that a file cannot start; absent where there are none. Exit status 2.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_run: Vec<SubjectNotRun>,
    /// The numbers of the format on either side of each real number that is rounded.
    pub neighbours: Vec<NeighbourOutput>,
    /// Who is to blame.
    pub blame: BlameOutput,
    /// When the case shows what was seen of it; absent where it depends on nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows: Option<String>,
    /// The finding that the file holds; absent where it holds none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Finding>,
    /// The subject in the oracle's place; absent where the oracle judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Both subjects before the oracle; absent where the oracle judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<EvalOutput>,
}

/// A subject that did not run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SubjectNotRun {
    /// The option that runs it.
    pub option: &'static str,
    /// Its name.
    pub name: String,
}

/// The numbers of a format on either side of a real number.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NeighbourOutput {
    /// The location that one of them is written to.
    pub location: String,
    /// The format.
    pub format: &'static str,
    /// The real number in decimal, 25 digits.
    pub value: String,
    /// The numbers, that nearer to zero first.
    pub patterns: Vec<PatternError>,
}

/// A number of a format and its distance from the truth.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PatternError {
    /// Its bits.
    pub bits: String,
    /// The signed error in ulp.
    pub ulp: f64,
}

/// Who is to blame for a divergence.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BlameOutput {
    /// Who stands alone; null if nobody diverged.
    pub who: Option<String>,
    /// Where the fault lies; null if it is not the subject's.
    pub fault_in: Option<&'static str>,
    /// What the subject does instead; null if nothing simple explains it.
    pub instead: Option<InsteadOutput>,
    /// Settings of errata under which the answer of the subject is right, such as `E053=1`.
    pub right_under: Vec<String>,
}

/// What a subject does instead, and in how many cases around this one.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InsteadOutput {
    /// What it does.
    pub what: String,
    /// Cases that diverge as it says.
    pub explained: usize,
    /// Cases that diverge in another way.
    pub unexplained: usize,
    /// Cases in which it would show, and that hold.
    pub refuted: usize,
    /// Cases that diverge where it changes nothing.
    pub elsewhere: usize,
}

impl ReplayedCase {
    /// Writes down what came of a case.
    pub fn new(case: &Case, named: &Participants, replayed: &Replayed) -> ReplayedCase {
        let Replayed { instruction, batch, profile, subject, judgement, truth, reals, again, blame } =
            replayed;
        let judged = |judgement: &Judgement| EvalOutput::new(instruction, batch.word(), profile, judgement);
        let left_out = named.left_out.iter();
        ReplayedCase {
            judgement: judged(judgement),
            name: case.name.clone(),
            subject: subject.clone(),
            not_run: left_out.map(|it| SubjectNotRun { option: it.option, name: it.name.clone() }).collect(),
            neighbours: reals.iter().map(NeighbourOutput::from).collect(),
            blame: blame.into(),
            shows: again.as_ref().map(ToString::to_string),
            found: case.finding.clone(),
            against: truth.as_ref().map(|(opinion, _)| opinion.clone()),
            truth: truth.as_ref().map(|(_, truth)| judged(truth)),
        }
    }
}

impl From<&Exact> for NeighbourOutput {
    fn from(exact: &Exact) -> NeighbourOutput {
        let patterns = exact.neighbours().into_iter();
        NeighbourOutput {
            location: exact.location.to_string(),
            format: exact.format.name,
            value: exact.decimal(),
            patterns: patterns.map(|(bits, ulp)| PatternError { bits: format!("{bits:#x}"), ulp }).collect(),
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
