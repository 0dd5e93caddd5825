//! The numbers of a bound: its limit, and its interval of arguments.

use std::f64::consts::PI;
use std::fmt;

use assay_isa::shown::quoted;
use num_bigint::BigUint;

use crate::text::Parsed;

/// Number of fraction bits of a limit in ulp: such a limit is a multiple of 2^-32.
const FRACTION: u32 = 32;

/// A real number that is not negative, rounded down to 64 significant bits: `significand *
/// 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limit {
    /// The leading bits. The highest bit is set unless the limit is 0.
    pub significand: u64,
    /// Exponent of the lowest bit of `significand`.
    pub exponent: i32,
    /// Whether the stored limit is exact, and not rounded down.
    pub exact: bool,
}

impl Limit {
    /// Returns the limit in units of 2^-32. `None` unless it is a whole number of units below 2^62.
    pub fn units(&self) -> Option<u64> {
        let shift = self.exponent + FRACTION as i32;
        let whole = |shift: u32| self.significand.trailing_zeros() >= shift;
        match shift {
            _ if self.significand == 0 => Some(0),
            _ if !self.exact => None,
            -63..0 if whole(shift.unsigned_abs()) => Some(self.significand >> -shift),
            _ => None,
        }
        .filter(|units| *units < 1 << 62)
    }

    /// Returns the limit as a double, which may be rounded. The judge does not use this value.
    pub fn value(&self) -> f64 {
        self.significand as f64 * 2f64.powi(self.exponent)
    }

    /// Returns the quotient of two integers as a limit, rounded down to 64 significant bits.
    fn quotient(numerator: &BigUint, denominator: &BigUint) -> Limit {
        // The scaled quotient has more than 64 bits, unless it is 0.
        let scaled = numerator << denominator.bits() << 64_u32;
        let quotient = &scaled / denominator;
        let dropped = quotient.bits().saturating_sub(64);
        let kept = quotient >> dropped;
        Limit {
            significand: kept.iter_u64_digits().next().unwrap_or(0),
            exponent: dropped as i32 - denominator.bits() as i32 - 64,
            exact: (kept << dropped) * denominator == scaled,
        }
    }

    /// Returns 2 to the power of `thousandths` / 1000, rounded down.
    fn power_of_two(thousandths: i32) -> Limit {
        let (whole, rest) = (thousandths.div_euclid(1000), thousandths.rem_euclid(1000) as u32);
        let common = (1..=1000).rev().find(|n| 1000 % n == 0 && rest % n == 0).unwrap_or(1);
        let (numerator, degree) = (rest / common, 1000 / common);
        let target = BigUint::from(1u8) << (63 * degree + numerator);
        let near = (2f64.powf(f64::from(rest) / 1000.0) * 2f64.powi(63)) as u64;
        Limit { significand: root(near, degree, &target), exponent: whole - 63, exact: rest == 0 }
    }
}

/// Returns the greatest integer whose power with exponent `degree` is at most `target`. `near` is
/// an estimate of the result.
fn root(near: u64, degree: u32, target: &BigUint) -> u64 {
    let power = |root: u64| BigUint::from(root).pow(degree);
    let mut root = newton(near, degree, target);
    while power(root) > *target {
        root -= 1;
    }
    while power(root + 1) <= *target {
        root += 1;
    }
    root
}

/// Returns a better estimate of a root: the result of one Newton step from `root`.
fn newton(root: u64, degree: u32, target: &BigUint) -> u64 {
    let power = BigUint::from(root).pow(degree);
    let (is_above, distance) =
        if power > *target { (true, &power - target) } else { (false, target - &power) };
    // The leading 128 bits of `target` are precise enough for one step.
    let cut = target.bits().saturating_sub(128);
    let step = (distance >> cut) * root / ((target >> cut) * degree);
    let step = step.iter_u64_digits().next().unwrap_or(0);
    if is_above { root - step } else { root + step }
}

impl Parsed for Limit {
    const EXAMPLE: &'static str = "\"0.5\", \"3/4\" or \"2^-20.5\"";

