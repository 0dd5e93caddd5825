//! Applies the special rows of MUFU before its functions.

use super::number::Number;
use super::rows::{Class, SpecialResult, SpecialTable, given};
use crate::knobs::Knobs;

/// Returns the result of the operand's special row, or the function's value if there is no row.
/// `None` is the quiet NaN.
#[inline]
pub(crate) fn look_up<K: Knobs>(
    k: &K,
    table: SpecialTable,
    class: Class,
    evaluate: impl FnOnce() -> Number,
) -> Option<Number> {
    special(k, table, class).unwrap_or_else(|| Some(evaluate()))
}

/// Returns the result of an operand's special row, if there is one. An inner `None` is the quiet
/// NaN.
#[inline]
pub(crate) fn special<K: Knobs>(k: &K, table: SpecialTable, class: Class) -> Option<Option<Number>> {
    match k.special(table, class, given(table, class)) {
        SpecialResult::Number => None,
        SpecialResult::Nan => Some(None),
        SpecialResult::Zero(negative) => Some(Some(Number::zero(negative))),
        SpecialResult::One(negative) => Some(Some(Number::one(negative))),
        SpecialResult::Infinity(negative) => Some(Some(Number::infinity(negative))),
    }
}
