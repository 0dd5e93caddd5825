//! The parsers in `examples/instruction-text` split generated instructions as their parts say.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use assay_engine::generate::{Scope, from_stream};
use assay_isa::{Batch, EncodingTable, Instruction, asm};
use assay_testing::skip;
use assay_vectors::{IndexedParts, InstructionParts, OperandParts};

use crate::support::{compile, has, root};

/// Number of generated instructions.
const INSTRUCTIONS: u64 = 100_000;

/// Returns generated instructions with the text that the page describes. vISA's BFN has another.
fn instructions() -> Vec<Instruction> {
    let scope = Scope::filtered(|mode| mode.optype() != "BFN");
    let (mut bytes, mut batch) = (Vec::new(), Batch::default());
    let mut drawn = |index| {
        let numbers = EncodingTable::provisional();
        from_stream((1, index), numbers, 1, &mut bytes, &mut batch, |u| scope.instruction(u)).expect("drawn")
    };
    (0..INSTRUCTIONS).map(&mut drawn).collect()
}

/// Gives a program the text of each instruction. Returns its lines.
fn parsed(mut command: Command, instructions: &[Instruction]) -> Vec<String> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let text: String = instructions.iter().map(|it| asm::print(it) + "\n").collect();
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("no panic").expect("the program reads all lines");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

/// Asserts that a line has the parts of an instruction.
fn check(line: &str, instruction: &Instruction) {
    let parts = InstructionParts::of(instruction);
    let text = asm::print(instruction);
    let fields: Vec<&str> = line.split('\t').collect();
    let [guard, optype, modifiers, operands @ ..] = &fields[..] else { panic!("{text}: {line}") };
    let expected = parts.guard.as_ref().map_or(String::new(), |guard| {
        let always = if guard.name.starts_with('u') { "UPT" } else { "PT" };
        let name = guard.at[0].as_deref().unwrap_or(always);
        format!("{}{name}", if guard.not { "!" } else { "" })
    });
    let mnemonic =
        [*optype, *modifiers].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(".");
    assert_eq!(mnemonic, asm::mnemonic(instruction));
    // UIMAD.WIDE is the optype UIMAD_WIDE.
    let (name, rest) = parts.optype.split_once('_').unwrap_or((&parts.optype, ""));
    let modifiers = modifiers.strip_prefix(rest).unwrap_or_else(|| panic!("{text}: {modifiers}"));
    assert_eq!((*guard, *optype), (&expected[..], name), "{text}");
    let known: BTreeSet<&str> = parts.modifiers.values().map(String::as_str).collect();
    let unknown: Vec<&str> =
        modifiers.split('.').filter(|it| !it.is_empty() && !known.contains(it)).collect();
    assert!(unknown.is_empty(), "{text}: {unknown:?} of {known:?}");
    // An operand that the text omits has no storage and no prefix.
    let mut expected = parts.outputs.iter().chain(&parts.inputs);
    for operand in operands {
        let is_it = |parts: &&OperandParts| {
            let is_it = is_operand(operand, parts);
            assert!(
                is_it || parts.at.iter().all(Option::is_none) && !parts.not,
                "{text}: {operand} {parts:?}"
            );
            is_it
        };
        assert!(expected.find(is_it).is_some(), "{text}: {operand} of {parts:?}");
    }
    assert!(expected.all(|parts| parts.at.iter().all(Option::is_none)), "{text}: {line}");
}

/// Whether a field of a parser's line is an operand.
fn is_operand(field: &str, parts: &OperandParts) -> bool {
    let OperandParts { at, literal, indexed, neg, abs, bitnot, not, select, .. } = parts;
    let signs = [(neg, "-"), (bitnot, "~"), (not, "!"), (abs, "|")];
    let signs: String = signs.iter().filter(|(is_set, _)| **is_set).map(|(_, sign)| *sign).collect();
    // The text omits the lowest byte, which is the default.
    let select = select.as_deref().filter(|select| *select != "B0");
    let select = select.map_or(String::new(), |select| format!(".{select}"));
    let locations: Vec<&str> = at.iter().flatten().map(String::as_str).collect();
    let has_first_alone = |first: &&str| first.starts_with("c[") || first.starts_with("SR_");
    // The text of a constant or a special register has its first word alone.
    let shown = if locations.first().is_some_and(has_first_alone) {
        locations[0].to_owned()
    } else {
        locations.join("+")
    };
    let names = literal.clone().unwrap_or(shown);
    let names = indexed.as_ref().map_or(names, indexed_text);
    field == format!("{signs}{names}{select}")
}

/// Returns the text of a location that depends on a register. Without a register, and for an offset
/// in the lower half of a bank, it is that of a constant.
fn indexed_text(IndexedParts { bank, base, offset }: &IndexedParts) -> String {
    let bits = u32::from_str_radix(&offset[2..], 16).expect("hexadecimal");
    let count: u32 = if bank.is_some() { 1 << 17 } else { 1 << 7 };
    let added = match bits {
        0 => String::new(),
        _ if bits < count / 2 => format!("+{bits:#x}"),
        _ => format!("-{:#x}", count - bits),
    };
    match (bank, base) {
        (Some(bank), None) if bits < count / 2 => format!("c[{bank}][{bits:#x}]"),
        (Some(bank), base) => format!("c[{bank:#x}][{}{added}]", base.as_deref().unwrap_or("URZ")),
        (None, base) => format!("UR[{}{added}]", base.as_deref().unwrap_or("URZ")),
    }
}

#[test]
fn the_parsers_of_the_page_split_generated_instructions() {
    if !has("cc") || !has("python3") {
        return skip("page-tools", "the parsers of instruction text: there is no cc or no python3");
    }
    let folder = root().join("examples/instruction-text");
    let instructions = instructions();
    let mut python = Command::new("python3");
    python.arg(folder.join("parse.py"));
    let of_python = parsed(python, &instructions);
    assert_eq!(of_python.len() as u64, INSTRUCTIONS);
    of_python.iter().zip(&instructions).for_each(|(line, instruction)| check(line, instruction));
    let built = tempfile::tempdir().expect("a folder");
    let program = built.path().join("parse");
    let flags = ["-O1", "-std=c99", "-Wall", "-Wextra", "-Werror"];
    compile(&flags, &[folder.join("parse.c")], &program);
    assert!(parsed(Command::new(program), &instructions) == of_python, "C and Python differ");
}
