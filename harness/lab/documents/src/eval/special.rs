//! The tables of special values: an instruction whose documents have no code (MUFU). What no row
//! says is left open (E043).

use std::sync::Arc;

use super::program::OperandSource;
use super::real::SIGN;
use super::rules::Rules;
use super::tables::Tables;

/// A binary format in the upper bits of a word of up to 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Format {
    /// Number of bits.
    width: u32,
    /// Number of bits of the fraction.
    fraction: u32,
}

/// The format of a type, and the shifts of its lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct LaneFormat {
    format: Format,
    /// The lowest bit of each lane of the operand.
    lanes: Vec<u32>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    class: ValueClass,
    /// The sign of the operand. `None` for both, and for no number.
    negative: Option<bool>,
    output: String,
}

/// The operands that a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueClass {
    Nan,
    Infinite,
    Zero,
    Subnormal,
    /// A number with an exponent of its own.
    Normal,
}

/// The special values of one function and type.
#[derive(Debug, Clone)]
pub(super) struct Special {
    pub source: OperandSource,
    pub destination: Option<assay_isa::Location>,
    rows: Vec<Row>,
    /// Whether a row is about all negative numbers.
    negative: Option<String>,
    lanes: LaneFormat,
    /// The pattern that stands for no number, in one lane.
    nan: u32,
    /// Whether the lower word of a binary64 value is written (E040). It is 0 in every row.
    lower_word: bool,
    /// Whether a lane that is no number makes the whole result the pattern (E037).
    spreads: bool,
    saturates: bool,
    /// The value of the cosine of a zero, if no row gives it (E034).
    cosine_of_zero: bool,
    /// Whether a negative number without a row has no root (E041).
    negative_is_nan: bool,
}

/// The modifiers of the instruction.
pub(super) struct SpecialMode {
    /// The function, such as `RSQ`.
    pub function: Arc<str>,
    /// The type, such as `F16_V2`.
    pub ty: Arc<str>,
    /// Whether the upper half is selected.
    pub upper: bool,
    /// Whether the result is clamped to [+0, 1].
    pub saturates: bool,
}

impl Special {
    /// Finds the table of a function and a type. `None` if the documents have none, or no pattern
    /// that stands for no number.
    pub fn new(
        mode: &SpecialMode,
        tables: &Tables,
        prose: &[String],
        rules: &Rules,
        source: OperandSource,
        destination: Option<assay_isa::Location>,
    ) -> Option<Special> {
        let (function, ty) = (&*mode.function, &*mode.ty);
        let name = format!("{function}.{ty}");
        let is_it = |heading: &str| heading == name || heading.split('/').any(|part| part == function);
        let table = tables.0.iter().find(|table| is_it(&table.heading))?;
        let cells = table.rows.iter().skip(1).filter_map(|row| Some((row.first()?, row.get(1)?)));
        let rows = cells.clone().filter_map(|(input, output)| row(input, output)).collect();
        let negative = cells.clone().find(|(input, _)| *input == "负数").map(|(_, output)| output.clone());
        // E033: the list calls `.COS` the sine, and `.SIN` the cosine.
        let is_cosine = function == if rules.of(33) == 1 { "SIN" } else { "COS" };
        Some(Special {
            source,
            destination,
            rows,
            negative,
            lanes: lanes(ty, mode.upper)?,
            nan: nan(ty, prose, rules)?,
            lower_word: ty == "F64" && rules.of(40) == 1,
            spreads: ty.ends_with("_V2") && rules.of(37) == 1,
            saturates: mode.saturates,
            cosine_of_zero: is_cosine && rules.of(34) == 2,
            negative_is_nan: name == "RSQ.F64" && rules.of(41) == 2,
        })
    }

    /// Returns the result for an operand. `None` if the documents leave it open.
    pub fn result(&self, operand: u32) -> Option<u32> {
        let mut result = 0;
        let mut is_nan = false;
        for (lane, shift) in self.lanes.lanes.iter().enumerate() {
            let format = self.lanes.format;
            let bits = (operand >> shift) & format.mask();
            is_nan |= format.class(bits) == ValueClass::Nan;
            let value = self.lane(bits);
            if self.spreads && is_nan {
                break;
            }
            result |= value? << (lane as u32 * 16);
        }
        if self.spreads && is_nan {
            return Some(self.nan << 16 | self.nan);
        }
        Some(if self.saturates { saturated(result) } else { result })
    }

