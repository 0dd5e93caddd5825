//! Reads cases that a user writes on the command line, or as lines of JSON.

use assay_isa::{Batch, Event, Instruction, Location, codec};
use assay_vectors::{Actual, Case, Values};

use super::written::{meant, parse_value};
use crate::context::Context;
use crate::error::RunError;
use crate::spelling;

/// Reads an instruction as assembler text, or as a word that begins with `0x`, and values such as
/// `R1=1.5`. Warns about a value that probably means something else.
pub fn posed(context: &Context, text: &str, inputs: &[String]) -> Result<Case, RunError> {
    let instruction = match text.strip_prefix("0x") {
        None => context.assemble(text)?,
        Some(digits) => {
            let word = u128::from_str_radix(&digits.replace('_', ""), 16).map_err(|_| {
                RunError::input(format!("`{text}` is no word; write 0x and up to 32 hexadecimal digits"))
            })?;
            codec::decode(word, &context.numbers).map_err(|error| RunError::input(error.to_string()))?
        }
    };
    let mut values = Values::default();
    for input in inputs {
        let (location, value) = assigned(context, &instruction, input)?;
        if values.insert(location, value).is_some() {
            return Err(RunError::input(format!("{location} is given twice")));
        }
    }
    Ok(Case { asm: Some(assay_isa::asm::print(&instruction)), inputs: values, ..Case::default() })
}

/// Reads the answer of a device: written values such as `R0=1.5`, and at most one event such as
/// `fault=out of range`.
pub fn answered(context: &Context, instruction: &Instruction, texts: &[String]) -> Result<Actual, RunError> {
    let (mut writes, mut event) = (Values::default(), None);
    for text in texts.iter().filter(|text| *text != NOTHING) {
        let is_twice = match text.split_once('=') {
            Some((kind @ ("fault" | "executed" | "failed"), what)) => {
                let parsed: Result<Event, _> = format!("{kind}: {what}").parse();
                event.replace(parsed.map_err(|error| RunError::input(error.to_string()))?).is_some()
            }
            _ => {
                let (location, value) = assigned(context, instruction, text)?;
                writes.insert(location, value).is_some()
            }
        };
        if is_twice {
            return Err(RunError::input(format!("--actual {text}: this is given twice")));
        }
    }
    Ok(Actual::Did { writes, event })
}

/// The text for the answer of a device that wrote nothing.
const NOTHING: &str = "nothing";

/// Reads the name of a location, in capitals or in small letters.
fn location(name: &str) -> Result<Location, RunError> {
    let read = name.parse::<Location>().or_else(|error| spelling::location(name).parse().map_err(|_| error));
    read.map_err(|error| RunError::input(error.to_string()))
}

/// Reads `LOCATION=VALUE`.
fn assigned(context: &Context, instruction: &Instruction, text: &str) -> Result<(Location, u32), RunError> {
    let (name, value) = text.split_once('=').ok_or_else(|| {
        RunError::input(format!(
            "`{text}` is no value; write LOCATION=VALUE, such as R1=1.5 or R1=0x3f800000"
        ))
    })?;
    let location = location(name)?;
    let read = parse_value(instruction, location, value).map_err(RunError::input)?;
    if let Some(meant) = meant(instruction, location, value).filter(|_| read.is_doubtful) {
        context.reporter.say(&format!("warning: {text} is taken as bits: {meant}"));
    }
    Ok((location, read.bits))
}

/// Reads a line of JSON with an instruction and its inputs. The error names the problem.
pub fn posed_line(context: &Context, line: &[u8]) -> Result<(Instruction, Batch), String> {
    let text = std::str::from_utf8(line).map_err(|e| format!("not text in UTF-8: {e}"));
    let case = text.and_then(|text| assay_vectors::parse_line(text).map_err(|e| e.to_string()));
    case.and_then(|case| {
        let has_expectation = case.expect.is_some() || case.undefined.is_some() || case.skip.is_some();
        if has_expectation || !case.readings.is_empty() {
            let remedy = "`assay vectors check` holds cases against them";
            return Err(format!("eval takes no readings and no expectation of a case; {remedy}"));
        }
        if case.actual.is_some() {
            return Err("eval takes no answer of a device; `assay ver --as jsonl` judges it".into());
        }
        case.batch(&context.numbers).map_err(|e| e.to_string())
    })
}
