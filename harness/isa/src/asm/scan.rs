//! Scans the operands of assembler text, before the form is known.

use std::ops::Range;

use super::{AsmError, Problem};
use crate::catalog::ALL_PREDICATES;
use crate::instruction::Source;
use crate::location::{BANK_BYTES, BANKS, Location, PT, RZ, SRZ, URZ, special_registers};

/// An operand without its prefixes and its suffix.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Atom {
    /// A register, predicate, special register or constant, or all uniform predicates.
    Place(Source),
    /// Consecutive registers, `UR[0:1]`: the first register, and the number of registers.
    Wide(Source, u8),
    /// A constant addressed by a register and an offset, `c[0x0][UR4-0x1]`.
    ConstAt { bank: u8, base: u8, offset: i64 },
    /// A register whose number is the sum of a register and an offset, `UR[UR2+0x1]`.
    URegAt { base: u8, offset: i64 },
    /// A literal as text: its meaning depends on the form.
    Literal(String),
}

/// An operand as written.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub neg: bool,
    pub abs: bool,
    pub bitnot: bool,
    pub not: bool,
    pub atom: Atom,
    pub suffix: Option<(String, Range<usize>)>,
    pub span: Range<usize>,
    pub text: String,
}

/// A position in the text.
pub(super) struct Cursor<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Self {
        Cursor { text, at: 0 }
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Skips spaces, then consumes `c` if it comes next. Returns whether `c` was consumed.
    pub fn eat(&mut self, c: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    pub fn expect(&mut self, c: char, name: &'static str, remedy: &str) -> Result<(), AsmError> {
        if self.eat(c) { Ok(()) } else { Err(self.expected(name, remedy)) }
    }

    /// Consumes the longest run of characters that satisfy `accept`. Returns the run and its byte
    /// range.
    pub fn take(&mut self, accept: impl Fn(char) -> bool) -> (&'a str, Range<usize>) {
        let length = self.rest().find(|c| !accept(c)).unwrap_or(self.rest().len());
        let span = self.at..self.at + length;
        self.at = span.end;
        (&self.text[span.clone()], span)
    }

    pub fn word(&mut self) -> (&'a str, Range<usize>) {
        self.skip_space();
        self.take(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// Returns the error that `name` was expected at the cursor.
    pub fn expected(&self, name: &'static str, remedy: &str) -> AsmError {
        let next = self.rest().chars().next().map_or(0, char::len_utf8);
        AsmError {
            span: self.at..self.at + next,
            problem: Problem::Expected(name),
            remedy: remedy.to_owned(),
        }
    }

    /// Parses an operand, such as `-|R1.H0|`, `!P0`, `c[0x1][0x20]` or `0.25`.
    pub fn operand(&mut self) -> Result<Written, AsmError> {
        self.skip_space();
        let start = self.at;
        let not = self.eat('!');
        let bitnot = self.eat('~');
        let neg = self.eat('-');
        let abs = self.eat('|');
        let atom = self.atom()?;
        let is_place = matches!(atom, Atom::Place(place) if !matches!(place, Source::Special(_)));
        let suffix = (is_place && self.rest().starts_with('.')).then(|| {
            self.at += 1;
            let (word, span) = self.word();
            (word.to_owned(), span)
        });
        if abs {
            self.expect('|', "`|`", "close the absolute value")?;
        }
        let span = start..self.at;
        let text = self.text[span.clone()].to_owned();
        Ok(Written { neg, abs, bitnot, not, atom, suffix, span, text })
    }

    fn atom(&mut self) -> Result<Atom, AsmError> {
        self.skip_space();
        if self.rest().starts_with("c[") {
            return self.constant();
        }
        if self.rest().starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '+') {
            return Ok(Atom::Literal(self.number()));
        }
        if self.rest().starts_with("SR") {
            return self.special();
        }
        let (name, span) = self.word();
        if name.is_empty() {
            return Err(self.expected("an operand", "write a register, c[bank][offset] or a literal"));
        }
        if self.rest().starts_with('[') {
            return self.bracketed_registers(name, span);
        }
        if ["inf", "infinity", "nan"].iter().any(|word| name.eq_ignore_ascii_case(word)) {
            return Ok(Atom::Literal(name.to_owned()));
        }
        register(name).map(Atom::Place).ok_or_else(|| AsmError {
            span,
            problem: Problem::Register(name.to_owned()),
            remedy: "write R0..R254 or RZ, UR0..UR62 or URZ, P0..P6 or PT, UP0..UP6 or UPT, SR_ and a name, \
                     c[bank][offset] or a literal"
                .into(),
        })
    }

    /// Parses a special register. Some names contain a dot.
    fn special(&mut self) -> Result<Atom, AsmError> {
        let (name, span) = self.take(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        let code = match name {
            "SRZ" => Some(SRZ),
            // The examples of the documents omit the axis (E065).
            "SR_CTAID" => special_code("SR_CTAID.X"),
            _ => special_code(name),
        };
        code.map(|code| Atom::Place(Source::Special(code))).ok_or_else(|| AsmError {
            span,
            problem: Problem::Register(name.to_owned()),
            remedy: format!("known are: SRZ and SR_ with one of {}", special_registers().join(" ")),
        })
    }

    /// Parses the brackets after `UR` or `R`: `[0:1]` or, for a uniform register, `[UR2+0x1]`.
    fn bracketed_registers(&mut self, name: &str, span: Range<usize>) -> Result<Atom, AsmError> {
        self.at += 1;
        self.skip_space();
        let is_index = self.rest().starts_with('U');
        let atom = if is_index && name == "UR" {
            let (base, offset) = self.base_and_offset()?;
            Some(Atom::URegAt { base, offset })
        } else {
            let first = self.decimal()?;
            self.expect(':', "`:`", "write the first and the last register, such as UR[0:1]")?;
            let last = self.decimal()?;
            let words = last.checked_sub(first).and_then(|n| n.checked_add(1));
            words.zip(register(&format!("{name}{first}"))).zip(register(&format!("{name}{last}"))).and_then(
                |((words, source), _)| matches!(name, "R" | "UR").then_some(Atom::Wide(source, words)),
            )
        };
        self.expect(']', "`]`", "close the bracket")?;
        atom.ok_or_else(|| AsmError {
            span: span.start..self.at,
            problem: Problem::Register(self.text[span.start..self.at].to_owned()),
            remedy: "write UR[0:1] or R[0:1] for registers that follow each other, UR[UR2+0x1] for one by its number"
                .into(),
        })
    }

    fn decimal(&mut self) -> Result<u8, AsmError> {
        let (digits, span) = self.word();
        digits.parse().map_err(|_| AsmError {
            span,
            problem: Problem::Literal(digits.to_owned()),
            remedy: "write the number of a register".into(),
        })
    }

    /// Parses a uniform register and its offset: `UR2`, `UR2+0x1`, `URZ-0x1`.
    fn base_and_offset(&mut self) -> Result<(u8, i64), AsmError> {
        let (name, span) = self.word();
        let Some(Source::UReg(base)) = register(name) else {
            let problem = Problem::Register(name.to_owned());
            return Err(AsmError {
                span,
                problem,
                remedy: "write a uniform register, UR0..UR62 or URZ".into(),
            });
        };
        let negative = self.eat('-');
        if !negative && !self.eat('+') {
            return Ok((base, 0));
        }
        let (digits, span) = self.word();
        let offset = unsigned(digits).ok_or_else(|| AsmError {
            span,
            problem: Problem::Literal(digits.to_owned()),
            remedy: "write a number such as 16 or 0x10".into(),
        })?;
        Ok((base, if negative { -i64::from(offset) } else { i64::from(offset) }))
    }

    /// Consumes the characters of a number. A sign may stand at the start and after the exponent
    /// mark. The mark is `e`, or `p` if the number starts with `0x` or `0f`.
    fn number(&mut self) -> String {
        let start = self.at;
        let prefixed = ["0x", "0X", "0f", "0F"].iter().any(|p| self.rest().starts_with(p));
        let mark = if prefixed { 'p' } else { 'e' };
        let mut previous = ' ';
        for c in self.rest().chars() {
            let sign = (c == '-' || c == '+') && (self.at == start || previous.eq_ignore_ascii_case(&mark));
            if !(c.is_ascii_alphanumeric() || c == '.' || c == '_' || sign) {
                break;
            }
            previous = c;
            self.at += 1;
        }
        self.text[start..self.at].to_owned()
    }

    fn constant(&mut self) -> Result<Atom, AsmError> {
        let start = self.at;
        self.at += 1;
        let bank = self.bracketed()?;
        let in_bank = bank < BANKS;
        let is_based =
            self.rest().trim_start().strip_prefix('[').is_some_and(|r| r.trim_start().starts_with('U'));
        let atom = if is_based {
            self.expect('[', "`[`", "write c[bank][offset]")?;
            let (base, offset) = self.base_and_offset()?;
            self.expect(']', "`]`", "write c[bank][UR4+offset]")?;
            in_bank.then_some(Atom::ConstAt { bank: bank as u8, base, offset })
        } else {
            let offset = self.bracketed()?;
            let in_range = in_bank && offset < BANK_BYTES;
            in_range.then_some(Atom::Place(Source::Const { bank: bank as u8, offset }))
        };
        atom.ok_or_else(|| AsmError {
            span: start..self.at,
            problem: Problem::Literal(self.text[start..self.at].to_owned()),
            remedy: format!("a bank is below {BANKS}, a byte offset below {BANK_BYTES:#x} (E015)"),
        })
    }

    fn bracketed(&mut self) -> Result<u32, AsmError> {
        self.expect('[', "`[`", "write c[bank][offset]")?;
        let (digits, span) = self.word();
        let value = unsigned(digits).ok_or_else(|| AsmError {
            span,
            problem: Problem::Literal(digits.to_owned()),
            remedy: "write a number such as 16 or 0x10".into(),
        })?;
        self.expect(']', "`]`", "write c[bank][offset]")?;
        Ok(value)
    }
}

/// Parses an unsigned decimal or hexadecimal number.
pub(super) fn unsigned(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) if !hex.starts_with('+') => u32::from_str_radix(hex, 16).ok(),
        Some(_) => None,
        None => text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten(),
    }
}

/// Returns the code of a special register that the documents list.
fn special_code(name: &str) -> Option<u8> {
    match name.parse() {
        Ok(Location::Sr(code)) if usize::from(code) < special_registers().len() => Some(code),
        _ => None,
    }
}

fn register(name: &str) -> Option<Source> {
    match name {
        "RZ" => return Some(Source::Reg(RZ)),
        "URZ" => return Some(Source::UReg(URZ)),
        "PT" => return Some(Source::Pred(PT)),
        "UPT" => return Some(Source::UPred(PT)),
        ALL_PREDICATES => return Some(Source::AllPredicates),
        _ => {}
    }
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let number: u8 =
        if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok()? } else { return None };
    match &name[..name.len() - digits.len()] {
        "R" if number < RZ => Some(Source::Reg(number)),
        "UR" if number < URZ => Some(Source::UReg(number)),
        "P" if number < PT => Some(Source::Pred(number)),
        "UP" if number < PT => Some(Source::UPred(number)),
        _ => None,
    }
}
