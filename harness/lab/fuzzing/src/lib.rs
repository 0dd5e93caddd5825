//! What the libFuzzer targets check: their properties, and the inputs made from bytes. It has no libFuzzer in it.
//!
//! | module | what it holds |
//! |---|---|
//! | [`target`] | the targets by name: the property of each, its dictionary and its longest input |
//! | [`differential`] | a case on a subject, compared with the oracle |
//! | `codec` | words and texts of instructions, there and back: [`decode`], [`assembler`] |
//! | `files` | suites and lines of cases, there and back: [`case_file`] |
//! | `result` | results of runs, there and back, and their reports: [`result()`] |
//! | `checkpoint` | progress that a run goes on from: [`checkpoint()`] |
//! | `profile` | readings and contracts: [`profile()`] |
//! | `document` | specification documents: [`document()`] |
//! | [`nightly`] | plans of nightly runs and lists of known issues |
//! | [`coded`] | a case as bytes that mean an instruction and its values |
//! | [`mutate`](mod@mutate) | changes of such a case: another modifier, another class of value, an operand moved |
//! | [`json`] | changes of a JSON document |
//! | [`dictionary`] | the words of the texts, from the tables |
//!
//! The targets in `fuzz/` are glue, because no test reaches logic that lives there. Each property is one function of
//! bytes. It returns the progress of the input, so that a test can check that inputs reach the judge and are not all
//! refused before it, or the [`Violation`]. Nothing here panics: a panic is the target's way to report, or a defect of
//! the tested code.
//!
//! Bytes alone almost never make a legal word or a readable file. So each input is used two or three times: unchanged,
//! and as the choices of a generator whose output is then damaged a little. The tested code is a parameter ([`Codec`],
//! [`Files`]), so that a test can plant a defect in it. For files that are JSON, or can be, a mutator makes inputs
//! instead ([`json`]).
//!
//! Every error about a file that a user names is part of a property: it is safe to show ([`unsafe_message`]).
//!
//! ```
//! // Any bytes hold the property of the target `document`: a refused document is refused with its place.
//! assert!(assay_fuzzing::document(b"no document at all").is_ok());
//! ```

pub mod checkpoint;
mod codec;
pub mod coded;
pub mod dictionary;
pub mod document;
mod files;
pub mod json;
pub mod mutate;
pub mod nightly;
pub mod profile;
pub mod result;
pub mod target;

use std::fmt::{Debug, Display};
use std::ops::Range;

use arbitrary::{Result as Drawn, Unstructured};
use assay_engine::compare::comparator::{BatchOutcome, Comparator};
use assay_engine::compare::judge::Verdict;
use assay_engine::generate::AnyCase;
use assay_isa::shown::unsafe_message;
use assay_isa::{BackendError, asm};
use assay_vectors::{Case, Profile};

pub use checkpoint::checkpoint;
pub use codec::{Codec, assembler, decode, hold_text, hold_word, texts, words};
pub use document::document;
pub use files::{Files, case_file, documents, hold_line, hold_suite};
pub use profile::profile;
pub use result::result;
pub use target::Target;

/// The progress of an input, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// It was turned away with an error, as most damaged inputs should be.
    Refused,
    /// An implementation does not implement the instruction.
    Unsupported,
    /// The specification leaves it open.
    Undefined,
    /// It was executed, decoded, parsed or read, and held to the property.
    Judged,
}

/// The check that the error of a refused file is safe to show.
pub const MESSAGE: &str = "the message of an error";
/// The check that a result that was read has sound reports.
pub const REPORT: &str = "the report of a result";
/// The check of a specification document.
pub const READING: &str = "reading a document";
/// The check of a recorded trace.
pub const TRACE: &str = "reading a trace";
/// The check that the read value can be used.
pub const UNUSABLE: &str = "the use of what was read";

/// A property that does not hold.
#[derive(Debug, thiserror::Error)]
pub enum Violation {
    /// The subject differs from the oracle.
    #[error("`{asm}` {verdict}: it wrote {effect}\nreplay with `assay eval --stdin`: {line}")]
    Diverged {
        /// The instruction.
        asm: String,
        /// How it diverged.
        verdict: String,
        /// What the subject wrote.
        effect: String,
        /// The case as a line of JSON.
        line: String,
    },
    /// An implementation gave no answer to a legal case.
    #[error("an implementation failed: {error}\nreplay with `assay eval --stdin`: {line}")]
    Backend {
        /// Why.
        #[source]
        error: Box<BackendError>,
        /// The case as a line of JSON.
        line: String,
    },
    /// A way there and back does not lead to where it began.
    #[error("{way} does not return to where it began:\n  before {before}\n  after  {after}")]
    Changed {
        /// The way.
        way: &'static str,
        /// The value before.
        before: String,
        /// The value after.
        after: String,
    },
    /// A way there and back ends in a refusal.
    #[error("{way} ends in a refusal: {error}\n  of {input}")]
    Refused {
        /// The way.
        way: &'static str,
        /// The refused input.
        input: String,
        /// The reason given.
        error: String,
    },
    /// An error points beside the text it is about.
    #[error("the span {span:?} of the error `{error}` is no part of {text:?}")]
    Span {
        /// The text.
        text: String,
        /// Where the error points.
        span: Range<usize>,
        /// The error.
        error: String,
    },
    /// An error about a file is not safe to show.
    #[error("the error {message:?} {problem}")]
    Message {
        /// The error.
        message: String,
        /// The problem.
        problem: String,
    },
    /// A result that was read has no sound report.
    #[error("a report of a result that was read: {0}")]
    Report(String),
    /// A run goes on from more than it can have done.
    #[error("a run of {planned} batches goes on after {done}")]
    Progress {
        /// Batches that are done.
        done: u64,
        /// Batches that the plan has.
        planned: u64,
    },
    /// A specification document is read in two ways, or a message about it points outside it.
    #[error("{0}")]
    Document(String),
    /// A recorded trace that was read is not written anew as the same rows.
    #[error("{0}")]
    Trace(String),
    /// The read value cannot be used as it must be.
    #[error("the read value cannot be used: {0}")]
    Unusable(String),
}

