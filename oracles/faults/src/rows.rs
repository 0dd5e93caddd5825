//! Mistakes in the special values of MUFU.

use assay_model::{Class, SpecialResult, SpecialTable, given};

use SpecialResult::{Nan as NAN, Number as NUM};
const ZERO: SpecialResult = SpecialResult::Zero(false);
const NEG_0: SpecialResult = SpecialResult::Zero(true);
const ONE: SpecialResult = SpecialResult::One(false);
const NEG_1: SpecialResult = SpecialResult::One(true);
const INF: SpecialResult = SpecialResult::Infinity(false);
const NEG_I: SpecialResult = SpecialResult::Infinity(true);

/// A typical mistake for each row. The mistake loses or adds a sign, uses the magnitude of a
/// negative operand, treats a subnormal as a normal number, or treats a NaN as an infinity.
#[rustfmt::skip]
const WRONG: [[SpecialResult; Class::ALL.len()]; SpecialTable::ALL.len()] = [
    //  +0     -0     +sub   -sub   +num   -num   +Inf   -Inf   NaN
    [ ZERO, NEG_0,   NUM,   NUM,   NUM,   NUM,   ONE,   ONE,   ONE], // COS
    [NEG_0,  ZERO,   NUM,   NUM,   NUM,   NUM,  ZERO, NEG_0,  ZERO], // SIN
    [ ZERO,  ZERO,   NUM,   NUM,   NUM,   NUM,   NAN, NEG_0,   INF], // EX2
    [  INF,   INF,   NUM,   NUM,   NUM,   NUM,   NAN,   INF,   INF], // LG2
    [NEG_I,   INF,   NUM,   NUM,   NUM,   NUM,   INF,  ZERO,  ZERO], // RCP.F32
    [NEG_I,   INF,   NUM,   NUM,   NUM,   NUM,   INF,  ZERO,  ZERO], // RCP.F64
    [NEG_I,   INF,   NUM,   NUM,   NUM,   NUM, NEG_0, NEG_0,  ZERO], // RSQ.F32
    [NEG_I,   INF,   NUM,   NAN,   NUM,   NUM, NEG_0, NEG_0,  ZERO], // RSQ.F64
    [NEG_0,  ZERO,   NUM,   NUM,   NUM,   NUM,   NAN, NEG_I,   INF], // SQRT
    [NEG_0,  ZERO,   NUM,   NUM,   NUM,   NUM,   NAN,   ONE,   ONE], // TANH
];

/// Returns the wrong result of a table's row for a class of operands.
pub(crate) fn wrong(table: SpecialTable, class: Class) -> SpecialResult {
    WRONG[table as usize][class as usize]
}

/// Returns whether a table has a row for a class of operands.
pub(crate) fn exists(table: SpecialTable, class: Class) -> bool {
    given(table, class) != NUM
}

/// Returns a sentence that describes the mistake in a row.
pub(crate) fn mistake(table: SpecialTable, class: Class) -> String {
    let given = match WRONG[table as usize][class as usize] {
        NUM => return format!("{}: {} has no row of its own.", table.name(), class.name()),
        NAN => "NaN",
        ZERO => "+0",
        NEG_0 => "-0",
        ONE => "+1",
        NEG_1 => "-1",
        INF => "+Inf",
        NEG_I => "-Inf",
    };
    format!("{}: {} gives {given}.", table.name(), class.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_mistake_and_nothing_else_has() {
        for (table, class) in
            SpecialTable::ALL.into_iter().flat_map(|table| Class::ALL.map(|class| (table, class)))
        {
            let (right, wrong) = (given(table, class), wrong(table, class));
            assert_eq!(right == wrong, right == NUM, "{right:?} {wrong:?}");
        }
    }
}
