//! The knobs: without a fault both sorts agree, and every fault shows.

mod common;

use assay_isa::{Answer, Batch, Effects, Numbers, Readings, Subject, catalog};
use assay_model::{FAULTS, Model, Planted, Shipping, mutant};
use common::sample::{self, Random};

const LANES: usize = 64;
const BATCHES: usize = 1500;

fn batches(optype: &str) -> impl Iterator<Item = Batch> {
    let mut random = Random(0xa55a);
    (0..BATCHES).map(move |_| {
        let instruction = sample::instruction(&mut random, optype);
        sample::batch(&mut random, &instruction, LANES)
    })
}

/// Lanes in which two subjects do not have the same effect.
fn differences(one: &mut dyn Subject, other: &mut dyn Subject, optype: &str) -> usize {
    let (mut left, mut right) = (Effects::default(), Effects::default());
    let mut differences = 0;
    for batch in batches(optype) {
        assert_eq!(one.execute(&batch, &mut left).unwrap(), Answer::Known);
        assert_eq!(other.execute(&batch, &mut right).unwrap(), Answer::Known);
        differences += (0..LANES).filter(|lane| !left.lane(*lane).eq(right.lane(*lane))).count();
    }
    differences
}

fn shipping() -> Model<Shipping> {
    Model::new(Numbers::provisional().clone(), Shipping)
}

#[test]
fn both_sorts_of_knobs_agree() {
    for optype in catalog().optypes().iter().map(|optype| optype.name) {
        let mut planted = Model::new(Numbers::provisional().clone(), Planted::default());
        assert_eq!(differences(&mut shipping(), &mut planted, optype), 0, "{optype}");
    }
}

#[test]
fn every_fault_shows() {
    let mut rare = Vec::new();
    for info in FAULTS {
        let mut mutant = mutant(Numbers::provisional().clone(), Readings::INTENDED, info.fault);
        let found = differences(&mut shipping(), mutant.as_mut(), info.optype);
        println!("{:<36} {:>8.4} %", info.name, 100.0 * found as f64 / (BATCHES * LANES) as f64);
        if found < 20 {
            rare.push((info.name, found));
        }
    }
    assert!(rare.is_empty(), "hardly seen in {} lanes: {rare:?}", BATCHES * LANES);
}

#[test]
fn a_fault_leaves_other_optypes_alone() {
    for info in FAULTS {
        let mut mutant = mutant(Numbers::provisional().clone(), Readings::INTENDED, info.fault);
        let optype = if info.optype == "FMUL" { "FFMA" } else { "FMUL" };
        assert_eq!(differences(&mut shipping(), mutant.as_mut(), optype), 0, "{}", info.name);
    }
}
