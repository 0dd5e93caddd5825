//! Tests the inputs that a worker sends to a device, and the use of the results. A stand-in
//! replaces the device.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use assay_engine::generate::Scope;
use assay_engine::generate::domain;
use assay_fpenv::Environment;
use assay_isa::effect::Lanes;
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Location, Subject, asm, codec, legality,
};

use super::subject::{CudaSubject, Machine};
use super::{CudaError, driver};
use crate::ptx::{Feed, Lowering, lower};

/// A device whose outputs are a hash of all inputs in order, and of the output's number.
#[derive(Default)]
struct StandIn {
    columns: &'static Counter,
    slices: &'static Counter,
    broken: bool,
    /// Whether the last input is an old value. If so, the last input is not hashed, and becomes the
    /// output in lanes where the first input is 0.
    keeps: bool,
}

#[derive(Default)]
struct Counter(AtomicUsize);

impl Counter {
    fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Default for &'static Counter {
    fn default() -> Self {
        Box::leak(Box::default())
    }
}

fn output(inputs: impl IntoIterator<Item = u32>, number: usize) -> u32 {
    inputs.into_iter().fold(number as u32, |sum, input| sum.rotate_left(5).wrapping_mul(0x9e37_79b1) ^ input)
}

impl Machine for StandIn {
    type Kernel = Lowering;
    type Results = Vec<u32>;

    fn ready(&mut self) -> Result<(), CudaError> {
        Ok(())
    }

    fn kernel(&mut self, lowering: &Lowering, _: Feed) -> Result<Lowering, CudaError> {
        Ok(lowering.clone())
    }

    fn columns(
        &mut self,
        kernel: &Lowering,
        inputs: &[u32],
        count: u32,
        outputs: &mut [u32],
    ) -> Result<(), CudaError> {
        self.columns.count();
        if self.broken {
            return Err(CudaError::NoDriver);
        }
        let count = count as usize;
        assert_eq!(
            (inputs.len(), outputs.len()),
            (kernel.inputs.len() * count, kernel.outputs.len() * count)
        );
        for (place, value) in outputs.iter_mut().enumerate() {
            let lane = inputs[place % count..].iter().step_by(count);
            let is_kept = self.keeps && inputs[place % count] == 0;
            let read = kernel.inputs.len() - usize::from(self.keeps);
            *value = if is_kept {
                inputs[inputs.len() - count]
            } else {
                output(lane.copied().take(read), place / count)
            };
        }
        Ok(())
    }

    fn slices(&mut self, _: &Lowering, firsts: &[u32], lanes: u32) -> Result<Vec<u32>, CudaError> {
        self.slices.count();
        let inputs = firsts.iter().flat_map(|first| (0..lanes).map(|lane| first.wrapping_add(lane)));
        Ok(inputs.map(|input| output([input], 0)).collect())
    }

    fn wait(results: &Vec<u32>) -> Result<&[u32], CudaError> {
        Ok(results)
    }

    fn give_back(&mut self, _: Vec<u32>) {}
}

fn subject(machine: StandIn) -> CudaSubject<StandIn> {
    CudaSubject::on(machine, "stand-in".to_owned(), EncodingTable::provisional().clone())
}

fn batch(text: &str, lanes: usize, value: impl Fn(usize, usize) -> u32) -> Batch {
    let instruction = asm::parse(text).unwrap();
    let word = codec::encode(&instruction, EncodingTable::provisional());
    let mut batch = Batch::new(word, &instruction.reads(), lanes);
    for column in 0..batch.locations().len() {
        let values = batch.column_mut(column).iter_mut().enumerate();
        values.for_each(|(lane, slot)| *slot = value(column, lane));
    }
    batch
}

/// Returns the written values of a batch, by column.
fn written(subject: &mut impl Subject, batch: &Batch) -> Vec<(Location, Vec<u32>)> {
    let mut effects = Effects::default();
    assert_eq!(subject.execute(batch, &mut effects).unwrap(), Answer::Known);
    assert_eq!(effects.len(), batch.len());
    effects.columns().iter().map(|column| (column.location, column.values.clone())).collect()
}

/// Returns the inputs that the subject should send for a lane.
type Sent = fn(u32) -> Vec<u32>;

#[test]
fn operands_are_sent_in_order() {
    let value = |column: usize, lane: usize| (column * 100 + lane) as u32;
    let expected = |inputs: Sent| (0..3).map(|lane| output(inputs(lane), 0)).collect::<Vec<_>>();
    // The columns are those of the batch. A register that is named twice is sent twice. RZ and
    // immediates are sent as constants.
    let cases: [(&str, Location, Sent); 4] = [
        ("FFMA R0, R1, R2, R3", Location::R(0), |lane| vec![lane, 100 + lane, 200 + lane]),
        ("FFMA R9, R1, R2, R1", Location::R(9), |lane| vec![lane, 100 + lane, lane]),
        ("FFMA R9, R1, RZ, R2", Location::R(9), |lane| vec![lane, 0, 100 + lane]),
        ("FADD R4, R7, 0f40400000", Location::R(4), |lane| vec![lane, 0x4040_0000]),
    ];
    for (text, location, inputs) in cases {
        let results = written(&mut subject(StandIn::default()), &batch(text, 3, value));
        assert_eq!(results, [(location, expected(inputs))], "{text}");
    }
}

