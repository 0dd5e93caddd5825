//! Tests MUFU.F32 by CORE-MATH and RSQ.F64 by integers: the special values of the specification,
//! the settings of the errata, the host's double functions, and exact results.

use crate::support::{EDGES, batch, instruction, on, readings};
use assay_crosscheck::CoreMath;
use assay_isa::{Answer, Effects, EncodingTable, Instruction, Location, Subject};

const INF: u32 = 0x7f80_0000;
const NEG: u32 = 0x8000_0000;
const ONE: u32 = 0x3f80_0000;
const QNAN: u32 = 0x7fff_ffff;

fn implementation(settings: &[(u16, u8)]) -> CoreMath {
    CoreMath::new(EncodingTable::provisional().clone(), readings(settings))
}

fn mufu(function: &str, dtype: &str, sat: &str) -> Instruction {
    instruction("MUFU_R", &[], &[("mufuop", function), ("dtype", dtype), ("sat", sat)])
}

/// Returns a function of F32 at one operand.
fn f32_of(settings: &[(u16, u8)], function: &str, x: u32) -> u32 {
    on(&mut implementation(settings), &mufu(function, "F32", "NoSAT"), &[x])
        .expect("the implementation knows F32")
}

/// Returns the results for many inputs, computed in one batch.
fn all_of(settings: &[(u16, u8)], instruction: &Instruction, inputs: &[u32]) -> Vec<u32> {
    let batch = batch(instruction, &[(Location::R(1), inputs.to_vec())]);
    let mut effects = Effects::default();
    assert_eq!(implementation(settings).execute(&batch, &mut effects).unwrap(), Answer::Known);
    effects.columns()[0].values.clone()
}

