//! The tables of a nightly report.

use std::collections::BTreeMap;

use assay_isa::catalog;
use assay_isa::number::telling_decimals;
use assay_isa::shown::{argument, plural};
use assay_nightly::facts::{Covered, Score, StageFacts};
use assay_nightly::figures::NightlyChange;
use assay_nightly::known_issues::{Change, Scope};
use assay_nightly::modes::lacking_text;
use assay_nightly::nightly_report::{NightlyReport, SignatureLine};
use assay_nightly::state::Stage;
use assay_records::devices::{DeviceIdentity, Role};
use assay_vectors::FindingCondition;

use super::settings;
use crate::number::{NONE, count, duration, share};
use crate::reported::ReportedFinding;
use assay_pages::{Cell, Inline, Table, Text, code, judged, number, row};

/// The text about the share of wasted cases.
pub const WASTED: &str = "Wasted are cases that cannot be held to anything: the specification leaves them undefined or \
    gives no bound, an implementation does not implement them, or no expectation was recorded.";

/// Returns the outcome of the nightly run in a sentence.
pub fn conclusion(nightly: &NightlyReport) -> String {
    let cases: u64 = nightly.stages.iter().filter_map(|stage| stage.cases).sum();
    let words = match nightly.verdict.status {
        0 => "The policy is satisfied",
        1 => "The nightly run failed",
        _ => "The nightly run could not finish its work",
    };
    let with_cases = nightly.stages.iter().filter(|stage| stage.cases.is_some()).count();
    let others = match nightly.stages.len() - with_cases {
        0 => String::new(),
        others => format!(", and {}", plural(others, "other stage", "other stages")),
    };
    let stages = plural(with_cases, "stage", "stages") + &others;
    let cases = plural(count(cases), "case", "cases");
    let skipped = nightly.stages.iter().filter(|stage| matches!(stage.at, Stage::Skipped(_))).count();
    let skipped = if skipped == 0 { String::new() } else { format!(", {skipped} of them skipped") };
    let modes = match nightly.executed_modes {
        Some(_) => "",
        None => " No stage records which modes of the subject it executed.",
    };
    let time = duration(nightly.seconds());
    format!("{words}: {cases} in {stages}{skipped}, {time}.{modes}{}", settings::sentence(nightly))
}

/// Returns how many modes of the subject were executed, and which supported modes were not.
fn modes(nightly: &NightlyReport) -> String {
    let Some(executed) = nightly.executed_modes else {
        return "not recorded, because no stage is a campaign or a sweep of the subject".to_owned();
    };
    // A campaign counts its cases by form. So the number is the number of modes in the executed
    // forms.
    let executed = format!("{} of executed forms and functions", count(executed));
    if nightly.unexecuted_modes.is_empty() {
        executed
    } else {
        format!(
            "{executed}; supported, and not executed by a campaign or a sweep: {}",
            lacking_text(&nightly.unexecuted_modes)
        )
    }
}

/// Returns the identity of the nightly run, as pairs of label and value.
pub fn about(nightly: &NightlyReport) -> Vec<(&'static str, Text)> {
    let folder = nightly.started_in.as_ref().map(|folder| folder.display().to_string());
    let mut facts = vec![
        ("Plan", nightly.name.as_str().into()),
        ("Night", format!("{}, begun {}", nightly.night, nightly.began).into()),
        ("Subject", Text::codes([&nightly.subject])),
        ("Device", devices(nightly).into()),
        ("Profile", Text::codes([&nightly.profile])),
        ("Build of assay", Text::codes([&nightly.build])),
        ("Modes", modes(nightly).into()),
        ("Seed", nightly.seed.to_string().into()),
    ];
    facts.extend(folder.map(|folder| ("Folder of the command lines", Text::codes([&folder]))));
    facts
}

/// Returns the rank of a change in the report. The most urgent change has rank 0.
fn urgency(change: &Change) -> u8 {
    match change {
        Change::Regressed => 0,
        Change::New | Change::Widened(_) | Change::Grown(_) => 1,
        Change::ExpectedHolds => 2,
        Change::Expired => 3,
        Change::NotAsked(_) => 4,
        Change::Flaky => 5,
        Change::StillFailing => 6,
        Change::Fixed => 7,
        Change::Known => 8,
        Change::Expected => 9,
    }
}

