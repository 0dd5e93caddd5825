//! The listed values compared with the judge: every pattern of 16 bits, and packed words around the edges.

use assay_isa::effect::{Action, Lanes};
use assay_isa::format::{F16, F32};
use assay_isa::truth::{Enclosure, Truth};
use assay_isa::{Effects, Instruction, Location, asm};
use assay_vectors::{Bound, Clauses};

use super::*;
use crate::compare::judge::{Verdicts, judge};

const R0: Location = Location::R(0);

/// ±significand · 2^exponent.
fn near(negative: bool, significand: u128, exponent: i32, exact: bool) -> Real {
    Real::Near(Enclosure { negative, significand, exponent, exact })
}

/// Returns truths of F16 at which the results of rounding, flushing and clamping change.
fn numbers() -> Vec<Real> {
    let zeros = [false, true].map(|negative| Real::SignedZero { negative });
    let mut list =
        vec![zeros[0], zeros[1], Real::Zero, Real::Bits(0x7fff), Real::Bits(0x8000), Real::Bits(0x3c00)];
    for negative in [false, true] {
        // Numbers slightly above, at and below 1, at the border of the normal numbers, among the
        // subnormal numbers, and at and beyond the greatest number.
        list.push(near(negative, (1 << 42) + (1 << 32) / 3, -42, false));
        list.extend(
            [(1, 0), (4095, -12), (4095, -26), (4097, -26), (1, -14), (3, -24), (1, -25), (1, -30)]
                .map(|(significand, exponent)| near(negative, significand, exponent, true)),
        );
        list.extend([(4095, 4), (8191, 3), (1, 16), (1, 20)].map(|(m, e)| near(negative, m, e, true)));
    }
    list
}

fn bounded(bound: &str) -> Contract {
    let bounds = [bound.parse::<Bound>().expect(bound)].into();
    Contract::Bounded { bounds, clauses: Clauses::default() }
}

/// An instruction with results of the tested format.
fn instruction() -> Instruction {
    asm::parse("MUFU.TANH.F16_V2 R0, R1").expect("an instruction")
}

fn contracts() -> Vec<Contract> {
    let bounds = ["0.25 ulp", "2.5 ulp", "absolute 2^-5", "relative 2^-9"];
    bounds.into_iter().map(bounded).chain([Contract::BitExact]).collect()
}

fn truths(packed: usize, flush: bool, saturate: bool, values: Vec<Real>) -> Truths {
    let mut truths = Truths::default();
    truths.reset(values.len() / packed);
    let arguments = vec![F16.one(); values.len()];
    let values = TruthValues::Reals { format: F16, packed, flush, saturate, arguments, values };
    truths.push(Truth { location: R0, values, written: Lanes::All });
    truths
}

/// Returns whether the judge accepts each word. The truth is the same for all words.
fn pass(
    contract: &Contract,
    packed: usize,
    [flush, saturate]: [bool; 2],
    real: &[Real],
    words: &[u32],
) -> Vec<bool> {
    let values = real.iter().copied().cycle().take(words.len() * packed).collect();
    let truths = truths(packed, flush, saturate, values);
    let mut effects = Effects::default();
    effects.reset(words.len());
    effects.write(R0, Lanes::All).copy_from_slice(words);
    let mut verdicts = Verdicts::default();
    judge(contract, &instruction(), &truths, &effects, &mut verdicts);
    let mut pass = vec![true; words.len()];
    verdicts.diverged.iter().for_each(|(lane, _)| pass[*lane] = false);
    pass
}

fn listed(
    contract: &Contract,
    packed: usize,
    [flush, saturate]: [bool; 2],
    real: &[Real],
) -> Option<Allowed> {
    let expected = allowed(contract, &truths(packed, flush, saturate, real.to_vec()), 0)?;
    Some(expected.0[&R0].clone())
}

const MODES: [[bool; 2]; 3] = [[false, false], [true, false], [false, true]];

#[test]
fn of_sixteen_bits_just_those_are_listed_that_pass() {
    let words: Vec<u32> = (0..1 << 16).collect();
    for contract in contracts() {
        for mode in MODES {
            for real in numbers() {
                let passes = pass(&contract, 1, mode, &[real], &words);
                match listed(&contract, 1, mode, &[real]) {
                    Some(list) => {
                        let wrong =
                            words.iter().find(|word| list.contains(**word) != passes[**word as usize]);
                        assert_eq!(wrong, None, "{contract}, {mode:?}, {real:?}: {list:?}");
                    }
                    None => {
                        assert!(!passes.contains(&true), "{contract}, {mode:?}, {real:?}: some value passes")
                    }
                }
            }
        }
    }
}

