//! Tests the `.approx` instructions: the tables of special values, and correct rounding.

use proptest::prelude::*;
use rug::Float;
use rug::ops::Pow;

use crate::support::{check, run, run_machine, word};

const NAN: u32 = 0x7fff_ffff;
const INF: u32 = 0x7f80_0000;
const MINUS: u32 = 0x8000_0000;
const ONE: u32 = 0x3f80_0000;

/// Operands of the ISA's tables: -Inf, -normal, -subnormal, -0.0, +0.0, +subnormal, +Inf and NaN.
const OPERANDS: [u32; 8] = [MINUS | INF, 0xc000_0000, 0x8000_0001, MINUS, 0, 0x007f_ffff, INF, 0xffc0_0001];

#[test]
fn tables_of_singles() {
    let rows = [
        ("ex2.approx.ftz.f32", [0, 0x3e80_0000, ONE, ONE, ONE, ONE, INF, NAN]),
        ("lg2.approx.ftz.f32", [NAN, NAN, MINUS | INF, MINUS | INF, MINUS | INF, MINUS | INF, INF, NAN]),
        ("rcp.approx.ftz.f32", [MINUS, 0xbf00_0000, MINUS | INF, MINUS | INF, INF, INF, 0, NAN]),
        ("rsqrt.approx.ftz.f32", [NAN, NAN, MINUS | INF, MINUS | INF, INF, INF, 0, NAN]),
        ("sqrt.approx.ftz.f32", [NAN, NAN, MINUS, MINUS, 0, 0, INF, NAN]),
        ("sin.approx.ftz.f32", [NAN, 0xbf68_c7b8, MINUS, MINUS, 0, 0, NAN, NAN]),
        ("cos.approx.ftz.f32", [NAN, 0xbed5_1130, ONE, ONE, ONE, ONE, NAN, NAN]),
        ("tanh.approx.f32", [MINUS | ONE, 0xbf76_ca83, 0x8000_0001, MINUS, 0, 0x007f_ffff, ONE, NAN]),
    ];
    for (opcode, results) in rows {
        let body = format!("{opcode} %o0, %i0;");
        for (operand, result) in OPERANDS.into_iter().zip(results) {
            check(&[(&body, [operand], result)]);
        }
    }
}

#[test]
fn results_of_singles() {
    check(&[
        ("ex2.approx.ftz.f32 %o0, %i0;", [0x4300_0000], INF),
        ("ex2.approx.ftz.f32 %o0, %i0;", [0xc2fc_0000], 0x0080_0000),
        ("ex2.approx.ftz.f32 %o0, %i0;", [0xc2fc_0001], 0),
        ("ex2.approx.ftz.f32 %o0, %i0;", [0xff7f_ffff], 0),
        ("ex2.approx.ftz.f32 %o0, %i0;", [0x3f00_0000], 0x3fb5_04f3),
        ("lg2.approx.ftz.f32 %o0, %i0;", [0x0080_0000], 0xc2fc_0000),
        ("lg2.approx.ftz.f32 %o0, %i0;", [ONE], 0),
        ("lg2.approx.ftz.f32 %o0, %i0;", [0x4040_0000], 0x3fca_e00d),
        ("rcp.approx.ftz.f32 %o0, %i0;", [0x4040_0000], 0x3eaa_aaab),
        ("rcp.approx.ftz.f32 %o0, %i0;", [0x7e80_0000], 0x0080_0000),
        ("rcp.approx.ftz.f32 %o0, %i0;", [0xfe80_0001], MINUS),
        ("sqrt.approx.ftz.f32 %o0, %i0;", [0x4000_0000], 0x3fb5_04f3),
        ("rsqrt.approx.ftz.f32 %o0, %i0;", [0x4000_0000], 0x3f35_04f3),
        ("tanh.approx.f32 %o0, %i0;", [0x4120_0000], ONE),
    ]);
}

