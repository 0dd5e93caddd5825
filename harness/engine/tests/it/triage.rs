//! Tests that one bug gives one finding, for single planted faults and for several at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arbitrary::Unstructured;
use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate::{LANES, Scope, from_stream};
use assay_engine::run::sizes::BatchSplit;
use assay_engine::stats::tally::{ObservedDivergence, Tally};
use assay_engine::triage::batches::{RedrawnBatches, SelectsInstruction};
use assay_engine::triage::circumstance::Circumstance;
use assay_engine::triage::explain::supposition::suppositions;
use assay_engine::triage::explain::{Explanation, explains};
use assay_engine::triage::{self, Bug};
use assay_faults::{FAULTS, Fault, FaultInfo};
use assay_isa::effect::{Failure, Lanes};
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Event, Instruction, Readings, Subject, asm, codec,
};
use rayon::prelude::*;

use crate::support::{intended, model, mutant, oracle, oracle_under};

/// Number of batches of a campaign. A campaign usually has thousands of divergences. The first
/// divergences of each function and kind are kept.
const BATCHES: u64 = 96;

/// Returns the bugs that a campaign over an optype finds in a subject, and the number of cases that
/// diverged.
fn bugs(optype: &str, subject: &(dyn Fn() -> Box<dyn Subject> + Sync)) -> (Vec<Bug>, u64) {
    bugs_of_seed(1, optype, subject)
}

/// Like `bugs`, but with a given seed.
fn bugs_of_seed(seed: u64, optype: &str, subject: &(dyn Fn() -> Box<dyn Subject> + Sync)) -> (Vec<Bug>, u64) {
    bugs_of(seed, &|mode| mode.optype() == optype, subject)
}

/// Like `bugs`, but with a given seed and a selection of instructions.
fn bugs_of(
    seed: u64,
    selects: SelectsInstruction<'_>,
    subject: &(dyn Fn() -> Box<dyn Subject> + Sync),
) -> (Vec<Bug>, u64) {
    let profile = intended();
    let setup = Setup { numbers: EncodingTable::provisional(), profile: &profile, subject, oracle: &oracle };
    let scope = Scope::filtered(selects);
    let mut comparator = Comparator::new(&setup);
    let (mut tally, mut bytes, mut batch) = (Tally::default(), Vec::new(), Batch::default());
    for index in 0..BATCHES {
        let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
        let drawn = from_stream((seed, index), setup.numbers, LANES, &mut bytes, &mut batch, pick).unwrap();
        let contract = profile.contract_for(&drawn);
        let judged = comparator.run(&contract, &drawn, &batch).unwrap().judged().unwrap();
        let first = index * LANES as u64;
        tally.count_judged(&drawn, &contract, (&batch, judged), |lane| first + lane as u64);
    }
    let draw = |_: &ObservedDivergence, index| {
        let (mut bytes, mut batch) = (Vec::new(), Batch::default());
        let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
        let drawn = from_stream((seed, index), setup.numbers, LANES, &mut bytes, &mut batch, pick).ok()?;
        Some((drawn, batch))
    };
    let batches =
        RedrawnBatches { lanes: &|_| LANES as u64, step: 1, cut: BatchSplit::whole, draw: &draw, selects };
    (triage::bugs(&setup, &oracle_under, &tally, batches).unwrap().bugs, tally.verdicts.diverged)
}

/// A subject with several faults. In each lane, the first fault that changes the result decides.
struct Union(Vec<Box<dyn Subject>>);

impl Union {
    fn of(faults: &[Fault]) -> Box<dyn Subject> {
        let sound = model();
        Box::new(Union(std::iter::once(sound).chain(faults.iter().map(|fault| mutant(*fault))).collect()))
    }
}

