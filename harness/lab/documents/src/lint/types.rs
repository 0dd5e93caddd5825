//! Checks bit-field types: undefined types, types without numbers, values that do not fit.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Lint;
use super::classes::*;
use super::model::{Optype, Page, is_literal};
use crate::asm::ValueList;
use crate::document::Definition;
use crate::facts::FieldFacts;
use crate::layout::Span;

/// How the documents use a type.
struct Use<'a> {
    first: (&'a Page, &'a Definition, &'a FieldFacts),
    /// Values that defaults and constraints name.
    names: BTreeSet<&'a str>,
    /// Number of fields of the type, by their width.
    widths: BTreeMap<u8, usize>,
    /// Whether a value list of a syntax belongs to a field of this type.
    listed: bool,
}

pub fn check(lint: &mut Lint) {
    let uses = uses(lint);
    let mut names: Vec<_> = uses.keys().copied().collect();
    names.sort_unstable();
    for name in names {
        undefined(lint, name, &uses[name]);
    }
    uses_against_definitions(lint, &uses);
    for (page, definition, field) in lint.set.declared_fields() {
        values(lint, page, definition, field);
    }
    for optype in &lint.set.optypes {
        for list in &optype.syntax.lists {
            value_list(lint, optype, list);
        }
    }
    for page in lint.set.pages {
        commented_out(lint, page);
    }
}

fn uses<'a>(lint: &Lint<'a>) -> HashMap<&'a str, Use<'a>> {
    let mut uses: HashMap<&str, Use> = HashMap::new();
    for (page, definition, field) in lint.set.declared_fields() {
        let first = (page, definition, field);
        let entry = uses.entry(&field.ty).or_insert_with(|| Use {
            first,
            names: BTreeSet::new(),
            widths: BTreeMap::new(),
            listed: false,
        });
        entry.names.extend(field.default.iter().chain(&field.constraint).map(String::as_str));
        *entry.widths.entry(field.width).or_default() += 1;
    }
    for optype in &lint.set.optypes {
        for list in &optype.syntax.lists {
            for field in listed_fields(optype, &list.name) {
                if let Some(entry) = uses.get_mut(field.ty.as_str()) {
                    entry.listed = true;
                }
            }
        }
    }
    uses
}

/// Returns the fields that a modifier sets: `mode`, or `rb.half` for `half`.
pub fn listed_fields<'a>(optype: &Optype<'a>, modifier: &str) -> Vec<&'a FieldFacts> {
    let fields = optype.fields.iter().copied();
    fields.filter(|field| field.attribute() == modifier).collect()
}

fn undefined(lint: &mut Lint, name: &str, used: &Use) {
    let (page, definition, field) = used.first;
    let span = page.at(&field.at);
    if lint.set.types.contains_key(name) {
        return;
    }
    let named = used.names.iter().any(|value| value.parse::<u64>().is_err());
    if named || used.listed {
        let values: Vec<_> = used.names.iter().copied().take(6).collect();
        let message = format!("no number is given for any value of type `{name}` ({})", values.join(", "));
        lint.report(&WITHOUT_NUMBERS, page, span, &definition.name, message);
    } else if !(is_literal(name) && name.contains(&field.width.to_string())) {
        let message = format!("type `{name}` is defined nowhere");
        lint.report(&UNDEFINED_TYPE, page, span, &definition.name, message);
    }
}

/// Reports types that only another document defines, and fields with another width than their type.
fn uses_against_definitions(lint: &mut Lint, uses: &HashMap<&str, Use>) {
    for (page, definition, field) in lint.set.declared_fields() {
        let (ty, used) = (field.ty.as_str(), &uses[field.ty.as_str()]);
        let defined = lint.set.types.get(ty).copied();
        if let Some((home, _)) = defined
            && !std::ptr::eq(home, page)
            && lint.once(&TYPE_ELSEWHERE, &format!("{} {ty}", page.source.name))
        {
            let message = format!("type `{ty}` is defined in {} only", home.source.name);
            lint.report(&TYPE_ELSEWHERE, page, page.at(&field.at), &definition.name, message);
        }
        let usual = used.widths.iter().max_by_key(|(_, count)| **count).map(|(width, _)| *width);
        let wanted = defined.map(|(_, ty)| ty.width).or(usual);
        if let Some(wanted) = wanted.filter(|wanted| *wanted != field.width) {
            let message =
                format!("`{}` is {} bits wide, and type `{ty}` has {wanted}", field.name, field.width);
            lint.report(&WIDTH_DIFFERS, page, page.at(&field.at), &definition.name, message);
        }
    }
}

