//! The end of a nightly run: keeps findings, replays each case of the known-issues list, and
//! updates the list.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use assay_isa::shown::quoted;
use assay_records::devices::{DeviceIdentity, Devices, Role};
use assay_records::write_json;

use crate::NightlyError;
use crate::facts::{CasesByHash, SeenSignature, StageFacts, StageRequest, wrong_results};
use crate::files::{changed, rule_files};
use crate::kept_cases::{adopt, adopt_missed, keep_stray};
use crate::known_issues::{
    Change, Day, Entry, FunctionDivergences, FunctionSignatures, KnownIssues, NightRate, Replayed, Rule,
    Sighting, Status, is_same, some_of,
};
use crate::modes::{ModesByForm, SupportedModes};
use crate::nightly_report::{FixedLine, NightlyReport, SignatureLine, UntestedLine};
use crate::replays::{FoundNow, cut_sweep, replay, without_case};
use crate::run::Night;
use crate::setting::DEFAULT_PROFILE;
use crate::state::{NightState, Stage};

/// Makes the report of a run whose stages have ended. Writes `nightly.json` and the known-issues
/// list. If the run was asked to stop, returns `None` and writes neither file.
pub fn finalize(
    night: &Night<'_>,
    state: &mut NightState,
    baseline: Option<&NightlyReport>,
) -> Result<Option<NightlyReport>, NightlyError> {
    let modes = SupportedModes::of_night(night.night)?;
    let stages = facts(night, state, modes.as_ref());
    state.note_changed_known_issues(night.folder);
    let mut known_issues = KnownIssues::read(&night.folder.known_issues())?;
    if known_issues.noted == state.night && night.night.nightly_report().exists() {
        // The run was killed after it wrote the report and before it wrote the pages. A new
        // comparison would miss the issues that this run fixed, because the list already has them
        // as fixed.
        return NightlyReport::read(&night.night.nightly_report()).map(Some);
    }
    let mut nightly = NightlyReport::new(night.plan, state, stages, Vec::new());
    nightly.folder = Some(night.folder.path().to_owned());
    compare_devices(&mut nightly);
    nightly.excused = known_issues.rules.iter().filter_map(excused).collect();
    recognise(&known_issues, &mut nightly);
    adopt(&mut known_issues, &nightly, night.folder)?;
    adopt_missed(&mut known_issues, &nightly, night.folder)?;
    let Some(lines) = lines(&mut known_issues, &nightly, night)? else { return Ok(None) };
    let (signatures, fixed_before, covered) = lines;
    (nightly.signatures, nightly.fixed_before) = (signatures, fixed_before);
    nightly.untested = untested(&known_issues, &nightly);
    nightly.excused.extend(covered);
    compare_same_cases(&mut known_issues, &mut nightly);
    // The files of the device must not change during the replays either, because replays decide
    // which issues are fixed.
    state.note_changed_files(night.plan);
    nightly.changed_files = state.changed.iter().cloned().collect();
    let past = NightlyReport::before(night.folder, state.night)?;
    if let Some(modes) = &modes {
        compare_modes(&mut nightly, modes, night, past.last())?;
    }
    nightly.changed_rules = changed_rules(night, state, past.last())?;
    nightly.compare(&past, baseline, &night.plan.policy);
    let report = night.night.report();
    fs::create_dir_all(&report).map_err(NightlyError::file(&report))?;
    write_json(&night.night.nightly_report(), &nightly)?;
    known_issues.noted = state.night;
    known_issues.write(&night.folder.known_issues())?;
    Ok(Some(nightly))
}

/// Returns the profiles and encoding tables that changed since the run before. The known issues
/// were accepted under the old files.
fn changed_rules(
    night: &Night<'_>,
    state: &NightState,
    before: Option<&NightlyReport>,
) -> Result<Vec<String>, NightlyError> {
    let nights = night.folder.nights()?;
    let before = nights.iter().find(|past| before.is_some_and(|before| before.night == past.number));
    let Some(before) = before else { return Ok(Vec::new()) };
    let files = NightState::read(before)?.files;
    let is_changed = |file: &String| files.get(file).is_some_and(|old| state.files.get(file) != Some(old));
    Ok(rule_files(night.plan).into_iter().filter(is_changed).collect())
}

