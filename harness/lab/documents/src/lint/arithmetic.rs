//! Finds misleading expressions: precedence, shifts, carries, floats.

use std::collections::HashMap;

use super::Lint;
use super::classes::*;
use super::flow::is_small;
use super::model::{Optype, Page};
use crate::layout::Span;
use crate::pseudo::{Expr, ExprKind, Routine, Statement, StatementKind, binding};

pub fn check(lint: &mut Lint) {
    for optype in &lint.set.optypes {
        for routine in optype.routines() {
            for_each_expr(&routine.body, &mut |expr| {
                precedence(lint, optype.page, optype.name(), expr);
                floats(lint, optype, expr);
                absolute(lint, optype, expr);
            });
            carries(lint, optype, routine);
            if is_small(routine) {
                let mut shifts = Shifts { widths: HashMap::new(), found: Vec::new() };
                shifts.operands(optype, routine);
                shifts.block(&routine.body, &mut HashMap::new());
                for (span, most, width) in shifts.found {
                    let message = format!("the amount can be {most}, and what is shifted has {width} bits");
                    lint.report(&SHIFT_TOO_FAR, optype.page, span, optype.name(), message);
                }
            }
        }
    }
}

fn for_each_expr<'e>(body: &'e [Statement], see: &mut impl FnMut(&'e Expr)) {
    for statement in body {
        statement.walk(&mut |statement| {
            statement.exprs().into_iter().for_each(|expr| expr.walk(see));
        });
    }
}

/// Reports operators that bind tighter than a reader may expect, where parentheses are missing.
pub fn precedence(lint: &mut Lint, page: &Page, of: &str, expr: &Expr) {
    let ExprKind::Binary(outer, left, right) = &expr.kind else { return };
    let looser = matches!(outer.as_str(), "&" | "|" | "^" | "<<" | ">>");
    for inner in [left, right].into_iter().filter(|inner| looser && !inner.grouped) {
        let ExprKind::Binary(operator, ..) = &inner.kind else { continue };
        let (Some(outer_at), Some(inner_at)) = (binding(outer), binding(operator)) else { continue };
        let bitwise = |operator: &str| matches!(operator, "&" | "|" | "^");
        if inner_at > outer_at
            && !bitwise(operator)
            && !(bitwise(outer) && matches!(operator.as_str(), "<<" | ">>"))
        {
            let text = page.text(&inner.span);
            let message = format!("`{operator}` binds tighter than `{outer}`: this reads `{outer} ({text})`");
            lint.report(&PRECEDENCE, page, expr.span.clone(), of, message);
        }
    }
}

/// Returns the value of a decimal literal, without its suffix `f`.
fn number(expr: &Expr) -> Option<f64> {
    let ExprKind::Number(text) = &expr.kind else { return None };
    text.trim_end_matches(['f', 'F']).parse().ok().filter(|_| !text.starts_with("0x"))
}

fn floats(lint: &mut Lint, optype: &Optype, expr: &Expr) {
    let page = optype.page;
    if let ExprKind::Choice(condition, values) = &expr.kind
        && let ExprKind::Binary(operator, tested, bound) = &condition.kind
        && let [low, kept] = values.as_slice()
        && operator == "<"
        && number(bound) == Some(0.0)
        && page.text(&bound.span).contains('.')
        && number(low) == Some(0.0)
        && tested.base() == kept.base()
    {
        let message = "-0 is not less than 0, so it is kept".to_owned();
        lint.report(&NEGATIVE_ZERO, page, expr.span.clone(), optype.name(), message);
    }
    if let ExprKind::Binary(operator, part, bias) = &expr.kind
        && let ExprKind::Index(_, index) = &part.kind
        && let [high, low] = index.as_slice()
        && operator == "-"
        && let (Some(high), Some(low), Some(bias)) = (number(high), number(low), number(bias))
    {
        let right = match bias as u32 {
            15 => (14.0, 10.0),
            127 => (30.0, 23.0),
            1023 => (62.0, 52.0),
            _ => return,
        };
        if (high, low) != right {
            let message = format!("with a bias of {bias} an exponent is in bits {}:{}", right.0, right.1);
            lint.report(&EXPONENT_BITS, page, expr.span.clone(), optype.name(), message);
        }
    }
}

