//! Statuses for many signatures at once, including signatures that are not found yet. One bug can
//! have many signatures, and each nightly run may find others.

use assay_engine::stats::judged::matcher;
use assay_isa::catalog;
use assay_isa::shown::quoted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::day::Day;
use super::entry::{Change, Entry, Scope, Status};
use crate::facts::{CHECK, VECTOR};

/// A status for all signatures that match a glob and have no status of their own yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The glob over whole signatures, such as `FFMA* | rd: wrong value`.
    pub signatures: String,
    /// The status: known, expected or flaky. It becomes fixed when every issue that the rule covers is
    /// fixed. A fixed rule has no effect.
    pub is: Status,
    /// The reason: an erratum, a ticket.
    pub because: String,
    /// The subjects and profiles for which the status holds.
    pub scope: Scope,
    /// The last day on which the status holds, such as 2027-01-31.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Day>,
}

/// Findings that have hardly a word in common. A glob that matches two of them restricts only the
/// optype.
const UNLIKE: [&str; 5] =
    ["rd: wrong value", "device hung", "only in lane 7", "never again", "not written, or unexpectedly"];

/// Maximum number of optypes that a glob can name. A glob that matches findings of more optypes
/// restricts only the kind of finding.
const MANY: usize = 12;

impl Rule {
    /// Returns whether the glob matches a signature. Ignores the scope.
    pub fn means(&self, signature: &str) -> bool {
        matcher(&self.signatures).is_ok_and(|glob| glob.is_match(signature))
    }

    /// Returns the optypes of which the rule excuses every finding. Adds a name if the rule excuses
    /// all vectors, or all checks of `dut check`.
    pub fn whole_optypes(&self) -> Vec<&'static str> {
        let Ok(glob) = matcher(&self.signatures) else { return Vec::new() };
        // A glob that matches several unlike findings restricts only the optype.
        let matches = |optype: &str| {
            UNLIKE.iter().filter(|finding| glob.is_match(format!("{optype} | {finding}"))).count() > 1
        };
        let mut optypes: Vec<&str> = catalog().forms.iter().map(|form| form.optype.name).collect();
        optypes.dedup();
        let others = [("all vectors", VECTOR), ("all checks of dut check", CHECK)];
        let of_check = |optype: &str| glob.is_match(format!("{CHECK}values are right, {optype}"));
        let others = others.into_iter().filter(|(_, prefix)| {
            let is_whole = glob.is_match(format!("{prefix}any at all"));
            is_whole || *prefix == CHECK && of_check("FADD") && of_check("POPC")
        });
        // A glob that names no optype excuses a kind of finding in all optypes.
        let touches = |optype: &&str| UNLIKE.iter().any(|it| glob.is_match(format!("{optype} | {it}")));
        let is_of_many = optypes.iter().copied().filter(|optype| touches(optype)).count() > MANY;
        let optypes = optypes.into_iter().filter(|optype| matches(optype) || is_of_many && touches(optype));
        optypes.chain(others.map(|(name, _)| name)).collect()
    }

    /// Returns whether the rule gives an entry its status, for a subject under a profile.
    pub fn speaks_of(&self, entry: &Entry, subject: &str, profile: &str) -> bool {
        let says = self.is != Status::Fixed && entry.is == Status::New;
        says && self.scope.has(subject, profile) && self.means(&entry.signature)
    }

    /// Returns an entry with the status of the rule.
    pub fn applied_to(&self, entry: &Entry) -> Entry {
        let Rule { is, because, expires, .. } = self;
        Entry { is: *is, because: Some(because.clone()), expires: *expires, ..entry.clone() }
    }

    /// Sets the rule to fixed if all issues that it covered in a run are fixed.
    pub fn note(&mut self, changes: &[Change]) {
        if !changes.is_empty() && changes.iter().all(|change| *change == Change::Fixed) {
            self.is = Status::Fixed;
        }
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        let Rule { is, because, scope, .. } = self;
        matcher(&self.signatures).map_err(|problem| format!("the rule {problem}"))?;
        let signatures = quoted(&self.signatures);
        scope.check().map_err(|problem| format!("the rule `{signatures}`: {problem}"))?;
        if !self.signatures.contains(|c: char| c.is_ascii_alphanumeric()) {
            return Err(format!("the rule `{signatures}` would excuse everything; name the optype at least"));
        }
        if *is == Status::New {
            return Err(format!("the rule `{signatures}` is new; a rule is known, expected, flaky or fixed"));
        }
        if because.is_empty() {
            return Err(format!("the rule `{signatures}` has no reason; name an erratum or a ticket"));
        }
        Ok(())
    }
}
