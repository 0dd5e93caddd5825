//! Tests where values come from, and whether results are written: prefixes, guard, RZ, missing
//! columns.

use assay_isa::effect::Lanes;
use assay_isa::truth::TruthValues;
use assay_isa::{Answer, BackendError, Batch, Instruction, Location, Oracle, Readings, Truths, catalog};

use super::{RD, batch, instruction, readings};
use crate::MpfrOracle;

const ONE: u32 = 0x3f80_0000;
const TWO: u32 = 0x4000_0000;
const THREE: u32 = 0x4040_0000;

fn truths(instruction: &Instruction, batch: &Batch) -> Truths {
    let mut truths = Truths::default();
    let answer = MpfrOracle::default().truth(instruction, batch, 64, &mut truths);
    assert_eq!(answer.unwrap(), Answer::Known);
    truths
}

fn values(instruction: &Instruction, batch: &Batch) -> Vec<u32> {
    match &truths(instruction, batch).columns()[0].values {
        TruthValues::Bits(values) => values.clone(),
        TruthValues::Reals { .. } => panic!("arithmetic is known to the bit"),
    }
}

#[test]
fn every_form_takes_its_operands_in_order() {
    let r1 = (Location::R(1), &[TWO][..]);
    let r2 = (Location::R(2), &[THREE][..]);
    let r3 = (Location::R(3), &[ONE][..]);
    // With 2 · 3 + 1, the result shows which operand is the addend. A literal is a value, not a
    // location.
    let cases: [(&str, &str, u32, &[_]); 7] = [
        ("FFMA_RRR", "rb", 2, &[r1, r2, r3]),
        ("FFMA_RRI", "vc", ONE, &[r1, r2]),
        ("FFMA_RIR", "vb", THREE, &[r1, r3]),
        ("FFMA_RRU", "urc", 3, &[r1, r2, (Location::UR(3), &[ONE])]),
        ("FFMA_RUR", "urb", 2, &[r1, (Location::UR(2), &[THREE]), r3]),
        ("FFMA_RRC", "vc", 0x160, &[r1, r2, (Location::C { bank: 0, offset: 0x160 }, &[ONE])]),
        ("FFMA_RCR", "vb", 0x160, &[r1, (Location::C { bank: 0, offset: 0x160 }, &[THREE]), r3]),
    ];
    for (form, field, value, columns) in cases {
        let mut instruction = instruction(form);
        instruction.set(field, value);
        assert_eq!(values(&instruction, &batch(columns)), [0x40e0_0000], "{form}");
    }
}

#[test]
fn names_without_storage_read_zero() {
    let mut fadd = instruction("FADD_RU");
    fadd.set("ra", 255);
    fadd.set("urb", 63);
    fadd.set("urb.neg", 1);
    fadd.set("rnd", 2);
    assert_eq!(values(&fadd, &batch(&[])), [0x8000_0000], "0 + -0 toward -Inf");
    fadd.set("rnd", 0);
    assert_eq!(values(&fadd, &batch(&[])), [0]);
}

#[test]
fn bars_come_before_the_minus_sign() {
    let columns = batch(&[(Location::R(1), &[0xbf80_0000, ONE]), (Location::R(2), &[0, 0])]);
    for (abs, neg, expected) in
        [(0, 0, [0xbf80_0000, ONE]), (1, 0, [ONE; 2]), (0, 1, [ONE, 0xbf80_0000]), (1, 1, [0xbf80_0000; 2])]
    {
        let mut fadd = instruction("FADD_RR");
        fadd.set("ra.abs", abs);
        fadd.set("ra.neg", neg);
        assert_eq!(values(&fadd, &columns), expected, "abs {abs} neg {neg}");
    }
}

