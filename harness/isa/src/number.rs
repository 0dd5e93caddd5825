//! Parses floats (`1.5`, `-0`, `1e-45`, `0x1.8p0`, `inf`, `nan`), and prints errors.

use half::{bf16, f16};

use crate::format::{BF16, F16, F32, F64_HIGH, Format};

/// Parses a number, and returns its bits in a format, rounded to nearest, ties to even. `None` if
/// the text is no number.
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
        // A conversion by way of a double would round twice.
        _ if format == F32 && !magnitude.starts_with("0x") => magnitude.parse::<f32>().ok()?.to_bits(),
        value => rounded(format, value),
    };
    Some(sign | bits)
}

/// Parses a number, and rounds it to the nearest double. `None` if the text is no number.
pub fn parse_double(text: &str) -> Option<f64> {
    let (is_negative, magnitude) = split(text);
    let value = parse_magnitude(&magnitude)?;
    Some(if is_negative { -value } else { value })
}

/// Greatest number of decimals of a printed error in ulp. Errors are multiples of 2^-32 ulp.
const DECIMALS: usize = 10;

/// Returns the text of a number with at least `least` decimals. Adds decimals, up to 10, while the
/// text shows a multiple of ½ that the number does not equal.
///
/// So the text shows on which side of a bound such as 1 or 0.5 ulp the number lies.
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

/// Returns whether a number has a minus sign, and the text without its sign, in lower case.
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
        // A second sign, or a word that only the standard library accepts, is an error.
        other if !other.starts_with(|first: char| first.is_ascii_digit() || first == '.') => None,
        other => match other.strip_prefix("0x") {
            Some(digits) => hexadecimal(digits),
            None => other.parse().ok(),
        },
    }
}

/// Returns the bits of the float nearest to a number. The number must not be negative.
fn rounded(format: Format, value: f64) -> u32 {
    let bits = value.to_bits();
    match format {
        F16 => u32::from(f16::from_f64(value).to_bits()),
        BF16 => u32::from(bf16::from_f64(value).to_bits()),
        F64_HIGH => ((bits + 0x7fff_ffff + (bits >> 32 & 1)) >> 32) as u32,
        _ => (value as f32).to_bits(),
    }
}

/// Parses a hexadecimal float without its `0x`, such as `1.8p-3`. The significand has at most 13
/// digits, so a double holds it exactly.
fn hexadecimal(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = whole.to_owned() + fraction;
    let is_plain = !digits.is_empty() && digits.len() <= 13 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let significand = u64::from_str_radix(&digits, 16).ok().filter(|_| is_plain)?;
    let exponent: i32 = exponent.parse().ok().filter(|exponent| (-2000..=2000).contains(exponent))?;
    let exponent = exponent - 4 * i32::try_from(fraction.len()).ok()?;
    // Two steps, because a double may not hold the power of two itself.
    Some(significand as f64 * 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2))
}
