//! Checks the definitions: operand lists, widths, codes of forms, sections, parents.

use std::collections::{HashMap, HashSet};

use super::classes::*;
use super::model::{Form, Optype, Page, is_literal, names};
use super::{Class, Lint};
use crate::document::Definition;
use crate::error::{Error, ErrorKind};

/// Number of bits of an instruction word.
const WORD: usize = 128;

pub fn check(lint: &mut Lint) {
    unreadable(lint);
    parents(lint);
    unnamed_bits(lint);
    let guards = guard_types(lint);
    for optype in &lint.set.optypes {
        sections(lint, optype);
        codes(lint, optype);
        formats(lint, optype.page, optype.definition);
        messages(lint, optype.page, optype.definition);
        for form in &optype.forms {
            formats(lint, form.page, form.definition);
            messages(lint, form.page, form.definition);
            lists(lint, form);
            widths(lint, form, &guards);
            source_letters(lint, optype, form, &guards);
        }
    }
}

/// Reports statements that could not be read or resolved.
fn unreadable(lint: &mut Lint) {
    let set = lint.set;
    let resolving = std::mem::take(&mut lint.resolving);
    let reading = set.pages.iter().flat_map(|page| page.errors.iter());
    for error in reading.chain(&resolving) {
        let Some(page) = set.pages.iter().find(|page| page.source.name == error.at.file) else { continue };
        let class = class_of(error);
        lint.report(class, page, page.at(&error.at), "", error.kind.to_string());
    }
}

fn class_of(error: &Error) -> &'static Class {
    match &error.kind {
        ErrorKind::Collision { field, other, .. } if field == other => &REPEATED_FIELD,
        ErrorKind::Collision { .. } => &OVERLAPPING_FIELDS,
        ErrorKind::DefinedTwice { .. } => &DEFINED_TWICE,
        ErrorKind::GivenTwice(_) => &GIVEN_TWICE,
        ErrorKind::UnknownParent(_) => &UNDEFINED_PARENT,
        ErrorKind::OutOfWord { .. } | ErrorKind::OutOfType { .. } => &TOO_WIDE,
        ErrorKind::TooLarge { .. } => &TOO_LARGE,
        ErrorKind::Expected { .. }
        | ErrorKind::UnknownDefinition(_)
        | ErrorKind::StraySection(_)
        | ErrorKind::OpenFence => &UNREADABLE,
    }
}

/// Reports undefined parents of groups, and groups of a document with equal fields.
fn parents(lint: &mut Lint) {
    let set = lint.set;
    let mut alike: HashMap<String, &str> = HashMap::new();
    for page in set.pages {
        alike.clear();
        for definition in page.document.definitions.iter().filter(|d| d.kind == crate::DefinitionKind::Group)
        {
            let parent = definition.parent.as_str();
            if !set.groups.contains_key(parent) && lint.once(&UNDEFINED_PARENT, parent) {
                let message = format!("`{parent}` is a parent and defined nowhere");
                lint.report(&UNDEFINED_PARENT, page, page.at(&definition.at), &definition.name, message);
            }
            let field =
                |f: &crate::FieldFacts| format!("{} {} {} {} {:?};", f.name, f.lo, f.width, f.ty, f.default);
            let body: String = definition.body.fields.iter().map(field).collect();
            if body.is_empty() {
                continue;
            }
            if let Some(other) = alike.insert(format!("{parent}: {body}"), &definition.name) {
                let message = format!("group `{}` repeats group `{other}` field for field", definition.name);
                lint.report(&DUPLICATE_GROUP, page, page.at(&definition.at), &definition.name, message);
            }
        }
    }
}

/// Reports bits of the instruction word that no field covers.
fn unnamed_bits(lint: &mut Lint) {
    let mut named = [false; WORD];
    for (_, _, field) in lint.set.declared_fields() {
        for bit in named.iter_mut().skip(field.lo.into()).take(field.width.into()) {
            *bit = true;
        }
    }
    let Some(highest) = named.iter().rposition(|named| *named) else { return };
    let gaps: Vec<usize> = (0..highest).filter(|bit| !named[*bit]).collect();
    if highest == WORD - 1 && gaps.is_empty() {
        return;
    }
    let Some((page, definition, field)) =
        lint.set.declared_fields().find(|(_, _, f)| usize::from(f.lo) + usize::from(f.width) > highest)
    else {
        return;
    };
    let message = format!(
        "no field lies above bit {highest}, and {} bits below it are in none; the length of the word, its byte order and \
         the value of such bits are not given",
        gaps.len()
    );
    lint.report(&UNNAMED_BITS, page, page.at(&field.at), &definition.name, message);
}

