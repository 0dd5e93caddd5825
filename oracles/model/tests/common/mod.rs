//! What the tests share: building a case by form and operand values, and running it.
#![allow(dead_code, reason = "each test file uses its part")]

use assay_isa::codec::encode;
use assay_isa::row::FieldType;
use assay_isa::{Answer, Batch, Effects, Instruction, Location, Numbers, Readings, Subject, catalog};
use assay_model::model;

pub mod sample;

/// Where results go; apart from every operand.
pub const RESULT: Location = Location::R(9);

/// The readings `intended` but for those named, such as `E173=2`.
pub fn readings(changes: &[&str]) -> Readings {
    let mut readings = Readings::INTENDED;
    for change in changes {
        readings.set_from_text(change).unwrap();
    }
    readings
}

/// An instruction from its form and the fields that differ from their default. Enumerated fields are
/// given by the name of their value. Operands are told apart: R1, R2, R3 in the order of the text.
pub fn instruction(form: &str, fields: &[(&str, &str)]) -> Instruction {
    let form = catalog().form(form).unwrap();
    let mut instruction = Instruction::new(form);
    instruction.set("rd", 9);
    for (i, name) in form.inputs().enumerate() {
        let value = match form.fields[form.position(name).unwrap()].ty {
            FieldType::Reg | FieldType::UReg => 1 + i as u32,
            FieldType::CMem => 0x160 + 4 * i as u32,
            _ => 0,
        };
        instruction.set(name, value);
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

/// The modifiers in the spelling of the assembler, as `.FTZ.RM`, for [`instruction`].
pub fn modifiers(text: &str) -> Vec<(&'static str, &'static str)> {
    const FIELDS: [(&str, &[&str]); 6] = [
        ("ftz", &["FTZ"]),
        ("sat", &["SAT"]),
        ("rnd", &["RN", "RP", "RM", "RZ"]),
        ("scl", &["D2", "D4", "D8", "M2", "M4", "M8"]),
        ("mufuop", &["RCP", "RSQ"]),
        ("dtype", &["F32", "F64"]),
    ];
    let find = |word: &str| {
        let found = FIELDS.iter().find_map(|(field, values)| {
            values.iter().find(|value| **value == word).map(|value| (*field, *value))
        });
        found.unwrap_or_else(|| panic!("no modifier {word}"))
    };
    text.split('.').filter(|word| !word.is_empty()).map(find).collect()
}

/// One lane with a value for each operand in the order of the text; an immediate goes into the word.
pub fn case(mut instruction: Instruction, operands: &[u32]) -> Batch {
    let names: Vec<_> = instruction.form().inputs().collect();
    assert_eq!(names.len(), operands.len());
    for (name, value) in names.iter().zip(operands) {
        let position = instruction.form().position(name).unwrap();
        if instruction.form().fields[position].ty == FieldType::F32Imm {
            instruction.set_at(position, *value);
        }
    }
    let word = encode(&instruction, Numbers::provisional());
    let mut batch = Batch::new(word, &instruction.reads(), 1);
    for (operand, value) in instruction.inputs().zip(operands) {
        if let Some(location) = operand.source.location() {
            set(&mut batch, location, 0, *value);
        }
    }
    batch
}

/// Sets what a location holds in a lane.
pub fn set(batch: &mut Batch, location: Location, lane: usize, value: u32) {
    let column = batch.locations().iter().position(|l| *l == location).unwrap();
    batch.column_mut(column)[lane] = value;
}

/// Runs a batch that the subject must know.
pub fn run(subject: &mut dyn Subject, batch: &Batch) -> Effects {
    let mut effects = Effects::default();
    assert_eq!(subject.execute(batch, &mut effects).unwrap(), Answer::Known);
    effects
}

/// The result of one case under some readings.
pub fn result_under(changes: &[&str], form: &str, fields: &[(&str, &str)], operands: &[u32]) -> u32 {
    let mut subject = model(Numbers::provisional().clone(), readings(changes));
    let effects = run(subject.as_mut(), &case(instruction(form, fields), operands));
    effects.value(RESULT, 0).unwrap()
}

/// The result of one case, written as mnemonic with modifiers: `FADD.RM`. All operands in registers.
pub fn result(text: &str, operands: &[u32]) -> u32 {
    under(&[], text, operands)
}

/// As [`result`], under some readings.
pub fn under(changes: &[&str], text: &str, operands: &[u32]) -> u32 {
    let (optype, rest) = text.split_once('.').unwrap_or((text, ""));
    let form = match optype {
        "FADD" => "FADD_RR",
        "FMUL" => "FMUL_RR",
        "FFMA" => "FFMA_RRR",
        _ => "MUFU_R",
    };
    result_under(changes, form, &modifiers(rest), operands)
}
