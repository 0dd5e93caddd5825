//! The value of a location as text: its bits, the number that the bits stand for, and its class.

use assay_isa::format::{F32, Format};
use assay_isa::{Instruction, Location};

use crate::compare::judge::rules;
use crate::operands::operand_kinds::OperandKind;

/// A value of a location, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownValue {
    /// The bits, such as `0x3f800000`; `true` or `false` for a predicate.
    pub bits: String,
    /// The number that the bits stand for; empty for a predicate.
    pub number: String,
    /// The class of the value, such as `subnormal`; empty for a predicate.
    pub class: String,
}

impl ShownValue {
    /// The value of a location that an instruction reads or writes.
    pub fn of(instruction: &Instruction, location: Location, bits: u32) -> ShownValue {
        let kind = kind_at(instruction, location);
        let number = match kind {
            OperandKind::Predicate => {
                return ShownValue {
                    bits: (bits != 0).to_string(),
                    number: String::new(),
                    class: String::new(),
                };
            }
            OperandKind::Float(format) => float(format, bits),
            OperandKind::Half { format, high } => float(format, bits >> (16 * u32::from(high)) & 0xffff),
            OperandKind::Pair(format) => {
                format!("({}, {})", float(format, bits & 0xffff), float(format, bits >> 16))
            }
            OperandKind::Exponent => float(F32, bits),
            OperandKind::Address | OperandKind::Channels => format!("{bits:#x}"),
            OperandKind::Bits
            | OperandKind::Selector
            | OperandKind::Amount
            | OperandKind::Index
            | OperandKind::Mask
            | OperandKind::Narrow(_) => bits.to_string(),
        };
        ShownValue { bits: format!("{bits:#010x}"), number, class: kind.class_name(bits).into_owned() }
    }
}

/// The value on one line: its bits, the number that the bits stand for, and its class.
pub fn show(instruction: &Instruction, location: Location, bits: u32) -> String {
    let ShownValue { bits, number, class } = ShownValue::of(instruction, location, bits);
    if class.is_empty() { bits } else { format!("{bits}  {number}  ({class})") }
}

/// Returns the number that a pattern stands for, in decimal.
pub fn float(format: Format, bits: u32) -> String {
    let value = rules::value(format, bits);
    if value != 0.0 && value.is_finite() && !(1e-5..1e16).contains(&value.abs()) {
        // The text has as few digits as identify the number in its format.
        return if format == F32 { format!("{:e}", value as f32) } else { format!("{value:e}") };
    }
    if format == F32 { (value as f32).to_string() } else { value.to_string() }
}

/// Returns a value as a hexadecimal float. `None` unless it is a finite number other than zero.
pub fn hexadecimal(instruction: &Instruction, location: Location, bits: u32) -> Option<String> {
    let value = match kind_at(instruction, location) {
        OperandKind::Float(format) => rules::value(format, bits),
        OperandKind::Half { format, high } => rules::value(format, bits >> (16 * u32::from(high)) & 0xffff),
        _ => return None,
    };
    if value == 0.0 || !value.is_finite() {
        return None;
    }
    // As a double, every nonzero number of these formats is normal.
    let (exponent, fraction) =
        ((value.to_bits() >> 52 & 0x7ff) as i32 - 1023, value.to_bits() & ((1 << 52) - 1));
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let (sign, point) = (if value < 0.0 { "-" } else { "" }, if digits.is_empty() { "" } else { "." });
    Some(format!("{sign}0x1{point}{digits}p{exponent:+}"))
}

/// The format of a location that holds one float in all its bits.
pub fn float_format(instruction: &Instruction, location: Location) -> Option<Format> {
    match kind_at(instruction, location) {
        OperandKind::Float(format) if format.width() == 32 => Some(format),
        _ => None,
    }
}

/// Returns the kind of the value that an instruction reads or writes at a location.
pub fn kind_at(instruction: &Instruction, location: Location) -> OperandKind {
    let form = instruction.form();
    let names = form.order.iter().copied();
    let mut here = names.filter(|name| instruction.operand(name).locations().any(|l| l == location));
    match here.next() {
        Some(name) => OperandKind::of(instruction, name),
        None if location.is_predicate() => OperandKind::Predicate,
        None => OperandKind::Bits,
    }
}

/// Positions of bits: `bit 0`, `bits 0, 3-7`.
pub fn bit_names(mask: u32) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for bit in (0..32).filter(|bit| mask >> bit & 1 == 1) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == bit => *last = bit,
            _ => runs.push((bit, bit)),
        }
    }
    let names: Vec<String> = runs
        .iter()
        .map(|(low, high)| if low == high { low.to_string() } else { format!("{low}-{high}") })
        .collect();
    let noun = if mask.count_ones() == 1 { "bit" } else { "bits" };
    format!("{noun} {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use assay_isa::asm;

    use super::*;

    #[test]
    fn a_value_reads_as_what_its_location_holds() {
        let add = asm::parse("@P0 FADD R0, R1, R2").unwrap();
        let at = |location: &str, bits| show(&add, location.parse().unwrap(), bits);
        assert_eq!(at("R1", 0x3f80_0000), "0x3f800000  1  (+normal)");
        assert_eq!(at("P0", 1), "true");
        assert_eq!(at("R9", 7), "0x00000007  7  (one run)", "the instruction does not read it");
        assert_eq!(hexadecimal(&add, "R1".parse().unwrap(), 0x3fc0_0000).as_deref(), Some("0x1.8p+0"));
        assert_eq!(float_format(&add, "R0".parse().unwrap()).map(|f| f.name), Some("F32"));
        assert_eq!(float_format(&add, "P0".parse().unwrap()), None);
    }

    #[test]
    fn bits_are_named_in_runs() {
        assert_eq!(bit_names(1), "bit 0");
        assert_eq!(bit_names(0b1111_1001), "bits 0, 3-7");
        assert_eq!(bit_names(u32::MAX), "bits 0-31");
    }
}
