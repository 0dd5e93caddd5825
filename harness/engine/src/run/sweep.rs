//! Sweeps every input of a unary function, or a product of listed values. Judges and counts the
//! results, and measures their accuracy.

use std::ops::Range;
use std::sync::Arc;

use assay_files::digest::sha256;
use assay_isa::format::{F32, Format};
use assay_isa::{BackendError, Batch, Instruction, asm, codec};
use assay_vectors::Contract;

use crate::compare::canary::Pieces;
use crate::compare::comparator::{Comparator, Judged, Setup};
use crate::generate::domain::Domain;
use crate::operands::operand_kinds::OperandKind;
use crate::run::Shard;
use crate::run::batch_at::{BatchAt, SelfCheck};
use crate::run::epochs::{self, Epoch, RunPart, RunWork};
use crate::run::exhaustive::examine::BatchExaminer;
use crate::run::exhaustive::line::{self, ExhaustiveWorker};
use crate::run::exhaustive::strided::StridedBatch;
use crate::run::path::Work;
use crate::run::progress::{CampaignError, RunHooks, RunOutcome, RunProgress};
use crate::run::worker::BatchWorker;
use crate::stats::accuracy::Accuracy;
use crate::stats::exhaustive::{ResultRelation, halves};
use crate::stats::tally::Tally;

/// Number of inputs of a batch.
pub const LANES: u64 = 4096;
/// Number of batches of an epoch: about a million inputs.
const EPOCH: u64 = 256;
/// Maximum number of units of a full sweep that a thread runs in an epoch: 268 million inputs. The
/// number is large, because in each epoch a worker begins without records, and waits for the other
/// workers at the end.
const UNITS_OF_THREAD: u64 = 32;

/// A sweep to run.
pub struct Sweep<'a> {
    /// The implementations that are compared.
    pub setup: Setup<'a>,
    /// The functions that are executed, with their inputs.
    pub functions: &'a [Function],
    /// The share of each function to sweep.
    pub shard: Shard,
}

/// A function that is swept.
#[derive(Clone, Debug)]
pub struct Function {
    /// The instruction that is executed; see [`crate::generate::domain::swept`].
    pub instruction: Instruction,
    /// The inputs.
    pub domain: Domain,
}

impl Sweep<'_> {
    /// Continues from progress. Sweeps one function after the other, until interrupted.
    ///
    /// # Errors
    ///
    /// An implementation fails, or the run did not execute or check its whole plan.
    pub fn run(&self, progress: RunProgress, hooks: RunHooks<'_>) -> Result<RunOutcome, CampaignError> {
        epochs::run(&Functions(self), progress, hooks)
    }

    /// Returns a digest of the functions in their order, each with its number of inputs. Progress
    /// is a place in this order.
    pub fn order(&self) -> String {
        let line = |f: &Function| format!("{} {}\n", asm::print(&f.instruction), f.domain.len());
        sha256(self.functions.iter().map(line).collect::<String>().as_bytes())
    }

    /// Returns the number of lanes of the batches of the function with this word. If all inputs are
    /// executed, this is the number of inputs of a slice.
    pub fn lanes(&self, word: u128) -> u64 {
        let is_exhaustive =
            |function| FunctionSweep::new(self, function).is_ok_and(|function| function.is_exhaustive);
        if self.function(word).is_some_and(is_exhaustive) { line::SLICE.into() } else { LANES }
    }

    /// Draws batch `number` of the function with this word again, or slice `number` if all inputs
    /// are executed. `None` beyond the end, or unless exactly one function has the word.
    pub fn redraw(&self, word: u128, number: u64) -> Option<(Instruction, Batch)> {
        let Function { instruction, domain } = self.function(word)?;
        let most = self.lanes(word);
        let first = number.checked_mul(most)?;
        let lanes = domain.len().saturating_sub(first).min(most);
        let mut batch = Batch::default();
        domain.fill(instruction, self.setup.numbers, first, lanes as usize, &mut batch);
        (lanes > 0).then(|| (instruction.clone(), batch))
    }

    /// Returns the function with a word. `None` unless exactly one function has it.
    fn function(&self, word: u128) -> Option<&Function> {
        let is_it = |f: &&Function| codec::encode(&f.instruction, self.setup.numbers) == word;
        let mut own = self.functions.iter().filter(is_it);
        own.next().filter(|_| own.next().is_none())
    }
}

/// The functions of a sweep.
struct Functions<'a>(&'a Sweep<'a>);

impl RunWork for Functions<'_> {
    type Part<'a>
        = FunctionSweep<'a>
    where
        Self: 'a;

    fn parts(&self) -> usize {
        self.0.functions.len()
    }

    fn part(&self, number: usize) -> Result<FunctionSweep<'_>, CampaignError> {
        FunctionSweep::new(self.0, &self.0.functions[number])
    }

    fn file(&self, number: usize, tally: Tally) -> Tally {
        self.0.functions[number].named(tally)
    }
}

