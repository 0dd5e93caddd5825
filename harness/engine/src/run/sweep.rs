//! Every input of a unary function, or a product of listed values: judged, counted, its accuracy measured.

use std::sync::atomic::Ordering;

use assay_isa::{Batch, Instruction, VoiceError, asm, codec};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::compare::judge::quick::Bars;
use crate::compare::versus::{Bench, Parties};
use crate::generate::domain::Domain;
use crate::result::checkpoint::{Keeper, Share};
use crate::result::consistency;
use crate::result::{Outcome, Plan, Shard, sha256};
use crate::run::campaign::{CampaignError, Done, End, Escort};
use crate::run::canary::batch::BatchCheck;
use crate::run::canary::{self, Canaries, Pieces};
use crate::stats::accuracy::Accuracy;
use crate::stats::dissect;
use crate::stats::survey::examine::{Asked, Examiner};
use crate::stats::survey::line::{self, Surveyor};
use crate::stats::tally::Tally;

/// Inputs of a batch.
pub const LANES: u64 = 4096;
/// Batches of an epoch: about a million inputs.
const EPOCH: usize = 256;
/// Units of a survey that a thread does in an epoch, 67 million inputs, for each worker begins without records and waits
/// for the others at the end.
const UNITS_OF_THREAD: usize = 32;

/// What to sweep.
pub struct Sweep<'a> {
    /// Who is compared.
    pub parties: Parties<'a>,
    /// What is executed, and on which inputs.
    pub functions: &'a [Function],
    /// The share of each to do.
    pub shard: Shard,
}

/// A function that is swept.
#[derive(Clone, Debug)]
pub struct Function {
    /// What is executed; see [`crate::generate::domain::swept`].
    pub instruction: Instruction,
    /// On which inputs.
    pub domain: Domain,
}

/// How far a sweep got: whole epochs.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// Functions that are done.
    pub functions: usize,
    /// What these counted.
    pub finished: Tally,
    /// Pieces of the next that are done.
    pub pieces: usize,
    /// What these counted.
    pub part: Tally,
}

impl Sweep<'_> {
    /// Sweeps one function after the other, until told to stop. What is counted so far is shown, and saved now and then,
    /// between epochs.
    pub fn run(&self, plan: &Plan, escort: Escort<'_>) -> Result<Done, CampaignError> {
        let order = Some(order(self.functions));
        let share = Share { plan: plan.clone(), shard: self.shard, bins: None, order };
        let (mut keeper, mut progress): (_, Progress) = Keeper::open(escort.checkpoints, share)?;
        let checked = progress.check(plan, self.functions);
        checked.map_err(|what| keeper.contradicts(what))?;
        let resumed = progress.so_far().cases;
        let end = self.advance(&mut progress, &mut keeper, escort);
        if progress.so_far().cases > 0 {
            // Whatever ended the run, what is saved is whole epochs.
            keeper.save(&progress);
        }
        let end = end?;
        let Progress { functions, finished: mut tally, mut part, .. } = progress;
        let interrupted = matches!(end, End::Interrupted);
        let gone = match end {
            End::Gone(counted, reason) => {
                part.merge(*counted);
                Some(reason)
            }
            End::Whole | End::Interrupted => None,
        };
        if let Some(function) = self.functions.get(functions) {
            tally.merge(named(&function.instruction, part));
        }
        let (Share { plan, .. }, builds) = keeper.into_parts();
        Ok(Done { plan, tally, resumed, interrupted, gone, builds })
    }

    /// Does epochs until the run ends.
    fn advance(
        &self,
        progress: &mut Progress,
        keeper: &mut Keeper<'_, Share>,
        escort: Escort<'_>,
    ) -> Result<End, CampaignError> {
        while let Some(function) = self.functions.get(progress.functions) {
            let one = One::new(self, function)?;
            while let Some(epoch) = one.epoch(progress.pieces) {
                if escort.stop.load(Ordering::Relaxed) {
                    return Ok(End::Interrupted);
                }
                let (counted, gone) = one.sweep(epoch, &progress.part)?;
                if let Some(reason) = gone {
                    return Ok(End::Gone(Box::new(counted), reason));
                }
                progress.part.merge(counted);
                progress.pieces += epoch.len();
                (escort.progress)(&progress.so_far());
                keeper.keep(progress);
            }
            one.is_whole(&progress.part)?;
            if keeper.is_of_one_build() {
                let Tally { canaries, verdicts, .. } = &progress.part;
                canary::missing(canaries, verdicts, one.kind(), one.checks())
                    .map_err(CampaignError::Unchecked)?;
            }
            let part = std::mem::take(&mut progress.part);
            progress.finished.merge(named(&function.instruction, part));
            (progress.functions, progress.pieces) = (progress.functions + 1, 0);
        }
        Ok(End::Whole)
    }
}

