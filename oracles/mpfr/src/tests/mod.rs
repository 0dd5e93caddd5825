//! Helpers that the tests share. The functions create instructions from short names, and compute
//! the truth of one lane.

mod cases;
mod certificates;
mod definitions;
mod environment;
mod filter;
mod identities;
mod instruction_set;
mod mufu;
mod operands;
mod overwritten;
mod places;
mod special;
mod text;
mod unrounded;
mod witnesses;

use assay_isa::enumeration::Enumeration;
use assay_isa::instruction::Operand;
use assay_isa::row::FieldType;
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{Answer, Batch, Instruction, Location, Oracle, Readings, Real, Truths, catalog};

use crate::MpfrOracle;

/// Destination of the instructions that [`instruction`] makes.
const RD: Location = Location::R(0);

/// Returns the instruction of a form with modifiers, such as `FMUL_RR.FTZ.D8`. The instruction
/// reads R1, R2 and R3 (or UR1 and so on) and writes R0.
fn instruction(text: &str) -> Instruction {
    let mut words = text.split('.');
    let form = words.next().and_then(|name| catalog().form(name));
    let form = form.unwrap_or_else(|| panic!("{text} names no form"));
    let mut instruction = Instruction::new(form);
    let inputs: Vec<&str> = form.inputs().collect();
    for (number, input) in inputs.into_iter().enumerate() {
        instruction.set(input, number as u32 + 1);
    }
    for word in words {
        let holds = |e: &Enumeration| e.index_of(word);
        let mut fields = form.fields.iter().enumerate();
        let (position, value) = fields
            .find_map(|(i, f)| match f.ty {
                FieldType::Enum(e) => holds(e).map(|value| (i, value)),
                _ => None,
            })
            .unwrap_or_else(|| panic!("{} has no modifier {word}", form.name));
        instruction.set_at(position, value);
    }
    instruction
}

/// Returns the intended readings with these settings changed.
fn readings(settings: &[&str]) -> Readings {
    let mut readings = Readings::INTENDED;
    for text in settings {
        readings.set_from_text(text).unwrap();
    }
    readings
}

/// Returns a batch with these columns.
fn batch(columns: &[(Location, &[u32])]) -> Batch {
    let locations: Vec<Location> = columns.iter().map(|(location, _)| *location).collect();
    let mut batch = Batch::new(0, &locations, columns.first().map_or(1, |(_, values)| values.len()));
    for (index, (_, values)) in columns.iter().enumerate() {
        batch.column_mut(index).copy_from_slice(values);
    }
    batch
}

/// Returns the value that a lane must write to a location, if it must write one. Checks that the
/// location has at most one column.
fn written(truths: &Truths, location: Location, lane: usize) -> Option<u32> {
    let columns: Vec<&Truth> = truths.columns().iter().filter(|c| c.location == location).collect();
    assert!(columns.len() < 2, "{location} has {} columns", columns.len());
    let column = columns.first().filter(|c| c.written.contains(lane))?;
    match &column.values {
        TruthValues::Bits(values) => Some(values[lane]),
        TruthValues::Reals { .. } => panic!("{location} is given a real number"),
    }
}

/// Returns the answer and the truth of an instruction on one lane. The operands get `inputs` in
/// order.
fn ask(readings: &Readings, instruction: &Instruction, inputs: &[u32]) -> (Answer, Truths) {
    let operands: Vec<Operand> = instruction.inputs().collect();
    let columns: Vec<(Location, &[u32])> = operands
        .iter()
        .zip(inputs.chunks(1))
        .filter_map(|(operand, input)| Some((operand.source.location()?, input)))
        .collect();
    let mut truths = Truths::default();
    let answer = MpfrOracle::new(*readings).truth(instruction, &batch(&columns), 64, &mut truths);
    (answer.expect("every column is there"), truths)
}

/// Returns the bits that one lane of `text` must write.
fn bits(readings: &Readings, text: &str, inputs: &[u32]) -> u32 {
    let instruction = instruction(text);
    let (answer, truths) = ask(readings, &instruction, inputs);
    assert_eq!(answer, Answer::Known, "{text}");
    let [column] = truths.columns() else { panic!("{text} writes {} columns", truths.columns().len()) };
    assert_eq!(column.location, instruction.writes()[0]);
    match &column.values {
        TruthValues::Bits(values) => values[0],
        TruthValues::Reals { format, values, .. } => {
            let rows = values.iter().map(|real| match real {
                Real::Bits(bits) => *bits,
                real => panic!("{text} {inputs:x?} is a number: {real:?}"),
            });
            let places = (0..).step_by(format.width() as usize);
            rows.zip(places).fold(0, |packed, (bits, place)| packed | bits << place)
        }
    }
}

/// Compares the oracle with rows of an instruction, its inputs and its result.
fn check(readings: &Readings, rows: &[(&str, &[u32], u32)]) {
    for (text, inputs, expected) in rows {
        let actual = bits(readings, text, inputs);
        assert_eq!(actual, *expected, "{text} {inputs:x?}: {actual:#010x}, not {expected:#010x}");
    }
}
