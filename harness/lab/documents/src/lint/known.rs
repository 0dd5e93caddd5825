//! Measures the share of known errata of the known documents that the linter finds.
//!
//! People found these errata by reading, computing and comparing. `fixture/found.json` lists the
//! findings that show each erratum. An entry has a class of findings. If the class is too broad,
//! the entry also has the definition and a word of the message. The lint rules do not use this
//! list.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Finding;

/// The list of findings, and the number of known errata of each kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    totals: BTreeMap<String, usize>,
    found: Vec<Entry>,
}

/// A finding that shows an erratum.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    erratum: String,
    /// The kind of the erratum, such as `ENC`.
    kind: String,
    class: String,
    /// The beginning of the document's file name.
    #[serde(default)]
    file: String,
    /// The definition, or the optype for all its forms. Absent: any definition.
    of: Option<String>,
    /// A part of the message. Empty: any message.
    #[serde(default)]
    about: String,
}

impl Entry {
    fn matches(&self, finding: &Finding) -> bool {
        let file = finding.file.rsplit(['/', '\\']).next().unwrap_or_default();
        let is_of = self.of.as_ref().is_none_or(|of| {
            let rest = finding.of.strip_prefix(of.as_str());
            rest.is_some_and(|rest| rest.is_empty() || (rest.starts_with('_') && rest != "_WIDE"))
        });
        self.class == finding.class
            && is_of
            && file.starts_with(&self.file)
            && finding.message.contains(&self.about)
    }
}

/// The number of errata of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Count {
    /// Number of errata found.
    pub found: usize,
    /// Number of known errata.
    pub known: usize,
}

/// The comparison of findings with the known errata.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Recall {
    /// Numbers of errata, by kind.
    pub kinds: BTreeMap<String, Count>,
    /// The errata found.
    pub found: Vec<String>,
    /// Entries of the list that no finding matches, such as `E047 name-and-code-differ MUFU_U`.
    /// Each entry here is a defect of a lint rule.
    pub lost: Vec<String>,
    /// Number of findings that show a known erratum.
    pub explained: usize,
    /// Findings that show no known erratum. Each is a new defect of the documents, or a false
    /// positive.
    pub unlisted: Vec<Finding>,
}

/// The output of `assay-lab isa lint FILE…`. Without `--known`, exit status 1 means that there is a
/// finding. With `--known`, it means that `lost` has an entry.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LintOutput {
    /// Number of findings by class.
    pub classes: BTreeMap<&'static str, usize>,
    /// The findings, in the order of files and lines.
    pub findings: Vec<Finding>,
    /// The comparison with the known errata. Absent without `--known`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Recall>,
}

/// Compares findings of the known documents with the list of errata.
pub fn recall(findings: &[Finding]) -> Recall {
    let known: Known = serde_json::from_str(include_str!("../../fixture/found.json"))
        .expect("the list is committed with the code, and tested");
    let mut recall = Recall::default();
    let mut found: BTreeSet<(&str, &str)> = BTreeSet::new();
    for entry in &known.found {
        if findings.iter().any(|finding| entry.matches(finding)) {
            found.insert((&entry.erratum, &entry.kind));
        } else {
            let of = entry.of.as_deref().unwrap_or_default();
            let place = format!("{} {} {of} {}", entry.erratum, entry.class, entry.about);
            recall.lost.push(place.trim_end().to_owned());
        }
    }
    for (kind, known) in &known.totals {
        let found = found.iter().filter(|(_, of)| of == kind).count();
        recall.kinds.insert(kind.clone(), Count { found, known: *known });
    }
    recall.found = found.into_iter().map(|(erratum, _)| erratum.to_owned()).collect();
    let is_listed = |finding: &&Finding| known.found.iter().any(|entry| entry.matches(finding));
    let (listed, unlisted): (Vec<_>, Vec<_>) = findings.iter().partition(is_listed);
    recall.explained = listed.len();
    recall.unlisted = unlisted.into_iter().cloned().collect();
    recall
}
