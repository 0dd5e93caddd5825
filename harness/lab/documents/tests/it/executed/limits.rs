//! Documents that loop, recurse or grow end in bounded time and memory, with the place of the
//! error.

use std::time::{Duration, Instant};

use assay_documents::eval::Reason;
use assay_isa::Location;

use super::{BEFORE, FIRST_LINE, HEAD, WORD, document, evaluator, run, run_prepared};

#[test]
fn what_does_not_end_stops() {
    for (statements, line, is_it) in [
        (
            "while (true) {\n    x = 1;\n}",
            0,
            (|reason| matches!(reason, Reason::TooLong(_))) as fn(&Reason) -> bool,
        ),
        ("for (i = 0; i >= 0; i++) {\n    x = i;\n}", 0, |reason| matches!(reason, Reason::TooLong(_))),
        ("x = Ra;\nwhile (x > 0) {\n    x = x * x;\n}", 2, |reason| *reason == Reason::TooLarge),
        ("x = Ra;\nwhile (x > 0) {\n    x <<= 64;\n}", 2, |reason| *reason == Reason::TooLarge),
        ("Rd = Ra << 5000;", 0, |reason| *reason == Reason::TooLarge),
        ("Rd = Ra << (0 - 1);", 0, |reason| *reason == Reason::TooLarge),
        ("Rd = Ra / (SrcB - 1);", 0, |reason| *reason == Reason::DivisionByZero),
        ("Rd = Ra % (SrcB - 1);", 0, |reason| *reason == Reason::DivisionByZero),
        ("Rd = mod(Ra, SrcB - 1);", 0, |reason| *reason == Reason::DivisionByZero),
        ("Rd = Ra[5000];", 0, |reason| *reason == Reason::IndexBeyond),
        ("Rd = Ra[0-1:0];", 0, |reason| *reason == Reason::IndexBeyond),
        ("Rd[40:30] = Ra;", 0, |reason| *reason == Reason::IndexBeyond),
        ("c[0] = Ra;\nRd = c[1];", 1, |reason| *reason == Reason::IndexBeyond),
        ("c[100000000000] = Ra;", 0, |reason| *reason == Reason::IndexBeyond),
    ] {
        let start = Instant::now();
        let (at, reason) = run(statements, 3, 1).unwrap_err();
        assert!(is_it(&reason), "{statements}: {reason:?}");
        assert_eq!(at, FIRST_LINE + line, "{statements}");
        assert!(start.elapsed() < Duration::from_secs(5), "{statements}");
    }
}

#[test]
fn recursion_stops() {
    let text = document("Rd = f(Ra);")
        .replace("\n```\n\n__DefOpcode", "\n```\n```\nf(x):\n  return f(x + 1);\n```\n\n__DefOpcode");
    let prepared = evaluator(&text, &[]).prepare(WORD).unwrap();
    let values = [(Location::R(1), 1)];
    assert_eq!(run_prepared(&prepared, &values).map_err(|(_, reason)| reason), Err(Reason::TooDeep));
}

/// An error in one instruction leaves the others as they are.
#[test]
fn the_rest_goes_on() {
    let other = document("Rd = Ra + 1;").replace("__DefOptype T", "__DefOptype U").replace("[T]", "[U]");
    let other = other.replace("T_R", "U_R").replace("T.mode", "U.mode");
    let other = &other[other.find("__DefOptype U").unwrap()..];
    let text = document("Rd = = = ;").replace("__DefOpcode T_R", &format!("{other}\n__DefOpcode T_R"));
    let specification = assay_documents::eval::Specification::read([("t.txt", text.as_str())]);
    assert_eq!(specification.errors(), []);
    // `U` comes first, and no field distinguishes the forms.
    let prepared = evaluator(&text, &[(11, 2)]).prepare(WORD).unwrap();
    assert_eq!(prepared.optype(), "U");
    assert_eq!(run_prepared(&prepared, &[(Location::R(1), 4)]).unwrap()[&Location::R(0)], 5);
}

/// Documents of ten megabytes are read, compiled and executed in time in proportion.
#[test]
fn ten_megabytes_end() {
    const SIZE: usize = 10 << 20;
    let line = "    x = (x + 1) & 0xff;\n";
    let texts = [
        ("statements", format!("{BEFORE}{HEAD}    x = 0;\n{}", line.repeat(SIZE / line.len())), true),
        ("an expression", format!("{BEFORE}{HEAD}    Rd = {}1;\n", "1 + ".repeat(SIZE / 4)), false),
        ("brackets", format!("{BEFORE}{HEAD}    Rd = {}1;\n", "(".repeat(SIZE)), false),
        ("points", format!("{BEFORE}{HEAD}    Rd = a{};\n", ".a".repeat(SIZE / 2)), false),
        ("a number", format!("{BEFORE}{HEAD}    Rd = {};\n", "9".repeat(SIZE)), false),
        ("blocks", format!("{BEFORE}{HEAD}    {}x = 1;\n", "if (Ra) { ".repeat(SIZE / 10)), false),
        ("a head", format!("{BEFORE}T Rd{}:\n    Rd = 1;\n", ", Ra".repeat(SIZE / 4)), false),
        (
            "routines",
            format!("{BEFORE}{}", "T Rd, pu, Ra, SrcB, pp:\n    Rd = 1;\n".repeat(SIZE / 36)),
            false,
        ),
    ];
    for (what, mut text, is_long) in texts {
        text.push_str(super::AFTER);
        let start = Instant::now();
        let ended = evaluator(&text, &[])
            .prepare(WORD)
            .map(|prepared| run_prepared(&prepared, &[(Location::R(1), 1), (Location::R(2), 1)]));
        if is_long {
            assert!(matches!(ended, Ok(Err((_, Reason::TooLong(_))))), "{what}: {ended:?}");
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{what} takes {:?}", start.elapsed());
    }
}
