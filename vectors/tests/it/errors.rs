//! Tests every kind of error with a small bad document. Each error must name its place.

use assay_isa::EncodingTable;
use assay_vectors::{
    ErrorKind, VectorError, discover, not_suites, parse_line, read_suite, read_suite_str, write_suite,
};

/// Returns the text of a suite: four header lines, then `case` from line 5 on.
fn suite(case: &str) -> String {
    format!("version: 1\nsuite: s\nabout: a\ncases:\n{case}")
}

const GOOD: &str = "- name: c
  asm: FADD R0, R1, R2
  inputs: {R1: 0x3f800000, R2: 1}
  expect: {R0: 0x3f800000}
  provenance: {source: hand}
";

fn refused(text: &str) -> VectorError {
    read_suite_str("f.yaml", text).expect_err(text)
}

#[test]
fn the_good_document_is_good() {
    let suite = read_suite_str("f.yaml", &suite(GOOD)).unwrap();
    suite.cases[0].batch(EncodingTable::provisional()).unwrap();
}

/// Each row: the replaced text of the valid document, its replacement, and the text of the error.
#[test]
fn a_bad_document_is_refused_with_its_place() {
    let table = [
        (
            "  inputs:",
            "  input:",
            "f.yaml:7:3: case c: unknown key `input`; write one of: version, name, asm",
        ),
        (
            "  asm: FADD R0, R1, R2\n",
            "",
            "f.yaml:5: case c: the instruction is missing; give `asm` or `word`",
        ),
        ("R1: 0x3f800000", "R1: 1.0", "f.yaml:7:16: case c: 1 is no 32-bit word for R1; write its bits"),
        ("R1: 0x3f800000", "R1: -1", "f.yaml:7:16: case c: -1 is no 32-bit word"),
        ("R1: 0x3f800000", "R1: 0x100000000", "f.yaml:7:16: case c: 0x100000000 is no 32-bit word"),
        ("R1: 0x3f800000", "R1: one", "f.yaml:7:16: case c: `one` is no 32-bit word"),
        ("R1: 0x3f800000", "R1: true", "f.yaml:7:16: case c: R1 holds a word such as 0x3f800000, not true"),
        ("R1: 0x3f800000", "P1: 1", "f.yaml:7:16: case c: P1 holds `true` or `false`, not 0x1"),
        ("R1: 0x3f800000", "R1: [1]", "case c: R1 holds one value, not a list"),
        ("R1: 0x3f800000", "R1: 1, R1: 2", "case c: R1 occurs twice; keep one of them"),
        ("R1: 0x3f800000", "R255: 1", "f.yaml:7:12: case c: `R255` is no location; write R0..R254"),
        ("R0: 0x3f800000", "R0: []", "case c: no value is allowed at R0; list one or remove it"),
        (
            "expect: {R0: 0x3f800000}",
            "expect:",
            "case c: invalid type: unit value, expected a map whose keys are",
        ),
        ("{source: hand}", "{ref: here}", "f.yaml:9:15: case c: the key `source` is missing; add it"),
        (
            "{source: hand}",
            "{source: rumour}",
            "case c: unknown variant `rumour`, expected one of `document`",
        ),
        (
            "  provenance: {source: hand}\n",
            "",
            "f.yaml:5: case c: the provenance is missing; add `provenance: {source",
        ),
        ("name: c", "name: a b", "f.yaml:5: case a b: `a b` is no name; write letters, digits"),
        ("- name: c\n ", "-", "case number 1: `` is no name"),
        ("version: 1", "version: 2", "f.yaml: format version 2 is not known; this program reads version 1"),
        ("  expect:", "  version: 2\n  expect:", "case c: format version 2 is not known"),
        ("R1, R2\n", "R1\n", "f.yaml:5: case c: `FADD R0, R1`: FADD takes no such operands (column 1)"),
        ("  expect:", "  undefined: E177\n  expect:", "case c: `expect` and `undefined` exclude each other"),
        (
            "  expect: {R0: 0x3f800000}",
            "  undefined: E1",
            "f.yaml:8:14: case c: `E1` is no erratum; write E and three",
        ),
        (
            "  expect: {R0: 0x3f800000}",
            "  event: {fault: misaligned address}",
            "case c: `event` stands beside `expect` only",
        ),
        (
            "  expect:",
            "  event: {trap: f}\n  expect:",
            "case c: unknown key `trap`; write one of: fault, executed",
        ),
        (
            "  expect:",
            "  event: {}\n  expect:",
            "case c: invalid length 0, expected {fault: TEXT}, {executed: TEXT} or {failed: TEXT}",
        ),
        (
            "  expect:",
            "  readings: {E173: 3}\n  expect:",
            "f.yaml:8:20: case c: E173 has the settings 1 to 2, not 3",
        ),
        (
            "  expect:",
            "  readings: {E001: 1}\n  expect:",
            "case c: E001 has no switch; those that have one: E008 E011",
        ),
        ("  expect:", "  readings: {173: 1}\n  expect:", "case c: `173` is no erratum"),
        (
            "  expect:",
            "  word: 0xz\n  expect:",
            "case c: invalid value: string \"0xz\", expected an instruction word",
        ),
    ];
    for (part, replacement, message) in table {
        let text = suite(GOOD);
        assert!(text.contains(part), "{part}");
        let error = refused(&text.replacen(part, replacement, 1)).to_string();
        assert!(error.starts_with("f.yaml:"), "{error}");
        assert!(error.contains(message), "{part} -> {replacement}\n   is: {error}\nwant: {message}");
    }
}

