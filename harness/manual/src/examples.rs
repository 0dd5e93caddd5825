//! Worked examples. The instruction and its inputs come from the texts, the results from the
//! oracle.

use assay_engine::compare::comparator::PRECISION;
use assay_engine::compare::judge::rules::{nearest, value};
use assay_engine::operands::operand_kinds::OperandKind;
use assay_isa::format::{F32, Format};
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{Answer, Batch, Instruction, Location, Oracle, Real, Truths, asm, codec};
use schemars::JsonSchema;
use serde::Serialize;

use crate::ManualError;
use crate::semantics::ExampleText;
use crate::setting::Setting;

/// An example with its results.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Example {
    /// What the example shows.
    pub about: String,
    /// The canonical assembler text.
    pub asm: String,
    /// The encoded instruction: `0x` and 32 digits.
    pub word: String,
    /// The input locations, with their values.
    pub inputs: Vec<Cell>,
    /// The written locations, with their values.
    pub results: Vec<Cell>,
    /// The event, such as a fault, or the erratum that leaves the result undefined. Null if there
    /// is none.
    pub event: Option<String>,
}

/// A location and its value.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Cell {
    /// The location.
    pub location: String,
    /// The bits as a number. A predicate is 0 or 1.
    pub bits: u32,
    /// The bits as text: `0x40800000  4`, `true`.
    pub text: String,
    /// Whether the true result is a real number. The value shown is correctly rounded, and the
    /// profile may allow other values.
    pub is_approximate: bool,
}

/// Executes an example.
///
/// # Errors
/// If the text or a value cannot be parsed, an input is missing, or the oracle does not implement
/// the instruction.
pub fn execute(
    example: &ExampleText,
    optype: &'static str,
    setting: &Setting,
    oracle: &mut dyn Oracle,
) -> Result<Example, ManualError> {
    let wrong = |problem: String| ManualError::Example { optype, asm: example.asm.clone(), problem };
    let (instruction, batch) = case(example, setting).map_err(wrong)?;
    let mut truths = Truths::default();
    if oracle.truth(&instruction, &batch, PRECISION, &mut truths)? == Answer::Unsupported {
        return Err(wrong("the oracle does not know the instruction".to_owned()));
    }
    let undefined = truths.undefined().first().map(|(_, erratum)| format!("undefined ({erratum})"));
    let written = truths.columns().iter().filter(|truth| truth.written.contains(0) && undefined.is_none());
    let mut results: Vec<(Location, u32, bool)> =
        written.map(|truth| (truth.location, nearest(truth)[0], is_approximate(truth))).collect();
    results.sort_by_key(|(location, ..)| *location);
    Ok(Example {
        about: example.about.clone(),
        asm: asm::print(&instruction),
        word: format!("{:#034x}", batch.word()),
        inputs: batch.lane(0).map(|(location, bits)| cell(&instruction, location, bits, false)).collect(),
        results: results
            .into_iter()
            .map(|(location, bits, near)| cell(&instruction, location, bits, near))
            .collect(),
        event: undefined.or_else(|| truths.event_of(0).map(ToString::to_string)),
    })
}

/// Returns the instruction of an example, and a batch of one lane with its inputs.
pub fn case(example: &ExampleText, setting: &Setting) -> Result<(Instruction, Batch), String> {
    let instruction = asm::parse(&example.asm).map_err(|e| e.to_string())?;
    let mut inputs = Vec::new();
    for (location, value) in &example.inputs {
        let location: Location = location.parse().map_err(|_| format!("`{location}` is no location"))?;
        inputs.push((location, bits(value)?));
    }
    let locations: Vec<Location> = inputs.iter().map(|(location, _)| *location).collect();
    if let Some(missing) = instruction.reads().into_iter().find(|l| !locations.contains(l)) {
        return Err(format!("{missing} has no value"));
    }
    let mut batch = Batch::new(codec::encode(&instruction, setting.numbers), &locations, 1);
    for (column, (_, bits)) in inputs.iter().enumerate() {
        batch.column_mut(column)[0] = *bits;
    }
    Ok((instruction, batch))
}

/// Parses a value: `true`, `0x2A`, `-5`, or a number with a decimal point or exponent, as F32.
fn bits(text: &str) -> Result<u32, String> {
    let read = match (text, text.strip_prefix("0x")) {
        ("true" | "false", _) => Some(u32::from(text == "true")),
        (_, Some(digits)) => u32::from_str_radix(digits, 16).ok(),
        _ if text.contains(['.', 'e']) => text.parse::<f32>().ok().map(f32::to_bits),
        _ => text
            .parse::<i64>()
            .ok()
            .and_then(|n| u32::try_from(n).ok().or(i32::try_from(n).ok().map(|n| n as u32))),
    };
    read.ok_or_else(|| format!("`{text}` is no value; write 0x and digits, an integer, 1.5, true or false"))
}

/// Whether the true result of lane 0 is a real number. The profile may allow several values for
/// such a result.
fn is_approximate(truth: &Truth) -> bool {
    match &truth.values {
        TruthValues::Bits(_) => false,
        TruthValues::Reals { packed, values, .. } => {
            values[..*packed].iter().any(|value| !matches!(value, Real::Bits(_)))
        }
    }
}

fn cell(instruction: &Instruction, location: Location, bits: u32, is_approximate: bool) -> Cell {
    let text = shown(instruction, location, bits);
    Cell { location: location.to_string(), bits, text, is_approximate }
}

/// Returns a value in hexadecimal, and in decimal by the type of its operand.
fn shown(instruction: &Instruction, location: Location, bits: u32) -> String {
    let order = instruction.form().order.iter();
    let mut here = order.filter(|name| instruction.operand(name).locations().any(|l| l == location));
    let kind = here.next().map(|name| OperandKind::of(instruction, name));
    let number = match kind {
        _ if location.is_predicate() => return (bits != 0).to_string(),
        Some(OperandKind::Float(format)) => float(format, bits),
        Some(OperandKind::Half { format, high }) => float(format, bits >> (16 * u32::from(high)) & 0xffff),
        Some(OperandKind::Pair(format)) => {
            format!("high {}, low {}", float(format, bits >> 16), float(format, bits & 0xffff))
        }
        Some(OperandKind::Exponent) => float(F32, bits),
        _ if bits >> 31 == 1 => format!("{bits}, signed {}", bits as i32),
        _ => bits.to_string(),
    };
    format!("{bits:#010x} ({number})")
}

/// Returns the value of a bit pattern in decimal.
fn float(format: Format, bits: u32) -> String {
    let value = value(format, bits);
    match format {
        _ if value != 0.0 && value.is_finite() && !(1e-5..1e16).contains(&value.abs()) => {
            if format == F32 {
                format!("{:e}", value as f32)
            } else {
                format!("{value:e}")
            }
        }
        F32 => (value as f32).to_string(),
        _ => value.to_string(),
    }
}
