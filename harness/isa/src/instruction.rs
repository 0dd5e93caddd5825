//! An instruction: a form with a value for each of its fields, independent of the encoding table.

use crate::catalog::{Form, Layout, OperandShape};
use crate::enumeration::Modifier;
use crate::location::{BANK_BYTES, Location, NO_FLAGS, PT, RZ, SRZ, URZ, VARIABLES};
use crate::row::{Data, Direction, Field, FieldType, Words};
use crate::tables::types::{BSel, ChannelMask, HSel, MEMDType};

/// Width of the offset in a constant operand (E015).
const CMEM_OFFSET_BITS: u32 = BANK_BYTES.ilog2();

/// The register, constant or literal of an operand, as encoded. RZ, URZ, PT and UPT have their
/// register numbers: 255, 63, 7 and 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// General register.
    Reg(u8),
    /// Uniform register.
    UReg(u8),
    /// Predicate.
    Pred(u8),
    /// Uniform predicate.
    UPred(u8),
    /// All uniform predicates, UP0 first.
    AllPredicates,
    /// Constant memory at a byte offset.
    Const {
        /// Bank.
        bank: u8,
        /// Byte offset.
        offset: u32,
    },
    /// A literal, as the bits of its field.
    Imm(u32),
    /// Special register by its code.
    Special(u8),
    /// Constant memory at an offset that is added to a uniform register (E095).
    ConstAt {
        /// Bank.
        bank: u8,
        /// Number of the register.
        base: u8,
        /// The 17 bits of the offset.
        offset: u32,
    },
    /// A vISA variable.
    Variable(u8),
    /// A vISA predicate.
    Flags(u8),
    /// The channels that vISA dispatched.
    DispatchMask,
    /// The uniform register whose number is the sum of a uniform register and an offset.
    URegAt {
        /// Number of the register that holds the index.
        base: u8,
        /// The 7 bits of the offset.
        offset: u32,
    },
}

impl Source {
    /// Returns the location of the value, or of its lowest word. `None` for a literal, for a name
    /// without storage, and if the location depends on a register's value.
    pub fn location(self) -> Option<Location> {
        match self {
            Source::Reg(n) => (n != RZ).then_some(Location::R(n)),
            Source::UReg(n) => (n != URZ).then_some(Location::UR(n)),
            Source::Pred(n) => (n != PT).then_some(Location::P(n)),
            Source::UPred(n) => (n != PT).then_some(Location::UP(n)),
            Source::AllPredicates => Some(Location::UP(0)),
            Source::Const { bank, offset } => Some(Location::C { bank, offset }),
            Source::Special(code) => (code != SRZ).then_some(Location::Sr(code)),
            Source::Variable(variable) => Some(Location::Var { variable, channel: 0 }),
            Source::Flags(n) => (n != NO_FLAGS).then_some(Location::Flags(n)),
            Source::DispatchMask => Some(Location::DispatchMask),
            Source::Imm(_) | Source::ConstAt { .. } | Source::URegAt { .. } => None,
        }
    }

    /// Returns the register to which the offset of an indexed operand is added. `None` for URZ and
    /// for other operands.
    pub fn base(self) -> Option<Location> {
        match self {
            Source::ConstAt { base, .. } | Source::URegAt { base, .. } => Source::UReg(base).location(),
            _ => None,
        }
    }

    /// Whether the source is a predicate, or all uniform predicates.
    pub fn is_predicate(self) -> bool {
        matches!(self, Source::Pred(_) | Source::UPred(_) | Source::AllPredicates)
    }
}

/// An operand with its prefixes and its suffix. An attribute that the operand cannot have counts as
/// absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The register, constant or literal.
    pub source: Source,
    /// Number of words, the lowest in the first location. 7 for the operand that means all uniform
    /// predicates.
    pub words: u8,
    /// Whether `-` precedes the operand, or `~` in a mode with complements
    /// ([`crate::row::Extra::complement`]).
    pub neg: bool,
    /// Whether the operand is between `|` and `|`.
    pub abs: bool,
    /// Whether `~` precedes the operand.
    pub bitnot: bool,
    /// Whether `!` precedes the operand.
    pub not: bool,
    /// The half that the operand's suffix selects.
    pub half: Option<HSel>,
    /// The byte that the operand's suffix selects.
    pub byte: Option<BSel>,
}

