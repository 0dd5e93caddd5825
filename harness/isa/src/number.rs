//! Floats as people write them (`1.5`, `-0`, `1e-45`, `0x1.8p0`, `inf`, `nan`), and errors as people read them.

use half::{bf16, f16};

use crate::format::{BF16, F16, F32, F64_HIGH, Format};

/// The pattern of a number in a format, rounded to nearest, ties to even.
///
/// ```
/// use assay_isa::format::F32;
/// use assay_isa::number::parse_float;
///
/// assert_eq!(parse_float(F32, "-0x1.8p0"), Some(0xbfc0_0000));
/// assert_eq!(parse_float(F32, "inf"), Some(0x7f80_0000));
/// assert_eq!(parse_float(F32, "one"), None);
/// ```
pub fn parse_float(format: Format, text: &str) -> Option<u32> {
    let (is_negative, magnitude) = split(text);
    let sign = if is_negative { format.sign_mask() } else { 0 };
    let bits = match parse_magnitude(&magnitude)? {
        value if value.is_nan() => format.infinity() | (format.fraction_mask() + 1) >> 1,
        // By way of a double it would be rounded twice.
        _ if format == F32 && !magnitude.starts_with("0x") => magnitude.parse::<f32>().ok()?.to_bits(),
        value => rounded(format, value),
    };
    Some(sign | bits)
}

/// The double nearest to a number.
pub fn parse_double(text: &str) -> Option<f64> {
    let (is_negative, magnitude) = split(text);
    let value = parse_magnitude(&magnitude)?;
    Some(if is_negative { -value } else { value })
}

/// Most decimals of an error: the unit of errors is 2^-32 ulp.
const DECIMALS: usize = 10;

/// A number with so many decimals, or with more where these would show a multiple of a half that it is not.
///
/// So a text shows on which side of a bound such as 1 or 0.5 ulp a number lies. There are at most 10 decimals.
///
/// ```
/// use assay_isa::number::telling_decimals;
///
/// assert_eq!(telling_decimals(1.0, 6), "1.000000");
/// assert_eq!(telling_decimals(1.000_000_2, 6), "1.0000002");
/// assert_eq!(telling_decimals(-0.999_999_99, 4), "-0.99999999");
/// ```
pub fn telling_decimals(value: f64, least: usize) -> String {
    let text = |decimals| format!("{value:.decimals$}");
    let tells = |text: &String| {
        let shown: f64 = text.parse().unwrap_or(f64::NAN);
        shown == value || (2.0 * shown).fract() != 0.0
    };
    (least..DECIMALS).map(text).find(tells).unwrap_or_else(|| text(DECIMALS))
}

/// Whether a number has a sign, and the rest in lower case.
fn split(text: &str) -> (bool, String) {
    let (is_negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    (is_negative, magnitude.to_ascii_lowercase())
}

fn parse_magnitude(text: &str) -> Option<f64> {
    match text {
        "inf" | "infinity" => Some(f64::INFINITY),
        "nan" => Some(f64::NAN),
        // A second sign, or another word that the library reads.
        other if !other.starts_with(|first: char| first.is_ascii_digit() || first == '.') => None,
        other => match other.strip_prefix("0x") {
            Some(digits) => hexadecimal(digits),
            None => other.parse().ok(),
        },
    }
}

/// The nearest pattern of a number that is not negative.
fn rounded(format: Format, value: f64) -> u32 {
    let bits = value.to_bits();
    match format {
        F16 => u32::from(f16::from_f64(value).to_bits()),
        BF16 => u32::from(bf16::from_f64(value).to_bits()),
        F64_HIGH => ((bits + 0x7fff_ffff + (bits >> 32 & 1)) >> 32) as u32,
        _ => (value as f32).to_bits(),
    }
}

/// `1.8p-3` without the `0x` in front of it: at most 13 digits, so that it is a double.
fn hexadecimal(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = whole.to_owned() + fraction;
    let is_plain = !digits.is_empty() && digits.len() <= 13 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let significand = u64::from_str_radix(&digits, 16).ok().filter(|_| is_plain)?;
    let exponent: i32 = exponent.parse().ok().filter(|exponent| (-2000..=2000).contains(exponent))?;
    let exponent = exponent - 4 * i32::try_from(fraction.len()).ok()?;
    // In two steps: a power of two of its own could be no double.
    Some(significand as f64 * 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2))
}