/// Reports `|x|` of a signed integer. The least integer has no positive counterpart.
fn absolute(lint: &mut Lint, optype: &Optype, expr: &Expr) {
    let ExprKind::Unary(sign, of) = &expr.kind else { return };
    let signed = optype.fields.iter().any(|field| field.ty.starts_with("SImm"));
    if sign == "|" && signed {
        let what = optype.page.text(&of.span);
        let message = format!(
            "the absolute value of the least `{what}` does not fit, and what it becomes is not given"
        );
        lint.report(&ABSOLUTE_OF_LEAST, optype.page, expr.span.clone(), optype.name(), message);
    }
}

/// Reports `x > n` beside `mod(x, n)`. The condition of a carry is `x >= n`.
fn carries(lint: &mut Lint, optype: &Optype, routine: &Routine) {
    let page = optype.page;
    let squeeze = |expr: &Expr| page.text(&expr.span).replace([' ', '(', ')'], "");
    let mut reduced = Vec::new();
    for_each_expr(&routine.body, &mut |expr| {
        if let ExprKind::Call(name, arguments) = &expr.kind
            && let ("mod", [value, modulus]) = (name.as_str(), arguments.as_slice())
        {
            reduced.push((squeeze(value), squeeze(modulus)));
        }
    });
    reduced.truncate(64);
    let (mut found, mut clamps) = (Vec::new(), Vec::new());
    for_each_expr(&routine.body, &mut |expr| match &expr.kind {
        // `x > n ? n : x` is a clamp, not a carry.
        ExprKind::Choice(condition, values)
            if values.iter().any(|value| is_bound(page, condition, value)) =>
        {
            clamps.push(condition.span.clone());
        }
        ExprKind::Binary(operator, value, bound)
            if operator == ">"
                && !reduced.is_empty()
                && reduced.contains(&(squeeze(value), squeeze(bound))) =>
        {
            found.push(expr.span.clone());
        }
        _ => {}
    });
    found.retain(|span| !clamps.contains(span));
    for span in found {
        let message = "a value equal to the modulus carries too: `>` should be `>=`".to_owned();
        lint.report(&CARRY, page, span, optype.name(), message);
    }
}

/// Whether a value is the bound in a condition, such as `n` in `x > n`.
fn is_bound(page: &Page, condition: &Expr, value: &Expr) -> bool {
    let ExprKind::Binary(_, _, bound) = &condition.kind else { return false };
    page.text(&bound.span) == page.text(&value.span)
}

/// The least and the greatest possible value.
type Interval = (i128, i128);

struct Shifts<'a> {
    /// Widths in bits, of names with a known width.
    widths: HashMap<&'a str, u32>,
    found: Vec<(Span, i128, u32)>,
}

/// Width in bits of a literal.
const INT: u32 = 32;

impl<'a> Shifts<'a> {
    /// Records the width of each operand: its greatest constant `Bitwidth`.
    fn operands(&mut self, optype: &Optype, routine: &'a Routine) {
        for (name, _) in &routine.operands {
            let widths = optype.forms.iter().filter_map(|form| {
                let field = super::slots::by_name(form, name)?;
                form.facts.body.bitwidths.get(&field.name)?.parse::<u32>().ok()
            });
            if let Some(width) = widths.max() {
                self.widths.insert(name, width);
            }
        }
    }

    fn block(&mut self, body: &'a [Statement], known: &mut HashMap<&'a str, Interval>) {
        for statement in body {
            for expr in statement.exprs() {
                expr.walk(&mut |expr| self.shift(expr, known));
            }
            match &statement.kind {
                StatementKind::Assign { targets, update, ty, value, .. } => {
                    let ty = ty.as_ref().map(|ty| ty.name.as_str());
                    self.assign(targets, update.is_some(), ty, value.as_ref(), known);
                }
                StatementKind::If { arms } => {
                    let complete = arms.last().is_some_and(|(condition, _)| condition.is_none());
                    self.arms(arms, complete, known);
                }
                StatementKind::Switch { cases, .. } => self.arms(cases, false, known),
                StatementKind::Loop { init, step, body, .. } => {
                    for inner in init.iter().chain(step).chain(body) {
                        inner.walk(&mut |inner| {
                            if let StatementKind::Assign { targets, .. } = &inner.kind {
                                known.retain(|name, _| {
                                    !targets.iter().any(|target| target.base() == Some(name))
                                });
                            }
                        });
                    }
                    self.block(body, &mut known.clone());
                }
                _ => {}
            }
        }
    }

