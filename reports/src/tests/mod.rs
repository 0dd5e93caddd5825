//! The rendered reports, over results made by hand.

mod errata;
mod junit;
pub mod pages;
pub mod samples;
mod schema;

use insta::{assert_json_snapshot, assert_snapshot};

use serde_json::{Value, json};

use crate::{FindingFiles, ReportedRun, html, markdown, report, text};
use assay_pages::check::whole_tables;

fn titled(title: &str, outcome: assay_records::RunResult) -> ReportedRun {
    ReportedRun::bare(title, samples::judged(outcome))
}

/// Returns the JSON form of a result.
fn summary(outcome: &assay_records::RunResult) -> Value {
    json!(report(&[titled("a", outcome.clone())]))["results"][0].clone()
}

/// Checks that all rows of each table have equally many cells. Returns the number of tables.
pub fn assert_well_formed(page: &str) -> usize {
    whole_tables(page).unwrap_or_else(|problem| panic!("{problem} in\n{page}"))
}

#[test]
fn a_campaign_on_a_page() {
    let page = markdown(&[titled("Night of fuzzing", samples::fuzz())]);
    assert_eq!(assert_well_formed(&page), 7);
    assert_snapshot!(page);
}

#[test]
fn a_sweep_on_a_page() {
    let page = markdown(&[titled("shard-1.json", samples::sweep(70))]);
    assert_eq!(assert_well_formed(&page), 6);
    assert_snapshot!(page);
}

#[test]
fn a_survey_on_a_page() {
    let page = markdown(&[titled("whole.json", samples::swept(70))]);
    assert_eq!(assert_well_formed(&page), 9);
    let (_, accuracy) = page.split_once("## Accuracy").unwrap();
    assert_snapshot!(accuracy.split("<details>").next().unwrap());
}

#[test]
fn two_sweeps_side_by_side() {
    let page = markdown(&[titled("old.json", samples::sweep(100)), titled("new.json", samples::sweep(60))]);
    assert_eq!(assert_well_formed(&page), 5);
    assert_snapshot!(page);
}

#[test]
fn a_sweep_and_a_campaign_side_by_side() {
    let page = markdown(&[titled("sweep", samples::sweep(20)), titled("fuzz", samples::fuzz())]);
    assert_eq!(assert_well_formed(&page), 8);
    assert!(page.contains("## Findings after") && !page.contains("## Findings before"), "{page}");
}

#[test]
fn several_results_follow_one_another() {
    let page = markdown(&["a", "b", "c"].map(|title| titled(title, samples::empty())));
    assert_eq!(page.lines().filter(|line| line.starts_with("## ")).count(), 3);
    assert_eq!(assert_well_formed(&page), 6);
    assert_eq!(assert_well_formed(&markdown(&[])), 0);
}

#[test]
fn nothing_reads_as_nothing() {
    assert_snapshot!("empty_page", markdown(&[titled("empty", samples::empty())]));
    assert_snapshot!("empty_text", text(&samples::empty(), &[]));
    let summary = summary(&samples::empty());
    assert_eq!(summary["cases"], 0);
    assert!(summary["shares"]["exact"].is_null() && summary["complete"].is_null());
}

#[test]
fn a_campaign_on_a_terminal() {
    assert_snapshot!(text(&samples::fuzz(), &[]));
}

#[test]
fn a_sweep_on_a_terminal() {
    let text = text(&samples::sweep(70), &[]);
    assert!(text.lines().count() < 40, "{text}");
    assert_snapshot!(text);
}

#[test]
fn a_sweep_of_all_functions_on_a_terminal() {
    let text = text(&samples::all_functions(), &[]);
    assert!(text.lines().count() < 40, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 130), "{text}");
    assert_snapshot!(text);
}

#[test]
fn a_trace_on_a_page_and_a_terminal() {
    let page = markdown(&[titled("trace", samples::trace())]);
    let (_, agreement) = page.split_once("Agreement").unwrap();
    assert_snapshot!(agreement.split("\n## ").next().unwrap());
    assert_snapshot!(text(&samples::trace(), &[]));
    assert!(html(&[titled("trace", samples::trace())]).contains("the model alone diverges"));
    assert_eq!(summary(&samples::trace())["agreement"]["model_alone"], 4);
    assert!(summary(&samples::fuzz())["agreement"].is_null());
}

/// Returns a campaign with its findings.
fn failing() -> ReportedRun {
    ReportedRun { findings: FindingFiles::Read(samples::found()), ..titled("night", samples::fuzz()) }
}

