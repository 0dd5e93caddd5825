//! Deterministic random samples: legal instructions, and operands with many special values.

use assay_isa::codec::encode;
use assay_isa::format::{BF16, F16, F32, F64_HIGH, Format};
use assay_isa::instruction::{Access, Space};
use assay_isa::legalize::legalize;
use assay_isa::location::{BANK_BYTES, NO_FLAGS, PT, RZ};
use assay_isa::row::{Data, Field, FieldType};
use assay_isa::tables::types::MUFUDType;
use assay_isa::{Batch, EncodingTable, Form, Instruction, Location, catalog, legality};

/// A random number generator, SplitMix64.
pub struct Random(pub u64);

impl Random {
    /// Returns 32 random bits.
    pub fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32
    }

    /// Returns a random number below `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(limit)) >> 32) as u32
    }

    /// Returns true with probability 1/n.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

const LANDMARKS: [u32; 15] = [
    0,
    0x0000_0001,
    0x003f_ffff,
    0x007f_ffff,
    0x0080_0000,
    0x0100_0000,
    0x0c00_0000,
    0x3f00_0000,
    0x3f80_0000,
    0x4000_0000,
    0x7e00_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001,
    0x7fc0_0000,
];

/// Returns the bits of a float. The float is a landmark, a number near a landmark, a number near
/// `other`, a number whose exponent is far from that of `other`, a number with few set bits, or any
/// word.
pub fn float(random: &mut Random, other: u32) -> u32 {
    let sign = random.bits() & 0x8000_0000;
    match random.below(9) {
        0 | 1 => sign | LANDMARKS[random.below(15) as usize],
        2 => sign ^ LANDMARKS[random.below(15) as usize].wrapping_add(random.below(5)).wrapping_sub(2),
        3 => other ^ sign,
        4 => sign ^ other.wrapping_add(random.below(1 << 26)).wrapping_sub(1 << 25),
        5 => {
            sign | (64 + random.below(128)) << 23 | random.bits() & random.bits() & random.bits() & 0x7f_ffff
        }
        6 => sign | random.below(0x0100_0000),
        7 if random.one_in(2) => other.wrapping_add((124 + random.below(4)) << 23),
        7 => other.wrapping_sub((124 + random.below(4)) << 23),
        _ => random.bits(),
    }
}

/// Returns a bit pattern: an edge value, one bit, a run of ones, the complement of either, a sparse
/// word, a word derived from `other`, or any word.
fn pattern(random: &mut Random, other: u32) -> u32 {
    let bit = 1 << random.below(32);
    match random.below(10) {
        8 => [other, !other, other.wrapping_neg(), other.wrapping_add(1)][random.below(4) as usize],
        0 => [0, !0, 0x8000_0000, 0x7fff_ffff, 0xffff, 0xffff_0000][random.below(6) as usize],
        1 => bit,
        2 => bit.wrapping_neg(),
        3 => bit - 1,
        4 => !bit,
        5 => random.bits() & random.bits() & random.bits(),
        _ => random.bits(),
    }
}

/// Returns a shift amount or a width, mostly about 32, sometimes far greater.
fn amount(random: &mut Random) -> u32 {
    match random.below(8) {
        0 => [0, 31, 32, 33, 64][random.below(5) as usize],
        1..=3 => random.below(34),
        4 => random.below(300),
        5 => 0x8000_0000 | random.below(64),
        6 => 1 << random.below(32),
        _ => random.bits(),
    }
}

/// Returns a value at the edge of a class of values, in a format.
fn edge(random: &mut Random, format: Format) -> u32 {
    let (infinity, least) = (format.infinity(), 1 << format.fraction_bits);
    let edges = [0, 1, least - 1, least, format.one(), infinity - 1, infinity, infinity + 1];
    random.bits() & format.sign_mask() | edges[random.below(8) as usize]
}

