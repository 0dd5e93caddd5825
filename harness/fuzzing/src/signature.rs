//! Distinguishes violations: by the property, and by the part of the message that is the same for every input that
//! shows it.

use crate::target::{Broken, NO_CRASH, NO_PANIC};
use crate::{MESSAGE, READING, REPORT, TRACE, Target, UNUSABLE};

/// Properties behind which there is any number of bugs: the message distinguishes them.
const TOLD_BY_MESSAGE: [&str; 7] = [NO_PANIC, NO_CRASH, READING, TRACE, MESSAGE, REPORT, UNUSABLE];

/// Characters of a message that a signature has at most.
const LONGEST: usize = 100;

/// The signature of an input's violation.
pub fn signature(target: Target, broken: &Broken) -> String {
    let mut parts = vec![target.name().to_owned(), broken.property.clone()];
    parts.extend(broken.file.as_deref().map(short));
    if TOLD_BY_MESSAGE.contains(&broken.property.as_str()) {
        parts.push(normal(&broken.message));
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" | ")
}

/// The source file from its crate on: the place of the repository and of its build do not matter.
fn short(file: &str) -> String {
    let parts: Vec<&str> = file.split('/').collect();
    let src = parts.iter().rposition(|part| *part == "src").unwrap_or(parts.len() - 1);
    parts[src.saturating_sub(1)..].join("/")
}

/// The first line of a message without what depends on the input: quoted texts, numbers, and unusual characters.
fn normal(message: &str) -> String {
    let mut text = String::new();
    let mut rest = message.lines().next().unwrap_or_default();
    while let Some(first) = rest.chars().next() {
        // An apostrophe within a word is no quotation mark.
        let opens = "`\"'".contains(first) && !text.ends_with(char::is_alphanumeric);
        let skipped = match () {
            () if opens => quoted(rest, first),
            () if rest.starts_with("0x") => 2 + digits(&rest[2..], 16),
            () if first.is_ascii_digit() => digits(rest, 10),
            () => 0,
        };
        if skipped == 0 {
            text.push(if first.is_ascii_graphic() { first } else { ' ' });
        }
        rest = &rest[skipped.max(first.len_utf8())..];
    }
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(LONGEST).collect::<String>().trim_end().to_owned()
}

/// Bytes of the quoted text that a text begins with: all of it where the quotation ends on a later line.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (place, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == mark => return place + letter.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Bytes of the digits that a text begins with.
fn digits(text: &str, radix: u32) -> usize {
    text.chars().take_while(|letter| letter.is_digit(radix)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_the_same_for_every_input() {
        for (message, expected) in [
            (
                "index out of bounds: the len is 3 but the index is 17",
                "index out of bounds: the len is but the index is",
            ),
            ("bad word 0x1fE0 at \"a \\\" b\" and 'x', don't", "bad word at and , don't"),
            ("assertion `left == right` failed\n  left: 1", "assertion failed"),
            ("byte index 3 is out of bounds of `FADD R0,\nR1`", "byte index is out of bounds of"),
            ("ü \u{0}\u{fffd}\tend", "end"),
            ("", ""),
        ] {
            assert_eq!(normal(message), expected);
        }
        assert_eq!(normal(&"word ".repeat(50)).len(), LONGEST - 1);
    }

    #[test]
    fn bugs_behind_one_property_are_told_apart() {
        let broken = |property: &str, message: &str, file: Option<&str>| Broken {
            property: property.into(),
            message: message.into(),
            file: file.map(str::to_owned),
        };
        let of = |broken: &Broken| signature(Target::Decode, broken);
        let file = Some("/home/x/assay/harness/isa/src/asm/lexer.rs");
        assert_eq!(of(&broken(NO_PANIC, "no 7", file)), "decode | no panic | isa/src/asm/lexer.rs | no");
        assert_eq!(
            of(&broken(NO_PANIC, "oh", Some("fuzz_targets/decode.rs"))),
            "decode | no panic | fuzz_targets/decode.rs | oh"
        );
        assert_eq!(of(&broken(NO_PANIC, "12", None)), "decode | no panic");
        assert_eq!(of(&broken(READING, "span 3..9", None)), "decode | reading a document | span ..");
        assert_eq!(of(&broken("the oracle", "R0 = 1", None)), "decode | the oracle");
    }
}
