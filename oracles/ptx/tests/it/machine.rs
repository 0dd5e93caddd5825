//! Tests the statements for machine instructions that PTX lacks.

use assay_ptx::Module;
use proptest::prelude::*;
use rug::Float;
use rug::float::Round;
use rug::ops::AssignRound;

use crate::support::{run_machine, text};

const ONE: u32 = 0x3f80_0000;
const INF: u32 = 0x7f80_0000;
const MINUS: u32 = 0x8000_0000;
/// The least normal number.
const LEAST: u32 = 0x0080_0000;
/// The greatest finite number.
const MOST: u32 = 0x7f7f_ffff;

/// Compares the values that bodies write to `%o0` with a table of inputs and outputs.
fn check<const N: usize>(rows: &[(&str, [u32; N], u32)]) {
    for (body, inputs, expected) in rows {
        let found = run_machine(body, &[*inputs])[0][0];
        assert_eq!(found, *expected, "{body} of {inputs:x?}: {found:#x}, expected {expected:#x}");
    }
}

#[test]
fn products_are_scaled_before_they_are_rounded() {
    for (scale, result) in [
        ("d2", 0x3f00_0000),
        ("d4", 0x3e80_0000),
        ("d8", 0x3e00_0000),
        ("m2", 0x4000_0000),
        ("m4", 0x4080_0000),
        ("m8", 0x4100_0000),
    ] {
        check(&[(&format!("mul.rn.{scale}.f32 %o0, %i0, %i1;"), [ONE, ONE], result)]);
    }
    check(&[
        // The witnesses of E176. If the first operand were scaled by itself, it would overflow or
        // be flushed.
        ("mul.rn.m8.f32 %o0, %i0, %i1;", [0x7f00_0000, 0x3a80_0000], 0x7b80_0000),
        ("mul.rn.ftz.d8.f32 %o0, %i0, %i1;", [0x0100_0000, 0x4380_0000], 0x0380_0000),
        // A subnormal operand is flushed. A result that becomes subnormal by the scaling is flushed
        // too.
        ("mul.rn.ftz.m8.f32 %o0, %i0, %i1;", [0x0040_0000, ONE], 0),
        ("mul.rn.ftz.d2.f32 %o0, %i0, %i1;", [LEAST | MINUS, ONE], MINUS),
        ("mul.rn.d2.f32 %o0, %i0, %i1;", [LEAST, ONE], 0x0040_0000),
        // The product is subnormal, but its scaled value is not. The scaled value keeps all of its
        // bits.
        ("mul.rn.m8.f32 %o0, %i0, %i1;", [0x0080_0001, 0x3e00_0000], 0x0080_0001),
        ("mul.rn.ftz.m8.f32 %o0, %i0, %i1;", [0x0080_0001, 0x3e00_0000], 0x0080_0001),
        ("mul.rz.m2.f32 %o0, %i0, %i1;", [MOST, ONE], MOST),
        ("mul.rn.m2.f32 %o0, %i0, %i1;", [MOST, ONE], INF),
        ("mul.rn.sat.m8.f32 %o0, %i0, %i1;", [0x3f00_0000, ONE], ONE),
        ("mul.rn.sat.d8.f32 %o0, %i0, %i1;", [ONE, 0x7fc0_0000], 0),
        ("mul.rp.d8.f32 %o0, %i0, %i1;", [1, ONE], 1),
        ("mul.rm.ftz.sat.d8.f32 %o0, %i0, %i1;", [0x4100_0000, ONE], ONE),
    ]);
}

#[test]
fn a_selected_subnormal_is_flushed_and_a_nan_is_not_changed() {
    let body = "setp.ne.u32 %p0, %i2, 0; selp.ftz.f32 %o0, %i0, %i1, %p0;";
    check(&[
        (body, [ONE, INF, 1], ONE),
        (body, [ONE, INF, 0], INF),
        (body, [1, 0x807f_ffff, 1], 0),
        (body, [1, 0x807f_ffff, 0], MINUS),
        (body, [LEAST, LEAST | MINUS, 0], LEAST | MINUS),
        (body, [0xffc1_2345, 0x7f80_0001, 1], 0xffc1_2345),
        (body, [0xffc1_2345, 0x7f80_0001, 0], 0x7f80_0001),
        (&body.replace(", %p0;", ", !%p0;"), [ONE, INF, 1], INF),
    ]);
}

