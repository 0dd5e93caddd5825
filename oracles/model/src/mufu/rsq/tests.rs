//! Every significand of both binades.

use super::significand;
use crate::mufu::interpolate::tests::{Measured, Sound};
use crate::mufu::number::Number;

#[test]
fn every_significand() {
    let mut measured = Measured::default();
    let mut previous = 1 << 31;
    for odd in [false, true] {
        for x in 1 << 23..1 << 24 {
            let y = significand(&Sound, x, odd);
            assert!(y <= previous && y > 1 << 30, "{x:#x}");
            previous = y;
            let real = f64::from(x) / f64::from(1 << 23) * f64::from(1 + u32::from(odd));
            measured.add(Number { negative: false, significand: y << 1, exponent: -32 }, 1.0 / real.sqrt());
        }
    }
    measured.assert(1.254, 86.29);
}

#[test]
fn one_is_what_rounds_to_it() {
    assert!(significand(&Sound, 1 << 23, false) >= (1 << 31) - (1 << 6));
}
