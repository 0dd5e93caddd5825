//! The tables of a morning.

use std::collections::BTreeMap;

use assay_nightly::facts::StageFacts;
use assay_nightly::ledger::Fate;
use assay_nightly::morning::{Change, Line, Morning};
use assay_nightly::state::Stage;

use crate::number::{NONE, count, share};
use crate::table::{Set, Table, code};

/// Said of the share of wasted cases.
pub const WASTED: &str = "Wasted are cases that cannot be held to anything: the specification leaves them undefined or \
    gives no bound, a voice does not implement them, or no expectation was recorded.";

/// The night in a sentence.
pub fn conclusion(morning: &Morning) -> String {
    let cases: u64 = morning.stages.iter().filter_map(|stage| stage.cases).sum();
    let words = match morning.verdict.status {
        0 => "Everything held that the policy asks for",
        1 => "The night failed",
        _ => "The night could not do all of its work",
    };
    let stages = morning.stages.len();
    let skipped = morning.stages.iter().filter(|stage| matches!(stage.at, Stage::Skipped(_))).count();
    let skipped = if skipped == 0 { String::new() } else { format!(", {skipped} of them skipped") };
    format!("{words}: {} cases in {stages} stages{skipped}, {}.", count(cases), duration(morning.seconds()))
}

/// What the night was, a label and a value each.
pub fn about(morning: &Morning) -> [(&'static str, String); 6] {
    [
        ("Plan", morning.name.clone()),
        ("Night", format!("{}, begun {}", morning.night, morning.began)),
        ("Subject", code(&morning.subject)),
        ("Profile", code(&morning.profile)),
        ("Build of assay", code(&morning.build)),
        ("Seed", morning.seed.to_string()),
    ]
}

/// The order in which fates are told: what somebody must look at first.
fn urgency(fate: &Fate) -> u8 {
    match fate {
        Fate::Regressed => 0,
        Fate::New | Fate::Widened(_) => 1,
        Fate::ExpectedHolds => 2,
        Fate::Expired => 3,
        Fate::NotAsked(_) => 4,
        Fate::Flaky => 5,
        Fate::StillFailing => 6,
        Fate::Fixed => 7,
        Fate::Known => 8,
        Fate::Expected => 9,
    }
}

/// How many signatures have each fate, the most urgent first.
pub fn fates(morning: &Morning) -> String {
    let mut counts: BTreeMap<(u8, &str), usize> = BTreeMap::new();
    for line in &morning.signatures {
        *counts.entry((urgency(&line.fate), line.fate.words())).or_default() += 1;
    }
    let parts: Vec<String> = counts.iter().map(|((_, words), number)| format!("{number} {words}")).collect();
    parts.join(", ")
}

/// The signatures, the most urgent first.
pub fn signatures(morning: &Morning) -> Table<6> {
    let mut table = Table::new([
        ("What became of it", Set::Words),
        ("Signature", Set::Code),
        ("Found by", Set::Words),
        ("First night", Set::Number),
        ("Because", Set::Words),
        ("Case", Set::Code),
    ]);
    let mut lines: Vec<&Line> = morning.signatures.iter().collect();
    lines.sort_by_key(|line| urgency(&line.fate));
    for line in lines {
        let why = match &line.fate {
            Fate::NotAsked(why) => format!("not asked: {why}"),
            Fate::Widened(keys) => format!("{}: {keys}", line.fate.words()),
            fate => fate.words().to_owned(),
        };
        let why = match (line.grown_from, line.cases) {
            (Some(before), Some(now)) => {
                format!("{why}, grown from {} to {} cases", count(before), count(now))
            }
            _ => why,
        };
        table.row([
            why,
            line.signature.clone(),
            line.stages.join(", "),
            line.first.to_string(),
            line.because.clone().unwrap_or_default(),
            line.case.as_ref().map_or(String::new(), |case| case.display().to_string()),
        ]);
    }
    table
}

/// The stages, the slowest first.
pub fn stages(morning: &Morning) -> Table<7> {
    let mut table = Table::new([
        ("Stage", Set::Words),
        ("Command", Set::Code),
        ("Ended", Set::Words),
        ("Time", Set::Number),
        ("Cases", Set::Number),
        ("Cases a second", Set::Number),
        ("Wasted", Set::Number),
    ]);
    let mut stages: Vec<_> = morning.stages.iter().collect();
    stages.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    for stage in stages {
        let wasted = stage.wasted.zip(stage.cases).map(|(wasted, cases)| share(wasted, cases));
        table.row([
            stage.name.clone(),
            stage.command.clone(),
            ended(&stage.at) + &unexamined(stage),
            duration(stage.seconds),
            stage.cases.map_or(NONE.to_owned(), count),
            stage.rate().map_or(NONE.to_owned(), |rate| count(rate as u64)),
            wasted.unwrap_or(NONE.to_owned()),
        ]);
    }
    table
}

/// How a stage ended, and of one that was left out why.
fn ended(stage: &Stage) -> String {
    match stage {
        Stage::Skipped(why) => format!("{}: {why}", stage.word()),
        _ => stage.word().to_owned(),
    }
}

/// The divergences of a stage that no finding accounts for.
fn unexamined(stage: &StageFacts) -> String {
    stage.unexamined.map_or(String::new(), |open| format!("; {} divergences not examined", count(open)))
}

/// What came of the libFuzzer targets.
pub fn targets(morning: &Morning) -> Table<8> {
    let mut table = Table::new([
        ("Target", Set::Words),
        ("Inputs", Set::Number),
        ("A second in a process", Set::Number),
        ("Wasted", Set::Number),
        ("Edges", Set::Number),
        ("Features", Set::Number),
        ("Corpus", Set::Number),
        ("New", Set::Number),
    ]);
    for (stage, target) in morning.stages.iter().flat_map(|stage| &stage.targets) {
        let covered =
            |which: usize| target.coverage.map_or(NONE.to_owned(), |coverage| count(coverage[which]));
        table.row([
            stage.clone(),
            count(target.executions),
            count(target.rate as u64),
            share(target.executions.saturating_sub(target.judged), target.executions),
            covered(0),
            covered(1),
            count(target.corpus),
            if target.new_units == 0 { "nothing".to_owned() } else { count(target.new_units) },
        ]);
    }
    table
}

/// What became of planted faults, by family. There is no sum: the codec has more of them than all others together.
pub fn scores(morning: &Morning) -> Table<7> {
    let mut table = Table::new([
        ("Layer", Set::Words),
        ("Family", Set::Words),
        ("Faults", Set::Number),
        ("Killed by a contract", Set::Number),
        ("Within the contract", Set::Number),
        ("Equivalent", Set::Number),
        ("Survived", Set::Number),
    ]);
    for score in morning.stages.iter().flat_map(|stage| &stage.scores) {
        table.row([
            score.layer.clone(),
            score.family.clone(),
            count(score.faults),
            count(score.killed),
            count(score.within_contract),
            count(score.equivalent),
            count(score.survivors),
        ]);
    }
    table
}

/// Coverage before and now.
pub fn coverage(change: &Change) -> Table<5> {
    let mut table = Table::new([
        ("Stage", Set::Words),
        ("Before", Set::Number),
        ("Now", Set::Number),
        ("Points", Set::Number),
        ("Missed now", Set::Number),
    ]);
    for (stage, [before, now]) in &change.coverage {
        table.row([
            stage.clone(),
            share(before.hit, before.bins),
            share(now.hit, now.bins),
            format!("{:+.4}", (now.share() - before.share()) * 100.0),
            count(now.bins - now.hit),
        ]);
    }
    table
}

/// Errors before and now, of the functions whose errors changed.
pub fn accuracy(change: &Change) -> Table<6> {
    let mut table = Table::new([
        ("Function", Set::Code),
        ("Max ulp before", Set::Number),
        ("Now", Set::Number),
        ("Mean ulp before", Set::Number),
        ("Now", Set::Number),
        ("", Set::Words),
    ]);
    for (function, [before, now]) in &change.max_ulp {
        let [mean_before, mean_now] = change.mean_ulp.get(function).copied().unwrap_or_default();
        if before == now && mean_before == mean_now {
            continue;
        }
        let judged = match now.total_cmp(before).then(mean_now.total_cmp(&mean_before)) {
            std::cmp::Ordering::Less => "better",
            _ => "worse",
        };
        let ulp = |ulp: &f64| format!("{ulp:.6}");
        table.row([
            function.clone(),
            ulp(before),
            ulp(now),
            ulp(&mean_before),
            ulp(&mean_now),
            judged.to_owned(),
        ]);
    }
    table
}

/// How many functions' errors were compared, and how many are as they were.
pub fn compared(change: &Change) -> String {
    let same = |(function, [before, now]): &(&String, &[f64; 2])| {
        before == now && change.mean_ulp.get(*function).is_some_and(|[before, now]| before == now)
    };
    let (all, same) = (change.max_ulp.len(), change.max_ulp.iter().filter(same).count());
    format!("Of {all} functions swept over as many inputs in both nights, the errors of {same} are the same.")
}

/// Speed before and now.
pub fn rates(change: &Change) -> Table<4> {
    let mut table = Table::new([
        ("Stage", Set::Words),
        ("Cases a second before", Set::Number),
        ("Now", Set::Number),
        ("Ratio", Set::Number),
    ]);
    for (stage, [before, now]) in &change.rates {
        let ratio = format!("{:.2}", now / before);
        table.row([stage.clone(), count(*before as u64), count(*now as u64), ratio]);
    }
    table
}

/// A span of time, as people say it.
pub fn duration(seconds: f64) -> String {
    match seconds as u64 {
        0..60 => format!("{seconds:.1} s"),
        whole @ 60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        whole => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}
