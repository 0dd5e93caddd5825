//! A signature that a stage found, with its case, its divergences, its frequency and its ways.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use assay_engine::stats::divergences::Divergences;
use assay_engine::stats::tally::Tally;
use assay_isa::catalog;
use assay_records::RunResult;
use assay_vectors::{FindingCondition, FoundCase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::known_issues::{optypes, ways};

/// A signature that a stage found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenSignature {
    /// The signature, which identifies a bug.
    pub signature: String,
    /// Path of the case. Null for a vector, a check of a device or a planted fault.
    pub case: Option<PathBuf>,
    /// The failure of a check or a vector, which has no case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Number of divergences with the signature, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cases: Option<u64>,
    /// The keys of these divergences: function, kind of error, and classes of operands and result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// The conditions under which the divergences occur, if no explanation was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<FindingCondition>,
    /// Number of executed cases of the optypes that show the signature. Only in a campaign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executed: Option<u64>,
    /// Estimated number of divergences with the signature, including divergences that the run did
    /// not keep. Only in a campaign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated: Option<u64>,
    /// Upper limit of the number of independent events among the estimated divergences. Only in a
    /// campaign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<u64>,
    /// The divergences with the signature. They are not part of the report.
    #[serde(skip)]
    pub found: Vec<FoundCase>,
    /// The ways in which the signature occurs: see [`Sighting`](crate::known_issues::Sighting).
    /// They are not part of the report.
    #[serde(skip)]
    pub ways: BTreeMap<String, Option<u64>>,
    /// The failures of the check, by way. They are not part of the report.
    #[serde(skip)]
    pub details: BTreeMap<String, String>,
    /// The divergences of the functions in the keys, by hashes of their cases. They are not part of
    /// the report.
    #[serde(skip)]
    pub cases_by_hash: BTreeMap<String, CasesByHash>,
}

/// The divergences of a function, by hashes of their cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CasesByHash {
    /// See [`Divergences::parts`].
    pub parts: Vec<u64>,
    /// See [`Divergences::least`].
    pub least: BTreeSet<u64>,
}

impl SeenSignature {
    /// Returns the optypes that showed the signature.
    pub(crate) fn optypes(&self) -> BTreeSet<&str> {
        optypes(&self.signature, self.keys.iter())
    }

    /// Returns a signature without further facts.
    pub fn named(signature: String) -> SeenSignature {
        SeenSignature {
            signature,
            case: None,
            detail: None,
            cases: None,
            keys: Vec::new(),
            conditions: Vec::new(),
            executed: None,
            estimated: None,
            events: None,
            found: Vec::new(),
            ways: BTreeMap::new(),
            details: BTreeMap::new(),
            cases_by_hash: BTreeMap::new(),
        }
    }

    /// Takes the divergences by hashes of their cases from the result of a run.
    pub(crate) fn take_hashes(&mut self, outcome: &RunResult) {
        let hashes_of = |function: &str| {
            let divergences = outcome.tally.divergences.get(function)?;
            let (parts, least) = (divergences.parts().to_vec(), divergences.least().clone());
            (!parts.is_empty()).then(|| (function.to_owned(), CasesByHash { parts, least }))
        };
        self.cases_by_hash = functions(&self.keys).into_iter().filter_map(hashes_of).collect();
    }

    /// Takes the frequency of the finding from the result of a campaign.
    pub(crate) fn take_rate(&mut self, outcome: &RunResult) {
        let tally = &outcome.tally;
        let functions = functions(&self.keys);
        let of = |count: fn(&Divergences) -> u64| {
            functions.iter().filter_map(|name| tally.divergences.get(*name)).map(count).sum::<u64>()
        };
        let (total, squares) = (of(Divergences::total), of(Divergences::squares));
        let kept = total.saturating_sub(of(Divergences::beyond));
        let Some(cases) = self.cases.filter(|_| kept > 0 && squares > 0) else { return };
        // A run does not keep all divergences. The others are assumed to be distributed in
        // proportion to the kept divergences.
        let shared_out = |number: u64, part: u64, whole: u64| {
            (u128::from(number) * u128::from(part)).div_ceil(whole.into()) as u64
        };
        let divergences = shared_out(cases, total, kept);
        self.estimated = Some(divergences);
        let optypes: BTreeSet<&str> = functions.iter().filter_map(|name| name.split('.').next()).collect();
        let drawn = drawn(tally);
        self.executed = Some(optypes.iter().filter_map(|optype| drawn.get(*optype)).sum());
        self.events = Some(shared_out(divergences, total, squares));
        let mut of_ways: BTreeMap<String, (u64, f64)> = BTreeMap::new();
        for key in &self.keys {
            let (count, deviation) = in_key(tally, key);
            for way in ways(key) {
                let sum = of_ways.entry(way).or_default();
                *sum = (sum.0 + count, sum.1 + deviation);
            }
        }
        // The standard deviation of a sum is at most the sum of the standard deviations.
        let events = |(count, deviation): (u64, f64)| (count as f64 / deviation.max(1.0)).powi(2) as u64;
        self.ways = of_ways.into_iter().map(|(way, sums)| (way, Some(events(sums)))).collect();
    }
}

/// Returns the number of supported cases of each optype in a campaign.
pub(crate) fn drawn(tally: &Tally) -> BTreeMap<String, u64> {
    let mut optypes = BTreeMap::new();
    for form in &catalog().forms {
        if let Some(counts) = tally.forms.get(form.name) {
            *optypes.entry(form.optype.name.to_owned()).or_default() += counts.total() - counts.unsupported;
        }
    }
    optypes
}

/// Returns the functions in the keys of a finding.
fn functions(keys: &[String]) -> BTreeSet<&str> {
    keys.iter().filter_map(|key| Some(split(key)?.0)).collect()
}

/// Returns the function and the value key in a key of a finding.
fn split(key: &str) -> Option<(&str, &str)> {
    key.rsplit_once("; ").map_or(key, |(_, key)| key).split_once(": ")
}

/// Returns the number of divergences of a value key, and the standard deviation of this number.
/// Divergences of the same batch are not independent.
fn in_key(tally: &Tally, key: &str) -> (u64, f64) {
    let Some((function, values)) = split(key) else { return (0, 0.0) };
    let divergences = tally.divergences.get(function).into_iter();
    let kept = divergences.flat_map(Divergences::keys).filter(|(key, ..)| key.to_string() == values);
    kept.fold((0, 0.0), |(count, deviation), (.., kept)| {
        (count + kept.count, deviation + (kept.squares as f64).sqrt())
    })
}
