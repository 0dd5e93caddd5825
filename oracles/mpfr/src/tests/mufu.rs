//! MUFU.RCP: special rows, what the column says of the format, and enclosures multiplied back.

use assay_isa::format::{F32, F64_HIGH, Format};
use assay_isa::truth::{Enclosure, TruthValues};
use assay_isa::{Answer, Location, Oracle, Readings, Real, Truths};
use proptest::prelude::*;
use rug::ops::Pow;
use rug::{Integer, Rational};

use super::{ask, batch, check, instruction, readings};
use crate::MpfrOracle;

/// Format, flush and saturate of the column, and the truth of its only lane.
fn real(readings: &Readings, text: &str, precision: u32, input: u32) -> (Format, bool, bool, Real) {
    let mut truths = Truths::default();
    let batch = batch(&[(Location::R(1), &[input])]);
    let answer = MpfrOracle::new(*readings).truth(&instruction(text), &batch, precision, &mut truths);
    assert_eq!(answer.unwrap(), Answer::Known);
    match &truths.columns()[0].values {
        TruthValues::Reals { format, flush, saturate, values } => (*format, *flush, *saturate, values[0]),
        TruthValues::Bits(_) => panic!("MUFU approximates real numbers"),
    }
}

#[test]
fn special_rows() {
    check(
        &Readings::INTENDED,
        &[
            ("MUFU_R.RCP.F32", &[0xff80_0000], 0x8000_0000),
            ("MUFU_R.RCP.F32", &[0x8000_0000], 0xff80_0000),
            ("MUFU_R.RCP.F32", &[0x0000_0000], 0x7f80_0000),
            ("MUFU_R.RCP.F32", &[0x7f80_0000], 0x0000_0000),
            ("MUFU_R.RCP.F32", &[0x7f80_0001], 0x7fff_ffff),
            ("MUFU_R.RCP.F32.SAT", &[0xff80_0000], 0),
            ("MUFU_R.RCP.F32.SAT", &[0x8000_0000], 0),
            ("MUFU_R.RCP.F32.SAT", &[0x0000_0000], 0x3f80_0000),
            ("MUFU_R.RCP.F32.SAT", &[0x7f80_0000], 0),
            ("MUFU_R.RCP.F32.SAT", &[0x7fc0_0000], 0),
            ("MUFU_R.RCP.F64", &[0xfff0_0000], 0x8000_0000),
            ("MUFU_R.RCP.F64", &[0x800f_ffff], 0xfff0_0000),
            ("MUFU_R.RCP.F64", &[0x8000_0000], 0xfff0_0000),
            ("MUFU_R.RCP.F64", &[0x0000_0000], 0x7ff0_0000),
            ("MUFU_R.RCP.F64", &[0x0000_0001], 0x7ff0_0000),
            ("MUFU_R.RCP.F64", &[0x7ff0_0000], 0x0000_0000),
            ("MUFU_R.RCP.F64", &[0xfff0_0001], 0x7fff_ffff),
        ],
    );
}

#[test]
fn e042_subnormals_of_f32() {
    let honoured = readings(&["E042=1"]);
    let (format, flush, saturate, near) = real(&honoured, "MUFU_R.RCP.F32", 30, 0x8040_0000);
    assert_eq!((format, flush, saturate), (F32, false, false));
    let expected = Enclosure { negative: true, significand: 1 << 29, exponent: 127 - 29, exact: true };
    assert_eq!(near, Real::Near(expected));

    let flushed = readings(&["E042=2"]);
    let (_, flush, _, row) = real(&flushed, "MUFU_R.RCP.F32", 30, 0x8040_0000);
    assert_eq!((flush, row), (true, Real::Bits(0xff80_0000)));
    // A subnormal result is left to the judge, who is told to flush it.
    let (_, flush, _, near) = real(&flushed, "MUFU_R.RCP.F32", 30, 0x7f00_0000);
    let expected = Enclosure { negative: false, significand: 1 << 29, exponent: -127 - 29, exact: true };
    assert_eq!((flush, near), (true, Real::Near(expected)));
    check(&flushed, &[("MUFU_R.RCP.F32.SAT", &[0x0040_0000], 0x3f80_0000)]);
}