/// Compares the modes that the subject supports with the modes that the plan demands, that the
/// stages executed, and that the subject supported in the run before.
fn compare_modes(
    nightly: &mut NightlyReport,
    modes: &SupportedModes,
    night: &Night<'_>,
    before: Option<&NightlyReport>,
) -> Result<(), NightlyError> {
    nightly.undelivered_modes = modes.undelivered();
    // A stage with its own subject shows nothing about the subject of the plan.
    let of_subject = nightly.stages.iter().filter(|stage| stage.setting.subject.is_none());
    let executed: Vec<&ModesByForm> = of_subject.filter_map(|stage| stage.executed.as_ref()).collect();
    let all = union(&executed);
    nightly.undrawn_modes = modes.undrawn(&all);
    if !executed.is_empty() {
        nightly.executed_modes = Some(all.values().map(BTreeSet::len).sum::<usize>() as u64);
        nightly.unexecuted_modes = modes.unexecuted(&all);
    }
    let nights = night.folder.nights()?;
    let before = nights.iter().find(|past| before.is_some_and(|before| before.night == past.number));
    let before = before.map(SupportedModes::of_night).transpose()?.flatten();
    nightly.lost_modes = before.map(|before| modes.lost(&before)).unwrap_or_default();
    Ok(())
}

/// Returns all modes of several lists.
fn union(lists: &[&ModesByForm]) -> ModesByForm {
    let mut all = ModesByForm::new();
    for (form, modes) in lists.iter().copied().flatten() {
        all.entry(form.clone()).or_default().extend(modes.iter().cloned());
    }
    all
}

/// Returns the facts about each stage. A stage whose files cannot be read failed to do its work,
/// whatever its exit status.
fn facts(night: &Night<'_>, state: &mut NightState, modes: Option<&SupportedModes>) -> Vec<StageFacts> {
    let (seed, subject) = (state.seed, night.plan.subject.as_str());
    let profile = night.plan.profile.as_deref().unwrap_or(DEFAULT_PROFILE);
    let pairs = night.plan.stages.iter().zip(&mut state.stages);
    let read = pairs.map(|(plan, stage)| {
        let folder = night.night.stage(&plan.name);
        let words = night.words(plan, seed);
        let listed = modes.and_then(|modes| modes.of_stage(night.plan, &words));
        let request = StageRequest { plan, subject, profile, words: &words, listed };
        let mut facts = StageFacts::read(request, stage, &folder).unwrap_or_else(|error| {
            stage.at = Stage::Broke(error.to_string());
            StageFacts::empty(request, stage)
        });
        // A suffix marks signatures of another subject or other rules. So a known issue of the
        // plan's subject, under the plan's rules, does not excuse them.
        let suffix = facts.setting.suffix();
        facts.seen.iter_mut().for_each(|seen| seen.signature += &suffix);
        facts.passed = facts.passed.iter().map(|passed| format!("{passed}{suffix}")).collect();
        facts
    });
    read.collect()
}