impl Sweep<'_> {
    /// The batch of a number of the function with that word again, or the slice of neighbouring inputs; none beyond its end,
    /// or if no function or more than one has it.
    pub fn redraw(&self, word: &str, number: u64) -> Option<(Instruction, Batch)> {
        let encoded = |f: &Function| format!("{:#034x}", codec::encode(&f.instruction, self.parties.numbers));
        let mut own = self.functions.iter().filter(|f| encoded(f) == word);
        let (Some(Function { instruction, domain }), None) = (own.next(), own.next()) else { return None };
        let first = number.checked_mul(LANES)?;
        let lanes = domain.len().saturating_sub(first).min(LANES);
        let mut batch = Batch::default();
        domain.fill(instruction, self.parties.numbers, first, lanes as usize, &mut batch);
        (lanes > 0).then(|| (instruction.clone(), batch))
    }
}

/// Digest of functions, with their inputs, in their order.
fn order(functions: &[Function]) -> String {
    let line = |f: &Function| format!("{} {}\n", asm::print(&f.instruction), f.domain.len());
    sha256(functions.iter().map(line).collect::<String>().as_bytes())
}

/// Files the verdicts of a tally under the function.
fn named(function: &Instruction, mut tally: Tally) -> Tally {
    // Both halves of an operand are one function.
    tally.functions.entry(asm::mnemonic(function)).or_default().merge(&tally.verdicts);
    tally
}

impl Progress {
    /// Checks progress that was read from a checkpoint: the counts agree with the plan, with each other and with what is
    /// done.
    ///
    /// # Errors
    ///
    /// The first contradiction.
    pub fn check(&mut self, plan: &Plan, given: &[Function]) -> Result<(), String> {
        let finished = Outcome::partial(plan.clone(), std::mem::take(&mut self.finished));
        consistency::check(&finished)?;
        self.finished = finished.tally;
        let Progress { functions, finished, pieces, part } = &*self;
        let done = finished.functions.len();
        // Both halves of an operand are one function.
        if *functions > given.len() || done > *functions || (*functions > 0) != (done > 0) {
            return Err(format!("{functions} of {} functions are done, and it counted {done}", given.len()));
        }
        if (*pieces == 0) != (part.cases == 0) {
            return Err(format!("{pieces} pieces of a function are not {} inputs", part.cases));
        }
        consistency::check_counts(part)?;
        if !part.functions.is_empty() {
            return Err("`functions` of a part is filed before the part is done".into());
        }
        match given.get(*functions) {
            Some(Function { instruction, .. }) => {
                let part = Outcome::partial(plan.clone(), named(instruction, part.clone()));
                consistency::check(&part)
            }
            None if *pieces == 0 => Ok(()),
            None => Err(format!("every function is done, and so are {pieces} pieces of another")),
        }
    }

    /// Cases and verdicts of all that is done: enough to show.
    fn so_far(&self) -> Tally {
        let mut verdicts = self.finished.verdicts;
        verdicts.merge(&self.part.verdicts);
        Tally { cases: self.finished.cases + self.part.cases, verdicts, ..Tally::default() }
    }
}

/// The sweep of one function.
struct One<'a> {
    parties: &'a Parties<'a>,
    instruction: &'a Instruction,
    domain: &'a Domain,
    /// Whether it is one over every input of a function that the oracle estimates. Then the pieces are units, else batches.
    is_surveyed: bool,
    /// The pieces of the shard.
    pieces: Vec<u64>,
}