/// Returns the bits of a 16-bit float: an edge of a class, a number near 1, or any word.
fn half(random: &mut Random, format: Format) -> u32 {
    let sign = random.bits() & format.sign_mask();
    match random.below(4) {
        0 | 1 => edge(random, format),
        2 => sign | (format.one() - (1 << 10) + random.below(1 << 11)),
        _ => random.bits() & 0xffff,
    }
}

/// Returns a value of the given type, or `value` if no type is given. For a high word the landmarks
/// are shifted, because its exponent has three more bits. The greatest numbers of the format have
/// subnormal reciprocals.
fn typed(random: &mut Random, dtype: Option<MUFUDType>, value: u32) -> u32 {
    match dtype {
        None => value,
        Some(MUFUDType::F32) if random.one_in(4) => edge(random, F32),
        Some(MUFUDType::F32) => value,
        Some(MUFUDType::F64) => match random.below(8) {
            0 => value & 0x8000_0000 | (0x7fb0_0000 + random.below(1 << 22)),
            1 | 2 => edge(random, F64_HIGH),
            3 | 4 => value & 0x8000_0000 | (value & 0x7fff_ffff) >> 3,
            _ => value,
        },
        Some(MUFUDType::F16 | MUFUDType::F16_V2) => half(random, F16) << 16 | half(random, F16),
        Some(MUFUDType::BF16 | MUFUDType::BF16_V2) => half(random, BF16) << 16 | half(random, BF16),
    }
}

/// Returns a binary32 near a binary16 number, often halfway between two of them.
fn narrowable(random: &mut Random) -> u32 {
    let exponent = 100 + random.below(46);
    let low = [0, 0x1000, 0x0fff, 0x1001, random.below(1 << 13)][random.below(5) as usize];
    let cut = random.below(12);
    random.bits() & 0x8000_0000 | exponent << 23 | random.bits() << cut & 0x007f_e000 | low
}

/// Returns a value for an operand, by its kind of data.
fn operand(random: &mut Random, data: Option<Data>, other: u32) -> u32 {
    match data {
        Some(Data::Float | Data::Exponent) => float(random, other),
        Some(Data::Amount) => amount(random),
        _ => pattern(random, other),
    }
}

/// Returns the kind of data in a location that an instruction reads.
fn data_of(instruction: &Instruction, location: Location) -> Option<Data> {
    let form = instruction.form();
    let name = form.inputs().find(|name| instruction.operand(name).locations().any(|l| l == location));
    name.and_then(|name| form.data(name))
}

/// Returns random bits for a field. The caller makes them legal.
fn field(random: &mut Random, data: Option<Data>, field: &Field) -> u32 {
    let bits = random.bits();
    match field.ty {
        FieldType::Reg if random.one_in(8) => RZ.into(),
        FieldType::Reg => random.below(6),
        FieldType::UReg => [4, 5, 6, 7, 8, 9, 62, 63][random.below(8) as usize],
        FieldType::Pred | FieldType::UPred => [PT.into(), PT.into(), 0, 1, 2][random.below(5) as usize],
        FieldType::Flags => [NO_FLAGS.into(), 0, 1][random.below(3) as usize],
        FieldType::Variable => random.below(3),
        FieldType::VecOperand if random.one_in(3) => 1 << 16 | bits & 0xffff,
        FieldType::VecOperand => random.below(3),
        FieldType::CMem => [random.below(64), BANK_BYTES - 1 - random.below(64)][random.below(2) as usize],
        FieldType::F32Imm | FieldType::SImm32 => operand(random, data, 0x3f80_0000),
        FieldType::Enum(e) => random.below(e.values.len() as u32),
        FieldType::SReg | FieldType::SImm7 | FieldType::UImm(_) => bits,
    }
}

