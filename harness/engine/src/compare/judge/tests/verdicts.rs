//! Tests of the verdicts of whole batches: written locations, events, undefined lanes, and lanes of
//! several results.

use super::super::*;
use assay_isa::asm;
use assay_isa::effect::{Action, Fault, Lanes};
use assay_isa::format::F16;
use assay_isa::truth::{Enclosure, Real};

const R0: Location = Location::R(0);

/// An instruction that writes floats of 32 bits to R0.
fn add() -> Instruction {
    asm::parse("FADD R0, R1, R2").expect("an instruction")
}

fn truths() -> Truths {
    let mut truths = Truths::default();
    truths.reset(2);
    truths.bits(R0, Lanes::All).copy_from_slice(&[1, 2]);
    truths
}

fn kinds(effects: &Effects) -> Vec<(usize, DivergenceKind)> {
    let mut verdicts = Verdicts::default();
    judge(&Contract::BitExact, &add(), &truths(), effects, &mut verdicts);
    verdicts.diverged.iter().map(|(lane, d)| (*lane, d.kind)).collect()
}

fn effects(columns: &[(Location, [u32; 2], Lanes)]) -> Effects {
    let mut effects = Effects::default();
    effects.reset(2);
    for (location, values, written) in columns {
        effects.write(*location, written.clone()).copy_from_slice(values);
    }
    effects
}

#[test]
fn every_way_to_be_wrong_is_seen() {
    let some = |lanes: [bool; 2]| Lanes::Some(lanes.into());
    assert_eq!(kinds(&effects(&[(R0, [1, 2], Lanes::All)])), []);
    assert_eq!(kinds(&effects(&[])), [(0, DivergenceKind::NotWritten), (1, DivergenceKind::NotWritten)]);
    assert_eq!(kinds(&effects(&[(R0, [1, 2], some([true, false]))])), [(1, DivergenceKind::NotWritten)]);
    assert_eq!(kinds(&effects(&[(R0, [1, 3], Lanes::All)])), [(1, DivergenceKind::OneUnit)]);
    let elsewhere = (Location::R(1), [0, 0], some([false, true]));
    assert_eq!(kinds(&effects(&[(R0, [1, 2], Lanes::All), elsewhere])), [(1, DivergenceKind::Unexpected)]);
}

/// If the values of one location are wrong, right values of another location do not help.
#[test]
fn each_location_is_compared_with_its_own_column() {
    let r1 = Location::R(1);
    let mut both = truths();
    both.bits(r1, Lanes::All).copy_from_slice(&[1, 2]);
    for (first, second, wrong) in [([8, 9], [1, 2], R0), ([1, 2], [8, 9], r1)] {
        let effects = effects(&[(R0, first, Lanes::All), (r1, second, Lanes::All)]);
        let mut verdicts = Verdicts::default();
        judge(&Contract::BitExact, &add(), &both, &effects, &mut verdicts);
        let places: Vec<_> = verdicts.diverged.iter().map(|(lane, d)| (*lane, d.location)).collect();
        assert_eq!(places, [(0, Some(wrong)), (1, Some(wrong))]);
    }
}

/// Tests all combinations of lanes that must write, lanes that did write, and lanes with wrong
/// values.
#[test]
fn a_lane_writes_where_it_must_and_nowhere_else() {
    let lanes = |set: usize| [set & 1 != 0, set & 2 != 0];
    let sets = |set: usize| [Lanes::from(lanes(set).to_vec()), Lanes::Some(lanes(set).to_vec())];
    for (must, did, wrong) in (0..64).map(|n| (n & 3, n >> 2 & 3, n >> 4)) {
        let expected: Vec<(usize, DivergenceKind)> = [0, 1]
            .into_iter()
            .filter_map(|lane| match (lanes(must)[lane], lanes(did)[lane], lanes(wrong)[lane]) {
                (true, false, _) => Some((lane, DivergenceKind::NotWritten)),
                (false, true, _) => Some((lane, DivergenceKind::Unexpected)),
                (true, true, true) => Some((lane, DivergenceKind::Value)),
                _ => None,
            })
            .collect();
        for (must, did) in sets(must).iter().flat_map(|must| sets(did).map(|did| (must.clone(), did))) {
            let (mut truths, mut verdicts) = (Truths::default(), Verdicts::default());
            truths.reset(2);
            truths.bits(R0, must.clone()).copy_from_slice(&[1, 2]);
            let values = [1 + 8 * (wrong & 1) as u32, 2 + 8 * (wrong >> 1) as u32];
            let effects = effects(&[(R0, values, did.clone())]);
            judge(&Contract::BitExact, &add(), &truths, &effects, &mut verdicts);
            let kinds: Vec<_> = verdicts.diverged.iter().map(|(lane, d)| (*lane, d.kind)).collect();
            assert_eq!(kinds, expected, "{must:?} must write, {did:?} did, {values:?}");
        }
    }
}