#[test]
fn each_output_has_its_column() {
    let product = batch("UIMAD.WIDE UR[0:1], UR4, UR6, UR[8:9]", 2, |column, lane| (column + lane) as u32);
    let results = written(&mut subject(StandIn::default()), &product);
    let places: Vec<Location> = results.iter().map(|(location, _)| *location).collect();
    assert_eq!(places, [Location::UR(0), Location::UR(1)]);
    assert_ne!(results[0].1, results[1].1);
}

#[test]
fn what_a_guard_leaves_alone_is_not_written() {
    // The guard is sent first. In lanes where the guard is 0, the stand-in returns the last input,
    // which is the old value of the result.
    let machine = StandIn { keeps: true, ..StandIn::default() };
    let runs = machine.columns;
    let guarded = batch("@P3 FADD R0, R1, R2", 4, |column, lane| (column * 100 + lane % 2) as u32);
    let mut effects = Effects::default();
    assert_eq!(subject(machine).execute(&guarded, &mut effects).unwrap(), Answer::Known);
    let [column] = effects.columns() else { panic!("{effects:?}") };
    assert_eq!(column.written, Lanes::Some(vec![false, true, false, true]));
    assert_eq!(runs.get(), 2);
}

#[test]
fn what_was_announced_is_not_executed_again() {
    let machine = StandIn::default();
    let (columns, slices) = (machine.columns, machine.slices);
    let mut subject = subject(machine);
    let upwards = |first: u32| batch("MUFU.RCP.F32 R0, R1", 5, |_, lane| first + lane as u32);
    let firsts = [0x3f80_0000, 0x4000_0000];
    let plain: Vec<_> = firsts.map(|first| written(&mut subject, &upwards(first))).into();
    assert_eq!((columns.get(), slices.get()), (2, 0));
    for _ in 0..2 {
        subject.announce(upwards(0).word(), &firsts, 6).unwrap();
        let ahead: Vec<_> = firsts.map(|first| written(&mut subject, &upwards(first))).into();
        assert_eq!(ahead, plain);
    }
    assert_eq!((columns.get(), slices.get()), (2, 1));
    // Inputs that were not requested ahead are executed as a batch.
    written(&mut subject, &upwards(0x3f80_0001));
    assert_eq!((columns.get(), slices.get()), (3, 1));
}

#[test]
fn of_several_inputs_nothing_is_announced() {
    let machine = StandIn::default();
    let slices = machine.slices;
    let sum = batch("FADD R0, R1, R2", 4, |_, lane| lane as u32);
    subject(machine).announce(sum.word(), &[0], 4).unwrap();
    assert_eq!(slices.get(), 0);
}

#[test]
fn what_ptx_cannot_say_is_unsupported() {
    let asked = batch("S2R R0, SR_LANEID", 1, |_, _| 0);
    let answer = subject(StandIn::default()).execute(&asked, &mut Effects::default());
    assert_eq!(answer.unwrap(), Answer::Unsupported);
}

#[test]
fn a_device_that_fails_is_named() {
    let asked = batch("FADD R0, R1, R2", 1, |_, _| 0);
    let machine = StandIn { broken: true, ..StandIn::default() };
    match subject(machine).execute(&asked, &mut Effects::default()) {
        Err(BackendError::Failed { implementation, problem }) => {
            assert_eq!((implementation, problem), ("stand-in".to_owned(), CudaError::NoDriver.to_string()));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn without_lanes_nothing_is_run() {
    let machine = StandIn { broken: true, ..StandIn::default() };
    let results = written(&mut subject(machine), &batch("FADD R0, R1, R2", 0, |_, _| 0));
    assert_eq!(results, [(Location::R(0), Vec::new())]);
}

#[test]
fn a_mode_is_asked_for_with_operands_that_ptx_can_express() {
    let mut supported: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for mode in Scope::everything().modes() {
        let mut asked = domain::with_operands(mode).filter(|one| legality::check(one).is_ok());
        let is_lowered = asked.any(|instruction| lower(&instruction).is_ok());
        supported.entry(mode.optype()).or_default()[usize::from(is_lowered)] += 1;
    }
    // The counts per optype are of modes without and with a lowering. A mode has no lowering
    // because of a saturation, for example, or a carry that PTX cannot express.
    insta::assert_debug_snapshot!(supported);
    for optype in ["FMNMX", "UIMNMX", "UF2FP", "ULEA", "ULOP3", "USHF"] {
        assert!(supported[optype][1] > 0, "{optype} is never asked");
    }
}

#[test]
fn what_the_driver_leaves_of_the_floating_point_environment_is_undone() {
    for (name, environment) in Environment::others() {
        // SAFETY: `driver` undoes the change before anything is computed.
        driver("run", || unsafe { environment.set() });
        assert!(Environment::current().is_default(), "{name}");
    }
}
