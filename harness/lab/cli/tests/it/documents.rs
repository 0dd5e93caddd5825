//! `assay-lab isa`: compares the tables and the documents.

use assay_isa::catalog;

use crate::support::{assay, json, status, stderr, stdout};

#[test]
fn what_cannot_be_read_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let no_document = folder.path().join("x.md");
    std::fs::write(&no_document, "words").unwrap();
    let no_document = no_document.to_str().unwrap();
    for (arguments, hint) in [
        (&["mutants", "run", "nosuch"][..], "mutants list"),
        (&["isa", "diff", no_document], "nothing was compared"),
        (&["isa", "pseudo", "/nonexistent"], "/nonexistent"),
        (&["isa", "pseudo", no_document, "--reading", "E057=1"], "erratum 57"),
        (&["isa", "lint", no_document], "define nothing"),
        (&["isa", "lint", "/nonexistent"], "/nonexistent"),
    ] {
        let output = assay(arguments);
        assert_eq!(status(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(hint), "{arguments:?} does not say `{hint}`: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{arguments:?} printed a result");
    }
}

#[test]
fn the_tables_equal_the_committed_facts_of_the_documents() {
    let output = assay(&["isa", "diff", "--format", "json"]);
    assert_eq!(status(&output), 0);
    let report = json(&output);
    let compared = ["forms_compared", "streams_compared"].map(|key| report[key].as_u64().expect("a count"));
    assert_eq!(compared.iter().sum::<u64>(), catalog().forms.len() as u64);
    assert_eq!(report["differences"], serde_json::json!([]));
    let list = json(&assay(&["isa", "list", "--format", "json"]));
    assert_eq!(list.as_array().map(Vec::len), Some(catalog().forms.len()));
}

#[test]
fn documents_are_linted() {
    let base = concat!(env!("CARGO_MANIFEST_DIR"), "/../documents/tests/it/snippets/base.txt");
    let output = assay(&["isa", "lint", base]);
    assert_eq!((status(&output), stdout(&output).as_str()), (0, "0 findings\n"));

    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.txt");
    let text = std::fs::read_to_string(base).unwrap().replace("(base.txt#pour)", "(lost.md)");
    std::fs::write(&broken, text).unwrap();
    let output = assay(&["isa", "lint", broken.to_str().unwrap()]);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("missing-document"), "{}", stdout(&output));
    let report = json(&assay(&["isa", "lint", broken.to_str().unwrap(), "--format", "json"]));
    assert_eq!(report["classes"], serde_json::json!({ "missing-document": 1 }));
    assert_eq!(report["findings"][0]["of"], "MIX");

    let output = assay(&["isa", "lint", "--known", base]);
    assert_eq!(status(&output), 1, "no known erratum is in it, and each that is listed counts as lost");
    assert!(stdout(&output).contains("0 of 191 known errata found"), "{}", stdout(&output));
}

#[test]
fn routines_are_listed_with_their_states() {
    let base = concat!(env!("CARGO_MANIFEST_DIR"), "/../documents/tests/it/snippets/base.txt");
    let output = assay(&["isa", "pseudo", base, "--profile", "literal"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let listed = json(&assay(&["isa", "pseudo", base, "--format", "json"]));
    let routines = listed["routines"].as_array().expect("routines");
    assert!(!routines.is_empty());
    for routine in routines {
        let state = routine["state"].as_str().expect("a state");
        assert!(["runs", "part", "stops"].contains(&state));
        let explained = routine.get("erratum").is_some() || routine.get("reason").is_some();
        assert_eq!(explained, state != "runs", "{routine}");
        assert!(routine["line"].as_u64() > Some(0) && routine["file"].as_str() == Some(base), "{routine}");
    }
}
