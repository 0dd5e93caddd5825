//! Executes the formula of each page on random cases of every form and mode. The results must equal
//! those of the oracle under the profiles `intended`, `sm90` and `literal`, under random readings,
//! and under each setting of each reading that affects the optype.

mod edges;
mod eval;
mod float;
mod functions;
mod parse;

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use assay_engine::compare::comparator::PRECISION;
use assay_engine::generate::{Scope, from_stream, stream};
use assay_isa::readings::{SWITCHES, Switch};
use assay_isa::truth::TruthValues;
use assay_isa::{
    Answer, Batch, EncodingTable, Erratum, Instruction, Location, Oracle, Readings, Truths, asm, catalog,
};
use assay_manual::semantics::{Entry, Line, semantics};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;
use eval::{Machine, Outcome};
use parse::{Statement, parse};

/// Number of lanes of a batch.
const LANES: usize = 32;

/// Number of batches under a profile.
const BATCHES: u64 = 60;

/// Minimum and maximum number of batches under one setting. After the minimum, batches run only
/// until a case shows the effect of the setting.
const LEAST_BATCHES: u64 = 20;
const MOST_BATCHES: u64 = 3000;

/// Number of random combinations of readings for each optype.
const MIXTURES: u64 = 200;

/// Index of the first batch that the random readings use.
const FIRST_MIXED: u64 = 1 << 20;

fn readings(profile: &str) -> Readings {
    Profile::load(profile).unwrap().readings
}

fn formula(entry: &Entry, readings: &Readings) -> Vec<Statement> {
    let lines: Vec<&str> =
        entry.formula.iter().filter(|line| line.holds(readings)).map(|line| line.text.as_str()).collect();
    parse(&lines)
}

/// Returns the oracle's result of a lane.
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

/// Returns the errata by which a line leaves lanes undefined: the errata in its conditions. BFN's
/// lines have no conditions. Under every reading, too many channels (E081) and channels beyond the
/// last (E085) are undefined.
fn undefining(line: &Line) -> Vec<Erratum> {
    if line.conditions.is_empty() {
        return vec![Erratum(81), Erratum(85)];
    }
    line.conditions.iter().map(|(erratum, _)| *erratum).collect()
}

/// Compares the formula of an optype with the oracle under some readings.
struct Comparison<'a> {
    entry: &'a Entry,
    readings: &'a Readings,
    statements: Vec<Statement>,
    /// The errata that may leave lanes undefined.
    undefining: Vec<Erratum>,
    oracle: MpfrOracle,
    truths: Truths,
}

impl<'a> Comparison<'a> {
    fn new(optype: &'static str, readings: &'a Readings) -> Comparison<'a> {
        let entry = semantics().of(optype).unwrap();
        let undefined = |line: &&Line| line.holds(readings) && line.text.ends_with("undefined");
        let lines = entry.formula.iter().filter(undefined);
        Comparison {
            entry,
            readings,
            statements: formula(entry, readings),
            undefining: lines.flat_map(undefining).collect(),
            oracle: MpfrOracle::new(*readings),
            truths: Truths::default(),
        }
    }

    fn outcome(&self, instruction: &Instruction, batch: &Batch, lane: usize) -> Outcome {
        Machine::new(self.entry, instruction, self.readings, batch.lane(lane)).run(&self.statements)
    }

    /// Compares a batch. Returns the number of lanes that must write or have an event.
    fn compare(&mut self, instruction: &Instruction, batch: &Batch) -> usize {
        assert_eq!(
            self.oracle.truth(instruction, batch, PRECISION, &mut self.truths).unwrap(),
            Answer::Known
        );
        let one = |lane: usize| {
            let (expected, actual) = (truth(&self.truths, lane), self.outcome(instruction, batch, lane));
            let inputs: Vec<(Location, u32)> = batch.lane(lane).collect();
            assert_eq!(actual, expected, "{} of {inputs:x?}: formula, then oracle", asm::print(instruction));
            let because =
                self.truths.undefined().iter().find(|(l, _)| *l == lane).map(|(_, erratum)| erratum);
            if let Some(because) = because {
                assert!(
                    self.undefining.contains(because),
                    "{} is undefined by {because}",
                    asm::print(instruction)
                );
            }
            usize::from(!expected.written.is_empty() || expected.event.is_some())
        };
        (0..batch.len()).map(one).sum()
    }
}

/// Draws batch number `index` of an optype. Returns the instruction of the batch.
fn drawn(scope: &Scope, index: u64, batch: &mut Batch) -> Instruction {
    let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
    from_stream((7, index), EncodingTable::provisional(), LANES, &mut Vec::new(), batch, pick).unwrap()
}

fn scope(optype: &str) -> Scope {
    Scope::everything().narrowed(|i| i.optype() == optype)
}

