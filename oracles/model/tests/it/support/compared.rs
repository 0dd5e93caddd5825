//! Executes batches of an optype on the model without faults, and counts the lanes in which another
//! subject differs.

use assay_isa::{Answer, Batch, Effects, EncodingTable, Subject};
use assay_model::{Model, Shipping};

use super::sample::{self, Random};

/// Number of lanes in a batch.
pub const LANES: usize = 64;

fn batches(optype: &str, count: usize) -> impl Iterator<Item = Batch> {
    let mut random = Random(0xa55a);
    (0..count).map(move |_| {
        let instruction = sample::instruction(&mut random, optype);
        sample::batch(&mut random, &instruction, LANES)
    })
}

/// A batch, and the effects of the shipping model.
pub struct Sound {
    batch: Batch,
    effects: Effects,
}

/// Executes batches of an optype on the shipping model.
pub fn sound(optype: &str, count: usize) -> Vec<Sound> {
    let mut shipping = shipping();
    let execute = |batch: Batch| {
        let mut effects = Effects::default();
        assert_eq!(shipping.execute(&batch, &mut effects).unwrap(), Answer::Known);
        Sound { batch, effects }
    };
    batches(optype, count).map(execute).collect()
}

/// Counts the lanes in which a subject's effects differ from those of the shipping model. Stops
/// after the batch in which the count reaches `enough`.
pub fn differences(sound: &[Sound], other: &mut dyn Subject, enough: usize) -> usize {
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
    Model::new(EncodingTable::provisional().clone(), Shipping)
}