/// The function, and its results at +Inf, -Inf, +0, -0 and a NaN. Then come its results at -2 and
/// at the largest negative subnormal number, where these results are special values or plain
/// powers.
type Rows = (&'static str, [u32; 5], Option<[u32; 2]>);

#[test]
fn rows_of_f32() {
    const NAN: u32 = QNAN;
    let operands = [INF, INF | NEG, 0, NEG, 0xff80_0001, 0xc000_0000, 0x807f_ffff];
    let rows: [Rows; 8] = [
        ("COS", [NAN, NAN, ONE, ONE, NAN], None),
        ("SIN", [NAN, NAN, 0, NEG, NAN], None),
        ("EX2", [INF, 0, ONE, ONE, NAN], Some([0x3e80_0000, ONE])),
        ("LG2", [INF, NAN, INF | NEG, INF | NEG, NAN], Some([NAN; 2])),
        ("RCP", [0, NEG, INF, INF | NEG, NAN], None),
        ("RSQ", [0, NAN, INF, INF | NEG, NAN], Some([NAN; 2])),
        ("SQRT", [INF, NAN, 0, NEG, NAN], Some([NAN; 2])),
        ("TANH", [ONE, ONE | NEG, 0, NEG, NAN], None),
    ];
    for (function, special, negative) in rows {
        let expected = special.into_iter().chain(negative.into_iter().flatten());
        for (x, y) in operands.into_iter().zip(expected) {
            assert_eq!(f32_of(&[], function, x), y, "{function} {x:08x}");
            let clamped = match y {
                INF | ONE => ONE,
                0x3e80_0000 => y,
                _ => 0,
            };
            let saturated = on(&mut implementation(&[]), &mufu(function, "F32", "SAT"), &[x]);
            assert_eq!(saturated, Ok(clamped), "{function}.SAT {x:08x}");
        }
    }
}

/// The function, the operand, and the result under each setting. Setting 1 comes first.
type Witness = (&'static str, u32, &'static [u32]);

#[test]
fn settings_that_are_followed() {
    let witnesses: [(u16, &[Witness]); 5] = [
        (33, &[("COS", ONE, &[0x3f57_6aa4, 0x3f0a_5140]), ("SIN", NEG, &[ONE, NEG])]),
        (34, &[("COS", NEG, &[NEG, ONE]), ("COS", 0, &[0, ONE]), ("SIN", NEG, &[NEG; 2])]),
        (
            35,
            &[
                ("SIN", 0x3e80_0000, &[0x3e7d_5777, ONE]),
                ("COS", 0x3f00_0000, &[0x3f60_a940, ONE | NEG]),
                ("COS", 0x3e00_0000, &[0x3f7e_00ab, 0x3f35_04f3]),
            ],
        ),
        (36, &[("SQRT", 0xbf80_0000, &[u32::MAX, QNAN]), ("SIN", INF, &[u32::MAX, QNAN])]),
        (
            42,
            &[
                ("RSQ", 0x8000_0001, &[QNAN, INF | NEG, INF | NEG]),
                ("SQRT", 0x8000_0001, &[QNAN, NEG, NEG]),
                ("LG2", 1, &[0xc315_0000, INF | NEG, INF | NEG]),
                ("EX2", 0xc302_0000, &[0x0008_0000, 0, 0]),
                ("SIN", 0x8000_0001, &[0x8000_0001, NEG, NEG]),
                ("TANH", 0x8040_0001, &[0x8040_0001; 3]),
            ],
        ),
    ];
    for (erratum, rows) in witnesses {
        for (function, x, results) in rows {
            for (setting, expected) in (1..).zip(*results) {
                let y = f32_of(&[(erratum, setting)], function, *x);
                assert_eq!(y, *expected, "E{erratum:03}={setting} {function} {x:08x}");
            }
        }
    }
    // E034 is about the cosine, even under the name SIN. E034 is also about numbers that are
    // flushed to zero.
    assert_eq!(f32_of(&[(33, 1), (34, 1)], "SIN", NEG), NEG);
    for flushed in [2, 3] {
        assert_eq!(f32_of(&[(34, 1), (42, flushed)], "COS", 0x8000_0001), NEG);
    }
}

/// Tests arguments in turns that are too large to double, and arguments with a zero result.
#[test]
fn whole_and_half_turns() {
    for x in [0x3f00_0000, 0x3f80_0000, 0x4b00_0000, 0x7f00_0000, 0x7f7f_ffff] {
        assert_eq!(f32_of(&[(35, 2)], "SIN", x) & !NEG, 0, "{x:08x}");
        assert_eq!(f32_of(&[(35, 2)], "SIN", x | NEG) & !NEG, 0, "{x:08x}");
        let half = if x == 0x3f00_0000 { NEG } else { 0 };
        assert_eq!(f32_of(&[(35, 2)], "COS", x), ONE | half, "{x:08x}");
    }
    for x in [0x3e80_0000, 0x3f40_0000, 0xc020_0000 | 0x0010_0000] {
        assert_eq!(f32_of(&[(35, 2)], "COS", x) & !NEG, 0, "{x:08x}");
    }
}

/// Returns a sample of all operands: every exponent, both signs, and all residues of the low bits.
fn sample() -> Vec<u32> {
    let edges = EDGES.iter().flat_map(|e| [*e, e | NEG]);
    edges.chain((0..=u32::MAX).step_by(65_521)).collect()
}

/// Each result must be the F32 nearest to the host's result in double precision. If the double
/// cannot decide between two F32 numbers, either one is accepted.
#[test]
fn results_are_next_to_those_in_double_precision() {
    type Host = fn(f64) -> f64;
    let hosts: [(&str, u8, Host); 10] = [
        ("COS", 1, f64::cos),
        ("SIN", 1, f64::sin),
        ("COS", 2, |x| ((x % 1.0) * std::f64::consts::TAU).cos()),
        ("SIN", 2, |x| ((x % 1.0) * std::f64::consts::TAU).sin()),
        ("EX2", 1, f64::exp2),
        ("LG2", 1, f64::log2),
        ("RCP", 1, f64::recip),
        ("RSQ", 1, |x| x.sqrt().recip()),
        ("SQRT", 1, f64::sqrt),
        ("TANH", 1, f64::tanh),
    ];
    let inputs: Vec<u32> = sample().into_iter().filter(|x| f32::from_bits(*x) != 0.0).collect();
    for (function, unit, host) in hosts {
        let results = all_of(&[(35, unit)], &mufu(function, "F32", "NoSAT"), &inputs);
        for (x, y) in inputs.iter().zip(results) {
            let exact = host(f64::from(f32::from_bits(*x)));
            // If arguments are in turns, the conversion to radians gives the double argument this
            // error.
            let doubt = exact.abs() * 1e-15 + if unit == 2 { 1e-15 } else { 0.0 };
            let (low, high) = ((exact - doubt) as f32, (exact + doubt) as f32);
            let y = f32::from_bits(y);
            let same = y == exact as f32 || y.is_nan() && exact.is_nan();
            let near = same || low <= y && y <= high;
            assert!(near, "{function} {x:08x}: {y:e}, not {exact:e}");
        }
    }
}

#[test]
fn roots_are_those_of_ieee_754() {
    let inputs = sample();
    for (x, y) in inputs.iter().zip(all_of(&[], &mufu("SQRT", "F32", "NoSAT"), &inputs)) {
        let root = f32::from_bits(*x).sqrt();
        let expected = if root.is_nan() { QNAN } else { root.to_bits() };
        assert_eq!(y, expected, "{x:08x}");
    }
}

#[test]
fn rows_of_rsq_f64() {
    let rows = [
        (0xfff0_0000, QNAN),
        (0x8010_0000, QNAN),
        (0xc010_0000, QNAN),
        (0x800f_ffff, 0xfff0_0000),
        (NEG, 0xfff0_0000),
        (0, 0x7ff0_0000),
        (1, 0x7ff0_0000),
        (0x7ff0_0000, 0),
        (0xfff0_0001, QNAN),
        (0x7ff0_0001, QNAN),
        (0x3ff0_0000, 0x3ff0_0000),
        (0x4010_0000, 0x3fe0_0000),
        (0x3fd0_0000, 0x4000_0000),
        (0x4000_0000, 0x3fe6_a09e),
        (0x7fef_ffff, 0x1ff0_0000),
        (0x0010_0000, 0x5fe0_0000),
    ];
    let rsq = mufu("RSQ", "F64", "NoSAT");
    for (h, y) in rows {
        assert_eq!(on(&mut implementation(&[]), &rsq, &[h]), Ok(y), "{h:08x}");
    }
    for (erratum, function, expected) in [
        (40, "RSQ", Err(Answer::Unsupported)),
        (41, "RSQ", Err(Answer::Unsupported)),
        (41, "RCP", Ok(0x7ff0_0000)),
        (37, "RSQ", Ok(0x7ff0_0000)),
    ] {
        let result = on(&mut implementation(&[(erratum, 1)]), &mufu(function, "F64", "NoSAT"), &[0]);
        assert_eq!(result, expected, "E{erratum:03} {function}");
    }
}

/// Tests every significand at an even and at an odd exponent. With the answer y and half a unit u
/// of its last place, (y - u)²·h < 1 < (y + u)²·h. Both products are exact in 128 bits.
#[test]
fn rsq_f64_is_the_nearest_high_word() {
    let inputs: Vec<u32> = (0x3ff0_0001..=0x400f_ffff).collect();
    for (h, y) in inputs.iter().zip(all_of(&[], &mufu("RSQ", "F64", "NoSAT"), &inputs)) {
        assert_eq!(y >> 20, 0x3fe, "{h:08x} -> {y:08x}");
        let odd = h >> 20 & 1 ^ 1;
        let m = u128::from(h & 0xf_ffff | 0x10_0000) << odd;
        let q = u128::from(y & 0xf_ffff | 0x10_0000);
        // h = m·2^-20 and y = q·2^-21, so (y ± u)²·h = (2q ± 1)²·m·2^-64.
        let product = |q: u128| q * q * m;
        assert!(product(2 * q - 1) < 1 << 64 && 1 << 64 < product(2 * q + 1), "{h:08x} -> {y:08x}");
    }
}

#[test]
fn types_of_16_bits_are_unsupported() {
    for function in ["EX2", "TANH"] {
        for dtype in ["F16", "F16_V2", "BF16", "BF16_V2"] {
            let result = on(&mut implementation(&[]), &mufu(function, dtype, "NoSAT"), &[0]);
            assert_eq!(result, Err(Answer::Unsupported), "{function}.{dtype}");
        }
    }
}
