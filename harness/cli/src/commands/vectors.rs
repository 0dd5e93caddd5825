//! `assay vectors`: recorded cases held against a subject and against the oracle.

use std::path::{Path, PathBuf};

use assay_engine::judge::Verdict;
use assay_isa::effect::Lanes;
use assay_isa::{Effects, Location};
use assay_vectors::{Case, Suite, discover, read_suite};
use clap::{Args, Subcommand};
use serde_json::json;

use super::generate::Generate;
use super::judgement::{Judgement, Panel, Spoken};
use super::replay::case_profile;
use crate::context::Context;
use crate::failure::{Failure, Status};
use crate::voices::Voice;

/// Recorded cases.
#[derive(Subcommand)]
pub enum Vectors {
    /// Hold a subject, and the oracle, against YAML vectors.
    Check(Check),
    Generate(Generate),
    /// Print the JSON Schema of a case.
    Schema,
}

/// Hold a subject, and the oracle, against YAML vectors.
#[derive(Args)]
pub struct Check {
    /// Files or folders; the project's own vectors by default.
    #[arg(default_value = "vectors/data")]
    paths: Vec<PathBuf>,
    /// The voice to check.
    #[arg(long, value_name = "SUBJECT", default_value = "model")]
    subject: Voice,
}

impl Vectors {
    /// Runs the command.
    pub fn run(&self, context: &Context) -> Result<Status, Failure> {
        match self {
            Vectors::Check(check) => check.run(context),
            Vectors::Generate(generate) => generate.run(context),
            Vectors::Schema => {
                crate::print_json(&assay_vectors::schema())?;
                Ok(Status::Held)
            }
        }
    }
}

/// Counts of a check.
#[derive(Default)]
struct Counts {
    cases: u64,
    held: u64,
    failed: u64,
    unsupported: u64,
    skipped: u64,
    without_expectation: u64,
}

impl Check {
    fn run(&self, context: &Context) -> Result<Status, Failure> {
        let mut counts = Counts::default();
        let mut failures = Vec::new();
        let mut skips = Vec::new();
        for (path, suite) in self.suites()? {
            for case in &suite.cases {
                counts.cases += 1;
                if let Some(reason) = &case.skip {
                    counts.skipped += 1;
                    skips.push(format!("{} {}: {reason}", path.display(), case.name));
                    continue;
                }
                match self.check(context, &suite, case)? {
                    Held::Yes => counts.held += 1,
                    Held::Unsupported => counts.unsupported += 1,
                    Held::NothingExpected => counts.without_expectation += 1,
                    Held::No(problem) => {
                        counts.failed += 1;
                        failures.push(format!("{} {}: {problem}", path.display(), case.name));
                    }
                }
            }
        }
        self.print(context, &counts, &failures, &skips)?;
        if counts.held + counts.failed == 0 {
            return Err(Failure::input(
                "no case was checked: all were skipped, unsupported or without expectation",
            ));
        }
        Ok(Status::of(failures.is_empty()))
    }

    fn suites(&self) -> Result<Vec<(PathBuf, Suite)>, Failure> {
        let mut suites = Vec::new();
        for path in &self.paths {
            let read = |path: &Path| Ok::<_, Failure>((path.to_owned(), read_suite(path)?));
            if path.is_dir() { suites.extend(discover(path)?) } else { suites.push(read(path)?) }
        }
        Ok(suites)
    }