/// Checks that all stages without their own subject tested the same device. Declared modes are not
/// compared here but in `modes`, because they can depend on the options of a stage.
fn compare_devices(nightly: &mut NightlyReport) {
    let of_plan = nightly.stages.iter_mut().filter(|stage| stage.setting.subject.is_none());
    let mut devices = of_plan.filter_map(|stage| {
        let subjects: Vec<_> = stage.devices.as_ref()?.of(Role::Subject).cloned().collect();
        Some((stage, subjects))
    });
    let Some((first, subjects)) = devices.next() else { return };
    let of_night: Devices = subjects.iter().cloned().collect();
    let identity = |devices: &[DeviceIdentity]| -> BTreeSet<(String, String, BTreeMap<String, String>)> {
        let each = devices.iter().map(|one| (one.name.clone(), one.version.clone(), one.files.clone()));
        each.collect()
    };
    for (stage, others) in devices.filter(|(_, others)| identity(others) != identity(&subjects)) {
        let files = |devices: &[DeviceIdentity]| {
            let all = devices.iter().flat_map(|device| device.files.clone());
            all.collect::<BTreeMap<String, String>>()
        };
        let differing = changed(&files(&subjects), &files(&others));
        let what = match differing.first() {
            Some(file) => format!("`{}` has another digest", quoted(file)),
            None => "it reports another name or another version".to_owned(),
        };
        stage.problems.push(format!("its device is not that of stage {}: {what}", first.name));
    }
    nightly.devices = of_night;
}

/// Returns a sentence about a rule that excuses every finding of some optypes. `None` for another
/// rule.
fn excused(rule: &Rule) -> Option<String> {
    let optypes = rule.whole_optypes();
    let is_in_force = rule.is != Status::Fixed && !optypes.is_empty();
    is_in_force.then(|| {
        let (optypes, signatures) = (some_of(&optypes), quoted(&rule.signatures));
        format!(
            "the rule `{signatures}` excuses every finding of {optypes}, because {}",
            quoted(&rule.because)
        )
    })
}

/// Gives a finding the signature of a known issue, if optype, symptom and condition are the same.
/// The other words of a signature depend on the modes that were drawn at random.
fn recognise(known_issues: &KnownIssues, nightly: &mut NightlyReport) {
    let optype_and_symptom = |signature: &str| {
        let optype = signature.split(['.', ' ']).next().unwrap_or_default();
        (optype.to_owned(), signature.rsplit(" | ").next().unwrap_or_default().to_owned())
    };
    let known: Vec<&Entry> = known_issues.entries.iter().filter(|entry| nightly.has(entry)).collect();
    for seen in nightly.stages.iter_mut().flat_map(|stage| &mut stage.seen) {
        let [condition] = &seen.conditions[..] else { continue };
        if known.iter().any(|entry| entry.signature == seen.signature) {
            continue;
        }
        let is_that = |entry: &&&Entry| {
            optype_and_symptom(&entry.signature) == optype_and_symptom(&seen.signature)
                && matches!(&entry.conditions[..], [only] if is_same(only, condition))
        };
        if let Some(entry) = known.iter().rev().find(is_that) {
            seen.signature.clone_from(&entry.signature);
        }
    }
}

/// The signatures with a change, the signatures that were fixed before, and a sentence for each
/// rule that covers signatures.
type SignatureLines = (Vec<SignatureLine>, Vec<FixedLine>, Vec<String>);

