//! The differential campaign: batches over threads, in epochs, with checkpoints between them.
//!
//! Batch b of a plan is a function of the seed and b alone. A shard owns the batches whose index is its
//! own modulo the number of shards. An epoch is a fixed number of a shard's batches; checkpoints, limits
//! and interruption act between epochs, so that what is recorded is always whole.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arbitrary::Unstructured;
use assay_isa::{Batch, Instruction, VoiceError};
use assay_vectors::Contract;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::compare::versus::{Bench, Outcome, Parties};
use crate::coverage::steer::Steering;
use crate::coverage::{Bins, CROSSED_EVERY};
use crate::generate::{self, LANES, Scope};
use crate::result::checkpoint::{CheckpointError, Checkpoints, Keeper, Share};
use crate::result::consistency;
use crate::result::{self, Plan, Shard};
use crate::run::canary::batch::BatchCheck;
use crate::run::canary::{self, Pieces};
use crate::run::sizes::Cut;
use crate::stats::dissect;
use crate::stats::tally::Tally;

/// Batches of an epoch: about a million cases.
pub const EPOCH: u64 = 1024;

/// When a campaign ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// After that many cases over all shards.
    Cases(u64),
    /// After the epoch in which the time is up.
    Time(Duration),
    /// After the epoch in which the last coverage bin was hit, or after that many cases.
    Covered(u64),
}

/// What to run.
pub struct Campaign<'a> {
    /// Who is compared.
    pub parties: Parties<'a>,
    /// What is generated.
    pub scope: &'a Scope,
    /// Seed of the generator.
    pub seed: u64,
    /// When to end.
    pub limit: Limit,
    /// The share to do.
    pub shard: Shard,
}

/// How a campaign is accompanied.
pub struct Escort<'a> {
    /// Set from elsewhere to end after the epoch at hand.
    pub stop: &'a AtomicBool,
    /// Called after each epoch with what was counted so far.
    pub progress: &'a mut dyn FnMut(&Tally),
    /// Where progress is kept, if anywhere.
    pub checkpoints: Option<Checkpoints<'a>>,
}

/// Why a campaign could not go on.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// A voice failed.
    #[error("a voice failed: {0}")]
    Voice(#[from] VoiceError),
    /// The run cannot go on from its checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The scope has nothing that both voices implement.
    #[error("nothing to generate: no instruction of the selection is implemented by both voices")]
    EmptyScope,
    /// The run did not execute what it planned.
    #[error("the harness executed {executed} cases of {planned} planned; this is a defect of assay")]
    Short {
        /// Cases counted.
        executed: u64,
        /// Cases planned.
        planned: u64,
    },
    /// The run did not check itself as it had to.
    #[error("{0}; this is a defect of assay, and no verdict of this run can be trusted")]
    Unchecked(String),
}

/// How far a campaign got: whole epochs.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// Batches of the shard that are done.
    pub done: u64,
    /// What they counted.
    pub tally: Tally,
}

impl Progress {
    /// Checks progress that was read from a checkpoint: the counts agree with the plan, with each other and with the batches
    /// that are done. These are whole epochs, and the last one began within the share.
    ///
    /// # Errors
    ///
    /// The first contradiction.
    pub fn check(&mut self, plan: &Plan, limit: Limit, shard: Shard) -> Result<(), String> {
        let so_far = result::Outcome::partial(plan.clone(), std::mem::take(&mut self.tally));
        consistency::check(&so_far)?;
        self.tally = so_far.tally;
        let Progress { done, tally } = self;
        let began = |last: u64| limit.lanes(shard.batch(last)) > 0;
        if !done.is_multiple_of(EPOCH) || !done.checked_sub(EPOCH).is_none_or(began) {
            return Err(format!("{done} batches are done, which no epoch of this run ends with"));
        }
        match tally.cases == limit.cases_in(shard, *done) {
            true => Ok(()),
            false => Err(format!("{done} batches are not {} cases", tally.cases)),
        }
    }
}

