//! Cases as text: an instruction, the values of locations, and all effects.

use assay_isa::{Answer, Batch, Event, Instruction, Location, Oracle, Readings, Truths, asm};

use super::{batch, readings, written};
use crate::MpfrOracle;

/// Returns the instruction of an assembler text.
pub fn assembled(text: &str) -> Instruction {
    asm::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Returns the values in a text such as `UR1=0x5 UP0=1`.
fn values(text: &str) -> Vec<(Location, u32)> {
    let value = |digits: &str| match digits.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).unwrap(),
        None => digits.parse().unwrap(),
    };
    text.split(' ')
        .filter_map(|word| word.split_once('='))
        .map(|(location, digits)| (location.parse().unwrap(), value(digits)))
        .collect()
}

/// Returns a batch of one lane with these values.
pub fn lane(text: &str) -> Batch {
    let values = values(text);
    let columns: Vec<(Location, &[u32])> =
        values.iter().map(|(location, value)| (*location, std::slice::from_ref(value))).collect();
    batch(&columns)
}

/// Returns all effects of one lane of a batch: its writes in the order of the locations, or its
/// event. An undefined lane gives the erratum that causes it.
pub fn outcome_of(readings: &Readings, instruction: &Instruction, batch: &Batch, lane: usize) -> String {
    let mut truths = Truths::default();
    let answer = MpfrOracle::new(*readings).truth(instruction, batch, 64, &mut truths);
    assert_eq!(answer.unwrap(), Answer::Known, "{instruction:?}");
    if let Some((_, erratum)) = truths.undefined().iter().find(|(l, _)| *l == lane) {
        return erratum.to_string();
    }
    let mut writes: Vec<(Location, u32)> = truths
        .columns()
        .iter()
        .filter_map(|column| Some((column.location, written(&truths, column.location, lane)?)))
        .collect();
    writes.sort_unstable();
    let writes = writes.iter().map(|(location, value)| format!("{location}={value:#x}"));
    let event = truths.event_of(lane).map(|event| match event {
        Event::Fault(fault) => fault.name().to_owned(),
        Event::Executed(action) => action.to_string(),
        Event::Failed(failure) => failure.name().to_owned(),
    });
    writes.chain(event).collect::<Vec<String>>().join(" ")
}

/// Returns all effects of one lane.
pub fn outcome(readings: &Readings, text: &str, inputs: &str) -> String {
    outcome_of(readings, &assembled(text), &lane(inputs), 0)
}

/// The instruction, the values, and the effects under each setting. Setting 1 comes first.
pub type Row<'a> = (&'a str, &'a str, &'a [&'a str]);

/// Compares rows with the oracle under each setting of an erratum. `others` are settings of further
/// errata.
pub fn prove_beside(others: &[&str], erratum: &str, rows: &[Row]) {
    for (text, inputs, outcomes) in rows {
        for (setting, expected) in (1..).zip(*outcomes) {
            let own = format!("{erratum}={setting}");
            let settings = [others, &[&own]].concat();
            let actual = outcome(&readings(&settings), text, inputs);
            assert_eq!(actual, *expected, "{text} of {inputs} under {settings:?}");
        }
    }
}

/// Compares rows with the oracle under each setting of an erratum.
pub fn prove(erratum: &str, rows: &[Row]) {
    prove_beside(&[], erratum, rows);
}
