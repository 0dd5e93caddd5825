//! Compares every enclosure with a reference that computes the functions by series of big integers,
//! without MPFR.

use std::cmp::Ordering;

use assay_isa::enumeration::Modifier;
use assay_isa::format::{BF16, F16, F32, F64_HIGH, Format};
use assay_isa::tables::types::MUFUOp;
use assay_isa::truth::Enclosure;
use assay_isa::{Readings, Real};
use proptest::prelude::*;
use rug::ops::Pow;
use rug::{Integer, Rational};

use super::{column, mufu, power};
use crate::MpfrOracle;
use crate::tests::cases::pattern;
use crate::tests::mufu::functions::{Value, number, value};
use crate::tests::{instruction, readings};

/// F32 patterns at which a function is exact, changes its course, or nearly has a special value.
const LANDMARKS: [u32; 30] = [
    0x0000_0001,
    0x0000_0003,
    0x0040_0000,
    0x007f_ffff,
    0x0080_0000,
    0x3300_0000,
    0x3380_0001,
    0x3c80_0000,
    0x3d80_0000,
    0x3e00_0000,
    0x3e80_0000,
    0x3f00_0000,
    0x3f40_0000,
    0x3f7f_ffff,
    0x3f80_0000,
    0x3f80_0001,
    0x3fc9_0fdb,
    0x4000_0000,
    0x4040_0000,
    0x4049_0fdb,
    0x4080_0000,
    0x40a0_0000,
    0x4110_0000,
    0x427f_ffff,
    0x4280_0000,
    0x42fe_0000,
    0x4316_0001,
    0x4b00_0001,
    0x7f00_0000,
    0x7f7f_ffff,
];

/// Returns whether 2^x is too large or too small to write as a fraction. `powers_far_out` tests
/// these.
fn is_far(function: MUFUOp, x: &Rational) -> bool {
    function == MUFUOp::EX2 && x.clone().abs() > 2048
}

/// Compares the oracle's answer for one number with the reference.
fn hold(function: MUFUOp, turns: bool, x: &Rational, real: Real, precision: u32) {
    let value = value(function, turns, x);
    let near = match real {
        Real::Near(near) => near,
        Real::Zero | Real::SignedZero { .. } => {
            return assert!(value.compare(&Rational::new()).is_eq(), "{function:?} {x} is not 0");
        }
        Real::Bits(row) => panic!("{function:?} {x} is no special value, yet {row:#x}"),
    };
    assert!(encloses(near, &value, precision), "{near:?} does not enclose {function:?} {x}: {value:?}");
}

/// Returns whether an enclosure m·2^e is right: exactly the value, or m·2^e below and (m + 1)·2^e
/// above the value.
fn encloses(near: Enclosure, value: &Value, precision: u32) -> bool {
    let unit = Rational::from(2).pow(near.exponent);
    let low = Rational::from(&unit * Integer::from(near.significand));
    let high = Rational::from(&low + &unit);
    let expected = if near.exact { Ordering::Equal } else { Ordering::Greater };
    128 - near.significand.leading_zeros() == precision
        && near.negative == value.negative
        && value.compare(&low) == expected
        && value.compare(&high) == Ordering::Less
}

/// Returns whether a pattern is a number at which the function has a value, and no special row.
fn has_value(function: MUFUOp, format: Format, bits: u32) -> bool {
    let positive = [MUFUOp::LG2, MUFUOp::RSQ, MUFUOp::SQRT].contains(&function);
    format.is_finite(bits)
        && bits & !format.sign_mask() != 0
        && !(positive && format.is_negative(bits))
        && !(format == F64_HIGH && format.is_subnormal(bits))
}

/// Compares one function of a format with the reference, at those patterns where it has a value.
fn hold_all(function: MUFUOp, format: Format, turns: bool, precision: u32, patterns: &[u32]) {
    let suffixes = format!("MUFU_R.{}.{}", MUFUOp::ENUM.values[function as usize], format.name);
    let mut oracle = MpfrOracle::new(readings(&[if turns { "E035=2" } else { "E035=1" }]));
    let patterns: Vec<u32> =
        patterns.iter().copied().filter(|bits| has_value(function, format, *bits)).collect();
    if patterns.is_empty() {
        return;
    }
    let column = column(&mut oracle, &instruction(&suffixes), precision, &patterns);
    for (bits, real) in patterns.iter().zip(column.values) {
        let x = number(format, *bits);
        if !is_far(function, &x) {
            hold(function, turns, &x, real, precision);
        }
    }
}

/// Returns the functions of F32. Sine and cosine occur twice, with radians and with turns.
fn functions() -> impl Iterator<Item = (MUFUOp, bool)> {
    let all = (0..8).map(MUFUOp::from_index);
    all.flat_map(|function| {
        let circular = matches!(function, MUFUOp::SIN | MUFUOp::COS);
        [(function, false), (function, true)].into_iter().take(1 + usize::from(circular))
    })
}