fn optypes() -> impl Iterator<Item = &'static str> {
    // MUFU's results are real numbers. The texts of MUFU name functions, and `special.rs` uses the
    // oracle.
    catalog().optypes().into_iter().map(|optype| optype.name).filter(|name| *name != "MUFU")
}

#[test]
fn formulas_are_the_oracles_under_the_profiles() {
    for optype in optypes() {
        let scope = scope(optype);
        for profile in ["intended", "sm90", "literal"] {
            let readings = readings(profile);
            let (mut comparison, mut batch) = (Comparison::new(optype, &readings), Batch::default());
            let mut one = |index| {
                let instruction = drawn(&scope, index, &mut batch);
                comparison.compare(&instruction, &batch)
            };
            let effective: usize = (0..BATCHES).map(&mut one).sum();
            assert!(effective > 0 || profile == "literal", "{optype} has no effect under {profile}");
        }
    }
}

/// Returns random readings. `number` selects them.
fn any_readings(number: u64) -> Readings {
    let (mut readings, mut bytes) = (Readings::INTENDED, Vec::new());
    stream::fill(11, number, SWITCHES.len(), &mut bytes);
    for (switch, byte) in SWITCHES.iter().zip(bytes) {
        readings.set(switch.erratum, byte % switch.settings.len() as u8 + 1).unwrap();
    }
    readings
}

#[test]
fn formulas_are_the_oracles_under_any_readings() {
    for (place, optype) in (0..).zip(optypes()) {
        let (scope, mut batch) = (scope(optype), Batch::default());
        let mut effective = 0;
        for number in place * MIXTURES..(place + 1) * MIXTURES {
            // The other tests use the first batches of the stream, so these batches differ from
            // theirs.
            let instruction = drawn(&scope, FIRST_MIXED + number, &mut batch);
            effective += Comparison::new(optype, &any_readings(number)).compare(&instruction, &batch);
        }
        assert!(effective > MIXTURES as usize, "{optype} has an effect in {effective} lanes alone");
    }
}

/// Compares formula and oracle under a profile, with one switch changed to a setting. Returns
/// whether a case has a different result under another setting. Under `intended`, runs further
/// batches until such a case occurs, up to the maximum.
fn compare_setting(switch: &Switch, setting: u8, optype: &'static str, profile: &str) -> bool {
    let other = if setting == switch.intended {
        1 + switch.intended % switch.settings.len() as u8
    } else {
        switch.intended
    };
    let [mut here, mut there] = [readings(profile); 2];
    here.set(switch.erratum, setting).unwrap();
    there.set(switch.erratum, other).unwrap();
    let (scope, mut batch) = (scope(optype), Batch::default());
    let (mut comparison, contrast) = (Comparison::new(optype, &here), Comparison::new(optype, &there));
    let mut shows = false;
    for index in 0..MOST_BATCHES {
        let instruction = drawn(&scope, index, &mut batch);
        comparison.compare(&instruction, &batch);
        let differs = |lane| {
            comparison.outcome(&instruction, &batch, lane) != contrast.outcome(&instruction, &batch, lane)
        };
        shows = shows || (0..batch.len()).any(differs);
        if index >= LEAST_BATCHES && (shows || profile != "intended") {
            break;
        }
    }
    shows
}

/// Pairs of an erratum and an optype for which no case distinguishes the settings.
///
/// A sum below the least normal number is exact. So it is subnormal both before and after rounding.
const ALIKE: [(u16, &str); 1] = [(173, "FADD")];

#[test]
fn formulas_are_the_oracles_under_each_setting() {
    let (mut compared, mut hidden) = (0, Vec::new());
    for switch in SWITCHES.iter().filter(|switch| switch.erratum != Erratum(8)) {
        for optype in optypes().filter(|optype| switch.optypes.contains(optype)) {
            for setting in 1..=switch.settings.len() as u8 {
                // Both profiles are needed, because other readings can hide the effect of a
                // setting.
                let shows =
                    ["intended", "literal"].map(|profile| compare_setting(switch, setting, optype, profile));
                compared += 1;
                if shows == [false; 2] && !ALIKE.contains(&(switch.erratum.0, optype)) {
                    hidden.push(format!("{} = {setting} of {optype}", switch.erratum));
                }
            }
        }
    }
    assert!(compared > 200, "only {compared}");
    assert!(hidden.is_empty(), "no case tells these from another setting: {hidden:?}");
}

/// A formula that is in force under another reading gives other results. So the comparison is able
/// to fail.
#[test]
#[should_panic(expected = "formula, then oracle")]
fn a_wrong_formula_is_noticed() {
    let readings = readings("intended");
    let mut other = readings;
    other.set(Erratum(57), 1).unwrap();
    let mut comparison = Comparison::new("BMSK", &readings);
    comparison.statements = formula(comparison.entry, &other);
    let (scope, mut batch) = (scope("BMSK"), Batch::default());
    for index in 0..BATCHES {
        let instruction = drawn(&scope, index, &mut batch);
        comparison.compare(&instruction, &batch);
    }
}
