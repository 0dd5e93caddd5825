//! Tests that broken judges are noticed, for every kind of effect.

use assay_isa::effect::Action;
use assay_isa::format::{F16, F32, Format};
use assay_isa::truth::Enclosure;
use assay_isa::{Erratum, Event, asm};
use assay_vectors::Profile;

use super::*;

const R0: Location = Location::R(0);
const COUNT: usize = 256;

/// Returns a truth of bits and the right effects. If `guarded`, the odd lanes are not written.
fn bits(guarded: bool) -> (Truths, Effects) {
    let written =
        if guarded { Lanes::Some((0..COUNT).map(|lane| lane % 2 == 0).collect()) } else { Lanes::All };
    let (mut truths, mut effects) = (Truths::default(), Effects::default());
    truths.reset(COUNT);
    effects.reset(COUNT);
    for values in [truths.bits(R0, written.clone()), effects.write(R0, written)] {
        values.iter_mut().zip(0..).for_each(|(value, lane)| *value = lane);
    }
    (truths, effects)
}

/// Returns a truth of real numbers, all of them 1, and the right effects.
fn reals(format: Format, packed: usize) -> (Truths, Effects) {
    let one = Real::Near(Enclosure { negative: false, significand: 1, exponent: 0, exact: true });
    let values = TruthValues::Reals {
        format,
        packed,
        flush: false,
        saturate: false,
        arguments: vec![0; packed * COUNT],
        values: vec![one; packed * COUNT],
    };
    let (mut truths, mut effects) = (Truths::default(), Effects::default());
    truths.reset(COUNT);
    truths.push(Truth { location: R0, values, written: Lanes::All });
    effects.reset(COUNT);
    let ones = (0..packed as u32).map(|place| format.one() << (place * format.width())).sum();
    effects.write(R0, Lanes::All).fill(ones);
    (truths, effects)
}

/// Returns a truth of events only, and the right effects.
fn events() -> (Truths, Effects) {
    let (mut truths, mut effects) = (Truths::default(), Effects::default());
    truths.reset(COUNT);
    effects.reset(COUNT);
    for lane in 0..COUNT {
        truths.event(lane, Event::Executed(assay_isa::effect::Action::Nop));
        effects.event(lane, Event::Executed(assay_isa::effect::Action::Nop));
    }
    (truths, effects)
}

fn samples() -> Vec<(Truths, Effects)> {
    vec![bits(false), bits(true), reals(F32, 1), reals(F16, 2), events()]
}

type Judge = dyn Fn(&Contract, &Truths, &Effects, &mut Verdicts);

/// Checks a judge with one sample and several indices. Returns the results of the checks.
fn said(judge: &Judge, (truths, effects): &(Truths, Effects)) -> Vec<Result<bool, String>> {
    let contract =
        &Profile::load("intended").unwrap().contract_for(&asm::parse("MUFU.RCP.F32 R0, R1").unwrap());
    let judged = |effects: &Effects, verdicts: &mut Verdicts| judge(contract, truths, effects, verdicts);
    let mut verdicts = Verdicts::default();
    judged(effects, &mut verdicts);
    let mut check = BatchCheck::default();
    (0..50).map(|index| is_noticed(truths, effects, &verdicts, index, &mut check, &judged)).collect()
}

fn right(contract: &Contract, truths: &Truths, effects: &Effects, verdicts: &mut Verdicts) {
    let instruction = asm::parse("FADD R0, R1, R2").unwrap();
    judge(contract, &instruction, truths, effects, verdicts);
}

#[test]
fn the_judge_notices_every_spoiled_lane() {
    for sample in samples() {
        assert_eq!(said(&right, &sample), vec![Ok(true); 50]);
    }
}

#[test]
fn broken_judges_are_noticed() {
    let judges: [(&str, &Judge); 4] = [
        ("did not notice", &|contract, truths, effects, verdicts| {
            right(contract, truths, effects, verdicts);
            verdicts.diverged.clear();
        }),
        ("did not notice", &|contract, truths, effects, verdicts| {
            right(contract, truths, effects, verdicts);
            verdicts.diverged.retain(|(lane, _)| *lane < COUNT / 2);
        }),
        ("did not notice", &|contract, truths, effects, verdicts| {
            right(contract, truths, effects, verdicts);
            verdicts.diverged.retain(|(lane, _)| lane % 8 != 3);
        }),
        ("other lanes", &|contract, truths, effects, verdicts| {
            right(contract, truths, effects, verdicts);
            let more: Vec<_> = verdicts.diverged.iter().map(|(lane, d)| ((lane + 1) % COUNT, *d)).collect();
            verdicts.diverged.extend(more);
            verdicts.diverged.sort_by_key(|(lane, _)| *lane);
        }),
    ];
    for (words, judge) in judges {
        for sample in samples() {
            let noticed = said(judge, &sample).into_iter().filter_map(Result::err).collect::<Vec<_>>();
            assert!(noticed.iter().any(|problem| problem.contains(words)), "{words}: {noticed:?}");
        }
    }
}

#[test]
fn lanes_that_diverged_or_are_undefined_are_left_alone() {
    let (mut truths, mut effects) = bits(false);
    for lane in 1..COUNT {
        truths.undefine(lane, Erratum(49));
    }
    assert_eq!(said(&right, &(truths.clone(), effects.clone())), vec![Ok(true); 50]);
    *effects.value_mut(R0, 0).unwrap() ^= 1;
    assert_eq!(said(&right, &(truths, effects)), vec![Ok(false); 50]);
}

#[test]
fn a_truth_says_what_it_differs_in() {
    let ((fast, _), (mut slow, _)) = (bits(false), bits(false));
    assert_eq!(same_truth([(&fast, 5), (&slow, 5)]), Ok(()));
    slow.reset(1);
    slow.bits(R0, Lanes::All)[0] = 7;
    let said = same_truth([(&fast, 5), (&slow, 0)]).unwrap_err();
    assert_eq!(said, "lane 5: the fast path gives R0 = 0x00000005, the slow path R0 = 0x00000007");
}

#[test]
fn a_wrong_value_is_nan_in_the_first_half_and_the_same_in_the_other() {
    for (format, packed, value, expected) in [
        (F32, 1, 0xbf80_0000, 0x7f80_0001),
        (F16, 2, 0x1234_bc00, 0x1234_7c01),
        (F16, 2, 0xffff_0000, 0xffff_7c01),
    ] {
        let (truths, _) = reals(format, packed);
        assert_eq!(wrong(&truths.columns()[0], 3, value), expected, "{value:#x}");
    }
    let (truths, _) = bits(false);
    assert_eq!(wrong(&truths.columns()[0], 3, 6), 7);
}

#[test]
fn selected_lanes_keep_what_they_wrote_and_did() {
    let (_, mut effects) = bits(true);
    let event = |lane: usize| Event::Executed(if lane == 7 { Action::Nop } else { Action::Trigger(7) });
    for lane in [4, 7] {
        effects.event(lane, event(lane));
    }
    effects.undefine(5, Erratum(49));
    effects.undefine(4, Erratum(50));
    let mut selected = Effects::default();
    select(&effects, &[2, 4, 7], &mut selected);
    let [column] = selected.columns() else { panic!("{:?}", selected.columns()) };
    assert_eq!((selected.len(), column.location, &column.values[..]), (3, R0, &[2, 4, 7][..]));
    assert_eq!([0, 1, 2].map(|place| column.written.contains(place)), [true, true, false]);
    assert_eq!(selected.events(), [(1, event(4)), (2, event(7))]);
    assert_eq!(selected.undefined(), [(1, Erratum(50))]);
}
