//! Compares syntax lines with fields. Finds text that cannot be encoded, and fields that cannot be
//! written.

use std::collections::HashSet;

use super::Lint;
use super::classes::*;
use super::model::{Form, Optype, is_literal, names};
use super::slots::{any_source, by_name, field_of};
use super::types::listed_fields;
use crate::asm::syntax::ModifierSlot;
use crate::asm::token::AsmTokenKind;
use crate::asm::{Line, Slot};
use crate::facts::FieldFacts;
use crate::layout::Span;

pub fn check(lint: &mut Lint) {
    guards(lint);
    for optype in &lint.set.optypes {
        for line in &optype.syntax.lines {
            for (span, what) in &line.faults {
                lint.report(&SYNTAX_FAULT, optype.page, span.clone(), optype.name(), (*what).to_owned());
            }
            placeholders(lint, optype, line);
            for modifier in mnemonic(lint, optype, line) {
                written_modifier(lint, optype, modifier);
            }
            slots(lint, optype, line);
            order(lint, optype, line);
        }
        if !optype.syntax.lines.is_empty() {
            unwritten_modifiers(lint, optype);
            unwritten_attributes(lint, optype);
            operands_of_modes(lint, optype);
            modes(lint, optype);
        }
    }
}

/// Reports guards that are first in an `Order`, but that no syntax line shows.
fn guards(lint: &mut Lint) {
    let set = lint.set;
    let mut written: HashSet<String> = HashSet::new();
    for slot in set.optypes.iter().flat_map(|optype| &optype.syntax.lines).flat_map(|line| &line.slots) {
        written.insert(slot.name.to_ascii_lowercase());
    }
    let mut listed: HashSet<&str> = HashSet::new();
    for (_, form) in set.forms() {
        listed.extend(form.facts.body.order.first().map(String::as_str));
    }
    let mut groups: Vec<_> = set.groups.values().collect();
    groups.sort_by_key(|(_, group)| &group.name);
    for (page, group) in groups {
        for field in &group.body.fields {
            let name = field.name.as_str();
            if listed.contains(name) && !written.contains(name) && lint.once(&NEVER_WRITTEN, name) {
                let message = format!("`{name}` is in every Order and in no line of a syntax");
                lint.report(&NEVER_WRITTEN, page, page.at(&field.at), &group.name, message);
            }
        }
    }
}

fn placeholders(lint: &mut Lint, optype: &Optype, line: &Line) {
    for (name, span) in &line.placeholders {
        let is_field = optype.fields.iter().any(|field| field.name == name[1..]);
        if !is_field && lint.once(&PLACEHOLDER_WITHOUT_FIELD, name) {
            let message = format!("`{name}` has no field and is explained nowhere");
            lint.report(&PLACEHOLDER_WITHOUT_FIELD, optype.page, span.clone(), optype.name(), message);
        }
    }
}

/// Compares the mnemonic with the optype's name. Returns the modifiers that are not part of the
/// name.
fn mnemonic<'l>(lint: &mut Lint, optype: &Optype, line: &'l Line) -> &'l [ModifierSlot] {
    let modifiers = line.modifiers_of(optype.name());
    if line.mnemonic != optype.name() && lint.once(&MNEMONIC_DIFFERS, optype.name()) {
        let own = &line.modifiers[..line.modifiers.len() - modifiers.len()];
        let written =
            own.iter().fold(line.mnemonic.clone(), |name, modifier| format!("{name}.{}", modifier.name));
        let message = format!("`{}` is written `{written}`", optype.name());
        lint.report(&MNEMONIC_DIFFERS, optype.page, line.span.clone(), optype.name(), message);
    }
    modifiers
}

/// Returns the field that a word sets, if the word is written as a modifier.
pub fn field_of_word<'a>(optype: &Optype<'a>, word: &str) -> Option<&'a FieldFacts> {
    let fields = optype.fields.iter().copied();
    let mut enumerated = fields.filter(|field| field.constraint.is_none() && !field.name.contains('.'));
    enumerated.find(|field| {
        let default = field.default.as_deref().unwrap_or_default();
        let numeric = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        field.name.eq_ignore_ascii_case(word)
            || default == word
            || default.strip_prefix("No") == Some(word)
            || (numeric(default) && numeric(word))
            || (!default.is_empty() && field.ty.contains(word) && field.ty.contains(default))
    })
}