impl Operand {
    /// The guard of an instruction without one: PT.
    const UNGUARDED: Operand = Operand {
        source: Source::Pred(PT),
        words: 1,
        neg: false,
        abs: false,
        bitnot: false,
        not: false,
        half: None,
        byte: None,
    };

    /// Returns the location of a word of the operand. `None` if the word has no storage.
    pub fn word(&self, index: u8) -> Option<Location> {
        self.source.location()?.behind(index)
    }

    /// Returns the locations of the operand's words. Words without storage are left out.
    pub fn locations(self) -> impl Iterator<Item = Location> {
        (0..self.words).filter_map(move |index| self.word(index))
    }
}

/// A space whose locations are selected by an address or an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// A constant bank, by byte address.
    Constant {
        /// The bank.
        bank: u8,
    },
    /// The uniform registers, by number.
    Uniform,
    /// The special registers that GETREG and SETREG access, by address (E071).
    Special,
}

/// A read or write whose location depends on an address or an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The space of the location.
    pub space: Space,
    /// The location that holds the address or index, to which the offset is added. `None` means 0.
    pub base: Option<Location>,
    /// The offset, sign extended, modulo 2^32.
    pub offset: u32,
    /// Number of bytes. For a register always 4.
    pub bytes: u32,
    /// Whether the access is a write, not a read.
    pub writes: bool,
}

impl Access {
    /// Whether a location is in the space of the access.
    pub fn reaches(&self, location: Location) -> bool {
        match (self.space, location) {
            (Space::Constant { bank }, Location::C { bank: other, .. }) => bank == other,
            (Space::Uniform, Location::UR(_)) | (Space::Special, Location::G(_)) => true,
            _ => false,
        }
    }
}

/// An instruction. Enumerated fields hold the index of a value, all others the bits of the field.
#[derive(Clone, Debug)]
pub struct Instruction {
    form: &'static Form,
    values: Vec<u32>,
    /// The scheduling field, bits 112..=127. It is not interpreted (E007).
    pub schedule: u16,
}

impl PartialEq for Instruction {
    fn eq(&self, other: &Self) -> bool {
        self.form.index == other.form.index && self.values == other.values && self.schedule == other.schedule
    }
}

impl Eq for Instruction {}

impl Instruction {
    /// Creates an instruction of the form. Every field has its default, or 0 if it has no default.
    pub fn new(form: &'static Form) -> Instruction {
        let values = form.fields.iter().map(|f| initial(f)).collect();
        Instruction { form, values, schedule: 0 }
    }

