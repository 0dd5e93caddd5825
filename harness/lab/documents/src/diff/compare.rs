//! Pairs the items of both sides, and records every statement that differs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::Difference;
use crate::error::Location;
use crate::facts::{
    BitsFacts, Body, FieldFacts, FormFacts, ListFacts, SpellingFacts, StreamFacts, StreamFieldFacts,
    TypeFacts,
};

/// An item on the side of the documents, and its partner on the side of the tables.
pub(super) type Sides<'a, T> = (Option<&'a T>, Option<&'a T>);

/// The counts and differences so far.
#[derive(Default)]
pub(super) struct Findings {
    pub forms: usize,
    pub fields: usize,
    /// Positions in the documents that declare the compared fields.
    pub definitions: HashSet<Location>,
    pub types: usize,
    pub lists: usize,
    pub streams: usize,
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

    /// Compares the bit-field types in `used`, which the fields of the compared forms name.
    pub fn types(&mut self, left: &[TypeFacts], right: &[TypeFacts], used: &HashSet<&str>) {
        let in_use = |types: &'_ [TypeFacts]| -> Vec<usize> {
            (0..types.len()).filter(|at| used.contains(types[*at].name.as_str())).collect()
        };
        let left: Vec<_> = in_use(left).into_iter().map(|at| &left[at]).collect();
        let right: Vec<_> = in_use(right).into_iter().map(|at| &right[at]).collect();
        for sides in pair(&left, &right, |ty| &ty.name) {
            let Some(ty) = sides.0.or(sides.1) else { continue };
            self.types += 1;
            let mut statements = Statements::of(&ty.name, "", self);
            match sides {
                (Some(ty), Some(other)) => statements.bit_field_type(ty, other),
                _ => {
                    let [left, right] = [sides.0, sides.1].map(|side| side.map(|ty| ty.name.clone()));
                    statements.note("type", &ty.at, left, right);
                }
            }
        }
    }

    /// Compares the value lists and words of modifiers, optype by optype.
    pub fn spellings(&mut self, left: &[&SpellingFacts], right: &[&SpellingFacts]) {
        let nothing = SpellingFacts::default();
        for (left, right) in pair(left, right, |spelling| &spelling.optype) {
            let Some(either) = left.or(right) else { continue };
            let mut statements = Statements::of(&either.optype, &either.optype, self);
            statements.spelling(left.unwrap_or(&nothing), right.unwrap_or(&nothing));
        }
    }

    /// Compares instructions that are operand streams.
    pub fn streams(&mut self, left: &[StreamFacts], right: &[StreamFacts]) {
        for (left, right) in pair(&refs(left), &refs(right), |stream| &stream.name) {
            let Some(either) = left.or(right) else { continue };
            let mut statements = Statements::of(&either.name, &either.name, self);
            match (left, right) {
                (Some(left), Some(right)) => statements.stream(left, right),
                _ => {
                    let [left, right] = [left, right].map(|side| side.map(|stream| stream.name.clone()));
                    statements.note("stream", &either.at, left, right);
                }
            }
        }
    }
}

