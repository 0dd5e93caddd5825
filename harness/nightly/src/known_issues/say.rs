//! Sets the status of one signature, or of all signatures that match a pattern.

use super::{Day, Entry, KnownIssues, Rule, Scope, Status};

/// A status to set for signatures.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Part of the text of one signature, or a pattern that matches whole signatures.
    pub signature: String,
    /// The status.
    pub is: Status,
    /// The reason.
    pub because: Option<String>,
    /// The last day on which the status holds.
    pub expires: Option<Day>,
    /// The subjects for which the status holds, as a pattern. By default those of the nightly run
    /// that found the signature.
    pub subject: Option<String>,
    /// The profiles for which the status holds, as a pattern. By default those of the nightly run
    /// that found the signature.
    pub profile: Option<String>,
    /// Whether the pattern may excuse every finding of an optype.
    pub yes_all: bool,
}

/// The reason why a status cannot be set or removed.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// No signature contains the text.
    #[error("no signature has `{0}` in it; `assay known-issues show` lists them")]
    Unknown(String),
    /// No rule has the pattern.
    #[error("no rule has the pattern `{0}`; `assay known-issues show` lists them")]
    NoRule(String),
    /// Several signatures contain the text.
    #[error("{count} signatures have `{text}` in them: {names}; write more of it")]
    Ambiguous {
        /// Number of these signatures.
        count: usize,
        /// The text.
        text: String,
        /// Some of these signatures.
        names: String,
    },
    /// The last day of the status has already passed.
    #[error("the last day {0} is over; give a later one with --expires")]
    DayIsOver(Day),
    /// The pattern would excuse every finding of some optypes.
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
    /// The scope of the pattern is unknown, because no signature matches or several scopes do.
    #[error("{why} `{text}`; name the subjects and profiles with --of and --under")]
    NoScope {
        /// The reason.
        why: &'static str,
        /// The pattern.
        text: String,
    },
}

/// Joins up to four names with commas. With more names, joins the first three and adds the number
/// of the others.
pub(crate) fn some_of(names: &[&str]) -> String {
    match names {
        [a, b, c, _, _, ..] => format!("{a}, {b}, {c} and {} more", names.len() - 3),
        _ => names.join(", "),
    }
}

/// Removes the one signature that contains a text, with its status. If its findings occur again,
/// they are new.
///
/// # Errors
///
/// No signature contains the text, or several do.
pub fn forget(known_issues: &mut KnownIssues, text: &str) -> Result<Entry, StatementError> {
    let place = place_of(known_issues, text)?;
    Ok(known_issues.entries.remove(place))
}

/// Removes the rules with a pattern. Returns the number of removed rules.
///
/// # Errors
///
/// No rule has the pattern.
pub fn forget_rules(known_issues: &mut KnownIssues, signatures: &str) -> Result<usize, StatementError> {
    let before = known_issues.rules.len();
    known_issues.rules.retain(|rule| rule.signatures != signatures);
    match before - known_issues.rules.len() {
        0 => Err(StatementError::NoRule(signatures.to_owned())),
        removed => Ok(removed),
    }
}

/// Returns the index of the signature that equals a text, or else of the only one that contains it.
fn place_of(known_issues: &KnownIssues, text: &str) -> Result<usize, StatementError> {
    let entries = known_issues.entries.iter().enumerate();
    let meant: Vec<(usize, &Entry)> = entries.filter(|(_, entry)| entry.signature.contains(text)).collect();
    let exact = meant.iter().find(|(_, entry)| entry.signature == text);
    match (exact, &meant[..]) {
        (Some((place, _)), _) | (None, [(place, _)]) => Ok(*place),
        (None, []) => Err(StatementError::Unknown(text.to_owned())),
        (None, _) => {
            let names: Vec<&str> = meant.iter().map(|(_, entry)| entry.signature.as_str()).collect();
            let names = some_of(&names);
            Err(StatementError::Ambiguous { count: meant.len(), text: text.to_owned(), names })
        }
    }
}

impl Statement {
    /// Sets the status of the one signature that contains the text.
    pub fn of_one<'a>(&self, known_issues: &'a mut KnownIssues) -> Result<&'a Entry, StatementError> {
        self.check_day()?;
        let place = place_of(known_issues, &self.signature)?;
        let signature = known_issues.entries[place].signature.clone();
        known_issues.accept_same_cases(|other| other == signature);
        let entry = &mut known_issues.entries[place];
        entry.is = self.is;
        entry.accept();
        entry.because.clone_from(&self.because);
        entry.expires = self.expires;
        entry.scope = self.scope(&entry.scope);
        Ok(entry)
    }

    /// Sets the status of every signature that the pattern matches, also of those that later
    /// nightly runs find.
    pub fn of_all(&self, known_issues: &mut KnownIssues) -> Result<Rule, StatementError> {
        self.check_day()?;
        let mut rule = Rule {
            signatures: self.signature.clone(),
            is: self.is,
            because: self.because.clone().unwrap_or_default(),
            scope: Scope { subject: String::new(), profile: String::new() },
            expires: self.expires,
        };
        let whole = rule.whole_optypes();
        // Writing the list refuses a pattern without a letter or digit.
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
        let noted = known_issues.noted;
        let meant = known_issues.entries.iter_mut().filter(|entry| rule.means(&entry.signature));
        meant.for_each(|entry| entry.accept_by_rule(noted));
        known_issues.accept_same_cases(|signature| rule.means(signature));
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

    fn check_day(&self) -> Result<(), StatementError> {
        match self.expires {
            Some(day) if day < Day::today() => Err(StatementError::DayIsOver(day)),
            _ => Ok(()),
        }
    }

    /// Returns the scope of the status. Takes parts that were not given from `found`.
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
            ("* | rd: wrong value", true),
            ("F* | rd: wrong value", false),
            ("FADD | f*", false),
            ("FADD | *e*", true),
            ("FADD | rd*", false),
        ] {
            let refused = of_all(&mut list(), signatures, false);
            assert_eq!(
                matches!(refused, Err(StatementError::Whole { .. })),
                is_whole,
                "{signatures}: {refused:?}"
            );
            assert!(of_all(&mut list(), signatures, true).is_ok(), "{signatures}");
        }
        for (signatures, is_whole) in [
            ("vector *", true),
            ("vector mufu_*", false),
            ("dut check: *", true),
            ("dut check: values are right, *", true),
            ("dut check: values are right, F*", false),
        ] {
            let refused = of_all(&mut list(), signatures, false);
            assert_eq!(matches!(refused, Err(StatementError::Whole { .. })), is_whole, "{signatures}");
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
