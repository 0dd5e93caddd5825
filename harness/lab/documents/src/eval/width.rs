//! Formulas of widths, such as `32 + (dtype=="64")*32`.

use std::sync::Arc;

use super::integer::Int;
use super::value::{Operator, Value};
use crate::pseudo::{Code, Expr, ExprKind};

/// Maximum width of an operand in bits.
const WIDEST: u64 = 1024;

/// Returns the width that a formula gives, 1 to 1024 bits. `modifier` returns the values of
/// modifiers. `None` if the formula cannot be read.
pub(super) fn evaluate(text: &str, modifier: &dyn Fn(&str) -> Option<Arc<str>>) -> Option<u64> {
    // A value in quotes is written with a point in code.
    let mut parts = text.split('"');
    let mut code = parts.next()?.to_owned();
    while let (Some(value), Some(after)) = (parts.next(), parts.next()) {
        code = format!("{code} .{value} {after}");
    }
    let expr = Code::formula(&code, 0..code.len())?;
    match value(&expr, modifier)? {
        Value::Int(width) => width.index(WIDEST).filter(|width| *width > 0),
        _ => None,
    }
}

fn value(expr: &Expr, modifier: &dyn Fn(&str) -> Option<Arc<str>>) -> Option<Value> {
    match &expr.kind {
        ExprKind::Number(text) => text.parse::<u32>().ok().map(|number| Value::Int(Int::from(number))),
        ExprKind::Name(name) => modifier(name).map(Value::Word),
        ExprKind::Modifier(word) => Some(Value::Word(Arc::from(word.as_str()))),
        ExprKind::Binary(sign, left, right) => {
            Operator::of(sign)?.apply(&value(left, modifier)?, &value(right, modifier)?).ok()
        }
        _ => None,
    }
}
