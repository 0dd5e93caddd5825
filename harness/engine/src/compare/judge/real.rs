//! Measures the signed error of a result against the unrounded truth, in exact integers.
//!
//! ulp(y) = 2^(max(floor(log2 |y|), emin) - (p - 1)) of the *true* y. Errors are counted in units
//! of 2^-32 ulp. The truth is a half-open dyadic interval whose ends, scaled to that unit, are
//! integers. So an error can be compared exactly with a bound in ulp.
//!
//! Absolute and relative bounds are not whole numbers of these units, so both ends of the interval
//! are compared with such a bound. Of a bound with more than 64 bits, such as 2^-20.5, only the
//! leading 64 bits count. So a result may be refused that is within the bound by less than a unit
//! in the 64th bit.

use std::fmt;

use assay_isa::format::Format;
use assay_isa::number::telling_decimals;
use assay_isa::truth::Enclosure;
use assay_vectors::Limit;

/// One ulp, in units of 2^-32 ulp.
pub const ONE_ULP: i64 = 1 << 32;

/// The greatest error magnitude that is stored. Greater magnitudes are clamped to this one, for
/// errors of either sign.
pub const FARTHEST_UNITS: i64 = i64::MAX;

/// Signed error `result - y` in units of 2^-32 ulp(y): it lies in `[floor, floor + 1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The error, rounded down to a whole unit and clamped to ±[`FARTHEST_UNITS`].
    pub floor: i64,
    /// Whether the error is exactly `floor`.
    pub exact: bool,
    /// Whether the result is the correctly rounded one: to nearest, ties to even.
    pub correctly_rounded: bool,
}

impl Error {
    /// Whether the magnitude is at most `limit` units.
    pub fn at_most(self, limit: u64) -> bool {
        let limit = i128::from(limit);
        let (low, high) = (i128::from(self.floor), i128::from(self.floor) + i128::from(!self.exact));
        low >= -limit && high <= limit
    }

    /// Whether the magnitude is below `limit` units.
    pub fn is_below(self, limit: u64) -> bool {
        let (limit, floor) = (i128::from(limit), i128::from(self.floor));
        // An error that is not exact lies above its floor.
        floor < limit && (floor > -limit || !self.exact && floor == -limit)
    }

    /// Whether the magnitude is below one ulp.
    pub fn is_faithful(self) -> bool {
        self.is_below(ONE_ULP as u64)
    }

    /// The error in ulp, rounded down to a whole unit.
    pub fn ulp(self) -> f64 {
        self.floor as f64 / ONE_ULP as f64
    }
}

/// Shows the error in ulp with a sign. If the error is near a round number, shows enough decimals
/// to distinguish both: `+1.0000000001`.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An error that is not exact lies above its floor, by less than a unit.
        let within = if self.exact { 0.0 } else { 0.5 };
        let text = telling_decimals((self.floor as f64 + within) / ONE_ULP as f64, 6);
        let sign = if text.starts_with('-') { "" } else { "+" };
        write!(f, "{sign}{text}")
    }
}

/// Returns the two neighbours of a real number in a format as patterns, the smaller magnitude
/// first. If the format has the number, both patterns are equal. Beyond the greatest number,
/// returns that number and infinity.
pub fn neighbours(format: Format, y: &Enclosure) -> [u32; 2] {
    let leading = top(y);
    let unit = leading.max(format.emin()) - format.fraction_bits as i32;
    let (significand, cut) = scale(y.significand, y.exponent - unit);
    // The significand of a normal number includes the leading bit. Adding it increases the exponent
    // field by one.
    let field = i64::from((leading - format.emin()).max(0));
    let magnitude = (field << format.fraction_bits) + significand as i64;
    let greatest = i64::from(format.infinity()) - 1;
    let exact = y.exact && !cut && magnitude <= greatest;
    let least = magnitude.min(greatest) as u32;
    let sign = if y.negative { format.sign_mask() } else { 0 };
    [sign | least, sign | (least + u32::from(!exact))]
}

