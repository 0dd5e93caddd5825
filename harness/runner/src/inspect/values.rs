//! Values as people and files have them, and the readings that touch an instruction.

use std::collections::BTreeMap;

use assay_engine::compare::judge::rules;
use assay_engine::operands::operand_kinds::OperandKind;
use assay_isa::format::{F32, Format};
use assay_isa::readings::SWITCHES;
use assay_isa::{Instruction, Location, Readings};

/// The readings that touch an instruction, as `E173=1`.
pub fn errata(instruction: &Instruction, readings: &Readings) -> Vec<String> {
    let touching = SWITCHES.iter().filter(|s| s.optypes.contains(&instruction.optype()));
    let settings: BTreeMap<_, _> = readings.iter().collect();
    touching.map(|s| format!("{}={}", s.erratum, settings[&s.erratum])).collect()
}

/// A value as a reader wants it: bits, the number they are, and its class.
pub fn show(instruction: &Instruction, location: Location, bits: u32) -> String {
    let kind = kind_at(instruction, location);
    let number = match kind {
        OperandKind::Predicate => return (bits != 0).to_string(),
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
    format!("{bits:#010x}  {number}  ({})", kind.class_name(bits))
}

/// The number that a pattern is, in decimal.
pub fn float(format: Format, bits: u32) -> String {
    let value = rules::value(format, bits);
    if value != 0.0 && value.is_finite() && !(1e-5..1e16).contains(&value.abs()) {
        // As short as the format allows.
        return if format == F32 { format!("{:e}", value as f32) } else { format!("{value:e}") };
    }
    if format == F32 { (value as f32).to_string() } else { value.to_string() }
}

/// A value as a hexadecimal float, exponent and all, where it is a finite number other than zero.
pub fn hexadecimal(instruction: &Instruction, location: Location, bits: u32) -> Option<String> {
    let value = match kind_at(instruction, location) {
        OperandKind::Float(format) => rules::value(format, bits),
        OperandKind::Half { format, high } => rules::value(format, bits >> (16 * u32::from(high)) & 0xffff),
        _ => return None,
    };
    if value == 0.0 || !value.is_finite() {
        return None;
    }
    // Every number of these formats is a normal one here.
    let (exponent, fraction) =
        ((value.to_bits() >> 52 & 0x7ff) as i32 - 1023, value.to_bits() & ((1 << 52) - 1));
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let (sign, point) = (if value < 0.0 { "-" } else { "" }, if digits.is_empty() { "" } else { "." });
    Some(format!("{sign}0x1{point}{digits}p{exponent:+}"))
}

/// What the value of a location that an instruction reads or writes stands for.
pub(super) fn kind_at(instruction: &Instruction, location: Location) -> OperandKind {
    let form = instruction.form();
    let names = form.order.iter().copied();
    let mut here = names.filter(|name| instruction.operand(name).locations().any(|l| l == location));
    match here.next() {
        Some(name) => OperandKind::of(instruction, name),
        None if location.is_predicate() => OperandKind::Predicate,
        None => OperandKind::Bits,
    }
}
