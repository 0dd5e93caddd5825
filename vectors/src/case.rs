//! The types of the format: a suite of cases, a case, its provenance, and the finding of a run.

use assay_isa::readings::Erratum;
use assay_isa::{Batch, Event, Instruction, asm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::VERSION;
use crate::actual::Actual;
use crate::in_batch::InBatch;
use crate::parts::InstructionParts;
use crate::text::{self, present};
use crate::values::{Expected, Overrides, Values};

/// A suite: a file of cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Version of the format: 1.
    #[schemars(schema_with = "crate::field_schema::version")]
    pub version: u32,
    /// Name of the suite, unique over all files: letters, digits, `.`, `_` and `-`, a letter or
    /// digit first.
    #[schemars(schema_with = "crate::field_schema::name")]
    pub suite: String,
    /// Description of the suite in one line.
    pub about: String,
    /// Profile under which the expectations hold: a name, or a path relative to the folder of this
    /// file. The default is `intended`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The cases, at least one.
    #[schemars(schema_with = "crate::field_schema::cases::<Case>")]
    pub cases: Vec<Case>,
}

/// An instruction, the values of its input locations, and the expected result.
///
/// In a suite, a case needs `name` and `provenance`. A case on a line of JSON may lack both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Version of the format, for a case on a line of JSON. The default is 1.
    #[serde(default = "first_version", skip_serializing_if = "is_first_version")]
    #[schemars(schema_with = "crate::field_schema::version")]
    pub version: u32,
    /// Name, unique in the suite: letters, digits, `.`, `_` and `-`, a letter or digit first.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(schema_with = "crate::field_schema::name")]
    pub name: String,
    /// The instruction as assembler text. `asm` or `word` is required.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub asm: Option<String>,
    /// The instruction as a word of 128 bits. If `asm` is present too, both must be the same
    /// instruction.
    #[serde(default, with = "text::word", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::field_schema::word")]
    pub word: Option<u128>,
    /// The parts of the instruction, for readers without a parser of its text. `assay gen` writes
    /// them. They are ignored when a case is read.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub parts: Option<InstructionParts>,
    /// A value for every location that the instruction reads. Other locations are allowed only in
    /// the register or constant space that the instruction indexes at run time.
    #[serde(default)]
    pub inputs: Values,
    /// The batch in which the case is executed. Absent if the case is executed alone.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub batch: Option<InBatch>,
    /// Settings of readings for this case that differ from the profile.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub readings: Overrides,
    /// The values that the instruction must write, for each location: a value, a span or a list of
    /// these. `{}` means that it must write nothing. Absent means that there is no expectation yet.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expected>,
    /// The event that must occur, beside `expect`. If `expect` is present and this is absent, no
    /// event may occur.
    #[serde(default, with = "text::event", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::field_schema::event")]
    pub event: Option<Event>,
    /// The erratum that leaves the result undefined under these readings. It replaces `expect`.
    #[serde(default, with = "text::optional", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::field_schema::erratum")]
    pub undefined: Option<Erratum>,
    /// Why the case is skipped. `vectors check` counts and lists skipped cases.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub skip: Option<String>,
    /// The source of the expectation.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// The finding of a run. It does not influence whether the case passes.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub finding: Option<Finding>,
    /// The answer of a device: its writes and its event, `{undefined: E049}` or `unsupported`.
    /// `assay ver` judges it. Other commands ignore or refuse it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::field_schema::actual")]
    pub actual: Option<Actual>,
}

/// The required effect of an instruction, as it is printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExpectedEffect {
    /// The values that the instruction must write, as in a case.
    pub expect: Expected,
    /// The event that must occur. Null if none may occur.
    #[serde(serialize_with = "text::event::serialize")]
    #[schemars(schema_with = "crate::field_schema::event_or_null")]
    pub event: Option<Event>,
}