#[test]
fn whole_documents_are_refused() {
    let error = refused("version: 1\nsuite: [\n");
    assert!(matches!(*error.kind, ErrorKind::Syntax(_)), "{error}");
    assert_eq!(error.place.line, Some(3), "{error}");
    let error = refused("version: 1\nsuite: s\nabout: a\n");
    assert!(matches!(&*error.kind, ErrorKind::MissingKey(key) if key == "cases"), "{error}");
    let error = refused("version: 1\nsuite: s\nabout: a\ncases: []\n");
    assert!(matches!(*error.kind, ErrorKind::NoCases), "{error}");
    let error = refused(&suite(GOOD).replace("suite: s", "suite: ../s"));
    assert!(matches!(*error.kind, ErrorKind::Name(_)), "{error}");
    let error = refused(&suite(&format!("{GOOD}{GOOD}")));
    assert!(matches!(*error.kind, ErrorKind::DuplicateCase), "{error}");
    assert_eq!(error.place.line, Some(10), "the second of the two is named");
}

#[test]
fn a_case_that_does_not_fit_its_instruction_is_refused() {
    let table = [
        (
            "R2: 1",
            "R3: 1",
            "case c: inputs give a value for R3, which the instruction does not read; it reads R1, R2",
        ),
        (", R2: 1", "", "case c: inputs give no value for R2, which the instruction reads; add it"),
        (
            "{R0: 0x3f800000}",
            "{R4: 1}",
            "case c: expect names R4, which the instruction cannot write; it can write R0",
        ),
        (
            "FADD R0",
            "FADD RZ",
            "case c: expect names R0, which the instruction cannot write; it can write nothing",
        ),
        (
            "  expect:",
            "  word: 0xff\n  expect:",
            "hold 0xff, which is no optype in the encoding table; correct `word`",
        ),
        (
            "  expect:",
            "  word: 0x00000000000000000000000201007529\n  asm: FADD.FTZ R0, R1, R2\n  expect:",
            "case c: `asm` encodes to 0x00000000000010000000000201007529 but `word` is \
             0x00000000000000000000000201007529, which is `FADD R0, R1, R2`; correct one of them",
        ),
    ];
    for (part, replacement, message) in table {
        let mut text = suite(GOOD).replacen(part, replacement, 1);
        if text.matches("asm:").count() > 1 {
            text = text.replacen("  asm: FADD R0, R1, R2\n", "", 1);
        }
        let suite = read_suite_str("f.yaml", &text).unwrap_or_else(|e| panic!("{e}"));
        let error = suite.cases[0].batch(EncodingTable::provisional()).expect_err(&text).to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn assembler_errors_carry_their_span() {
    let error = refused(&suite(GOOD).replace("FADD R0", "FADD.FTX R0"));
    let ErrorKind::Asm { text, error } = &*error.kind else { panic!("{error}") };
    assert_eq!(&text[error.span.clone()], "FTX");
}

#[test]
fn lines_are_refused_with_their_column() {
    let table = [
        (
            r#"{"asm": "FADD R0, R1, R2", "inputs": {"R1": "0x1", "R2": "0x1"}, "x": 1}"#,
            "68: unknown key `x`",
        ),
        (r#"{"asm": "FADD R0, R1, R2""#, "25: malformed: EOF"),
        (r#"{"asm": "FADD R0, R1, R2", "inputs": {"R1": "1.0"}}"#, "`1.0` is no 32-bit word for R1"),
        (r#"{"inputs": {}}"#, "the instruction is missing; give `asm` or `word`"),
        (r#"{"asm": "FOO", "name": "n"}"#, "case n: `FOO`: unknown mnemonic `FOO`"),
        (r#"{"asm": null}"#, "invalid type: null, expected a string"),
        (r#"{"version": 2, "asm": "FADD R0, R1, R2"}"#, "format version 2 is not known"),
    ];
    for (line, message) in table {
        let error = parse_line(line).expect_err(line).at_line(7).in_file("lines").to_string();
        assert!(error.starts_with("lines:7: ") || error.starts_with("lines:7:"), "{error}");
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn folders_without_cases_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let error = discover(dir.path()).unwrap_err();
    assert!(matches!(*error.kind, ErrorKind::NoSuites), "{error}");
    std::fs::create_dir(dir.path().join("profiles")).unwrap();
    std::fs::write(dir.path().join("profiles/p.yaml"), "not: a suite\n").unwrap();
    assert!(matches!(*discover(dir.path()).unwrap_err().kind, ErrorKind::NoSuites));

    std::fs::create_dir(dir.path().join("below")).unwrap();
    std::fs::write(dir.path().join("below/a.yaml"), suite(GOOD)).unwrap();
    assert_eq!(discover(dir.path()).unwrap().len(), 1);
    assert_eq!(not_suites(dir.path()).unwrap(), [dir.path().join("profiles/p.yaml")]);
    std::fs::write(dir.path().join("b.yaml"), suite(GOOD)).unwrap();
    let error = discover(dir.path()).unwrap_err();
    assert!(matches!(*error.kind, ErrorKind::DuplicateSuite { .. }), "{error}");
    assert!(error.to_string().contains("b.yaml") && error.to_string().contains("a.yaml"), "{error}");

    let error = discover(&dir.path().join("nowhere")).unwrap_err();
    assert!(matches!(*error.kind, ErrorKind::Read(_)), "{error}");
    let error = read_suite(&dir.path().join("nothing.yaml")).unwrap_err();
    assert!(matches!(*error.kind, ErrorKind::Read(_)), "{error}");
}

#[test]
fn no_suite_is_left_out_for_the_name_of_its_folder() {
    for folder in ["errata", "profiles", "errata/deep", "other"] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(folder);
        std::fs::create_dir_all(&path).unwrap();
        let is_special = folder != "other";
        std::fs::write(path.join("a.yaml"), suite(GOOD)).unwrap();
        assert_eq!(discover(dir.path()).unwrap().len(), 1, "{folder}");
        assert!(not_suites(dir.path()).unwrap().is_empty(), "{folder}");
        // A file with the key `cases` counts as a suite, so it must be valid.
        std::fs::write(path.join("b.yaml"), "cases:\n- {name: x}\n").unwrap();
        assert!(discover(dir.path()).is_err(), "{folder}");
        std::fs::write(path.join("b.yaml"), "cases: [\n").unwrap();
        assert!(discover(dir.path()).is_err(), "{folder}");
        assert_eq!(not_suites(dir.path()).is_err(), is_special, "{folder}");
        std::fs::write(path.join("b.yaml"), "errata: []\n").unwrap();
        assert_eq!(discover(dir.path()).is_ok(), is_special, "{folder}");
        assert_eq!(not_suites(dir.path()).unwrap().len(), usize::from(is_special), "{folder}");
    }
}

#[test]
fn a_file_appears_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.yaml");
    let mut good = read_suite_str("f.yaml", &suite(GOOD)).unwrap();
    write_suite(&path, &good).unwrap();
    assert_eq!(read_suite(&path).unwrap(), good);
    good.about = "again".into();
    write_suite(&path, &good).unwrap();
    assert_eq!(read_suite(&path).unwrap(), good);

    let mut bad = good.clone();
    bad.cases.clear();
    assert!(matches!(*write_suite(&path, &bad).unwrap_err().kind, ErrorKind::NoCases));
    assert_eq!(read_suite(&path).unwrap(), good, "the file that was there stays");
    let error = write_suite(&dir.path().join("no/such/folder/s.yaml"), &good).unwrap_err();
    assert!(matches!(*error.kind, ErrorKind::Write(_)), "{error}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "nothing temporary is left");
}
