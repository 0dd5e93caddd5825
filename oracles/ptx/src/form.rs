//! The form of an instruction: its effect, its operands, and the modifiers of its opcode.

use std::fmt::{Display, Formatter};
use std::iter::Peekable;
use std::str::Split;

use crate::step::Action;
use crate::types::Type;

/// The error is a description of the problem.
pub(crate) type Decoded<T> = Result<T, String>;

/// The effect of an instruction, and its operands.
pub(crate) struct Form {
    pub(crate) action: Action,
    pub(crate) slots: Vec<Slot>,
}

/// What an operand must be. The slots are in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A register to write.
    To(Type),
    /// `{d, e}`
    ToVector(Type),
    /// `d|p`. The second one is a predicate.
    ToBoth(Type),
    /// A register or number to read. A predicate may have a `!`.
    From(Type),
    /// `{a, b}`
    FromVector(Type),
    /// A number from 0 to 255.
    Table,
    /// `[a]` in global memory.
    Address,
    /// `[a]`, where `a` is a parameter.
    Parameter(Type),
    /// No operand in the text. The carry flag is written.
    CarryOut,
    /// No operand in the text. The carry flag is read.
    CarryIn,
    /// An operand that this form lacks. The text has nothing in its place, and the operand's value
    /// is 0.
    Zero,
}

impl Display for Slot {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::To(of) => write!(formatter, "a register of .{of}"),
            Self::ToVector(of) => write!(formatter, "a vector of two registers of .{of}"),
            Self::ToBoth(of) => write!(formatter, "a register of .{of} and a predicate"),
            Self::From(of) => write!(formatter, "a .{of}"),
            Self::FromVector(of) => write!(formatter, "a vector of two .{of}"),
            Self::Table => write!(formatter, "a number from 0 to 255"),
            Self::Address => write!(formatter, "an address"),
            Self::Parameter(of) => write!(formatter, "a parameter of .{of}"),
            Self::CarryOut | Self::CarryIn | Self::Zero => write!(formatter, "nothing"),
        }
    }
}

/// The modifiers of an opcode. Modifiers are read from left to right, because their order is part
/// of the syntax.
pub(crate) struct Modifiers<'a> {
    rest: Peekable<Split<'a, char>>,
}

impl<'a> Modifiers<'a> {
    /// Returns the name of an opcode, and its modifiers.
    pub(crate) fn of_opcode(opcode: &'a str) -> (&'a str, Self) {
        let mut rest = opcode.split('.').peekable();
        (rest.next().unwrap_or_default(), Self { rest })
    }

    /// Reads this modifier if it comes next. Returns whether it does.
    pub(crate) fn has(&mut self, modifier: &str) -> bool {
        self.rest.next_if_eq(&modifier).is_some()
    }

    pub(crate) fn need(&mut self, modifier: &str) -> Decoded<()> {
        if self.has(modifier) { Ok(()) } else { Err(format!("expected .{modifier}{}", self.found())) }
    }

    /// Reads one of these modifiers if it comes next, and returns its value.
    pub(crate) fn maybe<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        let row = table.iter().find(|row| self.rest.peek() == Some(&row.0))?;
        self.rest.next();
        Some(row.1)
    }

    pub(crate) fn one_of<T: Copy>(&mut self, table: &[(&str, T)]) -> Decoded<T> {
        self.maybe(table).ok_or_else(|| {
            let names: Vec<_> = table.iter().map(|row| format!(".{}", row.0)).collect();
            format!("expected one of {}{}", names.join(" "), self.found())
        })
    }

    /// Reads one of these types, which must come next.
    pub(crate) fn of<const N: usize>(&mut self, types: [Type; N]) -> Decoded<Type> {
        let names = types.map(|of| of.to_string());
        let table: Vec<_> = names.iter().map(String::as_str).zip(types).collect();
        self.one_of(&table)
    }

    /// Returns whether one of these modifiers comes next. Does not read it.
    pub(crate) fn is_one_of<T>(&mut self, table: &[(&str, T)]) -> bool {
        table.iter().any(|row| self.rest.peek() == Some(&row.0))
    }

    /// Returns an error if a modifier was not read.
    pub(crate) fn end(&mut self) -> Decoded<()> {
        self.rest.next().map_or(Ok(()), |modifier| Err(format!("unsupported modifier .{modifier}")))
    }

    fn found(&mut self) -> String {
        self.rest
            .peek()
            .map_or_else(|| ", found the end".to_owned(), |modifier| format!(", found .{modifier}"))
    }
}
