//! Tests campaigns with the real model and the real oracle. Results do not depend on threads,
//! shards or restarts, all implementations agree, every kind of fault is seen, and findings shrink
//! and replay.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::compare::reference::SubjectAsOracle;
use assay_engine::coverage::Bins;
use assay_engine::generate::Scope;
use assay_engine::generate::domain::{self, Domain};
use assay_engine::run::campaign::{Campaign, Limit};
use assay_engine::run::exhaustive::line::{SLICE, UNIT, UNITS};
use assay_engine::run::sweep::{Function, LANES, Sweep};
use assay_engine::run::{CampaignError, RunHooks, RunProgress, Shard};
use assay_engine::stats::exhaustive::ResultRelation;
use assay_engine::stats::tally::Tally;
use assay_engine::triage::shrink::{BUDGET, ShrinkLimits, shrink, shrink_within};
use assay_engine::triage::signature::signature;
use assay_faults::{FAULTS, Fault, FaultInfo};
use assay_isa::hints::Operation;
use assay_isa::readings::SWITCHES;
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Erratum, Oracle, Reading, Readings, Subject, asm,
    codec,
};
use assay_vectors::Profile;
use rayon::prelude::*;

use crate::support::{intended, model, mutant, oracle, oracle_under};

fn scope() -> Scope {
    Scope::everything().clone()
}

/// Runs a campaign of the given number of cases.
fn campaign(
    cases: u64,
    subject: &(dyn Fn() -> Box<dyn Subject> + Sync),
    scope: &Scope,
) -> Result<Tally, CampaignError> {
    let profile = intended();
    let setup = Setup { numbers: EncodingTable::provisional(), profile: &profile, subject, oracle: &oracle };
    let limit = Limit::Cases(cases);
    let campaign = Campaign { setup, scope, seed: 7, limit, shard: Shard::WHOLE };
    Ok(campaign.run(RunHooks::new(&AtomicBool::new(false), &mut |_| {}))?.tally)
}

#[test]
fn model_and_oracle_agree_and_every_bin_is_in_reach() {
    let cases = 16_000_000;
    let tally = campaign(cases, &model, &scope()).unwrap();
    assert_eq!(tally.verdicts.diverged, 0, "{:#?}", tally.findings);
    assert_eq!(tally.verdicts.total(), cases);
    assert_eq!(tally.verdicts.unsupported, 0);
    let scope = scope();
    let bins = Bins::of(&scope, &Readings::INTENDED);
    let coverage = &tally.coverage;
    // All lanes of a batch have the same immediate, so a batch hits only one class of immediates.
    // Forms with immediates need longer runs, such as those that test the README.
    let missed: Vec<String> = bins.missed(coverage).filter(|name| !name.contains("I ")).collect();
    assert!(missed.len() < bins.len() / 20, "{} missed, such as {:?}", missed.len(), &missed[..10]);
    assert_eq!(bins.impossible(coverage).collect::<Vec<_>>(), [""; 0]);
    assert!(!bins.excluded().is_empty());
    let accuracy = &tally.accuracy["MUFU.RCP.F32"];
    assert!(accuracy.max_ulp() < 1.0 && accuracy.max_ulp() > 0.5, "{}", accuracy.max_ulp());
}

/// Runs a campaign of the model under the readings of a profile, and returns its counts.
fn under(profile: &Profile, scope: &Scope, cases: u64) -> Tally {
    let readings = profile.readings;
    let subject = || assay_model::model(EncodingTable::provisional().clone(), readings);
    let oracle = || oracle_under(readings);
    let setup = Setup { numbers: EncodingTable::provisional(), profile, subject: &subject, oracle: &oracle };
    let stop = AtomicBool::new(false);
    let campaign = Campaign { setup, scope, seed: 11, limit: Limit::Cases(cases), shard: Shard::WHOLE };
    campaign.run(RunHooks::new(&stop, &mut |_| {})).unwrap().tally
}

/// The model, but results below 1 are one step farther from zero if the operand is negative. The
/// changed results are still within every bound.
struct Lopsided(Box<dyn Subject>);

impl Subject for Lopsided {
    fn name(&self) -> &str {
        "lopsided"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        let mut right = Effects::default();
        let answer = self.0.execute(batch, &mut right)?;
        effects.reset(batch.len());
        let operand = batch.locations().iter().find(|location| !location.is_predicate());
        let arguments = operand.and_then(|operand| batch.column(*operand));
        for column in right.columns() {
            let values = effects.write(column.location, column.written.clone());
            values.copy_from_slice(&column.values);
            for (value, argument) in values.iter_mut().zip(arguments.unwrap_or_default()) {
                let magnitude = *value & 0x7fff_ffff;
                *value += u32::from(argument >> 31 == 1 && (0x1000_0000..0x3f80_0000).contains(&magnitude));
            }
        }
        Ok(answer)
    }
}

