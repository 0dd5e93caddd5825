//! Altered results. Each number is changed and each entry is removed, one at a time.
//!
//! With the old digest, every alteration is refused. With a new digest, every alteration is refused
//! except those of [`FREE`], which lists the values that no other part of a result determines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use assay_engine::compare::comparator::Setup;
use assay_engine::coverage::Bins;
use assay_engine::generate::Scope;
use assay_engine::generate::domain::Domain;
use assay_engine::run::campaign::{Campaign, Limit};
use assay_engine::run::sweep::{Function, Sweep};
use assay_engine::run::trace_judge::Agreement;
use assay_engine::run::{RunHooks, RunProgress};
use assay_engine::stats::tally::{Counts, ObservedDivergence, Tally};
use assay_faults::Fault;
use assay_files::digest;
use assay_isa::{EncodingTable, Instruction, Location, Readings, asm};
use assay_records::{Plan, ResultError, RunResult, Setting, Shard};
use assay_vectors::{ContractRow, Profile};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::support::{self, intended, model, mutant, oracle};

/// Paths that can be altered without a contradiction, each with the reason. `*` is any single key
/// or index.
const FREE: &[(&str, &str)] = &[
    ("tally/divergences/*/squares", "nothing else says how the divergences lie in batches"),
    ("tally/divergences/*/parts", "older results have none"),
    ("tally/divergences/*/least", "older results have none"),
    ("plan/seed", "which cases there were: only a run of them tells"),
    ("plan/stride", "which inputs there were"),
    ("plan/generator", "which cases a seed gives"),
    ("plan/readings/*", "what the user asked for; a merge compares it"),
    ("plan/contracts/*", "the contract of a function of which no result was measured"),
    ("plan/cases", "the limit of a run that ended before it"),
    ("plan/functions/*", "inputs of which other shards have a part"),
    ("shards/*", "a run that was interrupted has no shard"),
    ("shards/*/index", "another share of a sweep has as many inputs"),
    ("shards/*/of", "another division of a sweep has shares of that size"),
    ("bins", "results of before there was a list of bins"),
    ("bins/forms/*/*/places", "where bins are follows from the tables; a merge compares it"),
    ("bins/forms/*/*/reachable", "how many cases can hit follows from the tables and the oracle"),
    ("bins/forms/*/*/impossible", "as above"),
    ("tally/findings/*/*/seen", "what was seen of it, which results of before do not have"),
    ("tally/findings/*/*/seen/**", "as above"),
    ("tally/divergences", "results of before divergences were counted by raw key have none"),
    ("tally/divergences/*", "as above, where it is the only function"),
    ("tally/divergences/*/keys/**", "what is kept of a key; the sum of the counts is bounded by the total"),
    ("tally/findings/*/*", "one of several divergences"),
    ("tally/findings/*/*/index", "which case it was: a replay tells"),
    ("tally/findings/*/*/inputs/*", "as above"),
    ("tally/accuracy/*", "a function of which nothing was measured"),
    ("tally/accuracy/*/inputs", "results that diverged are neither measured nor special"),
    ("tally/accuracy/*/special", "as above"),
    ("tally/accuracy/*/survey/map", "older results have none"),
    (
        "tally/accuracy/*/survey/map/columns/**",
        "no other part has the errors of a column, which the extremes of the function limit",
    ),
    ("tally/accuracy/*/sum", "within the range that the histogram leaves"),
    ("tally/accuracy/*/sum_magnitude", "as above"),
    ("tally/accuracy/*/sum_squares", "as above"),
    ("tally/accuracy/*/correctly_rounded", "no other count outside a survey tells"),
    ("tally/accuracy/*/least/*", "an error within its bin, and the input that shows it"),
    ("tally/accuracy/*/greatest/*", "as above"),
    ("tally/accuracy/*/bounds/*/refused", "results that diverged may have been refused by it"),
    ("tally/accuracy/*/bounds/*/farthest/*", "a distance, and the input that shows it"),
    ("tally/accuracy/*/survey/undecided", "how many MPFR decided"),
    ("tally/accuracy/*/survey/worst/*", "one is listed of errors of one magnitude, so their number is open"),
    ("tally/accuracy/*/survey/worst/*/*", "the input and the result of one of the worst errors"),
    ("tally/accuracy/*/survey/binades/*/*/*", "the input and the result of an error of a part"),
    ("tally/accuracy/*/survey/segments/*/*/*", "as above"),
    ("tally/accuracy/*/survey/rows/*", "how many inputs have a row follows from the specification"),
    ("tally/accuracy/*/survey/rows/*/*", "as above"),
    ("tally/accuracy/*/survey/relations/*", "pairs that no other count tells of"),
    ("tally/accuracy/*/survey/relations/*/*", "as above"),
    ("tally/accuracy/*/survey", "a sample of the inputs has none"),
    ("tally/canaries", "how the harness checked itself"),
    ("tally/canaries/*", "as above"),
    ("tally/dissections", "of one batch in 16: no other count tells of it"),
    ("tally/dissections/*", "of one batch in 16: no other count tells of it"),
    ("tally/dissections/*/inputs_flushed", "as above"),
    ("tally/dissections/*/tiny", "as above"),
    ("tally/dissections/*/representable", "as above"),
    ("tally/dissections/*/ties", "as above"),
];