impl Function {
    /// Adds the verdicts of a tally to the entry of the function.
    pub fn named(&self, mut tally: Tally) -> Tally {
        // The sweeps of both halves of an operand are counted as one function.
        tally.functions.entry(asm::mnemonic(&self.instruction)).or_default().merge(&tally.verdicts);
        tally
    }
}

/// The sweep of one function.
struct FunctionSweep<'a> {
    setup: &'a Setup<'a>,
    instruction: &'a Instruction,
    /// Its mnemonic.
    function: String,
    domain: &'a Domain,
    shard: Shard,
    /// The 16-bit format of the function, if it is swept over all patterns of it.
    half: Option<Format>,
    /// Whether the inputs ascend, and double precision can judge them.
    is_estimated: bool,
    /// Whether results are estimated, and every input is swept. If true, the pieces are units,
    /// otherwise batches.
    is_exhaustive: bool,
    /// The number of pieces of the shard.
    pieces: u64,
}

impl<'a> FunctionSweep<'a> {
    fn new(
        sweep: &'a Sweep<'a>,
        Function { instruction, domain }: &'a Function,
    ) -> Result<FunctionSweep<'a>, CampaignError> {
        let Sweep { setup, shard, .. } = sweep;
        let ascends = matches!(domain, Domain::Line { .. });
        let is_estimated = ascends && Comparator::new(setup).estimates(instruction, setup.numbers)?;
        let is_exhaustive = is_estimated && matches!(domain, Domain::Line { stride: 1, .. });
        let all = if is_exhaustive { line::UNITS } else { domain.len().div_ceil(LANES) };
        let pieces = all.saturating_sub(shard.index).div_ceil(shard.of);
        let half = half_format(domain, instruction);
        let function = asm::mnemonic(instruction);
        Ok(FunctionSweep {
            function,
            setup,
            instruction,
            domain,
            shard: *shard,
            half,
            is_estimated,
            is_exhaustive,
            pieces,
        })
    }

    /// Returns the number of inputs of a piece.
    fn inputs(&self, piece: u64) -> u64 {
        if self.is_exhaustive {
            line::UNIT
        } else {
            self.domain.len().saturating_sub(piece * LANES).min(LANES)
        }
    }
}

impl RunPart for FunctionSweep<'_> {
    type Epoch<'a>
        = PieceEpoch<'a>
    where
        Self: 'a;

    fn epoch<'a>(&'a self, units: u64, before: &'a Tally) -> Option<PieceEpoch<'a>> {
        let threads = rayon::current_num_threads() as u64;
        let at_once = if self.is_exhaustive {
            // The first epochs are short, so that a subject that is wrong everywhere is found
            // early.
            units.clamp(threads, UNITS_OF_THREAD * threads)
        } else {
            EPOCH
        };
        let units = units..self.pieces.min(units.saturating_add(at_once));
        let known = before.accuracy.get(&self.function);
        (!units.is_empty()).then_some(PieceEpoch { one: self, known, units })
    }

    fn cases(&self, units: u64) -> u64 {
        (0..units.min(self.pieces)).map(|nth| self.inputs(self.shard.batch(nth))).sum()
    }

    fn pieces(&self) -> Pieces {
        if self.is_exhaustive { Pieces::Units } else { Pieces::Swept }
    }

    fn is_checked(&self, unit: u64) -> bool {
        self.pieces().is_checked(self.shard.batch(unit))
    }
}

/// An epoch: pieces of a function, with the records that are known before they run.
struct PieceEpoch<'a> {
    one: &'a FunctionSweep<'a>,
    known: Option<&'a Accuracy>,
    units: Range<u64>,
}

/// State that a thread keeps from piece to piece.
enum PieceWorker<'a> {
    Units(Box<ExhaustiveWorker<'a>>),
    Batches(Box<(BatchWorker, BatchExaminer)>),
}

impl<'a> Epoch for PieceEpoch<'a> {
    type Worker = PieceWorker<'a>;

    fn units(&self) -> Range<u64> {
        self.units.clone()
    }

    fn worker(&self) -> PieceWorker<'a> {
        let FunctionSweep { setup, instruction, is_exhaustive, .. } = *self.one;
        if is_exhaustive {
            let (comparator, contract) = (Comparator::new(setup), setup.profile.contract_for(instruction));
            let surveyor =
                ExhaustiveWorker::new(instruction, contract, setup.numbers, comparator, self.known);
            return PieceWorker::Units(Box::new(surveyor));
        }
        PieceWorker::Batches(Box::new((BatchWorker::new(setup, &Arc::default()), BatchExaminer::default())))
    }

    fn run(
        &self,
        worker: &mut PieceWorker<'a>,
        (unit, mut next): (u64, Range<u64>),
        tally: &mut Tally,
    ) -> Result<(), BackendError> {
        let piece = self.one.shard.batch(unit);
        match worker {
            PieceWorker::Units(surveyor) => {
                surveyor.unit(piece, next.next().map(|next| self.one.shard.batch(next)), tally)
            }
            PieceWorker::Batches(worker) => self.one.batch(piece, self.known, worker, tally),
        }
    }
}