#[test]
fn each_operand_has_its_own_prefix() {
    let columns = batch(&[(Location::R(1), &[TWO]), (Location::R(2), &[THREE]), (Location::R(3), &[ONE])]);
    for (prefix, expected) in
        [("ra.neg", 0xc0a0_0000), ("rb.neg", 0xc0a0_0000), ("rc.neg", 0x40a0_0000), ("rb.abs", 0x40e0_0000)]
    {
        let mut ffma = instruction("FFMA_RRR");
        ffma.set(prefix, 1);
        assert_eq!(values(&ffma, &columns), [expected], "{prefix}");
    }
}

#[test]
fn a_register_may_be_several_operands() {
    let mut ffma = instruction("FFMA_RRR");
    ["ra", "rb", "rc", "rd"].iter().for_each(|field| ffma.set(field, 0));
    assert_eq!(values(&ffma, &batch(&[(Location::R(0), &[TWO, THREE])])), [0x40c0_0000, 0x4140_0000]);
}

#[test]
fn a_false_guard_writes_nothing() {
    let inputs: [(_, &[u32]); 3] =
        [(Location::R(1), &[ONE, TWO]), (Location::R(2), &[ONE; 2]), (Location::P(3), &[0, 1])];
    for (guard, not, expected) in [
        (7, 0, Lanes::All),
        (7, 1, Lanes::Some(vec![false, false])),
        (3, 0, Lanes::Some(vec![false, true])),
        (3, 1, Lanes::Some(vec![true, false])),
    ] {
        for form in ["FADD_RR", "MUFU_R.RCP.F32"] {
            let mut instruction = instruction(form);
            instruction.set("pg", guard);
            instruction.set("pg.not", not);
            let truths = truths(&instruction, &batch(&inputs));
            assert_eq!(truths.columns()[0].location, RD);
            assert_eq!(truths.columns()[0].written, expected, "{form} guard {guard} not {not}");
        }
    }
}

#[test]
fn e008_a_guard_that_is_not_looked_at() {
    let inputs: [(_, &[u32]); 4] = [
        (Location::R(1), &[ONE, TWO]),
        (Location::R(2), &[ONE; 2]),
        (Location::R(3), &[ONE; 2]),
        (Location::P(3), &[0, 1]),
    ];
    let from_registers = |name: &&str| ["_R", "_RR", "_RRR"].iter().any(|end| name.ends_with(end));
    let forms = catalog().forms.iter().filter(|form| form.optype.group.name != "MISC");
    let forms: Vec<&str> = forms.map(|form| form.name).filter(from_registers).collect();
    assert!(!forms.is_empty(), "no form of registers");
    for form in forms {
        let mut instruction = instruction(&form.replace("MUFU_R", "MUFU_R.RCP"));
        instruction.set("pg", 3);
        for (setting, expected) in [("E008=1", Lanes::Some(vec![false, true])), ("E008=2", Lanes::All)] {
            let mut truths = Truths::default();
            let answer =
                MpfrOracle::new(readings(&[setting])).truth(&instruction, &batch(&inputs), 64, &mut truths);
            assert_eq!(answer.unwrap(), Answer::Known);
            assert_eq!(truths.columns()[0].written, expected, "{form} {setting}");
        }
    }
}

#[test]
fn only_lanes_that_execute_are_undefined() {
    let inputs: [(_, &[u32]); 3] =
        [(Location::R(1), &[TWO; 3]), (Location::R(2), &[TWO; 3]), (Location::P(3), &[0, 1, 0])];
    for (text, setting) in [("POPC_R", "E049=1"), ("BMSK_RI", "E058=2"), ("MUFU_R.RCP.F64", "E040=1")] {
        let mut instruction = instruction(text);
        instruction.set("pg", 3);
        for (guard, lanes) in [("E008=1", vec![1]), ("E008=2", vec![0, 1, 2])] {
            let mut truths = Truths::default();
            MpfrOracle::new(readings(&[setting, guard]))
                .truth(&instruction, &batch(&inputs), 64, &mut truths)
                .unwrap();
            let undefined: Vec<usize> = truths.undefined().iter().map(|(lane, _)| *lane).collect();
            assert_eq!(undefined, lanes, "{text} {guard}");
        }
    }
}

