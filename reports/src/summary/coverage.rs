//! Coverage as JSON.

use std::collections::BTreeMap;

use assay_records::RunResult;
use schemars::JsonSchema;
use serde::Serialize;

use crate::coverage::{Coverage, Hits};

/// What was hit of the coverage bins.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Covered {
    /// Digest of the list of bins: only results with the same one can be compared bin by bin.
    digest: String,
    /// All bins.
    total: Figures,
    /// By topic.
    topics: BTreeMap<&'static str, Figures>,
    /// By form and topic.
    forms: BTreeMap<String, BTreeMap<&'static str, Figures>>,
}

/// Bins, and how many of them were hit.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Figures {
    /// Bins that cases can hit.
    bins: usize,
    /// Those that were hit.
    hit: usize,
    /// Bins that no case can hit.
    impossible: usize,
}

impl From<Hits> for Figures {
    fn from(hits: Hits) -> Figures {
        Figures { bins: hits.bins, hit: hits.hit, impossible: hits.impossible }
    }
}

/// That of a result; null where it lists no bins.
pub fn covered(outcome: &RunResult) -> Option<Covered> {
    let coverage = Coverage::of(outcome)?;
    let names = || coverage.topics.iter().map(|topic| topic.name());
    let topics = names().enumerate().map(|(place, name)| (name, coverage.of_topic(place).into()));
    let form = |(form, hits): &(String, Vec<Hits>)| {
        let some = names().zip(hits).filter(|(_, hits)| **hits != Hits::default());
        (form.clone(), some.map(|(name, hits)| (name, Figures::from(*hits))).collect())
    };
    Some(Covered {
        digest: outcome.bins.as_ref()?.digest.clone(),
        total: coverage.total().into(),
        topics: topics.collect(),
        forms: coverage.forms.iter().map(form).collect(),
    })
}
