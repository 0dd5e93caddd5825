//! JUnit XML as CI systems read it.

use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::exhaustive::{Pairs, ResultRelation};
use assay_isa::catalog;
use assay_records::devices::{DeviceIdentity, Role};
use assay_records::{Plan, RunResult};
use insta::assert_snapshot;
use roxmltree::Document;

use super::pages::lines;
use super::{samples, titled};
use crate::{FindingFiles, ReportedRun, conclusion, html, junit, markdown, report, text};

/// Returns the failed checks of a document, and checks its counts.
fn failures(text: &str) -> Vec<String> {
    let document = Document::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for element in document.descendants().filter(|node| node.has_attribute("tests")) {
        let number =
            |name: &str| element.descendants().filter(|node| node.has_tag_name(name)).count().to_string();
        assert_eq!(element.attribute("tests"), Some(&number("testcase")[..]));
        assert_eq!(element.attribute("failures"), Some(&number("failure")[..]));
        assert_eq!(element.attribute("skipped"), Some(&number("skipped")[..]));
    }
    let failed = document.descendants().filter(|node| node.has_tag_name("failure"));
    failed.filter_map(|node| node.parent()?.attribute("name")).map(str::to_owned).collect()
}

#[test]
fn a_campaign_as_junit() {
    let text = junit(&[titled("Night of fuzzing", samples::fuzz())]);
    assert_eq!(failures(&text), ["verdict", "FADD_RR"]);
    assert_snapshot!(lines(&text));
}

#[test]
fn a_finding_is_the_text_of_its_form() {
    let run = ReportedRun {
        findings: FindingFiles::Read(samples::found()),
        ..titled("Night of fuzzing", samples::fuzz())
    };
    let text = junit(&[run]);
    assert_eq!(failures(&text), ["verdict", "FADD_RR"]);
    assert_eq!(text.matches("assay replay").count(), samples::found().len(), "each case once: {text}");
}

#[test]
fn a_sweep_as_junit() {
    let mut outcome = samples::swept(90);
    if let Some(accuracy) = outcome.tally.accuracy.get_mut("MUFU.RCP.F32") {
        accuracy.bounds.values_mut().for_each(|usage| usage.refused = 40);
    }
    let text = junit(&[titled("sweep", outcome)]);
    assert_eq!(
        failures(&text),
        ["MUFU.RCP.F32: 1 ulp", "MUFU.RCP.F32: NaN"],
        "small inversions fail nothing"
    );
    assert_snapshot!(lines(&text));
}

#[test]
fn a_broken_relation_that_is_required_fails() {
    let mut outcome = samples::swept(90);
    let before = failures(&junit(&[titled("sweep", outcome.clone())]));
    let stats = outcome
        .tally
        .accuracy
        .get_mut("MUFU.RCP.F32")
        .and_then(|accuracy| accuracy.exhaustive.as_mut())
        .unwrap();
    stats.relations.get_mut(&ResultRelation::Monotonic).unwrap().refused = 2;
    let outcome = samples::judged(outcome);
    let after = failures(&junit(&[titled("sweep", outcome.clone())]));
    let broken: Vec<&String> = after.iter().filter(|name| !before.contains(name)).collect();
    assert_eq!(broken, ["verdict", "MUFU.RCP.F32: monotonic"]);
    let told = "MUFU.RCP.F32 must be monotonic: 2 of 40,000 pairs are not, by more steps than the profile allows, farthest at 0x3f810000 and 0x3f810001 by 2 steps.";
    let outcomes = [titled("sweep", outcome.clone())];
    for page in [text(&outcome, &[]), markdown(&outcomes), html(&outcomes)] {
        assert!(page.contains(told), "{page}");
    }
    let json = serde_json::json!(report(&outcomes));
    let relation = &json["results"][0]["functions"]["MUFU.RCP.F32"]["survey"]["relations"]["monotonic"];
    assert_eq!(relation["refused"], 2, "{relation}");
}

/// A result from before verdicts existed is undecided. Its divergences are shown anyway.
#[test]
fn a_result_without_a_verdict_shows_what_its_counts_show() {
    let outcome = RunResult { verdict: None, ..samples::fuzz() };
    let text = junit(&[ReportedRun::bare("old", outcome)]);
    assert_eq!(failures(&text), ["FADD_RR"]);
    assert!(text.contains("errors=\"1\""), "{text}");
    let outcome = RunResult { verdict: None, ..samples::trace() };
    assert_eq!(failures(&junit(&[ReportedRun::bare("old", outcome)])), ["MUFU_RR", "agreement"]);
}

