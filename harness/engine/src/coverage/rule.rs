//! A rule that says which classes no case has, and the classes that several rules are about.

/// Whether it holds, of which classes, and why.
pub(super) type Rule = (bool, &'static [&'static str], &'static str);

pub(super) const OTHER_NANS: &[&str] = &["+signalling NaN", "-quiet NaN", "-signalling NaN"];
pub(super) const NOT_NEGATIVE_QUIET: &[&str] = &["+quiet NaN", "+signalling NaN", "-signalling NaN"];
pub(super) const SUBNORMALS: &[&str] = &["+subnormal", "-subnormal"];
pub(super) const BEYOND_UNIT: &[&str] =
    &["+infinity", "+quiet NaN", "-quiet NaN", "-subnormal", "-normal", "-infinity"];
pub(super) const MINUS_ZERO: &[&str] = &["-zero"];