/// Returns floor(log2 |y|). For zero, returns a value below the exponents of all formats.
pub fn top(y: &Enclosure) -> i32 {
    y.exponent + 127 - y.significand.leading_zeros() as i32
}

/// The error of a result that is not a NaN. An infinity counts as 2^(emax + 1).
pub fn error(format: Format, bits: u32, y: &Enclosure) -> Error {
    let unit = top(y).max(format.emin()) - format.fraction_bits as i32 - 32;
    let (significand, exponent) = parts(format, bits);
    let (truth, dropped) = scale(y.significand, y.exponent - unit);
    let exact = y.exact && !dropped;
    let (result, _) = scale(u128::from(significand), exponent - unit);
    // With the sign of y removed, result - |y| lies in (difference - 1, difference]. If y is exact,
    // the value is `difference`.
    let result = if format.is_negative(bits) == y.negative { result as i128 } else { -(result as i128) };
    let difference = result - truth as i128;
    let signed = match (y.negative, exact) {
        (false, true) => difference,
        (false, false) => difference - 1,
        (true, _) => -difference,
    };
    let half = i128::from(ONE_ULP / 2);
    let even = significand % 2 == 0;
    let below = difference - i128::from(!exact) >= -half && difference <= half;
    let tie = exact && difference.abs() == half;
    let correctly_rounded = below && (!tie || even);
    let farthest = i128::from(FARTHEST_UNITS);
    let floor = signed.clamp(-farthest, farthest) as i64;
    Error { floor, exact, correctly_rounded }
}

/// Whether |result - y| is certainly at most a limit. The distance is computed in units of the
/// limit's last place. If rounding leaves a doubt, returns `false`.
pub(super) fn is_within(format: Format, bits: u32, y: &Enclosure, limit: Limit) -> bool {
    is_at_most(distance(format, bits, y, limit.exponent), limit.significand.into())
}

/// Whether |result - y| is at most a share of |y|. If |y| is below the least normal number, half a
/// unit of the subnormal grid is enough.
///
/// The slack, share · |y| minus the distance, is least at an end of the interval of y, so testing
/// both ends is enough. The interval excludes one end. So a distance that equals the share at this
/// end is allowed, although y does not reach the end.
pub(super) fn is_within_share(format: Format, bits: u32, y: &Enclosure, share: Limit) -> bool {
    let is_within_at = |end: &Enclosure| {
        let (limit, unit) = product(share, end);
        is_at_most(distance(format, bits, end, unit), limit)
    };
    let half = Limit { significand: 1 << 63, exponent: format.grid() - 64, exact: true };
    ends(y).iter().all(is_within_at) || top(y) < format.emin() && is_within(format, bits, y, half)
}

/// Returns both ends of the interval in which a real number lies.
fn ends(y: &Enclosure) -> [Enclosure; 2] {
    let low = Enclosure { exact: true, ..*y };
    let high = match y.significand.checked_add(1) {
        _ if y.exact => low,
        Some(significand) => Enclosure { significand, ..low },
        None => Enclosure { significand: 1 << 127, exponent: y.exponent + 1, ..low },
    };
    [low, high]
}

/// Returns the product of a share and |y|: a significand below 2^126, rounded down, and the
/// exponent of its last bit.
fn product(share: Limit, y: &Enclosure) -> (i128, i32) {
    let vacant = y.significand.leading_zeros().min(127);
    let leading = y.significand << vacant;
    let share_bits = u128::from(share.significand);
    // The upper 128 of the 192 bits of the product.
    let high = share_bits * (leading >> 64) + ((share_bits * (leading & u128::from(u64::MAX))) >> 64);
    ((high >> 2) as i128, share.exponent + y.exponent - vacant as i32 + 66)
}

fn is_at_most(Distance { floor, slack }: Distance, limit: i128) -> bool {
    floor.saturating_add(slack) <= limit
}

