//! The committed facts are complete and canonical, and equal the documents' facts if the documents
//! are available.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use assay_documents::{
    DefinitionKind, Scope, StreamFacts, declarations, diff, extract, fixture, read, render,
};
use assay_testing::skip;

use crate::support;

#[test]
fn holds_every_definition() {
    let declared = declarations();
    let catalog = assay_isa::catalog();
    let with_streams = |kind: DefinitionKind| declared.count(kind) + declared.streams.len();
    assert_eq!(with_streams(DefinitionKind::Form), catalog.forms.len());
    assert_eq!(with_streams(DefinitionKind::Optype), catalog.optypes().len());
    let types: Vec<_> = declared.types.iter().map(|ty| (ty.name.as_str(), ty.values.len())).collect();
    assert_eq!(types, [("FLOSH", 2), ("SReg", 44)]);
    let lists = declared.definitions.iter().map(|definition| definition.lists.len()).sum::<usize>();
    assert_eq!((lists, declared.streams.len()), (37, 1));
}

#[test]
fn resolves_to_every_form() {
    let facts = fixture();
    let declared = declarations();
    let [groups_declared, optypes_declared, forms_declared] =
        [DefinitionKind::Group, DefinitionKind::Optype, DefinitionKind::Form]
            .map(|kind| declared.count(kind));
    assert_eq!(facts.forms.len(), forms_declared);
    let optypes: BTreeSet<_> = facts.forms.iter().map(|form| &form.optype).collect();
    let groups: BTreeSet<_> = facts.forms.iter().map(|form| &form.group).collect();
    assert_eq!((optypes.len(), groups.len()), (optypes_declared, groups_declared));
    let keys: BTreeSet<_> = facts.forms.iter().map(|form| (&form.optype, form.stype().unwrap())).collect();
    assert_eq!(keys.len(), forms_declared, "optype and stype tell all forms apart");
    for form in &facts.forms {
        let optype = &form.body.fields[0];
        assert_eq!((optype.lo, optype.constraint.as_deref()), (0, Some(&*form.optype)));
        assert!(form.body.fields.is_sorted_by_key(|field| field.lo));
        assert!(form.body.fields.iter().all(|field| field.lo + field.width <= 112));
    }
    let mufu = facts.forms.iter().filter(|form| form.optype == "MUFU");
    for form in mufu {
        assert_eq!(form.body.exceptions.len(), 1);
        assert!(form.body.fields.iter().all(|field| field.name != "sat"), "commented out");
    }
}

#[test]
fn is_written_canonically() {
    assert_eq!(render(&declarations()).unwrap(), include_str!("../../fixture/facts.json"));
    assert!(include_str!("../../fixture/facts.json").is_ascii(), "facts only, no prose");
}

#[test]
fn survives_a_round_trip_through_the_language() {
    let declared = declarations();
    let stream = write_stream(&declared.streams[0]);
    let again = read([("written", support::write(&declared).as_str()), ("stream", stream.as_str())]).unwrap();
    assert_eq!(render(&again).unwrap(), render(&declared).unwrap());
}

#[test]
fn equals_the_documents() {
    let Some(folder) = std::env::var_os("ASSAY_SPEC_DIR") else {
        return skip("documents", "the facts of the documents: ASSAY_SPEC_DIR does not name their folder");
    };
    let texts = documents(Path::new(&folder));
    let facts = extract(texts.iter().map(|(name, text)| (name.as_str(), text.as_str()))).unwrap();
    let report = diff(&facts, &fixture(), &[], &Scope::Everything);
    let differences: Vec<_> = report.differences.iter().map(ToString::to_string).collect();
    assert_eq!(differences, [""; 0]);
    assert_eq!((report.forms_compared, report.definitions_compared, report.streams_compared), (148, 663, 1));
}

/// Returns the documents of a folder, sorted by name.
fn documents(folder: &Path) -> Vec<(String, String)> {
    let mut paths: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).unwrap();
    paths.iter().map(|path| (path.display().to_string(), read(path))).collect()
}

/// Returns the page of an instruction that is an operand stream.
fn write_stream(stream: &StreamFacts) -> String {
    let mut text = format!("## Opcode\n{} = {:#x}\n## Format\n", stream.name, stream.opcode);
    let names: Vec<_> = stream.fields.iter().map(|field| field.name.as_str()).collect();
    writeln!(text, "| |\n| --- |\n| {} | {} |\n## Description", stream.name, names.join(" | ")).unwrap();
    for field in &stream.fields {
        let classes = field.classes.join(",");
        writeln!(text, "- **{}({}):** A part. Operand class: {classes}", field.name, field.ty).unwrap();
        for bits in &field.bits {
            writeln!(text, "- Bit[{}..{}]: a group", bits.hi, bits.lo).unwrap();
            bits.values.iter().for_each(|v| writeln!(text, "- 0b{:b}: {} of it", v.value, v.name).unwrap());
        }
    }
    let modifier = stream.source_modifier.unwrap_or_default();
    writeln!(text, "#### Properties\n- **Supported Types:** {}", stream.types.join(",")).unwrap();
    writeln!(text, "- **Source Modifier:** {modifier}\n## Text\n```\n{}\n```", stream.text.join(" "))
        .unwrap();
    text
}
