//! Reads numbers of cases and seeds on the command line.

/// Reads a number of cases, at least 1: `250000`, `1_000_000`, `20M`, `1e9` or `2^32`.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let number = |digits: &str| digits.parse::<u64>().ok();
    let plain = text.replace('_', "");
    let (digits, unit) = match plain.strip_suffix(['k', 'K', 'M', 'G']) {
        Some(digits) => (digits, plain.chars().last()),
        None => (&plain[..], None),
    };
    let scale = match unit {
        Some('k' | 'K') => 1_000,
        Some('M') => 1_000_000,
        Some('G') => 1_000_000_000,
        _ => 1,
    };
    let power = |base: Option<u64>, exponent: &str| base?.checked_pow(exponent.parse().ok()?);
    let value = match (digits.split_once(['e', 'E']), digits.split_once('^')) {
        (Some((digits, exponent)), _) => decimal(digits, exponent),
        (_, Some((base, exponent))) => power(number(base), exponent),
        _ => number(digits),
    };
    let value = value.and_then(|value| value.checked_mul(scale)).filter(|value| *value > 0);
    value.ok_or_else(|| "write a whole number from 1 to 2^64 - 1, such as 250000, 20M, 1e9 or 2^32".into())
}

/// Reads a seed of the generator.
pub fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "write a whole number from 0 to 2^64 - 1, such as 1".into())
}

/// Returns `digits` times ten to the power of `exponent`, such as `1.5e6`. `None` if the product is
/// not whole or is too large.
fn decimal(digits: &str, exponent: &str) -> Option<u64> {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let places = u32::try_from(fraction.len()).ok()?;
    let exponent = exponent.parse::<u32>().ok()?.checked_sub(places)?;
    (whole.to_owned() + fraction).parse::<u64>().ok()?.checked_mul(10_u64.checked_pow(exponent)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_whole_number() {
        assert_eq!(["0", "18446744073709551615"].map(parse_seed), [Ok(0), Ok(u64::MAX)]);
        for text in ["", "-1", "x", "0x1", "1.0", "18446744073709551616"] {
            let problem = parse_seed(text).expect_err(text);
            assert!(problem.contains("from 0 to 2^64 - 1"), "{problem}");
        }
    }

    #[test]
    fn counts_are_read_as_people_write_them() {
        for (text, value) in [
            ("1", 1),
            ("1_000_000", 1_000_000),
            ("20M", 20_000_000),
            ("5k", 5000),
            ("2G", 2_000_000_000),
            ("1e9", 1_000_000_000),
            ("1.5e6", 1_500_000),
            ("2^32", 1 << 32),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(parse_count(text), Ok(value), "{text}");
        }
        for text in [
            "",
            "0",
            "-1",
            "1.5",
            "e9",
            "1e20",
            "1e",
            "1.55e1",
            "2^64",
            "20MM",
            "M",
            "x",
            "18446744073709551616",
            "1e99999999999",
        ] {
            let problem = parse_count(text).expect_err(text);
            assert!(problem.contains("20M"), "{problem}");
        }
    }
}