    fn check(&self, context: &Context, suite: &Suite, case: &Case) -> Result<Held, Failure> {
        let profile = case_profile(context, suite, case)?;
        let (instruction, batch) = case.batch(&context.numbers)?;
        let mut panel = Panel::pair(self.subject, None, &context.numbers, &profile);
        let judgement = panel.ask(&instruction, &batch)?;
        let [subject, oracle] = &judgement.answers[..] else { unreachable!("a pair gives two answers") };
        if [subject, oracle].iter().any(|a| a.spoken == Spoken::Unsupported) {
            return Ok(Held::Unsupported);
        }
        if let Some(erratum) = case.undefined {
            let undefined = |s: &Spoken| *s == Spoken::Undefined(erratum.to_string());
            let both = undefined(&subject.spoken) && undefined(&oracle.spoken);
            return Ok(if both {
                Held::Yes
            } else {
                Held::No(format!("{erratum} should leave it undefined"))
            });
        }
        if case.expect.is_none() {
            return Ok(Held::NothingExpected);
        }
        if let Some(problem) = subject_problem(case, &judgement) {
            return Ok(Held::No(format!("{}: {problem}", subject.voice)));
        }
        for effects in expected_effects(case) {
            if let Verdict::Diverged(divergence) = panel.accepts(&instruction, &effects) {
                let answer = super::judgement::spoken_json(&oracle.spoken);
                let kind = divergence.kind.name();
                return Ok(Held::No(format!(
                    "the oracle refuses the expectation ({kind}); it says {answer}"
                )));
            }
        }
        Ok(Held::Yes)
    }

    fn print(
        &self,
        context: &Context,
        counts: &Counts,
        failures: &[String],
        skips: &[String],
    ) -> Result<(), Failure> {
        let Counts { cases, held, failed, unsupported, skipped, without_expectation } = counts;
        if context.json {
            return crate::print_json(&json!({
                "cases": cases, "held": held, "failed": failed, "unsupported": unsupported,
                "skipped": skipped, "without_expectation": without_expectation,
                "failures": failures, "skips": skips,
            }));
        }
        let mut page: String = failures.iter().map(|f| format!("FAILED {f}\n")).collect();
        page.extend(skips.iter().map(|s| format!("skipped {s}\n")));
        page += &format!(
            "{cases} cases on {}: {held} held, {failed} failed, {unsupported} unsupported, {skipped} skipped, \
             {without_expectation} without expectation\n",
            self.subject
        );
        crate::print(&page)
    }
}

/// Whether a case held.
enum Held {
    Yes,
    No(String),
    Unsupported,
    NothingExpected,
}

/// How the subject's effect differs from what is expected.
fn subject_problem(case: &Case, judgement: &Judgement) -> Option<String> {
    let expected = case.expect.as_ref()?;
    let Spoken::Effect(writes, event) = &judgement.answers[0].spoken else {
        return Some("gives no answer".into());
    };
    for (location, value) in writes {
        match expected.get(location) {
            None => return Some(format!("writes {location}, which must stay as it is")),
            Some(allowed) if !allowed.contains(*value) => {
                let allowed: Vec<String> = allowed.values().iter().map(|v| format!("{v:#010x}")).collect();
                let allowed = allowed.join(" or ");
                return Some(format!("writes {value:#010x} to {location}, expected {allowed}"));
            }
            Some(_) => {}
        }
    }
    let missing = expected.keys().find(|location| !writes.iter().any(|(l, _)| l == *location));
    if let Some(location) = missing {
        return Some(format!("does not write {location}"));
    }
    (*event != case.event).then(|| format!("reports {event:?}, expected {:?}", case.event))
}

/// Effects that the expectation allows: each allowed value once, the other locations at their first.
fn expected_effects(case: &Case) -> Vec<Effects> {
    let Some(expected) = &case.expect else { return Vec::new() };
    let rounds = expected.values().map(|allowed| allowed.values().len()).max().unwrap_or(1);
    let effect = |round: usize| {
        let mut effects = Effects::default();
        effects.reset(1);
        for (location, allowed) in expected.iter() {
            let (location, values): (Location, _) = (*location, allowed.values());
            effects.write(location, Lanes::All)[0] = values[round.min(values.len() - 1)];
        }
        if let Some(event) = &case.event {
            effects.event(0, event.clone());
        }
        effects
    };
    (0..rounds).map(effect).collect()
}
