//! Hints of a row: what steers generation, coverage and explanation of an optype.
//!
//! A hint is a fact of the documents and the errata, such as "a sum of floats" or "no result is negative". It decides
//! which operands are drawn, which bins a run must hit and the text of a report. No verdict depends on a hint.

use crate::readings::Reading;

/// What steers generation, coverage and explanation of an optype.
#[derive(Debug)]
pub struct Hints {
    /// The operation.
    pub computes: Computes,
    /// When no case of a mode has a result: every case is undefined, or writes nothing.
    pub undefined: &'static [Condition],
    /// Classes of values that no case has. Of several that exclude a class the first one gives the reason.
    pub never: &'static [&'static [ExcludedValues]],
    /// How the tables of a function divide its arguments, and when.
    pub segments: &'static [(Condition, Segments)],
}

impl Hints {
    /// No hint.
    pub const NONE: Hints = Hints { computes: Computes::Other, undefined: &[], never: &[], segments: &[] };

    /// The rounded operation, if it is a sum or a product of floats.
    pub fn operation(&self) -> Option<Operation> {
        match self.computes {
            Computes::Rounded(operation) => Some(operation),
            _ => None,
        }
    }
}

/// The operation of an optype, for the relations that make operands hard to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computes {
    /// A sum or a product of floats, rounded once.
    Rounded(Operation),
    /// A sum or a product of integers.
    Integer(IntegerOperation),
    /// A function of one real number.
    Function,
    /// The minimum or maximum of two operands.
    Extreme,
    /// Truth values of the order of two operands.
    Comparison,
    /// One of two operands.
    Selection,
    /// A function of bits that a truth table gives.
    Logic,
    /// Another operation.
    Other,
}

/// Sums and products of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The sum of two numbers.
    Sum,
    /// A product, scaled by a power of two.
    Product,
    /// A product and an addend.
    Fused,
}

/// Sums and products of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerOperation {
    /// The sum of two words.
    Sum,
    /// A word or two, shifted left, and a base.
    ShiftedSum,
    /// Half of the product of two words.
    Product,
    /// Half of a product and an addend of a word.
    Fused,
    /// A product and an addend of two words.
    WideFused,
}

/// Where the segments of a function's table begin. A wrong row of a table, or a wrong choice of the row, shows there.
///
/// These are the segments of published interpolators. A device may divide its arguments in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segments {
    /// At each value of so many leading bits of the fraction.
    Fraction(u32),
    /// At the multiples of two to this power.
    Multiples(i32),
    /// At the multiples of π, times two to this power.
    Angles(i32),
}

/// A condition on a mode and on the readings.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// In any case.
    Always,
    /// A field holds one of these values.
    Field(&'static str, &'static [&'static str]),
    /// The form has one of these source types.
    Sources(&'static [&'static str]),
    /// A reading has that setting.
    Reads(Reading, u8),
    /// The condition does not hold.
    Not(&'static Condition),
    /// All of the conditions hold.
    All(&'static [Condition]),
    /// One of the conditions holds.
    Any(&'static [Condition]),
}

/// Classes of values that no case of a mode has.
#[derive(Clone, Copy, Debug)]
pub struct ExcludedValues {
    /// The values: results, or operands of cases whose result is defined.
    pub of: Values,
    /// When.
    pub when: Condition,
    /// The classes, by the names that coverage has for them.
    pub classes: &'static [&'static str],
    /// Why not.
    pub why: &'static str,
}

/// Values of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// The operands.
    Operands,
    /// The results.
    Results,
}

/// States that no result of a mode is of these classes.
pub const fn no_result(
    when: Condition,
    classes: &'static [&'static str],
    why: &'static str,
) -> ExcludedValues {
    ExcludedValues { of: Values::Results, when, classes, why }
}

/// States that no operand of a mode is of these classes where a result is defined.
pub const fn no_operand(
    when: Condition,
    classes: &'static [&'static str],
    why: &'static str,
) -> ExcludedValues {
    ExcludedValues { of: Values::Operands, when, classes, why }
}