impl Violation {
    /// The check that it is a violation of.
    pub fn check(&self) -> &'static str {
        match self {
            Violation::Diverged { .. } => "the oracle",
            Violation::Backend { .. } => "an implementation's failure",
            Violation::Changed { way, .. } | Violation::Refused { way, .. } => way,
            Violation::Span { .. } => "the span of an error",
            Violation::Message { .. } => MESSAGE,
            Violation::Report(_) => REPORT,
            Violation::Progress { .. } => "the progress of a run",
            Violation::Document(_) => READING,
            Violation::Trace(_) => TRACE,
            Violation::Unusable(_) => UNUSABLE,
        }
    }
}

/// Runs a generated case on the comparator, which holds its subject to the profile.
pub fn differential(
    comparator: &mut Comparator,
    profile: &Profile,
    case: &AnyCase,
) -> Result<Reached, Violation> {
    let AnyCase { instruction, batch } = case;
    let line = || Case::from_lane(instruction, batch, 0).to_line();
    match comparator.run(&profile.contract_for(instruction), instruction, batch) {
        Err(error) => return Err(Violation::Backend { error: Box::new(error), line: line() }),
        Ok(BatchOutcome::Unsupported | BatchOutcome::Undeclared) => return Ok(Reached::Unsupported),
        Ok(BatchOutcome::Judged) => {}
    }
    let divergence = match comparator.verdicts.of(0) {
        Verdict::Diverged(divergence) => divergence,
        Verdict::Undefined(_) => return Ok(Reached::Undefined),
        _ => return Ok(Reached::Judged),
    };
    let place = divergence.location.map_or(String::new(), |location| format!(" in {location}"));
    let written = comparator.effects.lane(0).map(|(location, bits)| format!("{location} = {bits:#010x}"));
    let written = written.collect::<Vec<_>>().join(", ");
    Err(Violation::Diverged {
        asm: asm::print(instruction),
        verdict: format!("diverges by {}{place}", divergence.kind.name()),
        effect: if written.is_empty() { "nothing".into() } else { written },
        line: line(),
    })
}

/// Checks a recorded trace: the bytes are its file, or a JSON document of its rows.
///
/// # Errors
///
/// [`Violation::Trace`].
pub fn trace(data: &[u8]) -> Result<Reached, Violation> {
    match assay_hardware::trace::fuzzing::trace(data) {
        Ok(true) => Ok(Reached::Judged),
        Ok(false) => Ok(Reached::Refused),
        Err(problem) => Err(Violation::Trace(problem)),
    }
}

/// Damages a text in up to three places: a byte replaced, inserted or removed.
fn scratch(u: &mut Unstructured<'_>, text: String) -> Drawn<String> {
    let mut bytes = text.into_bytes();
    for _ in 0..u.int_in_range(0..=3)? {
        let at = u.int_in_range(0..=bytes.len())?;
        let byte: u8 = u.arbitrary()?;
        match u.int_in_range(0..=2)? {
            0 => bytes.insert(at, byte),
            1 if at < bytes.len() => bytes[at] = byte,
            _ if at < bytes.len() => drop(bytes.remove(at)),
            _ => bytes.push(byte),
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Checks each input, and returns the progress of the best of them.
fn furthest<T>(
    inputs: impl IntoIterator<Item = T>,
    hold: impl Fn(&T) -> Result<Reached, Violation>,
) -> Result<Reached, Violation> {
    inputs.into_iter().try_fold(Reached::Refused, |best, input| Ok(best.max(hold(&input)?)))
}

fn equal<T: PartialEq + Debug>(way: &'static str, before: &T, after: &T) -> Result<(), Violation> {
    if before == after {
        return Ok(());
    }
    Err(Violation::Changed { way, before: format!("{before:?}"), after: format!("{after:?}") })
}

fn refusal(way: &'static str, input: &str, error: impl Display) -> Violation {
    Violation::Refused { way, input: format!("{input:?}"), error: error.to_string() }
}

/// The same of a file, whatever bytes it holds.
fn refused<E: Display>(way: &'static str, input: &[u8]) -> impl FnOnce(E) -> Violation {
    move |error| refusal(way, &String::from_utf8_lossy(input), error)
}

/// An error must be printable: printing it is part of the test.
fn shows(error: impl Display) {
    std::hint::black_box(error.to_string());
}

/// Whether the error of a file that was refused is safe to show.
///
/// # Errors
///
/// [`Violation::Message`] if it is not.
pub fn safe(error: impl Display, file: &[u8]) -> Result<Reached, Violation> {
    let message = error.to_string();
    let text = String::from_utf8_lossy(file);
    match lines_of(&message).into_iter().find_map(|line| unsafe_message(line, &text)) {
        Some(problem) => Err(Violation::Message { message, problem }),
        None => Ok(Reached::Refused),
    }
}

/// The lines of a message that has as many mistakes as it says, each on a line; of another message the whole. So a line break from
/// the text is found.
fn lines_of(message: &str) -> Vec<&str> {
    let Some((head, list)) = message.split_once(" mistakes:\n  ") else { return vec![message] };
    let mistakes: Vec<&str> = list.split("\n  ").collect();
    let said = head.rsplit(' ').next().and_then(|count| count.parse().ok());
    if said == Some(mistakes.len()) { [vec![head], mistakes].concat() } else { vec![message] }
}
