//! Measures the cost of an input of a full sweep by stage, on one core. The stages are the model,
//! the filter, verdicts with sums, and the rest of the sweep. For a sine, the rest includes the
//! cosine of each positive argument. `cargo bench -p assay-engine --bench exhaustive` prints
//! nanoseconds per input.

use std::time::Instant;

use assay_engine::compare::comparator::{Comparator, EstimatedBatch, Setup};
use assay_engine::generate::domain::swept;
use assay_engine::run::exhaustive::examine::{BatchExaminer, BatchToExamine};
use assay_engine::run::exhaustive::line::{ExhaustiveWorker, SLICE, UNIT, UNITS};
use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::exhaustive::SEGMENT_BITS;
use assay_engine::stats::tally::Tally;
use assay_isa::tables::types::MUFUOp;
use assay_isa::{Batch, EncodingTable, Estimates, Oracle, Readings, Subject, asm, codec};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;

const FUNCTIONS: [MUFUOp; 8] = [
    MUFUOp::RCP,
    MUFUOp::RSQ,
    MUFUOp::SQRT,
    MUFUOp::EX2,
    MUFUOp::LG2,
    MUFUOp::TANH,
    MUFUOp::SIN,
    MUFUOp::COS,
];
/// Number of segments that run for each function, spread over the range of fractions. The first
/// segment is not timed, because it sets most of the error records.
const SAMPLE: u64 = 4;
/// Number of units in a segment.
const NEIGHBOURS: u64 = UNITS >> SEGMENT_BITS;

fn main() {
    let profile = Profile::load("intended").expect("a built-in profile");
    let subject = || -> Box<dyn Subject> {
        assay_model::model(EncodingTable::provisional().clone(), Readings::INTENDED)
    };
    let oracle = || -> Box<dyn Oracle> { Box::new(MpfrOracle::new(Readings::INTENDED)) };
    let setup = Setup {
        numbers: EncodingTable::provisional(),
        profile: &profile,
        subject: &subject,
        oracle: &oracle,
    };
    let heads = ["model", "filter", "verdicts", "sweep", "whole"];
    println!("{:12}{}  sweep/rest", "ns an input", heads.map(|head| format!("{head:>10}")).concat());
    let mut sums = [0.0; 5];
    for function in FUNCTIONS {
        let instruction = swept(&asm::parse(&format!("MUFU.{function:?}.F32 R0, R0")).expect("it is legal"));
        let contract = profile.contract_for(&instruction);
        let function_name = asm::mnemonic(&instruction);
        let word = codec::encode(&instruction, setup.numbers);
        let mut comparator = Comparator::new(&setup);
        let mut batch = Batch::default();
        let fill = |first: u32, batch: &mut Batch| {
            batch.reset(word, &instruction.reads(), SLICE as usize);
            (first..).zip(batch.column_mut(0)).for_each(|(bits, lane)| *lane = bits);
        };
        let model = slices(|first| {
            fill(first, &mut batch);
            comparator.execute(&batch).expect("the model answers");
        });
        let mut estimates = Estimates::default();
        let both = slices(|first| {
            fill(first, &mut batch);
            comparator.estimate(&instruction, &batch, &mut estimates).expect("both answer");
        });
        let mut examiner = BatchExaminer::default();
        let mut tally = Tally::default();
        let judged = slices(|first| {
            fill(first, &mut batch);
            let asked = BatchToExamine {
                contract: &contract,
                instruction: &instruction,
                function: &function_name,
                batch: &batch,
                lanes: 0..SLICE as usize,
                known: None,
                index: &|lane| u64::from(first) + lane as u64,
                checked: None,
            };
            let executed = examiner.execute(&mut comparator, &contract, &instruction, &batch);
            assert_eq!(executed.expect("both answer"), EstimatedBatch::Results);
            let examined = examiner.examine(&mut comparator, &asked, Accuracy::standing_records, &mut tally);
            assert!(examined.expect("both answer").is_some());
        });
        let mut surveyor = ExhaustiveWorker::new(
            &instruction,
            contract.clone(),
            setup.numbers,
            Comparator::new(&setup),
            None,
        );
        let mut tally = Tally::default();
        let mut segment = |index: u64| {
            let started = Instant::now();
            let first = index * (UNITS / SAMPLE);
            (first..first + NEIGHBOURS)
                .for_each(|unit| surveyor.unit(unit, None, &mut tally).expect("both answer"));
            started.elapsed().as_nanos() as f64 / (NEIGHBOURS * UNIT) as f64
        };
        segment(0);
        let whole = (1..SAMPLE).map(segment).sum::<f64>() / (SAMPLE - 1) as f64;
        let stages = [model, both - model, judged - both, whole - judged, whole];
        sums.iter_mut().zip(stages).for_each(|(sum, stage)| *sum += stage);
        print(&format!("{function:?}"), stages);
    }
    print("all", sums);
}

/// Prints a line of the table.
fn print(name: &str, stages: [f64; 5]) {
    let [.., stats, whole] = stages;
    let columns = stages.map(|stage| format!("{stage:10.2}")).concat();
    println!("{name:12}{columns}{:10.0} %", 1e2 * stats / (whole - stats));
}

/// Returns the nanoseconds per input for `slice`, averaged over one slice of inputs in each binade.
fn slices(mut slice: impl FnMut(u32)) -> f64 {
    let firsts = || (0..512_u32).map(|binade| binade << 23 | 0x12_3000);
    firsts().for_each(&mut slice);
    let started = Instant::now();
    (0..4).for_each(|_| firsts().for_each(&mut slice));
    started.elapsed().as_nanos() as f64 / (4 * 512 * SLICE) as f64
}