/// Returns how many signatures have each change, the most urgent change first.
pub fn changes(nightly: &NightlyReport) -> String {
    let mut counts: BTreeMap<(u8, &str), usize> = BTreeMap::new();
    for line in &nightly.signatures {
        *counts.entry((urgency(&line.change), line.change.words())).or_default() += 1;
    }
    let parts: Vec<String> = counts.iter().map(|((_, words), number)| format!("{number} {words}")).collect();
    parts.join("; ")
}

/// Returns the signatures, the most urgent first.
pub fn signatures(nightly: &NightlyReport) -> Table {
    let mut lines: Vec<&SignatureLine> = nightly.signatures.iter().collect();
    lines.sort_by_key(|line| urgency(&line.change));
    let rows = lines.into_iter().map(|line| {
        let case = line.case.as_ref().map(|case| nightly.in_folder(case).display().to_string());
        let because = line.because.as_deref().unwrap_or_default();
        let first = number(line.first.to_string());
        let found = divergences(line, nightly.night);
        row![
            change(line),
            code(&line.signature),
            found,
            line.stages.join(", "),
            first,
            because,
            code(case.unwrap_or_default())
        ]
    });
    let head = "Change | Signature | Divergences | Found by | First run | Reason | Case";
    Table::new("", head, rows)
}

/// Greatest number of commands that set a status.
const MOST_ACCEPTING: usize = 20;

/// Returns commands that set the status of failing signatures to known, the most urgent first.
pub fn accepting(nightly: &NightlyReport) -> Vec<String> {
    let Some(folder) = &nightly.folder else { return Vec::new() };
    let is_open = |change: &Change| {
        matches!(
            change,
            Change::New | Change::StillFailing | Change::Widened(_) | Change::Grown(_) | Change::Expired
        )
    };
    let mut open: Vec<&SignatureLine> =
        nightly.signatures.iter().filter(|line| is_open(&line.change)).collect();
    open.sort_by_key(|line| urgency(&line.change));
    let folder = argument(&folder.display().to_string());
    let command = |line: &SignatureLine| {
        // A new way or a greater rate can have another cause, so it gets a ticket of its own.
        let is_same = matches!(line.change, Change::Expired);
        let because = line.because.as_deref().filter(|_| is_same).map_or("'TICKET'".into(), argument);
        format!(
            "assay known-issues set {} --is known --because {because} --in {folder}",
            argument(&line.signature)
        )
    };
    open.into_iter().take(MOST_ACCEPTING).map(command).collect()
}

/// Returns the table of signatures that were fixed in earlier runs.
pub fn fixed_before(nightly: &NightlyReport) -> Table {
    let rows = nightly.fixed_before.iter().map(|line| row![code(&line.signature), line.last as u64]);
    Table::new("", "Signature | Last seen in night", rows)
}

/// Returns the table of open issues that the run did not test.
pub fn untested(nightly: &NightlyReport) -> Table {
    let rows = nightly.untested.iter().map(|line| {
        let Scope { subject, profile } = &line.scope;
        row![code(&line.signature), code(subject), code(profile), line.last as u64]
    });
    Table::new("", "Signature | Subject | Profile | Last seen in night", rows)
}

/// Returns the numbers of signatures and divergences by optype. Empty for a single optype.
pub fn by_optype(nightly: &NightlyReport) -> Table {
    let mut sums: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    for line in &nightly.signatures {
        let optype =
            line.signature.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        // The signature of a check, of a vector or of several optypes begins with another word.
        if catalog().optypes().iter().all(|known| known.name != optype) {
            continue;
        }
        let [signatures, seen, cases] = sums.entry(optype).or_default();
        *signatures += 1;
        *seen += u64::from(line.change.fails());
        *cases += line.cases.unwrap_or(0);
    }
    let rows = sums.iter().filter(|_| sums.len() > 1);
    let rows = rows.map(|(optype, [all, seen, cases])| row![code(*optype), *all, *seen, *cases]);
    Table::new("By optype", "Optype | Signatures | Seen in this night | Examined divergences", rows)
}

/// Returns the number of a signature's divergences in this run. If some were not kept, an estimate
/// of all follows.
fn divergences(line: &SignatureLine, night: u32) -> Cell {
    let of_run = line.rates.iter().find(|rate| rate.night == night);
    let estimated = of_run.map_or(0, |rate| rate.divergences);
    match line.cases {
        Some(cases) if estimated > cases => number(format!("{} of about {}", count(cases), count(estimated))),
        cases => counted(cases),
    }
}

