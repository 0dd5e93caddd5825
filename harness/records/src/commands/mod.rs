//! The JSON output of the commands, one type for each command.
//!
//! The fields are in the order in which they are printed. `assay schema COMMAND` prints the JSON
//! Schema of a type. The output of some commands contains data of a crate that depends on this one.
//! The types of these commands are in that crate:
//!
//! | command | crate |
//! |---|---|
//! | `eval`, `replay`, `errata show`, `trace info`, `trace check` | `runner` |
//! | `mutants list` | `mutation` |
//! | `nightly`, `status`, `known-issues show`, `known-issues set` | `nightly` |
//! | `report` | `reports` |
//! | `isa show` | `manual` |
//! | `isa diff`, `isa lint` of documents | `documents` |
//! | `dut check` | `device` |
//!
//! ```
//! use assay_records::commands::{coverage::BinCounts, schema};
//!
//! let bins = BinCounts { bins: 12, impossible: 3, hit: None, missed: None };
//! assert_eq!(serde_json::to_string(&bins)?, r#"{"bins":12,"impossible":3}"#);
//! assert_eq!(schema::<BinCounts>()["properties"]["bins"]["type"], "integer");
//! # Ok::<(), serde_json::Error>(())
//! ```

pub mod campaign;
pub mod certify;
pub mod coverage;
pub mod errata;
pub mod exchange;
pub mod function;
pub mod isa;
pub mod libfuzzer;
pub mod mutants;
pub mod rtl;
pub mod traces;
pub mod vectors;

use std::borrow::Cow;

use assay_isa::Batch;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// Returns the JSON Schema (draft 2020-12) of a type, as the type is serialized.
pub fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Returns a number rounded to `digits` decimal places.
pub fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

/// Values by name, in the order of insertion. Inserting a name again replaces its value.
#[derive(Clone, Debug, PartialEq)]
pub struct ByName<T>(Vec<(String, T)>);

impl ByName<String> {
    /// Returns the bits of each location in the first lane of a batch, as `0x` and eight digits.
    pub fn bits(batch: &Batch) -> ByName<String> {
        batch.lane(0).map(|(location, value)| (location.to_string(), format!("{value:#010x}"))).collect()
    }
}

impl<T> ByName<T> {
    /// Returns the names and their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = &(String, T)> {
        self.0.iter()
    }
}

impl<T> FromIterator<(String, T)> for ByName<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(values: I) -> ByName<T> {
        let mut list: Vec<(String, T)> = Vec::new();
        for (name, value) in values {
            match list.iter_mut().find(|(other, _)| *other == name) {
                Some((_, old)) => *old = value,
                None => list.push((name, value)),
            }
        }
        ByName(list)
    }
}

impl<T: Serialize> Serialize for ByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<T: JsonSchema> JsonSchema for ByName<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("ByName_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": generator.subschema_for::<T>() })
    }
}
