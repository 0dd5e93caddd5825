//! Every signature that was ever found, and what people said of it.
//!
//! A night adds what it finds as `new`; people say that it is `known` or `expected`, and why. Each night every case of the
//! ledger is replayed, found again or not: that is how what is fixed, has come back, or comes and goes is told, and it is
//! no matter of luck whether a campaign draws it.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use assay_engine::judged::matcher;
use assay_engine::result::write_bytes;
use assay_files::yaml;
use assay_isa::shown::{message, quoted};
use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NightlyError;
use crate::rule::Rule;

/// Version of the format.
pub const VERSION: u32 = 1;

/// The file `ledger.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    /// Version of the format: 1.
    pub version: u32,
    /// The last night that was taken note of.
    #[serde(default)]
    pub noted: u32,
    /// What is said of many signatures at once, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// The entries, the earliest first.
    pub entries: Vec<Entry>,
}

/// A signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What tells the bug from others.
    pub signature: String,
    /// What is said of it.
    pub is: Standing,
    /// Why: an erratum, a ticket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// For whom it is said.
    pub scope: Scope,
    /// The last day on which it is said, such as 2027-01-31.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Day>,
    /// The night that found it.
    pub first: u32,
    /// The last night in which it showed.
    pub last: u32,
    /// The case that shows it, from the folder of the ledger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<PathBuf>,
    /// The value keys in which it has shown: kind of error, classes of the operands' values, class of the result.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub keys: BTreeSet<String>,
    /// Those in which it has shown since it was said to be known or expected: another bug may look like this one.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub new_keys: BTreeSet<String>,
}

/// What is said of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Nobody has said anything.
    New,
    /// A bug that somebody works on.
    Known,
    /// What must happen, for a reason: if it does not, the reason is gone, and the entry must be.
    Expected,
    /// It was, and is no more.
    Fixed,
    /// It comes and goes.
    Flaky,
}

impl Standing {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Standing::New => "new",
            Standing::Known => "known",
            Standing::Expected => "expected",
            Standing::Fixed => "fixed",
            Standing::Flaky => "flaky",
        }
    }
}

/// For whom an entry is: globs, `*` for anybody.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// The subject.
    pub subject: String,
    /// The profile.
    pub profile: String,
}

impl Scope {
    /// A subject and a profile, and no other.
    pub fn exactly(subject: &str, profile: &str) -> Scope {
        Scope { subject: globset::escape(subject), profile: globset::escape(profile) }
    }

    /// Whether a subject under a profile is meant.
    pub fn has(&self, subject: &str, profile: &str) -> bool {
        let matches = |glob: &str, text: &str| matcher(glob).is_ok_and(|glob| glob.is_match(text));
        matches(&self.subject, subject) && matches(&self.profile, profile)
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        for glob in [&self.subject, &self.profile] {
            matcher(glob).map_err(|problem| format!("the scope {problem}"))?;
        }
        Ok(())
    }
}

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Day(NaiveDate);

impl Day {
    /// Today, by the clock of the machine.
    pub fn today() -> Day {
        Day(chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now()).date_naive())
    }
}

impl std::str::FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Day, String> {
        let day = NaiveDate::parse_from_str(text, "%Y-%m-%d");
        day.map(Day).map_err(|_| format!("`{}` is no day; write one such as 2027-01-31", quoted(text)))
    }
}

impl TryFrom<String> for Day {
    type Error = String;

    fn try_from(text: String) -> Result<Day, String> {
        text.parse()
    }
}

impl std::fmt::Display for Day {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.format("%Y-%m-%d"))
    }
}

impl From<Day> for String {
    fn from(day: Day) -> String {
        day.to_string()
    }
}

/// What came of replaying a case several times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// It diverged each time.
    Diverged,
    /// It held each time.
    Held,
    /// Now this, now that.
    Mixed,
    /// It could not be replayed, and why.
    Unknown(String),
}

/// What became of a signature in a night.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// The first time.
    New,
    /// It failed before, and nobody has said anything.
    StillFailing,
    /// It is fixed, the ledger says, and fails.
    Regressed,
    /// It fails, which somebody knows.
    Known,
    /// It fails, as it must.
    Expected,
    /// It is known or expected, and fails in value keys in which it did not when that was said.
    Widened(String),
    /// It must fail, and holds.
    ExpectedHolds,
    /// What was said of it was said until a day that is over.
    Expired,
    /// It comes and goes.
    Flaky,
    /// It failed before, and holds.
    Fixed,
    /// Nobody asked: its case could not be replayed, or its stage did not come to its end.
    NotAsked(String),
}

