//! A judgement as the object that `eval` and `replay` print.

use assay_isa::Instruction;
use assay_vectors::Profile;
use serde_json::{Map, Value, json};

use assay_runner::inspect::panel::Judgement;
use assay_runner::inspect::values::errata;

/// The whole judgement as JSON: the object that `eval` prints.
pub fn to_json(instruction: &Instruction, word: u128, profile: &Profile, judgement: &Judgement) -> Value {
    let answers: Map<String, Value> =
        judgement.answers.iter().map(|a| (a.voice.clone(), a.spoken.to_json())).collect();
    let verdicts: Map<String, Value> = judgement
        .answers
        .iter()
        .filter_map(|a| Some((a.voice.clone(), json!(a.verdict.as_ref()?))))
        .collect();
    let mut object = json!({
        "asm": assay_isa::asm::print(instruction),
        "word": format!("{word:#034x}"),
        "profile": profile.name,
        "answers": answers,
        "verdict": judgement.verdict(),
        "verdicts": verdicts,
        "errata": errata(instruction, &profile.readings),
    });
    let ulps: Map<String, Value> =
        judgement.answers.iter().filter_map(|a| Some((a.voice.clone(), json!(a.ulp?)))).collect();
    if let Some(value) = &judgement.value {
        object["value"] = json!(value);
        object["ulp"] = Value::Object(ulps);
    }
    object
}
