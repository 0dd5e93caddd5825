//! The rendered errata: real errata, with executions made by hand.

use assay_vectors::Evidence;
use assay_vectors::errata::{Defect, Language, Severity, built_in};
use insta::assert_snapshot;

use crate::errata::{
    Answer, Choice, Entry, Execution, Group, Trial, TrialResult, Value, html, markdown, text,
};
use crate::tests::assert_well_formed;
use crate::tests::pages::{assert_whole, lines};

const BOTH: [Language; 2] = [Language::English, Language::Chinese];

fn errata() -> Vec<Defect> {
    built_in().unwrap_or_else(|e| panic!("{e}"))
}

fn value(location: &str, bits: &str, meaning: &str) -> Value {
    Value { location: location.into(), bits: bits.into(), meaning: meaning.into() }
}

fn execution(setting: u8, answers: [Answer; 2]) -> Execution {
    let [model, oracle] = answers;
    let answers = vec![("model".to_owned(), model), ("mpfr".to_owned(), oracle)];
    Execution { setting: Some(setting), case: format!("case-{setting}"), answers, problem: None }
}

fn wrote(bits: &str) -> Answer {
    Answer::Effect(vec![value("R0", bits, "7  (positive)")], None)
}

fn choice(profile: &str, setting: u8, evidence: Evidence, note: &str) -> Choice {
    Choice { profile: profile.into(), setting, evidence, note: note.into() }
}

/// Returns an erratum with a switch. On one of its cases the implementations agree, on the other
/// they do not.
fn executed(defect: &Defect) -> Entry<'_> {
    let agreeing = Group {
        instruction: "BREV R0, R1".into(),
        inputs: vec![value("R1", "0x00000001", "1  (one bit)")],
        others: vec![],
        executions: vec![
            execution(1, [wrote("0xfffffffe"), wrote("0xfffffffe")]),
            execution(2, [wrote("0x80000000"), wrote("0x80000000")]),
        ],
    };
    let mut failing = execution(2, [wrote("0x00000001"), Answer::Undefined("E177".into())]);
    failing.problem = Some("model: writes 0x00000001 to R0, expected 0x00000002".into());
    let differing = Group {
        instruction: "@P0 BREV R0, |x|".into(),
        inputs: vec![value("P0", "false", "")],
        others: vec!["E050=1".into()],
        executions: vec![execution(1, [Answer::Effect(vec![], None), Answer::Unsupported]), failing],
    };
    Entry {
        defect,
        choices: vec![
            choice("literal", 1, Evidence::Text, "to the letter"),
            choice("intended", 1, Evidence::Text, ""),
            choice("sm90", 2, Evidence::Documented, "PTX ISA, brev"),
        ],
        groups: vec![agreeing, differing],
        trials: vec![],
    }
}

/// Returns an erratum without a switch, with tested assembler texts.
fn tried(defect: &Defect) -> Entry<'_> {
    let trial = |text: &str, wanted, outcome| Trial { text: text.into(), wanted, outcome };
    let trials = vec![
        trial("FLO.U32.SH R3, RZ", true, TrialResult::Accepted("FLO.SH.U32 R3, RZ".into())),
        trial("FLO.XX R3, RZ", true, TrialResult::Refused("unknown modifier".into())),
        trial("UISETP.LE.U32 UP0", true, TrialResult::Unknown),
    ];
    Entry { defect, choices: vec![], groups: vec![], trials }
}

fn bare(defect: &Defect) -> Entry<'_> {
    Entry { defect, choices: vec![], groups: vec![], trials: vec![] }
}

/// Returns all errata, including the executed and the tested one.
fn entries(errata: &[Defect]) -> Vec<Entry<'_>> {
    errata.iter().map(entry).collect()
}

fn entry(defect: &Defect) -> Entry<'_> {
    match defect.id.0 {
        19 => tried(defect),
        56 => executed(defect),
        _ => bare(defect),
    }
}

#[test]
fn an_erratum_on_a_terminal() {
    let errata = errata();
    for (language, name) in BOTH.into_iter().zip(["english", "chinese"]) {
        assert_snapshot!(format!("executed_{name}"), text(&executed(&errata[55]), language));
        assert_snapshot!(format!("tried_{name}"), text(&tried(&errata[18]), language));
    }
}

/// Returns the part of a page between `start` and `end`.
fn part<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(end).map_or(rest, |(part, _)| part)
}

#[test]
fn an_erratum_on_a_page() {
    let errata = errata();
    let entries = entries(&errata);
    for (language, name) in BOTH.into_iter().zip(["english", "chinese"]) {
        let page = markdown(&entries, language);
        assert_eq!(assert_well_formed(&page), 2, "the counts, and the cases of E056");
        assert_snapshot!(format!("markdown_{name}"), part(&page, "<a id=\"E056\"></a>", "\n### "));
        let page = html(&entries, language);
        assert_snapshot!(
            format!("html_{name}"),
            part(&lines(&page), "<article id=\"E056\">\n", "</article>")
        );
    }
}

