//! The operands of an instruction as they are written (ISA 6).

use std::fmt::{Display, Formatter, Result as Written};

use crate::error::ParseError;
use crate::token::{Reader, Token};

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand<'a> {
    /// A register or a number.
    One(Atom<'a>),
    /// `{a, b}`: a vector of two (ISA 6.4.3).
    Vector([Atom<'a>; 2]),
    /// `d|p`: two destination registers.
    Both([Atom<'a>; 2]),
    /// `!p`: the negated predicate.
    Not(&'a str),
    /// `[a]`: an address in memory (ISA 6.4.1), without an offset.
    Address(&'a str),
}

/// A register or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atom<'a> {
    Name(&'a str),
    Number(i128),
}

impl<'a> Operand<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, ParseError> {
        if reader.symbol('!') {
            return Ok(Self::Not(reader.name()?));
        }
        if reader.symbol('[') {
            let name = reader.name()?;
            return reader.expect_symbol(']').map(|()| Self::Address(name));
        }
        if reader.symbol('{') {
            let first = Atom::read(reader)?;
            reader.expect_symbol(',')?;
            let second = Atom::read(reader)?;
            return reader.expect_symbol('}').map(|()| Self::Vector([first, second]));
        }
        let first = Atom::read(reader)?;
        if reader.symbol('|') { Ok(Self::Both([first, Atom::read(reader)?])) } else { Ok(Self::One(first)) }
    }
}

impl<'a> Atom<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, ParseError> {
        let sign = if reader.symbol('-') { -1 } else { 1 };
        let is_digit = |first: char| first.is_ascii_digit();
        match reader.peek() {
            Some(Token::Word(word)) if sign < 0 || word.starts_with(is_digit) => {
                reader.word()?;
                let magnitude = number(word).ok_or_else(|| reader.error(format!("{word} is no number")))?;
                Ok(Self::Number(sign * i128::from(magnitude)))
            }
            _ => Ok(Self::Name(reader.name()?)),
        }
    }
}

/// Parses a decimal or hexadecimal number (ISA 4.5.1). Refuses a leading 0, which would make the
/// number octal. No compiler writes octal numbers.
fn number(word: &str) -> Option<u64> {
    let (digits, radix) = match word.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (word, 10),
    };
    let octal = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    u64::from_str_radix(digits, radix).ok().filter(|_| !octal)
}

impl Display for Operand<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Written {
        match self {
            Self::One(atom) => write!(formatter, "`{atom}`"),
            Self::Vector([first, second]) => write!(formatter, "`{{{first}, {second}}}`"),
            Self::Both([first, second]) => write!(formatter, "`{first}|{second}`"),
            Self::Not(name) => write!(formatter, "`!{name}`"),
            Self::Address(name) => write!(formatter, "`[{name}]`"),
        }
    }
}

impl Display for Atom<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Written {
        match self {
            Self::Name(name) => name.fmt(formatter),
            Self::Number(number) => number.fmt(formatter),
        }
    }
}
