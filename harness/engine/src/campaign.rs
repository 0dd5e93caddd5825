//! The differential campaign: batches over threads, in epochs, with checkpoints between them.
//!
//! Batch b of a plan is a function of the seed and b alone. A shard owns the batches whose index is its
//! own modulo the number of shards. An epoch is a fixed number of a shard's batches; checkpoints, limits
//! and interruption act between epochs, so that what is recorded is always whole.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arbitrary::Unstructured;
use assay_isa::{Batch, Instruction, Location, VoiceError, codec};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::coverage::{Bins, CROSSED_EVERY};
use crate::dissect;
use crate::generate::{self, LANES, Scope};
use crate::result::{self, Plan, ResultError, Shard};
use crate::steer::Steering;
use crate::tally::{Counts, Found, Tally};
use crate::versus::{Bench, Outcome, Parties};

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
    /// File to save progress in, at most every few seconds.
    pub checkpoint: Option<&'a Path>,
    /// Whether to go on from that file.
    pub resume: bool,
}

/// Why a campaign could not go on.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// A voice failed.
    #[error("a voice failed: {0}")]
    Voice(#[from] VoiceError),
    /// Progress could not be kept.
    #[error(transparent)]
    Result(#[from] ResultError),
    /// The checkpoint is of another run.
    #[error("{0} is of another plan; start in a new folder or repeat the options of that run")]
    ForeignCheckpoint(String),
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
}

/// Progress on disk.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    plan: Plan,
    /// Digest of the bins that the coverage is about.
    layout: String,
    shard: Shard,
    /// Batches of the shard that are done.
    done: u64,
    tally: Tally,
}

/// What a checkpoint must agree with.
struct Start<'a> {
    plan: &'a Plan,
    layout: String,
}

/// What a campaign did.
pub struct Done {
    /// What it counted.
    pub tally: Tally,
    /// How many of these cases an earlier run had counted, from which it went on.
    pub resumed: u64,
    /// Whether it ended before its limit because it was told to.
    pub interrupted: bool,
    /// Why it ended before its limit, if a device was declared dead: all that was judged until then is counted.
    pub gone: Option<String>,
}

/// How often progress is saved at most.
pub(crate) const CHECKPOINT_EVERY: Duration = Duration::from_secs(5);

