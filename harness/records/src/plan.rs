//! What a run sets out to do.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::devices::Devices;

/// What a run set out to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Plan {
    /// A campaign of generated cases.
    Fuzz {
        /// Seed of the generator.
        seed: u64,
        /// Number of cases; none where time was the limit, and then shards cannot be merged.
        cases: Option<u64>,
        /// Whether the run ends early once every coverage bin was hit; then shards cannot be merged.
        until_covered: bool,
        /// Globs over optypes, forms and functions; empty for everything.
        only: Vec<String>,
        /// Who is compared under which rules.
        #[serde(flatten)]
        setting: Setting,
    },
    /// Every input of unary functions, or a stated sample of them, and products of listed operands.
    Sweep {
        /// Functions, e.g. `MUFU.RCP.F32`, with the number of inputs of each.
        functions: BTreeMap<String, u64>,
        /// Distance between neighbouring inputs of a unary function: 1 is exhaustive.
        stride: u64,
        /// Who is compared under which rules.
        #[serde(flatten)]
        setting: Setting,
    },
    /// Every case of recorded traces.
    Trace {
        /// The traces by the hash of their rows, with the number of cases of each.
        traces: BTreeMap<String, u64>,
        /// Who is compared under which rules.
        #[serde(flatten)]
        setting: Setting,
    },
}

impl Plan {
    /// Cases that the whole plan holds; none where time or coverage was the limit.
    pub fn cases(&self) -> Option<u64> {
        match self {
            Plan::Fuzz { until_covered: true, .. } => None,
            Plan::Fuzz { cases, .. } => *cases,
            Plan::Sweep { functions, .. } => Some(functions.values().sum()),
            Plan::Trace { traces, .. } => Some(traces.values().sum()),
        }
    }

    /// Who is compared, and under which rules.
    pub fn setting(&self) -> &Setting {
        match self {
            Plan::Fuzz { setting, .. } | Plan::Sweep { setting, .. } | Plan::Trace { setting, .. } => setting,
        }
    }

    /// The same plan for any device.
    pub(crate) fn without_devices(mut self) -> Plan {
        *self.devices_mut() = Devices::default();
        self
    }

    /// The devices that take part.
    pub fn devices_mut(&mut self) -> &mut Devices {
        match self {
            Plan::Fuzz { setting, .. } | Plan::Sweep { setting, .. } | Plan::Trace { setting, .. } => {
                &mut setting.devices
            }
        }
    }
}

/// Who is compared, and under which rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Setting {
    /// The implementation under test.
    pub subject: String,
    /// The implementation that knows.
    pub against: String,
    /// Name of the profile.
    pub profile: String,
    /// The setting of every reading, overrides included.
    pub readings: BTreeMap<String, u8>,
    /// The bound of every function that has one; the others are held to bits.
    pub contracts: BTreeMap<String, String>,
    /// The least percentage of lanes that must be judged, by globs over optypes, forms and functions; `*` is everything
    /// without a name of its own. Empty in results of before it was asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub judged: BTreeMap<String, u8>,
    /// The devices under test, in either role: more than one of a role only where the user said that they are the same.
    /// None where no device takes part, and in results of before they were recorded.
    #[serde(default, skip_serializing_if = "Devices::is_empty")]
    pub devices: Devices,
    /// Digest of the table of numbers: it decides what is generated and how it is encoded.
    pub numbers: String,
    /// Version of the generator: another one draws other cases from the same seed.
    pub generator: u32,
}

/// Names the first part in which two plans that are not equal differ.
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
    fn difference(&self, other: &Setting) -> String {
        let part = match () {
            () if self.subject != other.subject => "the subject",
            () if self.against != other.against => "what it is held against",
            () if self.devices != other.devices => return self.devices.difference(&other.devices),
            () if self.judged != other.judged => "what share of a form must be judged",
            () if self.numbers != other.numbers => "the table of numbers",
            () if self.generator != other.generator => "the version of the generator",
            () if self.contracts != other.contracts => "the contracts of the profile",
            () => "the profile",
        };
        part.to_owned()
    }
}
