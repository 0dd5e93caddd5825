//! Hints of a row: facts that steer generation, coverage and explanation of an optype.
//!
//! A hint is a fact of the documents and the errata, such as "a sum of floats" or "no result is
//! negative". Hints decide which operands are drawn, which bins a run must hit, and some text of a
//! report. No verdict depends on a hint.

use crate::readings::Reading;

/// The facts that steer generation, coverage and explanation of an optype.
#[derive(Debug)]
pub struct Hints {
    /// The operation.
    pub computes: Computes,
    /// Conditions. If one holds for a mode, no case of the mode has a result: every case is
    /// undefined or writes nothing.
    pub undefined: &'static [Condition],
    /// Classes of values that no case has. If several entries exclude a class, the first entry
    /// gives the reason.
    pub never: &'static [&'static [ExcludedValues]],
    /// How a function's table divides the arguments into segments. Each entry applies if its
    /// condition holds.
    pub segments: &'static [(Condition, Segments)],
}

impl Hints {
    /// No hint.
    pub const NONE: Hints = Hints { computes: Computes::Other, undefined: &[], never: &[], segments: &[] };

    /// Returns the operation, if it is a sum or a product of floats.
    pub fn operation(&self) -> Option<Operation> {
        match self.computes {
            Computes::Rounded(operation) => Some(operation),
            _ => None,
        }
    }
}

/// The operation of an optype. Generation chooses hard-to-round operands by the operation.
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
    /// A comparison of two operands.
    Comparison,
    /// The selection of one of two operands.
    Selection,
    /// A bitwise function given by a truth table.
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
    /// The sum of a product and an addend.
    Fused,
}

/// Sums and products of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerOperation {
    /// The sum of two words.
    Sum,
    /// The sum of a base and a left-shifted value of one or two words.
    ShiftedSum,
    /// Half of the product of two words.
    Product,
    /// The sum of one half of a product and an addend of one word.
    Fused,
    /// The sum of a product and an addend, both of two words.
    WideFused,
}

/// The arguments at which the segments of a function's table begin. A wrong table row, or a wrong
/// choice of the row, causes errors at these arguments.
///
/// These are the segments of published interpolators. A device may divide its arguments
/// differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segments {
    /// At each value of the leading bits of the fraction. Holds the number of these bits.
    Fraction(u32),
    /// At the multiples of 2^n. Holds n.
    Multiples(i32),
    /// At the multiples of π·2^n. Holds n.
    Angles(i32),
}

/// A condition on a mode and on the readings.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// Always holds.
    Always,
    /// A field holds one of these values.
    Field(&'static str, &'static [&'static str]),
    /// The form has one of these source types.
    Sources(&'static [&'static str]),
    /// A reading has this setting.
    Reads(Reading, u8),
    /// The condition does not hold.
    Not(&'static Condition),
    /// All of the conditions hold.
    All(&'static [Condition]),
    /// At least one of the conditions holds.
    Any(&'static [Condition]),
}

/// Classes of values that no case of a mode has.
#[derive(Clone, Copy, Debug)]
pub struct ExcludedValues {
    /// Which values: the results, or the operands of cases whose result is defined.
    pub of: Values,
    /// The condition under which the classes are excluded.
    pub when: Condition,
    /// The names of the classes in coverage.
    pub classes: &'static [&'static str],
    /// The reason.
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

/// Excludes classes of results, under a condition.
pub const fn no_result(
    when: Condition,
    classes: &'static [&'static str],
    why: &'static str,
) -> ExcludedValues {
    ExcludedValues { of: Values::Results, when, classes, why }
}

/// Excludes classes of operands of cases with a defined result, under a condition.
pub const fn no_operand(
    when: Condition,
    classes: &'static [&'static str],
    why: &'static str,
) -> ExcludedValues {
    ExcludedValues { of: Values::Operands, when, classes, why }
}