/// Returns a random legal instruction of an optype. Combinations of modifiers are equally likely.
pub fn instruction(random: &mut Random, optype: &str) -> Instruction {
    let forms: Vec<&'static Form> = catalog().forms_of(optype).collect();
    loop {
        let mut instruction = Instruction::new(forms[random.below(forms.len() as u32) as usize]);
        let fields = &instruction.form().fields;
        // The operands depend on the modifiers, and some modifiers depend on others.
        for modifiers in [true, true, false] {
            for (position, row) in fields.iter().enumerate() {
                if matches!(row.ty, FieldType::Enum(_)) == modifiers {
                    let bits = field(random, instruction.form().data(row.name), row);
                    instruction.set_at(position, legalize(&instruction, position, bits));
                }
            }
        }
        // Attributes are drawn after the operands, because a missing predicate cannot be negated.
        for (position, row) in fields.iter().enumerate().filter(|(_, row)| row.attribute().is_some()) {
            let bits = field(random, instruction.form().data(row.name), row);
            instruction.set_at(position, legalize(&instruction, position, bits));
        }
        for (position, row) in fields.iter().enumerate() {
            if !legality::permits(&instruction, row.name) {
                instruction.set_at(position, legalize(&instruction, position, 0));
            }
        }
        if legality::check(&instruction).is_ok() {
            return instruction;
        }
    }
}

/// Returns an address or an index. The address mostly selects an existing location, or a location
/// just beyond the last one.
fn base(random: &mut Random, access: &Access) -> u32 {
    let place = match access.space {
        Space::Constant { .. } => match random.below(6) {
            0..=2 => random.below(16) * access.bytes,
            3 => random.below(256),
            4 => BANK_BYTES - random.below(8) * access.bytes,
            _ => BANK_BYTES - 8 + random.below(16),
        },
        Space::Uniform if random.one_in(4) => 62 + random.below(4),
        Space::Uniform => random.below(72),
        Space::Special => random.below(16),
    };
    if random.one_in(8) { random.bits() } else { place.wrapping_sub(access.offset) }
}

/// Returns the locations that an access can read for a base.
fn places(access: &Access, base: u32) -> Vec<Location> {
    let address = base.wrapping_add(access.offset);
    match access.space {
        Space::Constant { bank } => {
            let words = (0..=access.bytes.div_ceil(4)).map(|word| (address & !3).saturating_add(4 * word));
            words.filter(|offset| *offset < BANK_BYTES).map(|offset| Location::C { bank, offset }).collect()
        }
        Space::Uniform => {
            (address % 64 < 63).then_some(Location::UR((address % 64) as u8)).into_iter().collect()
        }
        Space::Special => vec![Location::G(address)],
    }
}

/// Returns a batch of the instruction, with values for everything that it reads.
pub fn batch(random: &mut Random, instruction: &Instruction, lanes: usize) -> Batch {
    let mut locations = instruction.reads();
    let access = instruction.access();
    let mut bases = vec![0];
    if let Some(access) = access {
        if access.base.is_some() {
            bases = (0..8).map(|_| base(random, &access)).collect();
        }
        let found = bases.iter().flat_map(|base| places(&access, *base));
        for place in found.filter(|_| !access.writes) {
            if !locations.contains(&place) {
                locations.push(place);
            }
        }
    }
    let mut batch = Batch::new(encode(instruction, EncodingTable::provisional()), &locations, lanes);
    let decides = access.and_then(|access| access.base);
    for lane in 0..lanes {
        let mut other = 0x3f80_0000;
        for (column, location) in locations.iter().enumerate() {
            let data = data_of(instruction, *location);
            let value = match () {
                () if Some(*location) == decides => bases[random.below(bases.len() as u32) as usize],
                () if location.is_predicate() => random.below(2),
                () if instruction.optype() == "UF2FP" && !random.one_in(4) => narrowable(random),
                () => operand(random, data, other),
            };
            batch.column_mut(column)[lane] = match data {
                Some(Data::Float) => typed(random, instruction.modifier("dtype"), value),
                _ => value,
            };
            other = value;
        }
    }
    batch
}
