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
    /// Whether a pattern may excuse every finding of an optype.
    pub yes_all: bool,
}

/// Why a statement cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// No signature has the text in it.
    #[error("no signature has `{0}` in it; `assay known-issues show` lists them")]
    Unknown(String),
    /// No rule has the pattern.
    #[error("no rule has the pattern `{0}`; `assay known-issues show` lists them")]
    NoRule(String),
    /// Several signatures have the text.
    #[error("{count} signatures have `{text}` in them; write more of it")]
    Ambiguous {
        /// How many have it.
        count: usize,
        /// The text.
        text: String,
    },
    /// A pattern excuses everything of an optype.
    #[error(
        "`{signatures}` would excuse every finding of {optypes}, also those to come; write what is wrong behind the optype, such as \
         `FADD* | rd: wrong value`, or add --yes-all, which the page of every night then says"
    )]
    Whole {
        /// The pattern.
        signatures: String,
        /// The optypes.
        optypes: String,
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

/// The first few of many names.
pub(crate) fn some_of(names: &[&str]) -> String {
    match names {
        [a, b, c, _, _, ..] => format!("{a}, {b}, {c} and {} more", names.len() - 3),
        _ => names.join(", "),
    }
}

/// Removes the one signature that contains a text, with what was said of it. Its findings are new if they occur again.
///
/// # Errors
///
/// No signature has the text, or several have it.
pub fn forget(known_issues: &mut KnownIssues, text: &str) -> Result<Entry, StatementError> {
    let place = place_of(known_issues, text)?;
    Ok(known_issues.entries.remove(place))
}

/// Removes the rules with a pattern. Returns how many there were.
///
/// # Errors
///
/// There is none.
pub fn forget_rules(known_issues: &mut KnownIssues, signatures: &str) -> Result<usize, StatementError> {
    let before = known_issues.rules.len();
    known_issues.rules.retain(|rule| rule.signatures != signatures);
    match before - known_issues.rules.len() {
        0 => Err(StatementError::NoRule(signatures.to_owned())),
        removed => Ok(removed),
    }
}

/// The place of the one signature that contains a text, or is it.
fn place_of(known_issues: &KnownIssues, text: &str) -> Result<usize, StatementError> {
    let entries = known_issues.entries.iter().enumerate();
    let meant: Vec<(usize, &Entry)> = entries.filter(|(_, entry)| entry.signature.contains(text)).collect();
    let exact = meant.iter().find(|(_, entry)| entry.signature == text);
    match (exact, &meant[..]) {
        (Some((place, _)), _) | (None, [(place, _)]) => Ok(*place),
        (None, []) => Err(StatementError::Unknown(text.to_owned())),
        (None, _) => Err(StatementError::Ambiguous { count: meant.len(), text: text.to_owned() }),
    }
}

impl Statement {
    /// Applies the statement to the one signature that contains the text.
    pub fn of_one<'a>(&self, known_issues: &'a mut KnownIssues) -> Result<&'a Entry, StatementError> {
        let place = place_of(known_issues, &self.signature)?;
        let entry = &mut known_issues.entries[place];
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
        let whole = rule.whole_optypes();
        // A pattern without a letter is refused when the list is written.
        let names_some = self.signature.contains(|c: char| c.is_ascii_alphanumeric());
        if names_some && !whole.is_empty() && !self.yes_all && rule.is != Status::Fixed {
            return Err(StatementError::Whole {
                signatures: self.signature.clone(),
                optypes: some_of(&whole),
            });
        }
        let entries = known_issues.entries.iter().filter(|entry| rule.means(&entry.signature));
        let mut scopes: Vec<Scope> = entries.map(|entry| self.scope(&entry.scope)).collect();
        scopes.dedup();
        rule.scope = match (&scopes[..], &self.subject, &self.profile) {
            (_, Some(subject), Some(profile)) => Scope { subject: subject.clone(), profile: profile.clone() },
            ([scope], ..) => scope.clone(),
            (scopes, ..) => {
                let why = if scopes.is_empty() {
                    "no signature matches"
                } else {
                    "several subjects or profiles have"
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn list() -> KnownIssues {
        let path = Path::new("there is none");
        let mut list = KnownIssues::read(path).expect("an empty list");
        for signature in ["FADD | rd: wrong value", "FADD | flush", "FFMA | rd: wrong value"] {
            let scope = Scope { subject: "*".into(), profile: "*".into() };
            list.entries.push(Entry::new(signature, scope, 1, None));
        }
        list
    }

    fn of_all(list: &mut KnownIssues, signature: &str, yes_all: bool) -> Result<Rule, StatementError> {
        let statement = Statement {
            signature: signature.into(),
            is: Status::Known,
            because: Some("T1".into()),
            expires: None,
            subject: None,
            profile: None,
            yes_all,
        };
        statement.of_all(list)
    }

    #[test]
    fn a_rule_for_a_whole_optype_is_refused_unless_it_is_meant() {
        for (signatures, is_whole) in [
            ("FADD | *", true),
            ("F*", true),
            ("[A-Z]*", true),
            ("*FADD*", true),
            ("FADD* | rd: wrong value", false),
            ("* | rd: wrong value", false),
            ("FADD | f*", false),
        ] {
            let refused = of_all(&mut list(), signatures, false);
            assert_eq!(
                matches!(refused, Err(StatementError::Whole { .. })),
                is_whole,
                "{signatures}: {refused:?}"
            );
            assert!(of_all(&mut list(), signatures, true).is_ok(), "{signatures}");
        }
        let words = of_all(&mut list(), "F*", false).expect_err("it is refused").to_string();
        assert!(words.contains("FADD") && words.contains("--yes-all"), "{words}");
    }

    #[test]
    fn what_is_forgotten_is_one_issue_or_the_rules_of_one_pattern() {
        let mut list = list();
        assert!(matches!(forget(&mut list, "FADD"), Err(StatementError::Ambiguous { count: 2, .. })));
        assert!(matches!(forget(&mut list, "POPC"), Err(StatementError::Unknown(_))));
        assert_eq!(forget(&mut list, "flush").expect("one").signature, "FADD | flush");
        assert_eq!(list.entries.len(), 2);
        of_all(&mut list, "FADD | rd*", false).expect("a rule");
        assert!(matches!(forget_rules(&mut list, "FADD"), Err(StatementError::NoRule(_))));
        assert_eq!(forget_rules(&mut list, "FADD | rd*").expect("one"), 1);
        assert!(list.rules.is_empty());
    }
}
