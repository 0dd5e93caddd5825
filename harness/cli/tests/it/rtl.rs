//! Tests that `assay rtl` makes devices from units in SystemVerilog, and that campaigns with these
//! devices find planted mistakes.

use std::fs;
use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use crate::support::{assay_in, check_schema, command, has, json, root, status, stderr, stdout, words};

/// Returns a temporary folder with copies of the examples, which tests may change.
fn examples() -> TempDir {
    examples_in("examples")
}

/// Returns a temporary folder with copies of the examples. The name of the folder begins with
/// `prefix`.
fn examples_in(prefix: &str) -> TempDir {
    let folder = tempfile::Builder::new().prefix(prefix).tempdir().expect("a folder");
    for name in ["popcount.sv", "popcount.yaml", "elastic.sv", "elastic.yaml"] {
        fs::copy(root().join("examples/rtl").join(name), folder.path().join(name)).expect("a copy");
    }
    folder
}

/// Replaces a text in a file, which must contain it.
fn change(folder: &Path, name: &str, from: &str, to: &str) {
    let path = folder.join(name);
    let text = fs::read_to_string(&path).expect("the file can be read");
    assert!(text.contains(from), "{name} has no {from}");
    fs::write(&path, text.replacen(from, to, 1)).expect("the file can be written");
}

/// Makes the device of an example.
fn build(folder: &Path, name: &str) -> Output {
    let (unit, map) = (format!("{name}.sv"), format!("{name}.yaml"));
    assay_in(folder, &["rtl", &unit, "--map", &map, "--out", "out"])
}

/// Runs a campaign with the device.
fn fuzz(folder: &Path, only: &[&str], cases: &str) -> Output {
    let first =
        ["fuzz", "--subject", "lib:out/unit.so", "--cases", cases, "--out", "run", "--overwrite", "--only"];
    assay_in(folder, &[&first, only].concat())
}

/// Whether Verilator is installed. Without Verilator, the test counts as skipped.
fn has_verilator() -> bool {
    let is_there = has("verilator");
    if !is_there {
        assay_testing::skip("verilator", "devices from SystemVerilog: apt-get install verilator make g++");
    }
    is_there
}

#[test]
fn a_unit_of_fixed_latency_is_a_device() {
    if !has_verilator() {
        return;
    }
    // `make` itself cannot build in a folder with a blank in its path. `assay rtl` must work there
    // all the same.
    let folder = examples_in("a folder with blanks");
    let folder = folder.path();
    let made = build(folder, "popcount");
    assert_eq!(status(&made), 0, "{}", stderr(&made));
    let next = "next: assay fuzz --subject lib:out/unit.so --only POPC --cases 1000000\n";
    assert_eq!(stdout(&made), format!("popcount is in out/unit.so\n4 modes: POPC\n{next}"));
    let checked = assay_in(folder, &["dut", "check", "lib:out/unit.so"]);
    assert_eq!(status(&checked), 0, "{}", stdout(&checked));
    let right = fuzz(folder, &["POPC"], "100000");
    assert_eq!(status(&right), 0, "{}{}", stdout(&right), stderr(&right));
    for (name, from, to) in [
        ("popcount.yaml", "latency: 2", "latency: 1"),
        ("popcount.yaml", "{port: y}", "{port: y, bits: '4:0'}"),
        ("popcount.sv", "word[8*i +: 8]", "word[8*i +: 7]"),
    ] {
        let folder = examples();
        change(folder.path(), name, from, to);
        let made = build(folder.path(), "popcount");
        assert_eq!(status(&made), 0, "{to}: {}", stderr(&made));
        assert_eq!(status(&fuzz(folder.path(), &["POPC"], "20000")), 1, "{to}");
    }
}

