//! Compares similar things: forms of an optype, optypes of a group, uses of a bit.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::Lint;
use super::classes::*;
use super::condition::comparisons;
use super::model::{Optype, Page, register_name};
use crate::document::Definition;
use crate::facts::FieldFacts;

pub fn check(lint: &mut Lint) {
    for optype in &lint.set.optypes {
        widths(lint, optype);
        conditions(lint, optype);
    }
    guards(lint);
    placeholders(lint);
    bits(lint);
    near_names(lint);
    numbered(lint);
}

/// Returns the most frequent key, and the items with another key.
fn odd_ones<K: Ord + Copy, T>(items: Vec<(K, T)>) -> Option<(K, Vec<(K, T)>)> {
    let mut counts: BTreeMap<K, usize> = BTreeMap::new();
    for (key, _) in &items {
        *counts.entry(*key).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    let usual = counts.into_iter().find(|(_, count)| *count == most).map(|(key, _)| key)?;
    Some((usual, items.into_iter().filter(|(key, _)| *key != usual).collect()))
}

/// The width of an operand, the operand's name, and the index of the form.
type Width<'a> = (&'a str, (&'a str, usize));

/// Reports operands whose width differs from their width in most forms. Operands with the same last
/// letter count as one operand.
fn widths(lint: &mut Lint, optype: &Optype) {
    let mut places: BTreeMap<char, Vec<Width>> = BTreeMap::new();
    for (index, form) in
        optype.forms.iter().enumerate().filter(|(_, form)| form.definition.body.exceptions.is_empty())
    {
        for (operand, width) in &form.facts.body.bitwidths {
            if let Some(letter) = operand.chars().last().filter(|_| form.field(operand).is_some()) {
                places.entry(letter).or_default().push((width, (operand, index)));
            }
        }
    }
    for widths in places.into_values() {
        let Some((usual, odd)) = odd_ones(widths).filter(|(_, odd)| !odd.is_empty()) else { continue };
        for (width, (operand, index)) in odd {
            let form = &optype.forms[index];
            let name = form.definition.name.as_str();
            let message =
                format!("Bitwidth<{operand}> of `{name}` is {width}, and in most other forms it is {usual}");
            let span = form.page.place(form.definition, &format!("Bitwidth<{operand}>"));
            lint.report(&BITWIDTH_DIFFERS, form.page, span, name, message);
        }
    }
}

/// Checks `field=="value"` in exceptions and widths: the field and value must exist, and no case
/// may be missing.
fn conditions(lint: &mut Lint, optype: &Optype) {
    let page = optype.page;
    let mut seen = HashSet::new();
    for form in &optype.forms {
        let body = &form.facts.body;
        let exceptions = body.exceptions.iter().map(|e| (format!("EncodingError<{}>", e.kind), &e.condition));
        let widths = body.bitwidths.iter().map(|(operand, width)| (format!("Bitwidth<{operand}>"), width));
        for (place, condition) in exceptions.chain(widths) {
            let definition =
                [form.definition, optype.definition].into_iter().find(|d| d.places.contains_key(&place));
            let Some(definition) = definition.filter(|d| seen.insert((place.clone(), d.name.as_str())))
            else {
                continue;
            };
            for (name, value) in comparisons(condition) {
                compared(lint, optype, definition, &place, name, value);
            }
            if place.starts_with("Bitwidth") {
                missing_case(lint, page, optype, definition, &place, condition);
            }
        }
    }
}

fn compared(lint: &mut Lint, optype: &Optype, definition: &Definition, place: &str, name: &str, value: &str) {
    let page = optype.page;
    let span = page.place(definition, place);
    let Some(field) = optype.fields.iter().find(|field| field.name == name) else {
        let message = format!("the condition compares `{name}`, and there is no such field");
        lint.report(&CONDITION_FIELD, page, span, &definition.name, message);
        return;
    };
    let listed = optype.syntax.list(name).map(|list| list.values.iter().any(|(known, _)| known == value));
    let words =
        optype.syntax.lines.iter().flat_map(|line| &line.modifiers).any(|modifier| modifier.name == value);
    let defined =
        lint.set.types.get(field.ty.as_str()).map(|(_, ty)| ty.values.iter().any(|v| v.name == value));
    if listed.or(defined) == Some(false) && !words {
        let message = format!("the condition compares `{name}` with `{value}`, which is none of its values");
        lint.report(&CONDITION_VALUE, page, span, &definition.name, message);
    }
}

/// Reports a `Bitwidth` that lacks a case for a listed value larger than its base width.
fn missing_case(
    lint: &mut Lint,
    page: &Page,
    optype: &Optype,
    definition: &Definition,
    place: &str,
    condition: &str,
) {
    let base =
        condition.split(|c: char| !c.is_ascii_digit()).next().and_then(|base| base.parse::<u32>().ok());
    let compared = comparisons(condition);
    let (Some(base), Some((name, _))) = (base, compared.first()) else { return };
    let Some(list) = optype.syntax.list(name) else { return };
    for (value, _) in &list.values {
        let larger = value.parse::<u32>().is_ok_and(|bits| bits > base);
        if larger && compared.iter().all(|(_, known)| known != value) {
            let message = format!("{place} has no case for .{value}");
            lint.report(&WIDTH_CASE_MISSING, page, page.place(definition, place), &definition.name, message);
        }
    }
}

/// Reports an optype if most optypes that write the same register type have another type of guard.
fn guards(lint: &mut Lint) {
    let set = lint.set;
    let mut kinds: BTreeMap<&str, Vec<(&str, usize)>> = BTreeMap::new();
    for (index, optype) in set.optypes.iter().enumerate() {
        let Some(form) = optype.forms.first() else { continue };
        let guard = form.facts.body.order.first().and_then(|name| form.field(name));
        let Some(out) = form.facts.body.outs.first().and_then(|name| form.field(name)) else { continue };
        if let Some(guard) = guard {
            kinds.entry(&out.ty).or_default().push((&guard.ty, index));
        }
    }
    for (ty, optypes) in kinds {
        let all = optypes.len();
        let Some((usual, odd)) = odd_ones(optypes) else { continue };
        for (guard, index) in odd.into_iter().filter(|_| all > 4) {
            let optype = &set.optypes[index];
            let message = format!(
                "`{}` writes a `{ty}` under a `{guard}`, and others do so under a `{usual}`",
                optype.name()
            );
            let span = optype.page.at(&optype.definition.at);
            lint.report(&GUARD_DIFFERS, optype.page, span, optype.name(), message);
        }
    }
}

/// Reports optypes whose line ends in other placeholders than the lines of their group.
fn placeholders(lint: &mut Lint) {
    let set = lint.set;
    let mut groups: BTreeMap<&str, Vec<(Vec<&str>, usize)>> = BTreeMap::new();
    for (index, optype) in set.optypes.iter().enumerate() {
        if let Some(line) = optype.syntax.lines.first() {
            let names = line.placeholders.iter().map(|(name, _)| name.as_str()).collect();
            groups.entry(&optype.definition.parent).or_default().push((names, index));
        }
    }
    for (group, optypes) in groups {
        let usual = &optypes[optypes.len() / 2].0.clone();
        for (names, index) in optypes.iter().filter(|(names, _)| names != usual) {
            let optype = &set.optypes[*index];
            let line = &optype.syntax.lines[0];
            let message = format!(
                "the line ends in {}, and others of {group} end in {}",
                names.join(" "),
                usual.join(" ")
            );
            lint.report(&PLACEHOLDERS_DIFFER, optype.page, line.span.clone(), optype.name(), message);
        }
    }
}

type Declared<'a> = (&'a Page, &'a Definition, &'a FieldFacts);

/// Reports bits of one type that have different meanings in different instructions. Also reports an
/// attribute that is a field of its own in one instruction and belongs to an operand in another.
fn bits(lint: &mut Lint) {
    let mut uses: BTreeMap<(&str, u8, u8), BTreeMap<&str, Declared>> = BTreeMap::new();
    for declared in lint.set.declared_fields() {
        let (_, _, field) = declared;
        let place = uses.entry((&field.ty, field.lo, field.width)).or_default();
        place.entry(&field.name).or_insert(declared);
    }
    for ((ty, lo, _), names) in uses {
        let attributes: BTreeSet<&str> =
            names.keys().filter_map(|name| Some(name.split_once('.')?.1)).collect();
        if attributes.len() > 1 {
            let (page, definition, field) = *names.values().next().expect("a place has a name");
            let listed: Vec<_> = attributes.iter().copied().collect();
            let message = format!("bit {lo}, a `{ty}`, is {} in different instructions", listed.join(" or "));
            lint.report(&BIT_MEANS, page, page.at(&field.at), &definition.name, message);
        }
        for attribute in attributes {
            if let Some((page, definition, field)) = names.get(attribute) {
                let message =
                    format!("`{attribute}` is a field of its own here, and belongs to an operand elsewhere");
                lint.report(&TWO_NAMES, page, page.at(&field.at), &definition.name, message);
            }
        }
    }
}

/// Reports fields of one type if one name is the other name without one letter.
fn near_names(lint: &mut Lint) {
    const LONGEST: usize = 24;
    let mut names: HashMap<(&str, &str), (usize, Declared)> = HashMap::new();
    for declared in lint.set.declared_fields() {
        let (_, _, field) = declared;
        if field.name.len() > 3 && field.name.len() <= LONGEST && !field.name.contains('.') {
            names.entry((&field.ty, &field.name)).or_insert((0, declared)).0 += 1;
        }
    }
    let mut near: Vec<_> = Vec::new();
    for ((ty, name), (count, declared)) in &names {
        for at in 0..name.len() {
            let shorter = format!("{}{}", &name[..at], name.get(at + 1..).unwrap_or_default());
            if let Some((other_count, other)) = names.get(&(*ty, shorter.as_str())) {
                let (odd, usual) =
                    if other_count < count { (other, name) } else { (declared, &shorter.as_str()) };
                near.push((*odd, (*usual).to_owned()));
                break;
            }
        }
    }
    near.sort_by_key(|((page, _, field), _)| (page.source.name.clone(), field.at.line));
    for ((page, definition, field), usual) in near {
        let message = format!("`{}` is called `{usual}` in other fields of type `{}`", field.name, field.ty);
        lint.report(&NEAR_NAME, page, page.at(&field.at), &definition.name, message);
    }
}

/// Reports numbered registers in prose, such as `P7`, whose code is that of a fixed register, such
/// as `PT`.
fn numbered(lint: &mut Lint) {
    let set = lint.set;
    let mut last: HashMap<String, &str> = HashMap::new();
    for (_, _, field) in set.declared_fields() {
        let letters = register_name(&field.ty);
        let Some(default) = field.default.as_deref().filter(|_| field.width < 8) else { continue };
        let fixed = default.strip_prefix(letters.as_str()).is_some_and(|rest| matches!(rest, "T" | "Z"));
        if fixed {
            last.insert(format!("{letters}{}", (1u32 << field.width) - 1), default);
        }
    }
    for optype in &set.optypes {
        let spans = optype.definition.sections.iter().flat_map(super::prose::spans);
        let mut words = spans.flat_map(|span| super::prose::words(optype.page, &span));
        if let Some((word, span, fixed)) = words.find_map(|(word, span)| Some((word, span, *last.get(word)?)))
        {
            let message =
                format!("`{word}` is a register here, and with `{fixed}` there are more of them than codes");
            lint.report(&MORE_THAN_CODES, optype.page, span, optype.name(), message);
        }
    }
}