/// Returns the change of each signature in the known-issues list whose scope has this subject and
/// profile, and the signatures that were fixed before and did not show. `None` if the run was asked to
/// stop.
fn lines(
    known_issues: &mut KnownIssues,
    nightly: &NightlyReport,
    night: &Night<'_>,
) -> Result<Option<SignatureLines>, NightlyError> {
    let mut found: BTreeMap<&str, TonightFinding<'_>> = BTreeMap::new();
    for stage in &nightly.stages {
        for seen in &stage.seen {
            found.entry(&seen.signature).or_default().add(stage, seen, nightly.night);
        }
    }
    let today = Day::today();
    let KnownIssues { rules, entries, .. } = known_issues;
    let mut of_rules = vec![Vec::new(); rules.len()];
    let mut covered = vec![Vec::new(); rules.len()];
    let (mut lines, mut fixed) = (Vec::new(), Vec::new());
    for entry in entries {
        if !nightly.has(entry) {
            continue;
        }
        let TonightFinding { stages, cases, counts, detail, details, mut sighting } =
            found.remove(entry.signature.as_str()).unwrap_or_default();
        let in_vain = NightRate::of_none(nightly.night, cases_in_vain(nightly, entry, &stages));
        sighting.rate = NightRate::sum(sighting.rate.iter().chain(&in_vain));
        let replayed = match &entry.case {
            Some(case) => {
                let case = night.folder.path().join(case);
                let is_drawn = sighting.rate.is_some_and(|rate| rate.divergences > 0);
                let found = FoundNow { cases: &cases, is_drawn };
                let Some(replayed) = replay(entry, &case, found, night)? else { return Ok(None) };
                match cut_sweep(nightly, entry) {
                    Some(stage) if replayed == Replayed::Held && stages.is_empty() => Replayed::Unknown(
                        format!("its case holds, but stage {stage} did not come to its end"),
                    ),
                    _ => replayed,
                }
            }
            None => without_case(&entry.signature, !stages.is_empty(), night.plan, nightly),
        };
        // Of several matching rules, the last one counts. The same holds for entries.
        let (subject, profile) = nightly.judged_as(&entry.signature);
        let rule = rules.iter().rposition(|rule| rule.speaks_of(entry, subject, profile));
        let said = rule.map_or_else(|| entry.clone(), |rule| rules[rule].applied_to(entry));
        let shown = cases.first().and_then(|case| case.strip_prefix(night.folder.path()).ok());
        let shown = shown.map(Path::to_owned);
        let change = said.change(!stages.is_empty(), &replayed, today);
        let change = change.map(|change| change.in_night(entry.first, nightly.night));
        let unseen = entry.unseen_conditions(&sighting);
        entry.new_failure = match &replayed {
            Replayed::DivergedElse(kind) if !entry.failures.contains(kind) => Some(kind.clone()),
            _ => None,
        };
        let change = match entry.weigh(change, &sighting, rule.is_some()) {
            Some(Change::Known | Change::Expected | Change::Flaky) if entry.new_failure.is_some() => entry
                .new_failure
                .as_ref()
                .map(|kind| Change::Widened(format!("its case fails in another way: {kind}"))),
            Some(Change::Known | Change::Expected) if rule.is_none() && entry.new_case.is_some() => {
                Some(Change::Widened("its case holds, and another case fails".to_owned()))
            }
            change => change,
        };
        // The failures in known ways are left out, so that only new failures are shown.
        let mut new_details = details.iter().filter(|(way, _)| !entry.has_way(way)).peekable();
        let detail = match &change {
            Some(Change::Widened(_)) if new_details.peek().is_some() => {
                Some(wrong_results(new_details.map(|(_, text)| text.as_str())))
            }
            _ => detail,
        };
        let shown = match &change {
            Some(Change::Widened(_)) => {
                keep_stray(&entry.outside(&sighting), &cases, entry, night.folder)?.or(shown)
            }
            _ => shown,
        };
        if let (Some(rule), Some(change)) = (rule, &change) {
            of_rules[rule].push(change.clone());
            let is_new = if entry.first == nightly.night { ", found first in this run" } else { "" };
            covered[rule].push(format!("{}{is_new}", quoted(&entry.signature)));
        }
        entry.note(change.as_ref(), nightly.night);
        if let Some(change) = change {
            lines.push(SignatureLine {
                signature: entry.signature.clone(),
                change,
                stages,
                case: entry.case.clone(),
                shown,
                detail,
                because: said.because,
                first: entry.first,
                cases: (!counts.is_empty()).then(|| counts.iter().sum()),
                conditions: entry.conditions.clone(),
                new_conditions: entry.new_conditions.clone(),
                unseen,
                rates: entry.rates.clone(),
            });
        } else if entry.is == Status::Fixed {
            fixed.push(FixedLine { signature: entry.signature.clone(), last: entry.last });
        }
    }
    rules.iter_mut().zip(&of_rules).for_each(|(rule, changes)| rule.note(changes));
    let covered = rules.iter().zip(covered).filter(|(_, signatures)| !signatures.is_empty());
    let excused = covered.map(|(rule, signatures)| {
        let names: Vec<&str> = signatures.iter().map(String::as_str).collect();
        format!("the rule `{}` covers {}", quoted(&rule.signatures), some_of(&names))
    });
    Ok(Some((lines, fixed, excused.collect())))
}

