//! Coverage as JSON.

use std::collections::BTreeMap;

use assay_records::RunResult;
use schemars::JsonSchema;
use serde::Serialize;

use crate::coverage::{Coverage, Hits};

/// Coverage of a result.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Covered {
    /// Digest of the list of bins. Results are comparable bin by bin only if their digests are
    /// equal.
    digest: String,
    /// Numbers of all bins.
    total: Figures,
    /// Numbers of bins by topic.
    topics: BTreeMap<&'static str, Figures>,
    /// Numbers of bins by form and topic.
    forms: BTreeMap<String, BTreeMap<&'static str, Figures>>,
}

/// Numbers of bins.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Figures {
    /// Number of reachable bins.
    bins: usize,
    /// Number of bins that were hit.
    hit: usize,
    /// Number of unreachable bins.
    impossible: usize,
}

impl From<Hits> for Figures {
    fn from(hits: Hits) -> Figures {
        Figures { bins: hits.bins, hit: hits.hit, impossible: hits.impossible }
    }
}

/// Returns the coverage of a result. `None`, which is null in JSON, if it lists no bins.
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
