//! Counts and shares as text. A share that is neither 0 % nor 100 % is never shown as either.

/// The text that replaces a missing number.
pub const NONE: &str = "–";

/// Returns a count with its thousands separated, such as `4,294,967,296`.
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

/// Returns the change of a count with a sign, such as `+1,234`. No change reads `0`.
pub fn count_change(before: u64, after: u64) -> String {
    signed(before.cmp(&after), &count(before.abs_diff(after)))
}

/// Returns a share in percent. The part that is nearer to an end of the range, 0 % or 100 %, has three
/// digits that count, with one to four decimals: `46.2 %`, `98.13 %`, `0.205 %`. A share that would be
/// rounded to an end reads `<0.0001 %` or `>99.9999 %`.
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return NONE.to_owned();
    }
    if part == 0 || part >= whole {
        return format!("{} %", if part == 0 { 0 } else { 100 });
    }
    let decimals = decimals(100.0 * part.min(whole - part) as f64 / whole as f64);
    let (part, whole, unit) = (u128::from(part), u128::from(whole), 10u128.pow(decimals as u32));
    let rounded = (part * 200 * unit + whole) / (2 * whole);
    match rounded {
        0 => "<0.0001 %".to_owned(),
        _ if rounded == 100 * unit => ">99.9999 %".to_owned(),
        _ => format!("{}.{:0decimals$} %", rounded / unit, rounded % unit),
    }
}

/// Returns the change of a share, in percentage points with three digits that count, and at most four
/// decimals. An increase that would be rounded to 0 reads `+<0.0001`. No change reads `0`.
pub fn share_change(before: (u64, u64), after: (u64, u64)) -> String {
    if before.1 == 0 || after.1 == 0 {
        return NONE.to_owned();
    }
    let cross = |(part, _): (u64, u64), (_, whole): (u64, u64)| u128::from(part) * u128::from(whole);
    let (old, new) = (cross(before, after), cross(after, before));
    let points = 100.0 * old.abs_diff(new) as f64 / (before.1 as f64 * after.1 as f64);
    signed(old.cmp(&new), &points_text(points))
}

/// Returns percentage points as text, as [`share_change`] shows them.
fn points_text(points: f64) -> String {
    if points < 0.00005 { "<0.0001".to_owned() } else { format!("{points:.0$}", decimals(points)) }
}

/// Returns how many decimals leave three digits that count of a number of percent: one to four.
fn decimals(percent: f64) -> usize {
    [10.0, 1.0, 0.1].iter().position(|limit| percent >= *limit).unwrap_or(3) + 1
}

fn signed(before_to_after: std::cmp::Ordering, magnitude: &str) -> String {
    match before_to_after {
        std::cmp::Ordering::Less => format!("+{magnitude}"),
        std::cmp::Ordering::Equal => "0".to_owned(),
        std::cmp::Ordering::Greater => format!("-{magnitude}"),
    }
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
    fn shares_reach_neither_end_unless_they_are_there() {
        let all = 1 << 32;
        assert_eq!(share(0, all), "0 %");
        assert_eq!(share(1, all), "<0.0001 %");
        assert_eq!(share(all - 1, all), ">99.9999 %");
        assert_eq!(share(all, all), "100 %");
        assert_eq!(
            [(1, 3), (2, 3), (1, 10)].map(|(part, whole)| share(part, whole)),
            ["33.3 %", "66.7 %", "10.0 %"]
        );
        assert_eq!([87, 9, 913].map(|part| share(part, 1000)), ["8.70 %", "0.900 %", "91.30 %"]);
        assert_eq!([99_999, 1].map(|part| share(part, 100_000)), ["99.9990 %", "0.0010 %"]);
        assert_eq!(share(99_996, 1_000_000), "10.00 %", "rounded from just below");
        assert_eq!(share(9_999_999, 10_000_000), ">99.9999 %", "99.99999 % is not all");
        assert_eq!(share(0, 0), NONE);
    }

    #[test]
    fn changes_of_shares_keep_their_sign() {
        let all = 1 << 32;
        assert_eq!(share_change((0, all), (1, all)), "+<0.0001");
        assert_eq!(share_change((1, all), (0, all)), "-<0.0001");
        assert_eq!(share_change((1, 2), (2, 4)), "0");
        assert_eq!(share_change((1, 4), (1, 2)), "+25.0");
        assert_eq!(share_change((1, 4), (0, 0)), NONE);
        assert_eq!(share_change((u64::MAX, u64::MAX), (0, u64::MAX)), "-100.0");
    }

    proptest! {
        #[test]
        fn a_share_reads_as_all_or_none_only_if_it_is(part: u64, rest: u64) {
            let Some(whole) = part.checked_add(rest).filter(|whole| *whole > 0) else { return Ok(()) };
            prop_assert_eq!(share(part, whole) == "0 %", part == 0);
            prop_assert_eq!(share(part, whole) == "100 %", rest == 0);
        }

        #[test]
        fn separators_change_no_digit(number: u64) {
            prop_assert_eq!(count(number).replace(',', ""), number.to_string());
        }
    }
}
