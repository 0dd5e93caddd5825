//! Compares all four rounding modes with the host's arithmetic, which only rounds to nearest.
//!
//! A product of two binary32 numbers is exact in binary64, and so is the error of a sum of two
//! binary64 numbers within their range. Product and error show on which side of the exact value a
//! binary32 number lies.

use crate::support::sample::{self, Random};
use crate::support::{RESULT, instruction, modifiers};
use assay_isa::codec::encode;
use assay_isa::{Batch, Effects, EncodingTable, Readings, Subject};
use assay_model::model;

const LANES: usize = 1 << 17;

/// Returns a · b + c, rounded in a mode.
fn expected(mode: &str, a: f32, b: f32, c: f32) -> u32 {
    let nearest = a.mul_add(b, c);
    if nearest.is_nan() {
        return 0x7fff_ffff;
    }
    if [a, b, c].iter().any(|x| x.is_infinite()) {
        return nearest.to_bits();
    }
    // The exact value is sum + rest.
    let (product, addend) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + addend;
    let back = sum - product;
    let rest = (product - (sum - back)) + (addend - back);
    if sum == 0.0 {
        let negative = if product.is_sign_negative() == addend.is_sign_negative() {
            addend.is_sign_negative()
        } else {
            mode == "RM"
        };
        return if negative { 0x8000_0000 } else { 0 };
    }
    let above = f64::from(nearest) > sum || f64::from(nearest) == sum && rest < 0.0;
    let below = f64::from(nearest) < sum || f64::from(nearest) == sum && rest > 0.0;
    let (down, up) = match mode {
        "RN" => (false, false),
        "RP" => (false, true),
        "RM" => (true, false),
        _ => (sum > 0.0, sum < 0.0),
    };
    match nearest {
        x if up && below => x.next_up().to_bits(),
        x if down && above => x.next_down().to_bits(),
        x => x.to_bits(),
    }
}

fn check(form: &str, mode: &str, truth: impl Fn(&[f32]) -> u32) {
    let word = instruction(form, &modifiers(form, mode));
    let mut batch = Batch::new(encode(&word, EncodingTable::provisional()), &word.reads(), LANES);
    let mut random = Random(0x5eed);
    for lane in 0..LANES {
        let mut other = 0x3f80_0000;
        for column in 0..batch.locations().len() {
            other = sample::float(&mut random, other);
            batch.column_mut(column)[lane] = other;
        }
    }
    let mut model: Box<dyn Subject> = model(EncodingTable::provisional().clone(), Readings::INTENDED);
    let mut effects = Effects::default();
    model.execute(&batch, &mut effects).unwrap();
    for (lane, found) in effects.columns()[0].values.iter().enumerate() {
        let operands: Vec<f32> = batch.lane(lane).map(|(_, bits)| f32::from_bits(bits)).collect();
        let expected = truth(&operands);
        let bits: Vec<u32> = operands.iter().map(|x| x.to_bits()).collect();
        assert_eq!(*found, expected, "{form}.{mode} {bits:08x?}: {found:#010x}, not {expected:#010x}");
    }
    assert_eq!(effects.columns()[0].location, RESULT);
}

#[test]
fn sums_products_and_both() {
    for mode in ["RN", "RP", "RM", "RZ"] {
        check("FADD_RR", mode, |x| expected(mode, x[0], 1.0, x[1]));
        check("FFMA_RRR", mode, |x| expected(mode, x[0], x[1], x[2]));
        // Adding a zero with the product's sign never changes the product, even if the product is
        // zero.
        check("FMUL_RR", mode, |x| expected(mode, x[0], x[1], 0_f32.copysign(x[0].signum() * x[1].signum())));
    }
}
