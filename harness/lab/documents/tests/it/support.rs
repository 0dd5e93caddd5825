//! Writes declarations as specification text. So tests can read text like the documents, which the
//! repository cannot contain.

use std::fmt::Write;
use std::path::Path;

use assay_documents::{Body, Definition, DefinitionKind, Document, TypeFacts};
use assay_testing::skip;

/// Returns the known documents, sorted by name. If `ASSAY_SPEC_DIR` does not name their folder,
/// records that `check` is skipped, and returns `None`.
pub fn documents(check: &str) -> Option<Vec<(String, String)>> {
    let Some(folder) = std::env::var_os("ASSAY_SPEC_DIR") else {
        skip("documents", &format!("{check}: ASSAY_SPEC_DIR does not name the documents' folder"));
        return None;
    };
    let mut paths: Vec<_> =
        Path::new(&folder).read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    let read =
        |path: &std::path::PathBuf| (path.display().to_string(), std::fs::read_to_string(path).unwrap());
    Some(paths.iter().map(read).collect())
}

/// Returns the text of a document with exactly these declarations.
pub fn write(document: &Document) -> String {
    let mut text = String::new();
    for ty in &document.types {
        write_type(&mut text, ty);
    }
    for definition in &document.definitions {
        write_definition(&mut text, definition);
    }
    text
}

fn write_type(text: &mut String, ty: &TypeFacts) {
    writeln!(text, "__DefBitFieldType {}<{}>", ty.name, ty.width).unwrap();
    for value in &ty.values {
        writeln!(text, "  {} = {:#x};", value.name, value.value).unwrap();
    }
}

fn write_definition(text: &mut String, definition: &Definition) {
    let keyword = match definition.kind {
        DefinitionKind::Group => "__DefGroup",
        DefinitionKind::Optype => "__DefOptype",
        DefinitionKind::Form => "__DefOpcode",
    };
    writeln!(text, "\n{keyword} {} : [{}] // a head", definition.name, definition.parent).unwrap();
    text.push_str("  __Encoding\n");
    for field in &definition.body.fields {
        write!(text, "    field<{}, {}> {} {}", field.lo, field.width, field.ty, field.name).unwrap();
        if let Some(value) = &field.default {
            write!(text, " = {value}").unwrap();
        }
        if let Some(value) = &field.constraint {
            write!(text, "=={value}").unwrap();
        }
        text.push_str(";\n");
    }
    write_syntax(text, definition);
    text.push_str("\n  __Description\nWords about it, `field<0, 1> X x;` among them.\n");
    text.push_str("\n  __Semantics\n```asm\nfield<0, 1> X x; // code is no fact\n```\n");
    write_operands(text, &definition.body);
}

/// Writes a syntax line with every word, and the value lists.
fn write_syntax(text: &mut String, definition: &Definition) {
    if definition.lists.is_empty() && definition.words.is_empty() {
        return;
    }
    let words: String = definition.words.iter().map(|word| format!("{{.{word}}}")).collect();
    writeln!(text, "\n  __Syntax\n```asm\n{}{words} Rd $sched ;", definition.name).unwrap();
    for list in &definition.lists {
        let star = |value: &String| if list.starred.as_ref() == Some(value) { "*" } else { "" };
        let values: Vec<_> = list.values.iter().map(|value| format!(".{value}{}", star(value))).collect();
        writeln!(text, ".{} = {{{}}}", list.modifier, values.join(", ")).unwrap();
    }
    text.push_str("```\n");
}

fn write_operands(text: &mut String, body: &Body) {
    text.push_str("  __OperandInfo\n| a | table |\n|:--|:--|\n");
    for (name, list) in [("InList", &body.ins), ("OutList", &body.outs), ("Order", &body.order)] {
        writeln!(text, "    {name}<{}>;", list.join(", ")).unwrap();
    }
    for (name, map) in [("Bitwidth", &body.bitwidths), ("AsmFormat", &body.asm_formats)] {
        for (target, expression) in map {
            writeln!(text, "    {name}<{target}> = {expression};").unwrap();
        }
    }
    text.push_str("  __Exception\n");
    for exception in &body.exceptions {
        let (kind, condition) = (&exception.kind, &exception.condition);
        writeln!(text, "    EncodingError<{kind}, \"why; // why\"> = {condition};").unwrap();
    }
}
