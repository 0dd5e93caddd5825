//! The examples of `docs/formats.md` are valid.

use assay_isa::EncodingTable;
use assay_isa::readings::SWITCHES;
use assay_vectors::errata::{Area, Defect, built_in};
use assay_vectors::{Profile, parse_line, read_suite_str};

const PAGE: &str = include_str!("../../../docs/formats.md");
const READINGS: &str = include_str!("../../../docs/readings.md");

/// Returns the code blocks of a language, from the part of the page that describes this crate's
/// formats.
fn blocks(language: &str) -> Vec<String> {
    let (page, _) = PAGE.split_once("## JSON of the commands").expect("the page ends with the commands");
    let fence = format!("```{language}\n");
    let starts = page.split(&fence[..]).skip(1);
    starts.map(|rest| rest.split_once("```").expect("a block is closed").0.to_owned()).collect()
}

#[test]
fn suites_and_profiles_read() {
    let blocks = blocks("yaml").into_iter().filter(|text| !text.contains("\nerrata:"));
    let (suites, profiles): (Vec<_>, Vec<_>) = blocks.partition(|text| text.contains("\nsuite:"));
    assert_eq!((suites.len(), profiles.len()), (3, 2));
    for text in suites {
        let suite = read_suite_str("docs/formats.md", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        for case in &suite.cases {
            case.batch(EncodingTable::provisional()).unwrap_or_else(|e| panic!("{e}"));
            case.rerun(EncodingTable::provisional()).unwrap_or_else(|e| panic!("{e}"));
        }
    }
    let dir = tempfile::tempdir().unwrap();
    for text in profiles {
        let path = dir.path().join("profile.yaml");
        std::fs::write(&path, &text).unwrap();
        Profile::load(path.to_str().unwrap()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    }
}

#[test]
fn lines_read() {
    let lines: Vec<String> = blocks("json").iter().flat_map(|b| b.lines()).map(str::to_owned).collect();
    assert_eq!(lines.len(), 2);
    for line in lines {
        let case = parse_line(&line).unwrap_or_else(|e| panic!("{e}\n{line}"));
        case.batch(EncodingTable::provisional()).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn errata_read() {
    let errata: Vec<String> = blocks("yaml").into_iter().filter(|text| text.contains("\nerrata:")).collect();
    assert_eq!(errata.len(), 1);
    let area: Area = serde_yaml::from_str(&errata[0]).unwrap_or_else(|e| panic!("{e}"));
    let [example] = &area.errata[..] else { panic!("one erratum is enough") };
    let real = built_in().unwrap().into_iter().find(|defect| defect.id == example.id).unwrap();
    assert_eq!((example.class, example.severity), (real.class, real.severity));
    assert_eq!((&example.basis, example.readings.len()), (&real.basis, real.readings.len()));
}

/// Returns the numbers in the first column of a text's tables.
fn numbers(text: &str) -> Vec<String> {
    let cells = text.lines().filter_map(|line| line.strip_prefix("| E"));
    let cells = cells.map(|rest| rest.split('|').next().expect("a split yields something"));
    cells
        .flat_map(|cell| format!("E{cell}").split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// Every erratum in the first part of the page has a switch. Every erratum in the second part has a
/// decision in the data.
#[test]
fn the_page_of_readings_agrees_with_the_errata() {
    let errata = built_in().unwrap();
    let of = |number: &String| -> &Defect {
        errata.iter().find(|defect| defect.id.to_string() == *number).unwrap_or_else(|| panic!("{number}"))
    };
    let (switched, settled) = READINGS.split_once("## Not switched").expect("the page has both parts");
    let (switched, settled) = (numbers(switched), numbers(settled));
    assert!(switched.len() > 20 && settled.len() > 20, "the check reads the tables");
    for number in switched {
        assert!(of(&number).switch().is_some(), "{number} has no switch");
    }
    for number in settled {
        assert!(of(&number).decision().is_some(), "{number} is not decided in vectors/data/errata");
    }
}

/// The page explains every convention, with all of its settings.
#[test]
fn the_page_of_readings_has_every_convention() {
    for switch in SWITCHES.iter().filter(|switch| switch.erratum.is_convention()) {
        let row = READINGS.lines().find_map(|line| line.strip_prefix(&format!("| {} | ", switch.erratum)));
        let row = row.unwrap_or_else(|| panic!("docs/readings.md lacks {}", switch.erratum));
        let settings = row.split('|').filter(|cell| !cell.trim().is_empty()).count();
        assert_eq!(settings, switch.settings.len(), "{}", switch.erratum);
    }
}
