//! Numbers as text. Rounding never turns something into all or nothing.

use assay_engine::compare::judge::ONE_ULP;

/// Stands where there is no number.
pub const NONE: &str = "–";

/// A count with its thousands separated: `4,294,967,296`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What a count changed by, with a sign: `+1,234`; an unchanged one is `0`.
pub fn count_change(before: u64, after: u64) -> String {
    signed(before.cmp(&after), &count(before.abs_diff(after)))
}

/// A share in percent to four decimals. It is rounded, except where that would make some into none or
/// all: then it reads `<0.0001 %` or `>99.9999 %`.
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return NONE.to_owned();
    }
    let (part, whole) = (u128::from(part), u128::from(whole));
    let rounded = (part * 2_000_000 + whole) / (2 * whole);
    match rounded {
        0 if part > 0 => "<0.0001 %".to_owned(),
        1_000_000 if part < whole => ">99.9999 %".to_owned(),
        _ => format!("{}.{:04} %", rounded / 10_000, rounded % 10_000),
    }
}

/// How much of a limit is used up, in percent to one decimal, rounded up so that it never seems less.
pub fn percent(ratio: f64) -> String {
    format!("{:.1} %", (ratio * 1000.0).ceil() / 10.0)
}

/// What a share changed by, in percentage points to four decimals; a change that small reads
/// `+<0.0001`, and none at all `0`.
pub fn share_change(before: (u64, u64), after: (u64, u64)) -> String {
    if before.1 == 0 || after.1 == 0 {
        return NONE.to_owned();
    }
    let cross = |(part, _): (u64, u64), (_, whole): (u64, u64)| u128::from(part) * u128::from(whole);
    let (old, new) = (cross(before, after), cross(after, before));
    let points = 100.0 * old.abs_diff(new) as f64 / (before.1 as f64 * after.1 as f64);
    let text = if points < 0.00005 { "<0.0001".to_owned() } else { format!("{points:.4}") };
    signed(old.cmp(&new), &text)
}

fn signed(before_to_after: std::cmp::Ordering, magnitude: &str) -> String {
    match before_to_after {
        std::cmp::Ordering::Less => format!("+{magnitude}"),
        std::cmp::Ordering::Equal => "0".to_owned(),
        std::cmp::Ordering::Greater => format!("-{magnitude}"),
    }
}

/// A signed error in ulp to four decimals. One too small for that keeps two digits, as in `-3.1e-5`.
pub fn ulp(error: f64) -> String {
    let text = magnitude(error);
    if error > 0.0 { format!("+{text}") } else { text }
}

/// A magnitude in ulp, which needs no sign.
pub fn magnitude(error: f64) -> String {
    match error {
        0.0 => "0.0000".to_owned(),
        e if e.abs() < 0.00005 => format!("{e:.1e}"),
        e => format!("{e:.4}"),
    }
}

/// A signed error, given in units of 2^-32 ulp, in ulp. An error at the end of its range lies beyond it.
pub fn ulp_units(units: i64) -> String {
    match units {
        i64::MAX => ">+2147483647".to_owned(),
        i64::MIN => "<-2147483647".to_owned(),
        _ => ulp(in_ulp(units)),
    }
}

/// A distance of a metric: `0.9305 ulp`, and absolute or relative `2^-21.37`, rounded up so that it never seems less.
pub fn distance(metric: &str, units: u64) -> String {
    match (metric, units) {
        ("ulp", _) => format!("{} ulp", magnitude(in_metric(metric, units))),
        (_, 0) => "0".to_owned(),
        (_, u64::MAX) => "1 or more".to_owned(),
        _ => format!("2^{:.2}", (in_metric(metric, units).log2() * 100.0).ceil() / 100.0),
    }
}

/// Units of a distance of a metric as a number: of 2^-32 in ulp, of 2^-64 absolute and relative.
pub fn in_metric(metric: &str, units: u64) -> f64 {
    let unit = if metric == "ulp" { ONE_ULP as f64 } else { 2f64.powi(64) };
    units as f64 / unit
}

/// Units of 2^-32 ulp in ulp.
pub fn in_ulp(units: i64) -> f64 {
    units as f64 / ONE_ULP as f64
}

/// A 32-bit pattern: `0x3f800000`.
pub fn hex(bits: u32) -> String {
    format!("{bits:#010x}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_are_grouped() {
        let texts = [0, 999, 1000, 1 << 32].map(count);
        assert_eq!(texts, ["0", "999", "1,000", "4,294,967,296"]);
        assert_eq!(count_change(5, 1005), "+1,000");
        assert_eq!(count_change(5, 4), "-1");
        assert_eq!(count_change(5, 5), "0");
    }

    #[test]
    fn distances_name_their_metric() {
        assert_eq!(distance("ulp", 1 << 31), "0.5000 ulp");
        assert_eq!(distance("absolute", 1 << 42), "2^-22.00");
        assert_eq!(distance("relative", (1 << 42) + (1 << 30)), "2^-21.99", "rounded up");
        assert_eq!(distance("absolute", 0), "0");
        assert_eq!(distance("relative", u64::MAX), "1 or more");
    }

    #[test]
    fn shares_reach_neither_end_unless_they_are_there() {
        let all = 1 << 32;
        assert_eq!(share(0, all), "0.0000 %");
        assert_eq!(share(1, all), "<0.0001 %");
        assert_eq!(share(all - 1, all), ">99.9999 %");
        assert_eq!(share(all, all), "100.0000 %");
        assert_eq!(share(1, 3), "33.3333 %");
        assert_eq!(share(2, 3), "66.6667 %");
        assert_eq!(share(9_999_999, 10_000_000), ">99.9999 %", "99.99999 % is not all");
        assert_eq!(share(0, 0), NONE);
    }

    #[test]
    fn changes_of_shares_keep_their_sign() {
        let all = 1 << 32;
        assert_eq!(share_change((0, all), (1, all)), "+<0.0001");
        assert_eq!(share_change((1, all), (0, all)), "-<0.0001");
        assert_eq!(share_change((1, 2), (2, 4)), "0");
        assert_eq!(share_change((1, 4), (1, 2)), "+25.0000");
        assert_eq!(share_change((1, 4), (0, 0)), NONE);
        assert_eq!(share_change((u64::MAX, u64::MAX), (0, u64::MAX)), "-100.0000");
    }

    #[test]
    fn errors_carry_signs_and_small_ones_stay_visible() {
        assert_eq!(ulp_units(0), "0.0000");
        assert_eq!(ulp_units(ONE_ULP / 2), "+0.5000");
        assert_eq!(ulp_units(-ONE_ULP), "-1.0000");
        assert_eq!(ulp_units(1), "+2.3e-10");
        assert_eq!(ulp(-0.000_031), "-3.1e-5");
        assert_eq!(ulp_units(i64::MIN), "<-2147483647");
        assert_eq!(magnitude(0.25), "0.2500");
    }

    proptest! {
        #[test]
        fn a_share_reads_as_all_or_none_only_if_it_is(part: u64, rest: u64) {
            let Some(whole) = part.checked_add(rest).filter(|whole| *whole > 0) else { return Ok(()) };
            prop_assert_eq!(share(part, whole) == "0.0000 %", part == 0);
            prop_assert_eq!(share(part, whole) == "100.0000 %", rest == 0);
        }

        #[test]
        fn separators_change_no_digit(number: u64) {
            prop_assert_eq!(count(number).replace(',', ""), number.to_string());
        }
    }
}
