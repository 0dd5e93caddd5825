//! The tables with inheritance resolved: every form with all of its fields, and the ways to find it.

use std::sync::LazyLock;

pub use crate::row::DISPATCH_MASK;
use crate::row::{AsmFormat, Data, Field, FieldType, Group, Optype, Words};
use crate::tables;

/// The token of the text that stands for all uniform predicates (E028, E138).
pub const ALL_PREDICATES: &str = "UPR";

/// The parts of an operand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OperandShape {
    /// The field at a position.
    Field(usize),
    /// The register in one field and what the other adds to it: `C[vb, ura]`, `UR[urb, uridx]`.
    Indexed { base: usize, offset: usize },
    /// All uniform predicates; no field holds them.
    AllPredicates,
    /// The channels that were dispatched, unless the field at a position has the mask not looked at.
    DispatchMask(usize),
}

/// The positions of an operand's fields among those of the form, computed once: decoding and fetching need them often.
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
    /// Words by the value of a field, or always the same.
    pub words: Option<(Words, usize)>,
}

/// The fields in an operand's name: two for `UR[urb, uridx]`, none for `UPR`.
pub fn parts(operand: &'static str) -> impl Iterator<Item = &'static str> {
    let inside = operand.split_once('[').map_or(operand, |(_, inside)| inside.trim_end_matches(']'));
    inside.split(", ").filter(|part| ![ALL_PREDICATES, DISPATCH_MASK].contains(part))
}

impl Layout {
    /// The layout of an operand; none if no field holds it, which the lint reports.
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
    /// Position in the catalog; stable for one build.
    pub index: usize,
    /// Name, e.g. `FFMA_RRI`.
    pub name: &'static str,
    /// The row it belongs to.
    pub optype: &'static Optype,
    /// Source type code name.
    pub stype: &'static str,
    /// Every field, by ascending lowest bit.
    pub fields: Vec<&'static Field>,
    /// Operands in the order of the text, the guard left out.
    pub order: &'static [&'static str],
    /// Literals whose text depends on another field.
    pub asm_format: Option<AsmFormat>,
    /// The predicate that guards it.
    guard: &'static str,
    /// Layouts of the guard and of the operands.
    pub(crate) layouts: Vec<Layout>,
    /// The layouts of the operands read, in the order of the text, the guard left out.
    pub(crate) read: Vec<usize>,
    /// The layouts of the operands written.
    pub(crate) written: Vec<usize>,
    /// By field: the operand of the text that it is a part of, and the number of that operand's parts.
    pub(crate) owners: Vec<Option<(&'static str, usize)>>,
    /// By field: whether it is an operand or an attribute of one, and not a modifier of the mnemonic.
    of_operands: Vec<bool>,
    /// What the operands that are no predicates stand for, in the order of the text.
    data: Vec<(&'static str, Data)>,
}

/// The predicates that guard an instruction: an ordinary one, or in the uniform datapath a uniform one.
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

    /// The predicate that guards the instruction.
    pub fn guard(&self) -> &'static str {
        self.guard
    }

    /// Whether the named operand is written.
    pub fn is_output(&self, operand: &str) -> bool {
        self.optype.outs.contains(&operand)
    }

    /// Operands read, in the order of the text, the guard left out.
    pub fn inputs(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.order.iter().copied().filter(|o| !self.is_output(o))
    }

    /// The data of an operand; `None` for a predicate, and for a name that is no operand of the text.
    pub fn data(&self, operand: &str) -> Option<Data> {
        self.data.iter().find(|(name, _)| *name == operand).map(|(_, data)| *data)
    }

    /// The operands of the text that are no predicates.
    pub fn words(&self) -> impl Iterator<Item = &'static str> + '_ {
        words_of(self.order, &self.fields)
    }

    /// Whether the text may leave an operand out: it then holds its default.
    pub fn is_optional(&self, operand: &str) -> bool {
        let has_default = self.field(operand).is_some_and(|f| f.default.is_some());
        has_default && !self.optype.extra.explicit.contains(&operand)
    }

    /// Whether a field of this form is an operand or an attribute of one, and not a modifier of the mnemonic.
    pub fn is_operand(&self, field: &Field) -> bool {
        self.position(field.name).is_some_and(|position| self.of_operands[position])
    }

    /// Union of the bits that some field names.
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
    /// Resolves a list of rows.
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

    /// The optype that a mnemonic and its modifiers name: `UIMAD.WIDE` is one of its own (E115).
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

    /// The optype with a name, as tables spell it (`UIMAD_WIDE`) or as assembler text does (`UIMAD.WIDE`).
    pub fn optype_named(&'static self, name: &str) -> Option<&'static Optype> {
        self.forms.iter().map(|form| form.optype).find(|o| o.name == name || o.mnemonic() == name)
    }

    /// The optypes, each once.
    pub fn optypes(&'static self) -> Vec<&'static Optype> {
        let mut optypes: Vec<&'static Optype> = self.forms.iter().map(|f| f.optype).collect();
        optypes.dedup_by_key(|o| o.name);
        optypes
    }
}

/// The operand of the text that a field is a part of, and the number of that operand's parts.
fn owner(order: &'static [&'static str], field: &str) -> Option<(&'static str, usize)> {
    let mut operands = order.iter().copied();
    let name = operands.find(|name| parts(name).any(|part| part == field))?;
    Some((name, parts(name).count()))
}

/// Whether a field is an operand or an attribute of one, the guard included.
fn is_of_operand(order: &'static [&'static str], guard: &str, field: &Field) -> bool {
    field.operand() == guard || owner(order, field.operand()).is_some()
}

/// The operands of a text that are no predicates.
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

/// Groups of an optype from its own outwards.
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

/// Whether a field type names storage or a literal, and so can be an operand.
pub fn is_operand_type(ty: FieldType) -> bool {
    !matches!(ty, FieldType::Enum(_))
}
