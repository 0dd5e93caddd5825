//! The properties of the files that people write for nightly runs: the plan, and the list of known
//! issues.
//!
//! A file that is read can be written, and reads back unchanged. What a run does with the file ends
//! without a panic. Each property is a function of bytes, which libFuzzer calls.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use assay_nightly::NightlyError;
use assay_nightly::known_issues::{Change, Day, KnownIssues, Replayed, Sighting};
use assay_nightly::plan::NightPlan;
use schemars::{JsonSchema, schema_for};

use crate::dictionary::schema_words;
use crate::{Reached, Violation, safe};

/// Plans with which a mutator starts. They are JSON, which is also YAML.
pub const PLANS: [&str; 1] = [include_str!("../../../../vectors/data/fuzz/plan/every-field")];
/// Lists of known issues with which a mutator starts.
pub const KNOWN_ISSUES: [&str; 1] = [include_str!("../../../../vectors/data/fuzz/known_issues/every-field")];

/// Returns the words of a plan, for a dictionary.
pub fn plan_words() -> BTreeSet<String> {
    words::<NightPlan>()
}

/// Returns the words of a list of known issues, for a dictionary.
pub fn known_issues_words() -> BTreeSet<String> {
    words::<KnownIssues>()
}

fn words<T: JsonSchema>() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    schema_words(schema_for!(T).as_value(), &mut words);
    words
}

/// Checks a plan. The bytes are the content of its file.
///
/// # Errors
///
/// The first violation.
pub fn plan(data: &[u8]) -> Result<Reached, Violation> {
    let text = String::from_utf8_lossy(data);
    let plan = match NightPlan::parse(&text, Path::new("plan.yaml")) {
        Ok(plan) => plan,
        Err(error) => return safe(error, text.as_bytes()),
    };
    for stage in &plan.stages {
        if stage.words().is_ok_and(|words| words.is_empty()) || stage.time.0.is_zero() {
            return Err(Violation::Unusable(format!("stage {} does nothing", stage.name)));
        }
    }
    returns("plan", &plan, &plan.to_yaml(), NightPlan::parse)
}

/// Checks a list of known issues. The bytes are the content of its file. Also checks the list as a
/// nightly run would change it, for each outcome of the replays.
///
/// # Errors
///
/// The first violation.
pub fn known_issues(data: &[u8]) -> Result<Reached, Violation> {
    let text = String::from_utf8_lossy(data);
    let known_issues = match KnownIssues::parse(&text, Path::new("known-issues.yaml")) {
        Ok(known_issues) => known_issues,
        Err(error) => return safe(error, text.as_bytes()),
    };
    let today = Day::today();
    for replayed in [Replayed::Diverged, Replayed::Held, Replayed::Mixed, Replayed::Unknown("gone".into())] {
        for seen in [false, true] {
            let after = after_a_run(known_issues.clone(), seen, &replayed, today);
            returns("list after a run", &after, &after.to_yaml(), KnownIssues::parse)?;
        }
    }
    returns("list", &known_issues, &known_issues.to_yaml(), KnownIssues::parse)
}

/// Returns the list after a run. If `seen` is true, the run saw every signature, and otherwise
/// none. Every case has the replay outcome `replayed`.
fn after_a_run(mut known_issues: KnownIssues, seen: bool, replayed: &Replayed, today: Day) -> KnownIssues {
    let sighting =
        Sighting { ways: BTreeMap::from([("FADD: value".to_owned(), None)]), ..Sighting::default() };
    let mut changes: Vec<Change> = Vec::new();
    for entry in &mut known_issues.entries {
        let (subject, profile) = (entry.scope.subject.clone(), entry.scope.profile.clone());
        let rule = known_issues.rules.iter().rev().find(|rule| rule.speaks_of(entry, &subject, &profile));
        let said = rule.map_or_else(|| entry.clone(), |rule| rule.applied_to(entry));
        let change = said.change(seen, replayed, today);
        let change = entry.weigh(change, &sighting, rule.is_some());
        entry.note(change.as_ref(), known_issues.noted);
        changes.extend(change);
    }
    known_issues.rules.iter_mut().for_each(|rule| rule.note(&changes));
    known_issues
}

/// Checks that a written value reads back unchanged.
fn returns<T: PartialEq + std::fmt::Debug>(
    what: &str,
    before: &T,
    written: &str,
    read: impl Fn(&str, &Path) -> Result<T, NightlyError>,
) -> Result<Reached, Violation> {
    match read(written, Path::new("written")) {
        Ok(after) if after == *before => Ok(Reached::Judged),
        Ok(after) => Err(Violation::Unusable(format!(
            "the {what} reads back as another:\n  before {before:?}\n  after  {after:?}"
        ))),
        Err(error) => Err(Violation::Unusable(format!("the {what} that was written is refused: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bases_and_what_people_write_reach_the_judge() {
        let yaml = "{version: 1, entries: [{signature: a, is: new, scope: {subject: '*', profile: '*'}, first: 1, last: 1}]}";
        for (property, text) in [
            (plan as fn(&[u8]) -> _, PLANS[0]),
            (plan, assay_nightly::plan::DEFAULT),
            (known_issues, KNOWN_ISSUES[0]),
            (known_issues, yaml),
        ] {
            assert_eq!(property(text.as_bytes()).expect(text), Reached::Judged, "{text}");
        }
    }

    #[test]
    fn what_is_no_such_file_is_refused_with_a_message_that_is_safe_to_show() {
        let long = "x".repeat(5000);
        let hostile = "\\e[2K\\n\\u202e";
        let name = |name: &str| {
            format!(
                "{{version: 1, name: n, subject: model, stages: [{{name: \"{name}\", run: a, time: 1s}}]}}"
            )
        };
        let run = |run: &str| {
            format!(
                "{{version: 1, name: n, subject: m, stages: [{{name: a, run: \"fuzz {run}\", time: 1s}}]}}"
            )
        };
        let time = |time: &str| {
            format!("{{version: 1, name: n, subject: m, stages: [{{name: a, run: fuzz, time: \"{time}\"}}]}}")
        };
        let rule = |signatures: &str| {
            format!(
                "{{version: 1, entries: [], rules: [{{signatures: \"{signatures}\", is: new, because: b, scope: {{subject: a, profile: b}}}}]}}"
            )
        };
        for text in [&long, hostile] {
            for (property, file) in [
                (plan as fn(&[u8]) -> _, name(text)),
                (plan, run(&format!("--out={text}"))),
                (plan, run(&format!("--out='{text}"))),
                (plan, time(text)),
                (plan, format!("{{{text}: 1}}")),
                (known_issues, rule(text)),
                (known_issues, rule(&format!("[{text}"))),
                (known_issues, format!("\"{text}\"")),
            ] {
                assert_eq!(property(file.as_bytes()).expect(&file), Reached::Refused, "{file}");
            }
        }
    }

    #[test]
    fn a_reader_that_forgets_or_refuses_what_was_written_is_caught() {
        let plan = NightPlan::load(None).expect("the default plan");
        let forgets = |text: &str, path: &Path| {
            NightPlan::parse(text, path).map(|plan| NightPlan { about: String::new(), ..plan })
        };
        let refuses =
            |_: &str, path: &Path| Err(NightlyError::Input { path: path.to_owned(), problem: "no".into() });
        for (outcome, words) in [
            (returns("plan", &plan, &plan.to_yaml(), forgets), "reads back as another"),
            (returns("plan", &plan, &plan.to_yaml(), refuses), "is refused: written: no"),
        ] {
            let violation = outcome.expect_err(words).to_string();
            assert!(violation.contains(words), "{violation}");
        }
    }
}
