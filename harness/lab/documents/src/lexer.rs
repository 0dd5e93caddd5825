//! A cursor over one line. No statement of the language continues on the next line.

use crate::error::ErrorKind;

/// A problem, and the byte of the line where it is.
#[derive(Debug, PartialEq)]
pub(crate) struct Fault {
    pub at: usize,
    pub kind: ErrorKind,
}

/// Reads a line from left to right. Skips white space before tokens, and the comment.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(line: &'a str) -> Self {
        let text = find_unquoted(line, "//").map_or(line, |at| &line[..at]).trim_end();
        let mut cursor = Self { text, at: 0 };
        cursor.skip_space();
        cursor
    }

    /// Returns the unread text.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Returns the byte at which the next token begins.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Takes `symbol` if it comes next.
    pub fn eat(&mut self, symbol: &str) -> bool {
        let found = self.rest().starts_with(symbol);
        if found {
            self.advance(symbol.len());
        }
        found
    }

    /// Takes `symbol`, which must come next. `expected` is its name in an error.
    pub fn expect(&mut self, symbol: &str, expected: &'static str) -> Result<(), Fault> {
        if self.eat(symbol) { Ok(()) } else { Err(self.expected(expected)) }
    }

    /// Takes a name or number: letters, digits, `_` and `.`.
    pub fn word(&mut self, expected: &'static str) -> Result<&'a str, Fault> {
        let rest = self.rest();
        let len = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        if len == 0 {
            return Err(self.expected(expected));
        }
        self.advance(len);
        Ok(&rest[..len])
    }

    /// Takes a decimal or `0x` number.
    pub fn number(&mut self, expected: &'static str) -> Result<u64, Fault> {
        let before = *self;
        let word = self.word(expected)?;
        let parsed = match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => word.parse(),
        };
        parsed.map_err(|_| before.expected(expected))
    }

    /// Takes `<a, b, …>`, which may be empty.
    pub fn list(&mut self) -> Result<Vec<String>, Fault> {
        let mut items = Vec::new();
        self.expect("<", "`<`")?;
        if self.eat(">") {
            return Ok(items);
        }
        loop {
            items.push(self.operand()?);
            if self.eat(">") {
                return Ok(items);
            }
            self.expect(",", "`,` or `>`")?;
        }
    }

    /// Takes an operand: `rb`, or an indexed operand such as `C[vb, ura]`.
    fn operand(&mut self) -> Result<String, Fault> {
        const OPERAND: &str = "an operand";
        let name = self.word(OPERAND)?;
        if !self.eat("[") {
            return Ok(name.to_owned());
        }
        let mut inner = vec![self.word(OPERAND)?];
        while self.eat(",") {
            inner.push(self.word(OPERAND)?);
        }
        self.expect("]", "`,` or `]`")?;
        Ok(format!("{name}[{}]", inner.join(", ")))
    }

    /// Takes `<name>`.
    pub fn target(&mut self) -> Result<&'a str, Fault> {
        self.expect("<", "`<`")?;
        let name = self.word("an operand")?;
        self.expect(">", "`>`")?;
        Ok(name)
    }

    /// Takes a quoted string, and discards it.
    pub fn string(&mut self) -> Result<(), Fault> {
        let before = *self;
        self.expect("\"", "a quoted message")?;
        let Some(len) = self.rest().find('"') else {
            return Err(before.expected("a message with a closing quote"));
        };
        self.advance(len + 1);
        Ok(())
    }

    /// Takes everything before the `;` that ends the statement.
    pub fn expression(&mut self) -> Result<String, Fault> {
        let rest = self.rest();
        let Some(len) = find_unquoted(rest, ";") else {
            self.at = self.text.len();
            return Err(self.expected("`;` after the expression"));
        };
        let words: Vec<&str> = rest[..len].split_whitespace().collect();
        if words.is_empty() {
            return Err(self.expected("an expression"));
        }
        self.advance(len);
        Ok(words.join(" "))
    }

    /// Takes the `;` of a statement, which must end the line.
    pub fn end_statement(&mut self) -> Result<(), Fault> {
        self.expect(";", "`;`")?;
        self.end_line()
    }

    /// Checks that nothing is left on the line.
    pub fn end_line(&self) -> Result<(), Fault> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }

    /// Returns an error that reports other text in place of `expected`.
    pub fn expected(&self, expected: &'static str) -> Fault {
        const SHOWN: usize = 24;
        let rest = self.rest();
        let found = match rest.char_indices().nth(SHOWN) {
            _ if rest.is_empty() => "the end of the line".to_owned(),
            Some((cut, _)) => format!("`{}…`", &rest[..cut]),
            None => format!("`{rest}`"),
        };
        Fault { at: self.at, kind: ErrorKind::Expected { expected, found } }
    }

    fn advance(&mut self, len: usize) {
        self.at += len;
        self.skip_space();
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

/// Returns the byte index of the first `needle` outside double quotes. `needle` is ASCII.
fn find_unquoted(text: &str, needle: &str) -> Option<usize> {
    let mut quoted = false;
    (0..text.len()).find(|&at| {
        let rest = &text.as_bytes()[at..];
        quoted ^= rest[0] == b'"';
        !quoted && rest.starts_with(needle.as_bytes())
    })
}
