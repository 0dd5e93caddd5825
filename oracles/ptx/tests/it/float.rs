//! Tests arithmetic of singles.

use proptest::prelude::*;
use rug::Float;
use rug::float::Round;

use crate::support::{check, run};

const NAN: u32 = 0x7fff_ffff;
const INF: u32 = 0x7f80_0000;
const MINUS: u32 = 0x8000_0000;
const ONE: u32 = 0x3f80_0000;
/// The least normal number.
const LEAST: u32 = 0x0080_0000;
/// The greatest finite number.
const MOST: u32 = 0x7f7f_ffff;

const ROUNDINGS: [(&str, Round); 4] =
    [("rn", Round::Nearest), ("rz", Round::Zero), ("rm", Round::Down), ("rp", Round::Up)];

#[test]
fn nan_is_canonical() {
    for rounding in ["rn", "rz", "rm", "rp", "rn.ftz"] {
        let add = format!("add.{rounding}.f32 %o0, %i0, %i1;");
        let mul = format!("mul.{rounding}.f32 %o0, %i0, %i1;");
        let fma = format!("fma.{rounding}.f32 %o0, %i0, %i1, %i2;");
        check(&[(&add, [0xffc0_1234, ONE, 0], NAN), (&add, [ONE, 0x7f80_0001, 0], NAN)]);
        check(&[(&add, [INF, INF | MINUS, 0], NAN), (&add, [INF, INF, 0], INF)]);
        check(&[(&mul, [INF, 0, 0], NAN), (&mul, [MINUS | INF, ONE, 0], MINUS | INF)]);
        check(&[
            (&fma, [0, INF, ONE], NAN),
            (&fma, [INF, ONE, MINUS | INF], NAN),
            (&fma, [ONE, ONE, 0xff80_0001], NAN),
        ]);
    }
}

#[test]
fn sat_clamps_and_makes_zero_of_nan() {
    let body = "add.rn.sat.f32 %o0, %i0, %i1;";
    check(&[
        (body, [0x7fc0_0000, 0], 0),
        (body, [0x3f00_0000, 0], 0x3f00_0000),
        (body, [ONE, 1], ONE),
        (body, [0x4000_0000, 0], ONE),
        (body, [INF, 0], ONE),
        (body, [MINUS | INF, 0], 0),
        (body, [MINUS | ONE, 0], 0),
        (body, [MINUS, MINUS], 0),
        (body, [1, 0], 1),
        ("add.rn.ftz.sat.f32 %o0, %i0, %i1;", [0x0040_0000, 0x0040_0000], 0),
    ]);
}

#[test]
fn ftz_flushes_inputs_and_what_is_subnormal_with_all_its_bits() {
    check(&[
        ("add.rn.f32 %o0, %i0, %i1;", [1, 1, 0], 2),
        ("add.rn.ftz.f32 %o0, %i0, %i1;", [1, 1, 0], 0),
        ("add.rn.ftz.f32 %o0, %i0, %i1;", [MINUS | 1, MINUS | 1, 0], MINUS),
        // Differences of numbers near LEAST, and half of LEAST, are subnormal.
        ("add.rn.ftz.f32 %o0, %i0, %i1;", [LEAST | 1, MINUS | LEAST, 0], 0),
        ("add.rn.ftz.f32 %o0, %i0, %i1;", [LEAST, MINUS | LEAST | 1, 0], MINUS),
        ("mul.rn.f32 %o0, %i0, %i1;", [LEAST, 0x3f00_0000, 0], 0x0040_0000),
        ("mul.rn.ftz.f32 %o0, %i0, %i1;", [LEAST, 0xbf00_0000, 0], MINUS),
        // The result is just below LEAST and has 24 bits. Rounded to the grid of subnormal numbers,
        // the result would be LEAST.
        ("mul.rn.ftz.f32 %o0, %i0, %i1;", [LEAST, 0x3f7f_ffff, 0], 0),
        ("mul.rp.ftz.f32 %o0, %i0, %i1;", [LEAST, 0x3f7f_ffff, 0], 0),
        // The exact result is still nearer to LEAST, so the rounding direction matters.
        ("mul.rn.ftz.f32 %o0, %i0, %i1;", [0x2000_0001, 0x1fff_fffe, 0], LEAST),
        ("mul.rz.ftz.f32 %o0, %i0, %i1;", [0x2000_0001, 0x1fff_fffe, 0], 0),
        ("mul.rp.ftz.f32 %o0, %i0, %i1;", [0x2000_0001, 0x9fff_fffe, 0], MINUS),
        ("mul.rm.ftz.f32 %o0, %i0, %i1;", [0x2000_0001, 0x9fff_fffe, 0], MINUS | LEAST),
        ("fma.rn.ftz.f32 %o0, %i0, %i1, %i2;", [0x0040_0000, 0x4000_0000, ONE], ONE),
        // Flushing comes last. A tiny result that is rounded up is still subnormal, so it becomes
        // zero.
        ("mul.rp.f32 %o0, %i0, %i1;", [LEAST, LEAST, 0], 1),
        ("mul.rp.ftz.f32 %o0, %i0, %i1;", [LEAST, LEAST, 0], 0),
    ]);
}