#[test]
fn columns_of_one_location_add_up_and_the_last_counts() {
    let some = |lanes: [bool; 2]| Lanes::Some(lanes.into());
    let halves = [(R0, [1, 9], some([true, false])), (R0, [9, 2], some([false, true]))];
    assert_eq!(kinds(&effects(&halves)), []);
    assert_eq!(
        kinds(&effects(&[(R0, [1, 2], Lanes::All), (R0, [1, 7], Lanes::All)])),
        [(1, DivergenceKind::Value)]
    );
}

#[test]
fn what_is_undefined_has_no_other_verdict() {
    let (mut truths, mut verdicts) = (truths(), Verdicts::default());
    truths.undefine(1, Erratum(49));
    let mut wrong = effects(&[(R0, [1, 9], Lanes::All)]);
    judge(&Contract::BitExact, &add(), &truths, &wrong, &mut verdicts);
    assert_eq!((verdicts.of(0), verdicts.of(1)), (Verdict::Exact, Verdict::Undefined(Erratum(49))));
    wrong.undefine(0, Erratum(49));
    wrong.undefine(1, Erratum(49));
    judge(&Contract::BitExact, &add(), &truths, &wrong, &mut verdicts);
    assert!(matches!(verdicts.of(0), Verdict::Diverged(d) if d.kind == DivergenceKind::CalledUndefined));
    assert_eq!(verdicts.of(1), Verdict::Undefined(Erratum(49)));
}

#[test]
fn a_device_that_failed_diverged_whatever_is_true() {
    let (mut truths, mut verdicts) = (truths(), Verdicts::default());
    truths.undefine(1, Erratum(49));
    let mut effects = effects(&[(R0, [1, 2], Lanes::All)]);
    for lane in [0, 1] {
        effects.event(lane, Event::Failed(Failure::Hung));
        judge(&Contract::BitExact, &add(), &truths, &effects, &mut verdicts);
        let verdict = verdicts.of(lane);
        assert!(
            matches!(verdict, Verdict::Diverged(d) if d.kind == DivergenceKind::Failed(Failure::Hung)),
            "{verdict:?}"
        );
    }
}

/// Cases in which both failed, and in which only the reference failed.
#[test]
fn a_reference_that_failed_is_told_from_a_subject_that_failed() {
    let kinds = [DivergenceKind::Failed(Failure::Hung), DivergenceKind::ReferenceFailed(Failure::Crashed)];
    let (mut truths, mut verdicts) = (truths(), Verdicts::default());
    let mut effects = effects(&[(R0, [1, 2], Lanes::All)]);
    effects.event(0, Event::Failed(Failure::Hung));
    for lane in [0, 1] {
        truths.event(lane, Event::Failed(Failure::Crashed));
    }
    judge(&Contract::BitExact, &add(), &truths, &effects, &mut verdicts);
    let found: Vec<_> = verdicts.diverged.iter().map(|(_, one)| one.kind).collect();
    assert_eq!(found, kinds);
}

#[test]
fn events_must_be_those_and_no_more() {
    let mut effects = effects(&[(R0, [1, 2], Lanes::All)]);
    effects.event(1, Event::Fault(Fault::Misaligned));
    assert_eq!(kinds(&effects), [(1, DivergenceKind::Event)]);
}

/// Truths of two lanes that are numbers of 16 bits, `packed` of them a lane.
fn real_truths(packed: usize, values: &[Real]) -> Truths {
    let mut truths = Truths::default();
    truths.reset(2);
    let arguments = vec![0; values.len()];
    let values = values.to_vec();
    let values = TruthValues::Reals { format: F16, packed, flush: false, saturate: false, arguments, values };
    truths.push(Truth { location: R0, values, written: Lanes::All });
    truths
}

