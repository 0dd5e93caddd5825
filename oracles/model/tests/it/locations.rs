//! Tests reads and writes of locations: sources of every kind, prefixes, the guard, and errors.

use crate::support::{RESULT, assert_writes, case, effects, instruction, result_under, run, set};
use assay_isa::codec::encode;
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Location, Readings, asm, catalog};
use assay_model::model;

const ONE: u32 = 0x3f80_0000;
const TWO: u32 = 0x4000_0000;
const THREE: u32 = 0x4040_0000;
const SEVEN: u32 = 0x40e0_0000;

fn subject() -> Box<dyn assay_isa::Subject> {
    model(EncodingTable::provisional().clone(), Readings::INTENDED)
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
fn every_form_has_each_kind_of_source() {
    // The operands and the result of every form of an optype.
    for (optype, fields, operands, expected) in [
        ("FMNMX", &[][..], &[TWO, THREE, 0][..], THREE),
        ("FSETP", &[("cmp", "LT")], &[TWO, THREE, 1], 1),
        ("FSET", &[("cmp", "LT"), ("bval", "BF")], &[TWO, THREE, 1], ONE),
        ("FSEL", &[], &[TWO, THREE, 0], THREE),
        ("FCHK", &[], &[TWO, 0x7e80_0000], 1),
        ("POPC", &[], &[THREE], 2),
        ("FLO", &[], &[THREE], 30),
        ("BREV", &[], &[THREE], !THREE),
        ("BMSK", &[], &[4, 8], 0xff0),
        ("SGXT", &[], &[0xff, 4], !0),
    ] {
        for form in catalog().forms_of(optype) {
            assert_eq!(result_under(&[], form.name, fields, operands), expected, "{}", form.name);
        }
    }
}

#[test]
#[rustfmt::skip]
fn prefixes() {
    let inputs = &[("R1", 0xff), ("R2", ONE), ("R3", 0xc000_0000), ("UR1", 0xff), ("c[0][0x160]", 0xff)];
    for (text, location, expected) in [
        // The complement is applied first. For FLO, the sign is that of the complement.
        ("POPC R0, ~R1", "R0", 24), ("POPC R0, ~UR1", "R0", 24), ("POPC R0, ~c[0][0x160]", "R0", 24), ("POPC R0, ~RZ", "R0", 32),
        ("FLO.U32 R0, ~R1", "R0", 31), ("FLO R0, ~R1", "R0", 7), ("FLO R0, ~RZ", "R0", !0), ("FLO.U32 R0, ~RZ", "R0", 31),
        ("FMNMX R0, R2, |R3|, PT", "R0", ONE), ("FMNMX R0, R2, -|R3|, PT", "R0", 0xc000_0000), ("FMNMX R0, R2, -R3, !PT", "R0", TWO),
        ("FSETP.EQ.AND P0, -R3, 2", "P0", 1), ("FSETP.EQ.AND P0, -|R3|, 2", "P0", 0), ("FSET.GT.AND R0, -R3, R2", "R0", !0),
        // FCHK reads only the exponents, so signs have no effect.
        ("FCHK P0, -R2, |R3|", "P0", 0),
    ] {
        let reads = asm::parse(text).unwrap().reads();
        let inputs: Vec<_> = inputs.iter().filter(|(name, _)| reads.contains(&name.parse().unwrap())).copied().collect();
        assert_writes(&[], text, &inputs, &[(location, expected)]);
    }
}

#[test]
#[rustfmt::skip]
fn predicates_are_read_and_written() {
    let p0 = |value| [("R1", ONE), ("P0", value)];
    for (text, inputs, expected) in [
        // 1 < 0 is false.
        ("FSETP.LT.OR P1, P2, R1, R2, P0", &p0(0)[..], &[("P1", 0), ("P2", 1)][..]), ("FSETP.LT.OR P1, P2, R1, R2, !P0", &p0(0), &[("P1", 1), ("P2", 1)]),
        ("FSETP.LT.AND P1, P2, R1, R2, P0", &p0(0), &[("P1", 0), ("P2", 0)]), ("FSETP.LT.AND P1, P2, R1, R2", &[("R1", ONE)], &[("P1", 0), ("P2", 1)]),
        ("FSETP.LT.AND P1, P2, R1, R2, !PT", &[("R1", ONE)], &[("P1", 0), ("P2", 0)]),
        // A write to PT is discarded. If both outputs are one predicate, the second write counts.
        ("FSETP.GT.AND P1, R1, R2", &[("R1", ONE)], &[("P1", 1)]), ("FSETP.GT.AND PT, P2, R1, R2", &[("R1", ONE)], &[("P2", 0)]),
        ("FSETP.GT.AND PT, PT, R1, R2", &[("R1", ONE)], &[]), ("FSETP.GT.AND P3, P3, R1, R2", &[("R1", ONE)], &[("P3", 0)]),
        // Outputs can also be inputs or the guard.
        ("FSETP.GT.XOR P0, P1, R1, R2, P0", &p0(1), &[("P0", 0), ("P1", 1)]), ("FSETP.GT.XOR P1, P0, R1, R2, P0", &p0(1), &[("P1", 0), ("P0", 1)]),
        ("@P0 FSETP.LT.AND P0, P1, R1, R2", &p0(1), &[("P0", 0), ("P1", 1)]), ("@!P0 FSETP.LT.AND P0, P1, R1, R2", &p0(1), &[]),
        ("FCHK P1, R1, R2", &[("R1", ONE)], &[("P1", 1)]), ("FCHK PT, R1, R2", &[("R1", ONE)], &[]), ("@!PT FCHK P1, R1, R2", &[("R1", ONE)], &[]),
        ("FSEL R0, R1, R2, !P0", &p0(0), &[("R0", ONE)]), ("FSEL R0, R1, R2, P0", &p0(0), &[("R0", 0)]), ("FSEL R1, R2, R1, !PT", &[("R1", ONE)], &[("R1", ONE)]),
        ("FMNMX R0, R1, R2, P0", &p0(1), &[("R0", 0)]), ("FMNMX R0, R1, R2, !P0", &p0(1), &[("R0", ONE)]), ("FSET.GT.AND RZ, R1, R2", &[("R1", ONE)], &[]),
        ("FSET.GT.AND.BF R0, R1, R2, !P0", &p0(0), &[("R0", ONE)]), ("FSET.GT.AND.BF R0, R1, R2, P0", &p0(0), &[("R0", 0)]),
    ] {
        assert_writes(&[], text, inputs, expected);
    }
    let missing = Batch::new(encode(&asm::parse("FSEL R0, R1, R2, P0").unwrap(), EncodingTable::provisional()), &[Location::R(1), Location::R(2)], 1);
    let error = subject().execute(&missing, &mut Effects::default()).unwrap_err();
    assert!(matches!(error, BackendError::MissingLocation(Location::P(0))), "{error}");
}

#[test]
fn outputs_are_written_in_order() {
    let effects = effects(&["E012=1"], "FSETP.FTZ.LT.AND P1, P2, R1, R2", &[("R1", 1), ("R2", 2)]);
    let order: Vec<Location> = effects.columns().iter().map(|column| column.location).collect();
    assert_eq!(order, [Location::R(1), Location::R(2), Location::P(1), Location::P(2)]);
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
    // Each operand has its own prefixes, whichever field of the form encodes them.
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
    // RZ and URZ read 0, so -|RZ| is -0.
    assert_eq!(result_under(&[], "FADD_RR", &[("ra", "255")], &[0, ONE]), ONE);
    assert_eq!(result_under(&[], "FADD_RU", &[("urb", "63")], &[TWO, 0]), TWO);
    let both = [("ra", "255"), ("rb", "255"), ("ra.neg", "True"), ("rb.neg", "True"), ("rb.abs", "True")];
    assert_eq!(result_under(&[], "FADD_RR", &both, &[0, 0]), 0x8000_0000);
    // A write to RZ is discarded.
    let effects = run(subject().as_mut(), &case(instruction("FADD_RR", &[("rd", "255")]), &[ONE, ONE]));
    assert!(effects.columns().is_empty());
}

#[test]
fn sources_are_read_before_the_result_is_written() {
    let word = instruction("FFMA_RRR", &[("rd", "4"), ("ra", "4"), ("rb", "4"), ("rc", "4")]);
    let mut batch = Batch::new(encode(&word, EncodingTable::provisional()), &word.reads(), 1);
    set(&mut batch, Location::R(4), 0, TWO);
    assert_eq!(run(subject().as_mut(), &batch).value(Location::R(4), 0), Some(0x40c0_0000));
}

#[test]
fn a_false_guard_writes_nothing() {
    for (not, written) in [("False", [None, Some(TWO), None]), ("True", [Some(TWO), None, Some(TWO)])] {
        let word = instruction("FADD_RR", &[("pg", "2"), ("pg.not", not)]);
        let mut batch = Batch::new(encode(&word, EncodingTable::provisional()), &word.reads(), 3);
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
    let illegal = Batch::new(!0, &[], 1);
    assert!(matches!(subject.execute(&illegal, &mut effects), Err(BackendError::Decode(_))));
    for (fields, missing) in [(&[][..], Location::R(2)), (&[("pg", "3"), ("rb", "1")], Location::P(3))] {
        let word = encode(&instruction("FADD_RR", fields), EncodingTable::provisional());
        let batch = Batch::new(word, &[Location::R(1)], 1);
        let error = subject.execute(&batch, &mut effects).unwrap_err();
        assert!(matches!(error, BackendError::MissingLocation(l) if l == missing), "{error}");
    }
    assert_eq!(
        run(subject.as_mut(), &case(instruction("FADD_RR", &[]), &[ONE, ONE])).value(RESULT, 0),
        Some(TWO)
    );
}
