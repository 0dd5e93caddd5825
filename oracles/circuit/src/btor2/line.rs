//! The words of one line.

use std::io::{BufRead, Read};
use std::str::{FromStr, SplitAsciiWhitespace};

use super::error::Btor2Problem;

/// Longest line in bytes. A constant of the largest width fits.
const LONGEST: u64 = 1 << 20;

/// Reads the next line without its end. `None` at the end of the file.
pub(super) fn read_line(file: &mut impl BufRead) -> Result<Option<String>, Btor2Problem> {
    let mut bytes = Vec::new();
    if file.by_ref().take(LONGEST + 1).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 > LONGEST {
        return Err(Btor2Problem::LongLine(LONGEST));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| Btor2Problem::NotText)
}

/// The words of a line that are not read yet.
pub(super) struct Words<'a>(SplitAsciiWhitespace<'a>);

impl<'a> Words<'a> {
    /// Splits a line. A word that begins with `;` begins a comment.
    pub fn new(line: &'a str) -> Words<'a> {
        // A `;` within a word is part of a name.
        let comment = line.find(" ;").or(line.starts_with(';').then_some(0));
        Words(line[..comment.unwrap_or(line.len())].split_ascii_whitespace())
    }

    /// Returns the next word, if there is one.
    pub fn next(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    /// Returns the next word. `wanted` says what it is.
    pub fn word(&mut self, wanted: &'static str) -> Result<&'a str, Btor2Problem> {
        self.next().ok_or(Btor2Problem::Missing(wanted))
    }

    /// Returns the next word as a number.
    pub fn number<N: FromStr>(&mut self, wanted: &'static str) -> Result<N, Btor2Problem> {
        let word = self.word(wanted)?;
        word.parse().map_err(|_| unexpected(word, wanted))
    }

    /// Returns the name at the end of a line: the other words. Empty if there are none.
    pub fn name(self) -> String {
        self.0.collect::<Vec<_>>().join(" ")
    }
}

/// Returns the error for a word of another kind.
pub(super) fn unexpected(word: &str, wanted: &'static str) -> Btor2Problem {
    Btor2Problem::Unexpected { word: word.escape_debug().to_string(), wanted }
}
