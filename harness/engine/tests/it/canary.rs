//! Tests that runs check themselves. A wrong filter or estimate ends the run, and the counts of
//! these checks merge like all other counts.

use std::sync::atomic::AtomicBool;

use assay_engine::compare::canary::{Canaries, Pieces};
use assay_engine::compare::comparator::{Comparator, Setup};
use assay_engine::generate::Scope;
use assay_engine::generate::domain::Domain;
use assay_engine::run::Shard;
use assay_engine::run::campaign::{Campaign, Limit};
use assay_engine::run::exhaustive::line::{ExhaustiveWorker, UNIT, UNITS};
use assay_engine::run::sweep::{Function, Sweep};
use assay_engine::run::{CampaignError, RunHooks, RunOutcome, RunProgress};
use assay_engine::stats::tally::Tally;
use assay_isa::truth::TruthValues;
use assay_isa::{
    Answer, Arguments, BackendError, Batch, EncodingTable, Estimates, FastOracle, Instruction, Oracle,
    Readings, Truths, Unrounded, asm,
};
use assay_mpfr::MpfrOracle;

use crate::support::{intended, model};

/// A defect in the fast paths of an oracle.
#[derive(Clone, Copy, PartialEq)]
enum Defect {
    None,
    /// One in 8 results of the filter has a flipped last bit.
    Filter,
    /// There is no slow path.
    NoSlowPath,
    /// Estimates are too large by a billionth.
    Estimate,
    /// One in 8 arguments with 16 bits has a flipped last bit.
    Argument,
}

/// The oracle with such a defect.
struct Defective(MpfrOracle, Defect);

impl Oracle for Defective {
    fn name(&self) -> &str {
        "defective"
    }

    fn fast(&mut self, _instruction: &Instruction) -> Option<&mut dyn FastOracle> {
        Some(self)
    }

    fn truth(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        let answer = self.0.truth(instruction, batch, precision, truths)?;
        if self.1 != Defect::Filter || !truths.is_filtered() {
            return Ok(answer);
        }
        let [truth] = truths.columns() else { return Ok(answer) };
        let (location, written) = (truth.location, truth.written.clone());
        let TruthValues::Bits(mut values) = truth.values.clone() else { return Ok(answer) };
        values.iter_mut().step_by(8).for_each(|value| *value ^= 1);
        truths.reset(batch.len());
        truths.bits(location, written).copy_from_slice(&values);
        truths.mark_filtered();
        Ok(answer)
    }
}

impl FastOracle for Defective {
    fn truth_unfiltered(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        match self.1 {
            Defect::NoSlowPath => Ok(Answer::Unsupported),
            _ => self.0.truth_unfiltered(instruction, batch, precision, truths),
        }
    }

    fn estimate(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        estimates: &mut Estimates,
    ) -> Result<bool, BackendError> {
        let answer = self.0.estimate(instruction, batch, estimates)?;
        if self.1 == Defect::Estimate {
            estimates.deltas.iter_mut().for_each(|delta| *delta *= 1.0 + 1e-9);
        }
        Ok(answer)
    }

    fn arguments(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        arguments: &mut Arguments,
    ) -> Result<bool, BackendError> {
        let answer = self.0.arguments(instruction, batch, arguments)?;
        if self.1 == Defect::Argument {
            arguments.values.iter_mut().step_by(8).for_each(|argument| *argument ^= 1);
        }
        Ok(answer)
    }

    fn unrounded(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        exact: &mut Vec<Unrounded>,
    ) -> Result<bool, BackendError> {
        self.0.unrounded(instruction, batch, precision, exact)
    }
}

