//! Measures the cost of a case by stage, on one core: generation, model, oracle, judging and
//! coverage. The bare MPFR call is measured for comparison. `cargo bench -p assay-engine` prints
//! nanoseconds per case.

use std::hint::black_box;
use std::time::Instant;

use arbitrary::Unstructured;
use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::compare::judge::{Verdicts, judge};
use assay_engine::coverage::{Bins, CROSSED_EVERY, Coverage};
use assay_engine::generate::{self, LANES, Scope};
use assay_isa::{Batch, Effects, EncodingTable, Instruction, Oracle, Readings, Subject, Truths, catalog};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;
use rug::Float;
use rug::float::Round;

const BATCHES: u64 = 600;

/// Runs a stage over all batches five times. Returns the nanoseconds per case of the fastest of the
/// five rounds.
fn measure(mut stage: impl FnMut(usize)) -> f64 {
    let round = |stage: &mut dyn FnMut(usize)| {
        let started = Instant::now();
        (0..BATCHES as usize).for_each(stage);
        started.elapsed().as_nanos() as f64 / (BATCHES * LANES as u64) as f64
    };
    (0..5).map(|_| round(&mut stage)).fold(f64::INFINITY, f64::min)
}

fn draw(scope: &Scope, index: u64, bytes: &mut Vec<u8>, batch: &mut Batch) -> Instruction {
    let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
    generate::from_stream((1, index), EncodingTable::provisional(), LANES, bytes, batch, pick)
        .expect("a full buffer draws a batch")
}

fn bare_mpfr() -> f64 {
    let (a, b, c) = (
        Float::with_val(24, 1.234_567_9f32),
        Float::with_val(24, 2.345_678_9f32),
        Float::with_val(24, -0.577f32),
    );
    let mut result = Float::new(24);
    measure(|_| {
        for _ in 0..LANES {
            result.clone_from(&a);
            black_box(result.mul_add_round(&b, &c, Round::Nearest));
        }
    })
}

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
    println!(
        "{:<12} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "ns a case", "generate", "model", "mpfr", "judge", "coverage", "crossed", "all"
    );
    for only in catalog().optypes().iter().map(|optype| optype.name) {
        let mut comparator = Comparator::new(&setup);
        let mut known =
            |i: &Instruction| comparator.supports(i, setup.numbers).expect("both implementations answer");
        let all = Scope::filtered(|i| i.optype() == only);
        let known: Vec<Instruction> = all.modes().filter(|mode| known(mode)).cloned().collect();
        let scope = Scope::filtered(|i| known.contains(i));
        if scope.is_empty() {
            println!("{only:<12} no implementation for it");
            continue;
        }
        let bins = Bins::of(&scope, &Readings::INTENDED);
        let mut cases: Vec<(Instruction, Batch, Truths, Effects)> = Vec::new();
        let mut model = assay_model::model(EncodingTable::provisional().clone(), Readings::INTENDED);
        let mut oracle = MpfrOracle::new(Readings::INTENDED);
        let mut bytes = Vec::new();
        for index in 0..BATCHES {
            let mut batch = Batch::default();
            let instruction = draw(&scope, index, &mut bytes, &mut batch);
            cases.push((instruction, batch, Truths::default(), Effects::default()));
        }
        let mut batch = Batch::default();
        let generate = measure(|i| {
            black_box(draw(&scope, i as u64, &mut bytes, &mut batch));
        });
        let execute = measure(|i| {
            let (_, batch, _, effects) = &mut cases[i];
            black_box(model.execute(batch, effects)).expect("the model executes");
        });
        let know = measure(|i| {
            let (instruction, batch, truths, _) = &mut cases[i];
            black_box(oracle.truth(instruction, batch, 96, truths)).expect("the oracle knows");
        });
        let mut verdicts = Verdicts::default();
        let verdict = measure(|i| {
            let (instruction, _, truths, effects) = &cases[i];
            judge(&profile.contract_for(instruction), instruction, truths, effects, &mut verdicts);
            black_box(&verdicts);
        });
        let mut coverage = Coverage::default();
        let mark = measure(|i| {
            let (instruction, batch, truths, _) = &cases[i];
            bins.mark(instruction, batch, truths, &mut coverage);
        });
        let crossed_bins = Bins::crossed(&scope, &Readings::INTENDED);
        let crossed = measure(|i| {
            let (instruction, batch, truths, _) = &cases[i];
            crossed_bins.mark(instruction, batch, truths, &mut coverage);
        });
        // A campaign marks crossed bins only for one in `CROSSED_EVERY` batches, so the cost per
        // case is that much lower.
        let crossed = (crossed - mark) / CROSSED_EVERY as f64;
        let all = generate + execute + know + verdict + mark + crossed;
        println!(
            "{only:<12} {generate:>9.1} {execute:>9.1} {know:>9.1} {verdict:>9.1} {mark:>9.1} {crossed:>9.1} {all:>9.1}"
        );
    }
    println!("bare mpfr_fma at 24 bits: {:.1} ns", bare_mpfr());
}
