//! Helpers that the tests share: building instructions, running one lane, and operands at every
//! edge.

use assay_isa::codec::encode;
use assay_isa::enumeration::Modifier;
use assay_isa::lint;
use assay_isa::row::FieldType;
use assay_isa::{
    Answer, Batch, Effects, EncodingTable, Erratum, Instruction, Location, Readings, Subject, catalog,
};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Returns an instruction of a form. `names` sets enumerated fields by the value's name, and
/// `fields` sets other fields by number.
///
/// Unless set, outputs are R0, and inputs of register type are R1, R2 and R3 in the order of the
/// text.
pub fn instruction(form: &str, fields: &[(&str, u32)], names: &[(&str, &str)]) -> Instruction {
    let form = catalog().form(form).unwrap_or_else(|| panic!("no form {form}"));
    let mut instruction = Instruction::new(form);
    for (number, operand) in (1..).zip(form.inputs()) {
        if matches!(form.field(operand).unwrap().ty, FieldType::Reg) {
            instruction.set(operand, number);
        }
    }
    fields.iter().for_each(|(field, value)| instruction.set(field, *value));
    for (field, name) in names {
        let FieldType::Enum(values) = form.field(field).unwrap().ty else { panic!("{field} has no names") };
        instruction.set(field, values.index_of(name).unwrap_or_else(|| panic!("no {field} {name}")));
    }
    instruction
}

/// Returns a batch with one column for each location. All columns must have the same length.
pub fn batch(instruction: &Instruction, columns: &[(Location, Vec<u32>)]) -> Batch {
    let locations: Vec<Location> = columns.iter().map(|(location, _)| *location).collect();
    let len = columns.first().map_or(1, |(_, values)| values.len());
    let mut batch = Batch::new(encode(instruction, EncodingTable::provisional()), &locations, len);
    for (index, (_, values)) in columns.iter().enumerate() {
        batch.column_mut(index).copy_from_slice(values);
    }
    batch
}

/// Returns R0 after one lane. `Err`: the implementation gives this answer instead of a result.
/// `Ok(None)`: R0 is not written.
pub fn run(
    implementation: &mut dyn Subject,
    instruction: &Instruction,
    inputs: &[(Location, u32)],
) -> Result<Option<u32>, Answer> {
    let columns: Vec<_> = inputs.iter().map(|(location, value)| (*location, vec![*value])).collect();
    let mut effects = Effects::default();
    match implementation
        .execute(&batch(instruction, &columns), &mut effects)
        .expect("the implementation failed")
    {
        Answer::Known => Ok(effects.value(Location::R(0), 0)),
        answer => Err(answer),
    }
}

/// Returns R0 after an instruction on R1, R2 and R3.
pub fn on(
    implementation: &mut dyn Subject,
    instruction: &Instruction,
    operands: &[u32],
) -> Result<u32, Answer> {
    let inputs: Vec<_> = (1..).map(Location::R).zip(operands.iter().copied()).collect();
    run(implementation, instruction, &inputs).map(|value| value.expect("nothing was written"))
}

/// Returns all writes of one lane. `Err`: the implementation gives this answer instead of a result.
pub fn written(
    implementation: &mut dyn Subject,
    instruction: &Instruction,
    inputs: &[(Location, u32)],
) -> Result<Vec<(Location, u32)>, Answer> {
    let columns: Vec<_> = inputs.iter().map(|(location, value)| (*location, vec![*value])).collect();
    let mut effects = Effects::default();
    match implementation
        .execute(&batch(instruction, &columns), &mut effects)
        .expect("the implementation failed")
    {
        Answer::Known => Ok(effects.lane(0).collect()),
        answer => Err(answer),
    }
}

/// Returns the readings `intended` with these settings changed.
pub fn readings(settings: &[(u16, u8)]) -> Readings {
    let mut readings = Readings::INTENDED;
    settings.iter().for_each(|(erratum, setting)| readings.set(Erratum(*erratum), *setting).unwrap());
    readings
}

/// Returns the readings `intended` with one switch changed: from 1 to 2, or from 2 to 1.
pub fn departing(erratum: u16) -> Readings {
    let (_, intended) = Readings::INTENDED.iter().find(|(e, _)| e.0 == erratum).expect("no such switch");
    readings(&[(erratum, 3 - intended)])
}

/// Returns whether an implementation supports an instruction.
pub fn answers(implementation: &mut dyn Subject, instruction: &Instruction) -> bool {
    let inputs: Vec<_> = instruction.reads().into_iter().map(|location| (location, 0)).collect();
    written(implementation, instruction, &inputs).is_ok()
}

/// Returns every instruction of an optype: all forms, all modifiers and all prefixes. Each operand
/// has a location of its own. Registers count up from R0 and predicates from P0, in the order of
/// the text. Others are UR4 and c[3][0x160].
pub fn everything(optype: &str) -> Vec<Instruction> {
    let forms = catalog().forms.iter().filter(|form| form.optype.name == optype);
    let plain = forms.flat_map(lint::combinations).map(placed);
    plain.flat_map(|instruction| prefixed(&instruction)).collect()
}

fn placed(mut instruction: Instruction) -> Instruction {
    let form = instruction.form();
    let (mut registers, mut predicates) = (0.., 0..);
    for operand in form.order {
        let value = match form.field(operand).unwrap().ty {
            FieldType::Reg => registers.next(),
            FieldType::Pred => predicates.next(),
            FieldType::UReg => Some(4),
            FieldType::CMem => Some(3 << 17 | 0x160),
            _ => None,
        };
        instruction.set(operand, value.unwrap_or(0));
    }
    instruction
}

