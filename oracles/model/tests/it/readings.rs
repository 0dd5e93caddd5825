//! Tests that a setting of a reading changes only the optypes that its switch lists.

use assay_isa::readings::SWITCHES;
use assay_isa::{EncodingTable, Readings, catalog};
use assay_model::model;
use rayon::prelude::*;

use crate::support::compared::{differences, sound};

const BATCHES: usize = 3000;

#[test]
fn a_setting_leaves_other_optypes_alone() {
    let optypes = catalog().optypes();
    let sound: Vec<_> =
        optypes.par_iter().map(|optype| (optype.name, sound(optype.name, BATCHES / 20))).collect();
    SWITCHES.par_iter().for_each(|switch| {
        let mut readings = Readings::INTENDED;
        readings.set(switch.erratum, 3 - switch.intended.min(2)).unwrap();
        let mut changed = model(EncodingTable::provisional().clone(), readings);
        for (optype, sound) in sound.iter().filter(|(optype, _)| !switch.optypes.contains(optype)) {
            let found = differences(sound, changed.as_mut(), 1);
            assert_eq!(found, 0, "{} in {optype}", switch.erratum);
        }
    });
}
