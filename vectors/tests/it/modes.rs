//! The committed vectors leave out no form, no modifier and no kind of guard.

use std::collections::HashSet;
use std::path::Path;

use assay_isa::row::{FieldType, Rule};
use assay_isa::{EncodingTable, Instruction, Location, catalog};
use assay_vectors::discover;

/// The instructions of all suites, each with whether its guard lets it execute.
fn instructions() -> Vec<(Instruction, bool)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let suites = discover(&dir).unwrap_or_else(|e| panic!("{e}"));
    let cases = suites.iter().flat_map(|(_, suite)| &suite.cases);
    let instruction = |case: &assay_vectors::Case| {
        let instruction = case.instruction(EncodingTable::provisional()).unwrap_or_else(|e| panic!("{e}"));
        let guard = instruction.guard();
        let value = guard.source.location().is_none_or(|l: Location| case.inputs[&l] != 0);
        (instruction, value != guard.not)
    };
    cases.map(instruction).collect()
}

#[test]
fn every_form_has_a_case() {
    let met: HashSet<&str> = instructions().iter().map(|(i, _)| i.form().name).collect();
    let missing: Vec<_> = catalog().forms.iter().map(|f| f.name).filter(|name| !met.contains(name)).collect();
    assert!(
        missing.is_empty(),
        "no recorded case has these forms: {missing:?}; add some to the optype's suite"
    );
}

#[test]
fn every_value_of_every_modifier_has_a_case() {
    let mut met = HashSet::new();
    for (instruction, _) in instructions() {
        let optype = instruction.form().optype;
        met.extend(optype.syntax.iter().map(|field| (optype.name, *field, instruction.value_name(field))));
    }
    for form in &catalog().forms {
        for field in form.optype.syntax {
            let Some(FieldType::Enum(e)) = form.field(field).map(|f| f.ty) else { continue };
            for value in e.values {
                assert!(met.contains(&(form.optype.name, *field, *value)), "{} .{value}", form.optype.name);
            }
        }
    }
}

#[test]
fn every_guard_lets_some_case_through_and_stops_another() {
    let instructions = instructions();
    for optype in catalog().optypes() {
        let of_optype = instructions.iter().filter(|(i, _)| i.optype() == optype.name);
        let met: HashSet<(bool, bool)> = of_optype
            .filter(|(i, _)| i.guard().source.location().is_some())
            .map(|(i, on)| (i.guard().not, *on))
            .collect();
        let takes_none = optype.group.fields.is_empty()
            || optype.rules.iter().any(|rule| matches!(rule, Rule::Unguarded { .. }));
        let missing: Vec<_> = [(false, true), (false, false), (true, true), (true, false)]
            .into_iter()
            .filter(|kind| !takes_none && !met.contains(kind))
            .map(|(not, on)| {
                format!(
                    "{} that {}",
                    if not { "@!P" } else { "@P" },
                    if on { "executes" } else { "does not" }
                )
            })
            .collect();
        assert!(missing.is_empty(), "{}: its suite has no case with {}", optype.name, missing.join(", "));
        assert!(!takes_none || met.is_empty(), "{}: a guard that is not P", optype.name);
    }
}
