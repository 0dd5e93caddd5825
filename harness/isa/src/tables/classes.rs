//! Conditions and value classes that the hints of several rows share.

use crate::hints::{Condition, ExcludedValues, no_result};

pub(super) const FTZ: Condition = Condition::Field("ftz", &["FTZ"]);
pub(super) const SAT: Condition = Condition::Field("sat", &["SAT"]);
pub(super) const WRAP: Condition = Condition::Field("cwmode", &["WRAP"]);

pub(super) const MINUS_ZERO: &[&str] = &["-zero"];
pub(super) const SUBNORMALS: &[&str] = &["+subnormal", "-subnormal"];
pub(super) const SIGNALLING: &[&str] = &["+signalling NaN", "-signalling NaN"];
/// All NaN classes except the positive quiet NaN.
pub(super) const OTHER_NANS: &[&str] = &["+signalling NaN", "-quiet NaN", "-signalling NaN"];
/// All NaN classes except the negative quiet NaN.
pub(super) const NOT_NEGATIVE_QUIET: &[&str] = &["+quiet NaN", "+signalling NaN", "-signalling NaN"];
/// The classes of words that do not fit in 16 bits.
pub(super) const BEYOND_HALF: &[&str] = &["all ones", "the top bit", "all but the top bit", "negative"];

pub(super) const IN_UNIT: &str = ".SAT leaves nothing outside [+0, 1]";

/// The classes that `.SAT` excludes from results, apart from -0.
pub(super) const SATURATED: ExcludedValues =
    no_result(SAT, &["+infinity", "+quiet NaN", "-quiet NaN", "-subnormal", "-normal", "-infinity"], IN_UNIT);
