//! Reads and writes operands: prefixes, types and widths.

use assay_isa::Location;

use super::builtin::round;
use super::integer::Int;
use super::program::{Destination, Minus, OperandSource, SourceKind, Word};
use super::real::SIGN;
use super::rules::Rules;
use super::stop::Reason;
use super::tables::nearest;
use super::value::Value;

impl Word {
    /// Returns the bits of the word.
    pub(super) fn read(&self, input: &impl Fn(usize) -> u32) -> u32 {
        match self {
            Word::Constant(value) => *value,
            Word::Input(index) => input(*index),
        }
    }
}

impl OperandSource {
    /// Returns the locations of the source.
    pub(super) fn locations<'s>(&'s self, inputs: &'s [Location]) -> impl Iterator<Item = Location> + 's {
        self.words.iter().filter_map(|word| match word {
            Word::Input(index) => Some(inputs[*index]),
            Word::Constant(_) => None,
        })
    }
}

/// Returns the value of words, the lowest first.
fn joined(words: &[Word], input: &impl Fn(usize) -> u32) -> Int {
    match words {
        [only] => Int::from(only.read(input)),
        words => words.iter().rev().fold(Int::ZERO, |value, next| {
            value.shift_left(32).unwrap_or(Int::ZERO).or(&Int::from(next.read(input)))
        }),
    }
}

/// Returns the bits of a source without its prefixes, as a value that is not negative.
pub(super) fn plain(source: &OperandSource, input: &impl Fn(usize) -> u32) -> Int {
    joined(&source.words, input).low_bits(source.width)
}

/// Returns the value of a source, with its prefixes.
pub(super) fn load(source: &OperandSource, input: &impl Fn(usize) -> u32) -> Value {
    let (bits, prefixes) = (plain(source, input), source.prefixes);
    match source.kind {
        SourceKind::Predicate => Value::from(bits.is_zero() == prefixes.complement),
        SourceKind::Float => {
            let absolute = if prefixes.absolute { bits.word(0) & !SIGN } else { bits.word(0) };
            Value::F32(if prefixes.minus.is_some() { absolute ^ SIGN } else { absolute })
        }
        SourceKind::Pattern | SourceKind::Signed => {
            let width = source.width;
            let bits = if prefixes.complement { bits.complement().low_bits(width) } else { bits };
            let bits = match prefixes.minus {
                None => bits,
                Some(Minus::Integer) => return Value::Int(bits.negated()),
                Some(Minus::Pattern) => bits.negated().low_bits(width),
                Some(Minus::Complement) => bits.complement().low_bits(width),
                Some(Minus::ComplementPlusOne) => {
                    return Value::Int(bits.complement().low_bits(width).plus(&Int::Small(1)));
                }
            };
            Value::Int(if source.kind == SourceKind::Signed { bits.low_signed(width) } else { bits })
        }
    }
}

/// Returns the value of a destination before the instruction.
pub(super) fn old(destination: &Destination, input: &impl Fn(usize) -> u32) -> Value {
    let bits = joined(&destination.old, input);
    match destination.kind {
        SourceKind::Float => Value::F32(bits.word(0)),
        _ => Value::Int(bits.low_bits(destination.width)),
    }
}

/// Returns the value that a destination holds after an assignment.
///
/// A real number is rounded to nearest (E178). An integer is the pattern of a binary32 destination:
/// see the comment of FSET.
pub(super) fn stored(destination: &Destination, value: &Value, rules: &Rules) -> Result<Value, Reason> {
    Ok(match (destination.kind, value) {
        (SourceKind::Predicate, value) => Value::from(value.truth()?),
        (SourceKind::Float, Value::Int(value)) => Value::F32(value.word(0)),
        (SourceKind::Float, value) => Value::F32(round(rules, value, nearest(rules))?),
        (_, value) => Value::Int(value.integer()?.low_bits(destination.width)),
    })
}

/// Returns the writes of a destination's value, the lowest word first.
pub(super) fn words<'d>(
    destination: &'d Destination,
    value: &Value,
) -> impl Iterator<Item = (Location, u32)> + use<'d> {
    let bits = value.integer().unwrap_or(Int::ZERO);
    let located = destination.words.iter().enumerate();
    located.filter_map(move |(index, location)| Some(((*location)?, bits.word(32 * index as u64))))
}
