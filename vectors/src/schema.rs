//! The JSON Schemas of suites and of files of errata. A case on a line of JSON has the schema
//! `$defs/Case` of a suite.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use crate::case::Suite;
use crate::errata::Area;

/// Returns the JSON Schema (draft 2020-12) of a suite. A case on a line of JSON has the schema
/// `$defs/Case` in it.
pub fn schema() -> Value {
    schema_for::<Suite>()
}

/// Returns the JSON Schema (draft 2020-12) of a file of errata.
pub fn errata_schema() -> Value {
    schema_for::<Area>()
}

fn schema_for<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(without_null));
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Removes `null` from the schema, because files omit optional keys and never write null.
fn without_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|ty| ty != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            schema.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(|choice| *choice != json!({"type": "null"}));
        if let [Value::Object(only)] = &choices[..] {
            let only = only.clone();
            schema.remove("anyOf");
            only.into_iter().for_each(|(key, value)| drop(schema.insert(key, value)));
        }
    }
}