impl<'a> One<'a> {
    fn new(
        sweep: &'a Sweep<'a>,
        Function { instruction, domain }: &'a Function,
    ) -> Result<One<'a>, CampaignError> {
        let parties = &sweep.parties;
        let every = matches!(domain, Domain::Line { stride: 1, .. });
        let is_surveyed = every && Bench::new(parties).estimates(instruction, parties.numbers)?;
        let all = if is_surveyed { line::UNITS } else { domain.len().div_ceil(LANES) };
        let pieces = (sweep.shard.index..all).step_by(sweep.shard.of as usize).collect();
        Ok(One { parties, instruction, domain, is_surveyed, pieces })
    }

    /// Inputs of a batch.
    fn lanes(&self, batch: u64) -> u64 {
        self.domain.len().saturating_sub(batch * LANES).min(LANES)
    }

    /// The pieces to do together after so many.
    fn epoch(&self, done: usize) -> Option<&[u64]> {
        let at_once = if self.is_surveyed { UNITS_OF_THREAD * rayon::current_num_threads() } else { EPOCH };
        self.pieces.get(done..).and_then(|rest| rest.chunks(at_once).next())
    }

    /// Whether everything was counted that was planned.
    fn is_whole(&self, tally: &Tally) -> Result<(), CampaignError> {
        let inputs = |piece: &u64| if self.is_surveyed { line::UNIT } else { self.lanes(*piece) };
        let planned: u64 = self.pieces.iter().map(inputs).sum();
        match tally.cases == planned && tally.verdicts.total() == planned {
            true => Ok(()),
            false => Err(CampaignError::Short { executed: tally.cases, planned }),
        }
    }

    /// Pieces that are checked, and count as such.
    fn checks(&self) -> u64 {
        let kind = self.kind();
        self.pieces.iter().filter(|piece| kind.is_checked(**piece)).count() as u64
    }

    fn kind(&self) -> Pieces {
        if self.is_surveyed { Pieces::Units } else { Pieces::Swept }
    }

    /// Does pieces, given what was counted before: what they count, and why they are not whole if a device was declared dead.
    fn sweep(&self, pieces: &[u64], before: &Tally) -> Result<(Tally, Option<String>), CampaignError> {
        let known = before.accuracy.get(&asm::mnemonic(self.instruction));
        match self.is_surveyed {
            true => over(pieces, || self.surveyor(known), |surveyor, unit, tally| surveyor.unit(unit, tally)),
            false => over(pieces, || self.worker(), |worker, batch, tally| self.batch(batch, worker, tally)),
        }
    }

    fn surveyor<'b>(&'b self, known: Option<&'b Accuracy>) -> Surveyor<'b> {
        let contract = self.parties.profile.contract_for(self.instruction);
        let bench = Bench::new(self.parties);
        Surveyor::new(self.instruction, contract, self.parties.numbers, bench, known)
    }

    fn worker(&self) -> Worker {
        let (check, examiner) = (BatchCheck::default(), Examiner::default());
        Worker { bench: Bench::new(self.parties), check, batch: Batch::default(), examiner }
    }

    fn batch(&self, index: u64, worker: &mut Worker, tally: &mut Tally) -> Result<(), VoiceError> {
        let Worker { bench, check, batch, examiner } = worker;
        let (first, lanes) = (index * LANES, self.lanes(index));
        let One { parties, instruction, domain, .. } = self;
        domain.fill(instruction, parties.numbers, first, lanes as usize, batch);
        let contract = &parties.profile.contract_for(instruction);
        let index_of = |lane: usize| first + lane as u64;
        let counted = lanes as usize;
        let is_checked = Pieces::Swept.is_checked(index);
        let checked = is_checked.then_some(index);
        let asked = Asked { contract, instruction, batch, counted, known: None, index: &index_of, checked };
        if domain.ascends(first, counted)
            && examiner.examine(bench, &asked, Bars::of_function, tally)?.is_some()
        {
            return Ok(());
        }
        let outcome = match bench.run(contract, instruction, batch) {
            Err(error @ VoiceError::Gone { .. }) => {
                bench.judge_settled(contract, instruction, batch)?;
                if !batch.is_empty() {
                    tally.count_judged(instruction, contract, bench, (batch, &bench.effects), index_of);
                }
                return Err(error);
            }
            outcome => outcome?,
        };
        match outcome.unjudged(lanes) {
            Some(counts) => {
                tally.count(instruction, counts);
                tally.canaries.batches += u64::from(is_checked);
            }
            None => {
                if bench.truths().is_filtered() {
                    tally.canaries.fast += lanes;
                }
                // The first of a shard is checked even where it does not count as such.
                if is_checked || self.pieces.first() == Some(&index) {
                    let checks = check.check(bench, contract, instruction, batch, None, index)?;
                    tally.canaries.merge(&if is_checked { checks } else { Canaries::default() });
                }
                tally.count_judged(instruction, contract, bench, (batch, &bench.effects), index_of);
                if index.is_multiple_of(dissect::EVERY) {
                    tally.dissect(instruction, bench, batch)?;
                }
            }
        }
        Ok(())
    }
}

/// What a worker keeps from batch to batch.
struct Worker {
    bench: Bench,
    check: BatchCheck,
    batch: Batch,
    examiner: Examiner,
}

/// Does pieces on all threads, each with a worker of its own, and adds up what they count, until a device is declared
/// dead: then it says why.
fn over<W>(
    pieces: &[u64],
    worker: impl Fn() -> W + Sync + Send,
    piece: impl Fn(&mut W, u64, &mut Tally) -> Result<(), VoiceError> + Sync + Send,
) -> Result<(Tally, Option<String>), CampaignError>
where
    W: Send,
{
    let start = || (worker(), Tally::default(), None);
    // A few at a time, for each worker begins without records.
    let tallies = pieces.par_iter().with_min_len(8).try_fold(
        start,
        |(mut worker, mut tally, gone), index| match piece(&mut worker, *index, &mut tally) {
            Err(error @ VoiceError::Gone { .. }) => Ok((worker, tally, Some(error.to_string()))),
            done => done.map(|()| (worker, tally, gone)).map_err(CampaignError::from),
        },
    );
    let tallies = tallies.map(|worker| worker.map(|(_, tally, gone)| (tally, gone)));
    tallies.try_reduce(Default::default, |mut a: (Tally, Option<String>), b| {
        a.0.merge(b.0);
        Ok((a.0, a.1.or(b.1)))
    })
}
