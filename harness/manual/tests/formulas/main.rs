//! The formula of each page is executed, on random cases of every form and mode, and must come to what the oracle says:
//! under the built-in profiles, and under each setting of each reading that touches the optype.

mod eval;
mod float;
mod parse;

use std::collections::BTreeMap;

use assay_engine::generate::{Scope, from_stream};
use assay_engine::versus::PRECISION;
use assay_isa::readings::SWITCHES;
use assay_isa::truth::TruthValues;
use assay_isa::{Answer, Batch, Erratum, Instruction, Location, Numbers, Oracle, Readings, Truths, asm, catalog};
use assay_manual::semantics::{Entry, semantics};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;
use eval::{Machine, Outcome};
use parse::{Statement, parse};

/// Lanes of a batch.
const LANES: usize = 32;

/// Batches under a profile, and under one setting beside it.
const BATCHES: u64 = 60;
const BATCHES_OF_A_SETTING: u64 = 25;

/// The readings of a profile, but that no source register is overwritten (E012): the formulas do not show that.
fn readings(profile: &str) -> Readings {
    let mut readings = Profile::load(profile).unwrap().readings;
    readings.set(Erratum(12), 2).unwrap();
    readings
}

fn formula(entry: &Entry, readings: &Readings) -> Vec<Statement> {
    let lines: Vec<&str> =
        entry.formula.iter().filter(|line| line.holds(readings)).map(|line| line.text.as_str()).collect();
    parse(&lines)
}

/// What the oracle says of a lane.
fn truth(truths: &Truths, lane: usize) -> Outcome {
    let undefined = truths.undefined().iter().any(|(l, _)| *l == lane);
    let mut written = BTreeMap::new();
    for column in truths.columns().iter().filter(|column| column.written.contains(lane) && !undefined) {
        let TruthValues::Bits(values) = &column.values else { panic!("only MUFU is a real number") };
        written.insert(column.location, values[lane]);
    }
    let event = truths.event_of(lane).filter(|_| !undefined).map(ToString::to_string);
    Outcome { written, event, undefined }
}

/// Executes batches of an optype; gives the number of lanes with an effect.
fn compare(optype: &'static str, scope: &Scope, readings: &Readings, batches: u64) -> usize {
    let entry = semantics().of(optype).unwrap();
    let statements = formula(entry, readings);
    let mut oracle = MpfrOracle::new(*readings);
    let (mut bytes, mut batch, mut truths) = (Vec::new(), Batch::default(), Truths::default());
    let mut effective = 0;
    for index in 0..batches {
        let instruction: Instruction =
            from_stream((7, index), Numbers::provisional(), LANES, &mut bytes, &mut batch, |u| scope.instruction(u)).unwrap();
        assert_eq!(oracle.truth(&instruction, &batch, PRECISION, &mut truths).unwrap(), Answer::Known);
        for lane in 0..batch.len() {
            let expected = truth(&truths, lane);
            let machine = Machine::new(entry, &instruction, readings, batch.lane(lane));
            let actual = machine.run(&statements);
            let inputs: Vec<(Location, u32)> = batch.lane(lane).collect();
            assert_eq!(
                (&actual.written, &actual.event, actual.undefined),
                (&expected.written, &expected.event, expected.undefined),
                "{} of {inputs:x?}: formula, then oracle",
                asm::print(&instruction)
            );
            effective += usize::from(!expected.written.is_empty() || expected.event.is_some());
        }
    }
    effective
}

fn optypes() -> impl Iterator<Item = &'static str> {
    // MUFU's results are real numbers: its text names functions, and `special.rs` asks the oracle.
    catalog().optypes().into_iter().map(|optype| optype.name).filter(|name| *name != "MUFU")
}

#[test]
fn formulas_are_the_oracles_under_the_profiles() {
    for optype in optypes() {
        let scope = Scope::everything().narrowed(|i| i.optype() == optype);
        for profile in ["intended", "sm90", "literal"] {
            let effective = compare(optype, &scope, &readings(profile), BATCHES);
            assert!(effective > 0 || profile == "literal", "{optype} has no effect under {profile}");
        }
    }
}

#[test]
fn formulas_are_the_oracles_under_each_setting() {
    let mut compared = 0;
    for switch in SWITCHES.iter().filter(|switch| ![Erratum(8), Erratum(12)].contains(&switch.erratum)) {
        for optype in optypes().filter(|optype| switch.optypes.contains(optype)) {
            let scope = Scope::everything().narrowed(|i| i.optype() == optype);
            for (setting, profile) in
                (1..=switch.settings.len() as u8).flat_map(|s| [(s, "intended"), (s, "literal")])
            {
                let mut readings = readings(profile);
                readings.set(switch.erratum, setting).unwrap();
                compare(optype, &scope, &readings, BATCHES_OF_A_SETTING);
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "only {compared}");
}

/// A statement that is changed comes to something else: the comparison is able to fail.
#[test]
#[should_panic(expected = "formula, then oracle")]
fn a_wrong_formula_is_noticed() {
    let scope = Scope::everything().narrowed(|i| i.optype() == "BMSK");
    let mut other = readings("intended");
    let oracle_readings = other;
    other.set(Erratum(57), 1).unwrap();
    let entry = semantics().of("BMSK").unwrap();
    let statements = formula(entry, &other);
    let mut oracle = MpfrOracle::new(oracle_readings);
    let (mut bytes, mut batch, mut truths) = (Vec::new(), Batch::default(), Truths::default());
    for index in 0..BATCHES {
        let pick = |u: &mut arbitrary::Unstructured<'_>| scope.instruction(u);
        let instruction = from_stream((7, index), Numbers::provisional(), LANES, &mut bytes, &mut batch, pick).unwrap();
        oracle.truth(&instruction, &batch, PRECISION, &mut truths).unwrap();
        for lane in 0..batch.len() {
            let actual = Machine::new(entry, &instruction, &other, batch.lane(lane)).run(&statements);
            assert_eq!(actual.written, truth(&truths, lane).written, "formula, then oracle");
        }
    }
}
