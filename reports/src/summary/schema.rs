//! The JSON Schema of `report.json`. What it takes over from the result file is described here.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::Report;

/// The JSON Schema (draft 2020-12) of `report.json`.
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<Report>().to_value()
}

pub fn plan(_: &mut SchemaGenerator) -> Schema {
    let text = || json_schema!({ "type": "string" });
    let count = || json_schema!({ "type": "integer", "minimum": 0 });
    let device = json_schema!({
        "type": "object",
        "properties": {
            "role": { "enum": ["subject", "against"] },
            "name": text(),
            "version": text(),
            "protocol": count(),
            "modes": { "type": "array", "items": text() },
            "files": { "type": "object", "additionalProperties": text() },
        },
        "required": ["role", "name", "version", "protocol", "modes", "files"],
        "additionalProperties": false,
    });
    json_schema!({
        "description": "What the run set out to do, as in the result file.",
        "type": "object",
        "properties": {
            "kind": { "enum": ["fuzz", "sweep", "trace"] },
            "seed": count(),
            "cases": { "type": ["integer", "null"], "minimum": 0 },
            "until_covered": { "type": "boolean" },
            "only": { "type": "array", "items": text() },
            "functions": { "type": "object", "additionalProperties": count() },
            "stride": count(),
            "traces": { "type": "object", "additionalProperties": count() },
            "subject": text(),
            "against": text(),
            "profile": text(),
            "readings": { "type": "object", "additionalProperties": count() },
            "contracts": { "type": "object", "additionalProperties": text() },
            "numbers": text(),
            "generator": count(),
            "judged": { "type": "object", "additionalProperties": { "type": "integer", "minimum": 0, "maximum": 100 } },
            "devices": { "type": "array", "items": device },
        },
        "required": ["kind", "subject", "against", "profile", "readings", "contracts", "numbers", "generator"],
        "oneOf": [
            { "properties": { "kind": { "const": "fuzz" } }, "required": ["seed", "cases", "until_covered", "only"] },
            { "properties": { "kind": { "const": "sweep" } }, "required": ["functions", "stride"] },
            { "properties": { "kind": { "const": "trace" } }, "required": ["traces"] },
        ],
        "additionalProperties": false,
    })
}

pub fn shards(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "description": "The shards that are done; 0 of 1 is the whole.",
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "index": { "type": "integer", "minimum": 0 },
                "of": { "type": "integer", "minimum": 1 },
            },
            "required": ["index", "of"],
            "additionalProperties": false,
        },
    })
}

pub fn agreement(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "description": "Of a trace: every case once, by who agrees with whom; null of what is no trace.",
        "type": ["object", "null"],
        "additionalProperties": { "type": "integer", "minimum": 0 },
    })
}

pub fn counts(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "description": "Results by class.",
        "type": "object",
        "additionalProperties": { "type": "integer", "minimum": 0 },
    })
}
