//! No text makes the reader panic, or makes it slow.

use std::fmt::Write;
use std::time::{Duration, Instant};

use assay_documents::{DefinitionKind, Document, declarations, extract, lint, parse, resolve};
use proptest::prelude::*;

use crate::support;

/// Lints, parses and resolves a text. Checks that no step panics, and that every reported position
/// lies inside the text.
fn survive(text: &str) {
    for finding in lint::lint([("f", text)]) {
        assert!(text.get(finding.span.clone()).is_some(), "{finding}: {:?}", finding.span);
    }
    match parse("f", text) {
        Ok(document) => {
            let _ = resolve(&document);
        }
        Err(errors) => {
            let lines = text.lines().count();
            assert!(errors.iter().all(|error| (1..=lines).contains(&(error.at.line as usize))));
        }
    }
}

/// Generates pieces of the language, and text that resembles it.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "__DefGroup ",
        "__DefOptype ",
        "__DefOpcode ",
        "__DefBitFieldType ",
        "__Def",
        "__Encoding\n",
        "__OperandInfo\n",
        "__Exception\n",
        "__Syntax\n",
        "__Semantics\n",
        "__Examples\n",
        "A.x Rd, SrcB:\n",
        "    if (Rd == 1) {",
        "    Rd = SrcB[3:0] + (",
        "while (",
        "switch (.x) {",
        "case .A:",
        "?",
        ":",
        "|",
        "{",
        "}",
        "{.x}",
        "A{.x} Rd, {-}SrcB $s ;\n",
        ".x = {.A*, .B}\n",
        "| a | b |\n",
        "### COS\n",
        "mod(x, 3)",
        "TODO",
        "field<",
        "InList<",
        "Order<",
        "Bitwidth<",
        "AsmFormat<",
        "EncodingError<",
        "A",
        "b.c",
        " : [ALL]\n",
        " : [A]\n",
        "0",
        "127",
        "0xff",
        "99999999999999999999",
        ">",
        "<",
        ",",
        ";",
        ";\n",
        "=",
        "==",
        "[",
        "]",
        "\"",
        "//",
        "```",
        "```\n",
        "```asm\n",
        "\n",
        "\r\n",
        " ",
        "\t",
        "\u{feff}",
        "é",
        "值",
        "\u{2003}",
        "\0",
    ];
    prop::sample::select(pieces.to_vec()).prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text(text in "(?s).{0,400}") {
        survive(&text);
    }

    #[test]
    fn arbitrary_pieces(pieces in prop::collection::vec(piece(), 0..60)) {
        survive(&pieces.concat());
    }

    #[test]
    fn mutated_documents(edits in prop::collection::vec((any::<prop::sample::Index>(), 0..20usize, piece()), 1..8)) {
        let mut declared = declarations();
        declared.definitions.truncate(12);
        let mut text: Vec<char> = support::write(&declared).chars().collect();
        for (at, cut, piece) in edits {
            let at = at.index(text.len());
            let end = (at + cut).min(text.len());
            text.splice(at..end, piece.chars());
        }
        survive(&text.into_iter().collect::<String>());
    }
}

/// Time limit: far more than a linear reader needs on a busy machine, and far less than a quadratic
/// reader needs.
const PATIENCE: Duration = Duration::from_secs(30);

const SIZE: usize = 10 << 20;

fn timed<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = run();
    let took = start.elapsed();
    println!("{what}: {took:.2?}");
    assert!(took < PATIENCE, "{what} took {took:.2?}");
    result
}

/// Returns the declarations with a suffix on every name.
fn renamed(document: &Document, suffix: usize) -> Document {
    let mut document = document.clone();
    for ty in &mut document.types {
        write!(ty.name, "_{suffix}").unwrap();
    }
    for definition in &mut document.definitions {
        write!(definition.name, "_{suffix}").unwrap();
        if definition.parent != "ALL" {
            write!(definition.parent, "_{suffix}").unwrap();
        }
    }
    document
}

#[test]
fn ten_megabytes_of_definitions() {
    let declared = declarations();
    let copy = support::write(&declared);
    let copies = SIZE / copy.len() + 1;
    let text: String = (0..copies).map(|i| support::write(&renamed(&declared, i))).collect();
    assert!(text.len() >= SIZE);
    let facts = timed("definitions", || extract([("big", text.as_str())])).unwrap();
    assert_eq!(facts.forms.len(), declared.count(DefinitionKind::Form) * copies);
}

#[test]
fn ten_megabytes_of_trouble() {
    let head = "__DefOptype X : [ALL]\n__OperandInfo\n";
    let heavy = format!("AsmFormat<a> = {};\n", "x".repeat(8000));
    let patterns = [
        ("one quote", "", "\""),
        ("one list", "__DefOptype X : [ALL]\n__OperandInfo\nInList<a", ", C[a, b]"),
        ("fences", "", "```asm\n"),
        ("errors", "__DefOptype X : [ALL]\n__Encoding\n", "field<\n"),
        ("same name", "", "__DefGroup G : [ALL]\n"),
        ("same field", "__DefGroup G : [ALL]\n__Encoding\n", "field<0, 1> T a;\n"),
        ("heirs", &format!("{head}{heavy}"), "__DefOpcode Y : [X]\n"),
        ("facts", head, "Order<a>;\n"),
        ("values", "__DefBitFieldType T<64>\n", "A;\n"),
    ];
    for (what, head, pattern) in patterns {
        // Each heir repeats the inherited facts, up to the reader's limit. So a tenth of the size
        // is enough.
        let size = if what == "heirs" { SIZE / 10 } else { SIZE };
        let text = head.to_owned() + &pattern.repeat(size / pattern.len());
        timed(what, || {
            let _ = extract([("big", text.as_str())]);
        });
    }
}

