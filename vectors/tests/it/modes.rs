//! Tests that the committed vectors contain every form, every value of each modifier and each kind
//! of guard.

use std::collections::HashSet;
use std::num::FpCategory;
use std::path::Path;

use assay_isa::row::{Data, FieldType, Rule};
use assay_isa::{EncodingTable, Instruction, Location, catalog};
use assay_vectors::discover;

/// Returns the instructions of all suites. The flag states whether the guard of the case lets the
/// instruction execute.
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

/// Each optype with several float operands needs these cases: for each comparison, operand and
/// class, a case in which only that operand is special. These cases detect a comparator that looks
/// only at the first operand.
#[test]
fn each_operand_is_special_alone_in_some_case_of_each_comparison() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut met = HashSet::new();
    for case in discover(&dir).unwrap_or_else(|e| panic!("{e}")).iter().flat_map(|(_, suite)| &suite.cases) {
        let instruction = case.instruction(EncodingTable::provisional()).unwrap_or_else(|e| panic!("{e}"));
        let classes: Vec<Option<FpCategory>> = float_operands(&instruction)
            .iter()
            .map(|name| {
                let location = instruction.operand(name).source.location()?;
                Some(f32::from_bits(*case.inputs.get(&location)?).classify())
            })
            .collect();
        let special: Vec<usize> =
            (0..classes.len()).filter(|place| classes[*place] != Some(FpCategory::Normal)).collect();
        if let ([place], true) = (&special[..], classes.len() > 1)
            && let Some(class) = classes[*place]
        {
            let comparison = instruction.form().field("cmp").map(|_| instruction.value_name("cmp"));
            met.insert((instruction.optype(), comparison, *place, format!("{class:?}")));
        }
    }
    let mut missed = Vec::new();
    for optype in catalog().optypes() {
        let form = catalog().forms_of(optype.name).next().expect("an optype has a form");
        let operands = float_operands(&Instruction::new(form)).len();
        let comparisons: Vec<Option<&str>> = match form.field("cmp").map(|field| field.ty) {
            Some(FieldType::Enum(e)) => e.values.iter().map(|value| Some(*value)).collect(),
            _ => vec![None],
        };
        for comparison in comparisons {
            for place in (0..operands).filter(|_| operands > 1) {
                for class in ["Nan", "Infinite", "Zero", "Subnormal"] {
                    let wanted = (optype.name, comparison, place, class.to_owned());
                    if !met.contains(&wanted) {
                        missed.push(wanted);
                    }
                }
            }
        }
    }
    assert!(missed.is_empty(), "no recorded case has these: {missed:?}");
}

/// Returns the names of an instruction's inputs that are F32 numbers.
fn float_operands(instruction: &Instruction) -> Vec<&'static str> {
    let form = instruction.form();
    let is_float = |name: &&str| matches!(form.data(name), Some(Data::Float | Data::Exponent));
    form.inputs().filter(is_float).collect()
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