impl Subject for Union {
    fn name(&self) -> &str {
        "union"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
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

/// Whether a fault is tested here. Excludes wrong bits of a table, which show only in one row, and
/// misread operands and fields, which often change nothing.
fn is_told(fault: Fault) -> bool {
    !matches!(fault, Fault::RomBit(..) | Fault::Operand(..) | Fault::Field(_))
}

#[test]
fn one_bug_is_one_finding() {
    // Every sixth fault, which includes some of every optype.
    let faults: Vec<&FaultInfo> = FAULTS.iter().filter(|info| is_told(info.fault)).step_by(6).collect();
    let found = faults.par_iter().map(|info| (info.name, bugs(info.optype, &|| mutant(info.fault))));
    let found: Vec<(&str, (Vec<Bug>, u64))> = found.filter(|(_, (_, diverged))| *diverged > 0).collect();
    let at_most = |most: usize| found.iter().filter(|(_, (bugs, _))| bugs.len() <= most).count() as f64;
    let split: Vec<_> = found.iter().filter(|(_, (bugs, _))| bugs.len() > 1).collect();
    let listed: Vec<_> = split.iter().map(|(name, (bugs, _))| (name, signatures(bugs))).collect();
    let all = found.len() as f64;
    println!("{all} faults that show: {} are one finding, {} two at most", at_most(1), at_most(2));
    assert!(
        all > 100.0 && at_most(1) > 0.87 * all && at_most(2) > 0.94 * all,
        "{} and {} of {all}: {listed:#?}",
        at_most(1),
        at_most(2)
    );
    // A fault with thousands of divergences must not give thousands of findings.
    let most = found.iter().map(|(_, (bugs, diverged))| diverged / bugs.len() as u64).max();
    assert!(most > Some(10_000), "{most:?}");
}

/// If a user selects two functions, shrinking must not turn a case into one of a third function.
#[test]
fn a_smaller_case_stays_in_the_selection() {
    let selected = ["MUFU.RSQ.F32", "MUFU.SQRT.F32"];
    let selects = |mode: &Instruction| selected.contains(&mode.function().as_str());
    let of_mufu = |info: &&FaultInfo| info.optype == "MUFU" && is_told(info.fault);
    let faults: Vec<&FaultInfo> = FAULTS.iter().filter(of_mufu).step_by(2).collect();
    let found = faults.par_iter().map(|info| {
        let (bugs, _) = bugs_of(1, &selects, &|| mutant(info.fault));
        for bug in &bugs {
            assert!(
                selects(&bug.instruction),
                "{}: {} in {}",
                info.name,
                bug.signature,
                bug.instruction.function()
            );
        }
        usize::from(!bugs.is_empty())
    });
    let found = found.sum::<usize>();
    assert!(found > 10, "{found} of {}", faults.len());
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
        let shared = ways_to_show(&alone).intersection(&ways_to_show(&together)).count();
        assert!(
            shared > 0,
            "{}: {:#?} of {:#?}",
            fault.info().name,
            ways_to_show(&alone),
            ways_to_show(&together)
        );
    }
    assert!((5..=20).contains(&ways_to_show(&together).len()), "{:#?}", ways_to_show(&together));
}

/// Returns the signatures of bugs. For a bug with several shapes, returns the signatures of its
/// shapes.
fn ways_to_show(bugs: &[Bug]) -> BTreeSet<&str> {
    let own = bugs.iter().filter(|bug| bug.shapes.is_empty()).map(|bug| bug.signature.as_str());
    own.chain(bugs.iter().flat_map(|bug| &bug.shapes).map(|shape| shape.signature.as_str())).collect()
}

/// Triage tries the explanation of a bug in one optype on other optypes too. These may lack the
/// operands and outputs that the explanation names.
#[test]
fn what_can_be_supposed_of_one_optype_can_be_asked_of_any() {
    let profile = intended();
    let setup =
        Setup { numbers: EncodingTable::provisional(), profile: &profile, subject: &model, oracle: &oracle };
    let texts =
        ["FADD R0, R1, R2", "FSETP.LT.AND P0, P1, R1, R2, P2", "UISETP.LT.AND UP0, UP1, UR1, UR2, UP2"];
    let instructions = texts.map(|text| asm::parse(text).unwrap());
    let mut comparator = Comparator::new(&setup);
    for one in &instructions {
        for instead in suppositions(one, &profile.readings, setup.numbers) {
            let (under, as_well) = (None, Vec::new());
            let explanation = Explanation { instead, under, evidence: Default::default(), as_well };
            for other in &instructions {
                let batch = Batch::new(codec::encode(other, setup.numbers), &other.reads(), 1);
                explains(&setup, &mut comparator, &oracle_under, &explanation, (other, &batch)).unwrap();
            }
        }
    }
}

/// Two bugs of two optypes that only look alike stay two findings.
#[test]
fn optypes_that_are_wrong_in_different_ways_do_not_share_a_bug() {
    let both = [Fault::FaddGuardBitLost, Fault::FfmaProductRounded];
    let (bugs, _) = bugs_of(1, &|mode| ["FADD", "FFMA"].contains(&mode.optype()), &|| Union::of(&both));
    let found = signatures(&bugs);
    assert!(found.iter().any(|text| text.starts_with("FADD | ")), "{found:#?}");
    assert!(found.iter().any(|text| text.starts_with("FFMA | ")), "{found:#?}");
    assert!(!found.iter().any(|text| text.contains("share")), "{found:#?}");
}

#[test]
fn what_a_subject_does_instead_is_found_out() {
    let expected = [
        // Each operand has its own flags. If two operands have both flags, an explanation by the
        // flags of only one operand would be incomplete.
        (Fault::FfmaNegatedAbsolute, "FFMA | a negated absolute value reads as the absolute value"),
        (Fault::FsetpXorAsOr, "FSETP | lop XOR acts as OR"),
        (Fault::FmulScaleOffByOne, "FMUL | scl M8 acts as M4"),
        // Arguments are taken in turns. Cases beyond 100 pi do not count here, because no bound
        // judges them.
        (Fault::SinTurns, "MUFU | acts under E035=2 under mufuop SIN"),
    ];
    for (fault, signature) in expected {
        let (bugs, _) = bugs(fault.info().optype, &|| mutant(fault));
        assert!(signatures(&bugs).contains(signature), "{:#?}", signatures(&bugs));
    }
}

/// Pairs of faults of one optype, the first of which shows far more often than the second.
const PAIRS: [[Fault; 2]; 12] = [
    [Fault::FaddStickyDropped, Fault::FaddCancellationSign],
    [Fault::FaddGuardBitLost, Fault::FaddInfinityMinusInfinity],
    [Fault::FaddPredicateIgnored, Fault::FaddTieToOdd],
    [Fault::FmulStickyDropped, Fault::FmulZeroTimesInfinity],
    [Fault::FmulPredicateNotInverted, Fault::FmulOverflowToInfinity],
    [Fault::FfmaProductRounded, Fault::FfmaZeroTimesInfinity],
    [Fault::FfmaProductRounded, Fault::FfmaSaturationInfinity],
    [Fault::FfmaUpTruncates, Fault::FfmaCancellationSign],
    // After shrinking, both faults show as a wrong count of some bits. Only the value key
    // distinguishes them.
    [Fault::PopcUpperHalf, Fault::PopcCountWraps],
    [Fault::FloFromBottom, Fault::FloZeroPosition],
    [Fault::SgxtFullWidth, Fault::SgxtZeroWidth],
    [Fault::FmnmxSenseReversed, Fault::FmnmxNanPayload],
];

fn both(faults: [Fault; 2]) -> Box<dyn Subject> {
    assay_faults::double_mutant(EncodingTable::provisional().clone(), Readings::INTENDED, faults)
}

/// Returns the value keys of each signature.
fn ways(bugs: &[Bug]) -> BTreeMap<&str, &BTreeSet<String>> {
    bugs.iter().map(|bug| (bug.signature.as_str(), &bug.keys)).collect()
}

/// Returns a value key without its first part, the shape.
fn without_shape(key: &str) -> &str {
    key.rsplit_once("; ").map_or(key, |(_, key)| key)
}

/// Tests the effect of the known-issues list. All signatures of the frequent fault are known, with
/// the value keys that a first campaign showed. In a second campaign with other cases, the rare
/// fault must be new.
#[test]
fn a_rare_bug_is_found_beside_a_frequent_one_that_is_known() {
    let hidden: Vec<String> = PAIRS
        .par_iter()
        .filter_map(|[frequent, rare]| {
            let optype = frequent.info().optype;
            let (known, often) = bugs_of_seed(1, optype, &|| mutant(*frequent));
            let (alone, seldom) = bugs_of_seed(2, optype, &|| mutant(*rare));
            let (together, _) = bugs_of_seed(2, optype, &|| both([*frequent, *rare]));
            let name = format!("{} + {}", frequent.info().name, rare.info().name);
            if seldom == 0 || 2 * often <= 3 * seldom {
                return Some(format!("{name}: {often} and {seldom} divergences"));
            }
            let (shown, own) = (ways(&known), ways(&alone));
            let is_excused = |(signature, keys): &(&&str, &&BTreeSet<String>)| {
                shown.get(**signature).is_some_and(|shown| keys.is_subset(shown))
            };
            let together = ways(&together);
            let new: Vec<_> = together.iter().filter(|way| !is_excused(way)).collect();
            // Some new finding must have a signature or a value key of the rare fault.
            let own_keys: BTreeSet<&str> =
                own.values().copied().flatten().map(|key| without_shape(key)).collect();
            let is_found = new.iter().any(|(signature, keys)| {
                let before = shown.get(**signature);
                let is_new = |key: &&String| before.is_none_or(|before| !before.contains(*key));
                own.contains_key(**signature) && before.is_none()
                    || keys.iter().filter(is_new).any(|key| own_keys.contains(without_shape(key)))
            });
            (!is_found).then(|| format!("{name}: known {shown:#?}, alone {own:#?}, new {new:#?}"))
        })
        .collect();
    assert!(hidden.is_empty(), "{hidden:#?}");
}

/// A subject that is wrong in one lane of one call.
struct Once<'a> {
    sound: Box<dyn Subject>,
    calls: &'a AtomicU64,
}