/// A page shows three cases of an erratum. Cases that distinguish no settings come last.
#[test]
fn a_page_shows_the_telling_cases() {
    let errata = errata();
    let mut entry = bare(&errata[55]);
    let group = |name: &str, second: &str| Group {
        instruction: name.into(),
        inputs: vec![],
        others: vec![],
        executions: vec![
            execution(1, [wrote("0x00000001"), wrote("0x00000001")]),
            execution(2, [wrote(second), wrote(second)]),
        ],
    };
    entry.groups = vec![group("SAME", "0x00000001")];
    entry.groups.extend(["FIRST", "SECOND", "THIRD", "FOURTH"].map(|name| group(name, "0x00000002")));
    let page = markdown(&[entry], Language::English);
    let shown =
        ["SAME", "FIRST", "SECOND", "THIRD", "FOURTH"].map(|name| page.contains(&format!("`{name}`")));
    assert_eq!(shown, [false, true, true, true, false]);
}

/// Without a switch, a case has one result.
#[test]
fn a_case_without_a_switch_has_one_result() {
    let errata = errata();
    let mut entry = bare(&errata[46]);
    let mut only = execution(1, [wrote("0x00000007"), wrote("0x00000007")]);
    only.setting = None;
    let (instruction, inputs, others) =
        ("MUFU.RCP.F32 R0, UR1".into(), vec![value("UR1", "0x3f800000", "1")], vec![]);
    entry.groups = vec![Group { instruction, inputs, others, executions: vec![only] }];
    let page = text(&entry, Language::English);
    assert!(page.contains("\n      case-1\n        model, mpfr  R0 = 0x00000007"), "{page}");
    let page = markdown(&[entry], Language::Chinese);
    assert!(page.contains("| 指令 ") && page.contains("| 结果 ") && !page.contains("| 理解 1"), "{page}");
    assert!(page.contains("| R0 = 0x00000007 |"), "{page}");
}

#[test]
fn the_page_begins_with_the_questions() {
    let errata = errata();
    let page = markdown(&entries(&errata), Language::English);
    let head: String = page.lines().take(14).map(|line| format!("{line}\n")).collect();
    assert_snapshot!("head_english", head);
    assert!(
        page.contains("\n1. [E056](#E056) **BREV UBREV**: "),
        "what documents and silicon part on stands first"
    );
    assert_snapshot!("counts", part(&page, "## By severity and class\n\n", "\n## "));
}

/// Every erratum has one place on the page, after all worse errata. The contents link to it.
#[test]
fn every_erratum_is_on_every_page() {
    let errata = errata();
    let entries = entries(&errata);
    for language in BOTH {
        let (markdown, html) = (markdown(&entries, language), html(&entries, language));
        let mut last = 0;
        let mut sorted: Vec<&Defect> = errata.iter().collect();
        sorted.sort_by_key(|defect| defect.rank());
        for defect in sorted {
            let id = defect.id;
            let anchor = format!("<a id=\"{id}\"></a>{id} ");
            let place = markdown.find(&anchor).unwrap_or_else(|| panic!("{id}"));
            assert!(place > last, "{id} stands too early");
            last = place;
            assert!(markdown.contains(&format!("- [{id}](#{id}) ")), "{id}");
            assert_eq!(html.matches(&format!("<article id=\"{id}\">")).count(), 1, "{id}");
            assert!(html.contains(&format!("<li><a href=\"#{id}\">{id}</a> <small>")), "{id}");
            let asked = html.contains(&format!("<li><a href=\"#{id}\">{id}</a> <b>"));
            assert_eq!(asked, defect.ask.is_some(), "{id}");
        }
    }
}

#[test]
fn the_html_is_well_formed_and_whole() {
    let errata = errata();
    for language in BOTH {
        let page = html(&entries(&errata), language);
        assert_whole(&page);
        assert_eq!(page.matches("<h2>").count(), 3 + Severity::ALL.len());
    }
}

/// The labels of the Chinese page have Chinese characters, and the English page has none.
#[test]
fn each_page_keeps_to_its_language() {
    let errata = errata();
    let english = html(&entries(&errata), Language::English);
    let ideographs = |text: &str| text.chars().filter(|c| ('\u{4e00}'..='\u{9fff}').contains(c)).count();
    assert_eq!(ideographs(&english), 0);
    let chinese = html(&entries(&errata), Language::Chinese);
    for label in ["<dt>", "<h1>", "<h2>", "<th>"] {
        for text in chinese.split(label).skip(1).filter_map(|rest| rest.split('<').next()) {
            assert!(text.is_empty() || text.len() == 1 || ideographs(text) > 0, "{label}{text}");
        }
    }
}

#[test]
fn what_does_not_hold_is_said() {
    let errata = errata();
    assert!(!executed(&errata[55]).holds() && !tried(&errata[18]).holds());
    assert!(bare(&errata[0]).holds());
    let page = text(&executed(&errata[55]), Language::English);
    assert!(page.contains("FAILED model: writes 0x00000001 to R0, expected 0x00000002"), "{page}");
    assert!(text(&tried(&errata[18]), Language::English).contains("FAILED FLO.XX R3, RZ: refused"));
}
