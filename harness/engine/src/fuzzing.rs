//! What the libFuzzer targets hold: four properties, with the inputs made from bytes and the checks on them.
//!
//! The targets in `fuzz/` are glue, because logic that lives there is tested by nobody. Each property is
//! one function of bytes ([`differential`], [`decode`], [`assembler`], [`case_file`]). It returns how far the
//! input got, so that a test can tell that inputs reach the judge and do not all fall at the gate, or the
//! [`Violation`]. Nothing here panics: a panic is the target's way to report, or a defect of what is tested.
//!
//! Bytes alone almost never make a legal word or a readable file. So each input is taken twice or three
//! times: as it is, and as the choices of a generator whose output is then damaged a little. What is
//! tested comes as a parameter ([`Codec`], [`Files`]), so that a test can plant a defect in it.

use std::fmt::{Debug, Display};
use std::ops::Range;

use arbitrary::{Result as Drawn, Unstructured};
use assay_isa::asm::{self, AsmError};
use assay_isa::codec::{self, DecodeError};
use assay_isa::effect::{Action, Fault};
use assay_isa::readings::SWITCHES;
use assay_isa::{Event, Instruction, Numbers, VoiceError, catalog};
use assay_vectors::{
    Allowed, Case, Finding, Origin, Overrides, Profile, Provenance, Suite, VERSION, VectorError, parse_line,
    read_suite_str, suite_to_string,
};

use crate::generate::{AnyCase, Scope};
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
        Ok(Outcome::Unsupported) => return Ok(Reached::Unsupported),
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

/// The codec and the assembler as the properties see them.
#[derive(Clone, Copy)]
pub struct Codec<'a> {
    /// Word to instruction.
    pub decode: &'a dyn Fn(u128, &Numbers) -> Result<Instruction, DecodeError>,
    /// Instruction to word.
    pub encode: &'a dyn Fn(&Instruction, &Numbers) -> u128,
    /// Text to instruction.
    pub parse: &'a dyn Fn(&str) -> Result<Instruction, AsmError>,
    /// Instruction to text.
    pub print: &'a dyn Fn(&Instruction) -> String,
}

impl Codec<'static> {
    /// Those of `assay-isa`.
    pub const ISA: Codec<'static> =
        Codec { decode: &codec::decode, encode: &codec::encode, parse: &asm::parse, print: &asm::print };
}

/// Holds the codec to every word that the bytes stand for.
pub fn decode(data: &[u8], codec: &Codec<'_>) -> Result<Reached, Violation> {
    furthest(words(data), |word| hold_word(*word, codec))
}

/// The words that bytes stand for: the bytes as they are, a form with its fields at random, and a legal
/// instruction with up to three bits flipped.
pub fn words(data: &[u8]) -> Vec<u128> {
    let u = &mut Unstructured::new(data);
    let mut words: Vec<u128> = u.arbitrary().into_iter().collect();
    words.extend(word_of_form(&mut Unstructured::new(data)));
    words.extend(damaged_word(&mut Unstructured::new(data)));
    words
}

/// A word that names a form, with the rest of the bits that the form names at random.
fn word_of_form(u: &mut Unstructured<'_>) -> Drawn<u128> {
    let form = u.choose(&catalog().forms)?;
    let identity = form.fields.iter().filter(|f| f.constraint.is_some()).fold(0, |bits, f| bits | f.mask());
    let named = codec::encode(&Instruction::new(form), Numbers::provisional()) & identity;
    let schedule = u128::from(u.arbitrary::<u16>()?) << codec::SCHEDULE_LO;
    Ok(u.arbitrary::<u128>()? & form.named_bits() & !identity | named | schedule)
}

fn damaged_word(u: &mut Unstructured<'_>) -> Drawn<u128> {
    let instruction = Scope::everything().instruction(u)?;
    let mut word = codec::encode(&instruction, Numbers::provisional());
    for _ in 0..u.int_in_range(0..=3)? {
        word ^= 1 << u.int_in_range(0..=127)?;
    }
    Ok(word)
}

