//! Checks tables: their rows, values of functions, and pairs of modifiers that should be forbidden.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::Lint;
use super::classes::*;
use super::condition::Condition;
use super::model::{Optype, Page};
use crate::layout::{Span, Table};
use crate::pseudo::ExprKind;

pub fn check(lint: &mut Lint) {
    let set = lint.set;
    for page in set.pages {
        for definition in &page.document.definitions {
            for table in definition.sections.iter().flat_map(|section| section.tables()) {
                shape(lint, page, &definition.name, table);
                special_values(lint, page, &definition.name, table);
            }
        }
    }
    for optype in &set.optypes {
        families(lint, optype);
        operators(lint, optype);
        for table in optype.definition.sections.iter().flat_map(|section| section.tables()) {
            combinations(lint, optype, table);
        }
    }
}

/// Reports rows with another number of cells than the head, and repeated rows.
pub fn shape(lint: &mut Lint, page: &Page, of: &str, table: &Table) {
    let Some(head) = table.rows.first() else { return };
    let mut seen: HashSet<Vec<&str>> = HashSet::new();
    for row in &table.rows[1..] {
        let (Some(first), Some(last)) = (row.first(), row.last()) else { continue };
        let span = first.start..last.end;
        if row.len() != head.len() {
            let message = format!("this row has {} cells, and the head has {}", row.len(), head.len());
            lint.report(&UNEVEN_TABLE, page, span.clone(), of, message);
        }
        if !seen.insert(row.iter().map(|cell| page.text(cell)).collect()) {
            lint.report(&REPEATED_ROW, page, span, of, "this row repeats one above".to_owned());
        }
    }
}

/// Returns the function with this short name.
fn function(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "COS" => f64::cos,
        "SIN" => f64::sin,
        "TAN" => f64::tan,
        "TANH" => f64::tanh,
        "EX2" | "EXP2" => f64::exp2,
        "LG2" | "LOG2" => f64::log2,
        "SQRT" => f64::sqrt,
        "RCP" => f64::recip,
        "RSQ" | "RSQRT" => |x| x.sqrt().recip(),
        _ => return None,
    })
}

/// Returns the numbers of a cell: `-0.0`, `+Inf` or `QNAN` give one number, and `±x` gives two.
fn cell_values(text: &str) -> Vec<f64> {
    let unsigned = |text: &str| match text {
        "Inf" => Some(f64::INFINITY),
        "NAN" | "NaN" | "QNAN" => Some(f64::NAN),
        _ => text.parse::<f64>().ok().filter(|_| text.starts_with(|c: char| c.is_ascii_digit())),
    };
    let signs: &[f64] = match text.chars().next() {
        Some('±') => &[1.0, -1.0],
        Some('-') => &[-1.0],
        _ => &[1.0],
    };
    let value = unsigned(text.trim_start_matches(['±', '-', '+']));
    value.into_iter().flat_map(|value| signs.iter().map(move |sign| sign * value)).collect()
}

/// Compares an `input | output` table with the functions that its heading names.
fn special_values(lint: &mut Lint, page: &Page, of: &str, table: &Table) {
    let Some(heading) = &table.heading else { return };
    for name in page.text(heading).split('/') {
        let Some(function) = function(name.split('.').next().unwrap_or_default().trim()) else { continue };
        for row in table.rows.iter().skip(1) {
            let [input, output] = row.as_slice() else { continue };
            let (inputs, outputs) = (cell_values(page.text(input)), cell_values(page.text(output)));
            let [output] = outputs.as_slice() else { continue };
            let is = |x: f64| function(x) == *output || (function(x).is_nan() && output.is_nan());
            if let Some(input) = inputs.iter().find(|input| !is(**input)) {
                let message = format!("{name} of {input} is {}, not {output}", function(*input));
                lint.report(&SPECIAL_VALUE, page, row[0].start..row[1].end, of, message);
            }
        }
    }
}

/// Maximum number of compared families, and of tables in a family.
const FAMILIES: usize = 32;

