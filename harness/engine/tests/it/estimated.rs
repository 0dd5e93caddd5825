//! Compares two ways to judge campaigns of MUFU. The fast way judges whole columns, with estimates
//! and with results that are already known. The slow way judges lane by lane with enclosures,
//! because its oracle has no estimates and names no arguments.

use std::sync::atomic::AtomicBool;

use assay_engine::compare::comparator::Setup;
use assay_engine::generate::Scope;
use assay_engine::run::campaign::{Campaign, EPOCH, Limit};
use assay_engine::run::{RunHooks, Shard};
use assay_engine::stats::accuracy::Accuracy;
use assay_engine::stats::tally::Tally;
use assay_isa::{
    Answer, Arguments, BackendError, Batch, Effects, EncodingTable, Estimates, FastOracle, Instruction,
    Oracle, Readings, Subject, Truths, Unrounded,
};
use assay_mpfr::MpfrOracle;
use assay_vectors::Profile;

use crate::support::{intended, model};

/// MPFR without estimates and arguments.
struct WithoutEstimates(MpfrOracle);

impl Oracle for WithoutEstimates {
    fn name(&self) -> &str {
        "without estimates"
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
        self.0.truth(instruction, batch, precision, truths)
    }
}

impl FastOracle for WithoutEstimates {
    fn truth_unfiltered(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        self.0.truth_unfiltered(instruction, batch, precision, truths)
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

    fn estimate(&mut self, _: &Instruction, _: &Batch, _: &mut Estimates) -> Result<bool, BackendError> {
        Ok(false)
    }

    fn arguments(&mut self, _: &Instruction, _: &Batch, _: &mut Arguments) -> Result<bool, BackendError> {
        Ok(false)
    }
}

/// The model, with results changed by a function of the result.
struct Changed(fn(u32) -> u32, Box<dyn Subject>);

impl Subject for Changed {
    fn name(&self) -> &str {
        "changed"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        let answer = self.1.execute(batch, effects)?;
        let columns: Vec<_> = effects.columns().iter().map(|column| column.location).collect();
        for lane in 0..batch.len() {
            for location in &columns {
                if let Some(value) = effects.value_mut(*location, lane) {
                    *value = (self.0)(*value);
                }
            }
        }
        Ok(answer)
    }
}

/// Number of cases, more than one epoch has, so that the second epoch starts with the error records
/// of the first.
const CASES: u64 = 1_200_000;
const _: () = assert!(CASES > EPOCH * 1024);

fn campaign(profile: &Profile, estimates: bool, change: fn(u32) -> u32, shard: Shard) -> Tally {
    let scope = Scope::filtered(|mode| mode.optype() == "MUFU");
    campaign_of(&scope, profile, estimates, change, shard)
}

fn campaign_of(
    scope: &Scope,
    profile: &Profile,
    estimates: bool,
    change: fn(u32) -> u32,
    shard: Shard,
) -> Tally {
    let oracle = || -> Box<dyn Oracle> {
        if estimates {
            Box::new(MpfrOracle::new(Readings::INTENDED))
        } else {
            Box::new(WithoutEstimates(MpfrOracle::new(Readings::INTENDED)))
        }
    };
    let subject = || -> Box<dyn Subject> { Box::new(Changed(change, model())) };
    let setup = Setup { numbers: EncodingTable::provisional(), profile, subject: &subject, oracle: &oracle };
    let (stop, mut progress) = (AtomicBool::new(false), |_: &Tally| ());
    let hooks = RunHooks::new(&stop, &mut progress);
    let campaign = Campaign { setup, scope, seed: 3, limit: Limit::Cases(CASES), shard };
    campaign.run(hooks).expect("the campaign ends").tally
}

/// Corrupts about one result in a thousand, in one of four ways.
fn rarely(bits: u32) -> u32 {
    match bits.wrapping_mul(0x9e37_79b1) >> 20 {
        0 => bits ^ 1 << 31,
        1 => 0x7fff_ffff,
        2 => bits.wrapping_add(9),
        3 => 0,
        _ => bits,
    }
}

/// Splits an accuracy in two: the accuracy with its sums set to 0, and its mean, bias and root mean
/// square in ulp.
fn parts(accuracy: &Accuracy) -> (Accuracy, [f64; 3]) {
    let sums = [accuracy.mean_ulp(), accuracy.bias_ulp(), accuracy.rms_ulp()];
    (Accuracy { sum: 0, sum_magnitude: 0, sum_squares: 0, ..accuracy.clone() }, sums)
}

#[test]
fn columns_and_lanes_make_the_same_of_a_campaign() {
    let profile = intended();
    let always = |bits: u32| bits.wrapping_add(0x4_0000);
    for (what, change) in [("sound", (|bits| bits) as fn(u32) -> u32), ("rarely", rarely), ("always", always)]
    {
        let fast = campaign(&profile, true, change, Shard::WHOLE);
        let slow = campaign(&profile, false, change, Shard::WHOLE);
        assert!(fast.canaries.fast > fast.cases / 3, "{what}: {:?}", fast.canaries);
        assert_eq!(slow.canaries.fast, 0, "{what}: {:?}", slow.canaries);
        assert_eq!(fast.canaries.batches, slow.canaries.batches, "{what}");
        assert_eq!(fast.verdicts, slow.verdicts, "{what}");
        assert_eq!(fast.forms, slow.forms, "{what}");
        assert_eq!(fast.coverage, slow.coverage, "{what}");
        assert_eq!(fast.findings, slow.findings, "{what}");
        assert_eq!(fast.divergences, slow.divergences, "{what}");
        assert_eq!(what == "sound", fast.verdicts.diverged == 0, "{what}");
        for (function, accuracy) in &fast.accuracy {
            let ((a, a_sums), (b, b_sums)) = (parts(accuracy), parts(&slow.accuracy[function]));
            assert_eq!(a, b, "{what}: {function}");
            for (a, b) in a_sums.into_iter().zip(b_sums) {
                assert!((a - b).abs() <= 1e-6 * (1.0 + b.abs()), "{what}: {function}: {a} {b}");
            }
        }
    }
}

#[test]
fn shards_of_a_campaign_by_columns_are_one_run() {
    let profile = intended();
    for change in [(|bits| bits) as fn(u32) -> u32, rarely] {
        let whole = campaign(&profile, true, change, Shard::WHOLE);
        let mut merged = Tally::default();
        for index in 0..3 {
            merged.merge(campaign(&profile, true, change, Shard { index, of: 3 }));
        }
        assert_eq!(whole, merged);
    }
}

/// All lanes of an instruction with an immediate have the same error. The sums must be exact
/// multiples of this error, because a reader of the result checks this.
#[test]
fn an_immediate_counts_to_the_unit() {
    let profile = intended();
    let scope = Scope::filtered(|mode| mode.form().name == "MUFU_I");
    let of = |estimates| campaign_of(&scope, &profile, estimates, |bits| bits, Shard::WHOLE).accuracy;
    assert_eq!(of(true), of(false));
}
