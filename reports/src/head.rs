//! The head of a page: what was tested and how, and the figures that sum up the result.

use assay_engine::stats::accuracy::{Accuracy, NO_BOUND};
use assay_records::devices::{DeviceIdentity, Role};
use assay_records::run_info::RunInfo;
use assay_records::{Plan, RunResult, Setting};

use crate::coverage::Coverage;
use crate::number::{count, duration, hex, magnitude, share};
use crate::plan;
use crate::reported::ReportedRun;
use crate::{exhaustive, facts, verdict};
use assay_pages::{Block, Card, Inline, Text, Tone, paragraph};

/// Greatest number of names in a title.
const NAMED: usize = 3;

/// Returns what was tested and what it was compared with, such as
/// `Sweep of MUFU.TANH.F32: model compared with mpfr`.
pub fn title(outcome: &RunResult) -> String {
    let setting = outcome.plan.setting();
    let subject = implementation(setting, Role::Subject, &setting.subject);
    let against = implementation(setting, Role::Against, &setting.against);
    format!("{}: {subject} compared with {against}", tested(outcome))
}

/// Returns the name and the version that a device reports. For several devices and for an
/// implementation that is no device, returns its name on the command line.
fn implementation(setting: &Setting, role: Role, option: &str) -> String {
    let devices: Vec<&DeviceIdentity> = setting.devices.of(role).collect();
    match devices[..] {
        [DeviceIdentity { name, version, .. }] => format!("{name} {version}"),
        _ => option.to_owned(),
    }
}

fn tested(outcome: &RunResult) -> String {
    let kind = match outcome.plan {
        Plan::Fuzz { .. } => "Campaign over",
        Plan::Sweep { .. } => "Sweep of",
        Plan::Trace { .. } => return "Trace".to_owned(),
    };
    let names = plan::subjects(outcome);
    let what = match &names[..] {
        [] => verdict::left_out(outcome).unwrap_or_else(|| "all instructions".to_owned()),
        [one] => (*one).to_owned(),
        [rest @ .., last] if names.len() <= NAMED => format!("{} and {last}", rest.join(", ")),
        more => format!("{} and {} more", more[..NAMED - 1].join(", "), more.len() + 1 - NAMED),
    };
    format!("{kind} {what}")
}

/// Returns a line with the inputs, the profile, the date and the duration.
pub fn lead(run: &ReportedRun) -> Text {
    let (plan, info) = (&run.outcome.plan, &run.info);
    let looser = plan.setting().looser.as_ref();
    let looser = looser.map_or(String::new(), |looser| format!(", looser than {}", looser.than));
    let profile = format!("profile {}{looser}", plan.setting().profile);
    let seconds = (info.seconds > 0.0).then(|| duration(info.seconds));
    let date = info.date.as_deref().map(shown_date);
    let facts = [Some(plan::inputs(plan)), Some(profile), digest(plan.setting()), date, seconds];
    facts.into_iter().flatten().collect::<Vec<_>>().join(" · ").into()
}

/// Returns the beginning of the digest of the subject, if it is one device of one file.
fn digest(setting: &Setting) -> Option<String> {
    let devices: Vec<&DeviceIdentity> = setting.devices.of(Role::Subject).collect();
    let [device] = devices[..] else { return None };
    let [(_, digest)] = device.files.iter().collect::<Vec<_>>()[..] else { return None };
    Some(format!("sha256 {}", digest.get(..12)?))
}

/// Returns a recorded date to the minute, such as `2026-11-26 01:43 UTC`.
pub fn shown_date(date: &str) -> String {
    match date.split_at_checked(16) {
        Some((minute, _)) if date.ends_with('Z') => format!("{} UTC", minute.replace('T', " ")),
        _ => date.to_owned(),
    }
}

/// Returns the figures that sum up a result.
pub fn cards(run: &ReportedRun) -> Block {
    let (outcome, tally) = (&run.outcome, &run.outcome.tally);
    let counts = &tally.verdicts;
    let card = |label, value: String, note: String, tone| Card { label, value, note, tone };
    let part = if plan::complete(outcome) == Some(false) { plan::part(outcome) } else { String::new() };
    let mut cards = vec![card("Cases", count(tally.cases), part, None)];
    let (diverged, of) = (counts.diverged, share(counts.diverged, tally.cases));
    let tone = if diverged > 0 { Tone::Bad } else { Tone::Good };
    cards.push(card("Diverged", count(diverged), if diverged > 0 { of } else { String::new() }, Some(tone)));
    let found = run.found();
    if let Some(first) = found.first() {
        let signature = first.case.signature().to_owned();
        cards.push(card("Findings", found.len().to_string(), signature, Some(Tone::Bad)));
    }
    let open = facts::not_judged(counts);
    if open > 0 {
        cards.push(card("Not judged", share(open, tally.cases), count(open), Some(Tone::Open)));
    }
    cards.extend(errors(outcome));
    if let Some(coverage) = Coverage::of(outcome) {
        let total = coverage.total();
        let (hit, bins) = (total.hit as u64, total.bins as u64);
        cards.push(card(
            "Coverage",
            share(hit, bins),
            format!("{} of {} bins", count(hit), count(bins)),
            None,
        ));
    }
    if run.info.seconds > 0.0 {
        let rate = tally.cases as f64 / run.info.seconds / 1e6;
        let note = format!("{rate:.2} million cases a second, {} threads", run.info.jobs);
        cards.push(card("Duration", duration(run.info.seconds), note, None));
    }
    Block::Cards(cards)
}