/// Returns an instruction with every set of prefixes of its operands.
fn prefixed(instruction: &Instruction) -> Vec<Instruction> {
    let form = instruction.form();
    let is_prefix = |name: &&str| name.contains('.') && !name.starts_with(form.guard());
    let prefixes: Vec<&str> = form.fields.iter().map(|f| f.name).filter(is_prefix).collect();
    let subset = |set: u32| {
        let mut instruction = instruction.clone();
        prefixes.iter().enumerate().for_each(|(i, name)| instruction.set(name, set >> i & 1));
        instruction
    };
    (0..1 << prefixes.len()).map(subset).collect()
}

/// Returns a batch of the lanes (a, b, p). a and b are the words that the instruction reads in the
/// order of its text, and p is its predicate. An immediate gets the value of the first lane.
pub fn lanes_of(instruction: &mut Instruction, lanes: &[[u32; 3]]) -> Batch {
    let form = instruction.form();
    let words = form.inputs().filter(|name| form.data(name).is_some());
    for (place, name) in words.enumerate() {
        if matches!(form.field(name).unwrap().ty, FieldType::F32Imm | FieldType::SImm32) {
            instruction.set(name, lanes[0][place]);
        }
    }
    let locations = instruction.reads();
    let mut batch = Batch::new(encode(instruction, EncodingTable::provisional()), &locations, lanes.len());
    for (index, location) in locations.iter().enumerate() {
        let place = if location.is_predicate() { 2 } else { index };
        batch.column_mut(index).iter_mut().zip(lanes).for_each(|(value, lane)| *value = lane[place]);
    }
    batch
}

/// Returns the names of all values of a modifier.
pub fn values_of<M: Modifier>() -> Vec<&'static str> {
    M::ENUM.values.to_vec()
}

/// F32 patterns next to every edge: zeros, subnormals, the least normal number, half of it, ties at
/// 1, the largest numbers, infinities, quiet and signalling NaNs.
pub const EDGES: &[u32] = &[
    0x0000_0000,
    0x0000_0001,
    0x0000_0002,
    0x0000_0003,
    0x003f_ffff,
    0x0040_0000,
    0x007f_fffe,
    0x007f_ffff,
    0x0080_0000,
    0x0080_0001,
    0x00ff_ffff,
    0x0100_0000,
    0x1fff_fffe,
    0x2000_0000,
    0x2000_0001,
    0x3380_0000,
    0x3380_0001,
    0x33ff_ffff,
    0x3f00_0000,
    0x3f7f_fffe,
    0x3f7f_ffff,
    0x3f80_0000,
    0x3f80_0001,
    0x3fff_ffff,
    0x4000_0000,
    0x4040_0000,
    0x4b7f_ffff,
    0x4b80_0000,
    0x4b80_0001,
    0x5f7f_ffff,
    0x7e80_0000,
    0x7eff_ffff,
    0x7f00_0000,
    0x7f7f_fffe,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001,
    0x7fbf_ffff,
    0x7fc0_0000,
    0x7fff_ffff,
];

/// Returns an F32 pattern. With weights 2, 3 and 3, the pattern is an edge of either sign, has few
/// significant bits, or is arbitrary.
pub fn operand() -> impl Strategy<Value = u32> {
    let sign = prop_oneof![Just(0), Just(0x8000_0000u32)];
    let edge = (proptest::sample::select(EDGES), sign.clone()).prop_map(|(edge, sign)| edge | sign);
    let sparse = (sign, 0u32..256, 0u32..=23, 0u32..=23, any::<bool>());
    let sparse = sparse.prop_map(|(sign, exponent, high, low, fill)| {
        let bits = if fill { (1u32 << high).wrapping_sub(1 << low) } else { 1 << high | 1 << low };
        sign | exponent << 23 | bits & 0x007f_ffff
    });
    prop_oneof![2 => edge, 3 => sparse, 3 => any::<u32>()]
}

/// Returns three operands. The operands are unrelated, or FFMA cancels (the third is near the
/// negated product of the others), or the product is near the subnormal numbers.
pub fn operands() -> impl Strategy<Value = [u32; 3]> {
    let free = [operand(), operand(), operand()];
    let cancelling = (any::<u32>(), any::<u32>(), -3i32..=3).prop_map(|(a, b, offset)| {
        let product = f32::from_bits(a) * f32::from_bits(b);
        [a, b, (-product).to_bits().wrapping_add_signed(offset)]
    });
    let shrinking = (any::<u32>(), any::<u32>(), operand(), 120u32..=134).prop_map(|(a, b, c, target)| {
        let exponent = (254 - target).saturating_sub(a >> 23 & 0xff).clamp(1, 254);
        [a, b & 0x807f_ffff | exponent << 23, c]
    });
    prop_oneof![3 => free, 1 => cancelling, 1 => shrinking]
}

/// Checks a property for `cases` values of a strategy, and shrinks a failure. Every run uses the
/// same values.
pub fn holds<S: Strategy>(cases: u32, strategy: S, property: impl Fn(S::Value) -> Result<(), String>) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome = TestRunner::new_with_rng(config, rng)
        .run(&strategy, |value| property(value).map_err(TestCaseError::fail));
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}