#[test]
fn predicates_have_a_prefix_and_pt_is_true() {
    let inputs = [(Location::R(1), &[ONE; 2][..]), (Location::R(2), &[TWO; 2]), (Location::P(3), &[0, 1])];
    for (pp, not, expected) in
        [(3, 0, [TWO, ONE]), (3, 1, [ONE, TWO]), (7, 0, [ONE, ONE]), (7, 1, [TWO, TWO])]
    {
        for optype in ["FSEL_RR", "FMNMX_RR"] {
            let mut instruction = instruction(optype);
            instruction.set("pp", pp);
            instruction.set("pp.not", not);
            assert_eq!(values(&instruction, &batch(&inputs)), expected, "{optype} {pp} {not}");
        }
        let mut fset = instruction("FSET_RR.LT.AND.BF");
        fset.set("pp", pp);
        fset.set("pp.not", not);
        assert_eq!(values(&fset, &batch(&inputs)), expected.map(|v| if v == ONE { ONE } else { 0 }));
    }
}

#[test]
fn a_predicate_that_is_discarded() {
    let inputs = [(Location::R(1), &[ONE][..]), (Location::R(2), &[TWO])];
    let locations = |text: &str, pu: u32, pv: Option<u32>| -> Vec<Location> {
        let mut instruction = instruction(text);
        instruction.set("pu", pu);
        if let Some(pv) = pv {
            instruction.set("pv", pv);
            instruction.set("pp", 7);
        }
        truths(&instruction, &batch(&inputs)).columns().iter().map(|c| c.location).collect()
    };
    let (p0, p1) = (Location::P(0), Location::P(1));
    assert_eq!(locations("FSETP_RR.LT.AND", 0, Some(1)), [p0, p1]);
    assert_eq!(locations("FSETP_RR.LT.AND", 0, Some(7)), [p0]);
    assert_eq!(locations("FSETP_RR.LT.AND", 7, Some(1)), [p1]);
    assert_eq!(locations("FSETP_RR.LT.AND", 7, Some(7)), []);
    assert_eq!(locations("FSETP_RR.LT.AND", 1, Some(1)), [p1], "one column a location");
    assert_eq!(locations("FCHK_RR", 7, None), []);
    assert_eq!(locations("FCHK_RR", 1, None), [p1]);
}

#[test]
fn complements_come_first() {
    let complemented = |text: &str, prefix: &str, location: Location, value: u32| {
        let mut instruction = instruction(text);
        instruction.set(prefix, 1);
        values(&instruction, &batch(&[(location, &[value])]))
    };
    let constant = Location::C { bank: 0, offset: 1 };
    assert_eq!(complemented("POPC_R", "rb.bitnot", Location::R(1), 0xff), [24]);
    assert_eq!(complemented("POPC_U", "urb.bitnot", Location::UR(1), 0xff), [24]);
    assert_eq!(complemented("POPC_C", "vb.bitnot", constant, 0xff), [24]);
    assert_eq!(complemented("FLO_R.U32", "rb.bitnot", Location::R(1), 0xffff_ff00), [7]);
    // The test for zero and the sign apply to the complement.
    assert_eq!(complemented("FLO_R.S32", "rb.bitnot", Location::R(1), u32::MAX), [u32::MAX]);
    assert_eq!(complemented("FLO_R.S32", "rb.bitnot", Location::R(1), 0xf), [3]);
}

#[test]
fn prefixes_come_before_what_is_done_to_an_operand() {
    let inputs = batch(&[(Location::R(1), &[ONE]), (Location::R(2), &[TWO]), (Location::P(3), &[1])]);
    for (text, prefix, expected) in [
        ("FMNMX_RR", "rb.neg", 0xc000_0000),
        ("FSEL_RR", "ra.neg", 0xbf80_0000),
        ("FSET_RR.GT.AND.BF", "rb.neg", ONE),
    ] {
        let mut instruction = instruction(text);
        instruction.set(prefix, 1);
        assert_eq!(values(&instruction, &inputs), [expected], "{text}");
    }
}