#[test]
fn findings_on_a_page_come_first() {
    let page = markdown(&[failing()]);
    assert_well_formed(&page);
    let (_, findings) = page.split_once("## Findings").unwrap();
    assert_snapshot!(findings.split_once("\n## ").unwrap().0);
}

#[test]
fn what_the_failing_inputs_of_a_sweep_have_in_common_comes_before_its_findings() {
    let mut outcome = samples::swept(1);
    outcome.tally.verdicts.diverged = 2;
    let list = samples::found();
    let page = markdown(&[ReportedRun { findings: FindingFiles::Read(list), ..titled("a", outcome) }]);
    let (_, findings) = page.split_once("## Findings").unwrap();
    let sentence = "MUFU.RCP.F32: All 2 failing inputs begin with 0x3f81.";
    let place = |text: &str| findings.find(text).unwrap_or_else(|| panic!("no {text} in {findings}"));
    assert!(place(sentence) < place("2 findings"));

    let mut outcome = samples::swept(1);
    outcome.tally.verdicts.diverged = 1;
    let found = vec![samples::finding(7, "MUFU.RCP.F32 R0, R1", &[("R1", 0x3f81_0001)])];
    outcome.tally.findings = [("MUFU.RCP.F32 value".to_owned(), found)].into();
    let page =
        markdown(&[ReportedRun { findings: FindingFiles::Read(samples::found()), ..titled("a", outcome) }]);
    assert!(page.contains("MUFU.RCP.F32: The only failing input is 0x3f810001."), "{page}");
}

#[test]
fn findings_on_a_terminal_come_first() {
    let text = text(&samples::fuzz(), &samples::found());
    assert_snapshot!(text.split_once("verdict").unwrap().0);
}

#[test]
fn many_findings_are_folded_and_counted() {
    let list: Vec<_> = (0..60).flat_map(|_| samples::found()).collect();
    let run = ReportedRun { findings: FindingFiles::Read(list.clone()), ..titled("a", samples::fuzz()) };
    let page = markdown(&[run]);
    assert!(page.contains("more findings are in the table alone"), "{page}");
    assert!(text(&samples::fuzz(), &list).contains("more findings"));
}

#[test]
fn a_page_states_that_its_findings_are_missing() {
    let page = |findings| markdown(&[ReportedRun { findings, ..failing() }]);
    assert!(page(FindingFiles::Missing("runs/a/findings".into())).contains("no folder `runs/a/findings`"));
    assert!(page(FindingFiles::Unreadable("line 3: no case".into())).contains("line 3: no case"));
    let whole =
        ReportedRun { findings: FindingFiles::Missing("x".into()), ..titled("a", samples::arithmetic()) };
    assert!(!markdown(&[whole]).contains("## Findings"), "nothing diverged, so nothing is missing");
}

#[test]
fn a_campaign_as_json() {
    assert_json_snapshot!(summary(&samples::fuzz()));
}

#[test]
fn dissections_on_a_page() {
    let page = markdown(&[titled("sums and products", samples::arithmetic())]);
    assert_eq!(assert_well_formed(&page), 10);
    assert_snapshot!(page);
}

#[test]
fn dissections_side_by_side() {
    let (fuzz, sums) = (titled("before", samples::fuzz()), titled("after", samples::arithmetic()));
    let page = markdown(&[fuzz, sums]);
    assert_eq!(assert_well_formed(&page), 7);
    assert_snapshot!(page.split("## Dissections").nth(1).unwrap());
}

#[test]
fn dissections_on_a_terminal() {
    let text = text(&samples::arithmetic(), &[]);
    assert!(text.lines().all(|line| line.chars().count() <= 130), "{text}");
    assert_snapshot!(text);
}

#[test]
fn dissections_as_json() {
    let rounding_stats = &summary(&samples::arithmetic())["dissections"];
    let ffma = &rounding_stats["FFMA"];
    let length = |list: &serde_json::Value| list.as_array().unwrap().len();
    for histogram in [&ffma["by_rounding"]["RN"]["errors"], &ffma["differences"]] {
        assert_eq!(length(&histogram["edges"]), length(&histogram["counts"]) + 1);
    }
    assert_eq!(length(&ffma["cancelled"]["bits"]), length(&ffma["cancelled"]["counts"]));
    assert!(rounding_stats["FMUL"]["cancelled"].is_null() && rounding_stats["FMUL"]["differences"].is_null());
    assert_json_snapshot!(rounding_stats);
}

