//! Tests every significand of both binades.

use super::{row, significand};
use crate::knobs::Sound;
use crate::mufu::interpolate::tests::measure_root;

#[test]
fn every_significand() {
    let rises = |previous, y| y >= previous;
    let measured = measure_root(|x, odd| significand(&Sound, row(x, odd), x), f64::sqrt, rises);
    measured.assert(0.799, 92.56);
    assert!(measured.absolute < 2.0_f64.powi(-24), "half an ulp, so exact roots come out exact");
}

#[test]
fn one_is_exact() {
    assert_eq!(significand(&Sound, row(1 << 23, false), 1 << 23), 1 << 31);
}
