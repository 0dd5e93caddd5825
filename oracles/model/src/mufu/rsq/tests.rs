//! Tests every significand of both binades.

use super::{row, significand};
use crate::knobs::Sound;
use crate::mufu::interpolate::tests::measure_root;

#[test]
fn every_significand() {
    let falls = |previous, y| y <= previous && y > 1 << 30;
    measure_root(|x, odd| significand(&Sound, row(x, odd), x), |x| 1.0 / x.sqrt(), falls)
        .assert(1.254, 86.29);
}

#[test]
fn one_is_what_rounds_to_it() {
    assert!(significand(&Sound, row(1 << 23, false), 1 << 23) >= (1 << 31) - (1 << 6));
}
