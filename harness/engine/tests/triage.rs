//! One bug is one finding: every fault that can be planted, and several at once.

use std::collections::BTreeSet;

use arbitrary::Unstructured;
use assay_engine::generate::{LANES, Scope, from_stream};
use assay_engine::tally::Tally;
use assay_engine::triage::{self, Bug};
use assay_engine::versus::{Bench, Outcome, Parties};
use assay_isa::effect::Lanes;
use assay_isa::{Answer, Batch, Effects, Numbers, Oracle, Readings, Subject, VoiceError};
use assay_model::{FAULTS, Fault, FaultInfo};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;
use rayon::prelude::*;

/// Batches of a campaign: of their divergences, thousands as a rule, the first of each function and kind are kept.
const BATCHES: u64 = 96;

fn intended() -> Profile {
    Profile::load("intended").unwrap()
}

/// The bugs that a campaign over an optype finds in a subject, and how many cases diverged.
fn bugs(optype: &str, subject: &(dyn Fn() -> Box<dyn Subject> + Sync)) -> (Vec<Bug>, u64) {
    let profile = intended();
    let oracles = |readings: Readings| -> Box<dyn Oracle> { Box::new(MpfrOracle::new(readings)) };
    let oracle = || oracles(Readings::INTENDED);
    let parties = Parties { numbers: Numbers::provisional(), profile: &profile, subject, oracle: &oracle };
    let scope = Scope::filtered(|mode| mode.optype() == optype);
    let mut bench = Bench::new(&parties);
    let (mut tally, mut bytes, mut batch) = (Tally::default(), Vec::new(), Batch::default());
    for index in 0..BATCHES {
        let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
        let drawn = from_stream((1, index), parties.numbers, LANES, &mut bytes, &mut batch, pick).unwrap();
        let contract = profile.contract_for(&drawn);
        assert_eq!(bench.run(&contract, &drawn, &batch).unwrap(), Outcome::Judged);
        let first = index * LANES as u64;
        tally.count_judged(&drawn, &contract, &bench, &batch, |lane| first + lane as u64);
    }
    (triage::bugs(&parties, &oracles, &tally).unwrap(), tally.verdicts.diverged)
}

fn mutant(fault: Fault) -> Box<dyn Subject> {
    assay_model::mutant(Numbers::provisional().clone(), Readings::INTENDED, fault)
}

/// Several faults at once: in each lane the first of them that shows there.
struct Union(Vec<Box<dyn Subject>>);

impl Union {
    fn of(faults: &[Fault]) -> Box<dyn Subject> {
        let sound = assay_model::model(Numbers::provisional().clone(), Readings::INTENDED);
        Box::new(Union(std::iter::once(sound).chain(faults.iter().map(|fault| mutant(*fault))).collect()))
    }
}

impl Subject for Union {
    fn name(&self) -> &str {
        "union"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, VoiceError> {
        let mut all = Vec::new();
        for subject in &mut self.0 {
            let mut own = Effects::default();
            assert_eq!(subject.execute(batch, &mut own)?, Answer::Known);
            all.push(own);
        }
        let said = |effects: &Effects, lane: usize| {
            (effects.lane(lane).collect::<Vec<_>>(), effects.event_of(lane).copied())
        };
        let (right, faulty) = all.split_first().unwrap();
        let chosen =
            |lane: usize| faulty.iter().find(|own| said(own, lane) != said(right, lane)).unwrap_or(right);
        let chosen: Vec<&Effects> = (0..batch.len()).map(chosen).collect();
        effects.reset(batch.len());
        let locations: BTreeSet<_> =
            all.iter().flat_map(|own| own.columns().iter().map(|c| c.location)).collect();
        for location in locations {
            let values: Vec<_> =
                chosen.iter().enumerate().map(|(lane, own)| own.value(location, lane)).collect();
            let written = Lanes::Some(values.iter().map(Option::is_some).collect());
            let column = effects.write(location, written);
            column.iter_mut().zip(values).for_each(|(slot, value)| *slot = value.unwrap_or_default());
        }
        for (lane, own) in chosen.iter().enumerate() {
            own.event_of(lane).into_iter().for_each(|event| effects.event(lane, *event));
        }
        Ok(Answer::Known)
    }
}

fn signatures(bugs: &[Bug]) -> BTreeSet<&str> {
    bugs.iter().map(|bug| bug.signature.as_str()).collect()
}

#[test]
fn one_bug_is_one_finding() {
    // A wrong bit of a table shows in one place only, and a misread field often in no word at all; of all others some,
    // from every optype.
    let told =
        |info: &&FaultInfo| !matches!(info.fault, Fault::RomBit(..) | Fault::Operand(..) | Fault::Field(_));
    let faults: Vec<&FaultInfo> = FAULTS.iter().filter(told).step_by(6).collect();
    let found = faults.par_iter().map(|info| (info.name, bugs(info.optype, &|| mutant(info.fault))));
    let found: Vec<(&str, (Vec<Bug>, u64))> = found.filter(|(_, (_, diverged))| *diverged > 0).collect();
    let at_most = |most: usize| found.iter().filter(|(_, (bugs, _))| bugs.len() <= most).count() as f64;
    let split: Vec<_> = found.iter().filter(|(_, (bugs, _))| bugs.len() > 1).collect();
    let listed: Vec<_> = split.iter().map(|(name, (bugs, _))| (name, signatures(bugs))).collect();
    let all = found.len() as f64;
    assert!(all > 100.0 && at_most(1) > 0.7 * all && at_most(2) > 0.9 * all, "of {all}: {listed:#?}");
    // Findings in the thousands are none of their own.
    let most = found.iter().map(|(_, (bugs, diverged))| diverged / bugs.len() as u64).max();
    assert!(most > Some(10_000), "{most:?}");
}

#[test]
fn five_bugs_are_told_apart() {
    let five = [
        Fault::FfmaFarAddendDropped,
        Fault::FfmaZeroTimesInfinity,
        Fault::FfmaNegatedAbsolute,
        Fault::FfmaCancellationSign,
        Fault::FfmaSaturationInfinity,
    ];
    let (together, _) = bugs("FFMA", &|| Union::of(&five));
    for fault in five {
        let (alone, _) = bugs("FFMA", &|| mutant(fault));
        let shared = signatures(&alone).intersection(&signatures(&together)).count();
        assert!(
            shared > 0,
            "{}: {:#?} of {:#?}",
            fault.info().name,
            signatures(&alone),
            signatures(&together)
        );
    }
    assert!((5..=12).contains(&together.len()), "{:#?}", signatures(&together));
}

#[test]
fn what_a_subject_does_instead_is_found_out() {
    let expected = [
        (Fault::FfmaNegatedAbsolute, "FFMA | ra.neg is ignored"),
        (Fault::FsetpXorAsOr, "FSETP | lop XOR acts as OR"),
        (Fault::FmulScaleOffByOne, "FMUL | scl M8 acts as M4"),
        (Fault::SinTurns, "MUFU | acts under E035=2"),
    ];
    for (fault, signature) in expected {
        let (bugs, _) = bugs(fault.info().optype, &|| mutant(fault));
        assert!(signatures(&bugs).contains(signature), "{:#?}", signatures(&bugs));
    }
}
