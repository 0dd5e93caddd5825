//! Words, numbers and signs of pseudo-code.

use crate::layout::Span;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PseudoTokenKind {
    /// A name, with the members after it, as in `dst.chan`.
    Word,
    /// A literal.
    Number,
    /// A dot and a name: a modifier, or the value of a modifier.
    Modifier,
    /// An operator or a bracket, up to three characters long.
    Sign,
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PseudoToken {
    /// The kind of the token.
    pub shape: PseudoTokenKind,
    /// Position of the token in the document.
    pub span: Span,
    /// The line of the code, counted from 0.
    pub line: usize,
    /// Indentation of the token's line, in columns.
    pub indent: usize,
}

/// The tokens of a block of code, and its comments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lexed {
    /// The tokens, without comments and white space.
    pub tokens: Vec<PseudoToken>,
    /// The comments, from `//` to the end of the line.
    pub comments: Vec<Span>,
}

/// Signs of more than one character, longest first.
const SIGNS: [&str; 21] = [
    "<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "->",
];

/// Reads a block of code.
pub fn lex(text: &str, code: Span) -> Lexed {
    let mut lexed = Lexed::default();
    let mut start = code.start;
    for (number, line) in text[code].split_inclusive('\n').enumerate() {
        let indent = line.chars().take_while(|c| matches!(c, ' ' | '\t')).count();
        lex_line(text, start..start + line.trim_end().len(), number, indent, &mut lexed);
        start += line.len();
    }
    lexed
}

fn lex_line(text: &str, span: Span, line: usize, indent: usize, lexed: &mut Lexed) {
    let mut at = span.start;
    while let Some(first) = text.get(at..span.end).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..span.end];
        if rest.starts_with("//") {
            lexed.comments.push(at..span.end);
            return;
        }
        let (shape, len) = match first {
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '0'..='9' => (PseudoTokenKind::Number, word(rest, true)),
            '.' if rest[1..].starts_with(is_word) => (PseudoTokenKind::Modifier, 1 + word(&rest[1..], false)),
            _ if is_word(first) => (PseudoTokenKind::Word, word(rest, true)),
            _ => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                (PseudoTokenKind::Sign, sign.map_or(first.len_utf8(), |sign| sign.len()))
            }
        };
        lexed.tokens.push(PseudoToken { shape, span: at..at + len, line, indent });
        at += len;
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the length of a word: letters, digits and `_`. If `points` is true, a dot before such a
/// character is part of the word.
fn word(rest: &str, points: bool) -> usize {
    let bytes = rest.as_bytes();
    let is_part = |at: usize| {
        is_word(char::from(bytes[at]))
            || (points
                && bytes[at] == b'.'
                && bytes.get(at + 1).is_some_and(|next| is_word(char::from(*next))))
    };
    (0..bytes.len()).find(|at| !is_part(*at)).unwrap_or(bytes.len())
}