impl Fate {
    /// What fails for the first time is new.
    pub(crate) fn in_night(self, first: u32, night: u32) -> Fate {
        if self == Fate::StillFailing && first == night { Fate::New } else { self }
    }

    /// A word or two for a page.
    pub fn words(&self) -> &'static str {
        match self {
            Fate::New => "new",
            Fate::StillFailing => "still failing",
            Fate::Regressed => "back again",
            Fate::Known => "known",
            Fate::Expected => "expected",
            Fate::Widened(_) => "known, and shows in a new way",
            Fate::ExpectedHolds => "expected, and holds",
            Fate::Expired => "expired",
            Fate::Flaky => "flaky",
            Fate::Fixed => "fixed",
            Fate::NotAsked(_) => "not asked",
        }
    }
}

impl Entry {
    /// What became of it, whether it was seen and what its replays showed; nothing to tell of what is fixed and stays so.
    pub fn fate(&self, seen: bool, replayed: &Replayed, today: Day) -> Option<Fate> {
        let fails = match (seen, replayed) {
            (_, Replayed::Mixed) | (true, Replayed::Held) => return Some(Fate::Flaky),
            (true, _) | (false, Replayed::Diverged) => true,
            (false, Replayed::Held) => false,
            (false, Replayed::Unknown(why)) => return Some(Fate::NotAsked(why.clone())),
        };
        let is_over = self.expires.is_some_and(|day| day < today);
        Some(match (self.is, fails) {
            (Standing::Fixed, false) | (Standing::Flaky, false) => return None,
            (Standing::Known | Standing::Expected | Standing::Flaky, true) if is_over => Fate::Expired,
            (Standing::New, true) => Fate::StillFailing,
            (Standing::Fixed, true) => Fate::Regressed,
            (Standing::Known, true) => Fate::Known,
            (Standing::Expected, true) => Fate::Expected,
            (Standing::Flaky, true) => Fate::Flaky,
            (Standing::Expected, false) => Fate::ExpectedHolds,
            (Standing::New | Standing::Known, false) => Fate::Fixed,
        })
    }

    /// Takes note of the value keys in which it shows tonight. What is known does not excuse a key that was not there when it
    /// was said.
    pub(crate) fn widen(&mut self, fate: Option<Fate>, tonight: &BTreeSet<String>) -> Option<Fate> {
        let is_excused = matches!(fate, Some(Fate::Known | Fate::Expected));
        if !is_excused || self.keys.is_empty() {
            self.keys.extend(tonight.iter().cloned());
            return fate;
        }
        self.new_keys.extend(tonight.difference(&self.keys).cloned());
        let new: Vec<&String> = tonight.intersection(&self.new_keys).collect();
        match new[..] {
            [] => fate,
            [first] => Some(Fate::Widened(first.clone())),
            [first, ..] => Some(Fate::Widened(format!("{first}, and {} more", new.len() - 1))),
        }
    }

    /// Accepts every value key in which it has shown.
    pub fn accept_keys(&mut self) {
        self.keys.append(&mut self.new_keys);
    }

    /// The same, with what a rule says of it.
    pub fn under(&self, rule: Option<&Rule>) -> Entry {
        match rule {
            None => self.clone(),
            Some(Rule { is, because, expires, .. }) => {
                Entry { is: *is, because: Some(because.clone()), expires: *expires, ..self.clone() }
            }
        }
    }

    /// Takes note of what became of it.
    pub fn note(&mut self, fate: Option<&Fate>, night: u32) {
        match fate {
            None | Some(Fate::NotAsked(_) | Fate::ExpectedHolds) => return,
            Some(Fate::Fixed) => {
                self.is = Standing::Fixed;
                return;
            }
            Some(Fate::Regressed) => self.is = Standing::New,
            Some(Fate::Flaky) if self.is != Standing::Expected => self.is = Standing::Flaky,
            Some(_) => {}
        }
        self.last = night;
    }

    fn check(&self) -> Result<(), String> {
        let Entry { signature, is, because, scope, .. } = self;
        if matches!(is, Standing::Known | Standing::Expected) && because.is_none() {
            let is = is.name();
            let signature = quoted(signature);
            return Err(format!("`{signature}` is {is} without `because`; name an erratum or a ticket"));
        }
        scope.check().map_err(|problem| format!("`{}`: {problem}", quoted(signature)))
    }
}