fn written_modifier(lint: &mut Lint, optype: &Optype, modifier: &ModifierSlot) {
    let page = optype.page;
    let span = modifier.span.clone();
    let Some(list) = optype.syntax.list(&modifier.name) else {
        if modifier.name.starts_with(|c: char| c.is_ascii_lowercase()) {
            let message = format!("no values of `.{}` are listed", modifier.name);
            lint.report(&MODIFIER_WITHOUT_LIST, page, span, optype.name(), message);
        } else if field_of_word(optype, &modifier.name).is_none() {
            let message = format!("no field holds `.{}`", modifier.name);
            lint.report(&MODIFIER_WITHOUT_FIELD, page, span, optype.name(), message);
        }
        return;
    };
    let fields = listed_fields(optype, &modifier.name);
    let Some(field) = fields.first() else {
        let message = format!("no field holds `.{}`", modifier.name);
        lint.report(&MODIFIER_WITHOUT_FIELD, page, span, optype.name(), message);
        return;
    };
    match (modifier.optional, field.default.is_some() || list.starred.is_some()) {
        (false, true) => {
            let message = format!("`.{}` must be written, and has a default", modifier.name);
            lint.report(&DEFAULT_BUT_MANDATORY, page, span, optype.name(), message);
        }
        (true, false) => {
            let message = format!("`.{}` may be left out, and has no default", modifier.name);
            lint.report(&OPTIONAL_WITHOUT_DEFAULT, page, span, optype.name(), message);
        }
        _ => {}
    }
}

/// Compares the operands of a line with the fields of each form.
fn slots(lint: &mut Lint, optype: &Optype, line: &Line) {
    for slot in line.slots.iter().filter(|slot| slot.index.is_empty()) {
        let fields: Vec<_> = optype.forms.iter().map(|form| (form, field_of(form, line, slot))).collect();
        for (form, field) in &fields {
            if let Some(field) = field {
                prefixes(lint, optype, form, slot, field);
            }
        }
        suffix(lint, optype, slot, &fields);
        let Some(field) = fields.iter().find_map(|(_, field)| *field) else {
            unmapped(lint, optype, slot);
            continue;
        };
        named_alike(lint, optype, &slot.name, slot.span.clone(), field);
        let default = field.default.as_deref();
        if let (false, Some(default), true) =
            (slot.optional, default, field.name.eq_ignore_ascii_case(&slot.name))
        {
            let message = format!("`{}` must be written, and has the default `{default}`", slot.name);
            lint.report(&DEFAULT_BUT_MANDATORY, optype.page, slot.span.clone(), optype.name(), message);
        } else if slot.optional && default.is_none() {
            let message = format!("`{}` may be left out, and has no default", slot.name);
            lint.report(&OPTIONAL_WITHOUT_DEFAULT, optype.page, slot.span.clone(), optype.name(), message);
        }
    }
    for slot in line.slots.iter().filter(|slot| !slot.index.is_empty()) {
        index(lint, optype, slot);
    }
}

fn unmapped(lint: &mut Lint, optype: &Optype, slot: &Slot) {
    let is_listed =
        |form: &Form| form.facts.body.order.iter().flat_map(|entry| names(entry)).any(|n| n == slot.name);
    if optype.forms.is_empty() || optype.forms.iter().any(is_listed) {
        return;
    }
    let message = format!("no field of a form stands for `{}`", slot.name);
    lint.report(&SLOT_WITHOUT_FIELD, optype.page, slot.span.clone(), optype.name(), message);
}

/// Reports a field whose name ends in another letter than the operand's name.
fn named_alike(lint: &mut Lint, optype: &Optype, name: &str, span: Span, field: &FieldFacts) {
    let lower = name.to_ascii_lowercase();
    let Some(letter) = lower.chars().last() else { return };
    let base = &lower[..lower.len() - letter.len_utf8()];
    let same_kind = field.name.len() == lower.len() && field.name.starts_with(base);
    let source = any_source(name).is_some_and(|rest| rest.len() == 1);
    if (same_kind || source) && !field.name.ends_with(letter) {
        let message = format!("operand `{name}` is field `{}`", field.name);
        lint.report(&OPERAND_NAMED_DIFFERENTLY, optype.page, span, optype.name(), message);
    }
}

/// Returns the names of the attributes that a prefix may set.
fn attributes(prefix: char) -> &'static [&'static str] {
    match prefix {
        '-' => &["neg"],
        '|' => &["abs"],
        '!' => &["not"],
        _ => &["bitnot", "not", "neg"],
    }
}

fn prefixes(lint: &mut Lint, optype: &Optype, form: &Form, slot: &Slot, field: &FieldFacts) {
    for prefix in &slot.prefixes {
        let has = |attribute: &&str| form.field(&format!("{}.{attribute}", field.name)).is_some();
        if attributes(*prefix).iter().any(has) {
            continue;
        }
        let name = form.definition.name.as_str();
        let class = if is_literal(&field.ty) { &PREFIX_ON_LITERAL } else { &PREFIX_WITHOUT_FIELD };
        if !lint.once(class, &format!("{prefix} {} {name}", slot.name)) {
            continue;
        }
        let message = format!("`{prefix}` may precede `{}`, and `{name}` has no bit for it", slot.name);
        lint.report(class, optype.page, slot.span.clone(), name, message);
    }
}

