//! Compares lanes computed together with lanes computed one by one.

use assay_isa::tables::types::MUFUOp;
use assay_isa::{Erratum, Readings};
use rayon::prelude::*;

use crate::knobs::{Knobs, Shipping, Sound, SoundUnder};
use crate::mufu::{Function, compute};

const OPERATIONS: [MUFUOp; 8] = [
    MUFUOp::COS,
    MUFUOp::SIN,
    MUFUOp::EX2,
    MUFUOp::LG2,
    MUFUOp::RCP,
    MUFUOp::RSQ,
    MUFUOp::SQRT,
    MUFUOp::TANH,
];

/// Returns two sets of readings that change MUFU: the behaviour of a GPU, and one with other
/// settings.
fn other_readings() -> [Readings; 2] {
    let convention = Erratum::convention(7);
    let settings = [
        [(Erratum(34), 2), (Erratum(35), 2), (Erratum(36), 2), (Erratum(42), 3), (convention, 2)],
        [(Erratum(34), 1), (Erratum(35), 2), (Erratum(36), 1), (Erratum(42), 2), (convention, 1)],
    ];
    settings.map(|settings| {
        let mut readings = Readings::INTENDED;
        for (erratum, setting) in settings {
            readings.set(erratum, setting).expect("a setting");
        }
        readings
    })
}

/// Compares the results of a column computed together and one by one, under several readings.
fn agree(operation: MUFUOp, sat: bool, xs: &[u32]) {
    let function = Function::Single { operation, sat };
    compare(&Shipping, &Sound, function, xs);
    for readings in other_readings() {
        compare(&readings, &SoundUnder(readings), function, xs);
    }
}

fn compare(together: &impl Knobs, apart: &impl Knobs, function: Function, xs: &[u32]) {
    fn results<K: Knobs>(k: &K, function: Function, xs: &[u32]) -> Vec<u32> {
        let mut results = vec![0; xs.len()];
        compute(k, function, xs, &mut results);
        results
    }
    let (together, apart) = (results(together, function, xs), results(apart, function, xs));
    if together != apart {
        let lane = (0..xs.len()).find(|i| together[*i] != apart[*i]).expect("one differs");
        let (x, [y, expected]) = (xs[lane], [&together, &apart].map(|results| results[lane]));
        panic!("{function:?} {x:#010x}: {y:#010x} instead of {expected:#010x}");
    }
}

fn agree_in_all(xs: &[u32]) {
    for operation in OPERATIONS {
        for sat in [false, true] {
            agree(operation, sat, xs);
        }
    }
}

#[test]
fn at_both_ends_of_each_segment_and_between() {
    // The length of a segment is a multiple of 2¹⁶ patterns, except for large arguments of EX2.
    for first in (0..=u32::MAX).step_by(1 << 16) {
        let between = (first..=first + 0xffff).step_by(4369);
        let last = first + 0xffff;
        agree_in_all(&between.collect::<Vec<_>>());
        agree_in_all(&[first, first + 1, first + 2, last - 2, last - 1, last]);
        agree_in_all(&[last - 1, last, last.wrapping_add(1), last.wrapping_add(2)]);
    }
}

#[test]
fn whole_batches() {
    for first in (0..=u32::MAX).step_by(40_503 << 10) {
        agree_in_all(&(first..first.saturating_add(4096)).collect::<Vec<_>>());
    }
}

#[test]
fn a_stranger_among_lanes_that_are_alike() {
    for first in (0..=u32::MAX).step_by(0x0123_4567) {
        for stranger in [0, 1 << 31, first ^ 1 << 31, first ^ 1 << 30, first ^ 1 << 23, first ^ 1 << 16, !0] {
            let mut xs = [first; 300];
            xs[170] = stranger;
            agree_in_all(&xs);
        }
    }
}

#[test]
#[ignore = "half an hour: `just every-pattern`"]
fn every_pattern() {
    const INPUTS: u32 = 1 << 24;
    for operation in OPERATIONS {
        (0..1u32 << 8).into_par_iter().for_each(|unit| {
            for first in (unit * INPUTS..=unit * INPUTS + (INPUTS - 1)).step_by(4096) {
                agree(operation, false, &(first..=first + 4095).collect::<Vec<_>>());
            }
        });
        println!("{operation:?} agrees");
    }
}
