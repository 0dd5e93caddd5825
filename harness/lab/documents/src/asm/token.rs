//! Words, numbers and signs of assembler text, as syntax lines and examples have it.

use crate::layout::Span;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AsmTokenKind {
    /// A name: letters, digits and `_`.
    Word,
    /// A literal: it begins with a digit, and holds at most one point.
    Number,
    /// A placeholder of the syntax: `$` and a name.
    Placeholder,
    /// One other character.
    Sign(char),
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsmToken {
    /// Its kind.
    pub shape: AsmTokenKind,
    /// Where it stands in the document.
    pub span: Span,
    /// Whether white space stands before it.
    pub spaced: bool,
}

impl AsmToken {
    /// Whether it is this sign.
    pub fn is(&self, sign: char) -> bool {
        self.shape == AsmTokenKind::Sign(sign)
    }
}

/// The tokens of a span of a text. A comment (`//`) ends it.
pub fn tokens(text: &str, span: Span) -> Vec<AsmToken> {
    let mut tokens = Vec::new();
    let mut at = span.start;
    let mut spaced = false;
    while let Some(first) = text[at..span.end].chars().next() {
        let rest = &text[at..span.end];
        if rest.starts_with("//") {
            break;
        }
        if first.is_whitespace() {
            (at, spaced) = (at + first.len_utf8(), true);
            continue;
        }
        let (shape, len) = match first {
            '0'..='9' => (AsmTokenKind::Number, number(rest)),
            '$' => (AsmTokenKind::Placeholder, 1 + word(&rest[1..])),
            _ if is_word(first) => (AsmTokenKind::Word, word(rest)),
            _ => (AsmTokenKind::Sign(first), first.len_utf8()),
        };
        tokens.push(AsmToken { shape, span: at..at + len, spaced });
        (at, spaced) = (at + len, false);
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn word(rest: &str) -> usize {
    rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())
}

/// Digits and letters, and one point with a digit after it.
fn number(rest: &str) -> usize {
    let whole = word(rest);
    match rest[whole..].strip_prefix('.') {
        Some(fraction) if fraction.starts_with(|c: char| c.is_ascii_digit()) => whole + 1 + word(fraction),
        _ => whole,
    }
}