/// Returns the types of the guards: operands that are first in `Order`, and that a group declares.
fn guard_types(lint: &Lint) -> HashSet<String> {
    let of_groups = lint.set.groups.values().flat_map(|(_, group)| &group.body.fields);
    let names: HashMap<&str, &str> =
        of_groups.map(|field| (field.name.as_str(), field.ty.as_str())).collect();
    let first = |form: &Form| form.facts.body.order.first().and_then(|name| names.get(name.as_str()));
    lint.set.forms().filter_map(|(_, form)| first(form)).map(|ty| (*ty).to_owned()).collect()
}

fn sections(lint: &mut Lint, optype: &Optype) {
    let (page, definition) = (optype.page, optype.definition);
    for name in ["__Syntax", "__Semantics"] {
        if definition.section(name).is_none() {
            let message = format!("`{}` has no {name}", definition.name);
            lint.report(&MISSING_SECTION, page, page.at(&definition.at), &definition.name, message);
        }
    }
    let forms = optype.forms.iter().map(|form| form.definition);
    for definition in std::iter::once(definition).chain(forms) {
        for section in definition.sections.iter().filter(|section| section.is_empty()) {
            let message = format!("{} of `{}` is empty", section.name, definition.name);
            lint.report(&EMPTY_SECTION, page, section.head.clone(), &definition.name, message);
        }
    }
    if optype.forms.is_empty() {
        let message = format!("`{}` has no form", definition.name);
        lint.report(&WITHOUT_FORMS, page, page.at(&definition.at), &definition.name, message);
    }
}

/// Reports constraints that differ from the name of the optype or form, and forms with equal codes.
fn codes(lint: &mut Lint, optype: &Optype) {
    let page = optype.page;
    for field in optype.definition.body.fields.iter() {
        let Some(value) = &field.constraint else { continue };
        if value != optype.name() {
            let message =
                format!("`{}` must be `{value}`, and the optype is `{}`", field.name, optype.name());
            lint.report(&NAME_DIFFERS, page, page.at(&field.at), optype.name(), message);
        }
    }
    let mut known: HashMap<String, &str> = HashMap::new();
    for form in &optype.forms {
        let own = form.definition.body.fields.iter().filter(|field| field.constraint.is_some());
        let code: String = own
            .clone()
            .map(|f| format!("{}={} ", f.name, f.constraint.as_deref().unwrap_or_default()))
            .collect();
        let name = form.definition.name.as_str();
        let span =
            own.clone().next().map_or_else(|| page.at(&form.definition.at), |field| form.page.at(&field.at));
        if let Some(other) = known.insert(code, name) {
            let message = format!("`{name}` has the same code as `{other}`");
            lint.report(&DUPLICATE_FORM, form.page, span.clone(), name, message);
        }
        let suffix = name.strip_prefix(optype.name()).and_then(|rest| rest.strip_prefix('_'));
        let codes: Vec<&str> = own.filter_map(|field| field.constraint.as_deref()).collect();
        if let (Some(suffix), false) = (suffix, codes.is_empty())
            && !codes.contains(&suffix)
        {
            let message = format!("form `{name}` has the code `{}`", codes.join(" "));
            lint.report(&NAME_DIFFERS, form.page, span, name, message);
        }
    }
}

/// Reports contradictions between `InList`, `OutList`, `Order` and the fields.
fn lists(lint: &mut Lint, form: &Form) {
    let body = &form.facts.body;
    let (page, definition, name) = (form.page, form.definition, form.definition.name.as_str());
    let listed: HashSet<&str> = body.ins.iter().chain(&body.outs).flat_map(|entry| names(entry)).collect();
    let ordered: HashSet<&str> = form.operands.iter().copied().collect();
    for (list, entries) in [("InList", &body.ins), ("OutList", &body.outs), ("Order", &body.order)] {
        for operand in entries.iter().flat_map(|entry| names(entry)) {
            if form.field(operand).is_none() {
                let message = format!("{list} names `{operand}`, and no field of `{name}` is called so");
                lint.report(&OPERAND_WITHOUT_FIELD, page, page.place(definition, list), name, message);
            } else if list == "Order" && !listed.contains(operand) {
                let message = format!("`{operand}` is in Order, and neither in InList nor in OutList");
                lint.report(&ORDER_OPERAND_UNLISTED, page, page.place(definition, list), name, message);
            } else if list != "Order" && !ordered.contains(operand) {
                let message = format!("`{operand}` is in {list} and not in Order");
                lint.report(&OPERAND_NOT_IN_ORDER, page, page.place(definition, list), name, message);
            }
        }
    }
    for field in &body.fields {
        let name_of = field.name.as_str();
        let is_operand = !name_of.contains('.')
            && field.constraint.is_none()
            && lint.operand_types.contains(field.ty.as_str());
        if is_operand && !listed.contains(name_of) && !ordered.contains(name_of) {
            let message = format!("field `{name_of}` of `{name}` is in no list of operands");
            lint.report(&FIELD_NEVER_LISTED, page, page.at(&definition.at), name, message);
        }
    }
}