/// Returns the findings of failing signatures in two lists, each with the most urgent first. The
/// first list has those that the policy refuses, the second has the others, such as known issues.
pub fn failing(nightly: &NightlyReport, found: &[ReportedFinding]) -> [Vec<ReportedFinding>; 2] {
    let mut lines: Vec<&SignatureLine> =
        nightly.signatures.iter().filter(|line| line.change.fails()).collect();
    lines.sort_by_key(|line| urgency(&line.change));
    let of = |line: &SignatureLine| found.iter().find(|one| one.case.signature() == line.signature);
    let is_refused = |line: &&SignatureLine| nightly.verdict.reasons.contains(&line.reason());
    let (refused, others): (Vec<_>, Vec<_>) = lines.into_iter().partition(is_refused);
    [refused, others].map(|lines| lines.into_iter().filter_map(of).cloned().collect())
}

/// Describes how a known issue shows in a new way or more often. For a new way, adds the conditions of
/// the new and of the known cases, if there are any. Empty for any other change.
pub(super) fn widened(line: &SignatureLine) -> String {
    let (Change::Widened(how) | Change::Grown(how)) = &line.change else { return String::new() };
    let words = |conditions: &[FindingCondition]| -> String {
        let each = conditions.iter().map(|it| format!("{}: {}", it.optype, it.all.join(", ")));
        each.collect::<Vec<_>>().join("; or ")
    };
    let mut text = how.clone();
    for (name, conditions) in [("the new cases", &line.new_conditions), ("the known cases", &line.conditions)]
    {
        if matches!(line.change, Change::Widened(_)) && !conditions.is_empty() {
            text += &format!("; condition of {name}: {}", words(conditions));
        }
    }
    text
}

/// Describes the change of a signature.
fn change(line: &SignatureLine) -> String {
    let change = match &line.change {
        Change::NotAsked(why) => format!("not replayed: {why}"),
        Change::Widened(_) | Change::Grown(_) => format!("{}: {}", line.change.words(), widened(line)),
        change => change.words().to_owned(),
    };
    match &line.unseen[..] {
        [] => change,
        unseen => format!("{change}; none of the kept divergences is of {}", unseen.join(" or of ")),
    }
}

/// Returns the stages, the slowest first.
pub fn stages(nightly: &NightlyReport) -> Table {
    let mut stages: Vec<_> = nightly.stages.iter().collect();
    stages.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let rows = stages.into_iter().map(|stage| {
        let wasted = stage.wasted.zip(stage.cases).map(|(wasted, cases)| share(wasted, cases));
        row![
            stage.name.as_str(),
            code(if stage.started.is_empty() { &stage.command } else { &stage.started }),
            ended(stage, nightly) + &unexamined(stage),
            number(duration(stage.seconds)),
            counted(stage.cases),
            counted(stage.rate().map(|rate| rate as u64)),
            number(wasted.unwrap_or(NONE.to_owned())),
            files(stage),
        ]
    });
    let head = "Stage | Command | Ended | Time | Cases | Cases a second | Wasted | Files";
    Table::new("", head, rows)
}

/// Returns a cell with the count, if there is one.
fn counted(count: Option<u64>) -> Cell {
    count.map_or(number(NONE), Cell::from)
}

/// Returns links from the page to the files of a stage.
fn files(stage: &StageFacts) -> Text {
    let folder = format!("../stages/{}", stage.name);
    let mut parts = vec![Inline::File("log".to_owned(), format!("{folder}/log"))];
    parts.push(Inline::Words(" ".to_owned()));
    parts.push(Inline::File("output".to_owned(), format!("{folder}/said.json")));
    if stage.seen.iter().any(|seen| seen.case.is_some()) {
        parts.push(Inline::Words(" ".to_owned()));
        parts.push(Inline::File("findings".to_owned(), format!("{folder}/run/findings")));
    }
    Text(parts)
}

/// Returns the devices of the subject: name, version, and the SHA-256 prefix of each file.
fn devices(nightly: &NightlyReport) -> String {
    let device = |device: &DeviceIdentity| {
        let digests = device
            .files
            .iter()
            .map(|(file, digest)| format!(", {file} with SHA-256 {}…", &digest[..16.min(digest.len())]));
        format!("{} {}{}", device.name, device.version, digests.collect::<String>())
    };
    let devices: Vec<String> = nightly.devices.of(Role::Subject).map(device).collect();
    if devices.is_empty() {
        "none is recorded: a campaign or a sweep of a device records it".to_owned()
    } else {
        devices.join("; ")
    }
}

