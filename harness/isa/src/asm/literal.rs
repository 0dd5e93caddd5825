//! Literals: parses a number by the type of its field, and prints the bits of a literal.
//!
//! In an F32 field a number is a value, such as `0.25`, `0x1p-24` or `inf`, and `0f` marks raw bits
//! (E027). MUFU's literal follows the dtype (E045). A packed dtype takes one value for both halves.
//! F64 takes a double whose low word is 0. Both also take raw bits. A single half takes raw bits
//! only. A leading sign changes the bits of the literal, because no other field holds the sign
//! (E022).

use super::scan::{Written, unsigned};
use crate::format::{BF16, F16, F32, F64_HIGH, Format};
use crate::instruction::Instruction;
use crate::number::{parse_double, parse_float};
use crate::row::FieldType;

/// The remedy for a text that is not a number.
const NUMBER: &str =
    "write a number such as 0.25, 1e-3, 0x1p-24, inf or nan, or raw bits as 0f3E800000 (F32) or 0x (others)";

/// The type of a literal's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LiteralKind {
    F32,
    /// High word of a double.
    F64,
    F16x2,
    BF16x2,
    /// 32 raw bits.
    Word,
    /// An unsigned integer. Holds the width in bits.
    Unsigned(u8),
}

/// Returns the kind of the literal in a field. The instruction's modifiers must be set already.
pub(super) fn kind(instruction: &Instruction, field: &str) -> LiteralKind {
    let form = instruction.form();
    match form.field(field).map(|f| f.ty) {
        Some(FieldType::SImm32) => return LiteralKind::Word,
        Some(FieldType::UImm(width)) => return LiteralKind::Unsigned(width),
        _ => {}
    }
    let by = form.asm_format.filter(|f| f.field == field).map(|f| f.by);
    match by.map(|by| instruction.value_name(by)) {
        None | Some("F32") => LiteralKind::F32,
        Some("F64") => LiteralKind::F64,
        Some("F16_V2") => LiteralKind::F16x2,
        Some("BF16_V2") => LiteralKind::BF16x2,
        Some(_) => LiteralKind::Word,
    }
}

/// Returns the canonical text of a literal.
pub(super) fn print(kind: LiteralKind, bits: u32) -> String {
    match kind {
        LiteralKind::F32 => format!("0f{bits:08X}"),
        LiteralKind::Unsigned(_) => format!("{bits:#x}"),
        _ => format!("{bits:#010X}").replacen("0X", "0x", 1),
    }
}

/// Returns the bits of a literal. The error says what to write instead.
pub(super) fn read(kind: LiteralKind, written: &Written, text: &str) -> Result<u32, String> {
    let Written { neg, abs, bitnot, .. } = *written;
    if bitnot && kind != LiteralKind::Word {
        return Err("`~` is for integer literals".into());
    }
    if abs && !matches!(kind, LiteralKind::F32 | LiteralKind::F64) {
        return Err("bars are for F32 and F64 literals (E046)".into());
    }
    let magnitude = match kind {
        LiteralKind::F32 => read_f32(text)?,
        LiteralKind::F64 => hexadecimal(text).map_or_else(|| read_f64_high(text), Ok)?,
        LiteralKind::F16x2 => lanes(text, F16)?,
        LiteralKind::BF16x2 => lanes(text, BF16)?,
        LiteralKind::Unsigned(width) => {
            let limit = 1_u64 << width;
            let value = unsigned(text).filter(|value| u64::from(*value) < limit && !neg && !bitnot);
            return value.ok_or_else(|| format!("write an integer from 0 to {:#x}", limit - 1));
        }
        LiteralKind::Word => {
            let value = unsigned(text).ok_or("write an integer such as 0x3C00; raw bits, not a value")?;
            return signed_word(value, neg).map(|value| if bitnot { !value } else { value });
        }
    };
    let sign = if matches!(kind, LiteralKind::F32 | LiteralKind::F64) { 0x8000_0000 } else { 0x8000_8000 };
    let magnitude = if abs { magnitude & !sign } else { magnitude };
    Ok(if neg { magnitude ^ sign } else { magnitude })
}

/// Applies the sign of an integer literal, in two's complement. If the literal is negative, its
/// magnitude is at most 2^31.
fn signed_word(value: u32, neg: bool) -> Result<u32, String> {
    match neg {
        true if value > 1 << 31 => Err("the least integer is -0x80000000".into()),
        true => Ok(value.wrapping_neg()),
        false => Ok(value),
    }
}

fn hexadecimal(text: &str) -> Option<u32> {
    text.starts_with("0x").then(|| unsigned(text)).flatten()
}

fn read_f32(text: &str) -> Result<u32, String> {
    if let Some(raw) = text.strip_prefix("0f").or_else(|| text.strip_prefix("0F")) {
        let digits = raw.len() == 8 && raw.bytes().all(|b| b.is_ascii_hexdigit());
        let bits = digits.then(|| u32::from_str_radix(raw, 16).ok()).flatten();
        return bits.ok_or_else(|| "raw bits are 0f and eight hexadecimal digits".into());
    }
    let bits = parse_float(F32, text).ok_or(NUMBER)?;
    if is_beyond(F32, bits, text) {
        Err("this is beyond the largest F32; write inf".into())
    } else {
        Ok(bits)
    }
}

/// Returns the high word of a double. The low word must be 0.
fn read_f64_high(text: &str) -> Result<u32, String> {
    let bits = parse_double(text).ok_or(NUMBER)?.to_bits();
    let high = (bits >> 32) as u32;
    if bits as u32 != 0 {
        let (low, high) = (print(LiteralKind::F64, high), print(LiteralKind::F64, high + 1));
        return Err(format!(
            "only the high word is encoded and this value needs the low word; write {low} or {high}, the words around it"
        ));
    }
    if is_beyond(F64_HIGH, high, text) {
        Err("this is beyond the largest double; write inf".into())
    } else {
        Ok(high)
    }
}

/// Parses a packed literal: one number for both halves, or all bits in hexadecimal.
fn lanes(text: &str, format: Format) -> Result<u32, String> {
    if let Some(bits) = hexadecimal(text) {
        return Ok(bits);
    }
    let lane = parse_float(format, text).ok_or(NUMBER)?;
    if is_beyond(format, lane, text) {
        return Err("this is beyond the largest value of a half; write inf, or both halves as 0x bits".into());
    }
    Ok(lane << 16 | lane)
}

/// Whether the text of a finite number was rounded to infinity.
fn is_beyond(format: Format, bits: u32, text: &str) -> bool {
    let is_finite_text = text.bytes().any(|b| b.is_ascii_digit());
    bits & !format.sign_mask() == format.infinity() && is_finite_text
}
