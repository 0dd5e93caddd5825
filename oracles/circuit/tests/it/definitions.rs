//! The definitions: against all recorded cases, and against the model under each reading.

use std::collections::{BTreeMap, BTreeSet};

use assay_circuit::definition::Circuits;
use assay_isa::readings::SWITCHES;
use assay_isa::{
    Answer, Batch, Effects, EncodingTable, Form, Instruction, Location, Readings, Subject, asm, catalog,
    codec,
};
use assay_isa::{legality, legalize};
use assay_vectors::{Case, Profile};

use crate::support::Random;

/// The optypes without a definition: special functions, memory, special registers, other effects,
/// and vISA.
const UNDEFINED: [&str; 15] = [
    "MUFU", "S2R", "CS2R", "S2UR", "PMTRIG", "SETREG", "GETREG", "SWITCH", "NOP", "IBBAR", "DEPBAR", "ULDC",
    "SETUGPR", "GETUGPR", "BFN",
];

fn forms() -> Vec<&'static Form> {
    catalog().forms.iter().filter(|form| !UNDEFINED.contains(&form.optype.name)).collect()
}

fn numbers() -> EncodingTable {
    EncodingTable::provisional().clone()
}

/// Returns what a lane wrote, each location once: the last write counts.
fn writes(effects: &Effects, lane: usize) -> BTreeMap<Location, u32> {
    effects.lane(lane).collect()
}