#[test]
fn zeros_and_overflow_follow_the_direction() {
    for (rounding, cancelled, over, under) in
        [("rn", 0, INF, INF), ("rz", 0, MOST, MOST), ("rm", MINUS, MOST, INF), ("rp", 0, INF, MOST)]
    {
        let add = format!("add.{rounding}.f32 %o0, %i0, %i1;");
        check(&[
            (&add, [ONE, MINUS | ONE], cancelled),
            (&add, [0, MINUS], cancelled),
            (&add, [MINUS, 0], cancelled),
            (&add, [MINUS, MINUS], MINUS),
            (&add, [0, 0], 0),
            (&add, [MOST, MOST], over),
            (&add, [MINUS | MOST, MINUS | MOST], MINUS | under),
        ]);
    }
}

#[test]
fn rows_of_min_and_max() {
    let rows = [
        // a, b, min, max, and then min and max with .NaN.
        ([ONE, 0x4000_0000], ONE, 0x4000_0000, ONE, 0x4000_0000),
        ([0, MINUS], MINUS, 0, MINUS, 0),
        ([MINUS, 0], MINUS, 0, MINUS, 0),
        ([0xffc0_0001, ONE], ONE, ONE, NAN, NAN),
        ([ONE, 0x7f80_0001], ONE, ONE, NAN, NAN),
        ([0xffc0_0001, 0x7f80_0001], NAN, NAN, NAN, NAN),
        ([MINUS | INF, INF], MINUS | INF, INF, MINUS | INF, INF),
        ([1, MINUS | 1], MINUS | 1, 1, MINUS | 1, 1),
    ];
    for (inputs, min, max, min_nan, max_nan) in rows {
        check(&[
            ("min.f32 %o0, %i0, %i1;", inputs, min),
            ("max.f32 %o0, %i0, %i1;", inputs, max),
            ("min.NaN.f32 %o0, %i0, %i1;", inputs, min_nan),
            ("max.NaN.f32 %o0, %i0, %i1;", inputs, max_nan),
        ]);
    }
    check(&[
        ("min.ftz.f32 %o0, %i0, %i1;", [1, MINUS | 1], MINUS),
        ("max.ftz.f32 %o0, %i0, %i1;", [1, MINUS | 1], 0),
        ("max.ftz.NaN.f32 %o0, %i0, %i1;", [1, MINUS | 2], 0),
        ("min.ftz.NaN.f32 %o0, %i0, %i1;", [1, 0x7fc0_0000], NAN),
        ("max.ftz.f32 %o0, %i0, %i1;", [MINUS | 1, 0x7fc0_0000], MINUS),
    ]);
}

#[test]
fn signs_are_bits() {
    check(&[
        ("abs.f32 %o0, %i0;", [0xbf80_0000], ONE),
        ("abs.f32 %o0, %i0;", [0x8000_0001], 1),
        ("abs.f32 %o0, %i0;", [0xffc0_1234], 0x7fc0_1234),
        ("neg.f32 %o0, %i0;", [0], MINUS),
        ("neg.f32 %o0, %i0;", [0x7f80_0001], 0xff80_0001),
    ]);
}

#[test]
fn halves() {
    let body = "cvt.rn.f16x2.f32 %o0, %i0, %i1;";
    check(&[
        (body, [ONE, 0xc000_0000], 0x3c00_c000),
        (body, [0x7fc0_0000, 0xff80_0001], 0x7fff_7fff),
        (body, [INF, MINUS | INF], 0x7c00_fc00),
        // 65504 is the greatest finite number. 65520 is the least number that rounds to infinity.
        (body, [0x477f_e000, 0x477f_f000], 0x7bff_7c00),
        (body, [0x477f_efff, 0xc77f_efff], 0x7bff_fbff),
        // The least normal number, the greatest subnormal number, and ties near the least subnormal
        // number.
        (body, [0x3880_0000, 0x387f_c000], 0x0400_03ff),
        (body, [0x387f_ffff, 0x3380_0000], 0x0400_0001),
        (body, [0x3300_0000, 0x3300_0001], 0x0000_0001),
        (body, [0x33c0_0000, 0xb3c0_0000], 0x0002_8002),
        (body, [1, MINUS | 1], 0x0000_8000),
        (body, [0x3f80_1000, 0x3f80_3000], 0x3c00_3c02),
    ]);
}

