//! Resolves a [`Document`] to [`Facts`]: each form gets the facts that its optype and groups
//! declare.
//!
//! A parent must come before its children. So one pass suffices, and inheritance cannot be
//! circular.

use std::collections::HashMap;

use crate::document::{Definition, DefinitionKind, Document};
use crate::error::{Error, ErrorKind, Location};
use crate::facts::{Body, Facts, FieldFacts, FormFacts, SpellingFacts};

/// The root of the inheritance tree: a parent that no document defines.
const ROOT: &str = "ALL";

/// Maximum number of bytes of a definition's facts, inherited facts included. Real definitions stay
/// below two thousand. The limit keeps the output of a hostile document proportional to its size.
const LIMIT: usize = 8192;

/// Returns the facts, with the inherited facts in every form. If there are errors, returns all of
/// them: first those of types, then those of definitions in order.
pub fn resolve(document: &Document) -> Result<Facts, Vec<Error>> {
    let (forms, errors) = resolve_all(&[document]);
    let spelled = document.definitions.iter().filter(|d| !d.lists.is_empty() || !d.words.is_empty());
    let spelling = |d: &Definition| SpellingFacts {
        optype: d.name.clone(),
        lists: d.lists.clone(),
        words: d.words.clone(),
        at: d.at.clone(),
    };
    if errors.is_empty() {
        Ok(Facts {
            forms,
            types: document.types.clone(),
            streams: document.streams.clone(),
            spellings: spelled.map(spelling).collect(),
        })
    } else {
        Err(errors)
    }
}

/// Returns the forms of several documents, as far as they can be resolved, and the errors.
pub(crate) fn resolve_all(documents: &[&Document]) -> (Vec<FormFacts>, Vec<Error>) {
    let mut resolver = Resolver::default();
    for ty in documents.iter().flat_map(|document| &document.types) {
        resolver.define_once(None, &ty.name, &ty.at);
    }
    for definition in documents.iter().flat_map(|document| &document.definitions) {
        resolver.define_once(Some(definition.kind), &definition.name, &definition.at);
        resolver.definition(definition);
    }
    (resolver.forms, resolver.errors)
}

/// A group or optype with its inherited facts.
struct Resolved<'a> {
    parent: &'a str,
    body: Body,
    weight: usize,
}

#[derive(Default)]
struct Resolver<'a> {
    /// Position of the first definition of each kind and name. For types, the kind is `None`.
    names: HashMap<(Option<DefinitionKind>, &'a str), &'a Location>,
    parents: HashMap<(DefinitionKind, &'a str), Resolved<'a>>,
    forms: Vec<FormFacts>,
    errors: Vec<Error>,
}

impl<'a> Resolver<'a> {
    fn define_once(&mut self, kind: Option<DefinitionKind>, name: &'a str, at: &'a Location) {
        let first = *self.names.entry((kind, name)).or_insert(at);
        if !std::ptr::eq(first, at) {
            let kind = ErrorKind::DefinedTwice { name: name.to_owned(), first: first.clone() };
            self.complain(at, kind);
        }
    }

    fn definition(&mut self, definition: &'a Definition) {
        let Definition { kind, name, parent, at, .. } = definition;
        let above =
            if *kind == DefinitionKind::Form { DefinitionKind::Optype } else { DefinitionKind::Group };
        let inherited = self.parents.get(&(above, parent.as_str()));
        let group = inherited.map_or(ROOT, |resolved| resolved.parent);
        let mut weight = inherited.map_or(0, |resolved| resolved.weight) + definition.weight;
        let mut body = inherited.map(|resolved| resolved.body.clone()).unwrap_or_default();
        if inherited.is_none() && (*kind == DefinitionKind::Form || parent != ROOT) {
            self.complain(at, ErrorKind::UnknownParent(parent.clone()));
        }
        if weight > LIMIT {
            self.complain(at, ErrorKind::TooLarge { name: name.clone(), limit: LIMIT });
            (body, weight) = (Body::default(), 0);
        } else {
            self.extend(&mut body, &definition.body);
        }
        if *kind == DefinitionKind::Form {
            let (form, optype, group) = (name.clone(), parent.clone(), group.to_owned());
            self.forms.push(FormFacts { form, optype, group, body, at: at.clone() });
        } else {
            self.parents.insert((*kind, name), Resolved { parent, body, weight });
        }
    }

    /// Adds a definition's own facts to its inherited facts. A list, width or format that the
    /// definition declares replaces the inherited one.
    fn extend(&mut self, body: &mut Body, own: &Body) {
        for field in &own.fields {
            let clash = |other: &&FieldFacts| other.name == field.name || other.overlaps(field);
            if let Some(other) = body.fields.iter().find(clash) {
                let place = other.at.clone();
                let (field_name, other) = (field.name.clone(), other.name.clone());
                let kind = ErrorKind::Collision { field: field_name, other, place };
                self.complain(&field.at, kind);
            } else {
                body.fields.push(field.clone());
            }
        }
        body.fields.sort_by_key(|field| field.lo);
        replace(&mut body.ins, &own.ins);
        replace(&mut body.outs, &own.outs);
        replace(&mut body.order, &own.order);
        body.bitwidths.extend(own.bitwidths.clone());
        body.asm_formats.extend(own.asm_formats.clone());
        body.exceptions.extend_from_slice(&own.exceptions);
    }

    fn complain(&mut self, at: &Location, kind: ErrorKind) {
        self.errors.push(Error { at: at.clone(), kind });
    }
}

fn replace(list: &mut Vec<String>, own: &[String]) {
    if !own.is_empty() {
        *list = own.to_vec();
    }
}
