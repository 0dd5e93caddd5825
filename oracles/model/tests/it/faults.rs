//! The knobs: without a fault both sorts agree, every fault shows, and neither a fault nor a setting touches
//! an optype that is not its own.

use crate::support::sample::{self, Random};
use assay_isa::readings::SWITCHES;
use assay_isa::{Answer, Batch, Effects, Numbers, Readings, Subject, catalog};
use assay_model::{FAULTS, Family, Fault, FaultInfo, Model, Planted, Shipping, model, mutant};
use rayon::prelude::*;

const LANES: usize = 64;
const BATCHES: usize = 3000;
/// Lanes that a fault must show in.
const ENOUGH: usize = 20;

fn batches(optype: &str, count: usize) -> impl Iterator<Item = Batch> {
    let mut random = Random(0xa55a);
    (0..count).map(move |_| {
        let instruction = sample::instruction(&mut random, optype);
        sample::batch(&mut random, &instruction, LANES)
    })
}

/// Lanes in which two subjects do not have the same effect. The search ends where enough are found.
fn differences(
    one: &mut dyn Subject,
    other: &mut dyn Subject,
    optype: &str,
    count: usize,
    enough: usize,
) -> usize {
    let (mut left, mut right) = (Effects::default(), Effects::default());
    let mut differences = 0;
    for batch in batches(optype, count) {
        if differences >= enough {
            break;
        }
        assert_eq!(one.execute(&batch, &mut left).unwrap(), Answer::Known);
        assert_eq!(other.execute(&batch, &mut right).unwrap(), Answer::Known);
        let undefined = |effects: &Effects, lane| effects.undefined().iter().any(|(l, _)| *l == lane);
        let differ = |lane: &usize| {
            undefined(&left, *lane) != undefined(&right, *lane)
                || left.event_of(*lane) != right.event_of(*lane)
                || !left.lane(*lane).eq(right.lane(*lane))
        };
        differences += (0..LANES).filter(differ).count();
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
        assert_eq!(differences(&mut shipping(), &mut planted, optype, BATCHES, 1), 0, "{optype}");
    }
}

/// All but those of one row of a table, where random operands seldom lead (the unit tests of MUFU go there), and misread
/// fields, which are thousands, or to the very edge of the subnormals: `assay mutants run` has them all. What has a proof
/// does not show.
fn faults() -> impl Iterator<Item = &'static FaultInfo> {
    let told = |info: &&FaultInfo| !matches!(info.fault, Fault::RomBit(..) | Fault::Field(_));
    let shows = |info: &&FaultInfo| info.equivalent().is_none() && info.family != Family::Tininess;
    FAULTS.iter().filter(told).filter(shows)
}

#[test]
fn every_fault_shows() {
    let mut rare = Vec::new();
    for info in faults() {
        let mut mutant = mutant(Numbers::provisional().clone(), Readings::INTENDED, info.fault);
        let found = differences(&mut shipping(), mutant.as_mut(), info.optype, BATCHES, ENOUGH);
        if found < ENOUGH {
            rare.push((info.name, found));
        }
    }
    assert!(rare.is_empty(), "hardly seen in {} lanes: {rare:?}", BATCHES * LANES);
}

#[test]
fn a_fault_leaves_other_optypes_alone() {
    faults().par_bridge().for_each(|info| {
        let mut mutant = mutant(Numbers::provisional().clone(), Readings::INTENDED, info.fault);
        let optype = if info.optype == "FMUL" { "FFMA" } else { "FMUL" };
        assert_eq!(differences(&mut shipping(), mutant.as_mut(), optype, BATCHES / 4, 1), 0, "{}", info.name);
    });
}

#[test]
fn a_setting_leaves_other_optypes_alone() {
    SWITCHES.par_iter().for_each(|switch| {
        let others = catalog().optypes().into_iter().filter(|o| !switch.optypes.contains(&o.name));
        let mut readings = Readings::INTENDED;
        readings.set(switch.erratum, 3 - switch.intended.min(2)).unwrap();
        let mut changed = model(Numbers::provisional().clone(), readings);
        for optype in others {
            let found = differences(&mut shipping(), changed.as_mut(), optype.name, BATCHES / 20, 1);
            assert_eq!(found, 0, "{} in {}", switch.erratum, optype.name);
        }
    });
}