    fn lane(&self, bits: u32) -> Option<u32> {
        let format = self.lanes.format;
        let (class, negative) = (format.class(bits), bits >> (format.width - 1) == 1);
        if class == ValueClass::Zero && self.cosine_of_zero {
            return Some(format.one());
        }
        let is_it = |row: &&Row| row.class == class && row.negative.is_none_or(|sign| sign == negative);
        if let Some(row) = self.rows.iter().find(is_it) {
            return self.output(&row.output);
        }
        let is_number = matches!(class, ValueClass::Subnormal | ValueClass::Normal);
        match &self.negative {
            Some(output) if is_number && negative => self.output(output),
            None if class == ValueClass::Normal && negative && self.negative_is_nan => Some(self.nan),
            _ => None,
        }
    }

    fn output(&self, text: &str) -> Option<u32> {
        let format = self.lanes.format;
        let magnitude = match text.trim_start_matches(['+', '-']) {
            "QNAN" => return Some(self.nan),
            "Inf" => format.infinity(),
            "0.0" => 0,
            "1.0" => format.one(),
            _ => return None,
        };
        if self.lower_word {
            return Some(0);
        }
        let sign = if text.starts_with('-') { 1 << (format.width - 1) } else { 0 };
        Some(sign | magnitude)
    }
}

impl Format {
    fn mask(self) -> u32 {
        u32::MAX >> (32 - self.width)
    }

    fn infinity(self) -> u32 {
        (self.mask() >> 1) >> self.fraction << self.fraction
    }

    fn one(self) -> u32 {
        (self.infinity() >> 1) >> self.fraction << self.fraction
    }

    fn class(self, bits: u32) -> ValueClass {
        let magnitude = bits & (self.mask() >> 1);
        match (magnitude & self.infinity(), magnitude) {
            (_, 0) => ValueClass::Zero,
            (0, _) => ValueClass::Subnormal,
            (exponent, _) if exponent != self.infinity() => ValueClass::Normal,
            (_, magnitude) if magnitude == self.infinity() => ValueClass::Infinite,
            _ => ValueClass::Nan,
        }
    }
}

/// Returns the row of a table. `None` for a row about all negative numbers.
fn row(input: &str, output: &str) -> Option<Row> {
    let negative = match input.chars().next()? {
        '-' => Some(true),
        '+' => Some(false),
        _ => None,
    };
    let class = match input.trim_start_matches(['+', '-', '±']) {
        "NAN" => ValueClass::Nan,
        "Inf" => ValueClass::Infinite,
        "0.0" => ValueClass::Zero,
        "subnormal" => ValueClass::Subnormal,
        _ => return None,
    };
    Some(Row { class, negative, output: output.to_owned() })
}

/// Returns the format of a type, and where its lanes are. A binary64 number is its upper word
/// (E040).
fn lanes(ty: &str, upper: bool) -> Option<LaneFormat> {
    let (name, is_pair) = ty.strip_suffix("_V2").map_or((ty, false), |name| (name, true));
    let format = match name {
        "F32" => Format { width: 32, fraction: 23 },
        "F64" => Format { width: 32, fraction: 20 },
        "F16" => Format { width: 16, fraction: 10 },
        "BF16" => Format { width: 16, fraction: 7 },
        _ => return None,
    };
    let lanes = match (format.width, is_pair) {
        (16, true) => vec![0, 16],
        (16, false) => vec![if upper { 16 } else { 0 }],
        _ => vec![0],
    };
    Some(LaneFormat { format, lanes })
}

/// Returns the pattern of no number in one lane, from the list in the prose.
///
/// E036: the pattern of F32 has nine digits. It is cut to 32 bits, or to its first eight digits.
/// E040: the pattern of F64 has 64 bits. The lower word is written, or the upper one.
fn nan(ty: &str, prose: &[String], rules: &Rules) -> Option<u32> {
    let is_it = |line: &&String| {
        let types = line.split('，').next().unwrap_or_default();
        types.split(['=', '/', ' ']).any(|word| word.strip_prefix('.') == Some(ty))
    };
    let line = prose.iter().filter(|line| line.contains("QNAN = 0x")).find(is_it)?;
    let digits = line.split("QNAN = 0x").nth(1)?.trim();
    let value = u64::from_str_radix(digits, 16).ok()?;
    Some(match (ty, digits.len()) {
        ("F32", 9) if rules.of(36) == 2 => (value >> 4) as u32,
        ("F64", 16) if rules.of(40) == 2 => (value >> 32) as u32,
        (ty, 8) if ty.ends_with("_V2") => value as u32 & 0xffff,
        _ => value as u32,
    })
}

/// Clamps a binary32 result to [+0, 1]. No number becomes +0.
fn saturated(bits: u32) -> u32 {
    const ONE: u32 = 0x3f80_0000;
    const INFINITY: u32 = 0x7f80_0000;
    match bits {
        bits if bits & SIGN != 0 || bits > INFINITY => 0,
        bits => bits.min(ONE),
    }
}
