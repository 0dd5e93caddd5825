//! The tables with inheritance resolved: every form with all of its fields, and functions to find
//! forms.

use std::sync::LazyLock;

pub use crate::row::DISPATCH_MASK;
use crate::row::{AsmFormat, Data, Field, FieldType, Group, Optype, Words};
use crate::tables;

/// The operand that means all uniform predicates (E028, E138).
pub const ALL_PREDICATES: &str = "UPR";

/// The fields that hold an operand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OperandShape {
    /// The field at a position.
    Field(usize),
    /// A register in one field and an offset in another: `C[vb, ura]`, `UR[urb, uridx]`.
    Indexed { base: usize, offset: usize },
    /// All uniform predicates; no field holds them.
    AllPredicates,
    /// The dispatched channels. Holds the position of the mask field, whose `_NM` values ignore
    /// dispatch.
    DispatchMask(usize),
}

/// The positions of an operand's fields within the form. They are computed once, because decoding
/// and execution use them often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub name: &'static str,
    pub shape: OperandShape,
    pub neg: Option<usize>,
    pub abs: Option<usize>,
    pub bitnot: Option<usize>,
    pub not: Option<usize>,
    pub half: Option<usize>,
    pub byte: Option<usize>,
    /// The number of words, and the position of the field that decides it.
    pub words: Option<(Words, usize)>,
}

