//! Every construct of pseudo-code, with its value.

use assay_documents::eval::Reason;
use assay_isa::Location;

use super::{FIRST_LINE, WORD, document, evaluator, run, run_mode, run_prepared};

/// Statements, R1, R2, and what they write to R0.
const VALUES: &[(&str, u32, u32, u32)] = &[
    // Operators, with the precedence of C.
    ("Rd = Ra + SrcB;", 1, 2, 3),
    ("Rd = Ra - SrcB;", 1, 2, u32::MAX),
    ("Rd = Ra * SrcB + 1;", 0x1_0000, 0x1_0000, 1),
    ("Rd = (Ra * SrcB) >> 32;", 0x1_0000, 0x3_0000, 3),
    ("Rd = Ra / SrcB;", 7, 2, 3),
    ("Rd = Ra % SrcB;", 7, 4, 3),
    ("Rd = Ra << 4 | SrcB & 0xf;", 1, 0xff, 0x1f),
    ("Rd = Ra ^ SrcB;", 6, 3, 5),
    ("Rd = ~Ra;", 0, 0, u32::MAX),
    ("Rd = -Ra;", 1, 0, u32::MAX),
    ("Rd = !Ra;", 5, 0, 0),
    ("Rd = +Ra;", 5, 0, 5),
    ("Rd = |Ra|;", 0xffff_fffe, 0, 2),
    ("x = 0 - Ra;\nRd = |x|;", 7, 0, 7),
    ("Rd = Ra == SrcB;", 4, 4, 1),
    ("Rd = Ra != SrcB;", 4, 4, 0),
    ("Rd = Ra < SrcB;", u32::MAX, 0, 0),
    ("Rd = Ra >= SrcB;", u32::MAX, 0, 1),
    ("Rd = Ra <= SrcB && Ra > 1;", 2, 3, 1),
    ("Rd = Ra == 9 || SrcB == 9;", 0, 9, 1),
    // Integers have no bound between assignments.
    ("t = Ra + SrcB;\nRd = t > 4294967295;", u32::MAX, 1, 1),
    ("t = (Ra << 300) >> 299;\nRd = t;", 3, 0, 6),
    ("Rd = mod(0 - Ra, 5);", 1, 0, 4),
    // Choices, and a second operand that is not evaluated.
    ("Rd = Ra > SrcB ? Ra : SrcB;", 3, 9, 9),
    ("Rd = pp ? Ra : SrcB;", 3, 9, 3),
    ("Rd = SrcB == 0 || Ra / SrcB == 2;", 4, 0, 1),
    ("Rd = SrcB == 0 ? 7 : Ra / SrcB;", 4, 0, 7),
    // Bits and ranges, in either order.
    ("Rd = Ra[15:8];", 0x1234, 0, 0x12),
    ("Rd = Ra[8:15];", 0x1234, 0, 0x12),
    ("Rd = Ra[2];", 4, 0, 1),
    ("Rd = Ra[SrcB-1:0];", 0xff, 3, 7),
    ("Rd[7:0] = Ra;", 0x1234, 0, 0xaaaa_aa34),
    ("Rd[15:0] = Ra;\nRd[31:16] = SrcB;", 0x1234, 0x5678, 0x5678_1234),
    ("Rd[31:0] = Ra;", 0x1234, 0, 0x1234),
    ("t = 0;\nt[3] = 1;\nRd = t;", 0, 0, 8),
    ("UINT64 t;\nt[63:32] = Ra;\nt[31:0] = SrcB;\nRd = t >> 28;", 0x5, 0xf000_0000, 0x5f),
    // Declarations.
    ("UINT8 t = Ra;\nRd = t;", 0x1ff, 0, 0xff),
    ("INT8 t = Ra;\nRd = t < 0;", 0x80, 0, 1),
    ("INT32 t = Ra;\nRd = t >> 4;", 0x8000_0000, 0, 0xf800_0000),
    ("UINT32 t;\nRd = t;", 1, 0, 0),
    ("Rd = INT32(Ra) < UINT32(SrcB);", u32::MAX, 0, 1),
    // Updates, chains and lists.
    ("t = Ra;\nt += 2;\nt <<= 1;\nt ^= 1;\nRd = t;", 1, 0, 7),
    ("t = Ra;\nt++;\nt++;\nt--;\nRd = t;", 1, 0, 2),
    ("SrcB >>= 1;\nRd = SrcB;", 0, 9, 4),
    ("x = y = z = Ra + 1;\nRd = x + y + z;", 1, 0, 6),
    ("c[0] = c[2] = Ra;\nc[1] = 5;\nRd = c[0] + c[1] + c[2];", 1, 0, 7),
    ("c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7] = unpackByte2Bits(Ra);\nRd = c[1] + c[7];", 0x82, 0, 2),
    // Branches, with braces and by indentation.
    ("if (Ra == 1) {\n    Rd = 5;\n} else if (Ra == 2) {\n    Rd = 6;\n} else {\n    Rd = 7;\n}", 2, 0, 6),
    ("if (Ra == 1)\n    x = 5;\n    y = 6;\nelse\n    x = 1;\n    y = 2;\nRd = x + y;", 1, 0, 11),
    ("if (Ra == 1)\n    x = 5;\n    y = 6;\nelse\n    x = 1;\n    y = 2;\nRd = x + y;", 0, 0, 3),
    // Loops.
    ("n = 0;\nwhile (Ra != 0) {\n    n += Ra & 1;\n    Ra >>= 1;\n}\nRd = n;", 0xf0f, 0, 8),
    ("s = 0;\nfor (i = 0; i < 5; i++) {\n    s += i;\n}\nRd = s;", 0, 0, 10),
    (
        "s = 0;\nfor (i = 0; i < 9; i++) {\n    if (i == 3) {\n        continue;\n    }\n    if (i == 5) {\n        break;\n    }\n    s += i;\n}\nRd = s;",
        0,
        0,
        7,
    ),
    (
        "s = 0;\nfor (i = 3; i >= 0; i--) {\n    for (j = 0; j < i; j++) {\n        s++;\n    }\n}\nRd = s;",
        0,
        0,
        6,
    ),
    // `switch` falls through.
    (
        "switch (Ra) {\n    case 1:\n        Rd = 1;\n        break;\n    case 2:\n        Rd = 2;\n    default:\n        Rd = 3;\n}",
        1,
        0,
        1,
    ),
    (
        "x = 0;\nswitch (Ra) {\n    case 1:\n        x += 1;\n    case 2:\n        x += 2;\n    default:\n        x += 4;\n}\nRd = x;",
        2,
        0,
        6,
    ),
    (
        "x = 0;\nswitch (Ra) {\n    case 1:\n        x += 1;\n    default:\n        x += 4;\n}\nRd = x;",
        9,
        0,
        4,
    ),
    // `return` ends the routine.
    ("Rd = 1;\nif (Ra == 1) {\n    return;\n}\nRd = 2;", 1, 0, 1),
    // Functions of three inputs.
    ("F = getFunctionFromTable(0x96);\nRd = F(Ra, SrcB, 0);", 0xff00, 0x0ff0, 0xf0f0),
    // Literals and truth values.
    ("Rd = 0x10 + 16;", 0, 0, 32),
    ("Rd = true + (Ra == 1 ? true : false);", 1, 0, 2),
];

