//! The head of a routine, such as `NAME.mode Rd, Ra, X[Rb+Imm]:`.

use super::stop::{Reason, Stop};
use crate::layout::Span;
use crate::pseudo::token::lex;
use crate::pseudo::{Code, Expr};

/// Maximum number of tokens of a head.
const TOKENS: usize = 128;

/// The head of a routine, as tokens. So a patch can change it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub tokens: Vec<String>,
    /// Position of the head.
    pub span: Span,
}

/// The parts of a head.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct HeadParts {
    pub name: String,
    /// The modifiers after the name, without their points.
    pub modifiers: Vec<String>,
    pub operands: Vec<Expr>,
}

impl Head {
    /// Reads the text of a head, without its `:`.
    pub fn read(text: &str, span: Span) -> Head {
        let lexed = lex(text, span.clone());
        let mut tokens = Vec::new();
        for token in lexed.tokens.iter().take(TOKENS) {
            let token = &text[token.span.clone()];
            if !tokens.is_empty() {
                tokens.push(token.to_owned());
                continue;
            }
            let mut parts = token.split('.');
            tokens.extend(parts.next().map(str::to_owned));
            tokens.extend(parts.take(TOKENS).map(|part| format!(".{part}")));
        }
        Head { tokens, span }
    }

    /// Returns the name of the routine. `None` if the routine has no head.
    pub fn name(&self) -> Option<&str> {
        self.tokens.first().map(String::as_str)
    }

    /// Returns the parts of the head.
    ///
    /// # Errors
    ///
    /// An operand that is no expression, for example because a comma is missing.
    pub fn parts(&self) -> Result<HeadParts, Stop> {
        let Some(name) = self.name() else { return Ok(HeadParts::default()) };
        let rest = &self.tokens[1..];
        let count = rest.iter().take_while(|token| token.starts_with('.')).count();
        let modifiers = rest[..count].iter().map(|token| token[1..].to_owned()).collect();
        let mut operands = Vec::new();
        for operand in rest[count..].split(|token| token == ",") {
            let text = operand.join(" ");
            if text.is_empty() && operands.is_empty() {
                continue;
            }
            let read = Code::formula(&text, 0..text.len());
            let bad = || Stop::new(Reason::Head(format!("`{text}` is not one operand")), self.span.clone());
            operands.push(read.ok_or_else(bad)?);
        }
        Ok(HeadParts { name: name.to_owned(), modifiers, operands })
    }
}