/// The judge accepts a pair if and only if the pair is listed. Tests pairs of the values that are
/// listed for each half, and of their neighbours.
#[test]
fn of_pairs_just_those_are_listed_that_pass() {
    let contract = bounded("1 ulp");
    let reals = numbers();
    for mode in MODES {
        for (place, low) in reals.iter().enumerate() {
            let high = &reals[(place * 5 + 3) % reals.len()];
            let pair = [*low, *high];
            let Some(list) = listed(&contract, 2, mode, &pair) else { continue };
            let near = |real: &Real| -> Vec<u32> {
                let Some(list) = listed(&contract, 1, mode, &[*real]) else { return vec![0] };
                let ends = list.as_spans().iter().flat_map(|span| {
                    [
                        span.low.wrapping_sub(1),
                        span.low,
                        span.low + 1,
                        span.high.wrapping_sub(1),
                        span.high,
                        span.high + 1,
                    ]
                });
                ends.map(|bits| bits & 0xffff).chain([0, 0x8000, 0x3c00]).collect()
            };
            let (lows, highs) = (near(low), near(high));
            let words: Vec<u32> =
                lows.iter().flat_map(|low| highs.iter().map(move |high| low | high << 16)).collect();
            for (word, passes) in words.iter().zip(pass(&contract, 2, mode, &pair, &words)) {
                assert_eq!(list.contains(*word), passes, "{mode:?}, {pair:?}: {word:#010x} of {list:?}");
            }
        }
    }
}

#[test]
fn so_many_spans_are_listed_and_no_more() {
    // A value between two numbers: 32 numbers of the format lie within 15.5 ulp of it, 33 within 16.
    let between = near(false, (1 << 11) + 65, -11, true);
    let on = near(false, (1 << 10) + 32, -10, true);
    let one = Real::Bits(0x3c01);
    let many = listed(&bounded("15.5 ulp"), 2, [false; 2], &[one, between]).expect("a list");
    assert_eq!(many.as_spans().len(), 32);
    assert_eq!(listed(&bounded("16 ulp"), 2, [false; 2], &[one, on]), None);
    // In the low half, the allowed numbers are one span.
    assert_eq!(listed(&bounded("16 ulp"), 2, [false; 2], &[on, one]).expect("a list").as_spans().len(), 1);
}

#[test]
fn what_is_not_judged_is_not_listed_but_for_rows() {
    let open = bounded("1 ulp on [2, 3]");
    assert_eq!(listed(&open, 1, [false; 2], &[near(false, 1, 0, true)]), None);
    assert_eq!(listed(&open, 1, [false; 2], &[Real::Bits(0x7fff)]), Some(Allowed::one(0x7fff)));
}

#[test]
fn a_lane_has_its_own_expectation() {
    let mut truths = Truths::default();
    truths.reset(3);
    truths.bits(R0, Lanes::All).copy_from_slice(&[1, 2, 3]);
    truths.bits(Location::P(0), Lanes::Some([true, false, true].into())).fill(1);
    truths.undefine(1, Erratum(49));
    truths.event(2, Event::Executed(Action::Trigger(7)));
    let expected = |writes: &[(Location, u32)]| {
        Expected(writes.iter().map(|(location, value)| (*location, Allowed::one(*value))).collect())
    };
    let of = |lane| Expectation::of(&Contract::BitExact, &truths, lane);
    assert_eq!(of(0), Expectation::Effect(expected(&[(R0, 1), (Location::P(0), 1)]), None));
    assert_eq!(of(1), Expectation::Undefined(Erratum(49)));
    let event = Some(Event::Executed(Action::Trigger(7)));
    assert_eq!(of(2), Expectation::Effect(expected(&[(R0, 3), (Location::P(0), 1)]), event));
    assert_eq!(allowed(&Contract::BitExact, &truths, 1), Some(expected(&[(R0, 2)])));
    // A result that no bound covers is not listed. F32 has one result per register.
    let open = bounded("1 ulp on [2, 3]");
    let values = TruthValues::Reals {
        format: F32,
        packed: 1,
        flush: false,
        saturate: false,
        arguments: vec![F32.one()],
        values: vec![near(false, 1, 0, true)],
    };
    let mut truths = Truths::default();
    truths.reset(1);
    truths.push(Truth { location: R0, values, written: Lanes::All });
    assert_eq!(Expectation::of(&open, &truths, 0), Expectation::Unlisted);
}

/// Each packed result has the same allowed values as if it were alone in a word, and the bound of
/// its own argument.
#[test]
fn results_are_listed_one_by_one() {
    let numbers = numbers();
    for (contract, (low, high)) in contracts()
        .iter()
        .flat_map(|contract| numbers.iter().zip(&numbers[1..]).map(move |two| (contract, two)))
    {
        let alone = |real: &Real| {
            let truths = truths(1, true, false, vec![*real]);
            allowed(contract, &truths, 0).map(|expected| expected.0[&R0].clone())
        };
        let truths = truths(2, true, false, vec![*low, *high]);
        let results = allowed_results(contract, &truths.columns()[0], 0);
        let shifts: Vec<u32> = results.iter().map(|result| result.shift).collect();
        assert_eq!(shifts, [0, 16]);
        for (result, real) in results.iter().zip([low, high]) {
            assert_eq!(result.values, alone(real), "{contract} {real:?}");
            assert_eq!((result.format, result.bound.is_some()), (F16, *contract != Contract::BitExact));
        }
    }
}