/// Returns figures about errors: the largest error, the lowest share of correctly rounded results,
/// and the bounds.
fn errors(outcome: &RunResult) -> Vec<Card> {
    let measured = || outcome.tally.accuracy.iter().filter(|(_, accuracy)| accuracy.measured > 0);
    let Some((function, accuracy)) = measured().max_by(|a, b| a.1.max_ulp().total_cmp(&b.1.max_ulp())) else {
        return Vec::new();
    };
    let at = accuracy.worst().map_or(String::new(), |worst| format!(" at {}", hex(worst.input)));
    let value = format!("{} ulp", magnitude(accuracy.max_ulp()));
    let mut cards = vec![Card { label: "Largest error", value, note: format!("{function}{at}"), tone: None }];
    let rounded = |accuracy: &Accuracy| {
        let computed = accuracy.exhaustive.as_ref().and_then(exhaustive::computed);
        computed.unwrap_or((accuracy.correctly_rounded, accuracy.measured))
    };
    let ratio = |accuracy: &Accuracy| rounded(accuracy).0 as f64 / rounded(accuracy).1 as f64;
    let least = measured().min_by(|a, b| ratio(a.1).total_cmp(&ratio(b.1)));
    cards.extend(least.map(|(function, accuracy)| Card {
        label: "Correctly rounded",
        value: share(rounded(accuracy).0, rounded(accuracy).1),
        note: match (measured().count() > 1, rounded(accuracy).1 < accuracy.measured) {
            (true, true) => format!("where computed; the least, {function}"),
            (true, false) => format!("the least, {function}"),
            (false, true) => format!("where {function} is computed"),
            (false, false) => function.clone(),
        },
        tone: None,
    }));
    let bounds =
        || measured().flat_map(|(_, accuracy)| &accuracy.bounds).filter(|(name, _)| *name != NO_BOUND);
    let refused: u64 = bounds().map(|(_, usage)| usage.refused).sum();
    let (value, tone) = match refused {
        0 => ("held".to_owned(), Tone::Good),
        refused => (format!("exceeded by {}", count(refused)), Tone::Bad),
    };
    let number = bounds().count();
    let note = if number == 1 { "1 bound".to_owned() } else { format!("{number} bounds") };
    cards.extend((number > 0).then_some(Card { label: "Bounds", value, note, tone: Some(tone) }));
    cards
}

/// Returns date, build, machine, duration and command line, as far as `run.json` has them.
pub fn record(run: &ReportedRun) -> Vec<Block> {
    let facts = record_facts(&run.info);
    if facts.is_empty() {
        let none = "There is no `run.json` beside the result: its date, build, machine and command line are not known.";
        return vec![paragraph(none)];
    }
    let command = run.info.command.iter().map(|part| assay_isa::shown::argument(part));
    let command = command.collect::<Vec<_>>().join(" ");
    let mut blocks = vec![Block::Facts(facts)];
    blocks.extend((!command.is_empty()).then_some(Block::Command(command)));
    blocks
}

/// Returns the facts that `run.json` has about a run, other than its command line.
pub fn record_facts(info: &RunInfo) -> Vec<(&'static str, Text)> {
    let machine = info.machine.as_ref().map(|machine| {
        Text::from(format!("{}, {}, {} processors", machine.processor, machine.system, machine.processors))
    });
    let seconds = (info.seconds > 0.0).then(|| duration(info.seconds).into());
    let threads = (info.jobs > 0).then(|| info.jobs.to_string().into());
    let facts = [
        ("Date", info.date.as_deref().map(|date| shown_date(date).into())),
        ("Build of assay", (!info.builds.is_empty()).then(|| Text::codes(&info.builds))),
        ("Commit", info.commit.clone().map(|commit| Inline::Code(commit).into())),
        ("Machine", machine),
        ("Threads", threads),
        ("Duration", seconds),
    ];
    facts.into_iter().filter_map(|(label, text)| Some((label, text?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::samples;

    #[test]
    fn a_title_names_what_was_tested() {
        assert_eq!(title(&samples::fuzz()), "Campaign over FADD* and FFMA_RRR: model compared with mpfr");
        assert_eq!(title(&samples::empty()), "Campaign over all instructions: model compared with mpfr");
        let all = title(&samples::all_functions());
        assert_eq!(all, "Sweep of MUFU.COS.F32, MUFU.EX2.BF16 and 16 more: model compared with mpfr");
        assert_eq!(title(&samples::trace()), "Trace: trace:NVIDIA H200 compared with mpfr");
    }

    #[test]
    fn a_date_reads_to_the_minute() {
        assert_eq!(shown_date("2026-11-26T01:43:25Z"), "2026-11-26 01:43 UTC");
        assert_eq!(shown_date("yesterday"), "yesterday");
    }

    #[test]
    fn cards_have_what_a_reader_asks_first() {
        let run = ReportedRun::bare("a", samples::swept(70));
        let Block::Cards(cards) = cards(&run) else { unreachable!() };
        let labels: Vec<&str> = cards.iter().map(|card| card.label).collect();
        assert_eq!(labels, ["Cases", "Diverged", "Largest error", "Correctly rounded", "Bounds"]);
        assert_eq!((cards[1].tone, cards[4].value.as_str()), (Some(Tone::Good), "held"));
    }

    #[test]
    fn a_run_without_a_record_states_it() {
        let page = crate::markdown(&[ReportedRun::bare("a", samples::fuzz())]);
        assert!(page.contains("There is no `run.json` beside the result"), "{page}");
    }
}
