//! Every input of a unary function, or a stated sample: judged, counted, its accuracy measured.
//!
//! A stride of 1 is exhaustive. Another must be odd and takes every stride-th pattern from 0 on, which
//! reaches every exponent and both signs; the result's plan states it.

use std::sync::atomic::{AtomicBool, Ordering};

use assay_isa::{Batch, Instruction, asm, codec};
use rayon::prelude::*;

use crate::campaign::CampaignError;
use crate::result::Shard;
use crate::tally::{Counts, Tally};
use crate::versus::{Bench, Outcome, Parties};

/// Inputs of a batch.
const LANES: u64 = 4096;
/// Batches of an epoch: about a million inputs.
const EPOCH: u64 = 256;
/// Inputs of a 32-bit operand.
pub const ALL_INPUTS: u64 = 1 << 32;

/// What to sweep.
pub struct Sweep<'a> {
    /// Who is compared.
    pub parties: Parties<'a>,
    /// The function, as the mnemonic with its modifiers: `MUFU.RCP.F32`.
    pub function: &'a str,
    /// Distance between neighbouring inputs.
    pub stride: u64,
    /// The share to do.
    pub shard: Shard,
}

impl Sweep<'_> {
    /// The instruction that is swept, or why the function is none: it reads one register.
    pub fn instruction(&self) -> Result<Instruction, asm::AsmError> {
        asm::parse(&format!("{} R0, R1", self.function))
    }

    /// Inputs of the whole plan.
    pub fn inputs(&self) -> u64 {
        ALL_INPUTS.div_ceil(self.stride)
    }

    /// Lanes of a batch of the plan.
    fn lanes(&self, batch: u64) -> u64 {
        self.inputs().saturating_sub(batch * LANES).min(LANES)
    }

    fn batches(&self) -> u64 {
        self.inputs().div_ceil(LANES)
    }

    /// Sweeps the shard. `progress` is called after each epoch; a set `stop` ends after the epoch at hand.
    pub fn run(
        &self,
        instruction: &Instruction,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Tally),
    ) -> Result<(Tally, bool), CampaignError> {
        let mut tally = Tally::default();
        let mine: Vec<u64> = (self.shard.index..self.batches()).step_by(self.shard.of as usize).collect();
        for epoch in mine.chunks(EPOCH as usize) {
            if stop.load(Ordering::Relaxed) {
                return Ok((tally, true));
            }
            tally.merge(self.epoch(instruction, epoch)?);
            progress(&tally);
        }
        let planned: u64 = mine.iter().map(|batch| self.lanes(*batch)).sum();
        if tally.cases != planned || tally.verdicts.total() != planned {
            return Err(CampaignError::Short { executed: tally.cases, planned });
        }
        Ok((tally, false))
    }

    fn epoch(&self, instruction: &Instruction, batches: &[u64]) -> Result<Tally, CampaignError> {
        let worker = || (Bench::new(&self.parties), Batch::default(), Tally::default());
        let tallies = batches.par_iter().try_fold(worker, |(mut bench, mut batch, mut tally), index| {
            self.batch(instruction, *index, &mut bench, &mut batch, &mut tally)?;
            Ok::<_, CampaignError>((bench, batch, tally))
        });
        let settled = tallies.map(|worker| {
            worker.map(|(_, _, mut tally)| {
                tally.settle();
                tally
            })
        });
        settled.try_reduce(Tally::default, |mut a, b| {
            a.merge(b);
            Ok(a)
        })
    }

    fn batch(
        &self,
        instruction: &Instruction,
        index: u64,
        bench: &mut Bench,
        batch: &mut Batch,
        tally: &mut Tally,
    ) -> Result<(), CampaignError> {
        let (first, lanes) = (index * LANES, self.lanes(index));
        let word = codec::encode(instruction, self.parties.numbers);
        batch.reset(word, &instruction.reads(), lanes as usize);
        for (lane, value) in batch.column_mut(0).iter_mut().enumerate() {
            *value = ((first + lane as u64) * self.stride) as u32;
        }
        let contract = self.parties.profile.contract_for(instruction);
        match bench.run(&contract, instruction, batch)? {
            Outcome::Judged => tally.count_judged(instruction, &contract, bench, batch, first),
            Outcome::Unsupported => {
                tally.count(instruction, Counts { unsupported: lanes, ..Counts::default() });
            }
        }
        Ok(())
    }
}