/// The number of the call that is wrong, counted from 0 over all instances, and the number of its
/// wrong lane.
const WRONG: (u64, usize) = (57, 321);

impl Subject for Once<'_> {
    fn name(&self) -> &str {
        "once"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        let answer = self.sound.execute(batch, effects)?;
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        if call == WRONG.0 && batch.len() > WRONG.1 {
            let right = effects.clone();
            effects.reset(batch.len());
            for column in right.columns() {
                let values = effects.write(column.location, column.written.clone());
                values.copy_from_slice(&column.values);
                values[WRONG.1] ^= 1;
            }
        }
        Ok(answer)
    }
}

#[test]
fn a_fault_that_shows_once_keeps_the_value_that_was_seen() {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let subject = || -> Box<dyn Subject> {
        let sound = model();
        Box::new(Once { sound, calls: &CALLS })
    };
    let (bugs, diverged) = bugs("POPC", &subject);
    assert_eq!((diverged, bugs.len()), (1, 1));
    let bug = &bugs[0];
    assert_eq!((bug.index, bug.cases), (WRONG.0 * LANES as u64 + WRONG.1 as u64, 1));
    assert_eq!(bug.shown.circumstance, Circumstance::Never);
    assert_eq!(bug.signature, "POPC | never again");
    let seen = bug.seen.as_ref().expect("what was seen");
    let mut effects = Effects::default();
    let mut sound = model();
    assert_eq!(sound.execute(&bug.batch, &mut effects).unwrap(), Answer::Known);
    let wrong = effects.lane(0).map(|(location, right)| (location, right ^ 1)).collect();
    assert_eq!(seen.writes, wrong);
}

