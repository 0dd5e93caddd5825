//! Tests that what `assay eval`, `replay` and `ver` state about a case is true, and that they read
//! values in the forms that users write.

use std::fs;

use crate::support::{assay, assay_in, status, stdout, words};

/// The explanation of a wrong answer names the modifier that replaces the exact value.
#[test]
fn a_modifier_that_decides_a_result_is_named() {
    for (asm, inputs, actual, said) in [
        (
            "FADD.SAT R0, R1, R2",
            &["R1=1.0", "R2=1.0"][..],
            "R0=2.0",
            "wrong, value: the exact R0 is 0x40000000 (2); .SAT limits it to 0x3f800000 (1)",
        ),
        ("FADD.SAT R0, R1, R2", &["R1=-1.0", "R2=0x1p-40"], "R0=-1.0", "; .SAT limits it to 0x00000000 (0)"),
        (
            "FMUL.FTZ R0, R1, R2",
            &["R1=0x00800000", "R2=0.5"],
            "R0=0x00400000",
            "wrong, flush: the exact R0 is 0x00400000 (5.877472e-39); .FTZ flushes it to 0x00000000 (0)",
        ),
        (
            "FFMA.FTZ.SAT R0, R1, R2, R3",
            &["R1=0x1p-100", "R2=0x1p-40", "R3=0.0"],
            "R0=1.0",
            "the exact R0 is 0x00000200 (7.17e-43); .FTZ flushes it to 0x00000000 (0)",
        ),
        (
            "MUFU.RCP.F32.SAT R0, R1",
            &["R1=0.5"],
            "R0=2.0",
            "the exact R0 is 0x40000000 (2); .SAT limits it to 0x3f800000 (1)",
        ),
        ("FADD R0, R1, R2", &["R1=1.0", "R2=2.0"], "R0=2.0", "R0 is exactly 0x40400000 (3)"),
        ("FADD.RP.SAT R0, R1, R2", &["R1=1.0", "R2=0x1p-30"], "R0=0.5", "; .SAT limits it to 0x3f800000 (1)"),
        (
            "FADD.RP.SAT R0, R1, R2",
            &["R1=1.0", "R2=-0x1p-30"],
            "R0=0.5",
            "RP takes the upper one: 0x3f800000 (1)",
        ),
        (
            "FMUL.FTZ.RP R0, R1, R2",
            &["R1=0x1p-100", "R2=0x1p-60"],
            "R0=1.0",
            "; .FTZ flushes it to 0x00000000 (0)",
        ),
        (
            "FMUL.FTZ.RM R0, R1, R2",
            &["R1=-0x1p-100", "R2=0x1p-60"],
            "R0=1.0",
            "; .FTZ flushes it to 0x80000000 (-0)",
        ),
        ("@P0 FADD R0, R1, R2", &["P0=0", "R1=1.0", "R2=2.0"], "R0=3.0", ": R0 must stay as it is"),
        (
            "MUFU.EX2.F16_V2 R0, R1",
            &["R1=(1.0,-30.0)"],
            "R0=0x1",
            "; R0 is exactly 0x4000 (2); the exact R0 is 9.31",
        ),
        (
            "FADD.RP R0, R1, R2",
            &["R1=1.0", "R2=0x1p-30"],
            "R0=1.0",
            "RP takes the upper one: 0x3f800001 (1.0000001)",
        ),
        (
            "FADD.SAT R0, R1, R2",
            &["R1=0.5", "R2=0x1p-30"],
            "R0=2.0",
            "round to nearest takes the nearer one: 0x3f000000 (0.5)",
        ),
    ] {
        let output = assay(&[&["eval", asm], inputs, &["--actual", actual]].concat());
        let text = stdout(&output);
        assert_eq!(status(&output), 1, "{text}");
        assert!(text.contains(said), "{asm}: {said}\n{text}");
    }
}

/// An instruction without a rounding mode has the contract `exact`.
#[test]
fn a_contract_without_rounding_is_exact() {
    for (asm, inputs, line) in [
        ("POPC R0, R1", &["R1=7"][..], "contract: exact"),
        ("FLO R0, R1", &["R1=7"], "contract: exact"),
        ("FMUL R0, R1, R2", &["R1=7.0", "R2=2.0"], "bound: every bit, a real result correctly rounded"),
    ] {
        let text = stdout(&assay(&[&["eval", asm], inputs].concat()));
        assert!(text.lines().any(|shown| shown == line), "{text}");
    }
}