/// Why a run ended.
pub(crate) enum End {
    /// All of it was done.
    Whole,
    /// It was told to.
    Interrupted,
    /// A device was declared dead in an epoch, of which this was counted.
    Gone(Box<Tally>, String),
}

/// What a campaign did.
pub struct Done {
    /// The plan, with the devices of an earlier run from which it went on.
    pub plan: Plan,
    /// What it counted.
    pub tally: Tally,
    /// How many of these cases an earlier run had counted, from which it went on.
    pub resumed: u64,
    /// Whether it ended before its limit because it was told to.
    pub interrupted: bool,
    /// Why it ended before its limit, if a device was declared dead: all that was judged until then is counted.
    pub gone: Option<String>,
    /// The builds of assay that counted, if progress was kept: more than one only where the user let them mix.
    pub builds: Vec<String>,
}

impl Limit {
    /// Lanes of a batch of the plan, 0 beyond its end.
    fn lanes(self, batch: u64) -> u64 {
        match self {
            Limit::Cases(cases) | Limit::Covered(cases) => generate::lanes_of(cases, batch),
            Limit::Time(_) => LANES as u64,
        }
    }

    /// Cases that the first `batches` batches of a shard hold.
    fn cases_in(self, shard: Shard, batches: u64) -> u64 {
        let full = batches.saturating_mul(LANES as u64);
        match self {
            Limit::Cases(cases) | Limit::Covered(cases) => shard.cases(cases).min(full),
            Limit::Time(_) => full,
        }
    }
}

