//! Checks that every optype has a definition.

use assay_isa::Instruction;

#[test]
fn every_optype_has_a_definition() {
    let by_real_numbers = |optype: &str| {
        let form = assay_isa::catalog().forms_of(optype).next().expect("an optype has a form");
        optype == "MUFU" || crate::plan::Operation::of(&Instruction::new(form)).is_some()
    };
    for optype in assay_isa::catalog().optypes() {
        let name = optype.name;
        assert!(by_real_numbers(name) || crate::definition(name).is_some(), "{name} has no definition");
    }
}