#[test]
fn at_landmarks_to_any_precision() {
    let patterns: Vec<u32> = LANDMARKS.iter().flat_map(|bits| [*bits, bits | 1 << 31]).collect();
    for (function, turns) in functions() {
        for precision in [1, 2, 24, 63, 64, 65, 96, 120] {
            hold_all(function, F32, turns, precision, &patterns);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn of_f32(precision in 1u32..=120, patterns in prop::collection::vec(pattern(), 4)) {
        for (function, turns) in functions() {
            hold_all(function, F32, turns, precision, &patterns);
        }
    }

    #[test]
    fn of_f64(precision in 1u32..=120, patterns in prop::collection::vec(any::<u32>(), 16)) {
        for function in [MUFUOp::RCP, MUFUOp::RSQ] {
            hold_all(function, F64_HIGH, false, precision, &patterns);
        }
    }
}

/// Tests every argument of the 16-bit formats. The test fills the table that keeps the values, and
/// reads it again.
#[test]
fn of_every_argument_of_16_bits() {
    for format in [F16, BF16] {
        for function in [MUFUOp::EX2, MUFUOp::TANH] {
            hold_all(function, format, false, 96, &(0..=u32::from(u16::MAX)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn kept_values_are_those_of_their_function_format_and_precision() {
    let mut oracle = MpfrOracle::default();
    let mut ask = |suffixes: &str, precision| {
        column(&mut oracle, &instruction(&format!("MUFU_R.{suffixes}")), precision, &[0x4000]).values[0]
    };
    for precision in [64, 96] {
        for _ in 0..2 {
            assert_eq!(ask("EX2.F16", precision), power(false, 2, precision));
            assert_eq!(ask("EX2.BF16", precision), power(false, 2, precision));
            for (suffixes, format) in [("TANH.F16", F16), ("TANH.BF16", BF16)] {
                hold(MUFUOp::TANH, false, &number(format, 0x4000), ask(suffixes, precision), precision);
            }
        }
    }
    assert_eq!(ask("EX2.F16", 120), ask("EX2.F16", 200), "no more than 120 bits are ever given");
    assert_eq!(size_of::<Option<Real>>(), 32, "a table is 2 MiB");
}

#[test]
fn exact_cases() {
    for (suffixes, input, expected) in [
        ("EX2.F32", 0x4040_0000, power(false, 3, 96)),
        ("EX2.F32", 0xc316_0000, power(false, -150, 96)),
        ("EX2.BF16", 0xc306, power(false, -134, 96)),
        ("LG2.F32", 0x4180_0000, power(false, 2, 96)),
        ("LG2.F32", 0x3e80_0000, power(true, 1, 96)),
        ("LG2.F32", 0x0020_0000, power(true, 7, 96)),
        ("LG2.F32", 0x3f80_0000, Real::Zero),
        ("RCP.F32", 0xc080_0000, power(true, -2, 96)),
        ("RSQ.F32", 0x4180_0000, power(false, -2, 96)),
        ("RSQ.F64", 0x4010_0000, power(false, -1, 96)),
        ("SQRT.F32", 0x0000_0002, power(false, -74, 96)),
        ("COS.F32", 0x3f00_0000, power(true, 0, 96)),
        ("SIN.F32", 0xbe80_0000, power(true, 0, 96)),
    ] {
        assert_eq!(
            mufu(&readings(&["E035=2"]), suffixes, &[input]).values,
            [expected],
            "{suffixes} {input:#x}"
        );
    }
    for (suffixes, input) in [("COS.F32", 0x3e00_0000), ("SIN.F32", 0x3e00_0000), ("RSQ.F32", 0x4000_0000)] {
        let inexact = mufu(&readings(&["E035=2"]), suffixes, &[input]);
        assert!(matches!(inexact.values[0], Real::Near(near) if !near.exact), "{suffixes}");
    }
}

/// Tests 2^x far beyond every format. The result must be a power of two on the right side of 1,
/// with a limited exponent.
#[test]
fn powers_far_out() {
    let far = |suffixes: &str, input| match mufu(&Readings::INTENDED, suffixes, &[input]).values[0] {
        Real::Near(near) => near,
        real => panic!("{real:?} is not far out"),
    };
    for (suffixes, input) in [
        ("EX2.F32", 0x4b80_0000),
        ("EX2.F32", 0x4b7f_ffff),
        ("EX2.F32", 0x7149_f2ca),
        ("EX2.F32", 0x7f7f_ffff),
        ("EX2.BF16", 0x7f7f),
    ] {
        let negative = if suffixes.ends_with("BF16") { input | 0x8000 } else { input | 0x8000_0000 };
        let (up, down) = (far(suffixes, input), far(suffixes, negative));
        for near in [up, down] {
            assert_eq!((near.negative, near.significand, near.exact), (false, 1 << 95, true), "{input:#x}");
        }
        assert!(up.exponent > 1 << 23 && down.exponent < -(1 << 23), "{up:?} {down:?}");
    }
    // A less extreme result is computed in full: 2^(2^23 - 1/2).
    let near = far("EX2.F32", 0x4aff_ffff);
    let root = far("EX2.F32", 0x3f00_0000);
    assert_eq!((near.significand, near.exponent), (root.significand, root.exponent + (1 << 23) - 1));
    assert!(!near.exact);
}

/// Tests tanh x where it nearly is 1, and the sine and cosine of the largest numbers.
#[test]
fn next_to_one_and_far_round() {
    for input in [0x4280_0000, 0x427f_ffff, 0x7f7f_ffff] {
        for (sign, negative) in [(0, false), (1 << 31, true)] {
            let ones = Enclosure { negative, significand: (1 << 96) - 1, exponent: -96, exact: false };
            let column = mufu(&Readings::INTENDED, "TANH.F32", &[input | sign]);
            assert_eq!(column.values, [Real::Near(ones)], "{input:#x}");
        }
    }
    hold_all(MUFUOp::SIN, F32, false, 120, &[0x7f7f_ffff, 0x7f00_0000, 0xff7f_fffe]);
    hold_all(MUFUOp::COS, F32, false, 120, &[0x7f7f_ffff, 0x7f00_0000, 0xff7f_fffe]);
}
