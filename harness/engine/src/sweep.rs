//! Every input of a unary function, or a product of listed values: judged, counted, its accuracy measured.

use std::sync::atomic::{AtomicBool, Ordering};

use assay_isa::{Batch, Instruction, asm};
use rayon::prelude::*;

use crate::campaign::CampaignError;
use crate::dissect;
use crate::domain::Domain;
use crate::result::Shard;
use crate::tally::{Counts, Tally};
use crate::versus::{Bench, Outcome, Parties};

/// Inputs of a batch.
const LANES: u64 = 4096;
/// Batches of an epoch: about a million inputs.
const EPOCH: u64 = 256;

/// What to sweep.
pub struct Sweep<'a> {
    /// Who is compared.
    pub parties: Parties<'a>,
    /// What is executed; see [`crate::domain::swept`].
    pub instruction: &'a Instruction,
    /// On which inputs.
    pub domain: &'a Domain,
    /// The share to do.
    pub shard: Shard,
}

impl Sweep<'_> {
    /// Lanes of a batch of the plan.
    fn lanes(&self, batch: u64) -> u64 {
        self.domain.len().saturating_sub(batch * LANES).min(LANES)
    }

    /// Sweeps the shard. `progress` is called after each epoch; a set `stop` ends after the epoch at hand.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Tally),
    ) -> Result<(Tally, bool), CampaignError> {
        let mut tally = Tally::default();
        let batches = self.domain.len().div_ceil(LANES);
        let mine: Vec<u64> = (self.shard.index..batches).step_by(self.shard.of as usize).collect();
        for epoch in mine.chunks(EPOCH as usize) {
            if stop.load(Ordering::Relaxed) {
                return Ok((self.named(tally), true));
            }
            tally.merge(self.epoch(epoch)?);
            progress(&tally);
        }
        let planned: u64 = mine.iter().map(|batch| self.lanes(*batch)).sum();
        if tally.cases != planned || tally.verdicts.total() != planned {
            return Err(CampaignError::Short { executed: tally.cases, planned });
        }
        Ok((self.named(tally), false))
    }

    /// Files the verdicts of this sweep under its function.
    fn named(&self, mut tally: Tally) -> Tally {
        // Both halves of an operand are one function.
        tally.functions.entry(asm::mnemonic(self.instruction)).or_default().merge(&tally.verdicts);
        tally
    }

    fn epoch(&self, batches: &[u64]) -> Result<Tally, CampaignError> {
        let worker = || (Bench::new(&self.parties), Batch::default(), Tally::default());
        let tallies = batches.par_iter().try_fold(worker, |(mut bench, mut batch, mut tally), index| {
            self.batch(*index, &mut bench, &mut batch, &mut tally)?;
            Ok::<_, CampaignError>((bench, batch, tally))
        });
        let tallies = tallies.map(|worker| worker.map(|(_, _, tally)| tally));
        tallies.try_reduce(Tally::default, |mut a, b| {
            a.merge(b);
            Ok(a)
        })
    }

    fn batch(
        &self,
        index: u64,
        bench: &mut Bench,
        batch: &mut Batch,
        tally: &mut Tally,
    ) -> Result<(), CampaignError> {
        let (first, lanes) = (index * LANES, self.lanes(index));
        let Sweep { parties, instruction, domain, .. } = self;
        domain.fill(instruction, parties.numbers, first, lanes as usize, batch);
        let contract = parties.profile.contract_for(instruction);
        match bench.run(&contract, instruction, batch)? {
            Outcome::Judged => {
                tally.count_judged(instruction, &contract, bench, batch, first);
                if index.is_multiple_of(dissect::EVERY) {
                    tally.dissect(instruction, bench, batch)?;
                }
            }
            Outcome::Unsupported => {
                tally.count(instruction, Counts { unsupported: lanes, ..Counts::default() });
            }
        }
        Ok(())
    }
}