/// Reports tables headed `NAME.A` and `NAME.B` whose rows differ.
fn families(lint: &mut Lint, optype: &Optype) {
    let page = optype.page;
    let mut families: BTreeMap<&str, Vec<(&Span, BTreeSet<&str>)>> = BTreeMap::new();
    for table in optype.definition.sections.iter().flat_map(|section| section.tables()) {
        let Some(heading) = &table.heading else { continue };
        if families.len() > FAMILIES {
            break;
        }
        let Some((family, _)) = page.text(heading).split_once('.') else { continue };
        let keys =
            table.rows.iter().skip(1).filter_map(|row| row.first()).map(|cell| page.text(cell)).collect();
        let tables = families.entry(family).or_default();
        if tables.len() < FAMILIES {
            tables.push((heading, keys));
        }
    }
    for (family, tables) in families.into_iter().filter(|(_, tables)| tables.len() > 1) {
        let all: BTreeSet<&str> = tables.iter().flat_map(|(_, keys)| keys.iter().copied()).collect();
        for (heading, keys) in tables {
            let missing: Vec<&str> = all.difference(&keys).copied().collect();
            if !missing.is_empty() {
                let message = format!(
                    "other tables of {family} have rows for {}, this one has not",
                    missing.join(", ")
                );
                lint.report(&ROWS_DIFFER, page, heading.clone(), optype.name(), message);
            }
        }
    }
}

/// Reports values of a modifier that is used as an operator, if no table shows their operator sign.
fn operators(lint: &mut Lint, optype: &Optype) {
    let page = optype.page;
    let mut used: HashSet<&str> = HashSet::new();
    for statement in optype.routines().flat_map(|routine| &routine.body) {
        statement.walk(&mut |statement| {
            for expr in statement.exprs() {
                expr.walk(&mut |expr| {
                    if let ExprKind::Binary(word, ..) = &expr.kind {
                        used.insert(word);
                    }
                });
            }
        });
    }
    let is_operator = |cell: &&Span| {
        let text = page.text(cell);
        !text.is_empty() && text.chars().all(|c| c.is_ascii_punctuation()) && !text.starts_with('.')
    };
    let rows =
        optype.definition.sections.iter().flat_map(|section| section.tables()).flat_map(|table| &table.rows);
    let explained: HashSet<&str> = rows
        .filter(|row| row.iter().any(|cell| is_operator(&cell)))
        .flatten()
        .filter_map(|cell| page.text(cell).strip_prefix('.'))
        .collect();
    for list in optype.syntax.lists.iter().filter(|list| used.contains(list.name.as_str())) {
        let without: Vec<&str> = list
            .values
            .iter()
            .map(|(value, _)| value.as_str())
            .filter(|value| !explained.contains(value))
            .collect();
        if !without.is_empty() {
            let message =
                format!("`{}` stands as an operator, and {} are none", list.name, without.join(", "));
            lint.report(&OPERATOR_UNDEFINED, page, list.span.clone(), optype.name(), message);
        }
    }
}

/// Maximum number of value pairs of a table. Larger tables are skipped.
const PAIRS: usize = 1 << 14;

/// Compares a table of the legal pairs of two modifiers with the exceptions, which should forbid
/// all other pairs.
fn combinations(lint: &mut Lint, optype: &Optype, table: &Table) {
    let page = optype.page;
    let Some(head) = table.rows.first() else { return };
    let list = |cell: &Span| page.text(cell).strip_prefix('.').and_then(|name| optype.syntax.list(name));
    let [first, second] = head.as_slice() else { return };
    let (Some(first), Some(second)) = (list(first), list(second)) else { return };
    let mut legal: HashSet<(&str, &str)> = HashSet::new();
    let mut pairs = first.values.len() * second.values.len();
    let values = |cell: &Span| -> Vec<&str> {
        page.text(cell).split('/').map(|v| v.trim().trim_start_matches('.')).collect()
    };
    for row in &table.rows[1..] {
        let [one, other] = row.as_slice() else { return };
        let (ones, others) = (values(one), values(other));
        pairs += ones.len() * others.len();
        if pairs > PAIRS {
            return;
        }
        for one in ones {
            legal.extend(others.iter().map(|other| (one, *other)));
        }
    }
    let exceptions = optype.forms.first().map(|form| &form.facts.body.exceptions);
    let forbidden: Vec<Condition> = exceptions
        .into_iter()
        .flatten()
        .filter_map(|exception| Condition::read(&exception.condition))
        .collect();
    let mut open = Vec::new();
    for (one, _) in &first.values {
        for (other, _) in &second.values {
            let value = |name: &str| {
                let found =
                    if name == first.name { Some(one) } else { (name == second.name).then_some(other) };
                found.cloned()
            };
            let is_legal = legal.contains(&(one.as_str(), other.as_str()));
            if !is_legal && !forbidden.iter().any(|condition| condition.holds(&value)) {
                open.push(format!("{one} with {other}"));
            }
        }
    }
    if let Some(example) = open.first() {
        let span = head[0].start..head[1].end;
        let message = format!(
            "{} pairs are not in this table and no exception forbids them, such as {example}",
            open.len()
        );
        lint.report(&PAIR_NOT_EXCLUDED, page, span, optype.name(), message);
    }
}