/// Returns the verdicts on two lanes that write these words to R0, under a bound of 1 ulp.
fn judged(truths: &Truths, words: [u32; 2]) -> Verdicts {
    let bounds = ["1 ulp".parse::<assay_vectors::Bound>().expect("a bound")].into();
    let contract = Contract::Bounded { bounds, clauses: assay_vectors::Clauses::default() };
    let mut verdicts = Verdicts::default();
    judge(&contract, &add(), truths, &effects(&[(R0, words, Lanes::All)]), &mut verdicts);
    verdicts
}

const ONE: Real = Real::Near(Enclosure { negative: false, significand: 1, exponent: 0, exact: true });

#[test]
fn bits_above_a_narrow_result_are_zero() {
    let diverged = |packed: usize, values: &[Real], words| {
        let verdicts = judged(&real_truths(packed, values), words);
        verdicts.diverged.iter().map(|(lane, d)| (*lane, d.kind)).collect::<Vec<_>>()
    };
    assert_eq!(diverged(1, &[ONE; 2], [0x3c00, 0x3c00]), []);
    assert_eq!(diverged(1, &[ONE; 2], [0x3c00, 0x0001_3c00]), [(1, DivergenceKind::Above)]);
    assert_eq!(diverged(1, &[ONE; 2], [0x8000_3c00, 0x3c00]), [(0, DivergenceKind::Above)]);
    assert_eq!(diverged(2, &[ONE; 4], [0x3c00_3c00; 2]), []);
}

/// A lane of two results has one verdict, the worse one. Measured errors are counted for each
/// result.
#[test]
fn a_lane_of_two_results_has_the_worse_verdict() {
    let values = [ONE, Real::Bits(0x7fff), ONE, ONE];
    let verdicts = judged(&real_truths(2, &values), [0x7fff_3c01, 0x4000_3c00]);
    assert_eq!((verdicts.reals, verdicts.special, verdicts.measured.len()), (4, 1, 3));
    let errors: Vec<_> = verdicts.within.iter().map(|(lane, error)| (*lane, error.floor)).collect();
    assert_eq!(errors, [(0, ONE_ULP)], "lane 1 diverged, so its other result is no verdict");
    assert!(matches!(verdicts.of(0), Verdict::Within(error) if error.floor == ONE_ULP));
    assert!(matches!(verdicts.of(1), Verdict::Diverged(one) if one.kind == DivergenceKind::Bound));
    // If both errors of a lane are allowed, the lane gets the greater one, in either order.
    let special = judged(&real_truths(2, &[Real::Bits(1); 4]), [0x0001_0001; 2]);
    assert_eq!((special.reals, special.special, special.of(1)), (4, 4, Verdict::Exact));
    for words in [[0x3c00_3c01; 2], [0x3c01_3c00; 2]] {
        let verdicts = judged(&real_truths(2, &[ONE; 4]), words);
        let errors: Vec<_> = verdicts.within.iter().map(|(lane, error)| (*lane, error.floor)).collect();
        assert_eq!(errors, [(0, ONE_ULP), (1, ONE_ULP)], "{words:?}");
    }
}

#[test]
fn each_lane_has_its_own_verdict() {
    let verdicts = judged(&real_truths(1, &[ONE; 2]), [0x3c00, 0x3c01]);
    for (lane, floor) in [(0, 0), (1, ONE_ULP)] {
        let verdict = verdicts.of(lane);
        assert!(matches!(verdict, Verdict::Within(error) if error.floor == floor), "{verdict:?}");
        assert!(verdict.holds());
    }
    let open = Error { floor: 1, exact: true, correctly_rounded: false };
    let wrong = Verdict::Diverged(Divergence::BEYOND);
    for verdict in [Verdict::Unjudged(open), wrong, Verdict::Undefined(Erratum(49)), Verdict::Unsupported] {
        assert!(!verdict.holds(), "{verdict:?}");
    }
    assert!(Verdict::Exact.holds());
}

/// Right values at another location do not count.
#[test]
fn the_right_values_in_another_place_are_wrong() {
    let elsewhere = effects(&[(Location::R(1), [1, 2], Lanes::All)]);
    let (missing, stray) = (DivergenceKind::NotWritten, DivergenceKind::Unexpected);
    let found = kinds(&elsewhere);
    assert!(found == [(0, missing), (1, missing)] || found == [(0, stray), (1, stray)], "{found:?}");
}

