//! Compares every significand, every subnormal and the edges of the exponent range with exact
//! integers.

use super::{Reciprocal, reciprocal_high, row, significand};
use crate::knobs::{Knobs, Shipping};
use crate::mufu::high;
use crate::mufu::path::NumericPath;
use crate::mufu::rom::Rom;
use crate::site::Site;
use assay_isa::format::F32;
use std::ops::Range;

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;
const ULP: i64 = 1 << 32;

const SIGNIFICANDS: Range<u32> = 0x3f80_0000..0x4000_0000;
const SUBNORMALS: Range<u32> = 1..0x0080_0000;
/// The subnormals above 2⁻¹²⁸. Their reciprocals are finite.
const INVERTIBLE: Range<u32> = 0x0020_0001..0x0080_0000;
/// The numbers from 2¹²⁶ upward. Their reciprocals are subnormal, except 2⁻¹²⁶.
const HUGE: Range<u32> = 0x7e80_0000..INFINITY;

/// Returns 1/x of a finite, non-zero operand.
fn rcp_f32(unit: &impl Knobs, x: u32) -> u32 {
    Reciprocal::value(unit, x).expect("no NaN").round(F32)
}

/// Returns the high word of 1/x.
fn rcp_f64(unit: &impl Knobs, x: u32) -> u32 {
    high(unit, x, reciprocal_high)
}

/// Returns the significand of a positive number, and the exponent of its last place. Inf counts as
/// 2¹²⁸.
fn parts(x: u32) -> (i128, i32) {
    let field = (x >> 23) as i32;
    let leading = u32::from(field != 0) << 23;
    (i128::from(x & 0x007f_ffff | leading), field.max(1) - 150)
}

/// Returns the signed error of `y` as an approximation of 1/x, in units of 2⁻³² ulp of the true
/// 1/x. Rounded away from zero.
fn error(x: u32, y: u32) -> i64 {
    let ((x, x_last), (y, y_last)) = (parts(x), parts(y));
    let exponent = -(x.ilog2() as i32 + x_last) - i32::from(x.count_ones() > 1); // that of 1/x
    let last = exponent.max(-126) - 23;
    let excess = ((y * x) << (32 + y_last - last)) - (1 << (32 - x_last - last));
    (excess.signum() * ((excess.abs() + x - 1) / x)) as i64
}

#[test]
fn every_significand() {
    let (mut least, mut greatest, mut correct, mut previous) = (0, 0, 0, u32::MAX);
    for x in SIGNIFICANDS {
        let y = rcp_f32(&Shipping, x);
        assert!(y <= previous, "rises at {x:#010x}");
        previous = y;
        let error = error(x, y);
        (least, greatest) = (error.min(least), error.max(greatest));
        correct += u64::from(error.abs() <= ULP / 2);
    }
    println!("error {least} to {greatest} of 2^32, correctly rounded {correct} of 2^23");
    assert!(least.abs().max(greatest) < ULP * 931 / 1000);
    assert!(correct * 10_000 >= 8897 << 23);
}

#[test]
fn unrounded_within_half_an_ulp() {
    for x in 1_i64 << 23..1 << 24 {
        let quotient = i64::from(significand(&Shipping, row(x as u32), x as u32));
        let error = (quotient * x - (1 << 54)).abs();
        assert!(error < x << 6 || x == 1 << 23 && error == x << 6, "{x:#x}");
        assert!(quotient > 1 << 30 && quotient < 1 << 31, "{x:#x}");
    }
}

#[test]
fn powers_of_two_are_exact() {
    for exponent in 1..=252 {
        assert_eq!(rcp_f32(&Shipping, exponent << 23), (254 - exponent) << 23);
    }
    assert_eq!(rcp_f32(&Shipping, 253 << 23), 0x0080_0000);
    assert_eq!(rcp_f32(&Shipping, 254 << 23), 0x0040_0000);
    assert_eq!(rcp_f32(&Shipping, 0x0040_0000), 254 << 23);
    for exponent in 1..=2045 {
        assert_eq!(rcp_f64(&Shipping, exponent << 20), (2046 - exponent) << 20);
    }
}

#[test]
fn every_exponent_and_sign() {
    for x in (0x0080_0000..INFINITY).step_by(997) {
        let y = rcp_f32(&Shipping, x);
        assert!(error(x, y).abs() < ULP, "{x:#010x} gives {y:#010x}");
        assert_eq!(rcp_f32(&Shipping, x | SIGN), y | SIGN);
    }
}

#[test]
fn every_subnormal_input() {
    for x in SUBNORMALS {
        let y = rcp_f32(&Shipping, x);
        if INVERTIBLE.contains(&x) {
            assert!(y < INFINITY && error(x, y).abs() < ULP, "{x:#010x} gives {y:#010x}");
        } else {
            assert_eq!(y, INFINITY, "{x:#010x}");
        }
    }
}

#[test]
fn every_subnormal_result() {
    let mut previous = 0x0080_0000;
    for x in HUGE {
        let y = rcp_f32(&Shipping, x);
        assert!(y <= previous && error(x, y).abs() < ULP, "{x:#010x} gives {y:#010x}");
        previous = y;
    }
}

#[test]
fn every_high_word() {
    for exponent in [1, 2, 1022, 1023, 2043, 2044, 2045, 2046] {
        for fraction in 1..1 << 20 {
            let x = exponent << 20 | fraction;
            let y = rcp_f64(&Shipping, x);
            assert_eq!(rcp_f64(&Shipping, x | SIGN), y | SIGN);
            if exponent >= 2045 {
                assert_eq!(y, 0, "{x:#010x}");
                continue;
            }
            // In units of the last place of the true 1/x, which is 2⁴¹ over the significand.
            let y = i64::from(y);
            let significand = i64::from(1 << 20 | fraction);
            let found = (1 << 20 | y & 0xf_ffff) << ((y >> 20) - i64::from(2045 - exponent));
            assert!((found * significand - (1 << 41)).abs() < significand, "{x:#010x}");
        }
    }
    assert_eq!(rcp_f64(&Shipping, 2046 << 20), 0);
}

/// A unit with a mistake at a site.
struct Mistaken(Site);

impl Knobs for Mistaken {
    fn wrong(&self, site: Site) -> bool {
        site == self.0
    }
}

/// A unit whose quadratic term is missing.
struct WithoutSquare;

impl Knobs for WithoutSquare {
    fn row(&self, _: Rom, table: &[[u32; 3]], segment: usize) -> [u32; 3] {
        [table[segment][0], table[segment][1], 0]
    }
}

/// Returns the percentage of `inputs` for which a faulty unit's error exceeds an ulp, rounded down.
fn caught(unit: &impl Knobs, inputs: Range<u32>) -> usize {
    let total = inputs.len();
    100 * inputs.filter(|&x| error(x, rcp_f32(unit, x)).abs() > ULP).count() / total
}

#[test]
fn faults_exceed_the_bound() {
    assert!(caught(&WithoutSquare, SIGNIFICANDS) > 90);
    assert!(caught(&Mistaken(Site::OffsetTruncated(Rom::Rcp)), SIGNIFICANDS) > 90);
}

#[test]
fn faults_reach_the_high_word() {
    let x = 0x3ff0_0ff0;
    assert_ne!(rcp_f64(&WithoutSquare, x), rcp_f64(&Shipping, x));
    let x = 0x3ff0_01ff;
    assert_ne!(rcp_f64(&Mistaken(Site::OffsetTruncated(Rom::Rcp)), x), rcp_f64(&Shipping, x));
}