#[test]
fn statements_have_their_values() {
    for (statements, a, b, expected) in VALUES {
        // E013 = 2 defines functions by a truth table.
        let text = document(statements);
        let prepared = evaluator(&text, &[(11, 2), (12, 2), (13, 2)]).prepare(WORD).expect(statements);
        let values =
            [(Location::R(0), 0xaaaa_aaaa), (Location::R(1), *a), (Location::R(2), *b), (Location::P(1), 1)];
        let ended = run_prepared(&prepared, &values);
        let found = ended.as_ref().map(|writes| writes.get(&Location::R(0)).copied());
        assert_eq!(found, Ok(Some(*expected)), "{statements}");
    }
}

#[test]
fn modifiers_select_values_and_operators() {
    let by_value = "if (.mode == .LOW) {\n    Rd = 1;\n} else {\n    Rd = 2;\n}";
    let by_operator = "Rd = Ra mode SrcB;";
    let of = |statements, mode, a, b| run_mode(statements, mode, a, b).map(|writes| writes[&Location::R(0)]);
    assert_eq!([of(by_value, 0, 0, 0), of(by_value, 1, 0, 0)], [Ok(1), Ok(2)]);
    assert_eq!([of(by_operator, 0, 1, 2), of(by_operator, 0, 2, 1)], [Ok(1), Ok(0)]);
    assert_eq!([of(by_operator, 1, 0, 7), of(by_operator, 1, 0, 0)], [Ok(1), Ok(0)]);
    assert_eq!(of(by_operator, 2, 1, 2), Err((FIRST_LINE, Reason::NoOperator("BOTH".into()))));
}