#[test]
fn a_division_is_checked_by_its_exponents() {
    let body = "fchk.f32 %p0, %i0, %i1; selp.u32 %o0, 1, 0, %p0;";
    let power = |exponent: i32| (exponent + 127).cast_unsigned() << 23;
    let rows = [
        // Limits of the dividend: its exponent may be from -102 to 127.
        (-103, -50, 1),
        (-102, -50, 0),
        (127, 50, 0),
        (128, 50, 1),
        // Limits of the divisor: its exponent may be from -125 to 124.
        (-30, -126, 1),
        (-30, -125, 0),
        (30, 124, 0),
        (30, 125, 1),
        // Limits of the difference: it may be from -124 to 126.
        (-62, 63, 1),
        (-62, 62, 0),
        (62, -64, 0),
        (62, -65, 1),
        // Zero, subnormal numbers and infinity.
        (-127, 0, 1),
        (0, -127, 1),
        (0, 128, 1),
    ];
    for (a, b, expected) in rows {
        for bits in [0, MINUS, 0x007f_ffff, 0x8000_0001] {
            check(&[(body, [power(a) | bits, power(b) | bits.rotate_left(1) & 0x007f_ffff], expected)]);
        }
    }
    // The witnesses of E189.
    check(&[(body, [ONE, ONE | MINUS], 0), (body, [ONE, 0x7e80_0000], 1)]);
}

#[test]
fn ptx_has_none_of_them() {
    for (body, problem) in [
        ("mul.rn.d8.f32 %o0, %i0, %i1;", "expected .f32, found .d8"),
        (
            "setp.ne.u32 %p0, %i0, 0; selp.ftz.f32 %o0, %i0, %i1, %p0;",
            "expected one of .b32 .u32 .f32, found .ftz",
        ),
        ("fchk.f32 %p0, %i0, %i1; selp.u32 %o0, 1, 0, %p0;", "unsupported instruction"),
        ("sin.turns.ftz.f32 %o0, %i0;", "unsupported instruction"),
        ("cos.turns.ftz.f32 %o0, %i0;", "unsupported instruction"),
    ] {
        let error = Module::parse(&text(body)).expect_err(body).to_string();
        assert!(error.ends_with(problem), "{error}");
        Module::parse_machine(&text(body)).expect(body);
    }
    for body in
        ["mul.rn.d8.x.f32 %o0, %i0, %i1;", "mul.rn.d16.f32 %o0, %i0, %i1;", "mul.lo.d8.u32 %o0, %i0, %i1;"]
    {
        Module::parse_machine(&text(body)).expect_err(body);
    }
}

proptest! {
    #[test]
    fn a_scaled_product_is_that_of_mpfr(a: u32, b: u32, exponents in 0_u32..128) {
        // The sum of the operands' exponents is near the exponent of the least normal number.
        let [a, b] = [(a, exponents), (b, 127 - exponents)].map(|(bits, exponent)| bits & 0x807f_ffff | exponent << 23);
        let body = "mul.rz.m8.f32 %o0, %i0, %i1; mul.rn.d4.f32 %o1, %i0, %i1;";
        let found = run_machine(body, &[[a, b]])[0];
        for ((round, factor), found) in [(Round::Zero, 8.0), (Round::Nearest, 0.25)].into_iter().zip(found) {
            let exact = Float::with_val(100, f32::from_bits(a)) * f32::from_bits(b) * factor;
            let mut number = Float::new(24);
            let direction = number.assign_round(&exact, round);
            number.subnormalize_round(-125, direction, round);
            prop_assert_eq!(found, number.to_f32().to_bits(), "{:x} {:x} {}", a, b, factor);
        }
    }
}
