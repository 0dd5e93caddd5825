//! Describes the verdict of a result. The result contains the verdict, and nothing here computes
//! it.

use std::collections::BTreeSet;

use assay_engine::stats::judged::JudgedShare;
use assay_isa::catalog;
use assay_isa::shown::plural;
use assay_records::devices::Role;
use assay_records::verdict::{ReasonKind, UNVERIFIED, VerdictWord, sentence};
use assay_records::{Plan, RunDemands, RunResult, Setting};
use assay_vectors::looser::LooserDemand;
use assay_vectors::profile::BUILT_IN;
use assay_vectors::{Bound, Profile};

use crate::number::{count, share};
use crate::plan::ReadingDeparture;
use crate::{exhaustive, facts, plan};
use assay_pages::{Block, Table, Tone, code, row};

/// Greatest number of reasons that a line names.
const REASONS: usize = 3;
/// Greatest number of functions and demands that a line names.
const NAMED: usize = 3;

/// Returns the verdict in a few sentences, without the verdict's word. The sentences state the
/// divergences, the cases that were not judged, further reasons for a failure, what was executed,
/// lowered demands, differing readings, and waived divergences.
pub fn conclusion(outcome: &RunResult) -> String {
    let (tally, counts) = (&outcome.tally, &outcome.tally.verdicts);
    let cases = plural(count(tally.cases), "case", "cases");
    let mut text = match (tally.cases, counts.diverged) {
        (0, _) => "Nothing was executed.".to_owned(),
        (_, 0) => format!("No divergence in {cases}."),
        (_, n) => format!("{} of {cases} diverged ({}).", count(n), share(n, tally.cases)),
    };
    let open = facts::not_judged(counts);
    if open > 0 {
        text +=
            &format!(" {} not judged ({}).", plural(count(open), "was", "were"), share(open, tally.cases));
    }
    if counts.undeclared > 0 {
        text += &format!(
            " {} undeclared: the device, of version 1, answered `unsupported`.",
            plural(count(counts.undeclared), "is", "are")
        );
    }
    text += &reasons(outcome);
    text += &unjudged(outcome);
    text += &short(outcome);
    text += &left_out(outcome).map_or(String::new(), |forms| format!(" Executed: {forms}."));
    text += &declared(outcome);
    text += &not_generated(outcome);
    text += &lowered(outcome.plan.setting(), outcome.verdict.as_ref().map(|verdict| &verdict.demands));
    if counts.waived > 0 {
        text += &format!(" {} waived.", plural(count(counts.waived), "divergence was", "divergences were"));
    }
    if plan::complete(outcome) == Some(false) {
        text += &format!(" Not the whole plan: {}.", plan::part(outcome));
    }
    text
}

/// Returns the reasons for a failure other than divergences. For a result without a verdict, states
/// that it has none.
fn reasons(outcome: &RunResult) -> String {
    if outcome.verdict_word() == VerdictWord::Unverified {
        return format!(" {}", sentence(UNVERIFIED));
    }
    let relations = exhaustive::refusals(&outcome.tally);
    let is_told = |kind| match kind {
        ReasonKind::Divergence | ReasonKind::Relation => true,
        ReasonKind::Nothing => outcome.tally.cases == 0,
        _ => false,
    };
    let others = outcome.reasons().iter().filter(|reason| !is_told(reason.kind));
    let list: Vec<String> = relations.chain(others.map(|reason| reason.message.clone())).collect();
    let shown = list.iter().take(REASONS).map(|reason| format!(" {}", sentence(reason)));
    let hidden = list.len().saturating_sub(REASONS);
    let more = plural(hidden, "more reason is", "more reasons are");
    shown.collect::<String>() + &if hidden > 0 { format!(" {more} in the result.") } else { String::new() }
}

/// Returns the functions whose results were not judged because the profile has no bound for them.
fn unjudged(outcome: &RunResult) -> String {
    let list = outcome.verdict.as_ref().map_or(&[][..], |verdict| &verdict.unjudged);
    let Some(first) = list.first() else { return String::new() };
    let shares =
        list.iter().take(NAMED).map(|one| format!("{} of {}", share(one.unjudged, one.lanes), one.name));
    let beyond = intervals(outcome, &first.name).map_or(String::new(), |on| format!(" outside {on}"));
    let hint = if list.iter().all(|one| one.name.starts_with("MUFU.")) {
        "; `--profile faithful` judges them"
    } else {
        ""
    };
    let (names, verb) = (named(shares, list.len()), plural_verb(list.len()));
    format!(" {names} {verb} not judged: the profile promises no accuracy{beyond}{hint}.")
}

