//! The knobs: without a fault both sorts agree, every fault shows, and neither a fault nor a setting touches
//! an optype that is not its own.

use crate::support::sample::{self, Random};
use std::collections::BTreeMap;

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

/// A batch, and the effects of the shipping model.
struct Sound {
    batch: Batch,
    effects: Effects,
}

/// Executes batches of an optype on the shipping model.
fn sound(optype: &str, count: usize) -> Vec<Sound> {
    let mut shipping = shipping();
    let execute = |batch: Batch| {
        let mut effects = Effects::default();
        assert_eq!(shipping.execute(&batch, &mut effects).unwrap(), Answer::Known);
        Sound { batch, effects }
    };
    batches(optype, count).map(execute).collect()
}

/// Counts the lanes in which a subject has other effects than the shipping model, until there are enough.
fn differences(sound: &[Sound], other: &mut dyn Subject, enough: usize) -> usize {
    let mut right = Effects::default();
    let mut differences = 0;
    for Sound { batch, effects: left } in sound {
        if differences >= enough {
            break;
        }
        assert_eq!(other.execute(batch, &mut right).unwrap(), Answer::Known);
        let undefined = |effects: &Effects, lane| effects.undefined().iter().any(|(l, _)| *l == lane);
        let differ = |lane: &usize| {
            undefined(left, *lane) != undefined(&right, *lane)
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
    catalog().optypes().par_iter().map(|optype| optype.name).for_each(|optype| {
        let mut planted = Model::new(Numbers::provisional().clone(), Planted::default());
        assert_eq!(differences(&sound(optype, BATCHES), &mut planted, 1), 0, "{optype}");
    });
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
    let mut of_optype: BTreeMap<&str, Vec<&FaultInfo>> = BTreeMap::new();
    faults().for_each(|info| of_optype.entry(info.optype).or_default().push(info));
    let rare = of_optype.par_iter().flat_map_iter(|(optype, faults)| {
        let sound = sound(optype, BATCHES);
        let found = move |info: &&FaultInfo| {
            let mut mutant = mutant(Numbers::provisional().clone(), Readings::INTENDED, info.fault);
            (info.name, differences(&sound, mutant.as_mut(), ENOUGH))
        };
        faults.iter().map(found).filter(|(_, found)| *found < ENOUGH)
    });
    let rare: Vec<_> = rare.collect();
    assert!(rare.is_empty(), "hardly seen in {} lanes: {rare:?}", BATCHES * LANES);
}

#[test]
fn a_fault_leaves_other_optypes_alone() {
    let [multiply, fused] = ["FMUL", "FFMA"].map(|optype| sound(optype, BATCHES / 4));
    faults().par_bridge().for_each(|info| {
        let mut mutant = mutant(Numbers::provisional().clone(), Readings::INTENDED, info.fault);
        let sound = if info.optype == "FMUL" { &fused } else { &multiply };
        assert_eq!(differences(sound, mutant.as_mut(), 1), 0, "{}", info.name);
    });
}

#[test]
fn a_setting_leaves_other_optypes_alone() {
    let optypes = catalog().optypes();
    let sound: Vec<_> =
        optypes.par_iter().map(|optype| (optype.name, sound(optype.name, BATCHES / 20))).collect();
    SWITCHES.par_iter().for_each(|switch| {
        let mut readings = Readings::INTENDED;
        readings.set(switch.erratum, 3 - switch.intended.min(2)).unwrap();
        let mut changed = model(Numbers::provisional().clone(), readings);
        for (optype, sound) in sound.iter().filter(|(optype, _)| !switch.optypes.contains(optype)) {
            let found = differences(sound, changed.as_mut(), 1);
            assert_eq!(found, 0, "{} in {optype}", switch.erratum);
        }
    });
}