    /// Reads a decimal such as `0.5`, a fraction such as `3/4` or a power of two such as `2^-20.5`.
    fn parsed(text: &str) -> Result<Limit, String> {
        let problem =
            "is no number; write a decimal such as 0.5, a fraction such as 3/4 or a power such as 2^-20.5";
        let limit = match text.strip_prefix("2^") {
            Some(power) => thousandths(power).map(Limit::power_of_two),
            None => rational(text).map(|(n, d)| Limit::quotient(&n, &d)),
        };
        limit.ok_or_else(|| format!("the bound `{}` {problem}", quoted(text)))
    }
}

/// Checks that a limit is a whole number of units of 2^-32 ulp, below 2^30 ulp. The error for a
/// fraction with more bits names the next lower limit that is allowed.
pub(crate) fn check_ulp(limit: &Limit, text: &str) -> Result<(), String> {
    if limit.units().is_some() {
        return Ok(());
    }
    let shift = limit.exponent + FRACTION as i32;
    if shift > -2 {
        return Err(format!("the bound `{}` is too large; it must be below 2^30 ulp", quoted(text)));
    }
    let below = limit.significand.checked_shr(shift.unsigned_abs()).unwrap_or(0);
    Err(format!(
        "the bound `{}` is no multiple of 2^-32; {below}/{} is the next lower one",
        quoted(text),
        1u64 << FRACTION
    ))
}

/// Reads a signed decimal that is a whole number of thousandths, at most 1000 in magnitude. Returns
/// the number of thousandths.
fn thousandths(text: &str) -> Option<i32> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (numerator, denominator) = decimal(digits)?;
    let scaled = numerator * 1000u32;
    let exact = &scaled % &denominator == BigUint::ZERO;
    let value = i32::try_from(scaled / denominator).ok().filter(|v| exact && *v <= 1_000_000)?;
    Some(if negative { -value } else { value })
}

/// Returns the numerator and the denominator, which may have common factors. The denominator is not
/// 0.
fn rational(text: &str) -> Option<(BigUint, BigUint)> {
    match text.split_once('/') {
        Some((n, d)) => {
            let denominator = digits(d)?;
            (denominator != BigUint::ZERO).then_some((digits(n)?, denominator))
        }
        None => decimal(text),
    }
}

fn decimal(text: &str) -> Option<(BigUint, BigUint)> {
    let Some((whole, fraction)) = text.split_once('.') else {
        return Some((digits(text)?, BigUint::from(1u8)));
    };
    let denominator = BigUint::from(10u8).pow(fraction.len() as u32);
    Some((digits(whole)? * &denominator + digits(fraction)?, denominator))
}

fn digits(text: &str) -> Option<BigUint> {
    let plain = !text.is_empty() && text.len() <= 20 && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// An interval of arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    low: f64,
    high: f64,
    includes_low: bool,
    includes_high: bool,
    text: String,
}

impl Interval {
    /// Whether an argument lies in the interval.
    ///
    /// An end such as 2π is rounded to the nearest double. This does not matter for arguments in
    /// narrower formats, because none lies between the exact end and that double.
    pub fn contains(&self, x: f64) -> bool {
        let above = if self.includes_low { x >= self.low } else { x > self.low };
        let below = if self.includes_high { x <= self.high } else { x < self.high };
        above && below
    }