/// Returns the judged shares below their minimum that cover too few lanes to fail the run.
fn short(outcome: &RunResult) -> String {
    let is_few = |one: &&JudgedShare| one.problem.is_none() && one.is_short();
    let list: Vec<&JudgedShare> = outcome.shares().iter().filter(is_few).collect();
    let Some(most) = list.iter().map(|one| one.least).max() else { return String::new() };
    let shares =
        list.iter().take(NAMED).map(|one| format!("{} of {}", share(one.judged, one.asked()), one.name));
    let (names, verb) = (named(shares, list.len()), plural_verb(list.len()));
    format!(" Only {names} {verb} judged, less than {most} %; run more cases to find out whether it fails.")
}

/// Returns how many forms were executed, if a campaign over everything omitted some. A form is
/// omitted if the device does not support it, or if the run has too few cases to reach it.
pub fn left_out(outcome: &RunResult) -> Option<String> {
    let Plan::Fuzz { only, .. } = &outcome.plan else { return None };
    let (executed, all) = (outcome.tally.forms.len(), catalog().forms.len());
    let is_everything = only.is_empty() && executed > 0;
    (is_everything && executed < all).then(|| format!("{executed} of {all} forms"))
}

/// Returns the lists of modes that the subject's devices declare. A device receives no other modes.
fn declared_modes(outcome: &RunResult) -> BTreeSet<&Vec<String>> {
    let devices = match &outcome.plan {
        Plan::Trace { .. } => return BTreeSet::new(),
        plan => &plan.setting().devices,
    };
    // Each list keeps all its patterns in order: a later pattern can remove modes that an earlier
    // pattern adds, or add them again.
    devices.of(Role::Subject).map(|device| &device.modes).collect()
}

/// Returns the patterns of a declaration, each once, without those that a later one takes away.
fn declared_patterns(list: &[String]) -> Vec<&str> {
    let mut patterns: Vec<&str> = Vec::new();
    for pattern in list {
        match pattern.strip_prefix('!') {
            Some(whole) if patterns.contains(&whole) => patterns.retain(|known| *known != whole),
            _ => patterns.push(pattern),
        }
    }
    patterns
}

/// Returns the patterns that the subject's devices declare, each once. Several devices can have
/// executed the shards of a run.
pub fn declared_names(outcome: &RunResult) -> Vec<&str> {
    let lists = declared_modes(outcome).into_iter().map(|list| declared_patterns(list));
    let mut shown: Vec<&str> = Vec::new();
    for pattern in lists.flatten() {
        if !shown.contains(&pattern) {
            shown.push(pattern);
        }
    }
    shown
}

/// States that only declared modes were executed, if a device declares modes.
fn declared(outcome: &RunResult) -> String {
    let shown = declared_names(outcome);
    match shown.len() {
        0 => String::new(),
        all => {
            let first = shown.iter().take(NAMED).map(|mode| (*mode).to_owned());
            format!(" Only what the device declares was executed: {}.", named(first, all))
        }
    }
}

/// Returns the selected functions that were not executed, or not in all modes.
fn not_generated(outcome: &RunResult) -> String {
    let list = &outcome.plan.setting().not_generated;
    match list.len() {
        0 => String::new(),
        all => format!(" Not executed: {}.", named(list.iter().take(NAMED).cloned(), all)),
    }
}

/// Returns the demands below those of the built-in profile, the options that allow more, and the
/// readings that differ.
pub fn lowered(setting: &Setting, demands: Option<&RunDemands>) -> String {
    looser(setting) + &demands.map_or(String::new(), allowed) + &departures(setting)
}

/// Returns what options of the command line allow.
fn allowed(demands: &RunDemands) -> String {
    let RunDemands { allow_unjudged, allow_undeclared, .. } = demands;
    let options = [("--allow-unjudged", allow_unjudged), ("--allow-undeclared", allow_undeclared)];
    let line = |(option, globs): (&str, &BTreeSet<String>)| match globs.len() {
        0 => String::new(),
        all => format!(" {option} allows {}.", named(globs.iter().take(NAMED).cloned(), all)),
    };
    options.map(line).concat()
}