/// A device that hangs in every lane, and is declared dead after a number of calls.
struct Hanging {
    calls: Arc<AtomicU64>,
    /// Number of calls until the device is dead.
    last: u64,
}

impl Subject for Hanging {
    fn name(&self) -> &str {
        "hanging"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        if self.calls.fetch_add(1, Ordering::Relaxed) >= self.last {
            let (implementation, reason) = (self.name().to_owned(), "it hangs".to_owned());
            return Err(BackendError::Gone { implementation, reason });
        }
        effects.reset(batch.len());
        (0..batch.len()).for_each(|lane| effects.event(lane, Event::Failed(Failure::Hung)));
        Ok(Answer::Known)
    }
}

#[test]
fn a_device_that_dies_while_findings_are_shrunk_leaves_its_findings() {
    for more in [0, 1, 2, 3, 10, 100] {
        let calls = Arc::new(AtomicU64::new(0));
        let subject =
            || -> Box<dyn Subject> { Box::new(Hanging { calls: calls.clone(), last: BATCHES + more }) };
        let (bugs, diverged) = bugs("POPC", &subject);
        assert_eq!(diverged, BATCHES * LANES as u64, "{more}");
        // A run keeps only some of the divergences, so the counts of the bugs need not add up to
        // all.
        assert!(bugs.iter().any(|bug| bug.cases > diverged / 4), "{more}: {bugs:?}");
    }
}
