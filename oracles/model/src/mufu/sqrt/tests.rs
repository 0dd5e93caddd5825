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
            assert!(y >= previous, "{x:#x}");
            previous = y;
            let real = f64::from(x) / f64::from(1 << 23) * f64::from(1 + u32::from(odd));
            measured.add(Number { negative: false, significand: y, exponent: -31 }, real.sqrt());
        }
    }
    measured.assert(0.799, 92.56);
    assert!(measured.absolute < 2.0_f64.powi(-24), "half an ulp, so exact roots come out exact");
}

#[test]
fn one_is_exact() {
    assert_eq!(significand(&Sound, 1 << 23, false), 1 << 31);
}