fn applying(profile: &Profile) -> impl Iterator<Item = &ContractRow> {
    profile.contracts.iter().filter(|row| row.applies(&profile.readings))
}

fn setting() -> Setting {
    let profile = intended();
    Setting {
        readings: profile.readings.iter().map(|(erratum, n)| (erratum.to_string(), n)).collect(),
        contracts: applying(&profile)
            .map(|row| (row.instruction.clone(), row.contract.to_string()))
            .collect(),
        ..support::setting()
    }
}

fn with_parties<T>(fault: Option<Fault>, run: impl FnOnce(Setup<'_>) -> T) -> T {
    let profile = intended();
    let subject = || fault.map_or_else(model, mutant);
    run(Setup {
        numbers: EncodingTable::provisional(),
        profile: &profile,
        subject: &subject,
        oracle: &oracle,
    })
}

/// Returns the result of a shard of a campaign.
fn campaign(fault: Option<Fault>, shard: Shard) -> RunResult {
    let names = ["FADD", "FMUL", "MUFU", "POPC"];
    // With .SAT, a result of exactly 1 is in no class of the rounding statistics. So the classes
    // may add up to less than all results.
    let is_saturated = |mode: &Instruction| mode.get("sat") == Some(1);
    let scope = Scope::filtered(|mode| names.contains(&mode.optype()) && !is_saturated(mode));
    let bins = Bins::of(&scope, &Readings::INTENDED);
    let cases = 40_000;
    let plan = Plan::Fuzz {
        seed: 1,
        cases: Some(cases),
        until_covered: false,
        only: Vec::new(),
        setting: setting(),
    };
    let tally = with_parties(fault, |setup| {
        let campaign = Campaign { setup, scope: &scope, seed: 1, limit: Limit::Cases(cases), shard };
        let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
        let hooks = RunHooks::new(&stop, &mut progress);
        campaign.run_covering(&bins, RunProgress::default(), hooks).unwrap().tally
    });
    RunResult::new(plan, shard, tally).counting(bins.layout())
}

/// Returns the result of the first of `of` shards of a sweep over every input of a function.
fn sweep(text: &str, of: u64) -> RunResult {
    let instruction = asm::parse(text).unwrap();
    let domain = Domain::of(&instruction, 1, 1 << 20);
    let functions = BTreeMap::from([(asm::mnemonic(&instruction), domain.len())]);
    let plan = Plan::Sweep { functions, stride: 1, setting: setting() };
    let shard = Shard { index: 0, of };
    let tally = with_parties(None, |setup| {
        let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
        let hooks = RunHooks::new(&stop, &mut progress);
        let functions = [Function { instruction, domain }];
        Sweep { setup, functions: &functions, shard }.run(RunProgress::default(), hooks).unwrap().tally
    });
    RunResult::new(plan, shard, tally)
}

/// Returns the result of two traces with two forms.
fn trace() -> RunResult {
    let counts = |exact, diverged, undefined| Counts { exact, diverged, undefined, ..Counts::default() };
    let forms = [("FADD_RR".to_owned(), counts(90, 1, 0)), ("POPC_R".to_owned(), counts(5, 0, 4))];
    let inputs = [(Location::R(1), 3)].into_iter().collect();
    let found = ObservedDivergence { index: 7, word: 1, inputs, seen: None };
    let tally = Tally {
        cases: 100,
        verdicts: counts(95, 1, 4),
        forms: forms.into(),
        undefined: [("E049".to_owned(), 4)].into(),
        agreement: Agreement { agree: 95, trace_alone: 1, undefined: 4, ..Agreement::default() },
        findings: [("FADD value".to_owned(), vec![found])].into(),
        ..Tally::default()
    };
    let traces = BTreeMap::from([("4a16".to_owned(), 60), ("77b0".to_owned(), 40)]);
    RunResult::new(Plan::Trace { traces, setting: setting() }, Shard::WHOLE, tally)
}

fn results() -> Vec<(&'static str, RunResult)> {
    let fault: Fault = "fmul-flush-sign".parse().unwrap();
    vec![
        ("a campaign that diverges", campaign(Some(fault), Shard::WHOLE)),
        ("a share of one that holds", campaign(None, Shard { index: 1, of: 3 })),
        ("a share of a sweep of F32", sweep("MUFU.RCP.F32 R0, R1", 2048)),
        ("a sweep of F16", sweep("MUFU.TANH.F16 R0, R1.H0", 1)),
        ("a trace", trace()),
    ]
}

/// Returns the text of a result with a new digest.
fn sealed(content: &Value) -> Vec<u8> {
    let text = serde_json::to_string_pretty(content).unwrap() + "\n";
    let digest = digest::sha256(&text);
    let at = text.match_indices('\n').nth(1).map_or(0, |(at, _)| at + 1);
    format!("{}  \"digest\": \"{digest}\",\n{}", &text[..at], &text[at..]).into_bytes()
}

/// Returns the text of a result without white space after the line of the digest, with the given
/// digest or else a new one.
fn compact(content: &Value, digest: Option<&str>) -> Vec<u8> {
    let text = content.to_string();
    let Some(rest) = text.strip_prefix("{\"version\":2,") else { return text.into_bytes() };
    let text = format!("{{\n  \"version\": 2,\n{rest}");
    let made = || digest::sha256(&text);
    let digest = digest.map_or_else(made, str::to_owned);
    let head = text.len() - rest.len();
    format!("{}  \"digest\": \"{digest}\",\n{rest}", &text[..head]).into_bytes()
}

fn parse(text: Vec<u8>) -> Result<RunResult, ResultError> {
    RunResult::parse(Path::new("result.json"), text)
}

/// Lists the alterations of a result: paths, each with a replacement. Without a replacement, the
/// entry is removed.
fn alterations(value: &Value, path: &mut Vec<String>, list: &mut Vec<(Vec<String>, Option<Value>)>) {
    let numbers = |n: i128, text: bool| {
        let values = BTreeSet::from([n + 1, 0, i128::from(u64::MAX)]);
        let values = values.into_iter().filter(move |value| *value != n);
        values.filter_map(move |value| {
            if text {
                Some(json!(value.to_string()))
            } else {
                u64::try_from(value)
                    .map(|n| json!(n))
                    .or_else(|_| i64::try_from(value).map(|n| json!(n)))
                    .ok()
            }
        })
    };
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                path.push(key.clone());
                list.push((path.clone(), None));
                alterations(value, path, list);
                path.pop();
            }
        }
        Value::Array(values) => {
            for (place, value) in values.iter().enumerate() {
                path.push(place.to_string());
                list.push((path.clone(), None));
                alterations(value, path, list);
                path.pop();
            }
        }
        Value::Number(number) => {
            let number = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from)).unwrap();
            list.extend(numbers(number, false).map(|value| (path.clone(), Some(value))));
        }
        Value::String(text) => {
            if let (Ok(number), false) =
                (text.parse::<i128>(), path.last().is_some_and(|key| key == "coverage"))
            {
                list.extend(numbers(number, true).map(|value| (path.clone(), Some(value))));
            }
        }
        Value::Bool(_) | Value::Null => {}
    }
}