/// Returns |result - y| in units of 2^-64, rounded down. `u64::MAX` if the distance is 1 or more.
pub(super) fn absolute_error(format: Format, bits: u32, y: &Enclosure) -> u64 {
    u64::try_from(distance(format, bits, y, -64).floor).unwrap_or(u64::MAX)
}

/// Returns |result - y| as a share of |y|, in units of 2^-64. The error was rounded down to whole
/// units of 2^-32 ulp before. If |y| is below the least normal number, the share is of that number.
/// `u64::MAX` if the share is 1 or more.
pub(super) fn relative_error(error: Error, format: Format, y: &Enclosure) -> u64 {
    let unit = top(y).max(format.emin()) - format.fraction_bits as i32 - 32;
    let (truth, _) = scale(y.significand, y.exponent - unit);
    let least = 1 << (format.fraction_bits + 32);
    u64::try_from((u128::from(error.floor.unsigned_abs()) << 64) / truth.max(least)).unwrap_or(u64::MAX)
}

/// A distance d in some unit: floor <= d <= floor + slack.
struct Distance {
    floor: i128,
    slack: i128,
}

fn distance(format: Format, bits: u32, y: &Enclosure, unit: i32) -> Distance {
    let (significand, exponent) = parts(format, bits);
    // If a number is far above the unit, the subtraction uses a coarser unit, so that both numbers
    // fit.
    let highest = top(y).max(exponent + 31 - significand.leading_zeros() as i32);
    let coarse = unit.max(highest - 124);
    let (result, result_cut) = scale(u128::from(significand), exponent - coarse);
    let (truth, truth_cut) = scale(y.significand, y.exponent - coarse);
    let (result, truth) = (result as i128, truth as i128);
    let (above, below) = (i128::from(result_cut), i128::from(truth_cut || !y.exact));
    let (floor, slack) = match format.is_negative(bits) == y.negative {
        // The bits cut off from the result and those cut off from the truth change the distance in
        // opposite directions.
        true if result == truth => (0, above.max(below)),
        true if result > truth => (result - truth - below, above + below),
        true => (truth - result - above, above + below),
        false => (result + truth, above + below),
    };
    let in_units = |distance: i128| scale(distance.unsigned_abs(), coarse - unit).0 as i128;
    Distance { floor: in_units(floor), slack: in_units(slack) }
}

/// Returns significand and exponent of a pattern's magnitude. Infinity counts as the power of two
/// after the greatest number.
fn parts(format: Format, bits: u32) -> (u32, i32) {
    let fraction = bits & format.fraction_mask();
    match format.exponent_field(bits) {
        0 => (fraction, format.grid()),
        e => (fraction | 1 << format.fraction_bits, format.grid() + e as i32 - 1),
    }
}