/// Reports operands without `Bitwidth`, and `Bitwidth` or `AsmFormat` of a field that does not
/// exist.
fn widths(lint: &mut Lint, form: &Form, guards: &HashSet<String>) {
    let body = &form.facts.body;
    let (page, definition, name) = (form.page, form.definition, form.definition.name.as_str());
    for operand in form.operands.iter().copied() {
        let Some(field) = form.field(operand) else { continue };
        if !body.bitwidths.contains_key(operand) && !guards.contains(&field.ty) {
            let message = format!("operand `{operand}` of `{name}` has no Bitwidth");
            lint.report(&BITWIDTH_MISSING, page, page.place(definition, "Order"), name, message);
        }
    }
    for (list, map) in [("Bitwidth", &body.bitwidths), ("AsmFormat", &body.asm_formats)] {
        for target in map.keys().filter(|target| form.field(target).is_none()) {
            // An inherited declaration may name an operand of other forms. Only the form's own
            // declarations are checked.
            let place = format!("{list}<{target}>");
            if definition.places.contains_key(&place) {
                let message = format!("{place} is given, and `{name}` has no field `{target}`");
                lint.report(&UNKNOWN_TARGET, page, page.place(definition, &place), name, message);
            }
        }
    }
}

/// Reports `AsmFormat` functions, which no document defines.
fn formats(lint: &mut Lint, page: &Page, definition: &Definition) {
    for (target, format) in &definition.body.asm_formats {
        let Some((function, _)) = format.split_once('(') else { continue };
        if lint.once(&UNDEFINED_FUNCTION, function) {
            let message = format!("function `{function}` is defined nowhere");
            let span = page.place(definition, &format!("AsmFormat<{target}>"));
            lint.report(&UNDEFINED_FUNCTION, page, span, &definition.name, message);
        }
    }
}

/// Reports exception messages with misplaced white space.
fn messages(lint: &mut Lint, page: &Page, definition: &Definition) {
    for exception in &definition.body.exceptions {
        let span = page.place(definition, &format!("EncodingError<{}>", exception.kind));
        let message = page.text(&span).split('"').nth(1).unwrap_or_default();
        if message.ends_with(" .") || message.contains("  ") {
            let text = "the message has white space where none belongs".to_owned();
            lint.report(&MESSAGE_WORDING, page, span, &definition.name, text);
        }
    }
}

/// Reports forms whose code, such as `RRI`, does not name the kinds of their sources in order.
fn source_letters(lint: &mut Lint, optype: &Optype, form: &Form, guards: &HashSet<String>) {
    let own = &optype.definition.body.fields;
    let Some(code) = form.definition.body.fields.iter().find(|field| field.constraint.is_some()) else {
        return;
    };
    let letters = code.constraint.as_deref().unwrap_or_default();
    let is_code =
        !letters.is_empty() && letters.bytes().all(|b| matches!(b, b'R' | b'U' | b'I' | b'C' | b'X'));
    if !is_code || letters == "X" {
        return;
    }
    let mut expected = String::new();
    for operand in form.operands.iter().copied() {
        let Some(field) = form.field(operand) else { continue };
        let in_optype = own.iter().any(|own| own.name == operand);
        if form.facts.body.outs.iter().any(|out| out == operand) || guards.contains(&field.ty) {
            continue;
        }
        match (is_literal(&field.ty), in_optype) {
            (true, true) => {}
            // Adjacent literals count as one source.
            (true, false) if expected.ends_with('I') => {}
            (true, false) => expected.push('I'),
            (false, _) => expected.extend(field.ty.chars().next()),
        }
    }
    if expected != letters && !expected.is_empty() {
        let name = form.definition.name.as_str();
        let message =
            format!("the code `{letters}` of `{name}` does not name its sources, which are {expected}");
        lint.report(&CODE_AND_SOURCES, form.page, form.page.at(&code.at), name, message);
    }
}
