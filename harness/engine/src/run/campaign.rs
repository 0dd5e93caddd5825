//! The differential campaign: generated batches.
//!
//! Batch b of a plan is a function of the seed and b alone. A shard owns the batches whose index modulo the number of
//! shards equals the index of the shard.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use arbitrary::Unstructured;
use assay_isa::{BackendError, Batch, Instruction, Truths};

use crate::compare::canary::Pieces;
use crate::compare::comparator::Setup;
use crate::compare::judge::known::KnownFunctions;
use crate::coverage::directed::DirectedGeneration;
use crate::coverage::{self, Bins};
use crate::generate::splitmix::mix;
use crate::generate::{self, BatchPlan, Scope};
use crate::run::Shard;
use crate::run::batch_at::{BatchAt, SelfCheck};
use crate::run::epochs::{self, Epoch, RunPart, RunWork};
use crate::run::progress::{CampaignError, RunHooks, RunOutcome, RunProgress};
use crate::run::sizes::BatchSplit;
use crate::run::worker::BatchWorker;
use crate::stats::tally::Tally;

/// Number of batches of the first epoch, and of every directed epoch: about a million cases of a
/// large plan.
pub const EPOCH: u64 = 1024;
/// Number of batches of the other epochs. Threads wait for each other at the end of an epoch.
const LONG_EPOCH: u64 = 4 * EPOCH;

/// One batch in this many is also executed with arguments of the other sign.
const MIRRORED: u64 = 32;

/// Whether the batch with an index is also executed with arguments of the other sign, to compare
/// the results. Always true for the first 16 batches, so that a small run has such pairs.
fn is_mirrored(index: u64) -> bool {
    index < 16 || mix(index.rotate_left(32)).is_multiple_of(MIRRORED)
}

/// When a campaign ends.
#[derive(Clone, Copy)]
pub enum Limit<'a> {
    /// After this number of cases, counted over all shards.
    Cases(u64),
    /// As soon as this function returns true. Batches in progress are finished.
    Until(&'a (dyn Fn() -> bool + Sync)),
    /// After the epoch in which the last coverage bin was hit, or after this number of cases.
    Covered(u64),
}

/// A campaign to run.
pub struct Campaign<'a> {
    /// The implementations that are compared.
    pub setup: Setup<'a>,
    /// The instructions and operands that are generated.
    pub scope: &'a Scope,
    /// Seed of the generator.
    pub seed: u64,
    /// When the campaign ends.
    pub limit: Limit<'a>,
    /// The share of the campaign to run.
    pub shard: Shard,
}

impl fmt::Debug for Limit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Cases(cases) => write!(f, "Cases({cases})"),
            Limit::Until(_) => f.write_str("Until"),
            Limit::Covered(cases) => write!(f, "Covered({cases})"),
        }
    }
}

impl Limit<'_> {
    /// Returns the batches of all shards.
    pub fn batches(self) -> BatchPlan {
        match self {
            Limit::Cases(cases) => BatchPlan::of(cases),
            Limit::Covered(cases) => BatchPlan::full(cases),
            Limit::Until(_) => BatchPlan::ENDLESS,
        }
    }

    /// Returns how many cases the first `batches` batches of a shard hold.
    pub fn cases_in(self, shard: Shard, batches: u64) -> u64 {
        let plan = self.batches();
        let full = plan.first_of(batches);
        match self {
            Limit::Cases(_) | Limit::Covered(_) => shard.cases(plan).min(full),
            Limit::Until(_) => full,
        }
    }

    /// Returns whether an epoch of a shard can end after `batches` batches.
    pub fn is_end_of_epoch(self, shard: Shard, batches: u64) -> bool {
        let all = shard.batches(self.batches());
        batches <= all && (!self.is_directed(shard) || batches == all || batches.is_multiple_of(EPOCH))
    }

    /// Whether epochs are directed at the bins that earlier epochs missed. A shard is never
    /// directed, because it does not know the coverage of other shards.
    fn is_directed(self, shard: Shard) -> bool {
        matches!(self, Limit::Covered(_)) && shard == Shard::WHOLE
    }
}