#[test]
fn a_third_to_eight_bits() {
    let (_, _, saturate, near) = real(&Readings::INTENDED, "MUFU_R.RCP.F32.SAT", 8, 0x4040_0000);
    let expected = Enclosure { negative: false, significand: 0b1010_1010, exponent: -9, exact: false };
    assert_eq!((saturate, near), (true, Real::Near(expected)));
}

#[test]
fn f64_always_flushes_and_never_saturates() {
    for settings in [&["E042=1"], &["E042=2"]] {
        let (format, flush, saturate, near) = real(&readings(settings), "MUFU_R.RCP.F64", 21, 0xc000_0000);
        let expected = Enclosure { negative: true, significand: 1 << 20, exponent: -21, exact: true };
        assert_eq!((format, flush, saturate, near), (F64_HIGH, true, false, Real::Near(expected)));
    }
}

#[test]
fn literals_and_prefixes() {
    let mut literal = instruction("MUFU_I.RCP.F32");
    literal.set("vb", 0xff80_0000);
    let (answer, truths) = ask(&Readings::INTENDED, &literal, &[]);
    assert_eq!(answer, Answer::Known);
    assert!(matches!(&truths.columns()[0].values,
        TruthValues::Reals { values, .. } if values == &[Real::Bits(0x8000_0000)]));
    let mut negated = instruction("MUFU_R.RCP.F64");
    negated.set("rb.neg", 1);
    let (_, truths) = ask(&Readings::INTENDED, &negated, &[0]);
    assert!(matches!(&truths.columns()[0].values,
        TruthValues::Reals { values, .. } if values == &[Real::Bits(0xfff0_0000)]));
}

#[test]
fn the_other_pairs_are_unsupported() {
    for text in ["RSQ.F32", "RSQ.F64", "SQRT.F32", "EX2.F16", "TANH.BF16_V2", "SIN.F32", "COS.F32", "LG2.F32"]
    {
        let (answer, truths) = ask(&Readings::INTENDED, &instruction(&format!("MUFU_R.{text}")), &[0]);
        assert_eq!((answer, truths.columns().len()), (Answer::Unsupported, 0), "{text}");
    }
}

/// Holds an enclosure against x: m·2^e·|x| <= 1 < (m + 1)·2^e·|x|, the first an equality if exact.
fn multiplies_back(near: Enclosure, x: f64, precision: u32) {
    let bits = 128 - near.significand.leading_zeros();
    assert_eq!(bits, precision, "the top bit of the precision is set");
    assert_eq!(near.negative, x < 0.0);
    let unit = Rational::from(2).pow(near.exponent) * Rational::from_f64(x.abs()).unwrap();
    let low = Rational::from(&unit * Integer::from(near.significand));
    let high = Rational::from(&low + &unit);
    assert_eq!(low == 1, near.exact, "{near:?} of {x:e}");
    assert!(low <= 1 && high > 1, "{near:?} does not enclose 1/{x:e}");
}

proptest! {
    #[test]
    fn enclosures_of_f32_hold(bits: u32, precision in 1u32..=120) {
        let x = f32::from_bits(bits);
        prop_assume!(x != 0.0 && x.is_finite());
        match real(&Readings::INTENDED, "MUFU_R.RCP.F32", precision, bits).3 {
            Real::Near(near) => multiplies_back(near, f64::from(x), precision),
            Real::Bits(row) => prop_assert!(false, "{x:e} is no special value, yet {row:#x}"),
        }
    }

    #[test]
    fn enclosures_of_f64_hold(bits: u32, precision in 1u32..=120) {
        let x = f64::from_bits(u64::from(bits) << 32);
        prop_assume!(x.is_normal());
        match real(&Readings::INTENDED, "MUFU_R.RCP.F64", precision, bits).3 {
            Real::Near(near) => multiplies_back(near, x, precision),
            Real::Bits(row) => prop_assert!(false, "{x:e} is no special value, yet {row:#x}"),
        }
    }
}

#[test]
fn powers_of_two_and_subnormals_enclose() {
    for bits in [1, 0x8000_0003, 0x007f_ffff, 0x0080_0000, 0x7f7f_ffff, 0xff00_0000, 0x3f80_0000] {
        for precision in [1, 24, 64, 65, 120] {
            let Real::Near(near) = real(&Readings::INTENDED, "MUFU_R.RCP.F32", precision, bits).3 else {
                panic!("{bits:#x} is no special value");
            };
            multiplies_back(near, f64::from(f32::from_bits(bits)), precision);
        }
    }
}