/// Calls `work` with a setup that compares the model with a defective oracle.
fn with<T>(defect: Defect, work: impl FnOnce(Setup<'_>) -> T) -> T {
    let profile = intended();
    let oracle = || -> Box<dyn Oracle> { Box::new(Defective(MpfrOracle::new(Readings::INTENDED), defect)) };
    work(Setup { numbers: EncodingTable::provisional(), profile: &profile, subject: &model, oracle: &oracle })
}

fn campaign(defect: Defect, optype: &str, cases: u64, shard: Shard) -> Result<RunOutcome, CampaignError> {
    let scope = Scope::filtered(|mode| mode.optype() == optype);
    let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
    let hooks = RunHooks::new(&stop, &mut progress);
    with(defect, |setup| {
        let limit = Limit::Cases(cases);
        Campaign { setup, scope: &scope, seed: 7, limit, shard }.run(hooks)
    })
}

fn sweep(defect: Defect, text: &str, stride: u64, shard: Shard) -> Result<RunOutcome, CampaignError> {
    let instruction = asm::parse(text).unwrap();
    let functions = [Function { instruction, domain: Domain::Line { stride, listed: Vec::new() } }];
    let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
    let hooks = RunHooks::new(&stop, &mut progress);
    with(defect, |setup| Sweep { setup, functions: &functions, shard }.run(RunProgress::default(), hooks))
}

/// Runs twelve units of a sweep over every input, and returns the counts of the run's self-checks.
fn unit(defect: Defect, name: &str) -> Result<Canaries, BackendError> {
    with(defect, |setup| {
        let instruction = asm::parse(&format!("MUFU.{name}.F32 R0, R1")).unwrap();
        let contract = setup.profile.contract_for(&instruction);
        let mut surveyor =
            ExhaustiveWorker::new(&instruction, contract, setup.numbers, Comparator::new(&setup), None);
        let mut tally = Tally::default();
        // In the checked slices of these units, the functions are not constant.
        (0..12).try_for_each(|unit| surveyor.unit(unit, None, &mut tally))?;
        Ok(tally.canaries)
    })
}

#[test]
fn a_sound_run_counts_its_checks() {
    let counts = campaign(Defect::None, "FFMA", 3_000_000, Shard::WHOLE).unwrap().tally.canaries;
    assert!(counts.batches >= 16 && counts.spoiled == counts.batches, "{counts:?}");
    assert!(counts.repeated > 0 && counts.repeated <= 4 * counts.batches, "{counts:?}");
    assert!(counts.fast > 2_000_000, "{counts:?}");
    let small = campaign(Defect::None, "POPC", 100, Shard::WHOLE).unwrap().tally.canaries;
    // Each case is a batch, and the first 16 batches are checked.
    assert!(small.batches >= 16 && small.spoiled == small.batches, "{small:?}");
    assert_eq!((small.fast, small.repeated), (0, 0));
}

#[test]
fn shards_add_up_to_the_whole() {
    for optype in ["FADD", "NOP", "MUFU", "UISETP"] {
        let cases = 1_000_000;
        let whole = campaign(Defect::None, optype, cases, Shard::WHOLE).unwrap().tally;
        let mut sum = Tally::default();
        for index in 0..5 {
            sum.merge(campaign(Defect::None, optype, cases, Shard { index, of: 5 }).unwrap().tally);
        }
        assert_eq!(whole.canaries, sum.canaries, "{optype}");
        assert!(whole == sum, "{optype}");
    }
}

#[test]
fn a_broken_filter_ends_a_campaign() {
    for (defect, words) in [
        (Defect::Filter, "the fast path gives"),
        (Defect::NoSlowPath, "the oracle has a fast path and no slow one"),
    ] {
        for optype in ["FADD", "FMUL", "FFMA"] {
            let said =
                campaign(defect, optype, 1_000_000, Shard::WHOLE).expect_err("it is noticed").to_string();
            assert!(said.contains(words) && said.contains("defect of assay"), "{optype}: {said}");
        }
    }
}

#[test]
fn a_wrong_argument_ends_a_campaign() {
    let said =
        campaign(Defect::Argument, "MUFU", 1_000_000, Shard::WHOLE).expect_err("it is noticed").to_string();
    let words = "results that were looked up count for something else than what the judge makes of them";
    assert!(said.contains(words) && said.contains("defect of assay"), "{said}");
}

#[test]
fn a_broken_estimate_ends_a_sweep() {
    for name in ["RCP", "RSQ", "SQRT", "EX2", "LG2", "SIN", "COS", "TANH"] {
        let counts = unit(Defect::None, name).unwrap();
        assert!(counts.batches == 12 && counts.spoiled > 0 && counts.repeated > 0, "{name}: {counts:?}");
        let said = unit(Defect::Estimate, name).expect_err("it is noticed").to_string();
        assert!(said.contains("the fast path has Measured"), "{name}: {said}");
    }
    // A sweep of only some inputs uses another path in the code.
    let text = "MUFU.RCP.F32 R0, R1";
    let counts = sweep(Defect::None, text, 1 << 14, Shard::WHOLE).unwrap().tally.canaries;
    assert!(counts.spoiled > 0 && counts.repeated > 0, "{counts:?}");
    let said = sweep(Defect::Estimate, text, 1 << 14, Shard::WHOLE).expect_err("it is noticed").to_string();
    assert!(said.contains("the fast path has Measured"), "{said}");
}

/// About one in ten shards of 8 units contains no unit that the run checks. Such a shard is still
/// valid.
#[test]
fn a_shard_of_few_units_needs_no_check() {
    let of = UNITS / 8;
    let has_none = |index: &u64| !(0..8).any(|nth| Pieces::Units.is_checked(index + nth * of));
    let index = (0..of).find(has_none).expect("some shard has none");
    let done = sweep(Defect::None, "MUFU.RCP.F32 R0, R1", 1, Shard { index, of }).unwrap();
    assert_eq!(done.tally.canaries.batches, 0);
    assert_eq!(done.tally.cases, 8 * UNIT);
}