/// The exact result of a single operation, rounded once by MPFR.
fn reference(exact: impl FnOnce(&mut Float, Round) -> std::cmp::Ordering, round: Round) -> u32 {
    let mut number = Float::new(24);
    let direction = exact(&mut number, round);
    number.subnormalize_round(-125, direction, round);
    let too_great = number.is_finite() && number.to_f64().abs() > f64::from(f32::MAX);
    let towards_zero = match round {
        Round::Zero => true,
        Round::Down => number.is_sign_positive(),
        Round::Up => number.is_sign_negative(),
        _ => false,
    };
    if number.is_nan() {
        NAN
    } else if too_great && towards_zero {
        f32::MAX.copysign(number.to_f32()).to_bits()
    } else {
        number.to_f32().to_bits()
    }
}

/// Returns singles of all kinds: any bits, few fraction bits, and values near the limits of the
/// format.
fn single() -> impl Strategy<Value = u32> {
    let plain = prop::sample::select(vec![0, 1, ONE, LEAST, LEAST - 1, LEAST + 1, MOST, INF, 0x7fc0_0000]);
    let round = (0_u32..512).prop_map(|bits| bits << 23);
    let near = (-3_i32..4, 0_u32..512).prop_map(|(by, bits)| (bits << 23).wrapping_add_signed(by));
    prop_oneof![3 => any::<u32>(), 1 => plain, 1 => round, 1 => near, 1 => 0x3f00_0000_u32..0x4000_0000]
}

/// Returns three singles. Often the third single nearly cancels the product of the others.
fn triple() -> impl Strategy<Value = [u32; 3]> {
    (single(), single(), single(), -2_i32..3, 0..4).prop_map(|(a, b, c, by, kind)| {
        let product = (-(f32::from_bits(a) * f32::from_bits(b))).to_bits();
        let c = match kind {
            0 => product.wrapping_add_signed(by),
            1 => product.wrapping_add_signed(by << 23),
            _ => c,
        };
        [a, b, c]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arithmetic_is_rounded_as_by_mpfr(rows in prop::collection::vec(triple(), 250)) {
        for (name, round) in ROUNDINGS {
            let body = format!("add.{name}.f32 %o0, %i0, %i2; mul.{name}.f32 %o1, %i0, %i1; fma.{name}.f32 %o2, %i0, %i1, %i2;");
            for (bits, found) in rows.iter().zip(run(&body, &rows)) {
                let [a, b, c] = bits.map(|bits| Float::with_val(24, f32::from_bits(bits)));
                use rug::ops::AssignRound;
                let sum = reference(|number, round| number.assign_round(&a + &c, round), round);
                let product = reference(|number, round| number.assign_round(&a * &b, round), round);
                let fused = reference(|number, round| number.assign_round(a.mul_add_ref(&b, &c), round), round);
                prop_assert_eq!(&found[..3], &[sum, product, fused], "{} of {:x?}", name, bits);
            }
        }
    }

    #[test]
    fn what_is_flushed_is_tiny_with_all_its_bits(rows in prop::collection::vec(triple(), 250)) {
        let least = Float::with_val(24, f32::MIN_POSITIVE);
        for (name, round) in ROUNDINGS {
            let body = format!("mul.{name}.ftz.f32 %o0, %i0, %i1; fma.{name}.ftz.f32 %o1, %i0, %i1, %i2;");
            for (bits, found) in rows.iter().zip(run(&body, &rows)) {
                let numbers = bits.map(f32::from_bits);
                let flushed = numbers.map(|x| if x.is_subnormal() { 0.0_f32.copysign(x) } else { x });
                let [a, b, c] = flushed.map(|x| Float::with_val(24, x));
                use rug::ops::AssignRound;
                let expected = |exact: &dyn Fn(&mut Float, Round) -> std::cmp::Ordering| {
                    let mut unbounded = Float::new(24);
                    exact(&mut unbounded, round);
                    let is_tiny = unbounded.clone().abs() < least;
                    let zero = u32::from(unbounded.is_sign_negative()) << 31;
                    if is_tiny { zero } else { reference(exact, round) }
                };
                let product = expected(&|number, round| number.assign_round(&a * &b, round));
                let fused = expected(&|number, round| number.assign_round(a.mul_add_ref(&b, &c), round));
                prop_assert_eq!(&found[..2], &[product, fused], "{} of {:x?}", name, bits);
            }
        }
    }

    #[test]
    fn to_nearest_it_is_as_the_cpu_has_it(rows in prop::collection::vec(triple(), 250)) {
        let body = "add.rn.f32 %o0, %i0, %i2; mul.rn.f32 %o1, %i0, %i1; fma.rn.f32 %o2, %i0, %i1, %i2;";
        for (bits, found) in rows.iter().zip(run(body, &rows)) {
            let [a, b, c] = bits.map(f32::from_bits);
            let expected = [a + c, a * b, a.mul_add(b, c)].map(|x| if x.is_nan() { NAN } else { x.to_bits() });
            prop_assert_eq!(&found[..3], &expected, "{:x?}", bits);
        }
    }
}