/// Returns texts of about `size` bytes for which a linter could take quadratic time.
fn hostile(size: usize) -> Vec<(&'static str, String)> {
    let optype = "__DefOptype X : [ALL]\n__Encoding\nfield<0, 8> R ra;\n";
    let repeated = |head: &str, pattern: &str| head.to_owned() + &pattern.repeat(size / pattern.len());
    let numbered = |head: &str, line: fn(usize) -> String| {
        let mut text = head.to_owned();
        (0..)
            .map(line)
            .take_while(|line| {
                text.push_str(line);
                text.len() < size
            })
            .for_each(drop);
        text
    };
    let semantics = format!("{optype}__Semantics\n```\nX Ra:\n");
    vec![
        ("optypes", numbered("", |i| format!("__DefOptype X{i} : [ALL]\n"))),
        ("forms", numbered(optype, |i| format!("__DefOpcode X_{i} : [X]\n"))),
        (
            "types",
            numbered("__DefGroup G : [ALL]\n__Encoding\n", |i| {
                format!("field<{}, 1> T{i} a{i} = A;\n", i % 128)
            }),
        ),
        ("lines of syntax", repeated(&format!("{optype}__Syntax\n```\n"), "X{.A} ra, {-}SrcB $a ;\n")),
        ("one line of syntax", repeated(&format!("{optype}__Syntax\n```\nX"), "{.A}")),
        ("operands", repeated(&format!("{optype}__Syntax\n```\nX "), "Ra Rb[Rc+{1")),
        ("values", repeated(&format!("{optype}__Syntax\n```\nX.ra ;\n.ra = {{"), ".A, ")),
        (
            "examples",
            repeated(&format!("{optype}__Syntax\n```\nX Ra ;\n```\n__Examples\n```\n"), "X.A R1, R2 ;\n"),
        ),
        ("statements", repeated(&semantics, "    a = f(Ra);\n")),
        ("one line of code", numbered(&semantics, |i| format!("a = f{i}(b{i}); "))),
        ("routines", repeated(&semantics, "A:\n")),
        ("parentheses", repeated(&semantics, "(")),
        ("sums", repeated(&semantics, "a + ")),
        ("indices", repeated(&format!("{semantics} a"), "[0]")),
        ("conditions", repeated(&semantics, "if (a) { ")),
        ("loops", repeated(&semantics, "while (a) { b = 1; }\n")),
        ("choices", repeated(&format!("{semantics} a = "), "b ? c : ")),
        ("bars", repeated(&format!("{semantics} a = "), "| ")),
        ("rows", repeated(&format!("{optype}__ModifierInfo\n"), "| .A | .B |\n")),
        ("tables", repeated(&format!("{optype}__ModifierInfo\n"), "### A.B\n| a |\n\n")),
        ("links", repeated(&format!("{optype}__Description\n"), "[[a]] [b](c.md) .A ~")),
        ("formulas", repeated(&format!("{optype}__Description\n"), "a = b & c + d; ")),
        ("marks", repeated("", "// TODO\n")),
    ]
}

#[test]
fn the_linter_takes_time_in_proportion() {
    const SMALL: usize = 1 << 18;
    /// Maximum ratio of times for four times the text. Linear time gives 4, quadratic time 16.
    const RATIO: f64 = 8.0;
    const ROUNDS: usize = 10;
    let time = |text: &str| {
        let start = Instant::now();
        drop(lint::lint([("big", text)]));
        start.elapsed().as_secs_f64()
    };
    for ((what, small), (_, large)) in hostile(SMALL).into_iter().zip(hostile(4 * SMALL)) {
        // Other processes may slow a measurement. But quadratic time shows in every measurement.
        let mut ratios = (0..ROUNDS).map(|_| time(&large) / time(&small).max(0.02));
        let ratio = ratios.find(|ratio| *ratio < RATIO);
        assert!(ratio.is_some(), "{what}: {ROUNDS} times in a row more than {RATIO} times as long");
        println!("{what}: {:.1} times as long for four times as much", ratio.unwrap_or_default());
    }
}

#[test]
fn ten_megabytes_are_linted() {
    let declared = declarations();
    let copies = SIZE / support::write(&declared).len() + 1;
    let text: String = (0..copies).map(|i| support::write(&renamed(&declared, i))).collect();
    let findings = timed("documents", || lint::lint([("big", text.as_str())]));
    assert!(findings.len() > copies, "the linter gave up: {}", findings.len());
}