/// Checks a case of the vectors. Returns whether the instruction has a definition.
fn check_case(case: &Case, profile: &Profile) -> bool {
    let instruction = match (&case.asm, case.word) {
        (Some(text), _) => asm::parse(text).unwrap(),
        (None, Some(word)) => codec::decode(word, &numbers()).unwrap(),
        (None, None) => panic!("{} has no instruction", case.name),
    };
    let mut batch = Batch::new(codec::encode(&instruction, &numbers()), &instruction.reads(), 1);
    for place in 0..batch.locations().len() {
        let location = batch.locations()[place];
        batch.column_mut(place)[0] = case.inputs.0.get(&location).copied().unwrap_or(0);
    }
    let readings = case.readings.apply(profile.readings).unwrap();
    let mut effects = Effects::default();
    if Circuits::new(numbers(), readings).execute(&batch, &mut effects).unwrap() == Answer::Unsupported {
        return false;
    }
    let shown = format!("{}: {}: {effects:?}", case.name, asm::print(&instruction));
    if let Some(erratum) = case.undefined {
        assert_eq!(effects.undefined(), [(0, erratum)], "{shown}");
        return true;
    }
    assert!(effects.undefined().is_empty(), "{shown}");
    let expected = &case.expect.as_ref().expect("a case states its result").0;
    let written = writes(&effects, 0);
    assert_eq!(written.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{shown}");
    for (location, allowed) in expected {
        assert!(allowed.contains(written[location]), "{location}: {shown}");
    }
    true
}

#[test]
fn every_recorded_case_has_its_result() {
    let recorded = assay_vectors::carried().unwrap().into_iter();
    let suites = recorded.chain(assay_vectors::carried_witnesses().unwrap());
    let (mut checked, mut optypes) = (0, BTreeSet::new());
    for (_, suite) in suites {
        let profile = Profile::load(suite.profile.as_deref().unwrap_or("intended")).unwrap();
        for case in suite.cases.iter().filter(|case| case.skip.is_none()) {
            if check_case(case, &profile) {
                checked += 1;
                let text = case.asm.clone().unwrap_or_default();
                optypes.extend(asm::parse(&text).ok().map(|instruction| instruction.optype()));
            }
        }
    }
    assert!(checked > 1500, "only {checked} cases have a definition");
    let expected: BTreeSet<_> = forms().iter().map(|form| form.optype.name).collect();
    assert_eq!(optypes, expected);
}

/// Returns an instruction of a form with random fields.
fn random_instruction(random: &mut Random, form: &'static Form) -> Instruction {
    loop {
        let mut instruction = Instruction::new(form);
        for position in 0..form.fields.len() {
            let mut bits = random.word();
            // Few registers, so that operands are often the same, or RZ and PT.
            if form.is_operand(form.fields[position]) && form.fields[position].width < 32 {
                bits = if random.one_in(6) { u32::MAX } else { bits % 8 };
            }
            let value = legalize::legalize(&instruction, position, bits);
            instruction.set_at(position, value);
        }
        // Most instructions execute in each lane.
        if random.one_in(8) || instruction.guard() == Instruction::new(form).guard() {
            if legality::check(&instruction).is_ok() {
                return instruction;
            }
        } else {
            continue;
        }
    }
}

/// Returns a batch of an instruction with random inputs.
fn random_batch(random: &mut Random, instruction: &Instruction, lanes: usize) -> Batch {
    let mut batch = Batch::new(codec::encode(instruction, &numbers()), &instruction.reads(), lanes);
    for lane in 0..lanes {
        let base = random.operand();
        for place in 0..batch.locations().len() {
            let is_predicate = batch.locations()[place].is_predicate();
            let value = if is_predicate { random.word() & 1 } else { random.near(base) };
            batch.column_mut(place)[lane] = value;
        }
    }
    batch
}

/// Compares definitions and model on a batch.
fn compare(
    circuits: &mut Circuits,
    model: &mut dyn Subject,
    instruction: &Instruction,
    batch: &Batch,
    readings: &Readings,
) {
    let (mut ours, mut theirs) = (Effects::default(), Effects::default());
    assert_eq!(circuits.execute(batch, &mut ours).unwrap(), Answer::Known, "{}", instruction.form().name);
    assert_eq!(model.execute(batch, &mut theirs).unwrap(), Answer::Known);
    let undefined =
        |effects: &Effects| effects.undefined().iter().map(|(lane, _)| *lane).collect::<BTreeSet<_>>();
    let lanes = undefined(&ours);
    assert_eq!(lanes, undefined(&theirs), "undefined lanes of {}", asm::print(instruction));
    for lane in (0..batch.len()).filter(|lane| !lanes.contains(lane)) {
        let (a, b) = (writes(&ours, lane), writes(&theirs, lane));
        if a != b {
            let inputs: Vec<String> =
                batch.lane(lane).map(|(place, value)| format!("{place}={value:#x}")).collect();
            let changed = readings.iter().zip(Readings::INTENDED.iter()).filter(|(a, b)| a != b);
            let changed: Vec<String> =
                changed.map(|((erratum, setting), _)| format!("{erratum}={setting}")).collect();
            panic!(
                "{} {inputs:?} {changed:?}: the definition writes {a:x?}, the model {b:x?}",
                asm::print(instruction)
            );
        }
    }
}

/// Compares all forms under some readings: `instructions` of each, with `lanes` inputs each.
fn compare_all(
    seed: u64,
    instructions: usize,
    lanes: usize,
    readings: impl Fn(&mut Random, &str) -> Readings,
) {
    let mut random = Random::new(seed);
    for form in forms() {
        for _ in 0..instructions {
            let readings = readings(&mut random, form.optype.name);
            let mut model = assay_model::model(numbers(), readings);
            let instruction = random_instruction(&mut random, form);
            let batch = random_batch(&mut random, &instruction, lanes);
            compare(&mut Circuits::new(numbers(), readings), &mut *model, &instruction, &batch, &readings);
        }
    }
}

#[test]
fn the_model_agrees_under_each_profile() {
    for (seed, name) in [(1, "intended"), (2, "literal"), (3, "sm90")] {
        let readings = Profile::load(name).unwrap().readings;
        compare_all(seed, 12, 256, |_, _| readings);
    }
}

#[test]
fn the_model_agrees_under_random_readings() {
    compare_all(4, 30, 128, |random, optype| {
        let mut readings = Readings::INTENDED;
        for switch in SWITCHES.iter().filter(|switch| switch.optypes.contains(&optype)) {
            let setting = random.word() % switch.settings.len() as u32;
            if random.one_in(2) {
                readings.set(switch.erratum, setting as u8 + 1).unwrap();
            }
        }
        readings
    });
}

#[test]
#[ignore = "ten million cases of each optype take minutes: `just definitions`"]
fn the_model_agrees_on_ten_million_cases_of_each_optype() {
    let mut per_optype: BTreeMap<&str, usize> = BTreeMap::new();
    for form in forms() {
        *per_optype.entry(form.optype.name).or_default() += 1;
    }
    let mut random = Random::new(5);
    for form in forms() {
        let batches = 10_000_000 / per_optype[form.optype.name] / 65_536 + 1;
        let mut model = assay_model::model(numbers(), Readings::INTENDED);
        let mut circuits = Circuits::new(numbers(), Readings::INTENDED);
        for _ in 0..batches {
            let instruction = random_instruction(&mut random, form);
            let batch = random_batch(&mut random, &instruction, 65_536);
            compare(&mut circuits, &mut *model, &instruction, &batch, &Readings::INTENDED);
        }
    }
}
