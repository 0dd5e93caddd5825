//! The rows of a profile's contracts, as its file writes them and as they are looked up.

use std::sync::Arc;

use assay_isa::{Erratum, Instruction, Readings};
use serde::Deserialize;

use crate::contract::{Bound, Contract, Metric};
use crate::key::Key;
use crate::limit::{Interval, Limit, check_ulp};
use crate::profile::{Basis, Evidence};
use crate::text::{Parsed, optional, parsed, present};

/// A contract and the instructions that it is for.
#[derive(Clone, Debug)]
pub struct ContractRow {
    /// Optype and modifiers, such as `MUFU.RCP.F32`; of several that match, the longest counts.
    pub instruction: String,
    /// The setting under which it holds; under all if there is none.
    pub reading: Option<(Erratum, u8)>,
    /// What is asked for.
    pub contract: Contract,
    /// Why it is what it is.
    pub basis: Basis,
    key: Key,
}

impl ContractRow {
    /// Whether it holds under some readings.
    pub fn applies(&self, readings: &Readings) -> bool {
        self.reading.is_none_or(|setting| readings.iter().any(|reading| reading == setting))
    }

    /// Whether it holds for an instruction under some readings.
    pub fn matches(&self, instruction: &Instruction, readings: &Readings) -> bool {
        self.key.matches(instruction) && self.applies(readings)
    }

    /// How much it says about when it holds: of two rows that match, the one that says more counts.
    pub fn precision(&self) -> (usize, bool) {
        (self.key.precision(), self.reading.is_some())
    }

    /// Whether it stands in the place of a parent's: it is for all of its instructions, and under its setting.
    pub fn replaces(&self, other: &ContractRow) -> bool {
        self.key.covers(&other.key) && self.reading.is_none_or(|setting| other.reading == Some(setting))
    }
}

/// A contract as a file writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(deserialize_with = "parsed")]
    instruction: Key,
    #[serde(default, deserialize_with = "optional")]
    reading: Option<(Erratum, u8)>,
    #[serde(default, deserialize_with = "present")]
    metric: Option<Metric>,
    #[serde(default, deserialize_with = "optional")]
    bound: Option<WrittenLimit>,
    #[serde(default, deserialize_with = "present")]
    bounds: Option<Vec<WrittenBound>>,
    #[serde(default, deserialize_with = "present")]
    exact: Option<Exact>,
    #[serde(default)]
    evidence: Evidence,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBound {
    #[serde(default, deserialize_with = "optional")]
    on: Option<Interval>,
    metric: Metric,
    #[serde(deserialize_with = "parsed")]
    bound: WrittenLimit,
}

/// A limit with the text it was read from.
struct WrittenLimit {
    text: String,
    limit: Limit,
}

impl Parsed for WrittenLimit {
    const EXAMPLE: &'static str = Limit::EXAMPLE;

    fn parsed(text: &str) -> Result<WrittenLimit, String> {
        Ok(WrittenLimit { text: text.to_owned(), limit: Limit::parsed(text)? })
    }
}

impl Parsed for (Erratum, u8) {
    const EXAMPLE: &'static str = "E035=1";

    fn parsed(text: &str) -> Result<Self, String> {
        Readings::setting_from_text(text).map_err(|error| error.to_string())
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Exact {
    Truth,
    Model,
}

/// A contract as read from a file; the profile that it belongs to gives it its name.
#[derive(Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct ContractEntry(ContractRow);

impl ContractEntry {
    /// The row, as one of a profile of that name.
    pub fn row(self, profile: &str) -> ContractRow {
        let mut row = self.0;
        row.basis.profile = profile.to_owned();
        row
    }
}

impl TryFrom<Written> for ContractEntry {
    type Error = String;

    fn try_from(entry: Written) -> Result<ContractEntry, String> {
        let contract = match (entry.metric, entry.bound, entry.bounds, entry.exact) {
            (Some(metric), Some(bound), None, None) => bounded([(None, metric, bound)])?,
            (None, None, Some(list), None) if !list.is_empty() => {
                bounded(list.into_iter().map(|b| (b.on, b.metric, b.bound)))?
            }
            (None, None, None, Some(Exact::Truth)) => Contract::BitExact,
            (None, None, None, Some(Exact::Model)) => Contract::Model,
            _ => {
                return Err(
                    "a contract is `metric` with `bound`, or a list of `bounds`, or `exact: truth`, or \
                            `exact: model`; write one of these"
                        .into(),
                );
            }
        };
        let basis = Basis { evidence: entry.evidence, note: entry.note, trace: None, profile: String::new() };
        let instruction = entry.instruction.text().to_owned();
        Ok(ContractEntry(ContractRow {
            instruction,
            reading: entry.reading,
            contract,
            basis,
            key: entry.instruction,
        }))
    }
}

fn bounded(
    list: impl IntoIterator<Item = (Option<Interval>, Metric, WrittenLimit)>,
) -> Result<Contract, String> {
    let bounds = list.into_iter().map(|(interval, metric, WrittenLimit { text, limit })| {
        if metric == Metric::Ulp {
            check_ulp(&limit, &text)?;
        }
        Ok(Bound { interval, metric, limit, written: text })
    });
    let bounds: Vec<Bound> = bounds.collect::<Result<_, String>>()?;
    Ok(Contract::Bounded(Arc::from(bounds)))
}