#[test]
fn tables_of_upper_words() {
    // ISA 9.7.3, rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64. The NaN is 0x7fffffff00000000.
    let infinity = 0x7ff0_0000;
    let operands = [0xfff0_0000, 0x800f_ffff, MINUS, 0, 0x000f_ffff, infinity, 0x7ff8_0000, 0xc000_0000];
    let rows = [
        ("rcp", [MINUS, MINUS | infinity, MINUS | infinity, infinity, infinity, 0, NAN, 0xbfe0_0000]),
        ("rsqrt", [NAN, MINUS | infinity, MINUS | infinity, infinity, infinity, 0, NAN, NAN]),
    ];
    for (name, results) in rows {
        let body =
            format!("mov.b64 %e0, {{%i0, %i1}}; {name}.approx.ftz.f64 %e1, %e0; mov.b64 {{%o1, %o0}}, %e1;");
        for (operand, result) in operands.into_iter().zip(results) {
            // The lower word of the operand is ignored, even if it makes the operand a NaN. The
            // lower word of the result is zero.
            for low in [0, 1, u32::MAX] {
                assert_eq!(run(&body, &[[low, operand]])[0][..2], [result, 0], "{name} {operand:x}");
            }
        }
    }
    let body = "mov.b64 %e0, {0, %i0}; rcp.approx.ftz.f64 %e1, %e0; mov.b64 {%t0, %o0}, %e1;";
    check(&[
        (body, [0x4008_0000], 0x3fd5_5555),
        (body, [0x3ff0_0001], 0x3fef_fffe),
        (body, [0x7fd0_0000], 0x0010_0000),
        (body, [0x7fd0_0001], 0),
        (body, [0xffe0_0000], MINUS),
    ]);
}

#[test]
fn tables_of_halves() {
    // ISA 9.7.4: -Inf, -subnormal, -0.0, +0.0, +subnormal, +Inf, NaN.
    let halves = [0xfc00, 0x8001, 0x8000, 0, 0x03ff, 0x7c00, 0xfe01];
    let brains = [0xff80, 0x8001, 0x8000, 0, 0x007f, 0x7f80, 0xffc1];
    let rows = [
        ("ex2.approx.f16", halves, [0, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x7c00, 0x7fff]),
        ("ex2.approx.ftz.bf16", brains, [0, 0x3f80, 0x3f80, 0x3f80, 0x3f80, 0x7f80, 0x7fff]),
        ("tanh.approx.f16", halves, [0xbc00, 0x8001, 0x8000, 0, 0x03ff, 0x3c00, 0x7fff]),
        ("tanh.approx.bf16", brains, [0xbf80, 0x8001, 0x8000, 0, 0x007f, 0x3f80, 0x7fff]),
    ];
    for (opcode, operands, results) in rows {
        let one = format!("mov.b32 {{%h0, %h1}}, %i0; {opcode} %h2, %h0; cvt.u32.u16 %o0, %h2;");
        let pair = format!("{opcode}x2 %o0, %i0;");
        for (operand, result) in operands.into_iter().zip(results) {
            check(&[(&one, [operand], result), (&one, [operand | 0xffff_0000], result)]);
            let ones = if opcode.starts_with("ex2") { word(&one, &[0]) } else { 0 };
            check(&[(&pair, [operand << 16], result << 16 | ones), (&pair, [operand], ones << 16 | result)]);
        }
    }
}

#[test]
fn powers_of_two_in_subnormal_halves() {
    let body = "ex2.approx.f16x2 %o0, %i0;";
    check(&[
        // Results are 2 to the power of -14, -15, -24, -25 (a tie), slightly more than -25, and 16,
        // which is too large.
        (body, [0xcb00_cb80], 0x0400_0200),
        (body, [0xce00_ce40], 0x0001_0000),
        (body, [0xce3f_ce41], 0x0001_0000),
        (body, [0x4c00_4bff], 0x7c00_7bf5),
    ]);
    // With .ftz, results below 2 to the power of -126 are subnormal, so they become zero.
    let body = "ex2.approx.ftz.bf16x2 %o0, %i0;";
    check(&[(body, [0xc2fc_c2fd], 0x0080_0000), (body, [0xc300_4300], 0x0000_7f80)]);
}

#[test]
fn turns_replace_radians() {
    let quarter = 0x3e80_0000;
    let run =
        |opcode: &str, operand| run_machine(&format!("{opcode}.turns.ftz.f32 %o0, %i0;"), &[[operand]])[0][0];
    assert_eq!(run("sin", quarter), ONE);
    assert_eq!(run("sin", quarter | MINUS), ONE | MINUS);
    // A zero has the sign of the exact value just beyond the argument's magnitude.
    for (opcode, turns, zero) in [
        ("cos", quarter, MINUS),
        ("cos", quarter | MINUS, MINUS),
        ("cos", 0x3f40_0000, 0),
        ("sin", 0x3f00_0000, MINUS),
        ("sin", 0xbf00_0000, 0),
        ("sin", ONE, 0),
        ("sin", ONE | MINUS, MINUS),
    ] {
        assert_eq!(run(opcode, turns), zero, "{opcode} {turns:#x}");
    }
    assert_eq!(run("cos", ONE), ONE);
    assert_eq!(run("cos", 0x3f00_0000), ONE | MINUS);
    assert_eq!(run("sin", 0x7f7f_ffff), 0);
    // The product is rounded towards zero before the sine is computed.
    assert_eq!(word("sin.approx.ftz.f32 %o0, %i0;", &[0x4049_0fdb]), sine_of_pi());
    // A subnormal product is flushed.
    assert_eq!(word("sin.approx.ftz.f32 %o0, %i0;", &[0x0100_0000]), 0);
}

