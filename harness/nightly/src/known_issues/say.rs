//! Statements about a signature, or about all that match a pattern.

use super::{Day, Entry, KnownIssues, Rule, Scope, Status};

/// A statement about signatures.
#[derive(Clone, Debug)]
pub struct Statement {
    /// A part of one signature, or a pattern of whole signatures.
    pub signature: String,
    /// The status.
    pub is: Status,
    /// Why.
    pub because: Option<String>,
    /// The last day on which the statement holds.
    pub expires: Option<Day>,
    /// The subjects that the statement covers, as a pattern; by default those of the nightly run that found it.
    pub subject: Option<String>,
    /// The profiles that the statement covers, as a pattern; by default those of the nightly run that found it.
    pub profile: Option<String>,
}

/// Why a statement cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// No signature has the text in it.
    #[error("no signature has `{0}` in it; `assay known-issues show` lists them")]
    Unknown(String),
    /// Several signatures have the text.
    #[error("{count} signatures have `{text}` in them; write more of it")]
    Ambiguous {
        /// How many have it.
        count: usize,
        /// The text.
        text: String,
    },
    /// The scope of a pattern is not known.
    #[error("{why} `{text}`; name the subjects and profiles with --of and --under")]
    NoScope {
        /// Why not.
        why: &'static str,
        /// The pattern.
        text: String,
    },
}

impl Statement {
    /// Applies the statement to the one signature that contains the text.
    pub fn of_one<'a>(&self, known_issues: &'a mut KnownIssues) -> Result<&'a Entry, StatementError> {
        let meant = |entry: &&mut Entry| entry.signature.contains(&self.signature);
        let mut entries: Vec<&mut Entry> = known_issues.entries.iter_mut().filter(meant).collect();
        let exact = entries.iter().position(|entry| entry.signature == self.signature);
        let text = || self.signature.clone();
        let place = match (exact, entries.len()) {
            (Some(place), _) => place,
            (None, 1) => 0,
            (None, 0) => return Err(StatementError::Unknown(text())),
            (None, count) => return Err(StatementError::Ambiguous { count, text: text() }),
        };
        let entry = entries.swap_remove(place);
        entry.is = self.is;
        entry.accept();
        entry.because.clone_from(&self.because);
        entry.expires = self.expires;
        entry.scope = self.scope(&entry.scope);
        Ok(entry)
    }

    /// Applies the statement to every signature that the pattern matches, also in later nightly runs.
    pub fn of_all(&self, known_issues: &mut KnownIssues) -> Result<Rule, StatementError> {
        let mut rule = Rule {
            signatures: self.signature.clone(),
            is: self.is,
            because: self.because.clone().unwrap_or_default(),
            scope: Scope { subject: String::new(), profile: String::new() },
            expires: self.expires,
        };
        let entries = known_issues.entries.iter().filter(|entry| rule.means(&entry.signature));
        let mut scopes: Vec<Scope> = entries.map(|entry| self.scope(&entry.scope)).collect();
        scopes.dedup();
        rule.scope = match (&scopes[..], &self.subject, &self.profile) {
            (_, Some(subject), Some(profile)) => Scope { subject: subject.clone(), profile: profile.clone() },
            ([scope], ..) => scope.clone(),
            (scopes, ..) => {
                let why = match scopes.is_empty() {
                    true => "no signature matches",
                    false => "several subjects or profiles have",
                };
                return Err(StatementError::NoScope { why, text: self.signature.clone() });
            }
        };
        let meant = known_issues.entries.iter_mut().filter(|entry| rule.means(&entry.signature));
        meant.for_each(Entry::accept);
        let is_same = |old: &Rule| old.signatures == rule.signatures && old.scope == rule.scope;
        if let Some(place) = known_issues.rules.iter().position(is_same) {
            let old = known_issues.rules.remove(place);
            if self.because.is_none() {
                rule.because = old.because;
            }
        }
        known_issues.rules.push(rule.clone());
        Ok(rule)
    }

    /// The covered subjects and profiles, where a nightly run found it for others.
    fn scope(&self, found: &Scope) -> Scope {
        Scope {
            subject: self.subject.clone().unwrap_or_else(|| found.subject.clone()),
            profile: self.profile.clone().unwrap_or_else(|| found.profile.clone()),
        }
    }
}