/// Compares the statements about one form or type.
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
        self.set("in", at, &left.ins, &right.ins);
        self.set("out", at, &left.outs, &right.outs);
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
        if at.is_known() {
            self.findings.definitions.insert(at.clone());
        }
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

    fn spelling(&mut self, left: &SpellingFacts, right: &SpellingFacts) {
        let at = &left.at;
        let mut known: HashSet<&str> = HashSet::new();
        for (list, other) in pair(&refs(&left.lists), &refs(&right.lists), |list| &list.modifier) {
            let Some(either) = list.or(other) else { continue };
            self.findings.lists += 1;
            known.extend(
                [list, other].into_iter().flatten().flat_map(|list| &list.values).map(String::as_str),
            );
            // If a side has no value list, its words may contain the values.
            let said = |list: Option<&ListFacts>, words: &[String]| {
                let written =
                    || either.values.iter().filter(|value| words.contains(value)).cloned().collect();
                let values: Vec<String> = list.map_or_else(written, |list| list.values.clone());
                (!values.is_empty()).then(|| values.join(" "))
            };
            let subject = format!("modifier {}", either.modifier);
            self.note(&subject, at, said(list, &left.words), said(other, &right.words));
            if let (Some(list), Some(other)) = (list, other) {
                self.note(&format!("{subject} default"), at, list.starred.clone(), other.starred.clone());
            }
        }
        let unknown = |words: &[String]| -> Vec<String> {
            words.iter().filter(|word| !known.contains(word.as_str())).cloned().collect()
        };
        self.set("words", at, &unknown(&left.words), &unknown(&right.words));
    }

    /// Compares the statements about an operand stream. A type, source modifier or text that is
    /// empty in the tables is not compared. Operand classes that only the documents list are no
    /// difference.
    fn stream(&mut self, left: &StreamFacts, right: &StreamFacts) {
        let at = &left.at;
        self.findings.streams += 1;
        self.both("opcode", at, &left.opcode, &right.opcode);
        let order =
            |fields: &[StreamFieldFacts]| -> Vec<String> { fields.iter().map(|f| f.name.clone()).collect() };
        self.both("order", at, &order(&left.fields).join(", "), &order(&right.fields).join(", "));
        for (field, other) in pair(&refs(&left.fields), &refs(&right.fields), |field| &field.name) {
            let (Some(field), Some(other)) = (field, other) else { continue };
            let name = &field.name;
            self.stated(&format!("field {name} type"), at, &field.ty, &other.ty);
            if other.classes.iter().any(|class| !field.classes.contains(class)) {
                self.set(&format!("field {name} classes"), at, &field.classes, &other.classes);
            }
            let bits =
                |field: &StreamFieldFacts| field.bits.iter().map(show_bits).collect::<Vec<_>>().join("; ");
            self.both(&format!("field {name} bits"), at, &bits(field), &bits(other));
        }
        self.set("types", at, &left.types, &right.types);
        let say = |said: Option<bool>| said.map(|said| said.to_string()).unwrap_or_default();
        self.stated("source modifier", at, &say(left.source_modifier), &say(right.source_modifier));
        self.stated("text", at, &left.text.join(" "), &right.text.join(" "));
    }

    fn stated(&mut self, subject: &str, at: &Location, left: &str, right: &str) {
        if !right.is_empty() {
            self.both(subject, at, &left, &right);
        }
    }

    /// Compares lists whose order has no meaning.
    fn set(&mut self, subject: &str, at: &Location, left: &[String], right: &[String]) {
        let sorted = |list: &[String]| {
            let mut list = list.to_vec();
            list.sort_unstable();
            list
        };
        if sorted(left) != sorted(right) {
            self.both(subject, at, &left.join(", "), &right.join(", "));
        }
    }

    fn both<T: ToString>(&mut self, subject: &str, at: &Location, left: &T, right: &T) {
        self.note(subject, at, Some(left.to_string()), Some(right.to_string()));
    }

    /// Records a difference, unless both sides are equal.
    fn note(&mut self, subject: &str, at: &Location, documents: Option<String>, tables: Option<String>) {
        if documents == tables {
            return;
        }
        let [form, optype, subject] = [self.form, self.optype, subject].map(str::to_owned);
        let at = at.is_known().then(|| at.to_string());
        self.findings.differences.push(Difference { form, optype, subject, documents, tables, at });
    }
}

/// Returns a group of bits and its values as text.
fn show_bits(bits: &BitsFacts) -> String {
    let values: Vec<_> = bits.values.iter().map(|value| format!("{}={}", value.name, value.value)).collect();
    format!("{}..{} {}", bits.hi, bits.lo, values.join(" "))
}

/// Returns a field as the documents write it.
fn show(field: &FieldFacts) -> String {
    let FieldFacts { name, lo, width, ty, default, constraint, .. } = field;
    let default = default.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
    let constraint = constraint.as_ref().map(|value| format!(" == {value}")).unwrap_or_default();
    format!("field<{lo}, {width}> {ty} {name}{default}{constraint}")
}

fn refs<T>(items: &[T]) -> Vec<&T> {
    items.iter().collect()
}

/// Pairs items with equal keys, in order. An item without a partner gets a pair of its own, so an
/// item with a repeated key is not lost.
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
