//! Tests the error records by binade and segment, and the counts of inversions, in two kinds of
//! sweeps. One executes every n-th input of a 32-bit function, the other all inputs of a 16-bit
//! function.

use std::sync::atomic::AtomicBool;

use assay_engine::compare::comparator::Setup;
use assay_engine::generate::domain::Domain;
use assay_engine::run::sweep::{Function, LANES, Sweep};
use assay_engine::run::{RunHooks, RunProgress, Shard};
use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::exhaustive::{Pairs, ResultRelation};
use assay_engine::stats::tally::Tally;
use assay_isa::{EncodingTable, Subject, asm};
use assay_vectors::Profile;

use crate::support::{Changed, intended, model, oracle};

/// Sweeps a function of the model with its results changed, in `shards` shards. Returns the merged
/// counts.
fn sweep(profile: &Profile, text: &str, domain: Domain, shards: u64, change: fn(u32, u32) -> u32) -> Tally {
    let subject = || -> Box<dyn Subject> { Box::new(Changed::new(model(), change)) };
    let numbers = EncodingTable::provisional();
    let setup = || Setup { numbers, profile, subject: &subject, oracle: &oracle };
    let functions = [Function { instruction: asm::parse(text).expect(text), domain }];
    let mut whole = Tally::default();
    for index in 0..shards {
        let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
        let shard = Shard { index, of: shards };
        let outcome = Sweep { setup: setup(), functions: &functions, shard }
            .run(RunProgress::default(), RunHooks::new(&stop, &mut progress));
        whole.merge(outcome.expect("the sweep ends").tally);
    }
    whole
}

fn monotonic(accuracy: &Accuracy) -> &Pairs {
    &accuracy.exhaustive.as_ref().expect("a full sweep").relations[&ResultRelation::Monotonic]
}

/// An odd stride. It is so large that a sweep takes only a second.
const STRIDE: u64 = 8191;

fn line() -> Domain {
    Domain::Line { stride: STRIDE, listed: vec![0x3f80_0001, 0x4000_0000] }
}

/// Makes the result of every 1,024th sample too large, if it is in the middle binades. These
/// samples include the first of each batch.
fn sometimes_larger(argument: u32, result: u32) -> u32 {
    let is_hit = u64::from(argument).is_multiple_of(STRIDE * 1024) && argument >> 23 & 0xff != 0;
    if is_hit && (64..190).contains(&(argument >> 23 & 0xff)) { result + 0x2000 } else { result }
}

#[test]
fn a_sweep_of_samples_keeps_places_worst_inputs_and_inversions() {
    let profile = intended();
    let tally = sweep(&profile, "MUFU.RCP.F32 R0, R1", line(), 1, sometimes_larger);
    let accuracy = &tally.accuracy["MUFU.RCP.F32"];
    let stats = accuracy.exhaustive.as_ref().expect("a full sweep");
    let inputs = (1_u64 << 32).div_ceil(STRIDE);
    assert!(inputs > 64 * LANES);
    assert_eq!(tally.cases, inputs + 2);
    // The records by binade and by segment contain every measured result.
    let counted = |counts: &mut dyn Iterator<Item = u64>| counts.sum::<u64>();
    assert_eq!(counted(&mut stats.binades.values().map(|range| range.measured)), accuracy.measured);
    assert_eq!(counted(&mut stats.segments.values().map(|range| range.measured)), accuracy.measured);
    assert_eq!(stats.segments.len(), 128);
    assert!(stats.binades.len() > 500, "{} binades", stats.binades.len());
    // Each result that is too large breaks the order in one pair: the pair with the sample before,
    // or the pair with the next sample.
    let hits: Vec<u32> = (0..inputs)
        .map(|nth| (nth * STRIDE) as u32)
        .filter(|argument| sometimes_larger(*argument, 0) != 0)
        .collect();
    assert!(hits.len() > 200);
    let pairs = monotonic(accuracy);
    assert_eq!(pairs.broken, hits.len() as u64);
    assert_eq!(pairs.first[0].partner - pairs.first[0].input, STRIDE as u32);
    let first = pairs.first[0];
    assert!(hits.contains(&first.input) || hits.contains(&first.partner));
    assert_eq!(tally.verdicts.diverged, hits.len() as u64);
    let worst = stats.worst[0];
    assert!(hits.contains(&worst.input), "{worst:?}");
    assert_eq!(Some(worst), accuracy.worst());
}

#[test]
fn shards_of_a_sweep_of_samples_are_one_run() {
    let profile = intended();
    for text in ["MUFU.TANH.F32 R0, R1", "MUFU.EX2.F32 R0, R1"] {
        let one = sweep(&profile, text, line(), 1, sometimes_larger);
        let three = sweep(&profile, text, line(), 3, sometimes_larger);
        assert_eq!(one.accuracy, three.accuracy, "{text}");
        assert_eq!(one.divergences, three.divergences, "{text}");
        assert_eq!(one.findings, three.findings, "{text}");
    }
}