/// A word that decodes encodes back, also by way of its text.
pub fn hold_word(word: u128, codec: &Codec<'_>) -> Result<Reached, Violation> {
    let numbers = Numbers::provisional();
    let shown = |word: u128| format!("{word:#034x}");
    let Ok(instruction) = (codec.decode)(word, numbers).map_err(shows) else { return Ok(Reached::Refused) };
    let encoded = (codec.encode)(&instruction, numbers);
    equal("decoding and encoding", &shown(word), &shown(encoded))?;
    let text = (codec.print)(&instruction);
    let parsed = (codec.parse)(&text).map_err(|e| refusal("printing and parsing", &text, e))?;
    equal("printing and parsing", &instruction, &parsed)?;
    equal("printing, parsing and encoding", &shown(word), &shown((codec.encode)(&parsed, numbers)))?;
    Ok(Reached::Judged)
}

/// Holds the assembler to every text that the bytes stand for.
pub fn assembler(data: &[u8], codec: &Codec<'_>) -> Result<Reached, Violation> {
    furthest(texts(data), |text| hold_text(text, codec))
}

/// The texts that bytes stand for: the bytes as they are, and a generated instruction with scratches.
pub fn texts(data: &[u8]) -> Vec<String> {
    let u = &mut Unstructured::new(data);
    let instruction = Scope::everything().instruction(u).map(|instruction| asm::print(&instruction));
    let scratched = instruction.and_then(|text| scratch(u, text));
    std::iter::once(String::from_utf8_lossy(data).into_owned()).chain(scratched).collect()
}

/// A text that parses has a canonical text, which means the same instruction and is its own canonical
/// text; the error of one that does not points into it.
pub fn hold_text(text: &str, codec: &Codec<'_>) -> Result<Reached, Violation> {
    let instruction = match (codec.parse)(text) {
        Ok(instruction) => instruction,
        Err(error) if text.get(error.span.clone()).is_some() => {
            shows(error);
            return Ok(Reached::Refused);
        }
        Err(error) => {
            let (text, span, error) = (text.to_owned(), error.span.clone(), error.to_string());
            return Err(Violation::Span { text, span, error });
        }
    };
    let canonical = (codec.print)(&instruction);
    let again = (codec.parse)(&canonical).map_err(|e| refusal("parsing and printing", &canonical, e))?;
    equal("parsing, printing and parsing", &instruction, &again)?;
    equal("printing the canonical text", &canonical, &(codec.print)(&again))?;
    let word = (codec.encode)(&instruction, Numbers::provisional());
    let decoded = (codec.decode)(word, Numbers::provisional());
    let decoded = decoded.map_err(|e| refusal("encoding and decoding", &canonical, e))?;
    equal("encoding and decoding", &instruction, &decoded)?;
    Ok(Reached::Judged)
}

/// The reader and the writer of cases as the properties see them.
#[derive(Clone, Copy)]
pub struct Files {
    /// YAML to suite; the first argument is the name for errors.
    pub read: fn(&str, &str) -> Result<Suite, VectorError>,
    /// Suite to YAML.
    pub write: fn(&Suite) -> Result<String, VectorError>,
    /// A line of JSON to case.
    pub read_line: fn(&str) -> Result<Case, VectorError>,
    /// Case to a line of JSON.
    pub write_line: fn(&Case) -> String,
}

impl Files {
    /// Those of `assay-vectors`.
    pub const VECTORS: Files = Files {
        read: read_suite_str,
        write: suite_to_string,
        read_line: parse_line,
        write_line: Case::to_line,
    };
}

/// Holds the case format to every file and every line that the bytes stand for.
pub fn case_file(data: &[u8], files: &Files) -> Result<Reached, Violation> {
    let [suites, lines] = documents(data);
    let suite = furthest(suites, |text| hold_suite(text, files))?;
    let line = furthest(lines, |text| hold_line(text, files))?;
    Ok(suite.max(line))
}

/// The suites and the lines that bytes stand for: the bytes as they are, and a generated case, whole in
/// a suite, and with scratches in both coats.
pub fn documents(data: &[u8]) -> [Vec<String>; 2] {
    let raw = String::from_utf8_lossy(data).into_owned();
    let mut documents = [vec![raw.clone()], vec![raw]];
    let u = &mut Unstructured::new(data);
    let Ok(case) = any_case(u) else { return documents };
    let line = case.to_line();
    let (suite, about) = ("fuzzed".into(), case.skip.clone().unwrap_or_default());
    let suite = Suite { version: VERSION, suite, about, profile: None, cases: vec![case] };
    if let Ok(text) = suite_to_string(&suite) {
        documents[0].push(text.clone());
        documents[0].extend(scratch(u, text));
    }
    documents[1].extend(scratch(u, line));
    documents
}

