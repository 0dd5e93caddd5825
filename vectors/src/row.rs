//! The rows of a profile's contracts: how files write them, and which instructions they match.

use std::sync::Arc;

use assay_isa::shown::quoted;
use assay_isa::{Erratum, Instruction, Readings};
use serde::Deserialize;

use crate::clauses::{Clauses, Facts, Relation, Relations, Signs};
use crate::contract::{Bound, Contract, Metric, parse_limit};
use crate::evidence::{Basis, Evidence};
use crate::key::Key;
use crate::limit::{Interval, Limit, check_ulp};
use crate::text::{Parsed, optional, parsed, present};

/// A contract and the instructions to which it applies.
#[derive(Clone, Debug)]
pub struct ContractRow {
    /// Optype and modifiers, such as `MUFU.RCP.F32`. If several rows match, the row with most
    /// modifiers applies.
    pub instruction: String,
    /// The setting of a reading under which the contract applies. `None` if it applies under all
    /// settings.
    pub reading: Option<(Erratum, u8)>,
    /// The demands.
    pub contract: Contract,
    /// The evidence.
    pub basis: Basis,
    key: Key,
}

impl ContractRow {
    /// Whether the contract applies under these readings.
    pub fn applies(&self, readings: &Readings) -> bool {
        self.reading.is_none_or(|setting| readings.iter().any(|reading| reading == setting))
    }

    /// Returns the optype of the row's instructions.
    pub fn optype(&self) -> &'static str {
        self.key.optype()
    }

    /// Whether the contract applies to an instruction under these readings.
    pub fn matches(&self, instruction: &Instruction, readings: &Readings) -> bool {
        self.key.matches(instruction) && self.applies(readings)
    }

    /// Returns the contract of one of the row's instructions. Results of a monotonic function may
    /// move in the wrong direction by `inversion` steps.
    pub(crate) fn contract_for(&self, instruction: &Instruction, inversion: u32) -> Contract {
        let mut contract = self.contract.clone();
        if let Contract::Bounded { clauses, .. } = &mut contract {
            *clauses = Clauses { inversion, facts: Facts::of(instruction), ..*clauses };
        }
        contract
    }

    /// Returns a sort key. Of the rows that match, the row with the greatest key applies.
    pub fn precision(&self) -> (usize, bool) {
        (self.key.precision(), self.reading.is_some())
    }

    /// Whether this row replaces a row of the parent profile. It does if it applies wherever the
    /// parent's row applies.
    pub fn replaces(&self, other: &ContractRow) -> bool {
        self.key.covers(&other.key) && self.reading.is_none_or(|setting| other.reading == Some(setting))
    }
}

/// How far the results of some monotonic functions may move in the wrong direction.
#[derive(Clone, Debug)]
pub struct InversionRow {
    /// Optype and modifiers, such as `MUFU.TANH.F32`. If several rows match, the row with most
    /// modifiers applies.
    pub instruction: String,
    /// Steps of the format. Two neighbouring numbers are one step apart.
    pub steps: u32,
    key: Key,
}

impl InversionRow {
    /// Reads a row. Fails if none of its instructions has a monotonic function, because the row
    /// would have no effect.
    pub(crate) fn parsed(instruction: &str, steps: u32) -> Result<InversionRow, String> {
        let key = Key::parsed(instruction)?;
        let is_monotonic = |one| Facts::of(&one).relations.has(Relation::Monotonic);
        if !key.functions().any(is_monotonic) {
            let text = quoted(instruction);
            return Err(format!("`inversions`: no function of `{text}` is monotonic; leave it out"));
        }
        Ok(InversionRow { instruction: instruction.to_owned(), steps, key })
    }

    /// Whether the row applies to an instruction.
    pub fn matches(&self, instruction: &Instruction) -> bool {
        self.key.matches(instruction)
    }

    /// Returns the number of modifiers. If two rows match, the row with more modifiers applies.
    pub fn precision(&self) -> usize {
        self.key.precision()
    }

    /// Whether this row replaces a row of the parent profile. It does if it applies to all
    /// instructions of the parent's row.
    pub fn replaces(&self, other: &InversionRow) -> bool {
        self.key.covers(&other.key)
    }
}

