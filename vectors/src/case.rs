//! The types of the format: a suite of cases, a case, where it comes from, and what a run found in it.

use assay_isa::readings::Erratum;
use assay_isa::{Batch, Event, Instruction, asm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::VERSION;
use crate::actual::Actual;
use crate::in_batch::InBatch;
use crate::text::{self, present};
use crate::values::{Expected, Overrides, Values};

/// A file of cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Version of the format: 1.
    #[schemars(schema_with = "crate::field_schema::version")]
    pub version: u32,
    /// Name of the suite, unique over all files: letters, digits, `.`, `_` and `-`.
    #[schemars(schema_with = "crate::field_schema::name")]
    pub suite: String,
    /// What the suite is about, in one line.
    pub about: String,
    /// Profile under which its cases hold, where the run names none; `intended` if absent.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The cases; at least one.
    #[schemars(schema_with = "crate::field_schema::cases::<Case>")]
    pub cases: Vec<Case>,
}

/// An instruction, the values of the locations it reads, and what must come of it.
///
/// In a suite a case has a name and a provenance; on a line of its own it may lack both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Version of the format, for a case that stands alone; 1 if absent.
    #[serde(default = "first_version", skip_serializing_if = "is_first_version")]
    #[schemars(schema_with = "crate::field_schema::version")]
    pub version: u32,
    /// Name, unique in the suite: letters, digits, `.`, `_` and `-`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "crate::field_schema::name")]
    pub name: String,
    /// The instruction as assembler text. Either this or `word` is there.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub asm: Option<String>,
    /// The instruction as an encoded word of 128 bits; where `asm` is there too, both must agree.
    #[serde(default, with = "text::word", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::field_schema::word")]
    pub word: Option<u128>,
    /// A value for every location that the instruction reads, and for no other.
    #[serde(default)]
    pub inputs: Values,
    /// The batch in which the case is executed, where it is not executed alone.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub batch: Option<InBatch>,
    /// Readings that differ from those of the profile, for this case.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub readings: Overrides,
    /// What the instruction must write: a value, or a list of those allowed, for each location; `{}` if
    /// it must write nothing. If absent, nothing is expected yet.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expected>,
    /// The event that must come with it; beside `expect` only, where absence means that none may.
    #[serde(default, with = "text::event", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::field_schema::event")]
    pub event: Option<Event>,
    /// Instead of `expect`: the erratum that leaves the result undefined under these readings.
    #[serde(default, with = "text::optional", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::field_schema::erratum")]
    pub undefined: Option<Erratum>,
    /// Why the case is not run; a run counts and lists it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub skip: Option<String>,
    /// Where the expectation comes from.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// What a run found here.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub finding: Option<Finding>,
    /// What a device answered: its writes and its event, `{undefined: E049}` or `unsupported`. `assay ver` judges it; for
    /// everybody else it says nothing.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::field_schema::actual")]
    pub actual: Option<Actual>,
}

/// What an instruction must do, as it is printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExpectedEffect {
    /// What it must write, as in a case.
    pub expect: Expected,
    /// The event that must come with it; null where none may.
    #[serde(serialize_with = "text::event::serialize")]
    #[schemars(schema_with = "crate::field_schema::event_or_null")]
    pub event: Option<Event>,
}

/// Where an expectation comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Kind of source.
    pub source: Origin,
    /// The place in it: an erratum, a section, a run.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none", rename = "ref")]
    pub reference: Option<String>,
    /// How the value follows from it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Kinds of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A row or a rule of the specification documents.
    Document,
    /// The witness or a reading of an erratum.
    Erratum,
    /// The oracle computed it.
    Oracle,
    /// Worked out by hand from a public definition, such as IEEE 754.
    Hand,
    /// A run found it.
    Finding,
    /// A device did it: the trace whose hash `ref` names.
    Hardware,
}

/// What a run found in a case. Nothing in it decides whether the case passes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Seed of the campaign, if it had one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Index of the case in the campaign or sweep, if it had one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// Who executed the case.
    pub subject: String,
    /// Who knew the truth.
    pub oracle: String,
    /// Profile of the run.
    pub profile: String,
    /// What makes two divergences the same bug.
    pub signature: String,
    /// The verdict.
    pub verdict: String,
    /// What the subject wrote; absent if it gave no answer.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub actual: Option<Values>,
    /// The event that the subject reported.
    #[serde(default, with = "text::event", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::field_schema::event")]
    pub event: Option<Event>,
    /// Signed error in ulp, as a decimal.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ulp: Option<String>,
    /// Divergences of the run that count as this finding, where they were counted.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub cases: Option<u64>,
    /// The functions and value keys of these divergences: kind of error, classes of the operands' values, class of the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// The ways in which it shows, where wrong values that nothing explains make one finding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<BugCase>,
    /// When the case diverges, if not always: `only in lane 31 of each 32`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// Where the run met the case, if its batches are known.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub place: Option<FoundAt>,
    /// Whether the case held when it was executed alone: then `actual` and `event` are what was seen before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub transient: bool,
}

/// One of the ways in which a bug shows: a smallest case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BugCase {
    /// Its modifiers, the classes of its operands, and the symptom.
    pub signature: String,
    /// The instruction in assembly.
    pub asm: String,
    /// Values of the places that it reads.
    pub inputs: Values,
}

/// Where a run met a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundAt {
    /// The number of the batch, counted from 0.
    pub batch: u64,
    /// The lane of the batch, counted from 0.
    pub lane: u64,
    /// Lanes of the batch.
    pub lanes: u64,
}

impl Default for Case {
    fn default() -> Self {
        Case {
            version: VERSION,
            name: String::new(),
            asm: None,
            word: None,
            inputs: Values::default(),
            batch: None,
            readings: Overrides::default(),
            expect: None,
            event: None,
            undefined: None,
            skip: None,
            provenance: None,
            finding: None,
            actual: None,
        }
    }
}

impl Case {
    /// A lane of a batch as a case without a name and an expectation.
    pub fn from_lane(instruction: &Instruction, batch: &Batch, lane: usize) -> Case {
        let inputs = batch.lane(lane).collect();
        Case { asm: Some(asm::print(instruction)), inputs, ..Case::default() }
    }

    /// What tells what a run found in it from other findings; empty where no run found anything.
    pub fn signature(&self) -> &str {
        self.finding.as_ref().map_or("", |finding| &finding.signature)
    }

    /// The case as one line of JSON, without the line feed.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("maps with text keys serialise")
    }
}

impl Provenance {
    /// A source without further detail.
    pub fn new(source: Origin) -> Provenance {
        Provenance { source, reference: None, detail: None }
    }
}

fn first_version() -> u32 {
    1
}

fn is_first_version(version: &u32) -> bool {
    *version == first_version()
}

fn is_empty(overrides: &Overrides) -> bool {
    overrides.0.is_empty()
}