#[test]
fn a_unit_with_a_handshake_is_a_device_and_its_faults_are_found() {
    if !has_verilator() {
        return;
    }
    for (fault, held, shown) in [
        (0, 0, ""),
        (1, 1, "found POPC | rd: wrong value"),
        (2, 1, "the unit withdrew a result that was not taken yet"),
        (3, 1, "the unit gives no result"),
    ] {
        let folder = examples();
        change(folder.path(), "elastic.yaml", "clock:", &format!("parameters: {{FAULT: {fault}}}\nclock:"));
        let made = build(folder.path(), "elastic");
        assert_eq!(status(&made), 0, "{fault}: {}", stderr(&made));
        let ended = fuzz(folder.path(), &["POPC", "FSEL"], "100000");
        let said = format!("{}{}", stdout(&ended), words(&ended));
        assert_eq!(status(&ended), held, "{fault}: {said}");
        assert!(said.contains(shown), "{fault}: {said}");
    }
}

#[test]
fn the_json_keeps_to_its_schema_and_another_encoding_table_is_refused() {
    if !has_verilator() {
        return;
    }
    let folder = examples();
    let folder = folder.path();
    let numbers = fs::read_to_string(root().join("harness/isa/src/numbers.toml")).expect("the table");
    let line = numbers.lines().find(|line| line.starts_with("F16 =")).expect("a code");
    fs::write(folder.join("numbers.toml"), numbers.replace(line, "F16 = 7")).expect("a file");
    let made = assay_in(
        folder,
        &[
            "rtl",
            "popcount.sv",
            "--map",
            "popcount.yaml",
            "--out",
            "out",
            "--numbers",
            "numbers.toml",
            "--format",
            "json",
        ],
    );
    assert_eq!(status(&made), 0, "{}", stderr(&made));
    check_schema("rtl", &json(&made));
    let refused = fuzz(folder, &["POPC"], "1000");
    assert_eq!(status(&refused), 3);
    assert!(words(&refused).contains("another encoding table"), "{}", words(&refused));
}

#[test]
fn a_unit_that_does_not_fit_its_map_is_refused() {
    if !has_verilator() {
        return;
    }
    for (name, from, to, shown) in [
        ("popcount.yaml", "{a: 0}", "{b: 0}", "popcount.yaml: line 6: `operations[0].operands.b` names `b`"),
        ("popcount.yaml", "  set: {invert: 0}\n", "", "no value for the input `invert`"),
        ("popcount.yaml", "clock: clk", "clock: clk\nsources: [no.sv]", "line 3: `sources` names `no.sv`"),
        ("popcount.yaml", "clock: clk", "clock: clk\ntop: other", "verilator refused the unit"),
        ("popcount.sv", "endmodule", "endmodul", "verilator refused the unit: %Error: "),
    ] {
        let folder = examples();
        change(folder.path(), name, from, to);
        let refused = build(folder.path(), "popcount");
        assert_eq!(status(&refused), 2, "{to}");
        assert!(words(&refused).contains(shown), "{to}: {}", words(&refused));
    }
}

#[test]
fn a_wrong_map_and_a_missing_verilator_are_named() {
    let folder = examples();
    let folder = folder.path();
    let run = |arguments: &[&str]| {
        let ended = command(folder, arguments).env("PATH", folder).output().expect("assay starts");
        (status(&ended), words(&ended))
    };
    fs::create_dir_all(folder.join("mine/unit.build")).expect("a folder");
    let (ended, said) = run(&["rtl", "popcount.sv", "--map", "popcount.yaml", "--out", "mine"]);
    assert!(ended == 2 && said.contains("mine/unit.build: was not made by `assay rtl`"), "{said}");
    let (ended, said) = run(&["rtl", "popcount.sv", "--map", "popcount.yaml"]);
    assert_eq!(ended, 3, "{said}");
    assert!(said.contains("`verilator` is not installed"), "{said}");
    assert!(said.contains("apt-get install verilator make g++"), "{said}");
    for (arguments, shown) in [
        (["rtl", "none.sv", "--map", "popcount.yaml"], "none.sv: "),
        (["rtl", "popcount.sv", "--map", "none.yaml"], "none.yaml: "),
        (["rtl", "popcount.sv", "--map", "popcount.sv"], "popcount.sv: line "),
    ] {
        let (ended, said) = run(&arguments);
        assert_eq!(ended, 2, "{said}");
        assert!(said.contains(shown), "{said}");
    }
}