impl Campaign<'_> {
    /// Draws batch `number` again. `None` beyond the end of the plan. Also `None` for a
    /// coverage-directed run, because the targets of its epochs are not stored.
    pub fn redraw(&self, number: u64) -> Option<(Instruction, Batch)> {
        let lanes = self.limit.batches().lanes_of(number) as usize;
        if lanes == 0 || self.is_directed() {
            return None;
        }
        let (mut bytes, mut batch) = (Vec::new(), Batch::default());
        let pick = |u: &mut Unstructured<'_>| self.scope.instruction(u);
        let numbers = self.setup.numbers;
        let drawn =
            generate::from_stream((self.seed, number), numbers, lanes, &mut bytes, &mut batch, pick).ok()?;
        Some((drawn, batch))
    }

    /// Runs to the limit, or until interrupted, and marks the plain bins of the scope.
    ///
    /// # Errors
    ///
    /// As [`Campaign::run_covering`].
    pub fn run(&self, hooks: RunHooks<'_>) -> Result<RunOutcome, CampaignError> {
        let bins = Bins::of(self.scope, &self.setup.profile.readings);
        self.run_covering(&bins, RunProgress::default(), hooks)
    }

    /// Continues from progress to the limit, or until interrupted, and marks the given bins of the
    /// scope. A campaign that is limited by coverage is directed at missed bins, and marks all bins
    /// in each batch.
    ///
    /// # Errors
    ///
    /// The scope is empty, an implementation fails, or the run did not execute or check its whole plan.
    pub fn run_covering(
        &self,
        bins: &Bins,
        progress: RunProgress,
        hooks: RunHooks<'_>,
    ) -> Result<RunOutcome, CampaignError> {
        if self.scope.is_empty() {
            Err(CampaignError::EmptyScope)
        } else {
            let known = Arc::default();
            epochs::run(&CampaignBatches { campaign: self, bins, known }, progress, hooks)
        }
    }

    fn is_directed(&self) -> bool {
        self.limit.is_directed(self.shard)
    }
}

/// The batches of a campaign, and the bins that they mark.
#[derive(Clone)]
struct CampaignBatches<'a> {
    campaign: &'a Campaign<'a>,
    bins: &'a Bins,
    known: Arc<KnownFunctions>,
}

impl RunWork for CampaignBatches<'_> {
    type Part<'a>
        = Self
    where
        Self: 'a;

    fn parts(&self) -> usize {
        1
    }

    fn part(&self, _number: usize) -> Result<Self, CampaignError> {
        Ok(self.clone())
    }

    fn file(&self, _number: usize, tally: Tally) -> Tally {
        tally
    }
}

impl RunPart for CampaignBatches<'_> {
    type Epoch<'a>
        = BatchEpoch<'a>
    where
        Self: 'a;

    fn epoch<'a>(&'a self, units: u64, before: &'a Tally) -> Option<BatchEpoch<'a>> {
        let CampaignBatches { campaign, bins, .. } = *self;
        let is_covered = matches!(campaign.limit, Limit::Covered(_)) && bins.are_covered(&before.coverage);
        let all = campaign.shard.batches(campaign.limit.batches());
        let length = if units == 0 || campaign.is_directed() { EPOCH } else { LONG_EPOCH };
        let units = units..all.min(units.saturating_add(length));
        if units.is_empty() || is_covered || self.is_over() {
            return None;
        }
        let steering =
            campaign.is_directed().then(|| DirectedGeneration::new(bins, campaign.scope, &before.coverage));
        Some(BatchEpoch { campaign, bins, known: &self.known, before, steering, units })
    }

    fn cases(&self, units: u64) -> u64 {
        self.campaign.limit.cases_in(self.campaign.shard, units)
    }

    fn pieces(&self) -> Pieces {
        Pieces::Drawn
    }

    fn is_checked(&self, unit: u64) -> bool {
        Pieces::Drawn.is_checked(self.campaign.shard.batch(unit))
    }

    fn is_over(&self) -> bool {
        matches!(self.campaign.limit, Limit::Until(is_reached) if is_reached())
    }

    fn is_divisible(&self) -> bool {
        !self.campaign.is_directed()
    }
}