impl Ledger {
    /// Reads the ledger; an empty one where there is no file.
    pub fn read(path: &Path) -> Result<Ledger, NightlyError> {
        let text = match assay_files::read_text(path, yaml::BYTES) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Ledger { version: VERSION, noted: 0, rules: Vec::new(), entries: Vec::new() });
            }
            read => read.map_err(|e| NightlyError::input(path, e.to_string()))?,
        };
        Ledger::parse(&text, path)
    }

    /// Reads the text of a ledger; `path` is for errors.
    pub(crate) fn parse(text: &str, path: &Path) -> Result<Ledger, NightlyError> {
        yaml::check(text).map_err(|e| NightlyError::input(path, e.to_string()))?;
        let ledger: Ledger =
            serde_yaml::from_str(text).map_err(|e| NightlyError::input(path, message(&e.to_string())))?;
        ledger.check().map_err(|problem| NightlyError::input(path, problem))?;
        Ok(ledger)
    }

    fn check(&self) -> Result<(), String> {
        if self.version != VERSION {
            return Err(format!("version {}: this assay reads ledgers of version {VERSION}", self.version));
        }
        self.rules.iter().try_for_each(Rule::check)?;
        let leaves = |case: &PathBuf| !case.components().all(|part| matches!(part, Component::Normal(_)));
        if let Some(case) =
            self.entries.iter().filter_map(|entry| entry.case.as_ref()).find(|case| leaves(case))
        {
            let case = quoted(&case.display().to_string());
            return Err(format!(
                "the case `{case}` lies outside the campaign's folder; copy it into `findings`"
            ));
        }
        let mut listed = BTreeSet::new();
        for entry in &self.entries {
            entry.check()?;
            if !listed.insert((&entry.signature, &entry.scope)) {
                return Err(format!("`{}` is listed twice for the same scope", quoted(&entry.signature)));
            }
        }
        Ok(())
    }

    /// Writes it, whole or not at all. One that could not be read again is refused.
    pub fn write(&self, path: &Path) -> Result<(), NightlyError> {
        self.check().map_err(|problem| NightlyError::input(path, problem))?;
        Ok(write_bytes(path, self.to_yaml().as_bytes())?)
    }

    /// The text of the file.
    pub(crate) fn to_yaml(&self) -> String {
        serde_yaml::to_string(self).expect("a ledger can be written")
    }

    /// The entry of a signature for a subject under a profile: the last one that is for them, as a later one was said later.
    pub fn entry(&mut self, signature: &str, subject: &str, profile: &str) -> Option<&mut Entry> {
        let mut entries = self.entries.iter_mut().rev();
        entries.find(|entry| entry.signature == signature && entry.scope.has(subject, profile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(is: Standing) -> Entry {
        Entry {
            signature: "FADD: value".into(),
            is,
            because: Some("E035".into()),
            scope: Scope::exactly("exec:python3 [x].py", "intended"),
            expires: None,
            first: 1,
            last: 1,
            case: None,
            keys: BTreeSet::new(),
            new_keys: BTreeSet::new(),
        }
    }

    fn rule(signatures: &str, is: Standing) -> Rule {
        let scope = Scope { subject: "exec:*".into(), profile: "*".into() };
        Rule { signatures: signatures.into(), is, because: "E035".into(), scope, expires: None }
    }

    #[test]
    fn a_rule_speaks_of_what_nobody_else_speaks_of_for_whom_it_is() {
        let speaks = |rule: Rule, is, subject| rule.speaks_of(&entry(is), subject, "intended");
        assert!(speaks(rule("FADD: *", Standing::Known), Standing::New, "exec:x"));
        assert!(!speaks(rule("FADD: *", Standing::Known), Standing::New, "model"));
        assert!(!speaks(rule("FADD:", Standing::Known), Standing::New, "exec:x"), "the whole signature");
        assert!(!speaks(rule("FADD: *", Standing::Fixed), Standing::New, "exec:x"));
        for is in [Standing::Known, Standing::Expected, Standing::Fixed, Standing::Flaky] {
            assert!(!speaks(rule("FADD: *", Standing::Expected), is, "exec:x"), "{is:?}");
        }
    }

    #[test]
    fn what_is_known_does_not_excuse_a_new_key_until_it_is_accepted() {
        let keys = |names: &[&str]| names.iter().map(ToString::to_string).collect::<BTreeSet<String>>();
        let mut entry = entry(Standing::Known);
        let known = || Some(Fate::Known);
        assert_eq!(entry.widen(known(), &keys(&["a", "b"])), known(), "the first night says what is known");
        assert_eq!(entry.widen(known(), &keys(&["a"])), known());
        for _ in 0..2 {
            let widened = Some(Fate::Widened("c".into()));
            assert_eq!(entry.widen(known(), &keys(&["a", "c"])), widened, "every night that it shows");
        }
        assert_eq!(entry.widen(known(), &keys(&["b"])), known());
        let more = Some(Fate::Widened("c, and 1 more".into()));
        assert_eq!(entry.widen(known(), &keys(&["c", "d"])), more);
        entry.accept_keys();
        assert_eq!(entry.widen(known(), &keys(&["a", "b", "c", "d"])), known());
        assert_eq!(entry.widen(Some(Fate::New), &keys(&["e"])), Some(Fate::New));
        assert_eq!(entry.widen(known(), &keys(&["e"])), known(), "it was told as new");
    }

    fn day(text: &str) -> Day {
        text.parse().expect("a day")
    }

    #[test]
    fn what_became_of_a_signature_follows_from_what_was_said_and_what_it_did() {
        use Replayed::{Diverged, Held, Mixed};
        let today = day("2026-11-22");
        let unknown = Replayed::Unknown("no such subject".into());
        let not_asked = Some(Fate::NotAsked("no such subject".into()));
        let cases = [
            (Standing::New, true, Diverged, Some(Fate::StillFailing), Standing::New),
            (Standing::New, false, Diverged, Some(Fate::StillFailing), Standing::New),
            (Standing::New, false, Held, Some(Fate::Fixed), Standing::Fixed),
            (Standing::New, true, Held, Some(Fate::Flaky), Standing::Flaky),
            (Standing::New, false, Mixed, Some(Fate::Flaky), Standing::Flaky),
            (Standing::New, true, unknown.clone(), Some(Fate::StillFailing), Standing::New),
            (Standing::New, false, unknown.clone(), not_asked.clone(), Standing::New),
            (Standing::Known, true, Diverged, Some(Fate::Known), Standing::Known),
            (Standing::Known, false, Held, Some(Fate::Fixed), Standing::Fixed),
            (Standing::Expected, false, Diverged, Some(Fate::Expected), Standing::Expected),
            (Standing::Expected, false, Held, Some(Fate::ExpectedHolds), Standing::Expected),
            (Standing::Expected, false, Mixed, Some(Fate::Flaky), Standing::Expected),
            (Standing::Fixed, false, Held, None, Standing::Fixed),
            (Standing::Fixed, true, Diverged, Some(Fate::Regressed), Standing::New),
            (Standing::Flaky, false, Held, None, Standing::Flaky),
            (Standing::Flaky, true, Diverged, Some(Fate::Flaky), Standing::Flaky),
        ];
        for (is, seen, replayed, fate, after) in cases {
            let mut entry = entry(is);
            let became = entry.fate(seen, &replayed, today);
            entry.note(became.as_ref(), 5);
            assert_eq!((became, entry.is), (fate, after), "{is:?} {seen} {replayed:?}");
        }
    }

    #[test]
    fn what_is_said_until_a_day_counts_on_that_day_and_not_later() {
        let known = Entry { expires: Some(day("2026-11-22")), ..entry(Standing::Known) };
        assert_eq!(known.fate(true, &Replayed::Diverged, day("2026-11-22")), Some(Fate::Known));
        assert_eq!(known.fate(true, &Replayed::Diverged, day("2026-11-23")), Some(Fate::Expired));
    }

    #[test]
    fn a_ledger_is_read_as_it_was_written_and_refused_where_it_says_nothing_or_too_much() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ledger.yaml");
        assert_eq!(Ledger::read(&path).expect("an empty one").entries, []);
        let mut ledger = Ledger {
            version: VERSION,
            noted: 0,
            rules: Vec::new(),
            entries: vec![entry(Standing::Expected)],
        };
        ledger.write(&path).expect("written");
        assert_eq!(Ledger::read(&path).expect("read"), ledger);
        assert!(ledger.entry("FADD: value", "exec:python3 [x].py", "intended").is_some());
        assert!(ledger.entry("FADD: value", "exec:python3 x.py", "intended").is_none());
        assert!(ledger.entry("FADD: value", "exec:python3 [x].py", "literal").is_none());
        let refused = |change: fn(&mut Ledger), words: &str| {
            let mut bad = ledger.clone();
            change(&mut bad);
            let error = bad.write(&path).expect_err(words).to_string();
            assert!(error.contains(words), "{error}");
        };
        refused(|l| l.version = 2, "ledgers of version 1");
        refused(|l| l.entries[0].because = None, "without `because`");
        refused(|l| l.entries[0].scope.subject = "[".into(), "the scope `[`");
        refused(|l| l.entries.push(l.entries[0].clone()), "listed twice");
        refused(|l| l.rules.push(rule("* | *", Standing::Known)), "would excuse everything");
        refused(|l| l.rules.push(rule("FADD[", Standing::Known)), "the rule `FADD[`");
        refused(|l| l.rules.push(rule("FADD*", Standing::Flaky)), "known, expected or fixed");
        refused(
            |l| l.rules.push(Rule { because: String::new(), ..rule("FADD*", Standing::Known) }),
            "no reason",
        );
    }
}
