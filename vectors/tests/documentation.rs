//! The examples of `docs/formats.md` are what they claim to be.

use assay_isa::Numbers;
use assay_vectors::{Profile, parse_line, read_suite_str};

const PAGE: &str = include_str!("../../docs/formats.md");

/// Code blocks of a language in the part of the page that this crate answers for.
fn blocks(language: &str) -> Vec<String> {
    let (page, _) = PAGE.split_once("## JSON of the commands").expect("the page ends with the commands");
    let fence = format!("```{language}\n");
    let starts = page.split(&fence[..]).skip(1);
    starts.map(|rest| rest.split_once("```").expect("a block is closed").0.to_owned()).collect()
}

#[test]
fn suites_and_profiles_read() {
    let (suites, profiles): (Vec<_>, Vec<_>) =
        blocks("yaml").into_iter().partition(|text| text.contains("\nsuite:"));
    assert_eq!((suites.len(), profiles.len()), (2, 2));
    for text in suites {
        let suite = read_suite_str("docs/formats.md", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        for case in &suite.cases {
            case.batch(Numbers::provisional()).unwrap_or_else(|e| panic!("{e}"));
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
        case.batch(Numbers::provisional()).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// Every key of the schema is explained.
#[test]
fn every_key_is_on_the_page() {
    let schema = assay_vectors::schema();
    for definition in
        [&schema, &schema["$defs"]["Case"], &schema["$defs"]["Provenance"], &schema["$defs"]["Finding"]]
    {
        let keys = definition["properties"].as_object().expect("an object has properties").keys();
        for key in keys {
            assert!(PAGE.contains(&format!("`{key}`")), "{key}");
        }
    }
}
