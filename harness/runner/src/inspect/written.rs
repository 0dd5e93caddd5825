//! Reads values as people write them on a command line: bits, numbers, `nan`, `true`.

use assay_engine::compare::shown_value::{float, kind_at};
use assay_engine::operands::operand_kinds::OperandKind;
use assay_isa::format::{F32, Format};
use assay_isa::number::parse_float;
use assay_isa::{Instruction, Location, asm};

/// A value that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenBits {
    /// The bits of the location.
    pub bits: u32,
    /// Whether the user probably means another value. The operand is a float, and the text is a
    /// decimal integer, which is read as bits, or has only five to seven hexadecimal digits.
    pub is_doubtful: bool,
}

/// Reads the value of a location of an instruction.
///
/// A predicate is `true`, `false`, `1` or `0`. For any other operand, `0x3f800000` and an integer
/// without a sign are bits. An operand that is not a float can also be an integer with a sign. A
/// float is also `1.5`, `-0`, `1e-45`, `0x1.8p0`, `inf`, `-inf` or `nan`, rounded to the nearest
/// number of its format, ties to even. A pair of floats is `(1.5,-2.0)`, the low half first.
///
/// # Errors
///
/// The text has none of these forms. The error gives the allowed forms.
pub fn parse_value(instruction: &Instruction, location: Location, text: &str) -> Result<WrittenBits, String> {
    let kind = kind_at(instruction, location);
    if kind == OperandKind::Predicate {
        let bits = match text {
            "true" | "1" => 1,
            "false" | "0" => 0,
            _ => return Err(format!("{location} is a predicate: write true or false and not `{text}`")),
        };
        return Ok(WrittenBits { bits, is_doubtful: false });
    }
    let is_decimal = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(bits) = integer(text) {
        let is_float = parsed_kind(kind).is_some();
        let is_doubtful = is_float && bits != 0 && (is_decimal || lacks_digits(kind, text));
        return Ok(WrittenBits { bits, is_doubtful });
    }
    let bits = match parsed_kind(kind) {
        // An integer of more than 32 bits.
        _ if is_decimal => None,
        Some(Parsed::One(format, shift)) => parse_float(format, text).map(|bits| bits << shift),
        Some(Parsed::Two(format)) => pair(format, text),
        None => text.parse::<i32>().ok().map(|value| value as u32),
    };
    let wrong = || match parse_float(F32, text) {
        Some(_) if !is_used(instruction, location) => format!(
            "`{}` neither reads nor writes {location}, so `{text}` has no type; write bits, such as \
             {location}=0x3f800000, or leave out an input that is not read",
            asm::print(instruction)
        ),
        _ => format!("{location} cannot be `{text}`; write {}", example(parsed_kind(kind))),
    };
    bits.map(|bits| WrittenBits { bits, is_doubtful: false }).ok_or_else(wrong)
}

/// Whether an instruction reads or writes a location. Only such a location has a type.
fn is_used(instruction: &Instruction, location: Location) -> bool {
    instruction.reads().contains(&location) || instruction.writes().contains(&location)
}

/// Whether bits of an F32 are written with five to seven hexadecimal digits.
fn lacks_digits(kind: OperandKind, text: &str) -> bool {
    let is_single = matches!(parsed_kind(kind), Some(Parsed::One(F32, 0)));
    let digits = hexadecimal(text).map_or(0, |digits| digits.replace('_', "").len());
    is_single && (5..8).contains(&digits)
}

/// Returns the text of the warning about a doubtful value: the bits of the number that the user
/// probably means, or all eight digits of the bits.
pub fn meant(instruction: &Instruction, location: Location, text: &str) -> Option<String> {
    let kind = kind_at(instruction, location);
    let Some(Parsed::One(format, _)) = parsed_kind(kind) else { return None };
    if lacks_digits(kind, text) {
        let bits = integer(text)?;
        return Some(format!("it has fewer than eight digits and is {bits:#010x} ({})", float(format, bits)));
    }
    let bits = parse_float(format, &format!("{text}.0"))?;
    Some(format!("{text}.0 is {bits:#x}, and the bits {text} are {}", float(format, text.parse().ok()?)))
}

/// The floats that an operand holds.
#[derive(Clone, Copy)]
enum Parsed {
    /// One float, and the position of its lowest bit.
    One(Format, u32),
    /// Two floats of 16 bits.
    Two(Format),
}

fn parsed_kind(kind: OperandKind) -> Option<Parsed> {
    match kind {
        OperandKind::Float(format) => Some(Parsed::One(format, 0)),
        OperandKind::Half { format, high } => Some(Parsed::One(format, 16 * u32::from(high))),
        OperandKind::Exponent => Some(Parsed::One(F32, 0)),
        OperandKind::Pair(format) => Some(Parsed::Two(format)),
        _ => None,
    }
}