fn altered(content: &Value, path: &[String], with: Option<&Value>) -> Value {
    let mut content = content.clone();
    let (last, parents) = path.split_last().unwrap();
    let mut place = &mut content;
    for key in parents {
        place = match place {
            Value::Array(values) => &mut values[key.parse::<usize>().unwrap()],
            place => &mut place[key.as_str()],
        };
    }
    match (place, with) {
        (Value::Object(map), Some(value)) => drop(map.insert(last.clone(), value.clone())),
        (Value::Object(map), None) => drop(map.shift_remove(last)),
        (Value::Array(values), Some(value)) => values[last.parse::<usize>().unwrap()] = value.clone(),
        (Value::Array(values), None) => drop(values.remove(last.parse::<usize>().unwrap())),
        _ => unreachable!("a path leads through lists and maps"),
    }
    content
}

/// Returns the pattern in [`FREE`] that a path matches.
fn free(path: &[String]) -> Option<&'static str> {
    let fits = |pattern: &str, key: &str| match pattern.split_once('*') {
        None => pattern == key,
        Some(("", "")) => true,
        Some((_, rest)) => key.contains(rest.trim_end_matches('*')),
    };
    let holds = |pattern: &str| {
        if let Some(start) = pattern.strip_suffix("/**") {
            let start: Vec<&str> = start.split('/').collect();
            return path.len() > start.len()
                && start.iter().zip(path).all(|(pattern, key)| fits(pattern, key));
        }
        let patterns: Vec<&str> = pattern.split('/').collect();
        patterns.len() == path.len() && patterns.iter().zip(path).all(|(pattern, key)| fits(pattern, key))
    };
    FREE.iter().map(|(pattern, _)| *pattern).find(|pattern| holds(pattern))
}