/// Returns the readings whose setting differs both from `intended` and from the run's built-in
/// profile. Such a reading can make results undefined that `intended` defines.
fn departures(setting: &Setting) -> String {
    let is_built_in = BUILT_IN.iter().any(|(name, _)| *name == setting.profile);
    let built_in = is_built_in.then(|| Profile::load(&setting.profile).ok()).flatten();
    let is_known = |one: &ReadingDeparture| {
        let mut settings = built_in.iter().flat_map(|profile| profile.readings.iter());
        settings.any(|(erratum, chosen)| chosen == one.setting && erratum.to_string() == one.erratum)
    };
    let mut list = plan::departures(setting);
    list.retain(|one| !is_known(one));
    let readings = list.iter().take(NAMED).map(|one| format!("{}={}", one.erratum, one.setting));
    match list.len() {
        0 => String::new(),
        all => format!(" Readings not as intended: {}.", named(readings, all)),
    }
}

/// Returns the widest interval of arguments on which a function has a bound.
pub fn intervals(outcome: &RunResult, function: &str) -> Option<String> {
    let bounds = outcome.tally.accuracy.get(function)?.bounds.keys();
    let intervals = bounds.filter_map(|bound| bound.parse::<Bound>().ok()?.interval);
    let width = |interval: &assay_vectors::Interval| interval.ends()[1] - interval.ends()[0];
    intervals.max_by(|a, b| width(a).total_cmp(&width(b))).map(|interval| interval.to_string())
}

/// Returns the demands that are lower than those of the built-in profile that this profile extends.
fn looser(setting: &Setting) -> String {
    let Some(looser) = &setting.looser else { return String::new() };
    let demands = looser.demands.iter().take(NAMED).map(|one| format!("{} ({})", one.name, one.parts));
    let (profile, than) = (&setting.profile, &looser.than);
    let names = named(demands, looser.demands.len());
    format!(" The profile {profile} demands less than {than}: {names}.")
}

/// Joins the shown names of a list, and states how many more there are.
fn named(shown: impl Iterator<Item = String>, all: usize) -> String {
    let shown: Vec<String> = shown.collect();
    match all.saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn plural_verb(number: usize) -> &'static str {
    if number == 1 { "was" } else { "were" }
}

/// Returns the verdict with its word, marked as good, open or bad.
pub fn block(outcome: &RunResult) -> Block {
    let word = outcome.verdict_word();
    let tone = match word {
        VerdictWord::Passed => Tone::Good,
        VerdictWord::Partial | VerdictWord::Unverified => Tone::Open,
        VerdictWord::Failed => Tone::Bad,
    };
    Block::Conclusion(tone, format!("{}: {}", word.text(), conclusion(outcome)))
}

/// Returns the demands that are lower than those of the built-in base profile. `None` if there are
/// none.
pub fn looser_table(setting: &Setting) -> Option<Table> {
    let looser = setting.looser.as_ref()?;
    let row =
        |one: &LooserDemand| row![code(&one.name), one.parts.as_str(), one.here.as_str(), one.there.as_str()];
    let caption = format!("What the profile {} demands less of than {}", setting.profile, looser.than);
    let head = "Name | Lower in | Here | There";
    Some(Table::new(&caption, head, looser.demands.iter().map(row)))
}

/// Returns the facts about a verdict for CI systems, as pairs of name and value.
pub fn properties(outcome: &RunResult) -> Vec<(&'static str, String)> {
    let setting = outcome.plan.setting();
    let facts = [("verdict", outcome.verdict_word().text().to_owned()), ("profile", setting.profile.clone())];
    let looser = setting.looser.iter().flat_map(|looser| {
        let line = |one: &LooserDemand| {
            let LooserDemand { name, parts, here, there } = one;
            ("looser than built in", format!("{name}: {parts}; {here}, and in {} {there}", looser.than))
        };
        looser.demands.iter().map(line)
    });
    let demands = outcome.verdict.iter().flat_map(|verdict| {
        let RunDemands { allow_unjudged, allow_undeclared, require_judged, .. } = &verdict.demands;
        let unjudged = allow_unjudged.iter().map(|glob| ("allowed to be unjudged", glob.clone()));
        let undeclared = allow_undeclared.iter().map(|glob| ("allowed to be undeclared", glob.clone()));
        let required = require_judged.map(|percent| ("required to be judged", format!("{percent} %")));
        unjudged.chain(undeclared).chain(required)
    });
    let readings = plan::departures(setting).into_iter();
    let readings =
        readings.map(|one| ("reading not as intended", format!("{}={}", one.erratum, one.setting)));
    let forms = left_out(outcome).map(|forms| ("executed", forms));
    let declared =
        declared_modes(outcome).into_iter().flatten().map(|mode| ("declared by the device", mode.clone()));
    let lacking = setting.not_generated.iter().map(|function| ("not executed", function.clone()));
    let limits = forms.into_iter().chain(declared).chain(lacking);
    facts.into_iter().chain(limits).chain(looser).chain(demands).chain(readings).collect()
}
