//! The plan of a run.

use std::collections::BTreeMap;

use assay_engine::generate::BatchPlan;
use assay_isa::Readings;
use assay_vectors::looser::LooserProfile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::devices::Devices;

/// The name of the oracle, which judges unless another subject takes its place.
pub const ORACLE: &str = "mpfr";

/// The plan of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Plan {
    /// A campaign of generated cases.
    Fuzz {
        /// Seed of the generator.
        seed: u64,
        /// Number of cases over all shards. Null if the run has a time limit. Shards of such a run
        /// do not merge.
        cases: Option<u64>,
        /// Whether the run stops once every coverage bin was hit. Shards of such a run do not
        /// merge.
        until_covered: bool,
        /// Globs over optypes, forms and functions. Empty means everything.
        only: Vec<String>,
        /// The subject, the reference and the rules of the comparison.
        #[serde(flatten)]
        setting: Setting,
    },
    /// Every input of unary functions or a sample of these inputs, and combinations of listed
    /// operands.
    Sweep {
        /// Number of inputs by function, such as `MUFU.RCP.F32`.
        functions: BTreeMap<String, u64>,
        /// Distance between consecutive inputs of a unary function. 1 means every input.
        stride: u64,
        /// The subject, the reference and the rules of the comparison.
        #[serde(flatten)]
        setting: Setting,
    },
    /// Every case of recorded traces.
    Trace {
        /// Number of cases by trace. Cases that a recorded device did not support are included. A
        /// trace is named by its hash.
        traces: BTreeMap<String, u64>,
        /// The subject, the reference and the rules of the comparison.
        #[serde(flatten)]
        setting: Setting,
    },
}

impl Plan {
    /// Returns the number of cases of the whole plan. `None` if time or coverage limits the run.
    pub fn cases(&self) -> Option<u64> {
        match self {
            Plan::Fuzz { until_covered: true, .. } => None,
            Plan::Fuzz { cases, .. } => *cases,
            Plan::Sweep { functions, .. } => Some(functions.values().sum()),
            Plan::Trace { traces, .. } => Some(traces.values().sum()),
        }
    }

    /// Returns how a campaign is divided into batches, over all shards. The division depends on the
    /// version of the generator. `None` if the plan is not a campaign.
    pub fn batches(&self) -> Option<BatchPlan> {
        let Plan::Fuzz { cases, until_covered, setting, .. } = self else { return None };
        Some(match cases {
            None => BatchPlan::ENDLESS,
            Some(cases) if *until_covered => BatchPlan::full(*cases),
            Some(cases) => BatchPlan::of_version(*cases, setting.generator),
        })
    }

    /// Returns the subject, the reference and the rules of the comparison.
    pub fn setting(&self) -> &Setting {
        match self {
            Plan::Fuzz { setting, .. } | Plan::Sweep { setting, .. } | Plan::Trace { setting, .. } => setting,
        }
    }

    /// Returns the plan without its devices.
    pub(crate) fn without_devices(mut self) -> Plan {
        *self.devices_mut() = Devices::default();
        self
    }

    /// Returns the devices that take part.
    pub fn devices_mut(&mut self) -> &mut Devices {
        match self {
            Plan::Fuzz { setting, .. } | Plan::Sweep { setting, .. } | Plan::Trace { setting, .. } => {
                &mut setting.devices
            }
        }
    }
}

/// The subject, the reference and the rules of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Setting {
    /// The subject.
    pub subject: String,
    /// The reference: the oracle, or another subject.
    pub against: String,
    /// Name of the profile.
    pub profile: String,
    /// The setting of every reading, including those that options override.
    pub readings: BTreeMap<String, u8>,
    /// The contract of each function, by optype and modifiers. Functions without a contract are
    /// compared bit by bit.
    pub contracts: BTreeMap<String, String>,
    /// The minimum percentage of judged lanes, 0 to 100, by globs over optypes, forms and
    /// functions. The glob `*` applies to names that no other glob matches. Absent in older
    /// results, which have no minimum.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub judged: BTreeMap<String, u8>,
    /// The demands of the profile that are lower than those of the built-in profile that it
    /// extends. Absent if no demand is lower, and in older results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looser: Option<LooserProfile>,
    /// How far a result may move against the direction of a monotonic function, by optype and
    /// modifiers. The unit is one step between neighbouring numbers of the result's format. Absent
    /// in older results.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inversions: BTreeMap<String, u32>,
    /// The devices that take part. A role has more than one only after `--same-device`. Absent if
    /// no device takes part, and in older results.
    #[serde(default, skip_serializing_if = "Devices::is_empty")]
    pub devices: Devices,
    /// The selected functions of which subject or reference does not support some or all modes,
    /// such as `FADD (63 of 64 modes)`. These modes were not executed. Absent if there are no such
    /// functions, and in older results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_generated: Vec<String>,
    /// Digest of the encoding table, on which generated cases and instruction words depend.
    pub numbers: String,
    /// Version of the generator. Another version generates other cases from the same seed.
    pub generator: u32,
}

/// Returns a phrase that names the first difference between two plans that are not equal.
pub(crate) fn difference(a: &Plan, b: &Plan) -> String {
    let part = match (a, b) {
        (
            Plan::Fuzz { seed, cases, until_covered, only, setting: _ },
            Plan::Fuzz { seed: seed2, cases: cases2, until_covered: covered2, only: only2, setting: _ },
        ) => match () {
            () if until_covered != covered2 => Some("the limit"),
            () if seed != seed2 => Some("the seed"),
            () if cases != cases2 => Some("the number of cases"),
            () if only != only2 => Some("the selection"),
            () => None,
        },
        (
            Plan::Sweep { functions, stride, setting: _ },
            Plan::Sweep { functions: functions2, stride: stride2, setting: _ },
        ) => match () {
            () if functions != functions2 => Some("the functions"),
            () if stride != stride2 => Some("the tier"),
            () => None,
        },
        (Plan::Trace { traces, .. }, Plan::Trace { traces: traces2, .. }) => {
            (traces != traces2).then_some("the traces")
        }
        _ => Some("the kind of run"),
    };
    part.map_or_else(|| a.setting().difference(b.setting()), str::to_owned)
}

impl Setting {
    /// Returns the readings whose settings differ from the profile `intended`. Readings that this
    /// program does not know are included.
    pub fn readings_not_intended(&self) -> impl Iterator<Item = (&String, u8)> {
        let intended: BTreeMap<String, u8> =
            Readings::INTENDED.iter().map(|(erratum, setting)| (erratum.to_string(), setting)).collect();
        let readings = self.readings.iter().map(|(erratum, setting)| (erratum, *setting));
        readings.filter(move |(erratum, setting)| intended.get(*erratum) != Some(setting))
    }

    fn difference(&self, other: &Setting) -> String {
        let part = match () {
            () if self.subject != other.subject => "the subject",
            () if self.against != other.against => "what it is compared with",
            () if self.not_generated != other.not_generated => "what the implementations support",
            () if self.devices != other.devices => return self.devices.difference(&other.devices),
            () if self.judged != other.judged => "what share of a form must be judged",
            () if self.numbers != other.numbers => "the encoding table",
            () if self.generator != other.generator => "the version of the generator",
            () if self.contracts != other.contracts => "the contracts of the profile",
            () => "the profile",
        };
        part.to_owned()
    }
}