/// An epoch: consecutive batches of a shard that are generated in the same way.
struct BatchEpoch<'a> {
    campaign: &'a Campaign<'a>,
    bins: &'a Bins,
    known: &'a Arc<KnownFunctions>,
    /// The counts of the epochs before.
    before: &'a Tally,
    steering: Option<DirectedGeneration<'a>>,
    /// The numbers of its batches in the shard.
    units: Range<u64>,
}

impl Epoch for BatchEpoch<'_> {
    type Worker = CampaignWorker;

    fn units(&self) -> Range<u64> {
        self.units.clone()
    }

    fn worker(&self) -> Self::Worker {
        CampaignWorker {
            batches: BatchWorker::new(&self.campaign.setup, self.known),
            bytes: Vec::new(),
            drawn: VecDeque::new(),
            announced: 0,
            spare: Vec::new(),
        }
    }

    fn together(&self, worker: &Self::Worker) -> u64 {
        worker.batches.comparator.batches_ahead() as u64
    }

    /// Runs the batch of a unit, whole or in the parts or copies that [`BatchSplit`] gives.
    fn run(
        &self,
        worker: &mut Self::Worker,
        (unit, next): (u64, Range<u64>),
        tally: &mut Tally,
    ) -> Result<(), BackendError> {
        let Campaign { setup, shard, limit, .. } = self.campaign;
        let index = shard.batch(unit);
        let plan = limit.batches();
        let (instruction, parts) = self.take(worker, unit, next)?;
        let instruction = &instruction;
        let contract = &setup.profile.contract_for(instruction);
        let check = SelfCheck::at(Pieces::Drawn, index, index == shard.index);
        let at = |lane: usize| {
            let first = plan.first_of(index) + lane as u64;
            BatchAt { instruction, contract, index, check, first, before: Some(self.before) }
        };
        let is_crossed = self.steering.is_some() || coverage::is_crossed(index);
        let mark = |truths: &Truths, batch: &Batch, tally: &mut Tally| {
            if is_crossed {
                self.bins.mark(instruction, batch, truths, &mut tally.coverage)
            } else {
                self.bins.mark_cheaply(instruction, batch, truths, &mut tally.coverage)
            }
        };
        let worker = &mut worker.batches;
        tally.begin_batch();
        let outcome = match BatchSplit::of(index) {
            BatchSplit::Whole => {
                let before = tally.verdicts.not_executed();
                let outcome = worker.run(at(0), 1, tally, mark);
                if is_mirrored(index) && tally.verdicts.not_executed() == before {
                    outcome.and_then(|()| worker.compare_mirrored(at(0), false, tally))
                } else {
                    outcome
                }
            }
            BatchSplit::Copies(copies) => worker.run(at(0), copies, tally, mark),
            BatchSplit::Small | BatchSplit::Drawn(_) => {
                let mut first = 0;
                parts.into_iter().try_for_each(|part| {
                    let lane = first;
                    first += part.len();
                    worker.batch = part;
                    worker.run(at(lane), 1, tally, mark)
                })
            }
        };
        tally.end_batch(instruction);
        outcome
    }
}

/// State that a thread keeps from batch to batch.
struct CampaignWorker {
    batches: BatchWorker,
    /// The random bytes of a batch.
    bytes: Vec<u8>,
    /// Batches that were drawn ahead, in the order in which they will run.
    drawn: VecDeque<DrawnBatch>,
    /// Number of drawn batches in the last announcement.
    announced: usize,
    /// Old batches whose memory is used again.
    spare: Vec<Batch>,
}

/// A batch that was drawn ahead.
struct DrawnBatch {
    unit: u64,
    instruction: Instruction,
    batch: Batch,
    /// The parts in which the subject receives the batch. Empty if it receives the batch whole.
    parts: Vec<Batch>,
}

impl DrawnBatch {
    /// Returns the batches that the subject receives.
    fn given(&self) -> &[Batch] {
        if self.parts.is_empty() { std::slice::from_ref(&self.batch) } else { &self.parts }
    }
}