/// Compares the default and the constraint of a field with the values of its type.
fn values(lint: &mut Lint, page: &Page, definition: &Definition, field: &FieldFacts) {
    for value in field.default.iter().chain(&field.constraint) {
        let listed =
            lint.set.types.get(field.ty.as_str()).map(|(_, ty)| ty.values.iter().any(|v| v.name == *value));
        if listed == Some(true) {
            continue;
        }
        let number = value.parse::<u64>().ok();
        if number.is_some_and(|number| field.width < 64 && number >> field.width > 0) {
            let message = format!(
                "read as a number, `{value}` does not fit the {} bits of `{}`",
                field.width, field.name
            );
            lint.report(&VALUE_TOO_WIDE, page, page.at(&field.at), &definition.name, message);
        } else if listed == Some(false) && number.is_none() {
            let message = format!("`{value}` is no value of type `{}`", field.ty);
            lint.report(&UNKNOWN_VALUE, page, page.at(&field.at), &definition.name, message);
        }
    }
}

/// Compares a value list with its field.
fn value_list(lint: &mut Lint, optype: &Optype, list: &ValueList) {
    let page = optype.page;
    for (span, what) in &list.faults {
        lint.report(&SYNTAX_FAULT, page, span.clone(), optype.name(), (*what).to_owned());
    }
    let Some(field) = listed_fields(optype, &list.name).into_iter().next() else { return };
    let span = list.span.clone();
    let has = |value: &str| list.values.iter().any(|(name, _)| name == value);
    let codes = 1usize.checked_shl(field.width.into()).unwrap_or(usize::MAX);
    if list.values.len() > codes {
        let message =
            format!("{} values do not fit the {} bits of `{}`", list.values.len(), field.width, field.name);
        lint.report(&LIST_TOO_LONG, page, span.clone(), optype.name(), message);
    } else if list.values.len() < codes && lint.once(&RESERVED_CODES, &field.ty) {
        let message = format!(
            "`{}` has {codes} codes and .{} lists {}: what the others mean is not given",
            field.ty,
            list.name,
            list.values.len()
        );
        lint.report(&RESERVED_CODES, page, span.clone(), optype.name(), message);
    }
    match (&field.default, &list.starred) {
        (Some(default), _) if !has(default) => {
            let message =
                format!("the default `{default}` of `{}` is no value of .{}", field.name, list.name);
            lint.report(&DEFAULT_NOT_LISTED, page, span, optype.name(), message);
        }
        (Some(default), Some(starred)) if default != starred => {
            let message =
                format!("`{}` has the default `{default}`, and the star is at `.{starred}`", field.name);
            lint.report(&DEFAULT_DIFFERS, page, span, optype.name(), message);
        }
        (None, Some(starred)) => {
            let message = format!("`.{starred}` has a star, and field `{}` has no default", field.name);
            lint.report(&DEFAULT_DIFFERS, page, span, optype.name(), message);
        }
        _ => {}
    }
}

/// Reports values of types that are commented out, and types with codes that have no value.
fn commented_out(lint: &mut Lint, page: &Page) {
    let lines = page.source.line_count();
    for ty in &page.document.types {
        let body = (ty.at.line as usize..lines).map(|line| page.source.line(line));
        let body = body.take_while(|line| !page.text(line).trim_start().starts_with("__"));
        let is_entry = |line: &Span| page.text(line).trim_start().strip_prefix("//").is_some_and(is_value);
        let skipped: Vec<_> = body.filter(is_entry).collect();
        if let Some(span) = skipped.first() {
            let message = format!(
                "{} values of `{}` are commented out, and whether they keep their numbers is not given",
                skipped.len(),
                ty.name
            );
            lint.report(&COMMENTED_OUT, page, span.clone(), &ty.name, message);
        }
        let codes = 1usize.checked_shl(ty.width.into()).unwrap_or(usize::MAX);
        if ty.values.len() < codes && lint.once(&RESERVED_CODES, &ty.name) {
            let (name, values) = (&ty.name, ty.values.len());
            let message =
                format!("`{name}` has {codes} codes and {values} values: what the others mean is not given");
            lint.report(&RESERVED_CODES, page, page.at(&ty.at), name, message);
        }
    }
}

/// Whether a comment looks like a value: a word in capitals and `;`.
fn is_value(comment: &str) -> bool {
    let word = comment.split_whitespace().next().unwrap_or_default();
    let name = word.trim_end_matches(';');
    let capitals =
        name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_' || b == b'.');
    word.ends_with(';') && capitals && name.starts_with(|c: char| c.is_ascii_uppercase())
}
