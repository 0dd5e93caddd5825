//! An instruction: a form with a value for each of its fields, independent of any numbering.

use crate::catalog::Form;
use crate::enumeration::Modifier;
use crate::legality::value_name;
use crate::location::{BANK_BYTES, Location, PT, RZ, URZ};
use crate::row::{Field, FieldType};
use crate::tables::types::HSel;

/// Where an operand comes from or goes to, as encoded. RZ, URZ and PT are numbers like any other here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// General register.
    Reg(u8),
    /// Uniform register.
    UReg(u8),
    /// Predicate.
    Pred(u8),
    /// A word of constant memory at a byte offset.
    Const {
        /// Bank.
        bank: u8,
        /// Byte offset.
        offset: u32,
    },
    /// A literal, as its 32 bits.
    Imm(u32),
}

impl Source {
    /// The location that holds the value; none for a literal and for the names without storage.
    pub fn location(self) -> Option<Location> {
        match self {
            Source::Reg(n) => (n != RZ).then_some(Location::R(n)),
            Source::UReg(n) => (n != URZ).then_some(Location::UR(n)),
            Source::Pred(n) => (n != PT).then_some(Location::P(n)),
            Source::Const { bank, offset } => Some(Location::C { bank, offset }),
            Source::Imm(_) => None,
        }
    }
}

/// An operand with the prefixes and the suffix it carries; an attribute it cannot carry reads as absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Where.
    pub source: Source,
    /// `-` before it.
    pub neg: bool,
    /// `|` around it.
    pub abs: bool,
    /// `~` before it.
    pub bitnot: bool,
    /// `!` before it.
    pub not: bool,
    /// The half that its suffix selects.
    pub half: Option<HSel>,
}

/// An instruction. Enumerated fields hold the index of a value, all others the bits of the field.
#[derive(Clone, Debug)]
pub struct Instruction {
    form: &'static Form,
    values: Vec<u32>,
    /// Bits 112..=127, an opaque field for scheduling that is kept and not interpreted (E007).
    pub schedule: u16,
}

impl PartialEq for Instruction {
    fn eq(&self, other: &Self) -> bool {
        self.form.index == other.form.index && self.values == other.values && self.schedule == other.schedule
    }
}

impl Eq for Instruction {}

impl Instruction {
    /// The form with every field at its default, or 0 where it has none.
    pub fn new(form: &'static Form) -> Instruction {
        let values = form.fields.iter().map(|f| initial(f)).collect();
        Instruction { form, values, schedule: 0 }
    }

    /// The form.
    pub fn form(&self) -> &'static Form {
        self.form
    }

    /// Mnemonic.
    pub fn optype(&self) -> &'static str {
        self.form.optype.name
    }

    /// The optype with the modifiers that must be written: `FADD`, `MUFU.RCP.F32`.
    pub fn function(&self) -> String {
        let mandatory = self
            .form
            .optype
            .syntax
            .iter()
            .filter(|name| self.form.field(name).is_some_and(|field| field.default.is_none()));
        mandatory.fold(self.optype().to_owned(), |text, name| text + "." + value_name(self, name))
    }

    /// Values in the order of the form's fields.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Value of a field, if the form has it.
    pub fn get(&self, field: &str) -> Option<u32> {
        self.form.position(field).map(|i| self.values[i])
    }

    /// Sets the field at a position of the form. The value must fit: an index of the value list or
    /// `width` bits; anything else is a mistake of the caller.
    pub fn set_at(&mut self, position: usize, value: u32) {
        let field = self.form.fields[position];
        let limit = match field.ty {
            FieldType::Enum(e) => e.values.len() as u64,
            _ => 1 << field.width,
        };
        assert!(u64::from(value) < limit, "{}.{} cannot hold {value:#x}", self.form.name, field.name);
        self.values[position] = value;
    }

    /// Sets a field by name; see [`Instruction::set_at`]. The form must have it.
    pub fn set(&mut self, field: &str, value: u32) {
        let position = self.form.position(field);
        self.set_at(position.unwrap_or_else(|| panic!("{} has no field {field}", self.form.name)), value);
    }

    /// Value of a modifier, if the form has it.
    pub fn modifier<M: Modifier>(&self, field: &str) -> Option<M> {
        self.get(field).map(M::from_index)
    }

    /// Whether a one-bit field is set; false where the form lacks it.
    pub fn flag(&self, field: &str) -> bool {
        self.get(field) == Some(1)
    }

    /// An operand of the text, by the name of its field, which the form must have.
    pub fn operand(&self, name: &str) -> Operand {
        let layout = self.form.layouts.iter().find(|l| l.name == name);
        let layout = layout.unwrap_or_else(|| panic!("{} has no operand {name}", self.form.name));
        let flag = |position: Option<usize>| position.is_some_and(|i| self.values[i] == 1);
        Operand {
            source: source(self.form.fields[layout.place].ty, self.values[layout.place]),
            neg: flag(layout.neg),
            abs: flag(layout.abs),
            bitnot: flag(layout.bitnot),
            not: flag(layout.not),
            half: layout.half.map(|i| HSel::from_index(self.values[i])),
        }
    }

    /// The operands read, in the order of the text, the guard left out.
    pub fn inputs(&self) -> impl Iterator<Item = Operand> + '_ {
        self.form.inputs().map(|name| self.operand(name))
    }

    /// The operands written, in the order of the text.
    pub fn outputs(&self) -> impl Iterator<Item = Operand> + '_ {
        self.form.optype.outs.iter().map(|name| self.operand(name))
    }

    /// The guard predicate.
    pub fn guard(&self) -> Operand {
        self.operand(self.form.guard())
    }

    /// The locations it reads, each once, the guard first: its footprint.
    pub fn reads(&self) -> Vec<Location> {
        let mut reads = Vec::with_capacity(4);
        for operand in std::iter::once(self.guard()).chain(self.inputs()) {
            if let Some(location) = operand.source.location()
                && !reads.contains(&location)
            {
                reads.push(location);
            }
        }
        reads
    }

    /// The locations it can write, each once.
    pub fn writes(&self) -> Vec<Location> {
        self.outputs().filter_map(|o| o.source.location()).collect()
    }
}

fn initial(field: &Field) -> u32 {
    match (field.ty, field.constraint.or(field.default)) {
        (FieldType::Enum(e), Some(name)) => {
            e.index_of(name).unwrap_or_else(|| panic!("{} has no value {name}", e.name))
        }
        (FieldType::Pred, Some("PT")) => u32::from(PT),
        (_, None) => 0,
        (ty, Some(name)) => panic!("{} cannot default to {name}", ty.name()),
    }
}

fn source(ty: FieldType, value: u32) -> Source {
    match ty {
        FieldType::Reg => Source::Reg(value as u8),
        FieldType::UReg => Source::UReg(value as u8),
        FieldType::Pred => Source::Pred(value as u8),
        FieldType::CMem => Source::Const { bank: (value / BANK_BYTES) as u8, offset: value % BANK_BYTES },
        FieldType::F32Imm | FieldType::SImm32 => Source::Imm(value),
        FieldType::Enum(e) => panic!("{} is a modifier and no operand", e.name),
    }
}
