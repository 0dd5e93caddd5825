//! The messages of the device protocol, versions 1 and 2. They go through the standard input and
//! output of a process.
//!
//! A message is JSON on one line. The host begins with a [`Hello`], and the device answers with a
//! [`HelloReply`]. Then the host sends [`Request`]s, one after the other, and the device answers
//! each with an [`Answer`]. The device ends when its standard input ends. If the reply chooses a
//! binary framing, the messages after these two lines have the form of [`crate::frame`].
//!
//! The versions differ only in the reply. Version 1 lists optypes. Version 2 lists the supported
//! modes, and the device must then answer all batches of these modes ([`crate::declaration`]). The
//! first line of the host has the form of version 1, so that a device of version 1 can read it. The
//! device chooses the version in its reply.
//!
//! A device ignores keys that it does not know. The host refuses unknown keys. Otherwise a
//! misspelled key would count as an absent key.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use assay_isa::Location;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeOwned, Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

/// The newest version of the protocol.
pub const PROTOCOL: u32 = 2;
/// The oldest supported version of the protocol. The first line of the host has this version.
pub const OLDEST: u32 = 1;

/// The first line of the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// Version of this line: 1.
    #[schemars(schema_with = "oldest")]
    pub protocol: u32,
    /// The protocol versions from which the device can choose. Absent means only version 1.
    #[serde(default = "only_the_oldest")]
    pub protocols: Vec<u32>,
    /// Digest of the encoding table with which the instruction words are encoded.
    pub numbers: String,
    /// Name of the profile.
    pub profile: String,
    /// The setting of each reading, such as "E173": 2.
    pub readings: BTreeMap<String, u8>,
    /// The framings from which the device can choose.
    pub framings: Vec<Framing>,
    /// Memory that the device may share with the host, if `framings` has "binary". A device that
    /// uses this memory replies with the framing "shared".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryOffer>,
}

/// Two files that hold the messages of the framing "shared". Both files have the same fixed size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryOffer {
    /// Path of the file of the requests. The device maps it for reading.
    pub requests: String,
    /// Path of the file of the answers. The device maps it for reading and writing.
    pub answers: String,
    /// Size of each file in bytes.
    pub bytes: u64,
}

/// The framing of the messages after the first two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Framing {
    /// JSON, one message on each line.
    Json,
    /// Little-endian binary messages with a length prefix.
    Binary,
    /// The messages of "binary" in shared memory. Only the number of messages goes through the
    /// pipe, as 32 bits. The device can choose this framing if the first line of the host has
    /// `memory`, and `framings` has "binary".
    Shared,
}

/// The reply of the device to the first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with protocol, name, version, modes and framing")]
#[schemars(extend("oneOf" = [
    { "properties": { "protocol": { "const": 1 } }, "required": ["optypes"], "not": { "required": ["modes"] } },
    { "properties": { "protocol": { "const": 2 } }, "required": ["modes"], "not": { "required": ["optypes"] } },
]))]
pub struct HelloReply {
    /// The chosen protocol version: 2 or 1.
    pub protocol: u32,
    /// Name of the device.
    pub name: String,
    /// Version of the device.
    pub version: String,
    /// For version 1: the optypes with at least one supported mode, such as "FADD" or "UIMAD.WIDE".
    /// Batches of other optypes are never sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optypes: Vec<String>,
    /// For version 2: the supported modes as patterns, such as "FADD", "MUFU.RCP.*" or
    /// "!FMUL*.D2*". Batches of other modes are never sent. The device must answer every batch of a
    /// supported mode.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<String>,
    /// The profile that the device follows. Absent if the device does not state it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// How the device treats subnormals. Absent if the device does not state it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ftz: Option<Ftz>,
    /// The chosen framing.
    pub framing: Framing,
}

/// The reply of a device that cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HelloRefusal {
    /// Why the device cannot be opened.
    pub error: String,
}