/// Returns how a stage ended. A skipped stage also has its reason.
fn ended(stage: &StageFacts, nightly: &NightlyReport) -> String {
    match &stage.at {
        Stage::Skipped(why) => format!("{}: {why}", stage.at.word()),
        Stage::Failed if has_only_known(stage, nightly) => "only known issues".to_owned(),
        at => at.word().to_owned(),
    }
}

/// Whether a stage failed by known issues alone.
pub(super) fn has_only_known(stage: &StageFacts, nightly: &NightlyReport) -> bool {
    let of_stage = || nightly.signatures.iter().filter(|line| line.stages.contains(&stage.name));
    let is_known =
        |line: &SignatureLine| matches!(line.change, Change::Known | Change::Expected | Change::Flaky);
    stage.problems.is_empty() && of_stage().count() > 0 && of_stage().all(is_known)
}

/// Returns the number of a stage's divergences that were not examined, as text.
fn unexamined(stage: &StageFacts) -> String {
    let text = |open| format!("; {} not examined", plural(count(open), "divergence", "divergences"));
    stage.unexamined.map_or(String::new(), text)
}

/// Returns the outcome of planted faults, by family. There is no sum, because the codec has more
/// faults than all other families together.
pub fn scores(nightly: &NightlyReport) -> Table {
    let rows = nightly.stages.iter().flat_map(|stage| &stage.scores).map(|score| {
        let Score { layer, family, faults, killed, within_contract, equivalent, survivors } = score;
        row![layer.as_str(), family.as_str(), *faults, *killed, *within_contract, *equivalent, *survivors]
    });
    let head = "Layer | Family | Faults | Killed by a contract | Within the contract | Equivalent | Survived";
    Table::new("", head, rows)
}

/// Returns coverage before and now.
pub fn coverage(change: &NightlyChange) -> Table {
    let row = |(stage, [before, now]): (&String, &[Covered; 2])| {
        let [old, new] = [before, now].map(|covered| number(share(covered.hit, covered.bins)));
        let points = number(format!("{:+.4}", (now.share() - before.share()) * 100.0));
        row![stage.as_str(), old, new, points, now.bins - now.hit]
    };
    let head = "Stage | Before | Now | Points | Missed now";
    Table::new("Coverage", head, change.coverage.iter().map(row))
}

/// Returns errors before and now, for functions whose errors changed.
pub fn accuracy(change: &NightlyChange) -> Table {
    let rows = change.max_ulp.iter().filter_map(|(function, [before, now])| {
        let [mean_before, mean_after] = change.mean_ulp.get(function).copied().unwrap_or_default();
        let verdict = match now.total_cmp(before).then(mean_after.total_cmp(&mean_before)) {
            std::cmp::Ordering::Less => "better",
            _ => "worse",
        };
        let [max, max_now, mean, mean_now] =
            [*before, *now, mean_before, mean_after].map(|ulp| number(telling_decimals(ulp, 6)));
        let is_same = before == now && mean_before == mean_after;
        (!is_same).then(|| row![code(function), max, max_now, mean, mean_now, judged(verdict)])
    });
    let head = "Function | Max ulp before | Now | Mean ulp before | Now | ";
    Table::new("Errors that changed", head, rows)
}

/// Returns how many functions' errors were compared, and how many did not change. Empty without a
/// sweep.
pub fn compared(change: &NightlyChange) -> String {
    let same = |(function, [before, now]): &(&String, &[f64; 2])| {
        before == now && change.mean_ulp.get(*function).is_some_and(|[before, now]| before == now)
    };
    let (all, same) = (change.max_ulp.len(), change.max_ulp.iter().filter(same).count());
    if all == 0 {
        return String::new();
    }
    format!(" Of {all} functions swept over as many inputs in both runs, the errors of {same} are the same.")
}

/// Returns speed before and now.
pub fn rates(change: &NightlyChange) -> Table {
    let row = |(stage, [before, now]): (&String, &[f64; 2])| {
        row![stage.as_str(), *before as u64, *now as u64, number(format!("{:.2}", now / before))]
    };
    let head = "Stage | Cases a second before | Now | Ratio";
    Table::new("Speed", head, change.rates.iter().map(row))
}
