//! Literals of pseudo-code.

use num_bigint::BigInt;

use super::integer::{BITS, Int};
use super::value::Value;

/// Returns the value of a literal: decimal, `0x` and hexadecimal, or a binary32 number such as
/// `1.0f`. `None` if it cannot be read or is too large.
pub(super) fn parse(text: &str) -> Option<Value> {
    const DIGITS: usize = BITS as usize / 4;
    if text.len() > DIGITS {
        return None;
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return BigInt::parse_bytes(digits.as_bytes(), 16).map(|value| Value::Int(Int::from(value)));
    }
    if text.contains('.') {
        return text.trim_end_matches('f').parse::<f32>().ok().map(|value| Value::F32(value.to_bits()));
    }
    BigInt::parse_bytes(text.as_bytes(), 10).map(|value| Value::Int(Int::from(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read() {
        for (text, value) in [
            ("0", Value::Int(Int::Small(0))),
            ("4294967296", Value::Int(Int::Small(1 << 32))),
            ("0xFFFFFFFF", Value::from(u32::MAX)),
            ("1.0f", Value::F32(0x3f80_0000)),
            ("0.5", Value::F32(0x3f00_0000)),
        ] {
            assert_eq!(parse(text), Some(value), "{text}");
        }
        for text in ["", "0x", "1x", "1.2.3", "0xg", &"9".repeat(2000)] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