/// A suite that reads writes, and what was written reads as the same suite.
pub fn hold_suite(text: &str, files: &Files) -> Result<Reached, Violation> {
    let way = "reading, writing and reading a suite";
    let Ok(suite) = (files.read)("fuzzed", text).map_err(shows) else { return Ok(Reached::Refused) };
    let written = (files.write)(&suite).map_err(|e| refusal(way, text, e))?;
    let again = (files.read)("written", &written).map_err(|e| refusal(way, &written, e))?;
    equal(way, &suite, &again)?;
    suite.cases.iter().try_for_each(hold_case)?;
    Ok(Reached::Judged)
}

/// A line that reads writes, as one line, and what was written reads as the same case.
pub fn hold_line(text: &str, files: &Files) -> Result<Reached, Violation> {
    let way = "reading, writing and reading a line";
    let Ok(case) = (files.read_line)(text).map_err(shows) else { return Ok(Reached::Refused) };
    let written = (files.write_line)(&case);
    if written.contains('\n') {
        return Err(refusal(way, &written, "it is more than one line"));
    }
    let again = (files.read_line)(&written).map_err(|e| refusal(way, &written, e))?;
    equal(way, &case, &again)?;
    hold_case(&case)?;
    Ok(Reached::Judged)
}

/// A case that makes a batch has the inputs of that batch.
fn hold_case(case: &Case) -> Result<(), Violation> {
    let Ok((instruction, batch)) = case.batch(Numbers::provisional()).map_err(shows) else { return Ok(()) };
    let again = Case::from_lane(&instruction, &batch, 0);
    equal("making a batch of a case", &case.inputs, &again.inputs)
}

/// A case of every shape that the format has, its texts of any characters.
fn any_case(u: &mut Unstructured<'_>) -> Drawn<Case> {
    let AnyCase { instruction, batch } = u.arbitrary()?;
    let source = *u.choose(&[Origin::Hand, Origin::Oracle, Origin::Finding])?;
    let mut case = Case {
        name: "case".into(),
        skip: u.arbitrary()?,
        provenance: Some(Provenance { source, reference: u.arbitrary()?, detail: u.arbitrary()? }),
        ..Case::from_lane(&instruction, &batch, 0)
    };
    // Text alone, both, or the word alone.
    let coat = u.int_in_range(0..=2)?;
    case.word = (coat > 0).then_some(batch.word());
    case.asm = case.asm.filter(|_| coat < 2);
    if u.arbitrary()? {
        let switch = u.choose(SWITCHES)?;
        let setting = u.int_in_range(1..=switch.settings.len())? as u8;
        case.readings = Overrides::from_iter([(switch.erratum, setting)]);
    }
    outcome(u, &instruction, &mut case)?;
    if u.arbitrary()? {
        let (subject, signature) = (u.arbitrary()?, u.arbitrary()?);
        let actual = Some(case.inputs.clone());
        case.finding =
            Some(Finding { index: u.arbitrary()?, subject, signature, actual, ..Finding::default() });
    }
    Ok(case)
}

/// What a case says of its outcome: nothing, an erratum, or an expectation and perhaps an event.
fn outcome(u: &mut Unstructured<'_>, instruction: &Instruction, case: &mut Case) -> Drawn<()> {
    match u.int_in_range(0..=3)? {
        0 => {}
        1 => case.undefined = Some(u.choose(SWITCHES)?.erratum),
        kind => {
            let mut expected = Vec::new();
            for location in instruction.writes() {
                let bits: [u32; 2] = u.arbitrary()?;
                expected.extend(Allowed::any(bits).map(|allowed| (location, allowed)));
            }
            case.expect = Some(expected.into_iter().collect());
            let action = Action::Switch(u.arbitrary()?);
            let event = *u.choose(&[Event::Fault(Fault::Misaligned), Event::Executed(action)])?;
            case.event = (kind == 3).then_some(event);
        }
    }
    Ok(())
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
