//! Each fault that depends on lanes, batches or state changes results. The results of a sound
//! device do not depend on lanes, batches or state.

use std::sync::Barrier;
use std::thread;

use crate::support::{self, Inputs, Random, optype};
use assay_independent::{Device, Family, Fault, FaultInfo, Location};

/// Returns the word of FADD R0, R1, R2 with a rounding mode (0 to 3).
fn fadd(mode: u128) -> u128 {
    0x0000_0000_0000_0000_0000_0002_0100_7529 | (mode << 78)
}

const SAT: u128 = 1 << 77;

fn operands(word: u128, a: u32, b: u32) -> Inputs {
    Inputs::of(word, &[(Location::r(1), a), (Location::r(2), b)])
}

/// Returns a sequence of batches of several sizes. Some words repeat with other values.
fn sequence(info: &FaultInfo, seed: u64) -> Vec<Inputs> {
    let mut random = Random::new(seed);
    let names: Vec<&str> = info.optypes.split(' ').collect();
    let mut word = support::word(optype(names[0]), &mut random);
    (0..60)
        .map(|_| {
            if random.one_in(2) {
                word = support::word(optype(random.pick(&names)), &mut random);
            }
            let lanes = random.pick(&[1, 2, 31, 33, 64, 70, 128, 600, 1100]);
            Inputs::random(word, lanes, &mut random)
        })
        .collect()
}

/// Faults that a sequence of sixty batches on one device cannot show. Other tests show them.
const OWN_TESTS: &[Fault] = &[
    Fault::LateBatchesFlush,
    Fault::ThousandthBatchTruncates,
    Fault::HandlesShareSat,
    Fault::ThreadsShareRounding,
];

#[test]
fn faults_of_lanes_and_state_change_a_result() {
    let mut silent = Vec::new();
    for info in Fault::ALL.iter().filter(|info| info.family == Family::Batch) {
        if OWN_TESTS.contains(&info.fault) {
            continue;
        }
        let found = (0..40).any(|seed| {
            let (mut sound, mut faulty) = (Device::new(None), Device::new(Some(info.fault)));
            sequence(info, seed).iter().any(|inputs| inputs.run(&mut sound) != inputs.run(&mut faulty))
        });
        if !found {
            silent.push(info.name);
        }
    }
    assert!(silent.is_empty(), "no difference found: {silent:#?}");
}

#[test]
fn a_sound_device_remembers_nothing() {
    for info in Fault::ALL.iter().filter(|info| info.family == Family::Batch) {
        let mut old = Device::new(None);
        for inputs in sequence(info, 1) {
            assert_eq!(inputs.run(&mut old), inputs.run(&mut Device::new(None)));
        }
    }
}

#[test]
fn a_late_batch_flushes() {
    let tiny = operands(fadd(0), 1, 0);
    let mut faulty = Device::new(Some(Fault::LateBatchesFlush));
    let sound = tiny.run(&mut Device::new(None));
    for batch in 1..=10_001 {
        assert_eq!(tiny.run(&mut faulty) == sound, batch <= 10_000, "batch {batch}");
    }
}

#[test]
fn each_thousandth_batch_truncates() {
    let inexact = operands(fadd(1), 0x3f80_0000, 1);
    let mut faulty = Device::new(Some(Fault::ThousandthBatchTruncates));
    let sound = inexact.run(&mut Device::new(None));
    for batch in 1..=2000 {
        assert_eq!(inexact.run(&mut faulty) == sound, batch % 1000 != 0, "batch {batch}");
    }
}

#[test]
fn a_handle_saturates_after_another() {
    let fault = Some(Fault::HandlesShareSat);
    let (mut first, mut second) = (Device::new(fault), Device::new(fault));
    let two = operands(fadd(0), 0x3f80_0000, 0x3f80_0000);
    let saturated = operands(fadd(0) | SAT, 0x3f80_0000, 0x3f80_0000);
    let value = |device: &mut Device, inputs: &Inputs| inputs.run(device).expect("FADD")[0].values[0];
    assert_eq!(value(&mut second, &two), 0x4000_0000);
    assert_eq!(value(&mut first, &saturated), 0x3f80_0000);
    assert_eq!(value(&mut second, &two), 0x3f80_0000);
    assert_eq!(value(&mut second, &two), 0x4000_0000);
}

/// Returns the number of wrong results of two devices on two threads. One device rounds up, and the
/// other down.
fn wrong_in_threads(fault: Option<Fault>) -> usize {
    const LANES: usize = 4096;
    let start = Barrier::new(2);
    let count = |mode: u128, expected: u32| {
        let mut inputs = operands(fadd(mode), 0, 0);
        inputs.lanes = LANES;
        inputs.values = [[0x3f80_0000; LANES], [1; LANES]].concat();
        let mut device = Device::new(fault);
        start.wait();
        let results = (0..300).filter_map(|_| inputs.run(&mut device));
        results.flat_map(|columns| columns[0].values.clone()).filter(|bits| *bits != expected).count()
    };
    thread::scope(|scope| {
        let up = scope.spawn(|| count(1, 0x3f80_0001));
        let down = scope.spawn(|| count(2, 0x3f80_0000));
        up.join().expect("no panic") + down.join().expect("no panic")
    })
}

#[test]
fn threads_share_a_rounding_mode_in_one_fault_only() {
    assert_eq!(wrong_in_threads(None), 0);
    assert!(wrong_in_threads(Some(Fault::ThreadsShareRounding)) > 0);
}
