//! What the libFuzzer targets hold: four properties, with the inputs made from bytes and the checks on them.
//!
//! | room | what is there |
//! |---|---|
//! | [`differential`] | a case on a subject, held against the oracle |
//! | `codec` | words and texts of instructions, there and back: [`decode`], [`assembler`] |
//! | `files` | suites and lines of cases, there and back: [`case_file`] |
//! | [`coded`] | a case as bytes that mean an instruction and its values |
//! | [`mutate`](mod@mutate) | changes of such a case: another modifier, another class of value, an operand moved |
//! | [`counts`] | how many inputs reached the judge |
//! | [`dictionary`] | the words of the texts, from the tables |
//!
//! The targets in `fuzz/` are glue, because logic that lives there is tested by nobody. Each property is
//! one function of bytes. It returns how far the input got, so that a test can tell that inputs reach the judge
//! and do not all fall at the gate, or the [`Violation`]. Nothing here panics: a panic is the target's way to
//! report, or a defect of what is tested.
//!
//! Bytes alone almost never make a legal word or a readable file. So each input is taken twice or three
//! times: as it is, and as the choices of a generator whose output is then damaged a little. What is
//! tested comes as a parameter ([`Codec`], [`Files`]), so that a test can plant a defect in it.

mod codec;
pub mod coded;
pub mod counts;
pub mod dictionary;
mod files;
pub mod mutate;

use std::fmt::{Debug, Display};
use std::ops::Range;

use arbitrary::{Result as Drawn, Unstructured};
use assay_isa::{VoiceError, asm};
use assay_vectors::{Case, Profile};

pub use codec::{Codec, assembler, decode, hold_text, hold_word, texts, words};
pub use files::{Files, case_file, documents, hold_line, hold_suite};

use crate::generate::AnyCase;
use crate::judge::Verdict;
use crate::versus::{Bench, Outcome};

/// How far an input got, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// It was turned away with an error, as most damaged inputs should be.
    Refused,
    /// A voice does not implement the instruction.
    Unsupported,
    /// The specification does not say.
    Undefined,
    /// It was executed, decoded, parsed or read, and held to the property.
    Judged,
}

/// A property that does not hold.
#[derive(Debug, thiserror::Error)]
pub enum Violation {
    /// The subject does not do what the oracle knows to be right.
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
    /// A voice gave no answer to a legal case.
    #[error("a voice failed: {error}\nreplay with `assay eval --stdin`: {line}")]
    Voice {
        /// Why.
        #[source]
        error: Box<VoiceError>,
        /// The case as a line of JSON.
        line: String,
    },
    /// A way there and back does not lead to where it began.
    #[error("{way} does not return to where it began:\n  before {before}\n  after  {after}")]
    Changed {
        /// The way.
        way: &'static str,
        /// What was sent on it.
        before: String,
        /// What came back.
        after: String,
    },
    /// A way there and back ends in a refusal.
    #[error("{way} ends in a refusal: {error}\n  of {input}")]
    Refused {
        /// The way.
        way: &'static str,
        /// What was refused.
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
}

impl Violation {
    /// The check that it is a violation of.
    pub fn check(&self) -> &'static str {
        match self {
            Violation::Diverged { .. } => "the oracle",
            Violation::Voice { .. } => "a voice's failure",
            Violation::Changed { way, .. } | Violation::Refused { way, .. } => way,
            Violation::Span { .. } => "the span of an error",
        }
    }
}

/// Runs a generated case on the bench, which holds its subject to the profile.
pub fn differential(bench: &mut Bench, profile: &Profile, case: &AnyCase) -> Result<Reached, Violation> {
    let AnyCase { instruction, batch } = case;
    let line = || Case::from_lane(instruction, batch, 0).to_line();
    match bench.run(&profile.contract_for(instruction), instruction, batch) {
        Err(error) => return Err(Violation::Voice { error: Box::new(error), line: line() }),
        Ok(Outcome::Unsupported | Outcome::Undeclared) => return Ok(Reached::Unsupported),
        Ok(Outcome::Judged) => {}
    }
    let divergence = match bench.verdicts.of(0) {
        Verdict::Diverged(divergence) => divergence,
        Verdict::Undefined(_) => return Ok(Reached::Undefined),
        _ => return Ok(Reached::Judged),
    };
    let place = divergence.location.map_or(String::new(), |location| format!(" in {location}"));
    let written = bench.effects.lane(0).map(|(location, bits)| format!("{location} = {bits:#010x}"));
    let written = written.collect::<Vec<_>>().join(", ");
    Err(Violation::Diverged {
        asm: asm::print(instruction),
        verdict: format!("diverges by {}{place}", divergence.kind.name()),
        effect: if written.is_empty() { "nothing".into() } else { written },
        line: line(),
    })
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

/// Checks each input, and says how far the best of them got.
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

/// An error must be one that can be shown: writing it is part of what is tested.
fn shows(error: impl Display) {
    std::hint::black_box(error.to_string());
}
