//! Bit patterns as the numbers that they represent.

use assay_engine::compare::judge::rules::value;
use assay_isa::format::Format;

/// Returns the pattern in hexadecimal, as wide as the format, such as `0x3c00`.
pub fn bits(format: Format, bits: u32) -> String {
    let digits = format.width() as usize / 4;
    format!("{bits:#0width$x}", width = digits + 2)
}

/// Returns the value as a decimal, with enough digits to distinguish it from its neighbours.
pub fn decimal(format: Format, bits: u32) -> String {
    let number = value(format, bits);
    if !number.is_finite() {
        return special(format, bits);
    }
    // 1 + ceil(p log10 2) significant digits identify a number of p bits.
    let digits = format.precision() as usize * 30_103 / 100_000 + 1;
    let text = format!("{number:.digits$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    match exponent.parse().unwrap_or(0) {
        -4..=6 => format!("{}", format!("{digits}e{exponent}").parse::<f64>().unwrap_or(number)),
        exponent => format!("{digits}e{exponent}"),
    }
}

/// Returns the value as a hexadecimal float, which is exact, such as `0x1.8p-3`.
pub fn hex_float(format: Format, bits: u32) -> String {
    if !format.is_finite(bits) {
        return special(format, bits);
    }
    let (field, fraction) = (format.exponent_field(bits), bits & format.fraction_mask());
    let sign = if format.is_negative(bits) { "-" } else { "" };
    let (lead, exponent) = match field {
        0 if fraction == 0 => (0, 0),
        0 => (0, format.emin()),
        _ => (1, field as i32 - format.bias()),
    };
    let nibbles = format.fraction_bits.div_ceil(4);
    let aligned = fraction << (4 * nibbles - format.fraction_bits);
    let digits = format!("{aligned:0width$x}", width = nibbles as usize);
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x{lead}{point}{digits}p{exponent:+}")
}

fn special(format: Format, bits: u32) -> String {
    let sign = if format.is_negative(bits) { "-" } else { "" };
    format!("{sign}{}", if format.is_nan(bits) { "NaN" } else { "inf" })
}

#[cfg(test)]
mod tests {
    use assay_isa::format::{BF16, F16, F32, F64_HIGH};

    use super::*;

    #[test]
    fn numbers_read_three_ways() {
        let all =
            |format, pattern| [bits(format, pattern), decimal(format, pattern), hex_float(format, pattern)];
        assert_eq!(all(F32, 0x4049_0fdb), ["0x40490fdb", "3.14159274", "0x1.921fb6p+1"]);
        assert_eq!(all(F32, 0x8000_0001), ["0x80000001", "-1.40129846e-45", "-0x0.000002p-126"]);
        assert_eq!(all(F16, 0x3c00), ["0x3c00", "1", "0x1p+0"]);
        assert_eq!(all(BF16, 0x0001), ["0x0001", "9.184e-41", "0x0.02p-126"]);
        assert_eq!(all(F64_HIGH, 0x7fef_ffff)[1..], ["1.7976923e308", "0x1.fffffp+1023"]);
        assert_eq!(all(F32, 0xff80_0000)[1..], ["-inf", "-inf"]);
        assert_eq!(all(F32, 0x8000_0000)[1..], ["-0", "-0x0p+0"]);
        assert_eq!(all(F16, 0xfe01)[2], "-NaN");
    }
}