#[test]
fn every_alteration_that_contradicts_is_refused() {
    let (mut believed, mut used): (Vec<String>, BTreeSet<&str>) = Default::default();
    let mut tried = 0;
    for (name, outcome) in results() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("merged.json");
        outcome.write(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(RunResult::read(&path).unwrap(), outcome, "{name}");
        let mut content: Value = serde_json::from_str(&text).unwrap();
        let digest = content.as_object_mut().unwrap().shift_remove("digest").unwrap();
        let digest = digest.as_str().unwrap();
        let list: Vec<(Vec<String>, Option<Value>)> = {
            let mut list = Vec::new();
            alterations(&content, &mut Vec::new(), &mut list);
            list
        };
        assert_eq!(String::from_utf8(sealed(&content)).unwrap(), text, "{name}");
        assert_eq!(parse(compact(&content, None)).unwrap(), outcome, "{name}");
        tried += list.len();
        let believe = |(nth, (path, with)): (usize, (Vec<String>, Option<Value>))| {
            let altered = altered(&content, &path, with.as_ref());
            let at = format!("{name}: {} becomes {with:?}", path.join("/"));
            // A digest detects all alterations in the same way, so a few of them suffice.
            if nth % 16 == 0 {
                assert!(parse(compact(&altered, Some(digest))).is_err(), "with the old digest, {at}");
            }
            // Removing an empty part does not change a result.
            let other = parse(compact(&altered, None)).ok().filter(|other| *other != outcome)?;
            assert!(other.to_bytes().is_ok(), "{at}");
            Some((free(&path), at))
        };
        let all: Vec<_> = list.into_par_iter().enumerate().filter_map(believe).collect();
        used.extend(all.iter().filter_map(|(pattern, _)| *pattern));
        believed.extend(all.into_iter().filter(|(pattern, _)| pattern.is_none()).map(|(_, at)| at));
    }
    assert!(tried > 3000, "{tried}");
    assert!(believed.is_empty(), "{} believed:\n{}", believed.len(), believed.join("\n"));
    let idle: Vec<&str> = FREE
        .iter()
        .map(|(pattern, _)| *pattern)
        .filter(|pattern| !pattern.ends_with("**") && !used.contains(pattern))
        .collect();
    assert!(idle.is_empty(), "never believed, so not free: {idle:#?}");
}

/// Checks that a result with a correct digest is refused for a contradiction that says `what`.
#[track_caller]
fn contradicts(outcome: &RunResult, what: &str) {
    let refused = parse(sealed(&serde_json::to_value(outcome).unwrap())).unwrap_err().to_string();
    assert!(refused.contains(what), "{refused}");
}

#[test]
fn a_form_that_is_no_name_is_refused() {
    let mut outcome = campaign(None, Shard { index: 1, of: 3 });
    let forms = &mut outcome.bins.as_mut().expect("a campaign has bins").forms;
    let topics = forms.remove("POPC_R").expect("the form is drawn");
    forms.insert("POPC_R; reboot".to_owned(), topics);
    contradicts(&outcome, "`POPC_R; reboot` is no form");
}

#[test]
fn a_column_beyond_the_extremes_of_its_function_is_refused() {
    let outcome = sweep("MUFU.RCP.F32 R0, R1", 2048);
    let greatest = outcome.tally.accuracy.values().next().unwrap().greatest.unwrap().error;
    let with = |greatest: i64| {
        let mut outcome = outcome.clone();
        let statistics = outcome.tally.accuracy.values_mut().next().unwrap().exhaustive.as_mut().unwrap();
        statistics.map.as_mut().unwrap().columns[3].greatest = greatest;
        outcome
    };
    parse(sealed(&serde_json::to_value(with(greatest)).unwrap())).expect("an error of the function");
    contradicts(&with(2 * greatest), "column 3 is none of a sweep");
}

#[test]
fn a_version_without_a_digest_is_marked_and_one_with_it_is_held_to_it() {
    let outcome = trace();
    let mut content = serde_json::to_value(&outcome).unwrap();
    let text = |content: &Value| (serde_json::to_string_pretty(content).unwrap() + "\n").into_bytes();
    assert!(matches!(parse(text(&content)), Err(ResultError::Digest { .. })), "version 2 without a digest");
    content["version"] = json!(1);
    let old = parse(text(&content)).unwrap();
    assert_eq!((old.unverified, old.version), (1, 2));
    assert_eq!(RunResult { unverified: 0, ..old }, outcome);
    content["tally"]["cases"] = json!(101);
    assert!(matches!(parse(text(&content)), Err(ResultError::Contradiction { .. })), "an old one, too");
    content["version"] = json!(3);
    content["news"] = json!(1);
    assert!(matches!(parse(text(&content)), Err(ResultError::Version { found: 3, .. })));
}