/// Returns the names of the fields that hold an operand: two for `UR[urb, uridx]`, none for `UPR`.
pub fn parts(operand: &'static str) -> impl Iterator<Item = &'static str> {
    let inside = operand.split_once('[').map_or(operand, |(_, inside)| inside.trim_end_matches(']'));
    inside.split(", ").filter(|part| ![ALL_PREDICATES, DISPATCH_MASK].contains(part))
}

impl Layout {
    /// Returns the layout of an operand. `None` if the form lacks a field of the operand. The lint
    /// reports such a form.
    fn of(fields: &[&'static Field], optype: &'static Optype, name: &'static str) -> Option<Layout> {
        let position = |field: &str| fields.iter().position(|f| f.name == field);
        let attribute = |attribute: &str| {
            fields.iter().position(|f| f.operand() == name && f.attribute() == Some(attribute))
        };
        let mut places = parts(name).map(position);
        let shape = match (places.next(), places.next()) {
            (None, _) if name == DISPATCH_MASK => OperandShape::DispatchMask(position("mask")?),
            (None, _) => OperandShape::AllPredicates,
            (Some(place), None) => OperandShape::Field(place?),
            // The documents name the offset first for a constant, and last for a register.
            (Some(first), Some(second)) if name.starts_with('C') => {
                OperandShape::Indexed { base: second?, offset: first? }
            }
            (Some(first), Some(second)) => OperandShape::Indexed { base: first?, offset: second? },
        };
        let wide = optype.extra.wide.iter().find(|wide| wide.operand == name);
        let words = wide.and_then(|wide| match wide.words {
            Words::Fixed(_) => Some((wide.words, 0)),
            Words::By(field, _) => position(field).map(|place| (wide.words, place)),
        });
        let [neg, abs, bitnot, not, half, byte] =
            ["neg", "abs", "bitnot", "not", "hsel", "bsel"].map(attribute);
        Some(Layout { name, shape, neg, abs, bitnot, not, half, byte, words })
    }
}

/// A form with the fields of its groups and optype.
#[derive(Debug)]
pub struct Form {
    /// Position in the catalog. Another version of this crate may have another order.
    pub index: usize,
    /// Name, e.g. `FFMA_RRI`.
    pub name: &'static str,
    /// The optype of the form.
    pub optype: &'static Optype,
    /// Name of the source type, such as `RRI`.
    pub stype: &'static str,
    /// Every field, by ascending lowest bit.
    pub fields: Vec<&'static Field>,
    /// Operands in the order of the text, without the guard.
    pub order: &'static [&'static str],
    /// The literal whose text depends on another field, if any.
    pub asm_format: Option<AsmFormat>,
    /// The name of the guard predicate.
    guard: &'static str,
    /// Layouts of the guard and of the operands.
    pub(crate) layouts: Vec<Layout>,
    /// Indices into `layouts` of the source operands, in the order of the text, without the guard.
    pub(crate) read: Vec<usize>,
    /// Indices into `layouts` of the destination operands.
    pub(crate) written: Vec<usize>,
    /// For each field that holds an operand or a part of one: the operand, and its number of parts.
    pub(crate) owners: Vec<Option<(&'static str, usize)>>,
    /// For each field: whether it is an operand or an operand's attribute, not a modifier.
    of_operands: Vec<bool>,
    /// Each operand that is not a predicate, with its kind of data, in the order of the text.
    data: Vec<(&'static str, Data)>,
}

/// The names of the guard: an ordinary predicate, or in the uniform datapath a uniform predicate.
const GUARDS: [&str; 2] = ["pg", "upg"];

impl Form {
    /// Position of a field among [`Form::fields`].
    pub fn position(&self, field: &str) -> Option<usize> {
        self.fields.iter().position(|f| f.name == field)
    }

    /// The field called `name`.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|f| f.name == name).copied()
    }

    /// Returns the name of the guard predicate.
    pub fn guard(&self) -> &'static str {
        self.guard
    }

    /// Whether the named operand is written.
    pub fn is_output(&self, operand: &str) -> bool {
        self.optype.outs.contains(&operand)
    }

    /// Returns the source operands, in the order of the text, without the guard.
    pub fn inputs(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.order.iter().copied().filter(|o| !self.is_output(o))
    }

    /// Returns the kind of data of an operand. `None` for a predicate, and for an unknown name.
    pub fn data(&self, operand: &str) -> Option<Data> {
        self.data.iter().find(|(name, _)| *name == operand).map(|(_, data)| *data)
    }

    /// Returns the operands that are not predicates, in the order of the text.
    pub fn words(&self) -> impl Iterator<Item = &'static str> + '_ {
        words_of(self.order, &self.fields)
    }

    /// Whether the text may omit an operand. An omitted operand has its default.
    pub fn is_optional(&self, operand: &str) -> bool {
        let has_default = self.field(operand).is_some_and(|f| f.default.is_some());
        has_default && !self.optype.extra.explicit.contains(&operand)
    }

    /// Whether a field of this form is an operand or an operand's attribute, not a modifier.
    pub fn is_operand(&self, field: &Field) -> bool {
        self.position(field.name).is_some_and(|position| self.of_operands[position])
    }

    /// Returns the mask of all bits that belong to a field.
    pub fn named_bits(&self) -> u128 {
        self.fields.iter().map(|f| f.mask()).fold(0, |bits, mask| bits | mask)
    }
}

/// All forms, in document order.
#[derive(Debug)]
pub struct Catalog {
    /// The forms.
    pub forms: Vec<Form>,
}

impl Catalog {
    /// Builds the catalog from rows, with the fields of each form's optype and groups.
    pub fn resolve(rows: &'static [&'static Optype]) -> Catalog {
        let mut forms = Vec::new();
        for optype in rows {
            for row in optype.forms {
                let mut fields = group_fields(optype.group);
                fields.extend(optype.fields.iter().chain(row.fields));
                fields.sort_by_key(|f| f.lo);
                let has = |guard: &&str| fields.iter().any(|f| f.name == *guard);
                let guard = GUARDS.into_iter().find(has).unwrap_or(GUARDS[0]);
                let operands = [guard].into_iter().chain(row.order.iter().copied());
                let layouts: Vec<Layout> =
                    operands.filter_map(|name| Layout::of(&fields, optype, name)).collect();
                let place = |name: &&'static str| layouts.iter().position(|layout| layout.name == *name);
                let is_read = |name: &&&'static str| !optype.outs.contains(*name);
                forms.push(Form {
                    read: row.order.iter().filter(is_read).filter_map(place).collect(),
                    written: optype.outs.iter().filter_map(place).collect(),
                    owners: fields.iter().map(|field| owner(row.order, field.name)).collect(),
                    of_operands: fields.iter().map(|field| is_of_operand(row.order, guard, field)).collect(),
                    data: words_of(row.order, &fields).zip(optype.data.iter().copied()).collect(),
                    index: forms.len(),
                    name: row.name,
                    optype,
                    stype: row.stype,
                    fields,
                    order: row.order,
                    asm_format: row.asm_format,
                    guard,
                    layouts,
                });
            }
        }
        Catalog { forms }
    }

    /// The form called `name`.
    pub fn form(&'static self, name: &str) -> Option<&'static Form> {
        self.forms.iter().find(|f| f.name == name)
    }

    /// The forms of an optype.
    pub fn forms_of<'a>(&'static self, optype: &'a str) -> impl Iterator<Item = &'static Form> + use<'a> {
        self.forms.iter().filter(move |f| f.optype.name == optype)
    }

    /// Returns the optype of a mnemonic and its modifiers. `UIMAD.WIDE` is a separate optype
    /// (E115).
    pub fn optype(
        &'static self,
        mnemonic: &str,
        has_modifier: impl Fn(&str) -> bool,
    ) -> Option<&'static Optype> {
        let optypes = self.optypes();
        let is_dotted = |o: &&&'static Optype| match o.mnemonic().split_once('.') {
            Some((name, modifier)) => name == mnemonic && has_modifier(modifier),
            None => false,
        };
        optypes.iter().find(is_dotted).or_else(|| optypes.iter().find(|o| o.mnemonic() == mnemonic)).copied()
    }

    /// Returns the optype with a name, in the spelling of the tables (`UIMAD_WIDE`) or of assembler
    /// text (`UIMAD.WIDE`).
    pub fn optype_named(&'static self, name: &str) -> Option<&'static Optype> {
        self.forms.iter().map(|form| form.optype).find(|o| o.name == name || o.mnemonic() == name)
    }

    /// Returns all optypes, without repetition.
    pub fn optypes(&'static self) -> Vec<&'static Optype> {
        let mut optypes: Vec<&'static Optype> = self.forms.iter().map(|f| f.optype).collect();
        optypes.dedup_by_key(|o| o.name);
        optypes
    }
}

/// Returns the operand that a field holds, fully or in part, and the operand's number of parts.
fn owner(order: &'static [&'static str], field: &str) -> Option<(&'static str, usize)> {
    let mut operands = order.iter().copied();
    let name = operands.find(|name| parts(name).any(|part| part == field))?;
    Some((name, parts(name).count()))
}