impl Campaign<'_> {
    fn batch_index(&self, nth: u64) -> u64 {
        self.shard.batch(nth)
    }

    /// Draws the batch of a number again. None beyond the plan's end, and where epochs are steered: what they aimed at then
    /// is not known any more.
    pub fn redraw(&self, number: u64) -> Option<(Instruction, Batch)> {
        let lanes = self.limit.lanes(number) as usize;
        if lanes == 0 || self.steers() {
            return None;
        }
        let (mut bytes, mut batch) = (Vec::new(), Batch::default());
        let pick = |u: &mut Unstructured<'_>| self.scope.instruction(u);
        let numbers = self.parties.numbers;
        let drawn =
            generate::from_stream((self.seed, number), numbers, lanes, &mut bytes, &mut batch, pick).ok()?;
        Some((drawn, batch))
    }

    /// Runs to the limit, or until told to stop, and marks the plain bins of the scope.
    pub fn run(&self, plan: &Plan, escort: Escort<'_>) -> Result<Done, CampaignError> {
        self.run_covering(&Bins::of(self.scope, &self.parties.profile.readings), plan, escort)
    }

    /// Runs to the limit, or until told to stop, and marks the given bins of the scope. Whoever limits a campaign by
    /// coverage has it steer to the bins that are missed, and marks all of them in each batch.
    pub fn run_covering(&self, bins: &Bins, plan: &Plan, escort: Escort<'_>) -> Result<Done, CampaignError> {
        if self.scope.is_empty() {
            return Err(CampaignError::EmptyScope);
        }
        let share = Share { plan: plan.clone(), shard: self.shard, bins: Some(bins.digest()), order: None };
        let (mut keeper, mut progress): (_, Progress) = Keeper::open(escort.checkpoints, share)?;
        let resumed = progress.tally.cases;
        let checked = progress.check(plan, self.limit, self.shard);
        checked.map_err(|what| keeper.contradicts(what))?;
        let end = self.advance(bins, &mut progress, &mut keeper, escort);
        if progress.done > 0 {
            // Whatever ended the run, what is saved is whole epochs.
            keeper.save(&progress);
        }
        let end = end?;
        let Progress { done, mut tally } = progress;
        let planned = self.limit.cases_in(self.shard, done);
        if tally.cases != planned || tally.verdicts.total() != planned {
            return Err(CampaignError::Short { executed: tally.cases, planned });
        }
        if keeper.is_of_one_build() {
            let is_checked = |nth: &u64| Pieces::Drawn.is_checked(self.batch_index(*nth));
            let has_lanes = |nth: &u64| self.limit.lanes(self.batch_index(*nth)) > 0;
            let checks = (0..done).filter(is_checked).filter(has_lanes).count() as u64;
            canary::missing(&tally.canaries, &tally.verdicts, Pieces::Drawn, checks)
                .map_err(CampaignError::Unchecked)?;
        }
        let interrupted = matches!(end, End::Interrupted);
        let gone = match end {
            End::Gone(counted, reason) => {
                tally.merge(*counted);
                Some(reason)
            }
            End::Whole | End::Interrupted => None,
        };
        let (Share { plan, .. }, builds) = keeper.into_parts();
        Ok(Done { plan, tally, resumed, interrupted, gone, builds })
    }

    /// Does epochs until the run ends.
    fn advance(
        &self,
        bins: &Bins,
        progress: &mut Progress,
        keeper: &mut Keeper<'_, Share>,
        escort: Escort<'_>,
    ) -> Result<End, CampaignError> {
        let started = Instant::now();
        while self.limit.lanes(self.batch_index(progress.done)) > 0
            && !self.reached(bins, &progress.tally, started)
        {
            if escort.stop.load(Ordering::Relaxed) {
                return Ok(End::Interrupted);
            }
            let coverage = &progress.tally.coverage;
            let steering = self.steers().then(|| Steering::new(bins, self.scope, coverage));
            let (counted, gone) = self.epoch(bins, steering.as_ref(), progress.done)?;
            if let Some(reason) = gone {
                return Ok(End::Gone(Box::new(counted), reason));
            }
            progress.tally.merge(counted);
            progress.done += EPOCH;
            (escort.progress)(&progress.tally);
            keeper.keep(progress);
        }
        Ok(End::Whole)
    }

    fn reached(&self, bins: &Bins, tally: &Tally, started: Instant) -> bool {
        match self.limit {
            Limit::Cases(_) => false,
            Limit::Time(limit) => started.elapsed() >= limit,
            Limit::Covered(_) => bins.are_covered(&tally.coverage),
        }
    }

    /// Whether epochs aim at what the ones before missed: not in shards, which know nothing of each other.
    fn steers(&self) -> bool {
        matches!(self.limit, Limit::Covered(_)) && self.shard == Shard::WHOLE
    }

    /// Does an epoch: what was counted, and why it is not whole if a device was declared dead.
    fn epoch(
        &self,
        bins: &Bins,
        steering: Option<&Steering<'_>>,
        first: u64,
    ) -> Result<(Tally, Option<String>), CampaignError> {
        let worker = || Worker::new(self, bins, steering);
        let tallies = (first..first + EPOCH).into_par_iter().try_fold(worker, |mut worker, nth| {
            let batch = self.batch_index(nth);
            let lanes = self.limit.lanes(batch) as usize;
            if lanes > 0 {
                worker.run(batch, lanes)?;
            }
            Ok::<_, CampaignError>(worker)
        });
        let both = |mut a: (Tally, Option<String>), b: (Tally, Option<String>)| {
            a.0.merge(b.0);
            Ok((a.0, a.1.or(b.1)))
        };
        tallies.map(|worker| worker.map(Worker::finish)).try_reduce(Default::default, both)
    }
}

/// One thread's voices, buffers and counts.
struct Worker<'a> {
    campaign: &'a Campaign<'a>,
    bins: &'a Bins,
    steering: Option<&'a Steering<'a>>,
    bench: Bench,
    check: BatchCheck,
    bytes: Vec<u8>,
    batch: Batch,
    tally: Tally,
    gone: Option<String>,
}

impl<'a> Worker<'a> {
    fn new(campaign: &'a Campaign<'a>, bins: &'a Bins, steering: Option<&'a Steering<'a>>) -> Self {
        Worker {
            campaign,
            bins,
            steering,
            bench: Bench::new(&campaign.parties),
            check: BatchCheck::default(),
            bytes: Vec::new(),
            batch: Batch::default(),
            tally: Tally::default(),
            gone: None,
        }
    }