#[test]
fn predicates_are_written_and_a_false_guard_writes_nothing() {
    let statements = "Rd = Ra;\npu = Ra > SrcB ? true : false;";
    let text = document(statements);
    let evaluator = evaluator(&text, &[(11, 2)]);
    let values =
        |guard| [(Location::R(1), 5), (Location::R(2), 3), (Location::P(1), 1), (Location::P(2), guard)];
    let written = run_prepared(&evaluator.prepare(WORD).unwrap(), &values(0)).unwrap();
    assert_eq!(written.into_iter().collect::<Vec<_>>(), [(Location::R(0), 5), (Location::P(0), 1)]);
    let guarded = WORD & !(0xf << 12) | 2 << 12;
    for (word, guard, count) in [(guarded, 1, 2), (guarded, 0, 0), (guarded | 1 << 15, 0, 2)] {
        let prepared = evaluator.prepare(word).unwrap();
        assert_eq!(run_prepared(&prepared, &values(guard)).unwrap().len(), count, "{guard}");
    }
    // RZ and PT have no storage.
    let discarded = WORD | 0xff << 16 | 7 << 106;
    assert!(run_prepared(&evaluator.prepare(discarded).unwrap(), &values(0)).unwrap().is_empty());
}

/// E011 and E012: statements act on registers one after the other, or on copies.
#[test]
fn sources_are_latched_or_not() {
    // R0 is `Ra` and `Rd`.
    let same = WORD & !(0xff << 24);
    let values = [(Location::R(0), 5), (Location::R(2), 3), (Location::P(1), 1)];
    let text = document("Rd = Ra + SrcB;\nRd = Rd + Ra;");
    for (setting, expected) in [(1, 16), (2, 13)] {
        let prepared = evaluator(&text, &[(11, setting), (12, 2)]).prepare(same).unwrap();
        assert_eq!(run_prepared(&prepared, &values).unwrap()[&Location::R(0)], expected, "E011 = {setting}");
    }
    let text = document("SrcB = SrcB + 1;\nRd = SrcB;");
    for (setting, expected) in [(1, Some(4)), (2, None)] {
        let prepared = evaluator(&text, &[(11, 2), (12, setting)]).prepare(same).unwrap();
        let written = run_prepared(&prepared, &values).unwrap();
        assert_eq!((written[&Location::R(0)], written.get(&Location::R(2)).copied()), (4, expected));
    }
}

#[test]
fn text_that_cannot_run_stops_with_its_line() {
    let name = |name: &str| Reason::UndefinedName(name.to_owned());
    for (statements, line, reason) in [
        ("Rd = nothing;", 0, name("nothing")),
        ("x = Ra;\nRd = x + y;", 1, name("y")),
        ("n = 0;\nwhile (Ra != 0) {\n    a >>= 1;\n}", 2, name("a")),
        ("Rd = f(Ra);", 0, Reason::UndefinedFunction("f".into())),
        ("Rd = ;", 0, Reason::Missing),
        ("Rd = Ra ? 1 : 2 : 3;", 0, Reason::Missing),
        ("Rd = min(Ra, );", 0, Reason::Missing),
        ("Rd = {Ra, SrcB};", 0, Reason::Missing),
        ("Rd = mod(Ra);", 0, Reason::Arguments { name: "mod".into(), expected: 2, found: 1 }),
        ("Rd = .LOW + 1;", 0, Reason::Mismatch("this is not a number")),
        ("Rd = isNAN(Ra);", 0, Reason::Mismatch("this is not a binary32 number")),
        ("FLOAT t = Ra;", 0, Reason::Mismatch("the type is not known")),
        ("f(Ra) = 1;", 0, Reason::Mismatch("this cannot be assigned")),
        ("x, y = Ra;", 0, Reason::Mismatch("several targets take a list")),
        ("x, y = unpackByte2Bits(Ra);", 0, Reason::Mismatch("the list has another length")),
    ] {
        assert_eq!(run(statements, 1, 1), Err((FIRST_LINE + line, reason)), "{statements}");
    }
    // What is not reached does not stop.
    assert!(run("if (Ra == 9) {\n    Rd = nothing;\n}", 1, 1).is_ok());
}

#[test]
fn functions_of_the_text_are_called() {
    let text = document("Rd = twice(Ra) + SrcB;\n").replace(
        "\n```\n\n__DefOpcode",
        "\n```\n```\ntwice(x):\n  y = x + x;\n  return (y);\n```\n\n__DefOpcode",
    );
    let prepared = evaluator(&text, &[(11, 2)]).prepare(WORD).unwrap();
    let values = [(Location::R(1), 21), (Location::R(2), 1)];
    assert_eq!(run_prepared(&prepared, &values).unwrap()[&Location::R(0)], 43);
}
