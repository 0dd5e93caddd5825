//! Splits the text of a module into words and symbols (ISA 4.1 to 4.5), and reads them in order.

use std::fmt::Display;

use crate::error::ParseError;

/// The smallest unit of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A name, a number, a directive, or an opcode with its modifiers.
    Word(&'a str),
    /// Any other character.
    Symbol(char),
}

/// Returns the tokens of a text with their lines. Comments are left out.
///
/// The error is the line of a comment that does not end.
fn split(text: &str) -> Result<Vec<(usize, Token<'_>)>, usize> {
    let (mut tokens, mut line, mut rest) = (Vec::new(), 1, text);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").ok_or(line)? + 4
        } else if is_word(first) {
            rest.find(|character| !is_word(character)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        if is_word(first) {
            tokens.push((line, Token::Word(token)));
        } else if length == first.len_utf8() && !first.is_whitespace() {
            tokens.push((line, Token::Symbol(first)));
        }
        line += token.matches('\n').count();
        rest = after;
    }
    Ok(tokens)
}

/// Reads the tokens of a text in order, and knows their lines for errors.
pub(crate) struct Reader<'a> {
    tokens: Vec<(usize, Token<'a>)>,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Result<Self, ParseError> {
        let tokens = split(text).map_err(|line| ParseError::new(line, "a comment that does not end"))?;
        Ok(Self { tokens, at: 0 })
    }

    /// Returns the line of the last token that was read.
    pub(crate) fn line(&self) -> usize {
        self.tokens.get(self.at.saturating_sub(1)).map_or(1, |&(line, _)| line)
    }

    /// Returns an error for this line.
    pub(crate) fn error(&self, message: impl Display) -> ParseError {
        ParseError::new(self.line(), message)
    }

    pub(crate) fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).map(|&(_, token)| token)
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek();
        self.at += usize::from(token.is_some());
        token
    }

    /// Reads this token if it is the next one. Returns whether it is.
    pub(crate) fn eat(&mut self, token: Token<'_>) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    /// Reads this symbol if it is the next token. Returns whether it is.
    pub(crate) fn symbol(&mut self, symbol: char) -> bool {
        self.eat(Token::Symbol(symbol))
    }

    pub(crate) fn expect(&mut self, expected: Token<'_>) -> Result<(), ParseError> {
        match self.next() {
            Some(token) if token == expected => Ok(()),
            other => Err(self.unexpected(expected, other)),
        }
    }

    pub(crate) fn expect_symbol(&mut self, symbol: char) -> Result<(), ParseError> {
        self.expect(Token::Symbol(symbol))
    }

    pub(crate) fn expect_word(&mut self, word: &str) -> Result<(), ParseError> {
        self.expect(Token::Word(word))
    }

    pub(crate) fn word(&mut self) -> Result<&'a str, ParseError> {
        match self.next() {
            Some(Token::Word(word)) => Ok(word),
            other => Err(self.unexpected("a word", other)),
        }
    }

    /// Reads a name (ISA 4.4), which may be the name of a special register.
    pub(crate) fn name(&mut self) -> Result<&'a str, ParseError> {
        match self.word()? {
            name if !name.starts_with(|first: char| first == '.' || first.is_ascii_digit()) => Ok(name),
            other => Err(self.unexpected("a name", Some(Token::Word(other)))),
        }
    }

    fn unexpected(&self, expected: impl Display, found: Option<Token<'_>>) -> ParseError {
        match found {
            Some(found) => self.error(format!("expected {expected}, found {found}")),
            None => self.error(format!("expected {expected}, found the end of the text")),
        }
    }
}

impl Display for Token<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) => write!(formatter, "`{word}`"),
            Self::Symbol(symbol) => write!(formatter, "`{symbol}`"),
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '%' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_symbols_lines_and_comments() {
        let text = "add.u32 %a, -1;// end\n/* two\nlines */ @!%p";
        let expected = [
            (1, Token::Word("add.u32")),
            (1, Token::Word("%a")),
            (1, Token::Symbol(',')),
            (1, Token::Symbol('-')),
            (1, Token::Word("1")),
            (1, Token::Symbol(';')),
            (3, Token::Symbol('@')),
            (3, Token::Symbol('!')),
            (3, Token::Word("%p")),
        ];
        assert_eq!(split(text), Ok(expected.to_vec()));
        assert_eq!(split("a\n/*/"), Err(2));
    }
}