fn suffix(lint: &mut Lint, optype: &Optype, slot: &Slot, fields: &[(&Form, Option<&FieldFacts>)]) {
    let Some(suffix) = &slot.suffix else { return };
    let mut found = None;
    for (form, field) in fields {
        let Some(field) = field else { continue };
        let attribute = form.field(&format!("{}.{}", field.name, suffix.name));
        found = found.or(attribute);
        if attribute.is_none() {
            let name = form.definition.name.as_str();
            let message =
                format!("`.{}` may follow `{}`, and `{name}` has no field for it", suffix.name, slot.name);
            lint.report(&SUFFIX_WITHOUT_FIELD, optype.page, suffix.span.clone(), name, message);
        }
    }
    if let (true, Some(None)) = (suffix.optional, found.map(|field| field.default.as_deref())) {
        let message = format!("`.{}` may be left out, and has no default", suffix.name);
        lint.report(&OPTIONAL_WITHOUT_DEFAULT, optype.page, suffix.span.clone(), optype.name(), message);
    }
}

/// Reports `+SImm`: the notation of a negative offset is not specified.
fn index(lint: &mut Lint, optype: &Optype, slot: &Slot) {
    for pair in slot.index.windows(2) {
        let word = optype.page.text(&pair[1].span);
        let field = optype.forms.iter().find_map(|form| by_name(form, word));
        if let (true, Some(field)) = (pair[1].shape == AsmTokenKind::Word, field) {
            named_alike(lint, optype, word, pair[1].span.clone(), field);
        }
        if pair[0].is('+') && word.starts_with("SImm") {
            let message =
                format!("`{word}` is signed and follows a `+`: how a negative one is written is not given");
            lint.report(&SIGN_AFTER_PLUS, optype.page, pair[1].span.clone(), optype.name(), message);
        }
    }
}

/// Reports a line and an `Order` with common operands in different orders.
fn order(lint: &mut Lint, optype: &Optype, line: &Line) {
    let written: Vec<String> = line.slots.iter().flat_map(|slot| written_names(optype, slot)).collect();
    for form in &optype.forms {
        let ordered = &form.operands;
        let both: Vec<&str> =
            written.iter().map(String::as_str).filter(|name| ordered.contains(name)).collect();
        let in_order: Vec<&str> = ordered.iter().copied().filter(|name| both.contains(name)).collect();
        if both.len() == in_order.len() && both != in_order {
            let name = form.definition.name.as_str();
            let message =
                format!("Order has {}, and the line is written {}", in_order.join(", "), both.join(", "));
            let span = form.page.place(form.definition, "Order");
            lint.report(&ORDER_DIFFERS, form.page, span, name, message);
        }
    }
}

/// Returns the names of an operand in lower case: its own, and the names in its brackets.
fn written_names(optype: &Optype, slot: &Slot) -> Vec<String> {
    let inner = slot.index.iter().map(|token| optype.page.text(&token.span));
    std::iter::once(slot.name.as_str()).chain(inner).map(str::to_ascii_lowercase).collect()
}

/// Reports fields that are no operands and that no syntax line writes.
fn unwritten_modifiers(lint: &mut Lint, optype: &Optype) {
    let lines = &optype.syntax.lines;
    let modifiers: Vec<&ModifierSlot> = lines.iter().flat_map(|line| &line.modifiers).collect();
    let suffixes = lines.iter().flat_map(|line| &line.slots).filter_map(|slot| slot.suffix.as_ref());
    let mut written: HashSet<&str> = HashSet::new();
    for modifier in modifiers.into_iter().chain(suffixes) {
        written.insert(&modifier.name);
        written.extend(field_of_word(optype, &modifier.name).map(|field| field.name.as_str()));
    }
    let operands: HashSet<&str> =
        optype.forms.iter().flat_map(|form| form.operands.iter().copied()).collect();
    for field in optype.fields.iter().filter(|field| field.constraint.is_none()) {
        let last = field.attribute();
        let is_operand =
            operands.contains(field.name.as_str()) || lint.operand_types.contains(field.ty.as_str());
        if !field.name.contains('.') && !is_operand && !written.contains(last) {
            let message = format!("no line of the syntax writes field `{}`", field.name);
            lint.report(
                &FIELD_WITHOUT_MODIFIER,
                optype.page,
                optype.page.at(&field.at),
                optype.name(),
                message,
            );
        }
    }
}