/// Returns floor(m * 2^shift), at most 2^126, and whether something was cut off.
pub(super) fn scale(m: u128, shift: i32) -> (u128, bool) {
    const CEILING: u128 = 1 << 126;
    match shift {
        ..=-128 => (0, m != 0),
        -127..0 => (m >> -shift, m & ((1 << -shift) - 1) != 0),
        0..126 if m >> (126 - shift) == 0 => (m << shift, false),
        _ if m == 0 => (0, false),
        _ => (CEILING, true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_isa::format::{BF16, F16, F32};

    #[test]
    fn a_text_tells_the_side_of_a_bound() {
        let error = |floor, exact| Error { floor, exact, correctly_rounded: false }.to_string();
        for (floor, exact, text) in [
            (ONE_ULP, true, "+1.000000"),
            (ONE_ULP, false, "+1.0000000001"),
            (ONE_ULP - 1, false, "+0.9999999999"),
            (-ONE_ULP, true, "-1.000000"),
            (-ONE_ULP, false, "-0.9999999999"),
            (-ONE_ULP - 1, false, "-1.0000000001"),
            (2 * ONE_ULP + 86, true, "+2.00000002"),
            (ONE_ULP / 2, true, "+0.500000"),
            (0, true, "+0.000000"),
            (-872_011_541, true, "-0.203031"),
            (FARTHEST_UNITS, false, "+2147483648.000000"),
        ] {
            assert_eq!(error(floor, exact), text, "{floor} {exact}");
        }
    }

    #[test]
    fn neighbours_enclose_the_number() {
        let number =
            |negative, significand, exponent, exact| Enclosure { negative, significand, exponent, exact };
        let cases = [
            (F32, number(false, 1, 0, true), [0x3f80_0000; 2]),
            (F32, number(false, 1, 0, false), [0x3f80_0000, 0x3f80_0001]),
            (F32, number(true, 0x2aaa_aaaa, -31, false), [0xbeaa_aaaa, 0xbeaa_aaab]),
            (F32, number(false, 1, -149, true), [1, 1]),
            (F32, number(false, 1, -150, true), [0, 1]),
            (F32, number(false, (1 << 25) - 1, -151, true), [0x007f_ffff, 0x0080_0000]),
            (F32, number(true, 1, 200, true), [0xff7f_ffff, 0xff80_0000]),
            (F16, number(false, 0xfff, 4, true), [0x7bff, 0x7c00]),
            (BF16, number(false, 0x181, 0, true), [0x43c0, 0x43c1]),
        ];
        for (format, y, expected) in cases {
            assert_eq!(neighbours(format, &y), expected, "{} {y:?}", format.name);
        }
    }

    fn number(significand: u128, exponent: i32, exact: bool) -> Enclosure {
        Enclosure { negative: false, significand, exponent, exact }
    }

    /// 2 to an integer power, as a limit.
    fn power(exponent: i32) -> Limit {
        Limit { significand: 1 << 63, exponent: exponent - 63, exact: true }
    }

    /// An error that is not exact lies above its floor, so it is beyond a limit that its floor equals.
    #[test]
    fn an_error_at_its_limit_holds_if_it_is_exact_or_negative() {
        for (floor, exact, holds) in [
            (4, true, true),
            (4, false, false),
            (3, false, true),
            (5, true, false),
            (-5, true, false),
            (-5, false, false),
            (-4, false, true),
            (-4, true, true),
            (0, false, true),
        ] {
            let error = Error { floor, exact, correctly_rounded: false };
            assert_eq!(error.at_most(4), holds, "{floor} {exact}");
        }
    }

    /// Bits that are cut off from a result or from its truth make the distance uncertain: by up to
    /// one unit for each of the two.
    #[test]
    fn a_distance_is_known_to_within_what_is_cut_off() {
        let (two, two_and_a_half) = (number(2, 0, true), number(5, -1, true));
        let (five, five_and_a_half) = (number(5, 0, true), number(11, -1, true));
        for (result, y, expected) in [
            (5.5, two_and_a_half, (2, 2)),
            (5.0, number(2, 0, false), (2, 1)),
            (5.0, two_and_a_half, (2, 1)),
            (5.5, two, (3, 1)),
            (5.0, two, (3, 0)),
            (2.5, five_and_a_half, (2, 2)),
            (2.0, number(5, 0, false), (3, 1)),
            (2.5, five, (2, 1)),
            (2.0, five, (3, 0)),
            (-2.5, five_and_a_half, (7, 2)),
            (-2.0, five_and_a_half, (7, 1)),
            (-2.5, five, (7, 1)),
            (-2.0, five, (7, 0)),
            (2.5, two_and_a_half, (0, 1)),
            (2.5, two, (0, 1)),
            (2.0, two_and_a_half, (0, 1)),
            (2.0, two, (0, 0)),
        ] {
            let Distance { floor, slack } = distance(F32, f32::to_bits(result), &y, 0);
            assert_eq!((floor, slack), expected, "{result} {y:?}");
        }
        assert_eq!(absolute_error(F32, 0x0d80_0000, &number(1, -100, true)), 0, "2^-100 is itself");
    }

    #[test]
    fn a_number_is_within_any_bound_of_itself() {
        for (exponent, bits) in [(-126, 0x0080_0000), (0, 0x3f80_0000), (127, 0x7f00_0000)] {
            let y = number(1, exponent, true);
            for limit in [-200, -100, -64, 0, 100].map(power) {
                assert!(is_within(F32, bits, &y, limit), "2^{exponent} {limit:?}");
                assert!(is_within_share(F32, bits, &y, limit), "2^{exponent} {limit:?}");
            }
        }
        let zero = number(0, 0, true);
        assert!(is_within(F32, 0, &zero, power(-1000)) && is_within_share(F32, 0, &zero, power(-1000)));
    }

    #[test]
    fn a_share_is_taken_of_both_ends_of_the_truth() {
        // 2^128 - 1 is the last significand: the number lies between it and 2^128.
        let last = number(u128::MAX, -127, false);
        let (above_one, below_one) = (number(1 << 100, -100, false), number((1 << 100) - 1, -100, false));
        for (result, y, share, holds) in [
            // Exactly a sixteenth from the end at 1, which the truth does not reach.
            (1.0625, above_one, -4, true),
            (0.9375, above_one, -4, false),
            (0.9375, below_one, -4, true),
            (1.0625, below_one, -4, false),
            (1.0625, number(1, 0, true), -4, true),
            (0.9375, number(1, 0, true), -4, true),
            (1.9, last, -4, true),
            (2.1, last, -4, true),
            (1.87, last, -4, false),
            (2.13, last, -4, false),
        ] {
            assert_eq!(is_within_share(F32, f32::to_bits(result), &y, power(share)), holds, "{result} {y:?}");
        }
    }

    /// Below the least normal number, half a unit is allowed however small the share is. From that
    /// number on, only the share decides.
    #[test]
    fn half_a_unit_is_allowed_below_the_least_normal_number_alone() {
        for (units, result, holds) in [
            (((1 << 23) - 1) * 4 + 2, 0x0080_0000, true),
            (((1 << 23) - 1) * 4 + 1, 0x0080_0000, false),
            ((1 << 23) * 4, 0x0080_0000, true),
            ((1 << 23) * 4 + 1, 0x0080_0000, false),
        ] {
            assert_eq!(
                is_within_share(F32, result, &number(units, -151, true), power(-90)),
                holds,
                "{units}"
            );
        }
    }

    /// A result far beyond its bound is refused, even if the distance in units of the bound does
    /// not fit the integer.
    #[test]
    fn a_result_beyond_the_units_of_a_share_is_refused() {
        let share = Limit { significand: u64::MAX, exponent: -63, exact: true };
        let y = number((1 << 24) - 1, -23, true);
        for (result, holds) in [(3.0, true), (5.9, true), (6.1, false), (1000.0, false), (1e30, false)] {
            assert_eq!(is_within_share(F32, f32::to_bits(result), &y, share), holds, "{result}");
        }
    }

    #[test]
    fn a_share_is_rounded_down_in_its_last_place() {
        for (share, significand, expected) in [
            (1 << 63, u128::MAX, (1 << 125) - 1),
            (u64::MAX, u128::MAX, (1 << 126) - (1 << 62) - 1),
            (1 << 63, 1 << 127, 1 << 124),
            (3 << 62, (1 << 127) + (1 << 65), 3 * ((1 << 123) + (1 << 61))),
        ] {
            let share = Limit { significand: share, exponent: -63, exact: true };
            let y = number(significand, -127, true);
            assert_eq!(product(share, &y), (expected, -124), "{share:?} {significand:#x}");
        }
        assert_eq!(product(power(0), &number(1, 0, true)), (1 << 124, -124));
        assert_eq!(product(power(0), &number(0, 0, true)).0, 0);
    }
}
