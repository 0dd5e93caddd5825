//! Cases that a user writes down: on the command line, or as lines of JSON.

use assay_isa::{Batch, Instruction, Location};
use assay_vectors::Case;
use serde_json::{Map, Value, json};

use crate::context::Context;
use crate::error::RunError;

/// Reads an instruction as assembler text, or as a word that begins with `0x`, and values such as `R1=0x3f800000`.
pub fn posed(context: &Context, text: &str, inputs: &[String]) -> Result<Case, RunError> {
    let mut object = Map::new();
    if text.starts_with("0x") {
        object.insert("word".into(), json!(text));
    } else {
        context.assemble(text)?;
        object.insert("asm".into(), json!(text));
    }
    let mut values = Map::new();
    for input in inputs {
        let (name, value) = input.split_once('=').ok_or_else(|| {
            RunError::input(format!("`{input}` is no value; write LOCATION=VALUE, such as R1=0x3f800000"))
        })?;
        let location: Location =
            name.parse().map_err(|e: assay_isa::location::UnknownLocation| RunError::input(e.to_string()))?;
        let value = match value {
            "true" => json!(true),
            "false" => json!(false),
            text => text.parse::<u32>().map_or_else(|_| json!(text), |number| json!(number)),
        };
        if values.insert(location.to_string(), value).is_some() {
            return Err(RunError::input(format!("{location} is given twice")));
        }
    }
    object.insert("inputs".into(), Value::Object(values));
    Ok(assay_vectors::parse_line(&Value::Object(object).to_string())?)
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