#[test]
fn every_form_of_an_integer_takes_its_amount() {
    let r1 = (Location::R(1), &[0xffu32][..]);
    for (form, field, value, amount) in [
        ("_RR", "rb", 2, Some(Location::R(2))),
        ("_RU", "urb", 2, Some(Location::UR(2))),
        ("_RC", "vb", 0x160, Some(Location::C { bank: 0, offset: 0x160 })),
        ("_RI", "vb", 4, None),
    ] {
        let columns: Vec<(Location, &[u32])> =
            [r1].into_iter().chain(amount.map(|location| (location, &[4u32][..]))).collect();
        let mut sgxt = instruction(&format!("SGXT{form}.U32"));
        sgxt.set(field, value);
        assert_eq!(values(&sgxt, &batch(&columns)), [0xf], "{form}");
    }
}

#[test]
fn nothing_is_written_to_rz() {
    for form in ["FADD_RR", "FFMA_RRR", "MUFU_R.RCP.F32", "POPC_R", "FLO_R", "BREV_R", "BMSK_RR", "SGXT_RR"] {
        let mut instruction = instruction(form);
        instruction.set("rd", 255);
        let inputs: [(_, &[u32]); 3] =
            [(Location::R(1), &[ONE]), (Location::R(2), &[ONE]), (Location::R(3), &[ONE])];
        assert!(truths(&instruction, &batch(&inputs)).columns().is_empty(), "{form}");
    }
}

#[test]
fn a_missing_column_is_an_error() {
    let cases = [
        ("FADD_RR", Location::R(2)),
        ("FFMA_RRU", Location::UR(3)),
        ("MUFU_R.RCP.F32", Location::R(1)),
        ("FSEL_RR", Location::P(3)),
        ("SGXT_RU", Location::UR(2)),
    ];
    for (form, missing) in cases {
        let instruction = instruction(form);
        let columns: Vec<(Location, &[u32])> =
            instruction.reads().into_iter().filter(|l| *l != missing).map(|l| (l, &[ONE][..])).collect();
        let error = MpfrOracle::default().truth(&instruction, &batch(&columns), 64, &mut Truths::default());
        assert!(matches!(error, Err(BackendError::MissingLocation(l)) if l == missing), "{form}: {error:?}");
    }
    let mut guarded = instruction("FADD_RR");
    guarded.set("pg", 2);
    let inputs: [(_, &[u32]); 2] = [(Location::R(1), &[ONE]), (Location::R(2), &[ONE])];
    let error = MpfrOracle::default().truth(&guarded, &batch(&inputs), 64, &mut Truths::default());
    assert!(matches!(error, Err(BackendError::MissingLocation(Location::P(2)))), "{error:?}");
}

#[test]
fn nothing_of_an_earlier_batch_stays() {
    let mut oracle = MpfrOracle::new(Readings::INTENDED);
    let mut truths = Truths::default();
    let fill = |n: usize| batch(&[(Location::R(1), &vec![ONE; n]), (Location::R(2), &vec![ONE; n])]);
    oracle.truth(&instruction("FADD_RR.RP"), &fill(9), 64, &mut truths).unwrap();
    oracle.truth(&instruction("FMUL_RR"), &fill(2), 64, &mut truths).unwrap();
    assert_eq!(truths.columns().len(), 1);
    assert_eq!(truths.columns()[0].values, TruthValues::Bits(vec![ONE; 2]));
    oracle.truth(&instruction("FMUL_RR"), &fill(0), 64, &mut truths).unwrap();
    assert_eq!(truths.columns()[0].values, TruthValues::Bits(vec![]));
    assert_eq!(oracle.name(), "mpfr");
}