fn example(parsed: Option<Parsed>) -> &'static str {
    match parsed {
        Some(Parsed::One(..)) => {
            "bits such as 0x3f800000, or a number such as 1.5, 0x1.8p0, 1e-45, -0, inf or nan"
        }
        Some(Parsed::Two(_)) => {
            "bits such as 0x40003c00, or two numbers such as (1.0,2.0), the low half first"
        }
        None => "an integer such as 0x12345678, 305419896 or -1",
    }
}

/// Reads bits that are written as an integer without a sign.
fn integer(text: &str) -> Option<u32> {
    match hexadecimal(text) {
        Some(digits) if digits.starts_with('+') => None,
        Some(digits) => u32::from_str_radix(&digits.replace('_', ""), 16).ok(),
        None if text.starts_with('+') => None,
        None => text.replace('_', "").parse().ok(),
    }
}

/// Returns the digits behind `0x` or `0X`.
fn hexadecimal(text: &str) -> Option<&str> {
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
}

fn pair(format: Format, text: &str) -> Option<u32> {
    let (low, high) = text.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    Some(parse_float(format, low.trim())? | parse_float(format, high.trim())? << 16)
}

#[cfg(test)]
mod tests {
    use assay_isa::asm;

    use super::*;

    fn read(instruction: &str, place: &str, text: &str) -> Result<WrittenBits, String> {
        let instruction = asm::parse(instruction).expect("a legal instruction");
        parse_value(&instruction, place.parse().expect("a location"), text)
    }

    #[test]
    fn floats_are_read_as_people_write_them() {
        for (text, bits) in [
            ("1.5", 0x3fc0_0000),
            ("-1.5", 0xbfc0_0000),
            ("+.5", 0x3f00_0000),
            ("-1", 0xbf80_0000),
            ("1e0", 0x3f80_0000),
            ("0x1.8p0", 0x3fc0_0000),
            ("-0x1p-149", 0x8000_0001),
            ("0x1.fffffep127", 0x7f7f_ffff),
            ("1e-45", 1),
            ("-0", 0x8000_0000),
            ("-0.0", 0x8000_0000),
            ("inf", 0x7f80_0000),
            ("-Inf", 0xff80_0000),
            ("NaN", 0x7fc0_0000),
            ("0.1", 0x3dcc_cccd),
            ("1e39", 0x7f80_0000),
            ("0x3f800000", 0x3f80_0000),
            ("0", 0),
            ("0x3f80_0000", 0x3f80_0000),
        ] {
            assert_eq!(
                read("FADD R0, R1, R2", "R1", text),
                Ok(WrittenBits { bits, is_doubtful: false }),
                "{text}"
            );
        }
        for text in [
            "",
            "x",
            "1.5.",
            "--1",
            "0x",
            "0x1.8",
            "0x1p",
            "1e",
            "4294967296",
            "0x100000000",
            "true",
            "infinite",
            "(1,2)",
        ] {
            let problem = read("FADD R0, R1, R2", "R1", text).expect_err(text);
            assert!(problem.contains("0x1.8p0"), "{problem}");
        }
    }

    #[test]
    fn an_integer_for_a_float_is_bits_and_doubtful() {
        let one = read("FADD R0, R1, R2", "R1", "1").expect("bits");
        assert_eq!(one, WrittenBits { bits: 1, is_doubtful: true });
        let add = asm::parse("FADD R0, R1, R2").expect("a legal instruction");
        let meant = meant(&add, "R1".parse().expect("a location"), "1").expect("a float");
        assert_eq!(meant, "1.0 is 0x3f800000, and the bits 1 are 1e-45");
    }

    #[test]
    fn other_operands_have_their_own_texts() {
        let bits = |instruction, place, text| read(instruction, place, text).map(|read| read.bits);
        assert_eq!(bits("POPC R0, R1", "R1", "-1"), Ok(u32::MAX));
        assert!(bits("POPC R0, R1", "R1", "1.5").expect_err("an integer").contains("an integer"));
        assert_eq!(bits("FSEL R0, R1, R2, P0", "P0", "true"), Ok(1));
        assert_eq!(bits("FSEL R0, R1, R2, P0", "P0", "1"), Ok(1));
        assert_eq!(bits("FSEL R0, R1, R2, P0", "P0", "0"), Ok(0));
        assert!(bits("FSEL R0, R1, R2, P0", "P0", "2").expect_err("a predicate").contains("true or false"));
        assert_eq!(bits("MUFU.TANH.F16 R0, R1.H1", "R1", "1.5"), Ok(0x3e00_0000));
    }
}