/// How a device treats subnormals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ftz {
    /// Flushes subnormals if the instruction has .FTZ.
    Modifier,
    /// Always flushes subnormals.
    Always,
    /// Never flushes subnormals.
    Never,
}

/// A batch to execute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Request<'a> {
    /// Number of the request. The answer repeats it.
    pub id: u64,
    /// The encoded instruction: "0x" and 32 hexadecimal digits.
    #[schemars(regex(pattern = "^0x[0-9a-f]{32}$"))]
    pub word: String,
    /// The instruction as assembler text.
    pub asm: Cow<'a, str>,
    /// Number of lanes. Can be 0.
    pub lanes: u32,
    /// The values of each input location, one for each lane. A predicate is 0 or 1.
    pub inputs: Inputs<'a>,
}

/// The result of a batch: `writes` and `events`, or `unsupported`, or `error`. An answer without
/// any of these means that no lane wrote anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Number of the request.
    pub id: u64,
    /// The values written to each location, one for each lane. Null if the lane did not write to
    /// the location.
    #[serde(default)]
    pub writes: Writes,
    /// The events of the lanes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<LaneEvents>,
    /// Whether the device does not support the instruction.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unsupported: bool,
    /// Why the device could not execute the batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// An event of a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LaneEvents {
    /// The lane, counted from 0.
    pub lane: u32,
    /// The event as text, such as "fault: misaligned address", "executed: PMTRIG 0x5" or
    /// "undefined: E049".
    pub event: String,
}

/// Values by location, in the order of the message.
pub type Inputs<'a> = Columns<Cow<'a, [u32]>>;
/// Values by location. A lane that did not write has no value.
pub type Writes = Columns<Vec<Option<u32>>>;

/// A column of values for each location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns<C>(pub Vec<(Location, C)>);

impl<C> Default for Columns<C> {
    fn default() -> Self {
        Columns(Vec::new())
    }
}

impl<C: Serialize> Serialize for Columns<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (location, column) in &self.0 {
            map.serialize_entry(&format_args!("{location}"), column)?;
        }
        map.end()
    }
}

impl<'de, C: DeserializeOwned> Deserialize<'de> for Columns<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ColumnsVisitor(PhantomData))
    }
}

struct ColumnsVisitor<C>(PhantomData<C>);

impl<'de, C: DeserializeOwned> Visitor<'de> for ColumnsVisitor<C> {
    type Value = Columns<C>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a list of values for each location")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Columns<C>, A::Error> {
        let mut columns: Vec<(Location, C)> = Vec::new();
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            let location = name.parse().map_err(A::Error::custom)?;
            if columns.iter().any(|(earlier, _)| *earlier == location) {
                return Err(A::Error::custom(format_args!("{location} is there twice")));
            }
            columns.push((location, map.next_value()?));
        }
        Ok(Columns(columns))
    }
}

impl<C: JsonSchema> JsonSchema for Columns<C> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Columns".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let column = generator.subschema_for::<C>();
        json_schema!({
            "type": "object",
            "propertyNames": {
                "pattern": r"^(R|UR|P|UP|F)[0-9]+$|^c\[[0-9]+\]\[0x[0-9a-f]+\]$|^SR_|^G\[0x[0-9a-f]+\]$|^V[0-9]+\.chan[0-9]+$|^EM$",
            },
            "additionalProperties": column,
        })
    }
}

fn oldest(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "const": OLDEST })
}

fn only_the_oldest() -> Vec<u32> {
    vec![OLDEST]
}

/// Returns the JSON Schema (draft 2020-12) of a line. A line is one of four messages, each of which
/// is in `$defs` under its name.
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let lines = [
        generator.subschema_for::<Hello>(),
        generator.subschema_for::<HelloReply>(),
        generator.subschema_for::<Request<'static>>(),
        generator.subschema_for::<Answer>(),
    ];
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of the protocol between assay and a device under test",
        "anyOf": lines,
        "$defs": generator.take_definitions(true),
    })
}
