//! Pairs what the two sides hold and notes every statement they do not share.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::Difference;
use crate::error::Location;
use crate::facts::{Body, FieldFacts, FormFacts, TypeFacts};

/// One thing on the side of the documents, of the tables, or of both.
pub(super) type Sides<'a, T> = (Option<&'a T>, Option<&'a T>);

/// What has been found so far.
#[derive(Default)]
pub(super) struct Findings {
    pub forms: usize,
    pub fields: usize,
    pub differences: Vec<Difference>,
}

impl Findings {
    pub fn form(&mut self, sides: Sides<FormFacts>) {
        let Some(form) = sides.0.or(sides.1) else { return };
        let mut statements = Statements::of(&form.form, &form.optype, self);
        let (Some(left), Some(right)) = sides else {
            let name = |form: &FormFacts| format!("{} : [{}]", form.form, form.optype);
            return statements.note("form", &form.at, sides.0.map(name), sides.1.map(name));
        };
        statements.both("optype", &left.at, &left.optype, &right.optype);
        statements.both("group", &left.at, &left.group, &right.group);
        statements.body(&left.at, &left.body, &right.body);
        self.forms += 1;
    }

    pub fn types(&mut self, left: &[TypeFacts], right: &[TypeFacts], used: &HashSet<&str>) {
        let left: Vec<_> = left.iter().filter(|ty| used.contains(ty.name.as_str())).collect();
        let right: Vec<_> = right.iter().collect();
        for (ty, other) in pair(&left, &right, |ty| &ty.name) {
            let Some(ty) = ty else { continue };
            let mut statements = Statements::of(&ty.name, "", self);
            match other {
                Some(other) => statements.bit_field_type(ty, other),
                None => statements.note("type", &ty.at, Some(ty.name.clone()), None),
            }
        }
    }
}

/// The statements about one form or type.
struct Statements<'a> {
    form: &'a str,
    optype: &'a str,
    findings: &'a mut Findings,
}

impl<'a> Statements<'a> {
    fn of(form: &'a str, optype: &'a str, findings: &'a mut Findings) -> Self {
        Self { form, optype, findings }
    }

    fn body(&mut self, at: &Location, left: &Body, right: &Body) {
        let (left_fields, right_fields) = (refs(&left.fields), refs(&right.fields));
        for sides in pair(&left_fields, &right_fields, |field| &field.name) {
            self.field(sides);
        }
        self.both("in", at, &left.ins.join(", "), &right.ins.join(", "));
        self.both("out", at, &left.outs.join(", "), &right.outs.join(", "));
        self.both("order", at, &left.order.join(", "), &right.order.join(", "));
        self.map("bitwidth", at, &left.bitwidths, &right.bitwidths);
        self.map("asm format", at, &left.asm_formats, &right.asm_formats);
        let (left, right) = (refs(&left.exceptions), refs(&right.exceptions));
        for (left, right) in pair(&left, &right, |exception| &exception.kind) {
            let Some(kind) = left.or(right).map(|exception| &exception.kind) else { continue };
            let [left, right] = [left, right].map(|e| e.map(|e| e.condition.clone()));
            self.note(&format!("exception {kind}"), at, left, right);
        }
    }

    fn field(&mut self, sides: Sides<FieldFacts>) {
        let Some(field) = sides.0.or(sides.1) else { return };
        let (name, at) = (&field.name, &field.at);
        let (Some(left), Some(right)) = sides else {
            return self.note(&format!("field {name}"), at, sides.0.map(show), sides.1.map(show));
        };
        self.findings.fields += 1;
        self.both(&format!("field {name} lo"), at, &left.lo, &right.lo);
        self.both(&format!("field {name} width"), at, &left.width, &right.width);
        self.both(&format!("field {name} type"), at, &left.ty, &right.ty);
        let (left_default, right_default) = (left.default.clone(), right.default.clone());
        self.note(&format!("field {name} default"), at, left_default, right_default);
        let (left, right) = (left.constraint.clone(), right.constraint.clone());
        self.note(&format!("field {name} constraint"), at, left, right);
    }

    fn map(
        &mut self,
        what: &str,
        at: &Location,
        left: &BTreeMap<String, String>,
        right: &BTreeMap<String, String>,
    ) {
        let names: BTreeSet<_> = left.keys().chain(right.keys()).collect();
        for name in names {
            let (left, right) = (left.get(name).cloned(), right.get(name).cloned());
            self.note(&format!("{what} {name}"), at, left, right);
        }
    }

    fn bit_field_type(&mut self, left: &TypeFacts, right: &TypeFacts) {
        self.both("type width", &left.at, &left.width, &right.width);
        let (left_values, right_values) = (refs(&left.values), refs(&right.values));
        for (value, other) in pair(&left_values, &right_values, |value| &value.name) {
            let Some(name) = value.or(other).map(|value| &value.name) else { continue };
            let [value, other] = [value, other].map(|v| v.map(|v| format!("{:#x}", v.value)));
            self.note(&format!("value {name}"), &left.at, value, other);
        }
    }

    fn both<T: ToString>(&mut self, subject: &str, at: &Location, left: &T, right: &T) {
        self.note(subject, at, Some(left.to_string()), Some(right.to_string()));
    }

    /// Notes a difference, if it is one.
    fn note(&mut self, subject: &str, at: &Location, documents: Option<String>, tables: Option<String>) {
        if documents == tables {
            return;
        }
        let [form, optype, subject] = [self.form, self.optype, subject].map(str::to_owned);
        let at = at.is_known().then(|| at.to_string());
        self.findings.differences.push(Difference { form, optype, subject, documents, tables, at });
    }
}

/// A field as the documents write it.
fn show(field: &FieldFacts) -> String {
    let FieldFacts { name, lo, width, ty, default, constraint, .. } = field;
    let default = default.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
    let constraint = constraint.as_ref().map(|value| format!(" == {value}")).unwrap_or_default();
    format!("field<{lo}, {width}> {ty} {name}{default}{constraint}")
}

fn refs<T>(items: &[T]) -> Vec<&T> {
    items.iter().collect()
}

/// Pairs equal keys in order; what has no partner stands alone, so a repeated key is never lost.
pub(super) fn pair<'a, T>(left: &[&'a T], right: &[&'a T], key: impl Fn(&T) -> &String) -> Vec<Sides<'a, T>> {
    let mut waiting: HashMap<&str, VecDeque<&'a T>> = HashMap::new();
    for item in right {
        waiting.entry(key(item)).or_default().push_back(item);
    }
    let mut pairs = Vec::new();
    for item in left {
        let partner = waiting.get_mut(key(item).as_str()).and_then(VecDeque::pop_front);
        pairs.push((Some(*item), partner));
    }
    for item in right {
        let queue = waiting.get_mut(key(item).as_str());
        let alone = queue.and_then(|queue| queue.pop_front_if(|first| std::ptr::eq(*first, *item)));
        pairs.extend(alone.map(|item| (None, Some(item))));
    }
    pairs
}
