//! The errata: one as a bug report for a terminal, all as the page for the owner of the documents.
//!
//! The caller executes the witnesses and passes them as an [`Entry`] each. From it and a language `page` makes the
//! text, and `cases` the executed cases. `words` has the other texts, in both languages.

mod cases;
mod page;
mod words;

use assay_vectors::Evidence;
use assay_vectors::errata::{Defect, Language};

/// The page for the owner of the documents, as one HTML file that needs nothing else.
pub fn html(entries: &[Entry], language: Language) -> String {
    assay_pages::html(&page::page(entries, language))
}

/// The page for the owner of the documents, in Markdown.
pub fn markdown(entries: &[Entry], language: Language) -> String {
    assay_pages::markdown(&page::page(entries, language))
}

/// An erratum as a bug report in plain text.
pub fn text(entry: &Entry, language: Language) -> String {
    assay_pages::text(&page::report(entry, language))
}

/// An erratum with what the program knows and finds out of it.
pub struct Entry<'a> {
    /// The erratum.
    pub defect: &'a Defect,
    /// What each built-in profile takes; empty where there is no switch.
    pub choices: Vec<Choice>,
    /// Its cases, executed.
    pub groups: Vec<Group>,
    /// Its texts, assembled.
    pub trials: Vec<Trial>,
}

/// The reading that a profile takes.
pub struct Choice {
    /// Name of the profile.
    pub profile: String,
    /// The setting, from 1.
    pub setting: u8,
    /// Kind of evidence.
    pub evidence: Evidence,
    /// More about it; can be empty.
    pub note: String,
}

/// An instruction and inputs, executed under some settings.
pub struct Group {
    /// The instruction as text.
    pub instruction: String,
    /// Its inputs.
    pub inputs: Vec<Value>,
    /// Settings of other errata that hold throughout, such as `E050=1`.
    pub others: Vec<String>,
    /// The outcome of it, by setting.
    pub executions: Vec<Execution>,
}

/// A value in a location.
pub struct Value {
    /// The location.
    pub location: String,
    /// Its bits, or the truth value of a predicate.
    pub bits: String,
    /// What the bits stand for; empty for a predicate.
    pub meaning: String,
}

/// One case, executed.
pub struct Execution {
    /// The setting in force, if there is a switch.
    pub setting: Option<u8>,
    /// Name of the case.
    pub case: String,
    /// The answer of each implementation.
    pub answers: Vec<(String, Answer)>,
    /// Why it proves nothing, if it does not.
    pub problem: Option<String>,
}

/// The answer of an implementation.
#[derive(PartialEq, Eq)]
pub enum Answer {
    /// The written values, and the event, if there was one.
    Effect(Vec<Value>, Option<String>),
    /// That an erratum leaves it undefined.
    Undefined(String),
    /// That it does not implement the instruction.
    Unsupported,
}

/// An assembler text that must be accepted or refused, tried.
pub struct Trial {
    /// The text.
    pub text: String,
    /// Whether it must be accepted.
    pub wanted: bool,
    /// What the assembler made of it.
    pub outcome: TrialResult,
}

/// What the assembler made of a text.
pub enum TrialResult {
    /// An instruction, here as canonical text.
    Accepted(String),
    /// Nothing; why.
    Refused(String),
    /// It does not know the optype.
    Unknown,
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        (&self.location, &self.bits) == (&other.location, &other.bits)
    }
}

impl Eq for Value {}

impl Trial {
    /// Whether the outcome is as expected; an unknown optype has none.
    pub fn holds(&self) -> bool {
        match self.outcome {
            TrialResult::Accepted(_) => self.wanted,
            TrialResult::Refused(_) => !self.wanted,
            TrialResult::Unknown => true,
        }
    }
}

impl Entry<'_> {
    /// Whether every case and every text has its expected outcome.
    pub fn holds(&self) -> bool {
        let executions = self.groups.iter().flat_map(|group| &group.executions);
        executions.into_iter().all(|e| e.problem.is_none()) && self.trials.iter().all(Trial::holds)
    }

    /// Whether the default profile and that of silicon differ: then documents and hardware contradict each other, and
    /// only the owner of the documents can decide.
    fn is_contested(&self) -> bool {
        let of = |name| self.choices.iter().find(|c| c.profile == name).map(|c| c.setting);
        of("intended") != of("sm90")
    }
}