impl BatchEpoch<'_> {
    /// Draws the batch of a unit, or takes it from the batches that were drawn ahead. Returns its
    /// instruction, and the parts in which the subject receives it. If the subject can use several
    /// batches at a time, also draws the next batches and announces them. So the subject executes
    /// batches while earlier ones are judged.
    fn take(
        &self,
        worker: &mut CampaignWorker,
        unit: u64,
        next: Range<u64>,
    ) -> Result<(Instruction, Vec<Batch>), BackendError> {
        let is_ahead = |unit: &u64| !matches!(self.split(*unit), BatchSplit::Copies(_));
        let most = worker.batches.comparator.batches_ahead();
        if worker.drawn.is_empty() {
            if most == 1 || !is_ahead(&unit) {
                let CampaignWorker { batches, bytes, .. } = worker;
                let instruction = self.draw(unit, bytes, &mut batches.batch)?;
                return Ok((instruction, self.parts(unit, &batches.batch)));
            }
            self.draw_ahead(worker, (unit..next.end).take_while(is_ahead).take(most))?;
        }
        if worker.drawn.len() <= worker.announced {
            let behind = worker.drawn.back().map_or(unit, |last| last.unit + 1);
            self.draw_ahead(worker, (behind..next.end).take_while(is_ahead).take(most))?;
        }
        let mut drawn = worker.drawn.pop_front().expect("a batch was drawn");
        assert_eq!(drawn.unit, unit, "units are done in order");
        std::mem::swap(&mut drawn.batch, &mut worker.batches.batch);
        worker.spare.push(drawn.batch);
        Ok((drawn.instruction, drawn.parts))
    }

    /// Draws the batches of units and announces them together.
    fn draw_ahead(
        &self,
        worker: &mut CampaignWorker,
        units: impl Iterator<Item = u64>,
    ) -> Result<(), BackendError> {
        let CampaignWorker { batches, bytes, drawn, announced, spare } = worker;
        let before = drawn.len();
        for unit in units {
            let mut batch = spare.pop().unwrap_or_default();
            let instruction = self.draw(unit, bytes, &mut batch)?;
            let mut parts = self.parts(unit, &batch);
            [&mut batch].into_iter().chain(&mut parts).for_each(Batch::seal);
            drawn.push_back(DrawnBatch { unit, instruction, batch, parts });
        }
        *announced = drawn.len() - before;
        match *announced {
            0 => Ok(()),
            _ => batches.comparator.execute_ahead(&mut drawn.range(before..).flat_map(DrawnBatch::given)),
        }
    }

    fn split(&self, unit: u64) -> BatchSplit {
        BatchSplit::of(self.campaign.shard.batch(unit))
    }

    /// Returns the parts in which a subject receives the batch of a unit. Empty if it receives the
    /// batch whole.
    fn parts(&self, unit: u64, batch: &Batch) -> Vec<Batch> {
        let cut = self.split(unit);
        let parts = if cut.is_cut() { cut.parts(batch.len()) } else { Vec::new() };
        parts.into_iter().map(|part| batch.part(part)).collect()
    }

    fn lanes(&self, unit: u64) -> usize {
        let Campaign { shard, limit, .. } = self.campaign;
        limit.batches().lanes_of(shard.batch(unit)) as usize
    }

    /// Draws the batch of a unit, directed at missed bins if the epoch is directed.
    fn draw(&self, unit: u64, bytes: &mut Vec<u8>, batch: &mut Batch) -> Result<Instruction, BackendError> {
        let Campaign { setup, scope, seed, shard, .. } = self.campaign;
        let (index, lanes) = (shard.batch(unit), self.lanes(unit));
        let drawn = match &self.steering {
            Some(steering) => steering.draw((*seed, index), setup.numbers, lanes, bytes, batch),
            None => {
                let pick = |u: &mut Unstructured<'_>| scope.instruction(u);
                generate::from_stream((*seed, index), setup.numbers, lanes, bytes, batch, pick)
            }
        };
        drawn.map_err(|error| generate::undrawn(index, error))
    }
}