    /// The form.
    #[inline]
    pub fn form(&self) -> &'static Form {
        self.form
    }

    /// Returns the name of the optype.
    pub fn optype(&self) -> &'static str {
        self.form.optype.name
    }

    /// Returns the optype with its mandatory modifiers: `FADD`, `MUFU.RCP.F32`.
    pub fn function(&self) -> String {
        let mandatory = self
            .form
            .optype
            .syntax
            .iter()
            .filter(|name| self.form.field(name).is_some_and(|field| field.default.is_none()));
        mandatory.fold(self.optype().to_owned(), |text, name| text + "." + self.value_name(name))
    }

    /// Returns the values of the fields, in the order of [`Form::fields`].
    #[inline]
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Returns the value of a field, if the form has it.
    pub fn get(&self, field: &str) -> Option<u32> {
        self.form.position(field).map(|i| self.values[i])
    }

    /// Sets the field at a position of the form. The value must be an index of the field's value
    /// list, or fit in `width` bits. Panics otherwise.
    #[inline]
    pub fn set_at(&mut self, position: usize, value: u32) {
        let field = self.form.fields[position];
        let limit = match field.ty {
            FieldType::Enum(e) => e.values.len() as u64,
            _ => 1 << field.width,
        };
        assert!(u64::from(value) < limit, "{}.{} cannot hold {value:#x}", self.form.name, field.name);
        self.values[position] = value;
    }

    /// Sets a field by name, as [`Instruction::set_at`] does. The form must have the field.
    pub fn set(&mut self, field: &str, value: u32) {
        let position = self.form.position(field);
        self.set_at(position.unwrap_or_else(|| panic!("{} has no field {field}", self.form.name)), value);
    }

    /// Returns the value of a modifier, if the form has the field with this type. The type is
    /// compared because it can differ: the type of `itype` in USHF is not that in SGXT.
    #[inline]
    pub fn modifier<M: Modifier>(&self, field: &str) -> Option<M> {
        let position = self.form.position(field)?;
        match self.form.fields[position].ty {
            FieldType::Enum(e) if e.name == M::ENUM.name => Some(M::from_index(self.values[position])),
            _ => None,
        }
    }

    /// Returns the name of the value that an enumerated field holds. The form must have the field.
    pub fn value_name(&self, field: &str) -> &'static str {
        let position = self.form.position(field);
        let position = position.unwrap_or_else(|| panic!("{} has no field {field}", self.form.name));
        match self.form.fields[position].ty {
            FieldType::Enum(e) => e.values[self.values[position] as usize],
            ty => panic!("{} is of type {} and has no value names", field, ty.name()),
        }
    }

    /// Whether a one-bit field is set. False if the form lacks the field.
    pub fn flag(&self, field: &str) -> bool {
        self.get(field) == Some(1)
    }

    /// Returns an operand by its name. The form must have the operand.
    #[inline]
    pub fn operand(&self, name: &str) -> Operand {
        let layout = self.form.layouts.iter().find(|l| l.name == name);
        self.laid_out(layout.unwrap_or_else(|| panic!("{} has no operand {name}", self.form.name)))
    }

    /// Returns the operand that a layout describes.
    #[inline]
    fn laid_out(&self, layout: &Layout) -> Operand {
        let flag = |position: Option<usize>| position.is_some_and(|i| self.values[i] == 1);
        let source = self.source(layout);
        Operand {
            source,
            words: if source == Source::AllPredicates { PT } else { self.words(layout) },
            neg: flag(layout.neg),
            abs: flag(layout.abs),
            bitnot: flag(layout.bitnot),
            not: flag(layout.not),
            half: layout.half.map(|i| HSel::from_index(self.values[i])),
            byte: layout.byte.map(|i| BSel::from_index(self.values[i])),
        }
    }

    fn source(&self, layout: &Layout) -> Source {
        let at = |place: usize| source(self.form.fields[place].ty, self.values[place]);
        match layout.shape {
            OperandShape::Field(place) => at(place),
            OperandShape::AllPredicates => Source::AllPredicates,
            OperandShape::DispatchMask(mask) => {
                match ChannelMask::from_index(self.values[mask]).first_channel() {
                    (_, true) => Source::Imm(u32::MAX),
                    (_, false) => Source::DispatchMask,
                }
            }
            OperandShape::Indexed { base, offset } => {
                let base = self.values[base] as u8;
                match at(offset) {
                    Source::Const { bank, offset } => Source::ConstAt { bank, base, offset },
                    _ => Source::URegAt { base, offset: self.values[offset] },
                }
            }
        }
    }

    fn words(&self, layout: &Layout) -> u8 {
        match layout.words {
            None => 1,
            Some((Words::Fixed(words), _)) => words,
            Some((Words::By(_, list), place)) => {
                let FieldType::Enum(e) = self.form.fields[place].ty else { return 1 };
                let value = e.values[self.values[place] as usize];
                list.iter().find(|(name, _)| *name == value).map_or(1, |(_, words)| *words)
            }
        }
    }

    /// Returns the source operands, in the order of the text, without the guard.
    pub fn inputs(&self) -> impl Iterator<Item = Operand> + '_ {
        self.form.read.iter().map(|place| self.laid_out(&self.form.layouts[*place]))
    }

    /// Returns the destination operands, in the order of [`crate::row::Optype::outs`].
    pub fn outputs(&self) -> impl Iterator<Item = Operand> + '_ {
        self.form.written.iter().map(|place| self.laid_out(&self.form.layouts[*place]))
    }

    /// Returns the guard predicate. PT if the form has none.
    pub fn guard(&self) -> Operand {
        // The guard's layout comes first, if the form has a guard.
        match self.form.layouts.first() {
            Some(layout) if layout.name == self.form.guard() => self.laid_out(layout),
            _ => Operand::UNGUARDED,
        }
    }

    /// Returns the locations that the instruction reads and that the instruction word determines.
    /// The guard comes first, and no location occurs twice. A location that depends on a value is
    /// not included: see [`Instruction::access`].
    pub fn reads(&self) -> Vec<Location> {
        let mut reads = Vec::with_capacity(4);
        let mut add = |location: Location| {
            if !reads.contains(&location) {
                reads.push(location);
            }
        };
        let old = self.form.optype.extra.old.iter().map(|name| self.operand(name));
        for operand in std::iter::once(self.guard()).chain(self.inputs()).chain(old) {
            operand.locations().chain(operand.source.base()).for_each(&mut add);
        }
        self.outputs().filter_map(|operand| operand.source.base()).for_each(&mut add);
        if let Some(Access { space: Space::Special, base: None, offset, writes: false, .. }) = self.access() {
            add(Location::G(offset));
        }
        reads
    }

    /// Returns the locations that the instruction can write and that the instruction word
    /// determines. A location occurs twice if two destinations name it.
    pub fn writes(&self) -> Vec<Location> {
        let outputs = self.outputs().flat_map(Operand::locations);
        let special = match self.access() {
            Some(Access { space: Space::Special, base: None, offset, writes: true, .. }) => {
                Some(Location::G(offset))
            }
            _ => None,
        };
        outputs.chain(special).collect()
    }

    /// Returns the read or write whose location is given by an address or an index, if the
    /// instruction has one.
    pub fn access(&self) -> Option<Access> {
        let operand = |name: &&'static str| self.operand(name);
        let is_indexed = |layout: &&Layout| matches!(layout.shape, OperandShape::Indexed { .. });
        let indexed = self.form.layouts.iter().filter(is_indexed);
        let found = indexed.map(|layout| &layout.name).find_map(|name| match operand(name).source {
            Source::ConstAt { bank, offset, .. } => {
                Some((Space::Constant { bank }, name, sign_extended(offset, CMEM_OFFSET_BITS)))
            }
            Source::URegAt { offset, .. } => Some((Space::Uniform, name, sign_extended(offset, 7))),
            _ => None,
        });
        if let Some((space, name, offset)) = found {
            let (base, writes) = (operand(name).source.base(), self.form.is_output(name));
            return Some(Access { space, base, offset, bytes: self.bytes(), writes });
        }
        let writes = self.form.optype.extra.special_space? == Direction::Writes;
        let address = self.form.words().find(|name| self.form.data(name) == Some(Data::Address))?;
        let (base, offset) = match self.operand(address).source {
            Source::Imm(address) => (None, address),
            register => (register.location(), 0),
        };
        Some(Access { space: Space::Special, base, offset, bytes: 4, writes })
    }

    /// Returns the number of bytes of an indexed access. For ULDC the dtype decides the number.
    fn bytes(&self) -> u32 {
        match self.modifier("dtype") {
            Some(MEMDType::S8 | MEMDType::U8) => 1,
            Some(MEMDType::S16 | MEMDType::U16) => 2,
            Some(MEMDType::B64) => 8,
            Some(MEMDType::B128) => 16,
            _ => 4,
        }
    }
}

