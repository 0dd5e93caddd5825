//! The two formats of proofs as one stream of steps and numbers.

use std::io::{self, BufRead};

use super::error::LratProblem;

/// The beginning of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The clause with this number is added. Its literals and hints follow, each ended by 0.
    Add(u64),
    /// Clauses are deleted. Their numbers follow, ended by 0.
    Delete,
}

/// A proof as a stream. Numbers are read one at a time, so that a long step needs no memory.
pub trait Tokens {
    /// Returns the beginning of the next step, or `None` at the end of the proof.
    fn step(&mut self) -> Result<Option<Step>, LratProblem>;

    /// Returns the next number of a list, or `None` for the 0 that ends the list.
    fn number(&mut self) -> Result<Option<i64>, LratProblem>;
}

/// A proof as text.
pub struct TextTokens<R> {
    bytes: R,
}

impl<R: BufRead> TextTokens<R> {
    /// Reads from a stream.
    pub fn new(bytes: R) -> TextTokens<R> {
        TextTokens { bytes }
    }

    /// Returns the next byte that is not white space, without consuming it.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            let Some(byte) = self.bytes.fill_buf()?.first().copied() else { return Ok(None) };
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.bytes.consume(1);
        }
    }

    /// Reads a signed decimal number.
    fn decimal(&mut self) -> Result<i64, LratProblem> {
        let negative = self.peek()? == Some(b'-');
        if negative {
            self.bytes.consume(1);
        }
        let mut value: Option<i64> = None;
        while let Some(byte) = self.bytes.fill_buf()?.first().copied() {
            if byte.is_ascii_whitespace() {
                break;
            }
            let digit = char::from(byte).to_digit(10).ok_or_else(|| malformed_byte(byte))?;
            let grown = value.unwrap_or(0).checked_mul(10).and_then(|v| v.checked_add(digit.into()));
            value = Some(grown.ok_or_else(|| LratProblem::Malformed("a number exceeds 63 bits".into()))?);
            self.bytes.consume(1);
        }
        let value = value.ok_or_else(|| LratProblem::Malformed("a number is missing".into()))?;
        Ok(if negative { -value } else { value })
    }
}

fn malformed_byte(byte: u8) -> LratProblem {
    LratProblem::Malformed(format!("`{}` is no digit", byte.escape_ascii()))
}

impl<R: BufRead> Tokens for TextTokens<R> {
    fn step(&mut self) -> Result<Option<Step>, LratProblem> {
        if self.peek()?.is_none() {
            return Ok(None);
        }
        let id = clause_number(self.decimal()?)?;
        if self.peek()? != Some(b'd') {
            return Ok(Some(Step::Add(id)));
        }
        self.bytes.consume(1);
        Ok(Some(Step::Delete))
    }

    fn number(&mut self) -> Result<Option<i64>, LratProblem> {
        Ok(Some(self.decimal()?).filter(|number| *number != 0))
    }
}

/// Returns the number of a clause, which is positive.
pub fn clause_number(number: i64) -> Result<u64, LratProblem> {
    let positive = u64::try_from(number).ok().filter(|number| *number > 0);
    positive.ok_or_else(|| LratProblem::Malformed(format!("{number} is no number of a clause")))
}

/// A proof in CaDiCaL's binary format: steps begin with `a` or `d`, and a number n is 2|n|, plus 1
/// if it is negative, in groups of seven bits, the least significant first.
pub struct BinaryTokens<R> {
    bytes: R,
}

impl<R: BufRead> BinaryTokens<R> {
    /// Reads from a stream.
    pub fn new(bytes: R) -> BinaryTokens<R> {
        BinaryTokens { bytes }
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        let byte = self.bytes.fill_buf()?.first().copied();
        self.bytes.consume(usize::from(byte.is_some()));
        Ok(byte)
    }
}

impl<R: BufRead> Tokens for BinaryTokens<R> {
    fn step(&mut self) -> Result<Option<Step>, LratProblem> {
        match self.byte()? {
            None => Ok(None),
            Some(b'd') => Ok(Some(Step::Delete)),
            Some(b'a') => {
                let id = self.number()?.ok_or_else(|| LratProblem::Malformed("clause 0".into()))?;
                Ok(Some(Step::Add(clause_number(id)?)))
            }
            Some(byte) => {
                let problem = format!("a step begins with `{}`, not with `a` or `d`", byte.escape_ascii());
                Err(LratProblem::Malformed(problem))
            }
        }
    }

    fn number(&mut self) -> Result<Option<i64>, LratProblem> {
        let mut value = 0u64;
        for group in 0.. {
            let Some(byte) = self.byte()? else {
                return Err(LratProblem::Malformed("the file ends within a number".into()));
            };
            // Nine groups are 63 bits: after the sign, no number exceeds an `i64`.
            if group == 9 {
                return Err(LratProblem::Malformed("a number exceeds 63 bits".into()));
            }
            value |= u64::from(byte & 0x7f) << (7 * group);
            if byte & 0x80 == 0 {
                break;
            }
        }
        let magnitude = (value >> 1) as i64;
        Ok(Some(if value & 1 == 1 { -magnitude } else { magnitude }).filter(|number| *number != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bytes_are_the_same_steps() {
        let text = "7 1 -2 0 3 4 0\n7 d 3 300 0\n";
        let bytes = [b'a', 14, 2, 5, 0, 6, 8, 0, b'd', 6, 0xd8, 4, 0];
        let mut streams: [Box<dyn Tokens>; 2] =
            [Box::new(TextTokens::new(text.as_bytes())), Box::new(BinaryTokens::new(&bytes[..]))];
        for tokens in &mut streams {
            assert_eq!(tokens.step().unwrap(), Some(Step::Add(7)));
            let numbers = [(); 6].map(|()| tokens.number().unwrap());
            assert_eq!(numbers, [Some(1), Some(-2), None, Some(3), Some(4), None]);
            assert_eq!(tokens.step().unwrap(), Some(Step::Delete));
            assert_eq!([(); 3].map(|()| tokens.number().unwrap()), [Some(3), Some(300), None]);
            assert_eq!(tokens.step().unwrap(), None);
        }
    }

    #[test]
    fn malformed_numbers_are_refused() {
        for text in ["", "x", "-", "1x", "99999999999999999999", "--1"] {
            let problem = TextTokens::new(text.as_bytes()).number();
            assert!(matches!(problem, Err(LratProblem::Malformed(_))), "{text}: {problem:?}");
        }
        for bytes in [&[][..], &[0x80], &[0xff; 10]] {
            let problem = BinaryTokens::new(bytes).number();
            assert!(matches!(problem, Err(LratProblem::Malformed(_))), "{bytes:?}: {problem:?}");
        }
        assert!(BinaryTokens::new(&b"x"[..]).step().is_err());
        assert!(TextTokens::new(&b"-3 1 0"[..]).step().is_err(), "a clause has a positive number");
    }
}
