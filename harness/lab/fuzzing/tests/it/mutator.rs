//! Tests the mutator of the fuzz targets: every result is a legal case, and every change that the
//! tables allow occurs.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Unstructured;
use assay_engine::generate::{AnyCase, Scope, stream};
use assay_fuzzing::coded::{self, Coded};
use assay_fuzzing::mutate::{Mutation, mutate};
use assay_isa::{Form, Instruction, Source, asm, catalog, legality};

/// Maximum number of bytes of an input of these targets.
const LONGEST: usize = 512;

/// Returns random bytes for one draw. The bytes depend only on `number`.
fn choices(number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream::fill(5, number, 1024, &mut bytes);
    bytes
}

/// Draws a case of a form as a campaign does.
fn drawn(form: &'static Form, number: u64) -> Coded {
    let scope = Scope::everything();
    let modes: Vec<&Instruction> = scope.modes().filter(|mode| mode.form().index == form.index).collect();
    let bytes = choices(number);
    let u = &mut Unstructured::new(&bytes);
    let mode = *u.choose(&modes).expect("every form has a legal mode");
    let instruction = scope.with_operands(mode, u).expect("there are choices enough");
    Coded::with_drawn_values(instruction, u).expect("there are choices enough")
}

/// Returns the mutated case. `number` selects the random bytes.
fn changed(mutation: Mutation, case: &Coded, number: u64) -> Option<Coded> {
    mutation.apply(case, &mut Unstructured::new(&choices(number))).expect("there are choices enough")
}

#[test]
fn every_change_makes_a_legal_case_of_a_case() {
    let mut suits: BTreeMap<Mutation, BTreeSet<&str>> = BTreeMap::new();
    for form in &catalog().forms {
        for mutation in Mutation::ALL {
            for number in 0..12 {
                let case = drawn(form, number);
                let Some(changed) = changed(mutation, &case, 1000 + number) else { continue };
                assert_ne!(changed, case, "{mutation:?} of {}", form.name);
                assert_eq!(legality::check(&changed.instruction), Ok(()), "{mutation:?} of {}", form.name);
                let bytes = changed.bytes();
                assert!(bytes.len() <= LONGEST, "{mutation:?} of {}: {} bytes", form.name, bytes.len());
                assert_eq!(Coded::read(&bytes), Some(changed), "{mutation:?} of {}", form.name);
                coded::case(&bytes).expect("every string of bytes is a case");
                suits.entry(mutation).or_default().insert(form.name);
            }
        }
    }
    let forms = |has: &dyn Fn(&Form) -> bool| -> BTreeSet<&str> {
        catalog().forms.iter().filter(|form| has(form)).map(|form| form.name).collect()
    };
    let is_alone = |form: &Form| catalog().forms_of(form.optype.name).count() == 1;
    assert_eq!(suits[&Mutation::Optype], forms(&|_| true));
    assert_eq!(suits[&Mutation::Schedule], forms(&|_| true));
    assert_eq!(suits[&Mutation::Form], forms(&|form| !is_alone(form)));
    for mutation in Mutation::ALL {
        assert!(
            suits.get(&mutation).is_some_and(|forms| forms.len() > 1),
            "{mutation:?} suits too few forms"
        );
    }
}

#[test]
fn changes_reach_whatever_the_generator_draws() {
    for form in &catalog().forms {
        // Returns the fields that differ between instructions of the form.
        let varying = |instructions: &[Instruction]| -> BTreeSet<&str> {
            let differs = |position: &usize| {
                instructions.iter().any(|i| i.values()[*position] != instructions[0].values()[*position])
            };
            let positions = (0..form.fields.len()).filter(differs);
            positions.map(|position| form.fields[position].name).collect()
        };
        let generated: Vec<Instruction> = (0..200).map(|number| drawn(form, number).instruction).collect();
        let mut case = drawn(form, 0);
        let mut reached = vec![case.instruction.clone()];
        let within = [Mutation::Modifier, Mutation::Operand, Mutation::Swap, Mutation::Class, Mutation::Bit];
        for number in 0..600 {
            let mutation = within[number as usize % within.len()];
            if let Some(next) = changed(mutation, &case, 5000 + number) {
                reached.push(next.instruction.clone());
                case = next;
            }
        }
        let missed: Vec<_> = varying(&generated).difference(&varying(&reached)).copied().collect();
        assert_eq!(missed, Vec::<&str>::new(), "{}", form.name);
    }
}

#[test]
fn values_stay_with_their_operands() {
    let case = |asm: &str, values: &[u32]| Coded {
        instruction: asm::parse(asm).expect(asm),
        tail: values.iter().flat_map(|value| value.to_le_bytes()).collect(),
    };
    let case = case("FADD R0, R1, R2", &[0x3f80_0000, 0x4000_0000]);
    for mutation in [Mutation::Operand, Mutation::Swap, Mutation::Modifier, Mutation::Schedule] {
        let apart = (0..100).filter_map(|number| changed(mutation, &case, number)).filter(|next| {
            let AnyCase { instruction, batch } = next.case().expect("it has all its values");
            let places: Vec<Source> = instruction.inputs().map(|operand| operand.source).collect();
            let value =
                |source: &Source| source.location().and_then(|place| batch.column(place)).map(|c| c[0]);
            // An operand that the mutation turned into a literal has no value. If two operands
            // share a register, the later value counts.
            let kept = [Some(0x3f80_0000), Some(0x4000_0000)];
            let is_apart = places[0] != places[1] && places.iter().all(|place| value(place).is_some());
            assert!(!is_apart || places.iter().map(value).eq(kept), "{}", asm::print(&instruction));
            is_apart
        });
        assert!(apart.count() > 10, "{mutation:?}");
    }
}

#[test]
fn every_string_of_bytes_is_a_case_and_a_change_of_it_depends_on_both_arguments_alone() {
    for number in 0..400 {
        let bytes = &choices(number)[..number as usize];
        coded::case(bytes).expect("every string of bytes is a case");
        let changed = mutate(bytes, number as u32);
        assert_eq!(changed, mutate(bytes, number as u32));
        assert!(Coded::read(&changed).is_some_and(|case| case.bytes() == changed), "{number}");
    }
    let of = |seed| mutate(&[], seed);
    assert!((1..20).any(|seed| of(seed) != of(0)));
}