    fn arms(
        &mut self,
        arms: &'a [(Option<Expr>, Vec<Statement>)],
        complete: bool,
        known: &mut HashMap<&'a str, Interval>,
    ) {
        let mut merged = (!complete).then(|| known.clone());
        for (_, body) in arms {
            let mut inside = known.clone();
            self.block(body, &mut inside);
            merged = Some(match merged {
                None => inside,
                Some(mut merged) => {
                    merged.retain(|name, _| inside.contains_key(name));
                    for (name, range) in &mut merged {
                        *range = union(*range, inside[name]);
                    }
                    merged
                }
            });
        }
        *known = merged.unwrap_or_default();
    }

    fn assign(
        &mut self,
        targets: &'a [Expr],
        updates: bool,
        ty: Option<&str>,
        value: Option<&'a Expr>,
        known: &mut HashMap<&'a str, Interval>,
    ) {
        let range = value.filter(|_| !updates).and_then(|value| interval(value, known));
        for name in
            targets.iter().filter(|target| matches!(target.kind, ExprKind::Name(_))).filter_map(Expr::base)
        {
            if let Some(width) =
                ty.and_then(|ty| ty.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().ok())
            {
                self.widths.insert(name, width);
            }
            known.remove(name);
            known.extend(range.map(|range| (name, range)));
        }
    }

    fn shift(&mut self, expr: &Expr, known: &HashMap<&str, Interval>) {
        let ExprKind::Binary(operator, left, amount) = &expr.kind else { return };
        if !matches!(operator.as_str(), "<<" | ">>") {
            return;
        }
        let (Some(width), Some((_, most))) = (self.width(left), interval(amount, known)) else { return };
        if most >= i128::from(width) {
            self.found.push((expr.span.clone(), most, width));
        }
    }

    fn width(&self, expr: &Expr) -> Option<u32> {
        match &expr.kind {
            ExprKind::Number(_) => Some(INT),
            ExprKind::Unary(_, of) => self.width(of),
            ExprKind::Name(name) => self.widths.get(name.as_str()).copied(),
            _ => None,
        }
    }
}

fn union(one: Interval, other: Interval) -> Interval {
    (one.0.min(other.0), one.1.max(other.1))
}

/// Returns the range of an expression, from its literals and the known ranges. `None` if the range
/// is unknown.
fn interval(expr: &Expr, known: &HashMap<&str, Interval>) -> Option<Interval> {
    let of = |expr: &Expr| interval(expr, known);
    match &expr.kind {
        ExprKind::Number(text) => {
            let value = match text.strip_prefix("0x") {
                Some(digits) => i128::from_str_radix(digits, 16).ok()?,
                None => text.parse().ok()?,
            };
            (value <= i128::from(u64::MAX)).then_some((value, value))
        }
        ExprKind::Name(name) => known.get(name.as_str()).copied(),
        ExprKind::Binary(operator, left, right) => match (operator.as_str(), of(left), of(right)) {
            ("&", Some((0.., most)), None) | ("&", None, Some((0.., most))) => Some((0, most)),
            ("&", Some((0.., one)), Some((0.., other))) => Some((0, one.min(other))),
            ("+", Some(left), Some(right)) => {
                Some((left.0.checked_add(right.0)?, left.1.checked_add(right.1)?))
            }
            ("-", Some(left), Some(right)) => {
                Some((left.0.checked_sub(right.1)?, left.1.checked_sub(right.0)?))
            }
            _ => None,
        },
        ExprKind::Call(name, arguments) => match (name.as_str(), arguments.as_slice()) {
            ("mod", [_, modulus]) => of(modulus).map(|(_, most)| (0, most - 1)),
            ("min", [one, other]) => match (of(one), of(other)) {
                (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.min(other.1))),
                (one, other) => one.or(other).map(|(_, most)| (0, most)),
            },
            _ => None,
        },
        ExprKind::Choice(condition, values) => {
            let ranges = values.iter().map(|value| of(value).or_else(|| limited(condition, value, known)));
            ranges.collect::<Option<Vec<_>>>()?.into_iter().reduce(union)
        }
        _ => None,
    }
}

/// Returns the range of `x` in `x > n ? … : x` and similar choices: 0 to the greatest value of `n`.
fn limited(condition: &Expr, value: &Expr, known: &HashMap<&str, Interval>) -> Option<Interval> {
    let ExprKind::Binary(operator, tested, bound) = &condition.kind else { return None };
    let same = tested.base().is_some() && tested.base() == value.base();
    let compares = matches!(operator.as_str(), ">" | ">=" | "<" | "<=");
    (same && compares).then(|| interval(bound, known)).flatten().map(|(_, most)| (0, most))
}
