//! The bins of a result, counted by form and topic. With these counts, a result can be read without
//! building its bins again.
//!
//! Coverage bits can be interpreted only with the list of bins for which they were marked. The bins
//! follow from the tables, the readings and the optypes of the implementations. So a result stores,
//! for each form and topic, the number of bins and the position of the first. It also stores a
//! digest of all bins. To get names, rebuild the bins and compare the digest first.

use std::collections::BTreeMap;

use assay_files::digest::Digest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Coverage;
use super::bins::{Bins, Depth};
use super::topic::Topic;

/// The coverage bins of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// Digest of the list of bins. Compare the bits of `coverage` of two results only if their
    /// digests are equal.
    pub digest: String,
    /// Whether crossed bins are included.
    pub crossed: bool,
    /// The bins by form and topic.
    pub forms: BTreeMap<String, BTreeMap<String, Extent>>,
}

/// The bins of one topic of one form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Extent {
    /// Position of the first bin.
    pub first: usize,
    /// Number of positions, gaps included.
    pub places: usize,
    /// Number of reachable bins.
    pub reachable: usize,
    /// Number of unreachable bins.
    pub impossible: usize,
}

impl Extent {
    /// Returns the number of hit bins, at most `reachable`.
    pub fn hit(&self, coverage: &Coverage) -> usize {
        let hit = (self.first..self.first + self.places).filter(|place| coverage.contains(*place)).count();
        hit.min(self.reachable)
    }
}

impl Layout {
    /// Returns where the bins of a topic of a form lie, and their counts. All counts are 0 if the
    /// form has no such bin.
    pub fn extent(&self, form: &str, topic: Topic) -> Extent {
        self.forms.get(form).and_then(|topics| topics.get(topic.name())).copied().unwrap_or_default()
    }

    /// Returns the number of bins that cases can hit.
    pub fn reachable(&self) -> usize {
        self.extents().map(|extent| extent.reachable).sum()
    }

    /// Returns the number of hit bins, at most [`Layout::reachable`].
    pub fn hit(&self, coverage: &Coverage) -> usize {
        self.extents().map(|extent| extent.hit(coverage)).sum()
    }

    fn extents(&self) -> impl Iterator<Item = &Extent> {
        self.forms.values().flat_map(BTreeMap::values)
    }
}

impl Bins {
    /// Returns the bins, counted by form and topic.
    pub fn layout(&self) -> Layout {
        let mut forms: BTreeMap<String, BTreeMap<String, Extent>> = BTreeMap::new();
        for group in &self.groups {
            let topics = forms.entry(self.forms[group.form].form.name.to_owned()).or_default();
            let extent = topics
                .entry(group.topic.name().to_owned())
                .or_insert(Extent { first: group.first, ..Extent::default() });
            extent.places = group.first + group.len - extent.first;
            let (reachable, impossible) = self.count(group);
            extent.reachable += reachable;
            extent.impossible += impossible;
        }
        Layout { digest: self.digest().to_owned(), crossed: self.depth == Depth::Crossed, forms }
    }

    /// Returns a digest of the list of bins, as 16 hexadecimal digits.
    pub fn digest(&self) -> &str {
        self.digest.get_or_init(|| self.find_digest())
    }

    fn find_digest(&self) -> String {
        let mut hash = Digest::default();
        for form in &self.forms {
            hash.add(format!("{} {:?}\n", form.form.name, form.aspects));
            for group in &self.groups[form.groups.clone()] {
                hash.add(format!("{group:?}\n"));
            }
        }
        hash.finish()[..16].to_owned()
    }
}