/// Reports operand attributes (`rb.neg`) that no line allows to be written.
fn unwritten_attributes(lint: &mut Lint, optype: &Optype) {
    for form in &optype.forms {
        for field in form.definition.body.fields.iter() {
            let Some((operand, attribute)) = field.name.split_once('.') else { continue };
            let mut slots =
                optype.syntax.lines.iter().flat_map(|line| line.slots.iter().map(move |slot| (line, slot)));
            let allows = |(line, slot): (&Line, &Slot)| {
                let is_its =
                    slot.index.is_empty() && field_of(form, line, slot).is_some_and(|f| f.name == operand);
                let prefixed = slot.prefixes.iter().any(|prefix| attributes(*prefix).contains(&attribute));
                let suffixed = slot.suffix.as_ref().is_some_and(|suffix| suffix.name == attribute);
                is_its && (prefixed || suffixed)
            };
            if !slots.any(allows) {
                let message =
                    format!("field `{}` is encoded, and no line of the syntax writes it", field.name);
                lint.report(
                    &FIELD_WITHOUT_PREFIX,
                    form.page,
                    form.page.at(&field.at),
                    &form.definition.name,
                    message,
                );
            }
        }
    }
}

/// Reports operands of the first form that some syntax lines have and others lack.
fn operands_of_modes(lint: &mut Lint, optype: &Optype) {
    let lines = &optype.syntax.lines;
    let Some(form) = optype.forms.first().filter(|_| lines.len() > 1) else { return };
    for operand in form.operands.iter().copied() {
        let has = |line: &Line| line.slots.iter().any(|slot| slot.name.eq_ignore_ascii_case(operand));
        let without: Vec<&Line> = lines.iter().filter(|line| !has(line)).collect();
        let Some(first) = without.first().filter(|_| without.len() < lines.len()) else { continue };
        if form.field(operand).is_some_and(|field| is_literal(&field.ty)) {
            continue;
        }
        let message = format!("every form lists `{operand}`, and this line has no such operand");
        lint.report(&OPERAND_OF_OTHER_MODE, optype.page, first.span.clone(), optype.name(), message);
    }
}

/// Reports an optype whose flags have more combinations than its lines can write. Also reports
/// forms that do not fit the line of a mode.
fn modes(lint: &mut Lint, optype: &Optype) {
    let lines = &optype.syntax.lines;
    let is_word = |modifier: &&ModifierSlot| optype.syntax.list(&modifier.name).is_none();
    let mut flags: HashSet<&str> = HashSet::new();
    let mut covered = 0usize;
    for line in lines {
        let mut doubled = 0;
        for modifier in line.modifiers.iter().filter(is_word) {
            let Some(field) = field_of_word(optype, &modifier.name) else { continue };
            flags.insert(&field.name);
            let silent = field.default.as_deref() == Some(&modifier.name);
            doubled += u32::from(modifier.optional && !silent);
        }
        covered = covered.saturating_add(1usize.checked_shl(doubled).unwrap_or(usize::MAX));
    }
    let all = 1usize.checked_shl(flags.len() as u32).unwrap_or(usize::MAX);
    let span: Span = lines[0].span.clone();
    if covered < all {
        let mut flags: Vec<_> = flags.into_iter().collect();
        flags.sort_unstable();
        let message = format!("{} have {all} combinations, and the lines write {covered}", flags.join(", "));
        lint.report(&MODE_WITHOUT_SYNTAX, optype.page, span, optype.name(), message);
    }
    for line in lines {
        for modifier in line.modifiers.iter().filter(is_word) {
            form_outside_line(lint, optype, line, &modifier.name);
        }
    }
}

/// Reports a form whose widths name a mode, although the line of that mode has an operand that the
/// form lacks.
fn form_outside_line(lint: &mut Lint, optype: &Optype, line: &Line, word: &str) {
    let quoted = format!("\"{word}\"");
    for form in &optype.forms {
        let body = &form.facts.body;
        let knows = body.bitwidths.values().any(|width| width.contains(&quoted));
        let excluded = body.exceptions.iter().any(|exception| exception.condition.contains(&quoted));
        let fits = |slot: &Slot| any_source(&slot.name).is_some() || by_name(form, &slot.name).is_some();
        let missing = line.slots.iter().find(|slot| slot.index.is_empty() && !fits(slot));
        if let (true, false, Some(slot)) = (knows, excluded, missing) {
            let name = form.definition.name.as_str();
            let message =
                format!("`{name}` has a width for .{word}, and the line of .{word} has `{}` only", slot.name);
            lint.report(&FORM_OUTSIDE_SYNTAX, optype.page, slot.span.clone(), name, message);
        }
    }
}
