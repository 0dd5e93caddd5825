//! Conditions and classes of values that the hints of several rows use.

use crate::hints::{Condition, ExcludedValues, no_result};

pub(super) const FTZ: Condition = Condition::Field("ftz", &["FTZ"]);
pub(super) const SAT: Condition = Condition::Field("sat", &["SAT"]);
pub(super) const WRAP: Condition = Condition::Field("cwmode", &["WRAP"]);

pub(super) const MINUS_ZERO: &[&str] = &["-zero"];
pub(super) const SUBNORMALS: &[&str] = &["+subnormal", "-subnormal"];
pub(super) const SIGNALLING: &[&str] = &["+signalling NaN", "-signalling NaN"];
/// The NaNs but the positive quiet one.
pub(super) const OTHER_NANS: &[&str] = &["+signalling NaN", "-quiet NaN", "-signalling NaN"];
/// The NaNs but the negative quiet one.
pub(super) const NOT_NEGATIVE_QUIET: &[&str] = &["+quiet NaN", "+signalling NaN", "-signalling NaN"];
/// The bits that do not fit 16 bits.
pub(super) const BEYOND_HALF: &[&str] = &["all ones", "the top bit", "all but the top bit", "negative"];

pub(super) const IN_UNIT: &str = ".SAT leaves nothing outside [+0, 1]";

/// What `.SAT` leaves of results, zeros apart.
pub(super) const SATURATED: ExcludedValues =
    no_result(SAT, &["+infinity", "+quiet NaN", "-quiet NaN", "-subnormal", "-normal", "-infinity"], IN_UNIT);
