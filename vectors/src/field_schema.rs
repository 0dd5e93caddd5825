//! The JSON Schemas of fields. A type of `assay-isa` has the schema of the text that represents it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::VERSION;
use crate::actual::Actual;
use crate::values::{Expected, Overrides, Values, WrittenValue};

pub(crate) fn version(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "const": VERSION })
}

pub(crate) fn name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$" })
}

/// Returns the schema of a suite's cases, each of type `C`.
pub(crate) fn cases<C: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let case = generator.subschema_for::<C>();
    json_schema!({
        "type": "array",
        "minItems": 1,
        "items": { "allOf": [case, { "required": ["name", "provenance"] }] },
    })
}

pub(crate) fn word(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "anyOf": [
        { "type": "string", "pattern": "^0x[0-9a-fA-F]{1,32}$" },
        { "type": "integer", "minimum": 0 },
    ] })
}

pub(crate) fn erratum(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "pattern": "^E[0-9]{3}$" })
}

pub(crate) fn event(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "properties": events(),
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": false,
    })
}

pub(crate) fn event_or_null(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "anyOf": [event(generator), { "type": "null" }] })
}

/// Returns the schema of each key that an event can have.
fn events() -> Value {
    json!({
        "fault": { "type": "string", "description": "The fault that the instruction raises." },
        "executed": { "type": "string", "description": "The event that the instruction executes besides its writes." },
        "failed": { "type": "string", "description": "How the device failed." },
    })
}

pub(crate) fn actual(_: &mut SchemaGenerator) -> Schema {
    let mut did = by_location("What was written, and the event beside it.", |value| value);
    did.insert("properties".into(), events());
    json_schema!({ "anyOf": [
        did,
        {
            "type": "object",
            "properties": { "undefined": {
                "type": "string", "pattern": "^E[0-9]{3}$", "description": "The erratum that leaves the result undefined.",
            } },
            "required": ["undefined"],
            "additionalProperties": false,
        },
        { "const": "unsupported" },
    ] })
}

/// Implements [`JsonSchema`] for a type. `$defs` lists the schema under the type's name.
macro_rules! described {
    ($ty:ident, $schema:expr) => {
        impl JsonSchema for $ty {
            fn schema_name() -> Cow<'static, str> {
                stringify!($ty).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

described!(Actual, actual(&mut SchemaGenerator::default()));

described!(
    WrittenValue,
    json_schema!({
        "description": "Bits as `0x` and eight digits, or a predicate.",
        "type": ["string", "boolean"],
    })
);

described!(Values, by_location("A value for each location.", |value| value));

described!(
    Expected,
    by_location("A value, a span of values, or a list of those allowed, for each location.", |value| {
        let span = json!({ "type": "string", "pattern": r"^0x[0-9a-fA-F]{1,8}\.\.0x[0-9a-fA-F]{1,8}$" });
        let item = json!({ "anyOf": [value, span] });
        json!({ "anyOf": [value, span, { "type": "array", "minItems": 1, "items": item }] })
    })
);

described!(
    Overrides,
    json_schema!({
        "description": "Settings of errata and conventions, by number.",
        "type": "object",
        "patternProperties": { "^[CE][0-9]{3}$": { "type": "integer", "minimum": 1, "maximum": 255 } },
        "additionalProperties": false,
    })
);

/// Returns the schema of a map from locations. Locations of words and predicates have different
/// schemas. `shape` receives the schema of a single value, and returns the schema of a location's
/// values.
fn by_location(about: &str, shape: impl Fn(Value) -> Value) -> Schema {
    let word = json!({ "anyOf": [
        { "type": "string", "pattern": "^0x[0-9a-fA-F]{1,8}$" },
        { "type": "integer", "minimum": 0, "maximum": u32::MAX },
    ] });
    let words = r"^(U?R[0-9]+|c\[[0-9a-fx]+\]\[[0-9a-fA-Fx]+\]|SR_[A-Za-z0-9_.]+|G\[[0-9a-fA-Fx]+\]|V[0-9]+\.chan[0-9]+|F[0-9]+|EM)$";
    json_schema!({
        "description": about,
        "type": "object",
        "patternProperties": { words: shape(word), "^U?P[0-6]$": shape(json!({ "type": "boolean" })) },
        "additionalProperties": false,
    })
}
