//! Checks pseudo-code: names, heads, and single statements.

use std::collections::HashSet;

use super::classes::*;
use super::model::{Optype, Page, ROUTINES, names};
use super::{Class, Lint};
use crate::pseudo::{Code, Expr, ExprKind, Routine, Statement, StatementKind};

/// Words that any code may use as names.
const WORDS: [&str; 6] = ["true", "false", "and", "or", "not", "else"];

pub fn check(lint: &mut Lint) {
    for optype in lint.set.optypes.iter().filter(|optype| !optype.code.is_empty()) {
        let functions: HashSet<&str> = optype
            .routines()
            .filter(|r| r.is_function)
            .flat_map(|r| r.name.first())
            .map(|(name, _)| name.as_str())
            .collect();
        let known = known_names(lint, optype);
        for code in &optype.code {
            grammar(lint, optype.page, optype.name(), code);
            for routine in code.routines.iter().take(ROUTINES) {
                head(lint, optype, routine);
                undefined(lint, optype.page, optype.name(), routine, &known, &functions);
                sources(lint, optype, routine);
                slices(lint, optype, routine);
                loops(lint, optype.page, optype.name(), routine);
                unreachable(lint, optype.page, optype.name(), &routine.body);
            }
            comments(lint, optype, code);
        }
        unused_modifiers(lint, optype);
        unnamed_values(lint, optype);
    }
}

/// Reports grammar errors of pseudo-code.
pub fn grammar(lint: &mut Lint, page: &Page, of: &str, code: &Code) {
    for (span, what) in &code.faults {
        lint.report(&CODE_FAULT, page, span.clone(), of, (*what).to_owned());
    }
    for span in &code.unended {
        lint.report(
            &MISSING_SEMICOLON,
            page,
            span.clone(),
            of,
            "the statement has no `;` at its end".to_owned(),
        );
    }
    for span in &code.braceless {
        let message = "several statements are indented below this and no braces hold them".to_owned();
        lint.report(&MISSING_BRACES, page, span.clone(), of, message);
    }
}

/// Reports heads of routines whose mnemonic or modifiers differ from the syntax lines.
fn head(lint: &mut Lint, optype: &Optype, routine: &Routine) {
    let Some((name, span)) = routine.name.first().filter(|_| !routine.is_function) else { return };
    let page = optype.page;
    let known = |word: &str| {
        let lines = optype.syntax.lines.iter();
        let words = lines.flat_map(|line| {
            let own = line.modifiers.iter().chain(line.slots.iter().filter_map(|slot| slot.suffix.as_ref()));
            own.map(|modifier| modifier.name.as_str())
        });
        words.into_iter().any(|known| known.eq_ignore_ascii_case(word))
            || optype.names.contains(word)
            || optype.syntax.list(word).is_some()
    };
    if optype.syntax.lines.is_empty() {
        return;
    }
    if optype.syntax.lines.iter().all(|line| line.mnemonic != *name) {
        let message = format!("the head is of `{name}`, and the optype is `{}`", optype.name());
        lint.report(&HEAD_MNEMONIC, page, span.clone(), optype.name(), message);
    }
    for (word, span) in routine.name.iter().skip(1).filter(|(word, _)| !known(word)) {
        let message = format!("`.{word}` is no modifier of `{}`", optype.name());
        lint.report(&HEAD_MODIFIER, page, span.clone(), optype.name(), message);
    }
}

/// Returns every name that code of an optype may use without defining it.
fn known_names(lint: &Lint, optype: &Optype) -> HashSet<String> {
    let mut known: HashSet<String> = WORDS.iter().map(|word| (*word).to_owned()).collect();
    let slots = optype.syntax.lines.iter().flat_map(|line| &line.slots);
    known.extend(slots.map(|slot| slot.name.clone()));
    known.extend(optype.syntax.lists.iter().map(|list| list.name.clone()));
    known.extend(optype.fields.iter().map(|field| field.name.clone()));
    known.extend(lint.registers.iter().cloned());
    known
}

/// Reports undefined names, once a routine, and undefined functions, once for all documents.
pub fn undefined(
    lint: &mut Lint,
    page: &Page,
    of: &str,
    routine: &Routine,
    known: &HashSet<String>,
    functions: &HashSet<&str>,
) {
    let mut own: HashSet<&str> = routine.operands.iter().map(|(name, _)| name.as_str()).collect();
    let mut reported: HashSet<&str> = HashSet::new();
    // An assignment anywhere defines a name. Another rule checks the order.
    for statement in &routine.body {
        statement.walk(&mut |statement| {
            let StatementKind::Assign { targets, update: None, .. } = &statement.kind else { return };
            own.extend(targets.iter().filter_map(Expr::base));
        });
    }
    let is_known = |name: &str| {
        // A register is recognised by its letters, such as `R` in `R7`.
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        own.contains(name) || known.contains(name) || known.contains(letters)
    };
    let mut see = |expr: &Expr| {
        if let ExprKind::Call(name, _) = &expr.kind
            && !functions.contains(name.as_str())
            && !is_known(name)
            && lint.once(&UNDEFINED_FUNCTION, name)
        {
            let message = format!("function `{name}` is defined nowhere");
            lint.report(&UNDEFINED_FUNCTION, page, expr.span.clone(), of, message);
        }
    };
    let mut undefined = Vec::new();
    for statement in &routine.body {
        statement.walk(&mut |statement| {
            for expr in statement.exprs() {
                expr.walk(&mut |expr| {
                    see(expr);
                    let name = match &expr.kind {
                        ExprKind::Name(name) => name,
                        ExprKind::Binary(word, ..) if word.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                            word
                        }
                        _ => return,
                    };
                    let base = name.split('.').next().unwrap_or_default();
                    if !is_known(name) && !is_known(base) && reported.insert(name) {
                        undefined.push((expr.span.clone(), name));
                    }
                });
            }
        });
    }
    for (span, name) in undefined {
        lint.report(&UNDEFINED_NAME, page, span, of, format!("`{name}` is defined nowhere"));
    }
}

