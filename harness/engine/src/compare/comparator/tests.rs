//! Tests of the comparator with implementations whose answers are prepared.

use assay_isa::effect::Action;
use assay_isa::{Erratum, Event};

use super::*;
use crate::compare::tests::prepared::{
    PreparedOracle, PreparedSubject, R0, R1, UNDEFINED, batch, effects, taken,
};

const EVENT: Event = Event::Executed(Action::Nop);

fn comparator(subject: PreparedSubject, oracle: PreparedOracle) -> Comparator {
    Comparator {
        subject: Box::new(subject),
        oracle: Box::new(oracle),
        truths: Truths::default(),
        chosen: Effects::default(),
        effects: Effects::default(),
        verdicts: Verdicts::default(),
    }
}

/// Returns a comparator whose last batch had these effects.
fn after(effects: Effects) -> Comparator {
    Comparator { effects, ..comparator(PreparedSubject::new(Effects::default()), PreparedOracle::default()) }
}

fn some<const N: usize>(lanes: [bool; N]) -> Lanes {
    Lanes::Some(lanes.into())
}

#[test]
fn a_batch_that_was_not_judged_counts_all_its_lanes() {
    let counts = |outcome: BatchOutcome| outcome.unjudged(5);
    let (unsupported, undeclared) = (BatchOutcome::unsupported(true), BatchOutcome::unsupported(false));
    let comparator = after(Effects::default());
    assert_eq!(counts(BatchOutcome::Judged(comparator.last_judged())), None);
    assert_eq!(counts(unsupported), Some(Counts { unsupported: 5, ..Counts::default() }));
    assert_eq!(counts(undeclared), Some(Counts { undeclared: 5, ..Counts::default() }));
}

fn diverged(judged: Judged<'_>) -> Vec<usize> {
    judged.verdicts.diverged.iter().map(|(lane, _)| *lane).collect()
}

#[test]
fn a_batch_is_judged_if_both_implementations_support_it() {
    let (instruction, batch) = batch(&[1, 2]);
    let (known, unsupported) = (Answer::Known, Answer::Unsupported);
    for (by_subject, declares_modes, by_oracle, expected) in [
        (known, true, known, None),
        (unsupported, true, known, Some(Counts { unsupported: 2, ..Counts::default() })),
        (unsupported, false, known, Some(Counts { undeclared: 2, ..Counts::default() })),
        (known, false, unsupported, Some(Counts { unsupported: 2, ..Counts::default() })),
    ] {
        for copies in [1, 2] {
            let effects = match copies {
                1 => effects(&[(R0, [1, 3], Lanes::All)]),
                _ => effects(&[(R0, [1, 3, 3, 1], Lanes::All)]),
            };
            let prepared = PreparedSubject::new(effects);
            let subject = PreparedSubject { answer: by_subject, declares_modes, ..prepared };
            let oracle = PreparedOracle { answer: by_oracle, ..PreparedOracle::default() };
            let mut comparator = comparator(subject, oracle);
            let outcome = comparator.run_copies(&Contract::BitExact, &instruction, &batch, copies).unwrap();
            assert_eq!(outcome.unjudged(2), expected);
            let wrong = if expected.is_none() { vec![1] } else { vec![] };
            assert_eq!(outcome.judged().map(diverged).unwrap_or_default(), wrong);
        }
    }
}

/// Each copy begins with a different lane, because copies are rotated. The oracle calls the first
/// lane undefined, so its value may differ.
#[test]
fn of_copies_the_first_one_that_diverges_stands() {
    let (instruction, batch) = batch(&[UNDEFINED, 2]);
    for (results, wrong, stands) in [
        ([5, 2, 2, 5, 5, 2], vec![], [5, 2]),
        ([5, 2, 2, 6, 7, 2], vec![], [5, 2]),
        ([5, 2, 3, 6, 7, 4], vec![1], [6, 3]),
        ([5, 2, 2, 6, 7, 4], vec![1], [7, 4]),
        ([5, 1, 2, 6, 7, 4], vec![1], [5, 1]),
    ] {
        let subject = PreparedSubject::new(effects(&[(R0, results, Lanes::All)]));
        let calls = subject.calls.clone();
        let mut comparator = comparator(subject, PreparedOracle::default());
        let outcome = comparator.run_copies(&Contract::BitExact, &instruction, &batch, 3).unwrap();
        let judged = outcome.judged().unwrap();
        assert_eq!(diverged(judged), wrong, "{results:?}");
        assert_eq!(judged.verdicts.undefined.len(), 1, "{results:?}");
        assert_eq!(judged.effects.columns()[0].values, stands, "{results:?}");
        assert_eq!(taken(&calls), ["execute 6"]);
    }
}

