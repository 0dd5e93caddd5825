//! No text makes the reader panic, and none makes it slow.

mod common;

use std::fmt::Write;
use std::time::{Duration, Instant};

use assay_spec::{Document, declarations, extract, parse, resolve};
use proptest::prelude::*;

/// Reads a text as far as it goes, and holds what is true of any text.
fn survive(text: &str) {
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

/// Pieces of the language, and some that almost are.
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
        let mut text: Vec<char> = common::write(&declared).chars().collect();
        for (at, cut, piece) in edits {
            let at = at.index(text.len());
            let end = (at + cut).min(text.len());
            text.splice(at..end, piece.chars());
        }
        survive(&text.into_iter().collect::<String>());
    }
}

/// Far more than a linear reader needs on a busy machine, far less than a quadratic one.
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

/// The same declarations under other names.
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
    let copy = common::write(&declared);
    let copies = SIZE / copy.len() + 1;
    let text: String = (0..copies).map(|i| common::write(&renamed(&declared, i))).collect();
    assert!(text.len() >= SIZE);
    let facts = timed("definitions", || extract([("big", text.as_str())])).unwrap();
    assert_eq!(facts.forms.len(), 148 * copies);
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
        // Heirs multiply what they inherit, up to the limit that the reader sets: a tenth of the size will do.
        let size = if what == "heirs" { SIZE / 10 } else { SIZE };
        let text = head.to_owned() + &pattern.repeat(size / pattern.len());
        timed(what, || {
            let _ = extract([("big", text.as_str())]);
        });
    }
}