    /// Does the batch of an index, in one piece or as [`Cut`] has it.
    fn run(&mut self, index: u64, lanes: usize) -> Result<(), CampaignError> {
        let instruction = self.draw(index, lanes).map_err(|error| generate::undrawn(index, error))?;
        let (first, cut) = (index * LANES as u64, Cut::of(index));
        let Cut::Parts(_) = cut else { return self.judge(&instruction, index, first, cut.copies()) };
        let drawn = std::mem::take(&mut self.batch);
        for part in cut.parts(lanes) {
            self.batch = drawn.part(part.clone());
            self.judge(&instruction, index, first + part.start as u64, 1)?;
            if self.gone.is_some() {
                break;
            }
        }
        self.batch = drawn;
        Ok(())
    }

    /// Executes and judges the batch at hand, whose first lane is the case `first`.
    fn judge(
        &mut self,
        instruction: &Instruction,
        index: u64,
        first: u64,
        copies: usize,
    ) -> Result<(), CampaignError> {
        let parties = &self.campaign.parties;
        let contract = parties.profile.contract_for(instruction);
        let judged = match copies {
            1 => self.bench.run(&contract, instruction, &self.batch),
            _ => self.bench.run_copies(&contract, instruction, &self.batch, copies),
        };
        let outcome = match judged {
            Err(error @ VoiceError::Gone { .. }) => {
                self.gone = Some(error.to_string());
                self.bench.judge_settled(&contract, instruction, &mut self.batch)?;
                if self.batch.is_empty() {
                    return Ok(());
                }
                Outcome::Judged
            }
            outcome => outcome?,
        };
        if let Some(counts) = outcome.unjudged(self.batch.len() as u64) {
            self.tally.count(instruction, counts);
            self.tally.canaries.batches += u64::from(Pieces::Drawn.is_checked(index));
            return Ok(());
        }
        self.check_batch(instruction, &contract, index)?;
        let (bench, batch) = (&self.bench, &self.batch);
        let coverage = &mut self.tally.coverage;
        match self.steering.is_some() || index.is_multiple_of(CROSSED_EVERY) {
            true => self.bins.mark(instruction, batch, bench.truths(), coverage),
            false => self.bins.mark_cheaply(instruction, batch, bench.truths(), coverage),
        }
        self.tally
            .count_judged(instruction, &contract, bench, (batch, &bench.effects), |lane| first + lane as u64);
        if index.is_multiple_of(dissect::EVERY) {
            self.tally.dissect(instruction, &mut self.bench, &self.batch)?;
        }
        Ok(())
    }

    /// Checks the batch that was judged, if it is one to check. The shard's first always is, but the counts depend on the
    /// index alone.
    fn check_batch(
        &mut self,
        instruction: &Instruction,
        contract: &Contract,
        index: u64,
    ) -> Result<(), CampaignError> {
        if self.bench.truths().is_filtered() {
            self.tally.canaries.fast += self.batch.len() as u64;
        }
        let counts = Pieces::Drawn.is_checked(index);
        if counts || index == self.campaign.shard.index {
            let checked =
                self.check.check(&mut self.bench, contract, instruction, &self.batch, None, index)?;
            if counts {
                self.tally.canaries.merge(&checked);
            }
        }
        Ok(())
    }

    /// Fills the batch of an index, aimed where the epoch steers.
    fn draw(&mut self, index: u64, lanes: usize) -> arbitrary::Result<Instruction> {
        let Campaign { parties, scope, seed, .. } = self.campaign;
        let (bytes, batch) = (&mut self.bytes, &mut self.batch);
        if let Some(steering) = self.steering {
            return steering.draw((*seed, index), parties.numbers, lanes, bytes, batch);
        }
        let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
        generate::from_stream((*seed, index), parties.numbers, lanes, bytes, batch, pick)
    }

    fn finish(self) -> (Tally, Option<String>) {
        (self.tally, self.gone)
    }
}