/// A device may support only one form. A campaign over everything then passes, and states how many
/// forms it executed.
#[test]
fn a_campaign_over_everything_says_how_much_of_it_was_executed() {
    let mut outcome = samples::fuzz();
    let told = format!("2 of {} forms", catalog().forms.len());
    assert!(!conclusion(&outcome).contains("Executed: "));
    let Plan::Fuzz { only, setting, .. } = &mut outcome.plan else { unreachable!("it is a campaign") };
    only.clear();
    let device = DeviceIdentity {
        role: Role::Subject,
        name: "few".into(),
        version: "1".into(),
        protocol: 2,
        modes: vec!["FADD_RR".into(), "FFMA_*".into(), "!FFMA_*.FTZ".into(), "FFMA_RRR.RZ".into()],
        files: Default::default(),
    };
    setting.devices = [device].into_iter().collect();
    setting.not_generated = ["FADD (63 of 64 modes)", "FFMA", "FMUL", "POPC"].map(str::to_owned).into();
    let outcomes = [titled("a campaign", outcome.clone())];
    let declared = "Only what the device declares was executed: FADD_RR, FFMA_*, !FFMA_*.FTZ and 1 more.";
    assert!(conclusion(&outcome).contains(declared), "{}", conclusion(&outcome));
    let lacking = "Not executed: FADD (63 of 64 modes), FFMA, FMUL and 1 more.";
    assert!(conclusion(&outcome).contains(lacking), "{}", conclusion(&outcome));
    assert!(
        junit(&outcomes).contains("<property name=\"not executed\" value=\"POPC\"/>"),
        "{}",
        junit(&outcomes)
    );
    for page in [text(&outcome, &[]), markdown(&outcomes), html(&outcomes), junit(&outcomes)] {
        assert!(page.contains(&told), "{page}");
    }
    let property = "<property name=\"declared by the device\" value=\"FFMA_RRR.RZ\"/>";
    assert!(junit(&outcomes).contains(property), "{}", junit(&outcomes));
}

/// Campaigns compare related results even without a full sweep.
#[test]
fn a_relation_of_a_campaign_is_a_case() {
    let mut outcome = samples::fuzz();
    let pairs = Pairs { seen: 9, broken: 2, refused: 2, ..Pairs::default() };
    let accuracy = Accuracy { relations: [(ResultRelation::Odd, pairs)].into(), ..Accuracy::default() };
    outcome.tally.accuracy.insert("MUFU.TANH.F32".into(), accuracy);
    let text = junit(&[titled("a campaign", outcome)]);
    assert!(failures(&text).contains(&"MUFU.TANH.F32: odd".to_owned()), "{text}");
}

#[test]
fn what_was_not_done_does_not_pass() {
    assert_eq!(failures(&junit(&[titled("empty", samples::empty())])), ["verdict", "executed"]);
    let mut outcome = samples::fuzz();
    outcome.shards.clear();
    assert!(failures(&junit(&[titled("interrupted", outcome)])).contains(&"executed".to_owned()));
    assert!(failures(&junit(&[])).is_empty());
    assert!(junit(&[titled("shard", samples::sweep(3))]).contains("<skipped message=\"shard 1 of 3"));
}

#[test]
fn who_stands_alone_in_a_trace_fails() {
    assert_eq!(failures(&junit(&[titled("trace", samples::trace())])), ["verdict", "MUFU_RR", "agreement"]);
    let mut outcome = samples::trace();
    let tally = &mut outcome.tally;
    (tally.verdicts.diverged, tally.agreement.trace_alone, tally.agreement.model_alone) = (0, 0, 4);
    tally.forms.insert("MUFU_RR".to_owned(), tally.verdicts);
    assert_eq!(failures(&junit(&[titled("the model alone", outcome.clone())])), ["verdict", "agreement"]);
    outcome.tally.agreement.model_alone = 0;
    assert!(failures(&junit(&[titled("sound", outcome)])).is_empty());
}

#[test]
fn hostile_names_stay_text() {
    let text = junit(&[titled("exec:<script>\u{1b}[31m\"&'", samples::fuzz())]);
    let document = Document::parse(&text).unwrap();
    let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    assert_eq!(suite.attribute("name"), Some("exec:<script>\\u{1b}[31m\"&'"));
}
