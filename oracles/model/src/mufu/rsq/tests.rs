//! Every significand of both binades.

use super::significand;
use crate::mufu::interpolate::tests::{Sound, measure_root};

#[test]
fn every_significand() {
    let falls = |previous, y| y <= previous && y > 1 << 30;
    measure_root(|x, odd| significand(&Sound, x, odd), |x| 1.0 / x.sqrt(), falls).assert(1.254, 86.29);
}

#[test]
fn one_is_what_rounds_to_it() {
    assert!(significand(&Sound, 1 << 23, false) >= (1 << 31) - (1 << 6));
}
