//! Checks that both kinds of knobs agree without a fault, that faults show, and that a fault
//! affects only its own optype.

use std::collections::BTreeMap;

use assay_faults::{FAULTS, Family, Fault, FaultInfo, Planted, mutant};
use assay_isa::{EncodingTable, Readings, catalog};
use assay_model::Model;
use rayon::prelude::*;

use crate::compared::{self, differences, sound};

const BATCHES: usize = 3000;
/// Number of lanes in which a fault must show.
const ENOUGH: usize = 20;

#[test]
fn both_sorts_of_knobs_agree() {
    catalog().optypes().par_iter().map(|optype| optype.name).for_each(|optype| {
        let mut planted = Model::new(EncodingTable::provisional().clone(), Planted::default());
        assert_eq!(differences(&sound(optype, BATCHES), &mut planted, 1), 0, "{optype}");
    });
}

/// Returns the faults that random operands show. Left out are wrong bits in a row of a table
/// (covered by `interpolators`), misread fields (there are thousands), faults at the edge of the
/// subnormals, and equivalent faults. `assay-lab mutants run` covers all faults.
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
            let mut mutant = mutant(EncodingTable::provisional().clone(), Readings::INTENDED, info.fault);
            (info.name, differences(&sound, mutant.as_mut(), ENOUGH))
        };
        faults.iter().map(found).filter(|(_, found)| *found < ENOUGH)
    });
    let rare: Vec<_> = rare.collect();
    assert!(
        rare.is_empty(),
        "hardly seen in {} lanes: {rare:?}; plant it where it shows, or write the proof in equivalent.rs",
        BATCHES * compared::LANES
    );
}

#[test]
fn a_fault_leaves_other_optypes_alone() {
    let [multiply, fused] = ["FMUL", "FFMA"].map(|optype| sound(optype, BATCHES / 4));
    faults().par_bridge().for_each(|info| {
        let mut mutant = mutant(EncodingTable::provisional().clone(), Readings::INTENDED, info.fault);
        let sound = if info.optype == "FMUL" { &fused } else { &multiply };
        assert_eq!(differences(sound, mutant.as_mut(), 1), 0, "{}", info.name);
    });
}