impl Campaign<'_> {
    /// Lanes of a batch of the plan, 0 beyond its end.
    fn lanes(&self, batch: u64) -> u64 {
        match self.limit {
            Limit::Cases(cases) | Limit::Covered(cases) => generate::lanes_of(cases, batch),
            Limit::Time(_) => LANES as u64,
        }
    }

    fn batch_index(&self, nth: u64) -> u64 {
        self.shard.batch(nth)
    }

    /// Cases that the first `batches` batches of the shard hold.
    fn cases_in(&self, batches: u64) -> u64 {
        (0..batches).map(|nth| self.lanes(self.batch_index(nth))).sum()
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
        let start = Start { plan, layout: bins.digest() };
        let (mut done, mut tally) = self.start(&start, &escort)?;
        let resumed = tally.cases;
        let (started, mut saved) = (Instant::now(), Instant::now());
        let mut interrupted = false;
        while self.lanes(self.batch_index(done)) > 0 && !self.reached(bins, &tally, started) {
            if escort.stop.load(Ordering::Relaxed) {
                interrupted = true;
                break;
            }
            let steering = self.steers().then(|| Steering::new(bins, self.scope, &tally.coverage));
            let (counted, gone) = self.epoch(bins, steering.as_ref(), done)?;
            tally.merge(counted);
            if gone.is_some() {
                // What is saved is the last whole epoch.
                return Ok(Done { tally, resumed, interrupted, gone });
            }
            done += EPOCH;
            (escort.progress)(&tally);
            if saved.elapsed() >= CHECKPOINT_EVERY {
                self.save(&start, &escort, done, &tally)?;
                saved = Instant::now();
            }
        }
        self.save(&start, &escort, done, &tally)?;
        let planned = self.cases_in(done);
        if tally.cases != planned || tally.verdicts.total() != planned {
            return Err(CampaignError::Short { executed: tally.cases, planned });
        }
        Ok(Done { tally, resumed, interrupted, gone: None })
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

    fn start(&self, start: &Start<'_>, escort: &Escort<'_>) -> Result<(u64, Tally), CampaignError> {
        let Some(path) = escort.checkpoint.filter(|path| escort.resume && path.exists()) else {
            return Ok((0, Tally::default()));
        };
        let checkpoint: Checkpoint = result::read_json(path)?;
        let same = checkpoint.plan == *start.plan && checkpoint.layout == start.layout;
        if !same || checkpoint.shard != self.shard {
            return Err(CampaignError::ForeignCheckpoint(path.display().to_string()));
        }
        Ok((checkpoint.done, checkpoint.tally))
    }

    fn save(
        &self,
        start: &Start<'_>,
        escort: &Escort<'_>,
        done: u64,
        tally: &Tally,
    ) -> Result<(), CampaignError> {
        let Some(path) = escort.checkpoint else { return Ok(()) };
        let (plan, layout) = (start.plan.clone(), start.layout.clone());
        let checkpoint = Checkpoint { plan, layout, shard: self.shard, done, tally: tally.clone() };
        Ok(result::write_json(path, &checkpoint)?)
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
            let lanes = self.lanes(batch) as usize;
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
            bytes: Vec::new(),
            batch: Batch::default(),
            tally: Tally::default(),
            gone: None,
        }
    }

    fn run(&mut self, index: u64, lanes: usize) -> Result<(), CampaignError> {
        let parties = &self.campaign.parties;
        let instruction = self.draw(index, lanes).map_err(|error| generate::undrawn(index, error))?;
        let contract = parties.profile.contract_for(&instruction);
        let outcome = match self.bench.run(&contract, &instruction, &self.batch) {
            Err(error @ VoiceError::Gone { .. }) => {
                self.gone = Some(error.to_string());
                self.bench.judge_settled(&contract, &instruction, &mut self.batch)?;
                if self.batch.is_empty() {
                    return Ok(());
                }
                Outcome::Judged
            }
            outcome => outcome?,
        };
        match outcome {
            Outcome::Unsupported => {
                self.tally.count(&instruction, Counts { unsupported: lanes as u64, ..Counts::default() });
            }
            Outcome::Judged => {
                let (bench, batch) = (&self.bench, &self.batch);
                let coverage = &mut self.tally.coverage;
                match self.steering.is_some() || index.is_multiple_of(CROSSED_EVERY) {
                    true => self.bins.mark(&instruction, batch, bench.truths(), coverage),
                    false => self.bins.mark_cheaply(&instruction, batch, bench.truths(), coverage),
                }
                let first = index * LANES as u64;
                self.tally.count_judged(&instruction, &contract, bench, batch, |lane| first + lane as u64);
                if index.is_multiple_of(dissect::EVERY) {
                    self.tally.dissect(&instruction, &mut self.bench, &self.batch)?;
                }
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

/// A lane of a batch as a finding.
pub fn found(batch: &Batch, lane: usize, index: u64) -> Found {
    let inputs = batch.lane(lane).map(|(l, v): (Location, u32)| (l.to_string(), v)).collect();
    Found { index, word: format!("{:#034x}", batch.word()), inputs }
}

/// The instruction and single-lane batch of a finding.
pub fn materialise(found: &Found, numbers: &assay_isa::Numbers) -> Option<(assay_isa::Instruction, Batch)> {
    let word = u128::from_str_radix(found.word.strip_prefix("0x")?, 16).ok()?;
    let instruction = codec::decode(word, numbers).ok()?;
    let inputs = found.inputs.iter().map(|(name, value)| Some((name.parse::<Location>().ok()?, *value)));
    let inputs: Vec<(Location, u32)> = inputs.collect::<Option<_>>()?;
    let locations: Vec<Location> = inputs.iter().map(|(location, _)| *location).collect();
    if !instruction.reads().iter().all(|location| locations.contains(location)) {
        return None;
    }
    let mut batch = Batch::new(word, &locations, 1);
    for (index, (_, value)) in inputs.iter().enumerate() {
        batch.column_mut(index)[0] = *value;
    }
    Some((instruction, batch))
}