/// A contract in the form of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenContract {
    #[serde(deserialize_with = "parsed")]
    instruction: Key,
    #[serde(default, deserialize_with = "optional::deserialize")]
    reading: Option<(Erratum, u8)>,
    #[serde(default, deserialize_with = "present")]
    metric: Option<Metric>,
    #[serde(default, deserialize_with = "optional::deserialize")]
    bound: Option<WrittenLimit>,
    #[serde(default, deserialize_with = "present")]
    bounds: Option<Vec<WrittenBound>>,
    #[serde(default, deserialize_with = "present")]
    exact: Option<Exact>,
    #[serde(default, deserialize_with = "present")]
    signs: Option<Signs>,
    #[serde(default, deserialize_with = "present")]
    relations: Option<Vec<Relation>>,
    #[serde(default)]
    evidence: Evidence,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBound {
    #[serde(default, deserialize_with = "optional::deserialize")]
    on: Option<Interval>,
    metric: Metric,
    #[serde(deserialize_with = "parsed")]
    bound: WrittenLimit,
}

/// A limit, with its text in the file. `is_strict` means that the limit itself is not allowed.
struct WrittenLimit {
    text: String,
    limit: Limit,
    is_strict: bool,
}

impl Parsed for WrittenLimit {
    const EXAMPLE: &'static str = Limit::EXAMPLE;

    fn parsed(text: &str) -> Result<WrittenLimit, String> {
        let (limit, is_strict) = parse_limit(text)?;
        Ok(WrittenLimit { text: text.to_owned(), limit, is_strict })
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

/// A contract that was read from a file and does not name its profile yet.
#[derive(Deserialize)]
#[serde(try_from = "WrittenContract")]
pub(crate) struct ContractEntry(ContractRow);

impl ContractEntry {
    /// Returns the row, as a row of the named profile.
    pub fn row(self, profile: &str) -> ContractRow {
        let mut row = self.0;
        row.basis.profile = profile.to_owned();
        row
    }
}

impl TryFrom<WrittenContract> for ContractEntry {
    type Error = String;

    fn try_from(entry: WrittenContract) -> Result<ContractEntry, String> {
        let clauses = clauses(&entry)?;
        let has_bound = entry.metric.is_some() || entry.bound.is_some() || entry.bounds.is_some();
        if has_bound && entry.instruction.functions().next().is_none() {
            let text = quoted(entry.instruction.text());
            return Err(format!(
                "`{text}` has no bound: its results are bits, and all of them count; bounds are for functions of MUFU"
            ));
        }
        let contract = match (entry.metric, entry.bound, entry.bounds, entry.exact) {
            (Some(metric), Some(bound), None, None) => bounded([(None, metric, bound)], clauses)?,
            (None, None, Some(list), None) if !list.is_empty() => {
                bounded(list.into_iter().map(|b| (b.on, b.metric, b.bound)), clauses)?
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

/// Returns the demands of an entry besides its bounds. Refuses a relation that is true of none of
/// its instructions, because it would check nothing.
fn clauses(entry: &WrittenContract) -> Result<Clauses, String> {
    let is_bounded = entry.exact.is_none();
    if !is_bounded && (entry.signs.is_some() || entry.relations.is_some()) {
        return Err(
            "`signs` and `relations` stand beside bounds; a contract of `exact` bits has neither".into()
        );
    }
    let relations = entry.relations.as_deref().map_or(Relations::default(), Relations::of);
    for relation in entry.relations.iter().flatten() {
        if !entry.instruction.functions().any(|one| Facts::of(&one).relations.has(*relation)) {
            let text = quoted(entry.instruction.text());
            return Err(format!("no function of `{text}` is {}; leave it out", Relations::of(&[*relation])));
        }
    }
    Ok(Clauses { signs: entry.signs.unwrap_or_default(), relations, ..Clauses::default() })
}

fn bounded(
    list: impl IntoIterator<Item = (Option<Interval>, Metric, WrittenLimit)>,
    clauses: Clauses,
) -> Result<Contract, String> {
    let bounds = list.into_iter().map(|(interval, metric, WrittenLimit { text, limit, is_strict })| {
        match metric {
            Metric::Ulp => check_ulp(&limit, &text)?,
            Metric::Absolute | Metric::Relative if is_strict => {
                return Err(format!(
                    "the bound `{}` is not in ulp, and only such a one can begin with `<`",
                    quoted(&text)
                ));
            }
            Metric::Absolute | Metric::Relative => {}
        }
        Ok(Bound { interval, metric, limit, is_strict, written: text })
    });
    let bounds = bounds.collect::<Result<Arc<[Bound]>, String>>()?;
    Ok(Contract::Bounded { bounds, clauses })
}