/// An undefined lane may write its destination and other locations that the truth names, and has no
/// other effect.
#[test]
fn an_undefined_lane_has_no_other_effect() {
    let some = |lanes: [bool; 2]| Lanes::Some(lanes.into());
    let (stray, last) = (Location::R(6), some([false, true]));
    let right = (R0, [1, 9], Lanes::All);
    let named = (Location::R(5), [3, 9], Lanes::All);
    let executed = Event::Executed(Action::Nop);
    let fault = Event::Fault(Fault::Misaligned);
    let unexpected = Some((1, DivergenceKind::Unexpected));
    for (columns, events, expected) in [
        (vec![right.clone(), named.clone()], vec![], None),
        (vec![named.clone()], vec![], Some((0, DivergenceKind::NotWritten))),
        (vec![right.clone(), named.clone(), (stray, [0, 0], last)], vec![], unexpected),
        (vec![right.clone(), named.clone()], vec![(1, fault)], Some((1, DivergenceKind::Event))),
        (vec![right, named], vec![(1, executed)], Some((1, DivergenceKind::Event))),
    ] {
        let mut truths = truths();
        truths.bits(Location::R(5), Lanes::All).copy_from_slice(&[3, 4]);
        truths.undefine(1, Erratum(49));
        // Lane 0 has the demanded event.
        truths.event(0, fault);
        let mut effects = effects(&columns);
        effects.event(0, fault);
        events.iter().for_each(|(lane, event)| effects.event(*lane, *event));
        let mut verdicts = Verdicts::default();
        judge(&Contract::BitExact, &add(), &truths, &effects, &mut verdicts);
        let found: Vec<_> = verdicts.diverged.iter().map(|(lane, one)| (*lane, one.kind)).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{columns:?} {events:?}");
    }
}

#[test]
fn events_that_are_the_same_are_no_divergence() {
    let (mut truths, mut effects) = (truths(), effects(&[(R0, [1, 2], Lanes::All)]));
    let fault = Event::Fault(Fault::Misaligned);
    truths.event(0, fault);
    effects.event(0, fault);
    effects.event(1, fault);
    let mut verdicts = Verdicts::default();
    judge(&Contract::BitExact, &add(), &truths, &effects, &mut verdicts);
    let found: Vec<_> = verdicts.diverged.iter().map(|(lane, one)| (*lane, one.kind)).collect();
    assert_eq!(found, [(1, DivergenceKind::Event)]);
}

/// A failure in one lane leaves another lane undefined.
#[test]
fn a_failure_is_of_its_lane_alone() {
    let (mut truths, mut verdicts) = (truths(), Verdicts::default());
    truths.undefine(0, Erratum(49));
    truths.undefine(1, Erratum(49));
    let mut effects = effects(&[(R0, [1, 2], Lanes::All)]);
    effects.event(1, Event::Failed(Failure::Hung));
    judge(&Contract::BitExact, &add(), &truths, &effects, &mut verdicts);
    assert_eq!(verdicts.of(0), Verdict::Undefined(Erratum(49)));
    assert!(matches!(verdicts.of(1), Verdict::Diverged(_)));
}

#[test]
fn names_of_divergences_differ() {
    use DivergenceKind::*;
    let kinds = [
        NotWritten,
        Unexpected,
        Nan,
        NotThatNan,
        ZeroSign,
        Sign,
        Infinity,
        Flush,
        OneUnit,
        Value,
        Bound,
        Range,
        Above,
        Event,
        CalledUndefined,
        Failed(Failure::Hung),
        ReferenceFailed(Failure::Hung),
    ];
    let names: BTreeSet<_> = kinds.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), kinds.len(), "{names:?}");
}

/// Executions that are no cases are judged for failures and for effects other than values. Their
/// values are compared by relations.
#[test]
fn failures_and_effects_are_no_wrong_values() {
    use DivergenceKind::*;
    let values = [Nan, NotThatNan, ZeroSign, Sign, Infinity, Flush, OneUnit, Value, Bound, Range, Above];
    let failed = Failure::ALL.into_iter().flat_map(|failure| [Failed(failure), ReferenceFailed(failure)]);
    let others = [NotWritten, Unexpected, Event, CalledUndefined].into_iter().chain(failed);
    assert!(values.into_iter().all(DivergenceKind::is_of_value));
    assert!(!others.into_iter().any(DivergenceKind::is_of_value));
}