impl FunctionSweep<'_> {
    /// Runs the batch with an index.
    fn batch(
        &self,
        index: u64,
        known: Option<&Accuracy>,
        (worker, examiner): &mut (BatchWorker, BatchExaminer),
        tally: &mut Tally,
    ) -> Result<(), BackendError> {
        let (first, counted) = (index * LANES, self.inputs(index) as usize);
        let FunctionSweep { setup, instruction, domain, .. } = self;
        let contract = &setup.profile.contract_for(instruction);
        let mut work = Work::Copies(1);
        if let Some(stride) = self.stride(first, counted) {
            let BatchWorker { comparator, batch, .. } = worker;
            let lanes = counted + usize::from(domain.ascends(first, counted + 1));
            domain.fill(instruction, setup.numbers, first, lanes, batch);
            let checked = Pieces::Swept.is_checked(index).then_some(index);
            let strided = StridedBatch {
                contract,
                instruction,
                function: &self.function,
                batch,
                counted,
                stride,
                known,
                first,
                checked,
            };
            let Some(left) = strided.examine(examiner, comparator, tally)? else { return Ok(()) };
            work = left;
            comparator.keep_first(counted);
        }
        domain.fill(instruction, setup.numbers, first, counted, &mut worker.batch);
        let check = SelfCheck::at(Pieces::Swept, index, index == self.shard.index);
        let at = BatchAt { instruction, contract, index, check, first, before: None };
        let before = tally.verdicts.not_executed();
        worker.run_enclosed(at, work, tally, |judged, tally| self.add_exhaustive(judged, contract, tally))?;
        if tally.verdicts.not_executed() == before {
            worker.compare_mirrored(at, self.half.is_some() || self.is_estimated, tally)?;
        }
        if self.half.is_some() && index > 0 {
            self.border(first, contract, worker, tally)?;
        }
        Ok(())
    }

    /// Returns the distance between the inputs of a batch, if they ascend and double precision can
    /// judge them.
    fn stride(&self, first: u64, counted: usize) -> Option<u32> {
        match self.domain {
            Domain::Line { stride, .. } if self.is_estimated && self.domain.ascends(first, counted) => {
                u32::try_from(*stride).ok()
            }
            _ => None,
        }
    }

    /// Adds the places of the errors in a judged batch, and the inversions of a 16-bit function.
    fn add_exhaustive(&self, judged: Judged<'_>, contract: &Contract, tally: &mut Tally) {
        let measured = &judged.verdicts.measured;
        let format = self.half.or(self.is_estimated.then_some(F32));
        let Some(format) = format.filter(|_| !measured.is_empty()) else { return };
        let stats = tally.exhaustive_of(&self.function);
        stats.count_measured(format, measured);
        if self.half.is_some() {
            let pairs = stats.relations.entry(ResultRelation::Monotonic).or_default();
            halves::monotonic(contract, judged.truths, judged.effects, pairs);
        }
    }

    /// Compares the result of case `first` with that of the case before it, which is the last case
    /// of the previous batch. Executes both cases again.
    fn border(
        &self,
        first: u64,
        contract: &Contract,
        BatchWorker { comparator, batch, .. }: &mut BatchWorker,
        tally: &mut Tally,
    ) -> Result<(), BackendError> {
        self.domain.fill(self.instruction, self.setup.numbers, first - 1, 2, batch);
        if let Some(judged) = comparator.run(contract, self.instruction, batch)?.judged() {
            tally.count_failures(self.instruction, judged.verdicts.failures());
            let relations = &mut tally.exhaustive_of(&self.function).relations;
            let pairs = relations.entry(ResultRelation::Monotonic).or_default();
            halves::monotonic(contract, judged.truths, judged.effects, pairs);
        }
        Ok(())
    }
}

/// Returns the 16-bit format of a function that is swept over all patterns of the format.
fn half_format(domain: &Domain, instruction: &Instruction) -> Option<Format> {
    let is_half = matches!(domain, Domain::Half { .. } | Domain::Halves);
    let kinds = instruction.form().order.iter().map(|name| OperandKind::of(instruction, name));
    let mut formats = kinds.filter_map(|kind| match kind {
        OperandKind::Half { format, .. } | OperandKind::Pair(format) => Some(format),
        _ => None,
    });
    formats.next().filter(|_| is_half)
}