#[test]
fn an_instruction_and_its_values_are_read_as_people_write_them() {
    for (arguments, said) in [
        (&["fadd r0, r1, r2", "r1=1.0", "R2=2.0"][..], "R0 = 0x40400000"),
        (&["fadd.ftz r0, -r1, 0x1p-3", "r1=1.0"], "R0 = 0xbf600000"),
        (&["FSEL R0, R1, R2, P1", "R1=1.0", "R2=2.0", "P1=1"], "R0 = 0x3f800000"),
        (&["FSEL R0, R1, R2, P1", "R1=1.0", "R2=2.0", "P1=0"], "R0 = 0x40000000"),
    ] {
        let output = assay(&[&["eval"], arguments].concat());
        assert_eq!(status(&output), 0, "{}", words(&output));
        assert!(stdout(&output).contains(said), "{}", stdout(&output));
    }
}

#[test]
fn values_that_were_likely_meant_otherwise_are_reported() {
    let short = assay(&["eval", "FADD R0, R1, R2", "R1=0x7f80000", "R2=2.0"]);
    let warning = "R1=0x7f80000 is taken as bits: it has fewer than eight digits and is 0x07f80000";
    assert!(words(&short).contains(warning), "{}", words(&short));
    let capital = assay(&["eval", "FADD R0, R1, R2", "R1=0X7F80000", "R2=2.0"]);
    assert!(words(&capital).contains("has fewer than eight digits"), "{}", words(&capital));
    let whole = assay(&["eval", "FADD R0, R1, R2", "R1=0x07f80000", "R2=0x00000"]);
    assert!(!words(&whole).contains("warning"), "{}", words(&whole));
    let typeless = assay(&["eval", "FADD R0, R1, R2", "R1=1.0", "R2=2.0", "--actual", "R5=3.0"]);
    let refusal = "`FADD R0, R1, R2` neither reads nor writes R5, so `3.0` has no type";
    assert!(status(&typeless) == 2 && words(&typeless).contains(refusal), "{}", words(&typeless));
    // The instruction reads R1, so a value for R1 has a type. If the device wrote such a location,
    // the value is judged.
    let source = assay(&["eval", "FADD R0, R1, R2", "R1=1.0", "R2=2.0", "--actual", "R0=3.0", "R1=1.5"]);
    assert!(stdout(&source).contains("R1 must stay as it is"), "{}", words(&source));
}

/// The last line for a case with a wrong expectation states that the expectation is wrong.
#[test]
fn a_false_expectation_stands_in_the_last_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = "{version: 1, suite: s, about: a, cases: [{name: c, asm: 'POPC R0, R1', inputs: {R1: '0x00000007'}, \
                 expect: {R0: '0x00000004'}, provenance: {source: hand}}]}\n";
    fs::write(folder.path().join("s.yaml"), suite).expect("a suite");
    let replayed = assay_in(folder.path(), &["replay", "s.yaml"]);
    assert_eq!(status(&replayed), 1);
    let text = stdout(&replayed);
    let last = text.lines().rfind(|line| !line.is_empty()).expect("a line");
    assert_eq!(last, "verdict: exact; the expectation of the case is wrong under profile intended", "{text}");
}

/// A selection accepts an optype by its mnemonic.
#[test]
fn an_optype_is_selected_by_its_mnemonic() {
    let modes = |only: &str| stdout(&assay(&["gen", "--only", only, "--modes"]));
    assert!(modes("UIMAD.WIDE").contains("UIMAD_WIDE"), "{}", modes("UIMAD.WIDE"));
    assert_eq!(modes("UIMAD.WIDE"), modes("UIMAD_WIDE"));
    assert!(!modes("UIMAD.*").contains("UIMAD_WIDE"), "{}", modes("UIMAD.*"));
}

/// Each kind of instruction and location can be written in small letters.
#[test]
fn instructions_and_locations_are_read_in_small_letters() {
    for (text, values, result) in [
        ("s2r r0, sr_laneid", &["sr_laneid=3"][..], "R0 = 0x00000003"),
        ("fadd r0, r1, c[0][4]", &["r1=1.0", "C[0X0][0X4]=2.0"], "R0 = 0x40400000"),
        (
            "bfn.x80.ud (1) v0 v1 v2 v3",
            &["v1.chan0=3", "v2.chan0=3", "V3.CHAN0=1", "em=1"],
            "V0.chan0 = 0x00000001",
        ),
    ] {
        let output = assay(&[&["eval", text], values].concat());
        assert_eq!(status(&output), 0, "{text}: {}", words(&output));
        assert!(stdout(&output).contains(result), "{text}: {}", stdout(&output));
    }
    // The error is about the instruction, and not about the small letters.
    let wrong = words(&assay(&["eval", "mufu.rcp r0, q1", "r1=1.0"]));
    assert!(wrong.contains("there is no Q1") && wrong.contains("mufu.rcp r0, q1"), "{wrong}");
}

#[test]
fn a_sweep_of_a_pattern_names_what_to_write() {
    let refused = assay(&["sweep", "mufu.*"]);
    assert!(
        status(&refused) == 2 && words(&refused).contains("or `sweep mufu` for all"),
        "{}",
        words(&refused)
    );
}