/// Computes the expected value in another way: the product of TURN and pi is cut off to 24 bits,
/// and MPFR computes the sine of this number of turns.
fn sine_of_pi() -> u32 {
    let product = f64::from(f32::from_bits(0x4049_0fdb)) * f64::from(f32::from_bits(assay_ptx::TURN));
    let cut = f64::from_bits(product.to_bits() >> 29 << 29);
    let pi = Float::with_val(200, rug::float::Constant::Pi);
    (pi * 2_u32 * cut).sin().to_f32().to_bits()
}

/// Returns whether neither neighbour of `bits` in the format is nearer to the exact value. The
/// patterns of the format must have the order of the magnitudes.
fn is_nearest(exact: &Float, bits: u32, read: impl Fn(u32) -> f64) -> bool {
    let distance = |bits: u32| Float::with_val(300, exact - read(bits)).abs();
    let magnitude = bits & 0x7fff_ffff;
    let below = magnitude == 0 || distance(bits) <= distance(bits - 1);
    below && distance(bits) <= distance(bits + 1)
}

fn exact(opcode: &str, operand: f32) -> Float {
    let operand = Float::with_val(300, operand);
    match opcode {
        "ex2" => Float::with_val(300, 2).pow(operand),
        "lg2" => operand.ln() / Float::with_val(300, 2).ln(),
        "rcp" => 1_u32 / operand,
        "rsqrt" => 1_u32 / operand.sqrt(),
        "sqrt" => operand.sqrt(),
        _ => {
            let power = (operand * 2_u32).exp();
            (power.clone() - 1_u32) / (power + 1_u32)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn results_are_the_nearest(fraction in 0_u32..1 << 23, exponent in 1_u32..255, power in -126.0_f32..128.0, small in 0.001_f32..9.0) {
        let any = exponent << 23 | fraction;
        let rows = [
            ("ex2", ".ftz", power.to_bits()), ("lg2", ".ftz", any), ("rsqrt", ".ftz", any), ("sqrt", ".ftz", any),
            ("rcp", ".ftz", any.min(0x7e80_0000)), ("tanh", "", small.to_bits()),
        ];
        for (name, ftz, operand) in rows {
            let found = word(&format!("{name}.approx{ftz}.f32 %o0, %i0;"), &[operand]);
            let exact = exact(name, f32::from_bits(operand));
            prop_assert!(is_nearest(&exact, found, |bits| f32::from_bits(bits).into()), "{} {:x} {:x}", name, operand, found);
        }
    }

    #[test]
    fn sines_and_cosines_are_the_nearest(radians in -50.0_f32..50.0) {
        // The product of two singles is exact as a double. Without the lower bits of the double, it
        // is the product rounded towards zero to a single.
        let product = f64::from(radians) * f64::from(f32::from_bits(assay_ptx::TURN));
        let turns = f64::from_bits(product.to_bits() >> 29 << 29);
        let body = "sin.approx.ftz.f32 %o0, %i0; cos.approx.ftz.f32 %o1, %i0;
            sin.turns.ftz.f32 %o2, %i0; cos.turns.ftz.f32 %o3, %i0;";
        let found = run_machine(body, &[[radians.to_bits()]])[0];
        let exact = [turns, f64::from(radians)].map(|turns| {
            let angle = Float::with_val(300, rug::float::Constant::Pi) * 2_u32 * turns;
            [angle.clone().sin(), angle.cos()]
        });
        for (found, exact) in found.into_iter().zip(exact.into_iter().flatten()) {
            prop_assert!(is_nearest(&exact, found, |bits| f32::from_bits(bits).into()), "{}: {:x}", radians, found);
        }
    }

    #[test]
    fn brains_are_the_nearest(fraction in 0_u32..128, exponent in 120_u32..134) {
        let operand = exponent << 7 | fraction;
        for (name, ftz) in [("tanh", ""), ("ex2", ".ftz")] {
            let found = word(&format!("{name}.approx{ftz}.bf16x2 %o0, %i0;"), &[operand]) & 0xffff;
            let read = |bits: u32| f64::from(f32::from_bits(bits << 16));
            let exact = exact(name, f32::from_bits(operand << 16));
            prop_assert!(found == 0x7f80 || is_nearest(&exact, found, read), "{} {:x} {:x}", name, operand, found);
        }
    }
}
