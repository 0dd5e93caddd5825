//! Tests with exact fractions that every case keeps its promise, and that every class occurs.

use std::collections::BTreeMap;

use assay_isa::format::F32;
use assay_isa::hints::Operation;
use rug::ops::Pow;
use rug::{Float, Integer, Rational};

use super::{HardCase, HardClass, Promise, cases};

const OPTYPES: [&str; 3] = ["FADD", "FMUL", "FFMA"];

fn number(bits: u32) -> Rational {
    Rational::from_f32(f32::from_bits(bits)).expect("a case has finite operands")
}

fn power_of_two(exponent: i32) -> Rational {
    Rational::from(2).pow(exponent)
}

fn exact(optype: &str, case: &HardCase) -> Rational {
    let [a, b, c] = case.operands.map(number);
    match optype {
        "FADD" => a + b,
        "FMUL" => a * b * power_of_two(case.scale),
        _ => a * b + c,
    }
}

/// Returns the exponent of a number's leading bit.
fn leading(x: &Rational) -> i32 {
    Float::with_val_round(2, x, rug::float::Round::Zero).0.get_exp().expect("not zero") - 1
}

/// Returns the exponent of the unit in the last place of a number with `bits` bits. The exponent is
/// not limited by the range of the format, as tininess and overflow require.
fn unit(class: HardClass, x: &Rational, bits: u32) -> i32 {
    let exponent = leading(x);
    let exponent = if class == HardClass::Tininess { exponent } else { exponent.max(F32.emin()) };
    exponent + 1 - bits as i32
}

/// Whether `x` is exactly an integer plus `offset`. If `within` is given: whether the distance of
/// `x` to the nearest such number is not 0, but at most 2^-`within`.
fn is_near(x: &Rational, offset: (i32, i32), within: Option<u32>) -> bool {
    let rest = x - Rational::from(offset);
    let off = (Rational::from(rest.round_ref()) - rest).abs();
    within.map_or(off == 0, |bits| off != 0 && off <= power_of_two(-(bits as i32)))
}

fn keeps_its_promise(optype: &str, case: &HardCase) -> bool {
    let exact = exact(optype, case).abs();
    if exact == 0 {
        return case.promise == Promise::Number && case.class == HardClass::Zero;
    }
    let in_units = &exact / power_of_two(unit(case.class, &exact, F32.precision()));
    match case.promise {
        Promise::Number => is_near(&in_units, (0, 1), None) && case.class != HardClass::Zero,
        Promise::Tie => is_near(&in_units, (1, 2), None),
        Promise::NearNumber(bits) => is_near(&in_units, (0, 1), Some(bits)),
        Promise::NearTie(bits) => is_near(&in_units, (1, 2), Some(bits)),
        Promise::Leaves(bits) => {
            let odd = exact.numer().clone() >> exact.numer().find_one(0).expect("not zero");
            odd.significant_bits() == bits && is_near(&in_units, (0, 1), None)
        }
    }
}

/// Returns the number rounded to `bits` bits: to nearest, ties to even.
fn rounded(class: HardClass, x: &Rational, bits: u32) -> Rational {
    let unit = power_of_two(unit(class, x, bits));
    let in_units = Rational::from(x / &unit);
    let floor = Integer::from(in_units.floor_ref());
    let twice = (in_units - &floor) * 2_u32;
    let up = twice > 1 || (twice == 1 && floor.is_odd());
    Rational::from(floor + u32::from(up)) * unit
}

/// Whether an intermediate rounding to this number of bits changes the result of round-to-nearest.
fn is_spoilt_by(optype: &str, case: &HardCase, bits: u32) -> bool {
    let exact = exact(optype, case).abs();
    let of = |x: &Rational| rounded(case.class, x, F32.precision());
    of(&rounded(case.class, &exact, bits)) != of(&exact)
}

/// The operation of an optype.
fn operation(optype: &str) -> Operation {
    let row = assay_isa::catalog().optype_named(optype).expect("an optype of the tables");
    row.hints.operation().expect("a sum or a product of floats")
}

#[test]
fn every_case_keeps_its_promise() {
    for optype in OPTYPES {
        for case in cases(operation(optype)) {
            assert!(keeps_its_promise(optype, &case), "{optype} {case:x?}: {}", exact(optype, &case));
        }
    }
}

#[test]
fn double_rounding_spoils_what_is_said_to_be_spoilt() {
    for optype in OPTYPES {
        for case in cases(operation(optype)) {
            let spoilt = match case.class {
                HardClass::Through25 => is_spoilt_by(optype, &case, 25),
                HardClass::Through53 => is_spoilt_by(optype, &case, 53) && is_spoilt_by(optype, &case, 25),
                HardClass::BrokenTie => !is_spoilt_by(optype, &case, 53),
                _ => true,
            };
            assert!(spoilt, "{optype} {case:x?}");
        }
    }
}

#[test]
fn every_class_is_there() {
    use HardClass::*;
    let all = [
        Sticky,
        Tie,
        BrokenTie,
        Through25,
        Through53,
        Mended,
        Carry,
        Renormalized,
        Cancellation,
        Zero,
        Overflow,
        Tininess,
        Underflow,
    ];
    let without: BTreeMap<&str, &[HardClass]> = BTreeMap::from([
        // A sum of two numbers near a tie has all its bits in an f64. A sum below the least normal
        // number is exact.
        ("FADD", &[Through53, Mended, Renormalized, Underflow][..]),
        ("FMUL", &[Through53, Mended, Renormalized, Cancellation, Zero][..]),
        ("FFMA", &[][..]),
    ]);
    for optype in OPTYPES {
        let mut counts: BTreeMap<HardClass, u32> = BTreeMap::new();
        cases(operation(optype)).for_each(|case| *counts.entry(case.class).or_default() += 1);
        eprintln!("{optype} {}: {counts:?}", counts.values().sum::<u32>());
        for class in all {
            assert_ne!(counts.contains_key(&class), without[optype].contains(&class), "{optype} {class:?}");
        }
    }
}