#[test]
fn a_campaign_notices_results_that_are_not_symmetric() {
    let wrong = || -> Box<dyn Subject> { Box::new(Lopsided(model())) };
    let functions =
        [("TANH", ResultRelation::Odd), ("SIN", ResultRelation::Odd), ("COS", ResultRelation::Even)];
    for (name, relation) in functions {
        let name = format!("MUFU.{name}.F32");
        let scope = Scope::filtered(|mode| asm::mnemonic(mode) == name);
        let sound = campaign(600_000, &model, &scope).unwrap();
        let [(_, one, pairs)] = sound.relations().collect::<Vec<_>>()[..] else { panic!("{name}") };
        assert!(one == relation && pairs.seen > 1_000 && pairs.broken == 0, "{name}: {pairs:?}");
        assert_eq!(sound.verdicts.diverged, 0, "{name}");
        let spoilt = campaign(600_000, &wrong, &scope).unwrap();
        assert_eq!(spoilt.verdicts.diverged, 0, "{name}");
        let refused: Vec<_> = spoilt.refused_relations().map(|(_, relation, _)| relation).collect();
        assert_eq!(refused, [relation], "{name}");
    }
}

/// Errata with a setting that leaves every case of an optype undefined.
const ALL_OPEN: [u16; 11] = [13, 66, 71, 75, 76, 77, 78, 81, 149, 168, 177];

#[test]
fn model_and_oracle_agree_under_every_setting_and_profile() {
    let everything = scope();
    let named = ["literal", "sm90"].map(|name| (Profile::load(name).unwrap(), everything.clone()));
    let mut profiles: Vec<(Profile, Scope)> = named.into();
    for switch in SWITCHES {
        let touched = Scope::filtered(|mode| switch.optypes.contains(&mode.optype()));
        for setting in 1..=switch.settings.len() {
            let mut profile = intended();
            profile.set_reading(&format!("{}={setting}", switch.erratum)).unwrap();
            profiles.push((profile, touched.clone()));
        }
    }
    // Combinations of settings. The errata of `ALL_OPEN` keep their intended settings, because
    // undefined cases would hide the effects of the other settings.
    for round in 0..24usize {
        let mut profile = intended();
        for (i, switch) in SWITCHES.iter().enumerate().filter(|(_, s)| !ALL_OPEN.contains(&s.erratum.0)) {
            let setting = (round * 7 + i * 5 + round * i) % switch.settings.len() + 1;
            profile.set_reading(&format!("{}={setting}", switch.erratum)).unwrap();
        }
        profiles.push((profile, everything.clone()));
    }
    let mut undefined = BTreeSet::new();
    for (profile, scope) in &profiles {
        let tally = under(profile, scope, 200_000);
        assert_eq!(tally.verdicts.diverged, 0, "{:?}: {:#?}", profile.readings, tally.findings);
        let is = |reading, setting| profile.readings.get(reading) == setting;
        let leaves_open = [
            (13, is(Reading::E013, 1)),
            (66, is(Reading::E066, 1)),
            (71, is(Reading::E071, 2)),
            (75, is(Reading::E075, 2)),
            (76, is(Reading::E076, 2)),
            (77, is(Reading::E077, 2)),
            (78, is(Reading::E078, 2)),
            (81, is(Reading::E081, 1)),
            (85, is(Reading::E085, 2)),
            (134, is(Reading::E134, 1)),
            (149, is(Reading::E149, 1)),
            (168, is(Reading::E168, 2)),
            (40, is(Reading::E040, 1)),
            (41, is(Reading::E041, 1)),
            (49, is(Reading::E049, 1)),
            (58, is(Reading::E058, 2) && is(Reading::E057, 2)),
            (177, is(Reading::E177, 1)),
        ];
        for erratum in tally.undefined.keys() {
            let known =
                leaves_open.iter().any(|(number, open)| *open && Erratum(*number).to_string() == *erratum);
            assert!(known, "{erratum} leaves cases open under {:?}", profile.readings);
            undefined.insert(erratum.clone());
        }
        let bins = Bins::of(scope, &profile.readings);
        let impossible: Vec<_> = bins.impossible(&tally.coverage).collect();
        assert_eq!(impossible, [""; 0], "{:?}", profile.readings);
    }
    let all = [
        "E013", "E040", "E041", "E049", "E058", "E066", "E071", "E075", "E076", "E077", "E078", "E081",
        "E085", "E134", "E149", "E168", "E177",
    ];
    assert_eq!(undefined.into_iter().collect::<Vec<_>>(), all);
}

