//! The properties of words and texts of instructions: a word that decodes and a text that parses
//! survive a round trip.

use arbitrary::{Result as Drawn, Unstructured};
use assay_isa::asm::{self, AsmError};
use assay_isa::codec::{self, DecodeError};
use assay_isa::{EncodingTable, Instruction, catalog};

use crate::{Reached, Violation, equal, furthest, refusal, scratch, shows};
use assay_engine::generate::Scope;

/// The codec and assembler functions under test.
#[derive(Clone, Copy)]
pub struct Codec<'a> {
    /// Word to instruction.
    pub decode: &'a dyn Fn(u128, &EncodingTable) -> Result<Instruction, DecodeError>,
    /// Instruction to word.
    pub encode: &'a dyn Fn(&Instruction, &EncodingTable) -> u128,
    /// Text to instruction.
    pub parse: &'a dyn Fn(&str) -> Result<Instruction, AsmError>,
    /// Instruction to text.
    pub print: &'a dyn Fn(&Instruction) -> String,
}

impl Codec<'static> {
    /// The functions of `assay-isa`.
    pub const ISA: Codec<'static> =
        Codec { decode: &codec::decode, encode: &codec::encode, parse: &asm::parse, print: &asm::print };
}

/// Checks the codec on every word that is derived from the bytes.
pub fn decode(data: &[u8], codec: &Codec<'_>) -> Result<Reached, Violation> {
    furthest(words(data), |word| hold_word(*word, codec))
}

/// Returns three words that are derived from the bytes. The words are the bytes as they are, a form
/// with random fields, and a legal instruction with up to three flipped bits.
pub fn words(data: &[u8]) -> Vec<u128> {
    let u = &mut Unstructured::new(data);
    let mut words: Vec<u128> = u.arbitrary().into_iter().collect();
    words.extend(word_of_form(&mut Unstructured::new(data)));
    words.extend(damaged_word(&mut Unstructured::new(data)));
    words
}

/// Returns a word with the fixed bits of a form. All other bits that are in a field of the form are
/// random.
fn word_of_form(u: &mut Unstructured<'_>) -> Drawn<u128> {
    let form = u.choose(&catalog().forms)?;
    let identity = form.fields.iter().filter(|f| f.constraint.is_some()).fold(0, |bits, f| bits | f.mask());
    let named = codec::encode(&Instruction::new(form), EncodingTable::provisional()) & identity;
    let schedule = u128::from(u.arbitrary::<u16>()?) << codec::SCHEDULE_LO;
    Ok(u.arbitrary::<u128>()? & form.named_bits() & !identity | named | schedule)
}

fn damaged_word(u: &mut Unstructured<'_>) -> Drawn<u128> {
    let instruction = Scope::everything().instruction(u)?;
    let mut word = codec::encode(&instruction, EncodingTable::provisional());
    for _ in 0..u.int_in_range(0..=3)? {
        word ^= 1 << u.int_in_range(0..=127)?;
    }
    Ok(word)
}

/// Decodes a word, and checks that encoding the instruction gives the word again. The same must
/// hold if the instruction is printed and parsed before. A word that cannot be decoded is refused,
/// which is no violation.
pub fn hold_word(word: u128, codec: &Codec<'_>) -> Result<Reached, Violation> {
    let numbers = EncodingTable::provisional();
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

/// Checks the assembler on every text that is derived from the bytes.
pub fn assembler(data: &[u8], codec: &Codec<'_>) -> Result<Reached, Violation> {
    furthest(texts(data), |text| hold_text(text, codec))
}

/// Returns the texts that are derived from the bytes: the bytes as they are, and a damaged
/// generated instruction.
pub fn texts(data: &[u8]) -> Vec<String> {
    let u = &mut Unstructured::new(data);
    let instruction = Scope::everything().instruction(u).map(|instruction| asm::print(&instruction));
    let scratched = instruction.and_then(|text| scratch(u, text));
    std::iter::once(String::from_utf8_lossy(data).into_owned()).chain(scratched).collect()
}

/// Checks a text. If the text parses, its canonical text must have the same meaning, and be
/// canonical itself. Otherwise, the error must point into the text.
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
    let word = (codec.encode)(&instruction, EncodingTable::provisional());
    let decoded = (codec.decode)(word, EncodingTable::provisional());
    let decoded = decoded.map_err(|e| refusal("encoding and decoding", &canonical, e))?;
    equal("encoding and decoding", &instruction, &decoded)?;
    Ok(Reached::Judged)
}
