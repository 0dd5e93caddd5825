//! The properties that the libFuzzer targets check, and the inputs that they make from bytes. This
//! crate does not use libFuzzer.
//!
//! | module | what it holds |
//! |---|---|
//! | [`target`] | the targets by name: the property, the dictionary and the longest input of each |
//! | [`differential`] | a case on a subject, compared with the oracle |
//! | `codec` | round trips of words and texts of instructions: [`decode`], [`assembler`] |
//! | `files` | round trips of suites and lines of cases: [`case_file`] |
//! | `result` | round trips of results of runs, and their reports: [`result()`] |
//! | `checkpoint` | progress from which a run resumes: [`checkpoint()`] |
//! | `profile` | readings and contracts: [`profile()`] |
//! | `document` | specification documents: [`document()`] |
//! | [`nightly`] | plans of nightly runs and lists of known issues |
//! | [`coded`] | a case as bytes: an instruction word and its values |
//! | [`mutate`](mod@mutate) | mutations of a case: a modifier, a class of value, a moved operand |
//! | [`json`] | mutations of JSON documents |
//! | [`dictionary`] | the words of text inputs, from the tables |
//!
//! The targets in `fuzz/` contain no logic, because no test reaches them. Each property is a
//! function of bytes. The function returns the [`Violation`], or how far the input got. So a test
//! can check that inputs reach the judge, and are not all refused earlier. Nothing in this crate
//! panics on purpose. In a target, a panic reports a violation, or a defect of the tested code.
//!
//! Random bytes almost never make a legal word or a readable file. So each input is used two or
//! three times: unchanged, and as random choices of a generator whose output is then slightly
//! damaged. The tested code is a parameter ([`Codec`], [`Files`]), so that a test can plant a
//! defect. For files that are or may be JSON, a mutator makes the inputs ([`json`]).
//!
//! Every error about a user's file must be safe to show ([`unsafe_message`]). Each property checks
//! that.
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
use assay_engine::compare::comparator::Comparator;
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

/// How far an input got, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// The input was refused with an error, as most damaged inputs should be.
    Refused,
    /// An implementation does not implement the instruction.
    Unsupported,
    /// The specification leaves the result undefined.
    Undefined,
    /// The input was executed, decoded, parsed or read, and the property was checked.
    Judged,
}

/// Name of the check that an error about a refused file is safe to show.
pub const MESSAGE: &str = "the message of an error";
/// Name of the check that the reports of a result are sound.
pub const REPORT: &str = "the report of a result";
/// Name of the check of specification documents.
pub const READING: &str = "reading a document";
/// Name of the check of recorded traces.
pub const TRACE: &str = "reading a trace";
/// Name of the check that a value can be used after it is read.
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
    /// An implementation failed on a legal case.
    #[error("an implementation failed: {error}\nreplay with `assay eval --stdin`: {line}")]
    Backend {
        /// The failure.
        #[source]
        error: Box<BackendError>,
        /// The case as a line of JSON.
        line: String,
    },
    /// A round trip changes the value.
    #[error("{way} does not return to where it began:\n  before {before}\n  after  {after}")]
    Changed {
        /// The steps of the round trip.
        way: &'static str,
        /// The value before.
        before: String,
        /// The value after.
        after: String,
    },
    /// A step of a round trip refuses its input.
    #[error("{way} ends in a refusal: {error}\n  of {input}")]
    Refused {
        /// The steps of the round trip.
        way: &'static str,
        /// The refused input.
        input: String,
        /// The reason given.
        error: String,
    },
    /// An error points outside the text that it is about.
    #[error("the span {span:?} of the error `{error}` is no part of {text:?}")]
    Span {
        /// The text.
        text: String,
        /// The span of the error.
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
    /// A report of a result is not sound.
    #[error("a report of a result that was read: {0}")]
    Report(String),
    /// A run resumes from more progress than its plan has.
    #[error("a run of {planned} batches goes on after {done}")]
    Progress {
        /// Number of batches done.
        done: u64,
        /// Number of batches in the plan.
        planned: u64,
    },
    /// Parsing a specification document twice gives different results, or a reported position lies
    /// outside the document.
    #[error("{0}")]
    Document(String),
    /// A recorded trace violates a property of traces, such as equal rows after it is rewritten.
    #[error("{0}")]
    Trace(String),
    /// A value that was read cannot be used.
    #[error("the read value cannot be used: {0}")]
    Unusable(String),
}

impl Violation {
    /// Returns the name of the violated check.
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

/// Runs a case on the comparator, and judges the subject by the contracts of the profile.
pub fn differential(
    comparator: &mut Comparator,
    profile: &Profile,
    case: &AnyCase,
) -> Result<Reached, Violation> {
    let AnyCase { instruction, batch } = case;
    let line = || Case::from_lane(instruction, batch, 0).to_line();
    let outcome = comparator.run(&profile.contract_for(instruction), instruction, batch);
    let outcome = outcome.map_err(|error| Violation::Backend { error: Box::new(error), line: line() })?;
    let Some(judged) = outcome.judged() else { return Ok(Reached::Unsupported) };
    let divergence = match judged.verdicts.of(0) {
        Verdict::Diverged(divergence) => divergence,
        Verdict::Undefined(_) => return Ok(Reached::Undefined),
        _ => return Ok(Reached::Judged),
    };
    let place = divergence.location.map_or(String::new(), |location| format!(" in {location}"));
    let written = judged.effects.lane(0).map(|(location, bits)| format!("{location} = {bits:#010x}"));
    let written = written.collect::<Vec<_>>().join(", ");
    Err(Violation::Diverged {
        asm: asm::print(instruction),
        verdict: format!("diverges by {}{place}", divergence.kind.name()),
        effect: if written.is_empty() { "nothing".into() } else { written },
        line: line(),
    })
}

/// Checks a recorded trace. The bytes are a trace file, or a JSON document of its rows.
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

/// Checks each input. Returns the greatest [`Reached`] of the inputs.
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

/// Returns a function that turns an error into a violation. The refused input may be any bytes.
fn refused<E: Display>(way: &'static str, input: &[u8]) -> impl FnOnce(E) -> Violation {
    move |error| refusal(way, &String::from_utf8_lossy(input), error)
}

/// Prints an error. An error that cannot be printed panics here.
fn shows(error: impl Display) {
    std::hint::black_box(error.to_string());
}

/// Checks that the error about a refused file is safe to show.
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

/// Splits a message that lists mistakes into its head and one line a mistake. If the number of
/// lines differs from the number that the message states, returns the whole message as one line. So
/// the caller notices a line break that comes from the file.
fn lines_of(message: &str) -> Vec<&str> {
    let Some((head, list)) = message.split_once(" mistakes:\n  ") else { return vec![message] };
    let mistakes: Vec<&str> = list.split("\n  ").collect();
    let said = head.rsplit(' ').next().and_then(|count| count.parse().ok());
    if said == Some(mistakes.len()) { [vec![head], mistakes].concat() } else { vec![message] }
}