#[test]
fn some_lanes_are_judged_alone() {
    let (instruction, batch) = batch(&[1, 2, 3]);
    let mut comparator = after(effects(&[(R0, [1, 2, 9], Lanes::All)]));
    let mut part = Batch::default();
    let judged =
        comparator.judge_lanes(&Contract::BitExact, &instruction, &batch, &[2, 0], &mut part).unwrap();
    assert_eq!((part.column(R1), judged.truths.len()), (Some(&[3, 1][..]), 2));
    assert_eq!(judged.effects.columns()[0].values, [9, 1]);
    assert_eq!(diverged(judged), [0]);
    // The effects of the batch stay. One lane is judged with another value.
    for (value, wrong) in [(9, vec![0]), (3, vec![])] {
        let change = (2, R0, value);
        let judged =
            comparator.judge_instead(&Contract::BitExact, &instruction, &batch, change, &mut part).unwrap();
        assert_eq!((diverged(judged), part.column(R1)), (wrong, Some(&[3][..])), "{value}");
        assert_eq!(judged.effects.columns()[0].values, [value]);
        assert_eq!(comparator.column(), Some((R0, &[1, 2, 9][..])));
    }
}

#[test]
fn what_a_dead_device_had_executed_is_judged() {
    for (executed, wrong) in [(vec![1, 9], vec![1]), (vec![1, 2, 3, 4], vec![]), (vec![], vec![])] {
        let oracle = PreparedOracle::default();
        let calls = oracle.calls.clone();
        let mut settled = Effects::default();
        settled.reset(executed.len());
        settled.write(R0, Lanes::All).copy_from_slice(&executed);
        let mut comparator = comparator(PreparedSubject::new(Effects::default()), oracle);
        comparator.effects = settled;
        let (instruction, mut batch) = batch(&[1, 2, 3, 4]);
        let judged = comparator.judge_settled(&Contract::BitExact, &instruction, &mut batch).unwrap();
        let lanes = |judged: Judged<'_>| (judged.effects.len(), judged.verdicts.lanes);
        let expected = (!executed.is_empty()).then_some((executed.len(), executed.len()));
        assert_eq!((batch.len(), judged.map(lanes)), (executed.len(), expected));
        assert_eq!(judged.map(diverged).unwrap_or_default(), wrong, "{executed:?}");
        let asked = (!executed.is_empty()).then(|| format!("truth {}", executed.len()));
        assert_eq!(taken(&calls), asked.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn effects_have_the_lanes_of_their_batch() {
    let (_, batch) = batch(&[1, 2]);
    let with = |event: usize, undefined: usize| {
        let mut effects = effects(&[(R0, [1, 2], Lanes::All)]);
        effects.event(event, EVENT);
        effects.undefine(undefined, Erratum(1));
        effects
    };
    for (effects, fits) in [
        (effects(&[(R0, [1, 2], Lanes::All)]), true),
        (effects(&[(R0, [1, 2], some([true, false]))]), true),
        (effects::<2>(&[]), true),
        (effects(&[(R0, [1], Lanes::All)]), false),
        (effects(&[(R0, [1, 2, 3], Lanes::All)]), false),
        (effects::<3>(&[]), false),
        (effects(&[(R0, [1, 2], some([true]))]), false),
        (effects(&[(R0, [1, 2], some([true, false, true]))]), false),
        (effects(&[(R0, [1, 2], some([true])), (R1, [1, 2], Lanes::All)]), false),
        (with(1, 1), true),
        (with(2, 0), false),
        (with(0, 2), false),
    ] {
        let outcome = check_shape("device", &effects, &batch);
        assert_eq!(outcome.is_ok(), fits, "{effects:?}");
        let subject = PreparedSubject::new(effects);
        assert_eq!(comparator(subject, PreparedOracle::default()).answer(&batch).is_ok(), fits);
    }
    let longer = effects(&[(R0, [1, 2, 3], Lanes::All)]);
    let error = check_shape("device", &longer, &batch).unwrap_err().to_string();
    assert_eq!(error, "device: answered for 3 lanes in place of 2");
}

/// Effects that a subject leaves behind with the answer `unsupported` are ignored.
#[test]
fn the_effects_of_an_unsupported_batch_are_not_looked_at() {
    let mut subject = PreparedSubject::new(effects(&[(R0, [1], Lanes::All)]));
    subject.answer = Answer::Unsupported;
    let mut comparator = comparator(subject, PreparedOracle::default());
    assert!(comparator.answer(&batch(&[1, 2]).1).unwrap().is_none());
}

#[test]
fn results_stand_beside_estimates_of_all_lanes_of_their_location() {
    let (instruction, batch) = batch(&[1, 2]);
    let of = |location, executed| Estimates { location: Some(location), executed, ..Estimates::default() };
    for (estimates, expected) in [
        (Some(of(R0, Lanes::All)), EstimatedBatch::Results),
        (Some(of(R1, Lanes::All)), EstimatedBatch::OtherEffects),
        (Some(of(R0, some([true, false]))), EstimatedBatch::NotExecuted),
        (None, EstimatedBatch::NotExecuted),
    ] {
        let subject = PreparedSubject::new(effects(&[(R0, [5, 6], Lanes::All)]));
        let is_estimated = estimates.is_some();
        let oracle = PreparedOracle { estimates, ..PreparedOracle::default() };
        let mut comparator = comparator(subject, oracle);
        let numbers = EncodingTable::provisional();
        assert_eq!(comparator.estimates(&instruction, numbers).unwrap(), is_estimated);
        // If the oracle does not estimate, these estimates are left from an earlier batch.
        let mut estimates = of(R0, Lanes::All);
        assert_eq!(comparator.estimate(&instruction, &batch, &mut estimates).unwrap(), expected);
        if expected == EstimatedBatch::Results {
            assert_eq!(comparator.column(), Some((R0, &[5, 6][..])));
        }
    }
}

#[test]
fn the_subject_gets_the_hints() {
    let subject = PreparedSubject::new(Effects::default());
    let calls = subject.calls.clone();
    let mut comparator = comparator(subject, PreparedOracle::default());
    assert_eq!(comparator.batches_ahead(), 7);
    let (first, second) = (batch(&[1, 2]).1, batch(&[3]).1);
    comparator.execute_ahead(&mut [&first, &second].into_iter()).unwrap();
    comparator.announce(9, &[1, 2], 4).unwrap();
    assert_eq!(taken(&calls), ["execute ahead [2, 1]", "announce 9 [1, 2] 4"]);
}

#[test]
fn a_column_is_the_only_effect_or_none() {
    let one = || effects(&[(R0, [5, 6], Lanes::All)]);
    let with = |change: fn(&mut Effects)| {
        let mut effects = one();
        change(&mut effects);
        effects
    };
    for (effects, expected) in [
        (one(), true),
        (with(|effects| effects.event(0, EVENT)), false),
        (with(|effects| effects.undefine(0, Erratum(1))), false),
        (effects(&[(R0, [5, 6], some([true, false]))]), false),
        (effects(&[(R0, [5, 6], Lanes::All), (R1, [5, 6], Lanes::All)]), false),
        (effects::<2>(&[]), false),
    ] {
        let comparator = after(effects);
        assert_eq!(comparator.column(), expected.then_some((R0, &[5, 6][..])), "{:?}", comparator.effects);
        assert_eq!(comparator.column_of(R0, &Lanes::All).is_some(), expected, "{:?}", comparator.effects);
    }
}

#[test]
fn lanes_are_kept_if_they_are_all_that_was_written() {
    let first_and_last = some([true, false, true]);
    for (written, location, lanes, kept) in [
        (first_and_last.clone(), R0, &[0, 2][..], Some(&[5, 7][..])),
        (first_and_last.clone(), R0, &[2, 0], Some(&[7, 5])),
        (first_and_last.clone(), R1, &[0, 2], None),
        (first_and_last.clone(), R0, &[0], None),
        (first_and_last.clone(), R0, &[0, 1], None),
        (first_and_last.clone(), R0, &[0, 1, 2], None),
        (first_and_last, R1, &[0, 1], None),
        (Lanes::All, R0, &[0, 1, 2], Some(&[5, 6, 7])),
        (Lanes::All, R0, &[0, 2], None),
    ] {
        let before = effects(&[(R0, [5, 6, 7], written)]);
        let mut comparator = after(before.clone());
        let mut memory = vec![9; 9];
        assert_eq!(comparator.keep_lanes(location, lanes, &mut memory), kept.is_some(), "{lanes:?}");
        match kept {
            Some(kept) => assert_eq!(comparator.column(), Some((R0, kept)), "{lanes:?}"),
            None => assert!(comparator.effects.is_same(&before), "{lanes:?}"),
        }
    }
}

#[test]
fn unrounded_numbers_are_those_of_the_oracle() {
    let (instruction, batch) = batch(&[1]);
    for unrounded in [None, Some(vec![Unrounded::Special])] {
        let oracle = PreparedOracle { unrounded: unrounded.clone(), ..PreparedOracle::default() };
        let mut comparator = comparator(PreparedSubject::new(Effects::default()), oracle);
        assert_eq!(comparator.unrounded(&instruction, &batch).unwrap(), unrounded);
    }
}

#[test]
fn an_instruction_is_supported_by_both_implementations_or_not_at_all() {
    let (instruction, _) = batch(&[]);
    let numbers = EncodingTable::provisional();
    let (known, unsupported) = (Answer::Known, Answer::Unsupported);
    for (by_subject, by_oracle, expected) in [
        (known, known, true),
        (known, unsupported, false),
        (unsupported, known, false),
        (unsupported, unsupported, false),
    ] {
        let subject = PreparedSubject { answer: by_subject, ..PreparedSubject::new(Effects::default()) };
        let oracle = PreparedOracle { answer: by_oracle, ..PreparedOracle::default() };
        let mut comparator = comparator(subject, oracle);
        assert_eq!(comparator.supports(&instruction, numbers).unwrap(), expected);
        assert_eq!(comparator.supports_some(&instruction, numbers).unwrap(), expected);
    }
}