/// Reports assignments to operands or memory that are not in `OutList`.
fn sources(lint: &mut Lint, optype: &Optype, routine: &Routine) {
    let outs: HashSet<String> = optype
        .forms
        .iter()
        .flat_map(|form| &form.facts.body.outs)
        .flat_map(|entry| names(entry))
        .map(str::to_ascii_lowercase)
        .collect();
    if routine.is_function || optype.forms.is_empty() {
        return;
    }
    let operands: HashSet<&str> = routine.operands.iter().map(|(name, _)| name.as_str()).collect();
    let mut found: Vec<(&'static Class, &Expr)> = Vec::new();
    let mut seen = HashSet::new();
    for statement in &routine.body {
        statement.walk(&mut |statement| {
            let StatementKind::Assign { targets, ty: None, .. } = &statement.kind else { return };
            for target in targets {
                let base = target.base().unwrap_or_default();
                let is_operand = operands.contains(base);
                let memory = matches!(target.kind, ExprKind::Unary(ref sign, _) if sign == "*");
                if outs.contains(&base.to_ascii_lowercase()) || (!is_operand && !memory) || !seen.insert(base)
                {
                    continue;
                }
                found.push((if outs.is_empty() { &OUTPUT_UNLISTED } else { &ASSIGNS_SOURCE }, target));
            }
        });
    }
    for (class, target) in found {
        let what = optype.page.text(&target.span);
        let message = match class.name {
            "output-unlisted" => format!("`{what}` is written, and no OutList says that anything is"),
            _ => format!("`{what}` is a source, and a value is assigned to it"),
        };
        lint.report(class, optype.page, target.span.clone(), optype.name(), message);
    }
    reads_memory(lint, optype, routine);
}

/// Reports memory accesses, because the documents do not specify the addressed memory.
fn reads_memory(lint: &mut Lint, optype: &Optype, routine: &Routine) {
    for statement in &routine.body {
        for expr in statement.exprs() {
            if let ExprKind::Unary(sign, of) = &expr.kind
                && sign == "*"
            {
                let what = optype.page.text(&of.span);
                let message = format!("what `{what}` addresses, in which unit and how far, is not given");
                lint.report(&UNKNOWN_MEMORY, optype.page, expr.span.clone(), optype.name(), message);
            }
        }
    }
}

/// Reports the first bit range that is written with the low bit first.
fn slices(lint: &mut Lint, optype: &Optype, routine: &Routine) {
    let mut first = None;
    for statement in &routine.body {
        statement.walk(&mut |statement| {
            for expr in statement.exprs() {
                expr.walk(&mut |expr| {
                    let ExprKind::Index(_, index) = &expr.kind else { return };
                    let bound = |expr: &Expr| match &expr.kind {
                        ExprKind::Number(text) => text.parse::<u32>().ok(),
                        _ => None,
                    };
                    if let [high, low] = index.as_slice()
                        && let (Some(high), Some(low)) = (bound(high), bound(low))
                        && high < low
                        && first.is_none()
                    {
                        first = Some(expr.span.clone());
                    }
                });
            }
        });
    }
    if let Some(span) = first {
        let message = "this part of a value has its low bit first".to_owned();
        lint.report(&SLICE_ORDER, optype.page, span, optype.name(), message);
    }
}

/// Reports loops in which no statement changes the condition.
pub fn loops(lint: &mut Lint, page: &Page, of: &str, routine: &Routine) {
    let mut endless = Vec::new();
    for statement in &routine.body {
        statement.walk(&mut |statement| {
            let StatementKind::Loop { condition: Some(condition), step, body, .. } = &statement.kind else {
                return;
            };
            let mut watched = HashSet::new();
            condition.walk(&mut |expr| watched.extend(expr.base()));
            if !step.iter().chain(body).any(|inner| changes(inner, &watched)) {
                endless.push(condition.span.clone());
            }
        });
    }
    for span in endless {
        let message = "nothing in the loop changes what its condition reads".to_owned();
        lint.report(&ENDLESS_LOOP, page, span, of, message);
    }
}

fn changes(statement: &Statement, watched: &HashSet<&str>) -> bool {
    let mut found = false;
    statement.walk(&mut |statement| match &statement.kind {
        StatementKind::Assign { targets, .. } => {
            found |= targets.iter().filter_map(Expr::base).any(|name| watched.contains(name));
        }
        StatementKind::Break | StatementKind::Continue | StatementKind::Return(_) => found = true,
        _ => {}
    });
    found
}

/// Reports statements after `break` or `return`, and conditions that repeat the condition of an
/// earlier arm.
fn unreachable(lint: &mut Lint, page: &Page, of: &str, body: &[Statement]) {
    for pair in body.windows(2) {
        let ends = |kind: &StatementKind| {
            matches!(kind, StatementKind::Break | StatementKind::Continue | StatementKind::Return(_))
        };
        if ends(&pair[0].kind) {
            let message = "nothing reaches this statement".to_owned();
            lint.report(&UNREACHABLE, page, pair[1].span.clone(), of, message);
        }
    }
    for statement in body {
        if let StatementKind::If { arms } | StatementKind::Switch { cases: arms, .. } = &statement.kind {
            let mut seen = HashSet::new();
            for condition in arms.iter().filter_map(|(condition, _)| condition.as_ref()) {
                if !seen.insert(page.text(&condition.span)) {
                    let message = "an arm before this one has the same condition".to_owned();
                    lint.report(&UNREACHABLE, page, condition.span.clone(), of, message);
                }
            }
        }
        for block in statement.blocks() {
            unreachable(lint, page, of, block);
        }
    }
}

/// Reports a numbered name in a comment, such as `R3`, that lacks the first character of a name in
/// the code, such as `UR3`.
fn comments(lint: &mut Lint, optype: &Optype, code: &Code) {
    let page = optype.page;
    let mut used: HashSet<&str> = HashSet::new();
    for statement in code.routines.iter().flat_map(|routine| &routine.body) {
        statement.walk(&mut |statement| {
            for expr in statement.exprs() {
                expr.walk(&mut |expr| used.extend(expr.base()));
            }
        });
    }
    let tails: HashSet<&str> = used.iter().filter_map(|name| name.get(1..)).collect();
    for comment in &code.comments {
        let words = page.text(comment).split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let is_numbered = |word: &&str| word.len() > 1 && word.ends_with(|c: char| c.is_ascii_digit());
        let lost = words.filter(is_numbered).find(|word| {
            word.starts_with(|c: char| c.is_ascii_uppercase()) && tails.contains(word) && !used.contains(word)
        });
        if let Some(word) = lost {
            let message =
                format!("the comment speaks of `{word}`, and the code of another name that ends so");
            lint.report(&COMMENT_NAME, page, comment.clone(), optype.name(), message);
        }
    }
}

/// Reports modifiers with a value list that no statement reads.
fn unused_modifiers(lint: &mut Lint, optype: &Optype) {
    let mut used: HashSet<&str> = HashSet::new();
    let mut statements = 0;
    for routine in optype.routines() {
        // A head that spells a value (`NAME.LO`) counts as a read of the modifier.
        for list in &optype.syntax.lists {
            if routine.name.iter().any(|(word, _)| list.values.iter().any(|(value, _)| value == word)) {
                used.insert(&list.name);
            }
        }
        for statement in &routine.body {
            statement.walk(&mut |statement| {
                statements += 1;
                for expr in statement.exprs() {
                    expr.walk(&mut |expr| match &expr.kind {
                        ExprKind::Modifier(name) | ExprKind::Name(name) | ExprKind::Binary(name, ..) => {
                            used.insert(name);
                        }
                        _ => {}
                    });
                }
            });
        }
    }
    // The use of a value counts as a read of its modifier.
    let looked_at = |list: &crate::asm::ValueList| {
        used.contains(list.name.as_str())
            || list.values.iter().any(|(value, _)| used.contains(value.as_str()))
    };
    for list in optype.syntax.lists.iter().filter(|list| statements > 0 && !looked_at(list)) {
        let message = format!("`.{}` is written, and no statement of the pseudo-code looks at it", list.name);
        lint.report(&MODIFIER_UNUSED, optype.page, list.span.clone(), optype.name(), message);
    }
}

/// Reports value lists if the pseudo-code names some of the values, but leaves out more than two.
fn unnamed_values(lint: &mut Lint, optype: &Optype) {
    let mut named: HashSet<&str> = HashSet::new();
    for statement in optype.routines().flat_map(|routine| &routine.body) {
        statement.walk(&mut |statement| {
            for expr in statement.exprs() {
                expr.walk(&mut |expr| {
                    if let ExprKind::Modifier(name) = &expr.kind {
                        named.insert(name);
                    }
                });
            }
        });
    }
    for list in &optype.syntax.lists {
        let (known, unknown): (Vec<_>, Vec<_>) =
            list.values.iter().map(|(value, _)| value.as_str()).partition(|value| named.contains(value));
        if !known.is_empty() && unknown.len() > 2 {
            let message = format!(
                "the pseudo-code tells .{} apart, and never {}",
                known.join(" ."),
                unknown.join(", ")
            );
            lint.report(&VALUE_NEVER_HANDLED, optype.page, list.span.clone(), optype.name(), message);
        }
    }
}
