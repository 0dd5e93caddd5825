//! Dictionaries for the targets whose inputs are texts: their words, and libFuzzer's format.
//!
//! libFuzzer inserts words of a dictionary into inputs. Random bytes would hardly ever spell such
//! words.

use std::collections::BTreeSet;
use std::fmt::Write;

use assay_isa::location::special_registers;
use assay_isa::readings::SWITCHES;
use assay_isa::row::FieldType;
use assay_isa::{Location, catalog};
use serde_json::Value;

/// Maximum number of bytes of a word that libFuzzer accepts.
pub const LONGEST: usize = 64;

/// Returns the words of assembler text: mnemonics, modifiers with their dot, and operands.
pub fn assembler() -> BTreeSet<String> {
    let mut words = locations();
    words.extend(special_registers().iter().map(|name| format!("SR_{name}")));
    for form in &catalog().forms {
        words.insert(form.optype.mnemonic().to_owned());
        for field in &form.fields {
            words.extend(field.ty.idle().map(|(name, _)| name.to_owned()));
            if let FieldType::Enum(e) = field.ty {
                words.extend(e.values.iter().map(|value| format!(".{value}")));
            }
        }
    }
    words
}

/// Returns the words of a case file: its keys as YAML and as JSON, listed texts, and names of
/// errata and locations.
pub fn case_file() -> BTreeSet<String> {
    let mut words = locations();
    words.extend(SWITCHES.iter().map(|switch| switch.erratum.to_string()));
    schema_words(&assay_vectors::schema(), &mut words);
    words
}

/// Returns a location of each kind.
fn locations() -> BTreeSet<String> {
    let kinds = [
        Location::R(0),
        Location::UR(0),
        Location::P(0),
        Location::UP(0),
        Location::C { bank: 0, offset: 0 },
        Location::Sr(0),
        Location::G(0),
        Location::Var { variable: 0, channel: 0 },
        Location::Flags(0),
        Location::DispatchMask,
    ];
    kinds.iter().map(Location::to_string).collect()
}

/// Adds the object keys and the listed texts of a JSON Schema to `words`.
pub fn schema_words(schema: &Value, words: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            for key in object.get("properties").and_then(Value::as_object).into_iter().flat_map(|o| o.keys())
            {
                words.extend([format!("{key}: "), format!("\"{key}\":")]);
            }
            let listed = object.get("enum").and_then(Value::as_array).into_iter().flatten();
            words.extend(listed.chain(object.get("const")).filter_map(Value::as_str).map(str::to_owned));
            object.values().for_each(|value| schema_words(value, words));
        }
        Value::Array(values) => values.iter().for_each(|value| schema_words(value, words)),
        _ => {}
    }
}

/// Returns the words of JSON documents: their keys as YAML and as JSON, and their texts.
pub fn of_documents(documents: &[&str]) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for document in documents {
        document_words(&serde_json::from_str(document).unwrap_or_default(), &mut words);
    }
    words
}

fn document_words(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| {
            words.extend([format!("{key}: "), format!("\"{key}\":")]);
            document_words(value, words);
        }),
        Value::Array(values) => values.iter().for_each(|value| document_words(value, words)),
        Value::String(text) => drop(words.insert(text.clone())),
        _ => {}
    }
}

/// Returns a dictionary in libFuzzer's syntax: one quoted word a line. Bytes other than printable
/// ASCII are written as `\xAB`. Words that libFuzzer would refuse are left out.
pub fn to_libfuzzer(words: &BTreeSet<String>) -> String {
    let mut text = String::new();
    for word in words.iter().filter(|word| (1..=LONGEST).contains(&word.len())) {
        text.push('"');
        for byte in word.bytes() {
            match byte {
                b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
                b' '..=b'~' => text.push(char::from(byte)),
                _ => write!(text, "\\x{byte:02X}").expect("writing to a string cannot fail"),
            }
        }
        text.push_str("\"\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a line as libFuzzer does, in `ParseOneDictionaryEntry` of FuzzerUtil.cpp.
    fn read(line: &str) -> Option<Vec<u8>> {
        let inside = line.trim().strip_suffix('"')?;
        let mut rest = &inside.as_bytes()[inside.find('"')? + 1..];
        let mut word = Vec::new();
        while let [byte, after @ ..] = rest {
            if !(byte.is_ascii_graphic() || byte.is_ascii_whitespace()) {
                return None;
            }
            rest = match (byte, after) {
                (b'\\', [escaped @ (b'\\' | b'"'), after @ ..]) => {
                    word.push(*escaped);
                    after
                }
                (b'\\', [b'x', high, low, after @ ..]) => {
                    let digits = [*high, *low];
                    word.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
                    after
                }
                (b'\\', _) => return None,
                _ => {
                    word.push(*byte);
                    after
                }
            };
        }
        Some(word)
    }

    #[test]
    fn libfuzzer_reads_every_word() {
        let odd = ["a\"b", "\\", "two\nlines", "tab\t", "默认", " ", "\\x41"].map(str::to_owned);
        for words in [assembler(), case_file(), odd.into()] {
            let text = to_libfuzzer(&words);
            let read: Vec<Vec<u8>> = text.lines().map(|line| read(line).expect(line)).collect();
            let written: Vec<Vec<u8>> = words.into_iter().map(String::into_bytes).collect();
            assert_eq!(read, written);
        }
        let words = [String::new(), "x".repeat(LONGEST + 1)].into();
        assert_eq!(to_libfuzzer(&words), "", "libFuzzer takes neither");
    }

    #[test]
    fn every_word_of_the_assembler_is_in_the_tables_and_every_mnemonic_among_the_words() {
        let words = assembler();
        let in_tables = |word: &str| {
            let value = word.strip_prefix('.');
            let is_location = word.parse::<Location>().is_ok();
            is_location
                || catalog().forms.iter().any(|form| {
                    form.optype.mnemonic() == word
                        || form.fields.iter().any(|field| match field.ty {
                            FieldType::Enum(e) => value.is_some_and(|value| e.index_of(value).is_some()),
                            ty => ty.idle().is_some_and(|(name, _)| name == word),
                        })
                })
        };
        assert_eq!(words.iter().filter(|word| !in_tables(word)).collect::<Vec<_>>(), Vec::<&String>::new());
        for form in &catalog().forms {
            assert!(words.contains(form.optype.mnemonic()), "{}", form.name);
        }
    }

    #[test]
    fn the_keys_of_a_case_are_words_of_a_case_file() {
        let words = case_file();
        let case = assay_vectors::parse_line(r#"{"asm": "NOP"}"#).expect("it is a case");
        let Value::Object(written) = serde_json::to_value(&case).expect("a case is JSON") else {
            panic!("a case is an object")
        };
        assert!(!written.is_empty());
        for key in written.keys().map(String::as_str).chain(["suite", "cases", "provenance", "finding"]) {
            assert!(words.contains(&format!("\"{key}\":")) && words.contains(&format!("{key}: ")), "{key}");
        }
        for word in ["hand", "oracle", "finding", "E173"] {
            assert!(words.contains(word), "{word}");
        }
    }
}