/// Returns the open issues whose scope has the subject and the rules of no stage. A stage that was
/// removed from the plan leaves such issues.
fn untested(known_issues: &KnownIssues, nightly: &NightlyReport) -> Vec<UntestedLine> {
    let open = known_issues.entries.iter().filter(|entry| entry.is != Status::Fixed && !nightly.has(entry));
    let line = |entry: &Entry| UntestedLine {
        signature: entry.signature.clone(),
        scope: entry.scope.clone(),
        last: entry.last,
    };
    open.map(line).collect()
}

/// Returns the number of cases of an issue's optypes in campaigns that did not find the issue.
/// Leaves out campaigns that found another issue of these optypes, because one bug can have another
/// signature in another run.
fn cases_in_vain(nightly: &NightlyReport, entry: &Entry, found: &[String]) -> u64 {
    // A vector or a check of a device has no case, and no campaign finds it.
    if entry.case.is_none() {
        return 0;
    }
    let (optypes, judged) = (entry.optypes(), nightly.judged_as(&entry.signature));
    let stages = nightly.stages.iter().filter(|stage| {
        let suffix = stage.setting.suffix();
        let has_other = stage.seen.iter().any(|seen| !seen.optypes().is_disjoint(&optypes));
        !found.contains(&stage.name) && !has_other && nightly.judged_as(&suffix) == judged
    });
    let cases = stages.flat_map(|stage| &stage.drawn);
    cases.filter(|(optype, _)| optypes.contains(optype.as_str())).map(|(_, cases)| cases).sum()
}

/// Compares stages that execute the same cases in each run. Marks the known and expected signatures
/// that occurred in new cases.
fn compare_same_cases(known_issues: &mut KnownIssues, nightly: &mut NightlyReport) {
    let NightlyReport { subject, profile, seed, stages, signatures, .. } = nightly;
    let changes: BTreeMap<String, Change> =
        signatures.iter().map(|line| (line.signature.clone(), line.change.clone())).collect();
    let mut grown: BTreeMap<String, String> = BTreeMap::new();
    for stage in stages.iter() {
        let seen = by_function(stage);
        if matches!(stage.at, Stage::OutOfTime) && stage.is_sweep() {
            let text = format!(
                "stage {} ran out of time, so its divergences were not compared with those of earlier runs; give it more time",
                stage.name
            );
            grown.extend(seen.values().flatten().map(|seen| (seen.signature.clone(), text.clone())));
        }
        // A stage that did not come to its end executed only a part of its cases.
        if !matches!(stage.at, Stage::Held | Stage::Failed) {
            continue;
        }
        // A sweep takes no seed.
        let seed = match stage.own_seed() {
            _ if stage.is_sweep() => String::new(),
            Some(own) => format!("seed {own}, "),
            None => format!("seed {seed}, "),
        };
        let of = format!("{seed}{} cases", stage.cases.unwrap_or_default());
        let stage_key = format!("{}, {profile}, {}", stage.subject(subject), stage.command);
        let executed = known_issues.same_cases.entry(stage_key.clone()).or_default();
        let is_again = stage.is_sweep() || executed.of == of;
        executed.of.clone_from(&of);
        let place = format!("{stage_key}, ");
        let known = known_issues.same_cases.keys().filter_map(|key| key.strip_prefix(&place));
        let functions: BTreeSet<String> =
            known.map(str::to_owned).chain(seen.keys().map(|function| (*function).to_owned())).collect();
        for function in functions {
            let seen = seen.get(function.as_str()).map_or(&[][..], |seen| seen);
            let signatures = statuses(seen, &changes);
            let same = known_issues.same_cases.entry(format!("{place}{function}")).or_default();
            let about = (stage.name.as_str(), of.clone(), is_again);
            let told = same.note(about, divergences(&function, seen), &signatures);
            // A run does not keep all divergences, so it is unknown whether the new divergences
            // meet the conditions.
            let optype = function.split('.').next().unwrap_or(&function);
            let rules = stage.setting.rules.as_deref().unwrap_or(profile);
            for entry in &mut known_issues.entries {
                let is_told = told.iter().any(|(signature, _)| *signature == entry.signature);
                if is_told && entry.scope.has(stage.subject(subject), rules) {
                    entry.unconditional.insert(optype.to_owned());
                }
            }
            grown.extend(told);
        }
    }
    for line in signatures.iter_mut().filter(|line| matches!(line.change, Change::Known | Change::Expected)) {
        if let Some(text) = grown.remove(&line.signature) {
            line.change = Change::Grown(text);
        }
    }
}

