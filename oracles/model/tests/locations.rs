//! From locations to locations: sources of every kind, prefixes, the guard, and what is refused.

mod common;

use assay_isa::codec::encode;
use assay_isa::{Answer, Batch, Effects, Location, Numbers, Readings, VoiceError, catalog};
use assay_model::model;
use common::{RESULT, case, instruction, result_under, run, set};

const ONE: u32 = 0x3f80_0000;
const TWO: u32 = 0x4000_0000;
const THREE: u32 = 0x4040_0000;
const SEVEN: u32 = 0x40e0_0000;

fn subject() -> Box<dyn assay_isa::Subject> {
    model(Numbers::provisional().clone(), Readings::INTENDED)
}

#[test]
fn every_form_reads_its_operands_in_order() {
    // 2 + 3, 2 · 3 and 2 · 3 + 1.
    for form in ["FADD_RR", "FADD_RU", "FADD_RI", "FADD_RC"] {
        assert_eq!(result_under(&[], form, &[], &[TWO, THREE]), 0x40a0_0000, "{form}");
    }
    for form in ["FMUL_RR", "FMUL_RU", "FMUL_RI", "FMUL_RC"] {
        assert_eq!(result_under(&[], form, &[], &[TWO, THREE]), 0x40c0_0000, "{form}");
    }
    for form in catalog().forms_of("FFMA") {
        assert_eq!(result_under(&[], form.name, &[], &[TWO, THREE, ONE]), SEVEN, "{}", form.name);
    }
    for form in ["MUFU_R", "MUFU_I", "MUFU_C", "MUFU_U"] {
        assert_eq!(result_under(&[], form, &[("mufuop", "RCP")], &[TWO]), 0x3f00_0000, "{form}");
    }
}

#[test]
fn absolute_value_before_sign() {
    for (fields, value, expected) in [
        (&[("ra.neg", "True")][..], ONE, 0xbf80_0000),
        (&[("ra.abs", "True")], 0xbf80_0000, ONE),
        (&[("ra.neg", "True"), ("ra.abs", "True")], 0xbf80_0000, 0xbf80_0000),
        (&[("ra.neg", "True"), ("ra.abs", "True")], ONE, 0xbf80_0000),
    ] {
        assert_eq!(result_under(&[], "FMUL_RR", fields, &[value, ONE]), expected, "{fields:?} {value:#x}");
    }
    // Each operand has prefixes of its own, wherever the form keeps them.
    for form in catalog().forms_of("FFMA") {
        let operands: Vec<_> =
            form.inputs().filter(|name| form.position(&format!("{name}.neg")).is_some()).collect();
        for name in operands {
            let index = form.inputs().position(|n| n == name).unwrap();
            // 2 · 3 + 1 with one operand negated.
            let expected = if index == 2 { 0x40a0_0000 } else { 0xc0a0_0000 };
            let field = format!("{name}.neg");
            let found = result_under(&[], form.name, &[(&field, "True")], &[TWO, THREE, ONE]);
            assert_eq!(found, expected, "{} {field}", form.name);
        }
    }
}

#[test]
fn names_without_storage() {
    // RZ and URZ read 0, which -|RZ| makes -0.
    assert_eq!(result_under(&[], "FADD_RR", &[("ra", "255")], &[0, ONE]), ONE);
    assert_eq!(result_under(&[], "FADD_RU", &[("urb", "63")], &[TWO, 0]), TWO);
    let both = [("ra", "255"), ("rb", "255"), ("ra.neg", "True"), ("rb.neg", "True"), ("rb.abs", "True")];
    assert_eq!(result_under(&[], "FADD_RR", &both, &[0, 0]), 0x8000_0000);
    // A write to RZ is lost.
    let effects = run(subject().as_mut(), &case(instruction("FADD_RR", &[("rd", "255")]), &[ONE, ONE]));
    assert!(effects.columns().is_empty());
}

#[test]
fn sources_are_read_before_the_result_is_written() {
    let word = instruction("FFMA_RRR", &[("rd", "4"), ("ra", "4"), ("rb", "4"), ("rc", "4")]);
    let mut batch = Batch::new(encode(&word, Numbers::provisional()), &word.reads(), 1);
    set(&mut batch, Location::R(4), 0, TWO);
    assert_eq!(run(subject().as_mut(), &batch).value(Location::R(4), 0), Some(0x40c0_0000));
}

#[test]
fn a_false_guard_writes_nothing() {
    for (not, written) in [("False", [None, Some(TWO), None]), ("True", [Some(TWO), None, Some(TWO)])] {
        let word = instruction("FADD_RR", &[("pg", "2"), ("pg.not", not)]);
        let mut batch = Batch::new(encode(&word, Numbers::provisional()), &word.reads(), 3);
        for lane in 0..3 {
            set(&mut batch, Location::P(2), lane, u32::from(lane == 1));
            set(&mut batch, Location::R(1), lane, ONE);
            set(&mut batch, Location::R(2), lane, ONE);
        }
        let effects = run(subject().as_mut(), &batch);
        assert_eq!([0, 1, 2].map(|lane| effects.value(RESULT, lane)), written, "{not}");
    }
    let never = case(instruction("FADD_RR", &[("pg.not", "True")]), &[ONE, ONE]);
    assert_eq!(run(subject().as_mut(), &never).value(RESULT, 0), None);
}

#[test]
fn batches_follow_one_another() {
    let mut subject = subject();
    let mut effects = Effects::default();
    let sum = case(instruction("FADD_RR", &[]), &[ONE, TWO]);
    let product = case(instruction("FMUL_RR", &[]), &[THREE, TWO]);
    for (batch, expected) in [(&sum, THREE), (&sum, THREE), (&product, 0x40c0_0000), (&sum, THREE)] {
        assert_eq!(subject.execute(batch, &mut effects).unwrap(), Answer::Known);
        assert_eq!(effects.value(RESULT, 0), Some(expected));
        assert_eq!(effects.columns().len(), 1);
    }
    let empty = Batch::new(sum.word(), sum.locations(), 0);
    assert_eq!(subject.execute(&empty, &mut effects).unwrap(), Answer::Known);
    assert!(effects.is_empty());
}

#[test]
fn refusals() {
    let mut subject = subject();
    let mut effects = Effects::default();
    let unsupported = case(instruction("MUFU_R", &[("mufuop", "RSQ")]), &[ONE]);
    assert_eq!(subject.execute(&unsupported, &mut effects).unwrap(), Answer::Unsupported);
    let illegal = Batch::new(!0, &[], 1);
    assert!(matches!(subject.execute(&illegal, &mut effects), Err(VoiceError::Decode(_))));
    for (fields, missing) in [(&[][..], Location::R(2)), (&[("pg", "3"), ("rb", "1")], Location::P(3))] {
        let word = encode(&instruction("FADD_RR", fields), Numbers::provisional());
        let batch = Batch::new(word, &[Location::R(1)], 1);
        let error = subject.execute(&batch, &mut effects).unwrap_err();
        assert!(matches!(error, VoiceError::MissingLocation(l) if l == missing), "{error}");
    }
    assert_eq!(
        run(subject.as_mut(), &case(instruction("FADD_RR", &[]), &[ONE, ONE])).value(RESULT, 0),
        Some(TWO)
    );
}