/// A batch contains every location that a load reads, whatever size and alignment the readings give
/// the load.
#[test]
fn every_load_finds_what_it_reads() {
    let scope =
        Scope::filtered(|mode| ["ULDC", "GETUGPR", "SETUGPR", "GETREG", "SETREG"].contains(&mode.optype()));
    for readings in [["E096=1", "E092=1"], ["E096=1", "E093=1"], ["E096=3", "E092=2"], ["E165=2", "E096=1"]] {
        let mut profile = intended();
        for reading in readings {
            profile.set_reading(reading).unwrap();
        }
        assert_eq!(under(&profile, &scope, 2_000_000).verdicts.diverged, 0, "{readings:?}");
    }
}

/// Every form has a model, an oracle and a bin, and every optype has a suite of vectors. Otherwise
/// the form or the optype would be skipped without a message.
#[test]
fn every_form_is_computed_known_covered_and_recorded() {
    let forms = &assay_isa::catalog().forms;
    let profile = intended();
    let setup =
        Setup { numbers: EncodingTable::provisional(), profile: &profile, subject: &model, oracle: &oracle };
    let mut comparator = Comparator::new(&setup);
    let scope = Scope::everything();
    for form in forms {
        let mut modes = scope.modes().filter(|mode| mode.form().name == form.name).peekable();
        assert!(modes.peek().is_some(), "{} is never drawn", form.name);
        for mode in modes {
            let text = asm::print(mode);
            assert!(
                comparator.supports(mode, setup.numbers).unwrap(),
                "{text}: an implementation does not implement it"
            );
        }
        let of_form = Scope::filtered(|mode| mode.form().name == form.name);
        assert_ne!(Bins::of(&of_form, &Readings::INTENDED).len(), 0, "{} has no bin", form.name);
    }
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/data");
    let recorded = |optype: &str| {
        let stem = optype.to_lowercase().replace('_', "-");
        let mut files = std::fs::read_dir(&data).unwrap().map(|file| file.unwrap().file_name());
        files.any(|name| {
            name.to_str()
                .unwrap()
                .strip_suffix(".yaml")
                .is_some_and(|n| n == stem || n.starts_with(&format!("{stem}-")))
        })
    };
    for optype in assay_isa::catalog().optypes() {
        assert!(recorded(optype.name), "{} has no suite of vectors", optype.name);
    }
}

#[test]
fn nothing_to_generate_is_an_error() {
    let empty = Scope::filtered(|_| false);
    assert!(matches!(campaign(1000, &model, &empty), Err(CampaignError::EmptyScope)));
}

#[test]
fn every_fault_is_caught_shrunk_and_named() {
    let profile = intended();
    // MUFU's tables have nearly a thousand rows, so only one row in 32 of each table is tested. Of
    // the faults of operands, one in 16 is tested. `assay-lab mutants run` tests misread fields,
    // because many of them lead to an illegal word.
    let told = |(place, info): &(usize, &FaultInfo)| match info.fault {
        Fault::RomBit(_, row) => row % 32 == 0,
        Fault::Operand(..) => place % 16 == 0,
        Fault::Field(_) => false,
        _ => true,
    };
    let shows = |info: &&FaultInfo| info.equivalent().is_none();
    let faults: Vec<_> = FAULTS.iter().enumerate().filter(told).map(|(_, info)| info).filter(shows).collect();
    let is_within = |info: &&&FaultInfo| {
        let scope = Scope::filtered(|i| i.optype() == info.optype);
        let subject = || mutant(info.fault);
        let run = |cases| campaign(cases, &subject, &scope).unwrap();
        // Most faults show in a short campaign, and the truths of MUFU are expensive. So the longer
        // campaign runs only if the short one shows no divergence.
        let done = Some(run(60_000)).filter(|done| done.verdicts.diverged > 0);
        let done = done.unwrap_or_else(|| run(2_000_000));
        if done.verdicts.diverged == 0 {
            // All results of the fault are within the bounds. Then some result must have other bits
            // than that of the sound model.
            assert!(differs_from_the_model(&scope, &subject), "{} survives", info.name);
            return true;
        }
        let setup = Setup {
            numbers: EncodingTable::provisional(),
            profile: &profile,
            subject: &subject,
            oracle: &oracle,
        };
        let mut comparator = Comparator::new(&setup);
        let found = done.findings.values().next().unwrap().first().unwrap();
        let (instruction, batch) = found.materialise(setup.numbers).unwrap();
        let small =
            shrink(&setup, &mut comparator, &instruction, &batch).unwrap().expect("it diverges again");
        assert!(small.evaluations <= BUDGET + 1);
        let no_time = ShrinkLimits { until: Some(Instant::now()), ..ShrinkLimits::DEFAULT };
        let as_found =
            shrink_within(no_time, &setup, &mut comparator, &instruction, &batch).unwrap().unwrap();
        assert!(as_found.evaluations <= 12, "{}: {}", info.name, as_found.evaluations);
        assert_eq!(small.instruction.schedule, 0, "{}", info.name);
        let name = signature(&small.instruction, &small.batch, &small.divergence);
        assert!(name.starts_with(info.optype), "{name}");
        let again = shrink(&setup, &mut comparator, &small.instruction, &small.batch).unwrap().unwrap();
        assert_eq!(signature(&again.instruction, &again.batch, &again.divergence), name, "{}", info.name);
        false
    };
    let within = faults.par_iter().filter(is_within).count();
    assert!(within < 12, "{within} faults lie within the contracts");
}