/// Returns the findings of a stage by function. Findings without hashes of their cases are left
/// out.
fn by_function(stage: &StageFacts) -> BTreeMap<&str, Vec<&SeenSignature>> {
    let mut functions: BTreeMap<&str, Vec<&SeenSignature>> = BTreeMap::new();
    for seen in &stage.seen {
        seen.cases_by_hash.keys().for_each(|function| functions.entry(function).or_default().push(seen));
    }
    functions
}

/// Returns the divergences of a function in the findings of a stage.
fn divergences(function: &str, seen: &[&SeenSignature]) -> FunctionDivergences {
    let counts = seen.iter().filter_map(|seen| Some((seen.signature.clone(), seen.cases?))).collect();
    match seen.first().and_then(|seen| seen.cases_by_hash.get(function)) {
        Some(CasesByHash { parts, least }) => FunctionDivergences::new(parts, least, counts),
        None => FunctionDivergences::default(),
    }
}

/// Sorts the signatures by their change into excused, flaky and open ones.
fn statuses<'a>(seen: &[&'a SeenSignature], changes: &BTreeMap<String, Change>) -> FunctionSignatures<'a> {
    let mut signatures = FunctionSignatures::default();
    for SeenSignature { signature, .. } in seen {
        match changes.get(signature) {
            Some(Change::Known | Change::Expected) => signatures.excused.insert(signature),
            Some(Change::Flaky) => signatures.flaky.insert(signature),
            _ => signatures.open.insert(signature),
        };
    }
    signatures
}

/// The findings of this run for one signature.
#[derive(Default)]
struct TonightFinding<'a> {
    stages: Vec<String>,
    cases: Vec<&'a Path>,
    /// The number of divergences with the signature, for each stage that counts them.
    counts: Vec<u64>,
    detail: Option<String>,
    /// The failures of a check, by way.
    details: BTreeMap<String, String>,
    sighting: Sighting,
}

impl<'a> TonightFinding<'a> {
    fn add(&mut self, stage: &StageFacts, seen: &'a SeenSignature, night: u32) {
        self.stages.push(stage.name.clone());
        self.counts.extend(seen.cases);
        self.cases.extend(seen.case.as_deref());
        self.detail = self.detail.take().or_else(|| seen.detail.clone());
        self.details.extend(seen.details.clone());
        let sighting = &mut self.sighting;
        for (way, events) in &seen.ways {
            // The sum is `None` if some stage did not draw its cases at random.
            let sum = sighting.ways.entry(way.clone()).or_insert(Some(0));
            *sum = sum.zip(*events).map(|(sum, events)| sum + events);
        }
        sighting.conditions.extend(seen.conditions.iter().cloned());
        sighting.found.extend(seen.found.iter().cloned());
        if let (Some(divergences), Some(events), Some(cases)) = (seen.estimated, seen.events, seen.executed) {
            let rate = NightRate { night, divergences, events, cases, grown: false };
            sighting.rate = NightRate::sum(sighting.rate.iter().chain([&rate]));
        }
    }
}
