//! Where values come from and whether they are written: sources, prefixes, guard, RZ, missing columns.

use assay_isa::effect::Lanes;
use assay_isa::truth::TruthValues;
use assay_isa::{Answer, Batch, Instruction, Location, Oracle, Readings, Truths, VoiceError};

use super::{RD, batch, instruction};
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
    // 2 · 3 + 1 tells the addend from the factors; a literal is its own value.
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
fn nothing_is_written_to_rz() {
    for form in ["FADD_RR", "FFMA_RRR", "MUFU_R.RCP.F32"] {
        let mut instruction = instruction(form);
        instruction.set("rd", 255);
        let inputs: [(_, &[u32]); 3] =
            [(Location::R(1), &[ONE]), (Location::R(2), &[ONE]), (Location::R(3), &[ONE])];
        assert!(truths(&instruction, &batch(&inputs)).columns().is_empty(), "{form}");
    }
}

#[test]
fn a_missing_column_is_an_error() {
    let cases =
        [("FADD_RR", Location::R(2)), ("FFMA_RRU", Location::UR(3)), ("MUFU_R.RCP.F32", Location::R(1))];
    for (form, missing) in cases {
        let instruction = instruction(form);
        let columns: Vec<(Location, &[u32])> =
            instruction.reads().into_iter().filter(|l| *l != missing).map(|l| (l, &[ONE][..])).collect();
        let error = MpfrOracle::default().truth(&instruction, &batch(&columns), 64, &mut Truths::default());
        assert!(matches!(error, Err(VoiceError::MissingLocation(l)) if l == missing), "{form}: {error:?}");
    }
    let mut guarded = instruction("FADD_RR");
    guarded.set("pg", 2);
    let inputs: [(_, &[u32]); 2] = [(Location::R(1), &[ONE]), (Location::R(2), &[ONE])];
    let error = MpfrOracle::default().truth(&guarded, &batch(&inputs), 64, &mut Truths::default());
    assert!(matches!(error, Err(VoiceError::MissingLocation(Location::P(2)))), "{error:?}");
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