/// Whether a subject and the model have different bits in some case of a campaign.
fn differs_from_the_model(scope: &Scope, subject: &(dyn Fn() -> Box<dyn Subject> + Sync)) -> bool {
    let oracle = || -> Box<dyn Oracle> { Box::new(SubjectAsOracle::new(model())) };
    let profile = intended();
    let setup = Setup { numbers: EncodingTable::provisional(), profile: &profile, subject, oracle: &oracle };
    let campaign = Campaign { setup, scope, seed: 11, limit: Limit::Cases(2_000_000), shard: Shard::WHOLE };
    let stop = AtomicBool::new(false);
    campaign.run(RunHooks::new(&stop, &mut |_| {})).unwrap().tally.verdicts.diverged > 0
}

#[test]
fn a_sweep_counts_what_it_planned_in_any_number_of_shards() {
    for text in ["MUFU.RCP.F32 R0, R1", "MUFU.RCP.F64 R0, R1", "FFMA R0, R1, R2, R3"] {
        let instruction = asm::parse(text).unwrap();
        let domain = match instruction.optype() {
            "FFMA" => Domain::arithmetic(Operation::Fused, 6, 4),
            _ => Domain::of(&instruction, 4099, domain::LARGEST),
        };
        let functions = [Function { instruction: instruction.clone(), domain: domain.clone() }];
        let tally = |shard| swept(&functions, shard);
        let whole = tally(Shard::WHOLE);
        assert_eq!(whole.cases, domain.len());
        assert_eq!(whole.functions[&asm::mnemonic(&instruction)].total(), domain.len());
        assert_eq!(whole.verdicts.diverged, 0);
        let mut merged = tally(Shard { index: 2, of: 3 });
        merged.merge(tally(Shard { index: 0, of: 3 }));
        merged.merge(tally(Shard { index: 1, of: 3 }));
        assert_eq!(merged, whole);
    }
}

/// Runs one shard of a sweep over functions, and returns its counts.
fn swept(functions: &[Function], shard: Shard) -> Tally {
    let profile = intended();
    let setup =
        Setup { numbers: EncodingTable::provisional(), profile: &profile, subject: &model, oracle: &oracle };
    let stop = AtomicBool::new(false);
    let sweep = Sweep { setup, functions, shard };
    sweep.run(RunProgress::default(), RunHooks::new(&stop, &mut |_| {})).unwrap().tally
}

/// Returns a unary function with every input as its domain.
fn every_input_of(text: &str) -> Function {
    Function {
        instruction: asm::parse(text).unwrap(),
        domain: Domain::Line { stride: 1, listed: Vec::new() },
    }
}

#[test]
fn surveys_merge_to_the_same_whatever_the_shards() {
    let functions = [every_input_of("MUFU.RSQ.F32 R0, R1"), every_input_of("MUFU.LG2.F32 R0, R1")];
    let shard = |index, of| swept(&functions, Shard { index, of });
    let whole = shard(131, UNITS / 2);
    let mut merged = shard(UNITS / 2 + 131, UNITS);
    merged.merge(shard(131, UNITS));
    assert_eq!(merged, whole);
    assert_eq!(whole.cases, 4 * UNIT);
    assert!(whole.accuracy.values().all(|accuracy| accuracy.exhaustive.is_some()));
}

/// A batch of a sweep that is drawn again equals the executed batch or slice.
#[test]
fn a_batch_of_a_sweep_is_drawn_again_as_it_was_executed() {
    let functions = [every_input_of("MUFU.RSQ.F32 R0, R1"), every_input_of("POPC R0, R1")];
    let profile = intended();
    let numbers = EncodingTable::provisional();
    let setup = Setup { numbers, profile: &profile, subject: &model, oracle: &oracle };
    let sweep = Sweep { setup, functions: &functions, shard: Shard { index: 0, of: 1 } };
    for (function, lanes) in functions.iter().zip([u64::from(SLICE), LANES]) {
        let word = codec::encode(&function.instruction, numbers);
        assert_eq!(sweep.lanes(word), lanes);
        let (instruction, batch) = sweep.redraw(word, 3).expect("the function is swept");
        assert_eq!((&instruction, batch.len() as u64), (&function.instruction, lanes));
        assert!(batch.lane(5).any(|(_, value)| u64::from(value) == 3 * lanes + 5));
    }
}