    /// Returns both ends, the lower first.
    pub fn ends(&self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// Whether an end of the interval lies between `least` and `most`, both included.
    pub fn divides(&self, least: f64, most: f64) -> bool {
        [self.low, self.high].iter().any(|end| (least..=most).contains(end))
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Parsed for Interval {
    const EXAMPLE: &'static str = "\"(0.5, 2)\" or \"[-2pi, 2pi]\"";

    fn parsed(text: &str) -> Result<Interval, String> {
        let problem = || format!("`{}` is no interval; write such as {}", quoted(text), Interval::EXAMPLE);
        let includes_low = text.starts_with('[');
        let includes_high = text.ends_with(']');
        let inner = text.strip_prefix(['[', '(']).and_then(|t| t.strip_suffix([']', ')']));
        let ends = inner.and_then(|t| t.split_once(',')).and_then(|(a, b)| Some((end(a)?, end(b)?)));
        let (low, high) = ends.filter(|(low, high)| low < high).ok_or_else(problem)?;
        Ok(Interval { low, high, includes_low, includes_high, text: text.to_owned() })
    }
}

/// Reads an end of an interval: a decimal or a power of two, optionally negative, optionally times
/// π.
fn end(text: &str) -> Option<f64> {
    let text = text.trim();
    let (negative, magnitude) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (number, unit) = magnitude.strip_suffix("pi").map_or((magnitude, 1.0), |number| (number, PI));
    let value = match number.strip_prefix("2^") {
        Some(exponent) => {
            2f64.powi(exponent.parse().ok().filter(|exponent| (-1000..1000).contains(exponent))?)
        }
        None => number.parse().ok().filter(|_| decimal(number).is_some())?,
    };
    let value: f64 = value * unit;
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_in_ulp_are_exact() {
        let one = 1 << FRACTION;
        let good = [
            ("1", one),
            ("0", 0),
            ("0.5", one / 2),
            ("3/4", one / 4 * 3),
            ("1.0", one),
            ("2.25", one / 4 * 9),
            ("2^-3", one / 8),
            ("0/99999999999", 0),
        ];
        for (text, units) in good {
            assert_eq!(Limit::parsed(text).unwrap().units(), Some(units), "{text}");
        }
        assert_eq!(Limit::parsed("1073741823").unwrap().units(), Some((1 << 62) - one));
        for text in ["0.1", "1/3", "1073741824", "2^30", "2^-33", "3/8589934592", "2^-0.5"] {
            let limit = Limit::parsed(text).unwrap();
            assert!(limit.units().is_none() && check_ulp(&limit, text).is_err(), "{text}");
        }
        let message = check_ulp(&Limit::parsed("0.1").unwrap(), "0.1").unwrap_err();
        assert!(message.contains("429496729/4294967296"), "{message}");
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "",
            ".5",
            "1.",
            "-1",
            "+1",
            "1e0",
            "1/0",
            "1/",
            "a",
            "1.2.3",
            "2^",
            "2^x",
            "2^-1.2345",
            "2^9999999",
        ] {
            assert!(Limit::parsed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn limits_are_rounded_down() {
        let root = Limit::parsed("2^-20.5").unwrap();
        // The square root of 2 in 63 fraction bits.
        assert_eq!((root.significand, root.exponent, root.exact), (0xb504_f333_f9de_6484, -21 - 63, false));
        let third = Limit::parsed("1/3").unwrap();
        assert_eq!((third.significand, third.exponent, third.exact), (0xaaaa_aaaa_aaaa_aaaa, -65, false));
        let power = Limit::parsed("2^-22").unwrap();
        assert_eq!((power.significand, power.exponent, power.exact), (1 << 63, -85, true));
    }

    #[test]
    fn intervals_have_open_and_closed_ends() {
        let open = Interval::parsed("(0.5, 2)").unwrap();
        assert!(open.contains(1.0) && !open.contains(0.5) && !open.contains(2.0));
        let closed = Interval::parsed("[-2pi, 2pi]").unwrap();
        assert!(closed.contains(2.0 * PI) && closed.contains(-2.0 * PI));
        assert!(
            !closed.contains(2.0 * PI + 1e-6) && !closed.contains(f64::from(f32::from_bits(0xc0c9_0fdb)))
        );
        for text in ["", "[1]", "[2, 1]", "(1, 1)", "1, 2", "[a, b]", "[1, 2"] {
            assert!(Interval::parsed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn limits_have_a_value_for_display() {
        for (text, value) in
            [("0", 0.0), ("0.5", 0.5), ("3/4", 0.75), ("2^-22", 0.5_f64.powi(22)), ("2^3", 8.0)]
        {
            assert_eq!(Limit::parsed(text).unwrap().value(), value, "{text}");
        }
    }

    /// Checks with integers that the limit is at most the given power of two, and that a limit with
    /// the next significand would be greater.
    #[test]
    fn a_root_is_the_greatest_that_is_not_above() {
        for (text, thousandths) in [
            ("2^0.001", 1),
            ("2^0.002", 2),
            ("2^0.25", 250),
            ("2^0.5", 500),
            ("2^0.999", 999),
            ("2^-0.001", -1),
            ("2^-14.7", -14_700),
            ("2^-22.9", -22_900),
            ("2^-0.625", -625),
            ("2^7.125", 7_125),
            ("2^1000", 1_000_000),
            ("2^-1000", -1_000_000),
        ] {
            let limit = Limit::parsed(text).unwrap();
            let power = |root: u64| BigUint::from(root).pow(1000);
            let target = BigUint::from(1u8) << (thousandths - 1000 * limit.exponent);
            assert!(limit.significand >> 63 == 1, "{text}: its highest bit is set");
            assert!(power(limit.significand) <= target && target < power(limit.significand + 1), "{text}");
            assert_eq!(limit.exact, thousandths % 1000 == 0, "{text}");
        }
        assert!(Limit::parsed("2^1000.001").is_err());
    }

    /// Checks starts above and below the root. A Newton step ends below the root. The worse the
    /// start, the farther below.
    #[test]
    fn a_root_does_not_depend_on_its_start() {
        // The square root of 2 in 63 fraction bits, and an exact root.
        for (target, expected) in
            [(BigUint::from(1u8) << 127, 0xb504_f333_f9de_6484_u64), (BigUint::from(1u8) << 126, 1 << 63)]
        {
            for away in [0, 1, 2, 4096, 1 << 33] {
                for near in [expected - away, expected + away] {
                    assert_eq!(root(near, 2, &target), expected, "{near:#x}");
                }
            }
        }
    }

    #[test]
    fn quotients_are_exact_where_they_can_be() {
        for (text, significand, exponent, exact) in [
            ("1", 1 << 63, -63, true),
            ("6/3", 1 << 63, -62, true),
            ("1/4", 1 << 63, -65, true),
            ("18446744073709551615", u64::MAX, 0, true),
            ("18446744073709551617", 1 << 63, 1, false),
            ("36893488147419103231", u64::MAX, 1, false),
            ("2/3", 0xaaaa_aaaa_aaaa_aaaa, -64, false),
            ("99999999999999999999/99999999999999999999", 1 << 63, -63, true),
            ("0.125", 1 << 63, -66, true),
            ("99999999999999999999.00000000000000000001", 0xad78_ebc5_ac61_ffff, 3, false),
            ("1/99999999999999999999", 0xbce5_0864_9211_1aea, -130, false),
        ] {
            let limit = Limit::parsed(text).unwrap();
            let found = (limit.significand, limit.exponent, limit.exact);
            assert_eq!(found, (significand, exponent, exact), "{text}");
        }
        let zero = Limit::parsed("0").unwrap();
        assert_eq!((zero.significand, zero.exact, zero.units()), (0, true, Some(0)));
        assert!(Limit::parsed("100000000000000000000").is_err(), "21 digits");
    }

    #[test]
    fn a_limit_that_is_no_number_of_ulp_names_the_next_lower_one() {
        for (text, words) in [
            ("1/3", "1431655765/4294967296 is the next lower one"),
            ("2^-33", "0/4294967296 is the next lower one"),
            ("2^-500", "0/4294967296 is the next lower one"),
            ("2.3", "9878424780/4294967296 is the next lower one"),
            ("2^29.5", "is the next lower one"),
            ("2^30", "is too large; it must be below 2^30 ulp"),
            ("2^31", "is too large; it must be below 2^30 ulp"),
            ("2^30.5", "is too large; it must be below 2^30 ulp"),
        ] {
            let message = check_ulp(&Limit::parsed(text).unwrap(), text).unwrap_err();
            assert!(message.contains(words), "{text}: {message}");
        }
    }

    #[test]
    fn an_interval_divides_what_it_ends_in() {
        let interval = Interval::parsed("[-2, 3)").unwrap();
        assert_eq!(interval.ends(), [-2.0, 3.0]);
        assert!(interval.contains(-2.0) && interval.contains(2.9) && !interval.contains(3.0));
        for (least, most, expected) in [
            (-3.0, -1.0, true),
            (-1.0, 2.5, false),
            (2.5, 3.5, true),
            (3.0, 4.0, true),
            (2.0, 3.0, true),
            (3.5, 4.0, false),
            (-9.0, 9.0, true),
            (-9.0, -3.0, false),
        ] {
            assert_eq!(interval.divides(least, most), expected, "{least} {most}");
        }
        assert_eq!(interval.to_string(), "[-2, 3)");
        assert_eq!(Interval::parsed("(-1pi, 0.5pi]").unwrap().ends(), [-PI, 0.5 * PI]);
        assert_eq!(Interval::parsed("(-2^126, 2^-1)").unwrap().ends(), [-(126f64.exp2()), 0.5]);
        for text in ["(2^, 1)", "(1, 2^1000)", "(0, 2^1.5)", "(0, 2^1e2)"] {
            assert!(Interval::parsed(text).is_err(), "{text}");
        }
    }
}