#[test]
fn coverage_on_a_page() {
    let page = markdown(&[titled("covered", samples::covered())]);
    let (tested, coverage) = page.split_once("## Coverage").unwrap();
    let (coverage, _) = coverage.split_once("\n## ").unwrap();
    for form in ["`FFMA_RRR`", "`FMUL_RR`"] {
        assert!(tested.contains(form), "no {form} in {tested}");
    }
    for figures in ["2,000", "1,979", "98.95 %"] {
        assert!(coverage.contains(figures), "no {figures} in {coverage}");
    }
    // An incomplete share never reads 100 %.
    assert_eq!(coverage.matches(" 100 %").count(), 1, "{coverage}");
}

#[test]
fn coverage_as_json() {
    let coverage = &summary(&samples::covered())["coverage"];
    assert_eq!(coverage["total"], serde_json::json!({ "bins": 2_190, "hit": 2_129, "impossible": 14 }));
    assert_eq!(coverage["topics"]["pair"]["hit"], 1_979);
    assert_eq!(coverage["forms"]["FMUL_RR"]["rounding"]["bins"], 0);
    assert!(summary(&samples::fuzz())["coverage"].is_null());
}

#[test]
fn accuracy_as_json() {
    let outcome = samples::sweep(70);
    let functions = json!(crate::functions(&outcome));
    assert_eq!(summary(&outcome)["functions"], functions);
    let one = &functions["MUFU.RCP.F32"];
    assert_eq!(one["max_ulp"], 0.875);
    let histogram = &one["histogram"];
    let [edges, counts] = ["edges", "counts"].map(|key| histogram[key].as_array().unwrap());
    assert_eq!(edges.len(), counts.len() + 1);
    assert_eq!(counts.iter().filter_map(|n| n.as_u64()).sum::<u64>(), one["measured"].as_u64().unwrap());
    assert_json_snapshot!(functions);
}

/// A name with characters that have a meaning in a terminal, a browser, Markdown or XML.
pub const HOSTILE: &str = "x\u{1b}[2K\r\n| forged |\n# forged\u{202e}\u{9b}1A\u{fffe}<script>`|&\"'";

/// Checks that a page has no character that moves a cursor or changes the direction of the text.
pub fn assert_plain(page: &str, what: &str) {
    let obeyed =
        |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c) || c == '\u{fffe}';
    assert_eq!(page.chars().find(|c| obeyed(*c)), None, "{what}: {}", page.escape_debug());
}

/// Checks that a page is plain, and that no name created a line with a meaning of its own.
pub fn assert_no_forged_line(page: &str, what: &str) {
    assert_plain(page, what);
    let forged = page.lines().find(|line| line.starts_with("| forged") || line.starts_with("# forged"));
    assert_eq!(forged, None, "{what}: {page}");
}

#[test]
fn a_hostile_name_stays_text_in_every_rendering() {
    let hostile = |mut outcome: assay_records::RunResult| {
        let text = serde_json::to_string(&outcome.plan).unwrap();
        let name = serde_json::to_string(HOSTILE).unwrap();
        let text = ["\"model\"", "\"mpfr\"", "\"intended\"", "\"E173\""]
            .iter()
            .fold(text, |text, old| text.replace(old, &name));
        outcome.plan = serde_json::from_str(&text).unwrap();
        let counts = outcome.tally.forms.values().next().copied().unwrap_or_default();
        outcome.tally.forms.insert(HOSTILE.to_owned(), counts);
        let findings = outcome.tally.findings.values().next().cloned().unwrap_or_default();
        outcome.tally.findings.insert(HOSTILE.to_owned(), findings);
        outcome.tally.undefined.insert(HOSTILE.to_owned(), 1);
        let accuracy = samples::sweep(60).tally.accuracy.values().next().cloned().unwrap_or_default();
        outcome.tally.accuracy.insert(HOSTILE.to_owned(), accuracy);
        outcome
    };
    let one = || hostile(samples::fuzz());
    assert_no_forged_line(&text(&one(), &[]), "the terminal");
    for list in
        [vec![titled(HOSTILE, one())], vec![titled(HOSTILE, one()), titled("b", hostile(samples::sweep(60)))]]
    {
        let page = markdown(&list);
        assert_no_forged_line(&page, "Markdown");
        assert_well_formed(&page);
        assert!(!page.contains("<script"), "{page}");
        let page = html(&list);
        assert_plain(&page, "HTML");
        assert_eq!(page.matches("<script").count(), 1, "its own: {page}");
        let page = crate::junit(&list);
        assert_plain(&page, "JUnit");
        roxmltree::Document::parse(&page).unwrap();
    }
}
