//! The errata: one as a bug report for a terminal, or all as a page for the owner of the documents.
//!
//! The caller executes the witnesses, and passes an [`Entry`] for each erratum. `page` renders an
//! entry in a language, and `cases` renders its executed cases. `words` has the other texts, in
//! both languages.

mod cases;
mod page;
mod words;

use assay_vectors::Evidence;
use assay_vectors::errata::{Defect, Language};

/// Returns the page of all errata for the owner of the documents, as one self-contained HTML file.
pub fn html(entries: &[Entry], language: Language) -> String {
    assay_pages::html(&page::page(entries, language))
}

/// Returns the page of all errata for the owner of the documents, in Markdown.
pub fn markdown(entries: &[Entry], language: Language) -> String {
    assay_pages::markdown(&page::page(entries, language))
}

/// Returns an erratum as a bug report in plain text.
pub fn text(entry: &Entry, language: Language) -> String {
    assay_pages::text(&page::report(entry, language))
}

/// An erratum, with its executed cases and tested assembler texts.
pub struct Entry<'a> {
    /// The erratum.
    pub defect: &'a Defect,
    /// The setting in each built-in profile. Empty if there is no switch.
    pub choices: Vec<Choice>,
    /// The executed cases of the erratum.
    pub groups: Vec<Group>,
    /// The assembler texts of the erratum, with their outcomes.
    pub trials: Vec<Trial>,
}

/// The setting that a profile chooses.
pub struct Choice {
    /// Name of the profile.
    pub profile: String,
    /// The setting, counted from 1.
    pub setting: u8,
    /// Kind of evidence for the setting.
    pub evidence: Evidence,
    /// A remark on the evidence, which may be empty.
    pub note: String,
}

/// An instruction with inputs, executed under several settings.
pub struct Group {
    /// The instruction as text.
    pub instruction: String,
    /// The inputs of the instruction.
    pub inputs: Vec<Value>,
    /// Settings of other errata that apply to all executions, such as `E050=1`.
    pub others: Vec<String>,
    /// The executions, by setting.
    pub executions: Vec<Execution>,
}

/// A value in a location.
pub struct Value {
    /// The location.
    pub location: String,
    /// The bits of the value, or the truth value of a predicate.
    pub bits: String,
    /// The number that the bits represent; empty for a predicate.
    pub meaning: String,
}

/// One executed case.
pub struct Execution {
    /// The setting in force, if there is a switch.
    pub setting: Option<u8>,
    /// Name of the case.
    pub case: String,
    /// The answer of each implementation.
    pub answers: Vec<(String, Answer)>,
    /// Why the execution does not prove the erratum. `None` if it proves it.
    pub problem: Option<String>,
}

/// The answer of an implementation.
#[derive(PartialEq, Eq)]
pub enum Answer {
    /// The written values, and the event, if there was one.
    Effect(Vec<Value>, Option<String>),
    /// The erratum that leaves the result undefined.
    Undefined(String),
    /// The implementation does not support the instruction.
    Unsupported,
}

/// A tested assembler text, which must be accepted or refused.
pub struct Trial {
    /// The text.
    pub text: String,
    /// Whether it must be accepted.
    pub wanted: bool,
    /// The outcome in the assembler.
    pub outcome: TrialResult,
}

/// The outcome of a text in the assembler.
pub enum TrialResult {
    /// The text was accepted. The value is its canonical form.
    Accepted(String),
    /// The text was refused. The value is the reason.
    Refused(String),
    /// The assembler does not know the optype.
    Unknown,
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        (&self.location, &self.bits) == (&other.location, &other.bits)
    }
}

impl Eq for Value {}

impl Trial {
    /// Whether the outcome is as expected. True for an unknown optype.
    pub fn holds(&self) -> bool {
        match self.outcome {
            TrialResult::Accepted(_) => self.wanted,
            TrialResult::Refused(_) => !self.wanted,
            TrialResult::Unknown => true,
        }
    }
}

impl Entry<'_> {
    /// Whether every case and every assembler text has its expected outcome.
    pub fn holds(&self) -> bool {
        let executions = self.groups.iter().flat_map(|group| &group.executions);
        executions.into_iter().all(|e| e.problem.is_none()) && self.trials.iter().all(Trial::holds)
    }

    /// Whether the profiles `intended` and `sm90` choose different settings. Then documents and
    /// hardware contradict each other, and only the owner of the documents can decide.
    fn is_contested(&self) -> bool {
        let of = |name| self.choices.iter().find(|c| c.profile == name).map(|c| c.setting);
        of("intended") != of("sm90")
    }
}
