//! Functions that the tests share: they build a case from a form and operand values, and run it.

use std::collections::BTreeMap;

use assay_isa::codec::encode;
use assay_isa::legalize::legalize;
use assay_isa::row::FieldType;
use assay_isa::{
    Answer, Batch, Effects, EncodingTable, Instruction, Location, Readings, Subject, asm, catalog,
};
use assay_model::model;

pub mod compared;
pub mod sample;

/// Values, each with the name of its location.
pub type Values<'a> = &'a [(&'a str, u32)];

/// The location of results. No operand uses it.
pub const RESULT: Location = Location::R(9);

/// Returns the readings `intended`, with changes such as `E173=2`.
pub fn readings(changes: &[&str]) -> Readings {
    let mut readings = Readings::INTENDED;
    for change in changes {
        readings.set_from_text(change).unwrap();
    }
    readings
}

/// Returns an instruction, given its form and the fields that differ from their defaults. An
/// enumerated field is given by the name of its value. Operands are in different registers: R1, R2,
/// R3 in the order of the text.
pub fn instruction(form: &str, fields: &[(&str, &str)]) -> Instruction {
    let form = catalog().form(form).unwrap();
    let mut instruction = Instruction::new(form);
    for (output, value) in [("rd", 9), ("urd", 9), ("pu", 4), ("upu", 4)] {
        if let Some(position) = form.position(output) {
            instruction.set_at(position, legalize(&instruction, position, value));
        }
    }
    for (i, name) in form.inputs().enumerate() {
        let Some(position) = form.position(name) else { continue };
        let value = match form.fields[position].ty {
            FieldType::Reg | FieldType::UReg => 1 + i as u32,
            FieldType::CMem => 0x160 + 4 * i as u32,
            _ => 0,
        };
        instruction.set_at(position, legalize(&instruction, position, value));
    }
    for (name, value) in fields {
        let position = form.position(name).unwrap_or_else(|| panic!("{} has no {name}", form.name));
        let value = match form.fields[position].ty {
            FieldType::Enum(e) => e.index_of(value).unwrap(),
            _ => value.parse().unwrap(),
        };
        instruction.set_at(position, value);
    }
    instruction
}

/// Returns the fields for [`instruction`] from modifiers in assembler text, such as `.FTZ.RM`.
pub fn modifiers(form: &str, text: &str) -> Vec<(&'static str, &'static str)> {
    let form = catalog().form(form).unwrap();
    let find = |word: &str| {
        let found = form.optype.syntax.iter().find_map(|name| match form.field(name).unwrap().ty {
            FieldType::Enum(e) => Some((*name, e.values[e.index_of(word)? as usize])),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("{} has no modifier {word}", form.name))
    };
    text.split('.').filter(|word| !word.is_empty()).map(find).collect()
}

/// Returns a batch of one lane with a value for each operand, in the order of the text. An
/// immediate is encoded in the word.
pub fn case(mut instruction: Instruction, operands: &[u32]) -> Batch {
    let names: Vec<_> = instruction.form().inputs().collect();
    assert_eq!(names.len(), operands.len());
    for (name, value) in names.iter().zip(operands) {
        let position = instruction.form().position(name).unwrap();
        if matches!(instruction.form().fields[position].ty, FieldType::F32Imm | FieldType::SImm32) {
            instruction.set_at(position, *value);
        }
    }
    let word = encode(&instruction, EncodingTable::provisional());
    let mut batch = Batch::new(word, &instruction.reads(), 1);
    for (operand, value) in instruction.inputs().zip(operands) {
        if let Some(location) = operand.source.location() {
            set(&mut batch, location, 0, *value);
        }
    }
    batch
}

/// Sets the value of a location in a lane.
pub fn set(batch: &mut Batch, location: Location, lane: usize, value: u32) {
    let column = batch.locations().iter().position(|l| *l == location).unwrap();
    batch.column_mut(column)[lane] = value;
}

/// Executes a batch, and returns its effects. The subject must support the batch.
pub fn run(subject: &mut dyn Subject, batch: &Batch) -> Effects {
    let mut effects = Effects::default();
    assert_eq!(subject.execute(batch, &mut effects).unwrap(), Answer::Known);
    effects
}

/// Returns the first result of one case under some readings.
pub fn result_under(changes: &[&str], form: &str, fields: &[(&str, &str)], operands: &[u32]) -> u32 {
    let mut subject = model(EncodingTable::provisional().clone(), readings(changes));
    let instruction = instruction(form, fields);
    let output = instruction.writes()[0];
    run(subject.as_mut(), &case(instruction, operands)).value(output, 0).unwrap()
}

/// Returns the result of one case. `text` is a mnemonic with modifiers, such as `FADD.RM`. All
/// operands are in registers.
pub fn result(text: &str, operands: &[u32]) -> u32 {
    under(&[], text, operands)
}

/// Returns the result of one case, like [`result`], under some readings.
pub fn under(changes: &[&str], text: &str, operands: &[u32]) -> u32 {
    let (optype, rest) = text.split_once('.').unwrap_or((text, ""));
    let form = catalog().forms_of(optype).next().unwrap().name;
    result_under(changes, form, &modifiers(form, rest), operands)
}

/// Returns the effects of an instruction, given as assembler text, on one lane. Locations for which
/// `inputs` has no value are 0.
pub fn effects(changes: &[&str], text: &str, inputs: Values) -> Effects {
    let instruction = asm::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut locations = instruction.reads();
    let given: Vec<Location> = inputs.iter().map(|(location, _)| location.parse().unwrap()).collect();
    // The inputs may include locations that depend on an index or an address.
    let places = given.iter().filter(|location| !instruction.reads().contains(location));
    assert!(instruction.access().is_some() || places.clone().next().is_none(), "{text} of {inputs:x?}");
    locations.extend(places);
    let mut batch = Batch::new(encode(&instruction, EncodingTable::provisional()), &locations, 1);
    for (location, (_, value)) in given.iter().zip(inputs) {
        set(&mut batch, *location, 0, *value);
    }
    run(model(EncodingTable::provisional().clone(), readings(changes)).as_mut(), &batch)
}

/// Asserts that an instruction writes exactly the expected values. The arguments are as for
/// [`effects`].
pub fn assert_writes(changes: &[&str], text: &str, inputs: Values, expected: Values) {
    let effects = effects(changes, text, inputs);
    let written: BTreeMap<Location, u32> = effects.lane(0).collect();
    let expected: BTreeMap<Location, u32> =
        expected.iter().map(|(location, value)| (location.parse().unwrap(), *value)).collect();
    assert_eq!(written, expected, "{text} of {inputs:08x?} under {changes:?}");
    assert!(effects.undefined().is_empty(), "{text}");
}