/// The model has no inversions. A wrong result for the first input of a batch breaks the pair with
/// the last input of the batch before.
#[test]
fn a_sixteen_bit_sweep_counts_inversions_across_batches() {
    let profile = intended();
    for (text, domain) in [
        ("MUFU.TANH.F16 R0, R1.H0", Domain::Half { high: false }),
        ("MUFU.TANH.F16 R0, R1.H1", Domain::Half { high: true }),
    ] {
        let sound = sweep(&profile, text, domain.clone(), 1, |_, result| result);
        let [(_, accuracy)] = sound.accuracy.iter().collect::<Vec<_>>()[..] else { panic!("one function") };
        let pairs = monotonic(accuracy);
        assert_eq!(pairs.broken, 0, "{text}");
        // The pairs are neighbouring numbers of one sign. Pairs from about 34 on are missing,
        // because tanh rounds to ±1 in 96 bits there.
        let (below_34, numbers) = (2 * 0x5040, 2 * (0x7c00 - 1));
        assert!((below_34 - 100..numbers).contains(&pairs.seen), "{text}: {} pairs", pairs.seen);
        // 0x3000 begins a batch of 4,096. tanh rises, so a smaller result there is below that of
        // the input before.
        let wrong = if text.ends_with("H0") {
            |argument: u32, result: u32| if argument & 0xffff == 0x3000 { result - 64 } else { result }
        } else {
            |argument: u32, result: u32| if argument >> 16 == 0x3000 { result - 64 } else { result }
        };
        let spoilt = sweep(&profile, text, domain, 2, wrong);
        let [(_, accuracy)] = spoilt.accuracy.iter().collect::<Vec<_>>()[..] else { panic!("one function") };
        let pairs = monotonic(accuracy);
        assert_eq!(pairs.broken, 1, "{text}");
        assert_eq!((pairs.first[0].input, pairs.first[0].partner), (0x2fff, 0x3000), "{text}");
        assert_eq!(
            pairs.refused, 1,
            "the contract demands that tanh rises, and 64 steps are beyond the bounds"
        );
    }
}

/// Moves the results of negative arguments one step farther from zero. They stay within the bounds
/// of these functions, but are not symmetric.
fn larger_if_negative<const SIGN: u32>(argument: u32, result: u32) -> u32 {
    let is_number = result & 0x7fff < 0x7c00 || SIGN == 1 << 31;
    if argument & SIGN != 0 && result & (SIGN - 1) != 0 && is_number { result + 1 } else { result }
}

/// Tests the symmetry relations in sweeps in which x and -x are in different batches.
#[test]
fn results_are_symmetric_in_sweeps_of_samples_and_of_other_formats() {
    let profile = intended();
    let few = || Domain::Line { stride: 65_535 * 7, listed: Vec::new() };
    let half = |high| Domain::Half { high };
    type Change = fn(u32, u32) -> u32;
    let (single, low): (Change, Change) = (larger_if_negative::<0x8000_0000>, larger_if_negative::<0x8000>);
    let table = [
        ("MUFU.SIN.F32 R0, R1", few(), ResultRelation::Odd, single),
        ("MUFU.COS.F32 R0, R1", few(), ResultRelation::Even, single),
        ("MUFU.TANH.F32 R0, R1", few(), ResultRelation::Odd, single),
        ("MUFU.RCP.F32 R0, R1", few(), ResultRelation::Odd, single),
        ("MUFU.RCP.F64 R0, R1", few(), ResultRelation::Odd, single),
        ("MUFU.TANH.F16 R0, R1.H0", half(false), ResultRelation::Odd, low),
        ("MUFU.TANH.F16 R0, R1.H1", half(true), ResultRelation::Odd, single),
        ("MUFU.TANH.BF16_V2 R0, R1", Domain::Halves, ResultRelation::Odd, low),
    ];
    for (text, domain, relation, wrong) in table {
        let pairs = |tally: &Tally| {
            let found = tally.relations().find(|(_, one, _)| *one == relation);
            found.map(|(.., pairs)| (pairs.seen, pairs.broken, pairs.refused)).expect(text)
        };
        let sound = sweep(&profile, text, domain.clone(), 1, |_, result| result);
        let (seen, broken, refused) = pairs(&sound);
        assert!(seen > 2_000 && (broken, refused) == (0, 0), "{text}: {seen} {broken} {refused}");
        assert_eq!(sound.verdicts.diverged, 0, "{text}");
        let spoilt = sweep(&profile, text, domain.clone(), 1, wrong);
        let (_, broken, refused) = pairs(&spoilt);
        assert!(refused == broken && refused > 500, "{text}: {refused} refused");
        let three = sweep(&profile, text, domain, 3, wrong);
        assert_eq!(three.accuracy, spoilt.accuracy, "{text}");
    }
}