/// Sign-extends a two's complement number of `width` bits.
fn sign_extended(bits: u32, width: u32) -> u32 {
    ((bits << (32 - width)) as i32 >> (32 - width)) as u32
}

/// Returns the initial value of a field: the required value, the default, or else 0.
pub(crate) fn initial(field: &Field) -> u32 {
    match (field.ty, field.constraint.or(field.default)) {
        (FieldType::Enum(e), Some(name)) => {
            e.index_of(name).unwrap_or_else(|| panic!("{} has no value {name}", e.name))
        }
        (_, None) => 0,
        (ty, Some(name)) => match ty.idle() {
            Some((idle, number)) if idle == name => number,
            _ => panic!("{} cannot default to {name}", ty.name()),
        },
    }
}

fn source(ty: FieldType, value: u32) -> Source {
    match ty {
        FieldType::Reg => Source::Reg(value as u8),
        FieldType::UReg => Source::UReg(value as u8),
        FieldType::Pred => Source::Pred(value as u8),
        FieldType::UPred => Source::UPred(value as u8),
        FieldType::SReg => Source::Special(value as u8),
        FieldType::CMem => Source::Const { bank: (value / BANK_BYTES) as u8, offset: value % BANK_BYTES },
        FieldType::F32Imm | FieldType::SImm32 | FieldType::SImm7 | FieldType::UImm(_) => Source::Imm(value),
        FieldType::Flags => Source::Flags(value as u8),
        FieldType::Variable => Source::Variable(value as u8),
        FieldType::VecOperand if value >> 16 == 1 => Source::Imm(value & 0xffff),
        FieldType::VecOperand => Source::Variable(value as u8 % VARIABLES),
        FieldType::Enum(e) => panic!("{} is a modifier and no operand", e.name),
    }
}