/// Whether a field is an operand, the guard, or an attribute of either.
fn is_of_operand(order: &'static [&'static str], guard: &str, field: &Field) -> bool {
    field.operand() == guard || owner(order, field.operand()).is_some()
}

/// Returns the operands of a form that are not predicates.
fn words_of<'a>(
    order: &'static [&'static str],
    fields: &'a [&'static Field],
) -> impl Iterator<Item = &'static str> + use<'a> {
    let is_predicate = |name: &str| match fields.iter().find(|field| field.name == name) {
        Some(field) => field.ty.is_predicate(),
        None => name == ALL_PREDICATES,
    };
    order.iter().copied().filter(move |name| !is_predicate(name))
}

fn group_fields(group: &'static Group) -> Vec<&'static Field> {
    let mut fields = group.parent.map(group_fields).unwrap_or_default();
    fields.extend(group.fields);
    fields
}

/// Returns the names of an optype's group and of the group's ancestors, in this order.
pub fn group_names(optype: &Optype) -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut group = Some(optype.group);
    while let Some(g) = group {
        names.push(g.name);
        group = g.parent;
    }
    names
}

/// The catalog of [`tables::ALL`].
pub fn catalog() -> &'static Catalog {
    static CATALOG: LazyLock<Catalog> = LazyLock::new(|| Catalog::resolve(tables::ALL));
    &CATALOG
}

/// Whether a field of this type can be an operand: it holds a literal or names storage.
pub fn is_operand_type(ty: FieldType) -> bool {
    !matches!(ty, FieldType::Enum(_))
}
