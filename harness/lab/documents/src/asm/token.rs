//! Words, numbers and signs of assembler text, in syntax lines and examples.

use crate::layout::Span;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AsmTokenKind {
    /// A name: letters, digits and `_`.
    Word,
    /// A literal, which begins with a digit, and has at most one decimal point.
    Number,
    /// A placeholder of a syntax line: `$` and a name.
    Placeholder,
    /// Any other character.
    Sign(char),
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsmToken {
    /// The kind of the token.
    pub shape: AsmTokenKind,
    /// Position of the token in the document.
    pub span: Span,
    /// Whether white space precedes the token.
    pub spaced: bool,
}

impl AsmToken {
    /// Whether the token is this sign.
    pub fn is(&self, sign: char) -> bool {
        self.shape == AsmTokenKind::Sign(sign)
    }
}

/// Returns the tokens of a span, up to a comment (`//`).
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

/// Returns the length of a number: letters and digits, and a fraction if a digit follows the dot.
fn number(rest: &str) -> usize {
    let whole = word(rest);
    match rest[whole..].strip_prefix('.') {
        Some(fraction) if fraction.starts_with(|c: char| c.is_ascii_digit()) => whole + 1 + word(fraction),
        _ => whole,
    }
}