/// The source of an expectation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Kind of source.
    pub source: Origin,
    /// The place in the source: an erratum, a section or a run. For hardware, the hash of the
    /// trace.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none", rename = "ref")]
    pub reference: Option<String>,
    /// How the value follows from the source.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// The kind of source of an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A row or a rule of the specification documents.
    Document,
    /// A witness of an erratum, or one of its readings.
    Erratum,
    /// The oracle computed the value.
    Oracle,
    /// Derived by hand from a public definition, such as IEEE 754.
    Hand,
    /// A run found the case.
    Finding,
    /// A device produced the value. `ref` is the hash of the trace.
    Hardware,
}

/// What a run found in a case. It does not influence whether the case passes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Seed of the campaign. Absent for other runs.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Index of the case in the campaign or sweep.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The subject that executed the case.
    pub subject: String,
    /// The oracle, or the subject that took its place.
    pub oracle: String,
    /// Name of the profile.
    pub profile: String,
    /// The signature, which identifies a bug.
    pub signature: String,
    /// The verdict.
    pub verdict: String,
    /// The values that the subject wrote. Absent if the subject gave no answer.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub actual: Option<Values>,
    /// The event that the subject reported.
    #[serde(default, with = "text::event", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "crate::field_schema::event")]
    pub event: Option<Event>,
    /// Signed error in ulp, as a decimal.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ulp: Option<String>,
    /// Number of divergences of the run that belong to this finding, if they were counted.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub cases: Option<u64>,
    /// The functions and value keys of these divergences. A value key consists of the kind of
    /// error, the classes of the operand values, and the class of the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// The smallest case of each symptom, if triage found no explanation of the wrong values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<BugCase>,
    /// What the failing cases have in common, if triage found no explanation. Each symptom has its
    /// own condition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<FindingCondition>,
    /// The divergences that belong to the finding, if triage found no explanation: the first for
    /// each raw key that the run kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<FoundCase>,
    /// The circumstance in which the case diverges, if it does not always diverge: `only in lane 31
    /// of each 32`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// The position of the case in the run, if its batches are known.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub place: Option<FoundAt>,
    /// True if the case, executed alone, did not diverge every time. `actual` and `event` then come
    /// from the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub transient: bool,
}

/// A condition that all failing cases meet, with counts of the similar cases that triage executed
/// to test it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindingCondition {
    /// The optype.
    pub optype: String,
    /// The parts of the condition, such as `rb is a NaN`. All of them must hold.
    pub all: Vec<String>,
    /// Number of cases that failed. The condition holds for all of them.
    pub failing: u64,
    /// Number of cases that meet the condition and passed.
    pub passing: u64,
    /// Number of cases that do not meet the condition. All of them passed.
    pub excluded: u64,
}

/// A divergence of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundCase {
    /// The instruction as assembler text.
    pub asm: String,
    /// The values of the input locations.
    pub inputs: Values,
    /// The values that the subject wrote. Absent if the subject gave no answer, or if an older
    /// version wrote the case.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub actual: Option<Values>,
}

/// The smallest case of one symptom of a bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BugCase {
    /// Modifiers, classes of the operands, and symptom.
    pub signature: String,
    /// The instruction as assembler text.
    pub asm: String,
    /// The values of the input locations.
    pub inputs: Values,
}

/// The position of a case in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundAt {
    /// Number of the batch, counted from 0.
    pub batch: u64,
    /// Number of the lane in the batch, counted from 0.
    pub lane: u64,
    /// Number of lanes of the batch.
    pub lanes: u64,
}

impl Default for Case {
    fn default() -> Self {
        Case {
            version: VERSION,
            name: String::new(),
            asm: None,
            word: None,
            parts: None,
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
    /// Returns a lane of a batch as a case that has no name and no expectation.
    pub fn from_lane(instruction: &Instruction, batch: &Batch, lane: usize) -> Case {
        let inputs = batch.lane(lane).collect();
        Case { asm: Some(asm::print(instruction)), inputs, ..Case::default() }
    }

    /// Returns the signature of the finding; empty without a finding.
    pub fn signature(&self) -> &str {
        self.finding.as_ref().map_or("", |finding| &finding.signature)
    }

    /// Returns the case as one line of JSON, without the line feed.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("maps with text keys serialise")
    }
}

impl Provenance {
    /// Returns a provenance without reference and detail.
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
