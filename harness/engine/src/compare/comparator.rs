//! The setup of a comparison, and the comparator that each worker uses.

use assay_isa::effect::{Failure, Lanes, Writes};
use assay_isa::truth::Unrounded;
use assay_isa::{
    Answer, BackendError, Batch, Effects, EncodingTable, Estimates, Instruction, Location, Oracle, Subject,
    Truths, legality,
};
use assay_vectors::{Contract, Profile};

use crate::compare::counts::Counts;
use crate::compare::judge::{DivergenceKind, Verdicts, judge};
use crate::generate::domain;

/// Number of significant bits requested from an oracle. Enough to measure errors in units of 2^-32
/// ulp for every format that an instruction has.
pub const PRECISION: u32 = 96;

/// The implementations to compare, and the rules. Each worker makes its own implementations.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// The encoding table of instruction words.
    pub numbers: &'a EncodingTable,
    /// Readings and contracts.
    pub profile: &'a Profile,
    /// Makes the implementation under test.
    pub subject: &'a (dyn Fn() -> Box<dyn Subject> + Sync),
    /// Makes the oracle, which computes the truth.
    pub oracle: &'a (dyn Fn() -> Box<dyn Oracle> + Sync),
}

/// A judged batch.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// The truth.
    pub truths: &'a Truths,
    /// The judged effects.
    pub effects: &'a Effects,
    /// The verdict on each lane.
    pub verdicts: &'a Verdicts,
}

/// The outcome of a batch.
#[derive(Clone, Copy, Debug)]
pub enum BatchOutcome<'a> {
    /// The batch was judged.
    Judged(Judged<'a>),
    /// The subject or the oracle does not support the instruction.
    Unsupported,
    /// The device does not support the instruction, and it declared no modes before the run.
    Undeclared,
}

impl<'a> BatchOutcome<'a> {
    /// Returns the outcome of a batch that an implementation answered with `unsupported`.
    fn unsupported(declares_modes: bool) -> BatchOutcome<'a> {
        if declares_modes { BatchOutcome::Unsupported } else { BatchOutcome::Undeclared }
    }

    /// Returns the judged batch. `None` if the batch was not judged.
    pub fn judged(self) -> Option<Judged<'a>> {
        match self {
            BatchOutcome::Judged(judged) => Some(judged),
            BatchOutcome::Unsupported | BatchOutcome::Undeclared => None,
        }
    }

    /// Returns the counts of a batch of `lanes` lanes that was not judged. `None` if the batch was
    /// judged.
    pub fn unjudged(self, lanes: u64) -> Option<Counts> {
        match self {
            BatchOutcome::Judged(_) => None,
            BatchOutcome::Unsupported => Some(Counts { unsupported: lanes, ..Counts::default() }),
            BatchOutcome::Undeclared => Some(Counts { undeclared: lanes, ..Counts::default() }),
        }
    }
}

/// One worker's implementations, and the buffers for their results. A method that judges returns
/// references to these buffers.
pub struct Comparator {
    subject: Box<dyn Subject>,
    pub(crate) oracle: Box<dyn Oracle>,
    pub(crate) truths: Truths,
    /// Effects of some lanes of the last batch.
    chosen: Effects,
    /// Effects of the last batch.
    pub(crate) effects: Effects,
    verdicts: Verdicts,
}

/// How far a batch got whose truth was to be estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EstimatedBatch {
    /// The oracle cannot estimate the truth, or some lane does not execute. The batch was not given
    /// to the subject.
    NotExecuted,
    /// The subject does not support the instruction.
    Unsupported,
    /// The subject has another effect than one whole column at the estimated location.
    OtherEffects,
    /// The comparator has the results as its column.
    Results,
}

impl Comparator {
    /// Returns a comparator with new implementations.
    pub fn new(setup: &Setup<'_>) -> Comparator {
        Comparator {
            subject: (setup.subject)(),
            oracle: (setup.oracle)(),
            truths: Truths::default(),
            chosen: Effects::default(),
            effects: Effects::default(),
            verdicts: Verdicts::default(),
        }
    }

    /// Returns a comparator whose implementations have a fresh state: a device gets a new handle. If
    /// another subject is used as the oracle, it gets one, too.
    pub fn fresh(setup: &Setup<'_>) -> Comparator {
        let mut comparator = Comparator::new(setup);
        comparator.subject.start_fresh();
        comparator.oracle.start_fresh();
        comparator
    }

    /// Computes the truth of a batch. `None` if the oracle does not support the instruction.
    pub fn truth(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
    ) -> Result<Option<&Truths>, BackendError> {
        let answer = self.oracle.truth(instruction, batch, PRECISION, &mut self.truths)?;
        Ok((answer == Answer::Known).then_some(&self.truths))
    }

    fn knows(&mut self, instruction: &Instruction, batch: &Batch) -> Result<bool, BackendError> {
        Ok(self.truth(instruction, batch)?.is_some())
    }

    /// Returns the batch that was judged last, and the oracle.
    pub(crate) fn last(&mut self) -> (Judged<'_>, &mut dyn Oracle) {
        let Comparator { oracle, truths, effects, verdicts, .. } = self;
        (Judged { truths, effects, verdicts }, oracle.as_mut())
    }

    /// Returns the truth, the effects and the verdicts that were computed last. For callers that
    /// compute each of the three by a call of its own.
    pub fn last_judged(&self) -> Judged<'_> {
        Judged { truths: &self.truths, effects: &self.effects, verdicts: &self.verdicts }
    }

    /// Executes a batch and judges it.
    pub fn run(
        &mut self,
        contract: &Contract,
        instruction: &Instruction,
        batch: &Batch,
    ) -> Result<BatchOutcome<'_>, BackendError> {
        self.run_copies(contract, instruction, batch, 1)
    }

    /// Returns the name of the subject.
    pub(crate) fn subject_name(&self) -> &str {
        self.subject.name()
    }

    /// Returns the kind of failure of a subject that answered `unsupported` to a batch after it
    /// executed its instruction. `None` if the subject stated its modes: then it was not asked.
    pub(crate) fn undeclared(&self) -> Option<DivergenceKind> {
        let is_undeclared = !self.subject.declares_modes();
        is_undeclared.then_some(DivergenceKind::Failed(Failure::Declined))
    }

    /// Returns the outcome of a batch that the subject does not support.
    pub(crate) fn subject_declines<'a>(&self) -> BatchOutcome<'a> {
        BatchOutcome::unsupported(self.subject.declares_modes())
    }

    /// Executes `copies` copies of a batch as one large batch, and judges the copies up to the
    /// first that diverges. Returns the diverging copy. If none diverges, returns the first copy.
    pub fn run_copies(
        &mut self,
        contract: &Contract,
        instruction: &Instruction,
        batch: &Batch,
        copies: usize,
    ) -> Result<BatchOutcome<'_>, BackendError> {
        // If the oracle fails, the effects of an earlier batch must not be mistaken for those of
        // this batch.
        self.effects.reset(0);
        if !self.knows(instruction, batch)? {
            return Ok(BatchOutcome::unsupported(self.oracle.declares_modes()));
        }
        let Some(others) = self.answer_copies(batch, copies)? else { return Ok(self.subject_declines()) };
        Ok(BatchOutcome::Judged(self.judge_copies(contract, instruction, others)))
    }

    /// Executes `copies` copies of a batch as one large batch, and keeps the effects of the first
    /// copy. Returns the effects of the copies that differ from the first. `None` if the subject does
    /// not support the instruction.
    pub(crate) fn answer_copies(
        &mut self,
        batch: &Batch,
        copies: usize,
    ) -> Result<Option<Vec<Effects>>, BackendError> {
        if copies == 1 {
            return Ok(self.answer(batch)?.map(|_| Vec::new()));
        }
        if self.answer(&batch.repeated(copies))?.is_none() {
            return Ok(None);
        }
        let all = std::mem::take(&mut self.effects);
        self.effects = all.copy(batch.len(), 0);
        let others = (1..copies).map(|nth| all.copy(batch.len(), nth));
        let others = others.filter(|other| !other.is_same(&self.effects)).collect();
        Ok(Some(others))
    }

    /// Judges the kept effects of a batch, then the effects in `others`, until some effects
    /// diverge. Keeps the effects that diverge. If none diverge, keeps the effects that were judged
    /// first.
    pub(crate) fn judge_copies(
        &mut self,
        contract: &Contract,
        instruction: &Instruction,
        others: Vec<Effects>,
    ) -> Judged<'_> {
        judge(contract, instruction, &self.truths, &self.effects, &mut self.verdicts);
        let mut first = None;
        for effects in others {
            if !self.verdicts.diverged.is_empty() {
                return self.last_judged();
            }
            let held = std::mem::replace(&mut self.effects, effects);
            first.get_or_insert(held);
            judge(contract, instruction, &self.truths, &self.effects, &mut self.verdicts);
        }
        if let Some(first) = first.filter(|_| self.verdicts.diverged.is_empty()) {
            self.effects = first;
            judge(contract, instruction, &self.truths, &self.effects, &mut self.verdicts);
        }
        self.last_judged()
    }

    /// Judges the lanes of the last batch that a device had executed when it was declared dead.
    /// Truncates `batch` to these lanes. `None` if there are none.
    pub fn judge_settled(
        &mut self,
        contract: &Contract,
        instruction: &Instruction,
        batch: &mut Batch,
    ) -> Result<Option<Judged<'_>>, BackendError> {
        let settled = self.effects.len().min(batch.len());
        self.effects = self.effects.part(0..settled);
        *batch = batch.part(0..settled);
        if batch.is_empty() {
            return Ok(None);
        }
        self.oracle.truth(instruction, batch, PRECISION, &mut self.truths)?;
        judge(contract, instruction, &self.truths, &self.effects, &mut self.verdicts);
        Ok(Some(self.last_judged()))
    }

    /// Judges the recorded effects of a batch, and does not run the subject.
    pub fn judge_recorded<'a>(
        &'a mut self,
        contract: &Contract,
        instruction: &Instruction,
        batch: &Batch,
        recorded: &'a Effects,
    ) -> Result<BatchOutcome<'a>, BackendError> {
        if !self.knows(instruction, batch)? {
            return Ok(BatchOutcome::unsupported(self.oracle.declares_modes()));
        }
        judge(contract, instruction, &self.truths, recorded, &mut self.verdicts);
        Ok(BatchOutcome::Judged(Judged { effects: recorded, ..self.last_judged() }))
    }

    /// Executes a batch on the subject, without judging it. Returns the effects. `None` if the
    /// subject does not support the instruction.
    ///
    /// Fails if the subject changes the floating-point environment, because the judge of columns
    /// and the generator compute with floats.
    pub fn answer(&mut self, batch: &Batch) -> Result<Option<&Effects>, BackendError> {
        let executed = assay_fpenv::checked(|| self.subject.execute(batch, &mut self.effects));
        let wrong = |wrong: assay_fpenv::WrongEnvironment| BackendError::Failed {
            implementation: self.subject.name().to_owned(),
            problem: wrong.to_string(),
        };
        if executed.map_err(wrong)?? == Answer::Unsupported {
            return Ok(None);
        }
        check_shape(self.subject.name(), &self.effects, batch)?;
        Ok(Some(&self.effects))
    }

    /// Estimates the truth of a batch. Executes the batch if the oracle could estimate it.
    pub fn estimate(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        estimates: &mut Estimates,
    ) -> Result<EstimatedBatch, BackendError> {
        if !self.oracle.estimate(instruction, batch, estimates)? || estimates.executed != Lanes::All {
            return Ok(EstimatedBatch::NotExecuted);
        }
        if self.answer(batch)?.is_none() {
            return Ok(EstimatedBatch::Unsupported);
        }
        let has_results = self.column().is_some_and(|(location, _)| Some(location) == estimates.location);
        Ok(if has_results { EstimatedBatch::Results } else { EstimatedBatch::OtherEffects })
    }

    /// Returns how the subject failed in the last batch, or which wrong effect it had other than a
    /// wrong value. For executions that are not judged as cases: only their values are compared. The
    /// batch must have the lanes of the last effects.
    pub(crate) fn failures(
        &mut self,
        contract: &Contract,
        instruction: &Instruction,
        batch: &Batch,
        location: Location,
    ) -> Result<Vec<DivergenceKind>, BackendError> {
        // Most batches wrote only their results.
        if self.column().is_some_and(|(written, _)| written == location) {
            return Ok(Vec::new());
        }
        if self.truth(instruction, batch)?.is_none() {
            return Ok(Vec::new());
        }
        Ok(self.judge_copies(contract, instruction, Vec::new()).verdicts.failures().collect())
    }

    /// Judges one lane of the last batch. Returns how it diverges, if it does. Later calls that need
    /// the verdicts of the whole batch must judge it again.
    pub(crate) fn lane_divergence(
        &mut self,
        contract: &Contract,
        instruction: &Instruction,
        batch: &Batch,
        lane: usize,
    ) -> Result<Option<DivergenceKind>, BackendError> {
        let (part, effects) = (batch.part(lane..lane + 1), self.effects.part(lane..lane + 1));
        if self.oracle.truth(instruction, &part, PRECISION, &mut self.truths)? == Answer::Unsupported {
            return Ok(None);
        }
        judge(contract, instruction, &self.truths, &effects, &mut self.verdicts);
        Ok(self.verdicts.diverged.first().map(|(_, divergence)| divergence.kind))
    }

    /// Drops the effects of the last batch in all but its first lanes.
    pub(crate) fn keep_first(&mut self, lanes: usize) {
        self.effects = self.effects.part(0..lanes.min(self.effects.len()));
    }

    /// Whether the oracle can estimate an instruction. Tries a batch without lanes.
    pub fn estimates(
        &mut self,
        instruction: &Instruction,
        numbers: &EncodingTable,
    ) -> Result<bool, BackendError> {
        let word = assay_isa::codec::encode(instruction, numbers);
        let batch = Batch::new(word, &instruction.reads(), 0);
        self.oracle.estimate(instruction, &batch, &mut Estimates::default())
    }

    /// Returns how many batches may be announced to the subject at a time: see
    /// [`Subject::batches_ahead`].
    pub(crate) fn batches_ahead(&self) -> usize {
        self.subject.batches_ahead()
    }

    /// Announces the next batches to the subject: see [`Subject::execute_ahead`].
    pub(crate) fn execute_ahead(
        &mut self,
        batches: &mut dyn Iterator<Item = &Batch>,
    ) -> Result<(), BackendError> {
        self.subject.execute_ahead(batches)
    }

    /// Announces the next batches to the subject: see [`Subject::announce`].
    pub fn announce(&mut self, word: u128, firsts: &[u32], lanes: u32) -> Result<(), BackendError> {
        self.subject.announce(word, firsts, lanes)
    }

    /// Executes a batch. Returns the results, if all lanes wrote one location and there is no other
    /// effect.
    pub fn execute(&mut self, batch: &Batch) -> Result<Option<(Location, &[u32])>, BackendError> {
        Ok(if self.answer(batch)?.is_some() { self.column() } else { None })
    }

    /// Returns the results of the last batch, if all lanes wrote one location and there is no other
    /// effect.
    pub fn column(&self) -> Option<(Location, &[u32])> {
        let column = self.only_column().filter(|column| column.written == Lanes::All);
        column.map(|column| (column.location, &*column.values))
    }

    /// Returns the results of the last batch at `location`, if exactly `lanes` wrote there and
    /// there is no other effect.
    pub(crate) fn column_of(&self, location: Location, lanes: &Lanes) -> Option<&[u32]> {
        let column = self.only_column().filter(|column| column.location == location)?;
        let mut all = 0..column.values.len();
        all.all(|lane| column.written.contains(lane) == lanes.contains(lane)).then_some(&column.values)
    }

    /// Returns the column of the last effects. `None` unless there is exactly one column and no
    /// other effect.
    fn only_column(&self) -> Option<&Writes> {
        match self.effects.columns() {
            [column] if self.effects.events().is_empty() && self.effects.undefined().is_empty() => {
                Some(column)
            }
            _ => None,
        }
    }

    /// Reduces the effects of the last batch to the values that `lanes` wrote to `location`, in the
    /// order of `lanes`. Returns `false`, and changes nothing, if there is any other effect, or if
    /// other lanes wrote.
    pub(crate) fn keep_lanes(&mut self, location: Location, lanes: &[usize], memory: &mut Vec<u32>) -> bool {
        let Some(column) = self.only_column() else { return false };
        let all = match &column.written {
            Lanes::All => column.values.len(),
            Lanes::Some(written) => written.iter().filter(|written| **written).count(),
        };
        let has_all = all == lanes.len() && lanes.iter().all(|lane| column.written.contains(*lane));
        if column.location != location || !has_all {
            return false;
        }
        memory.clear();
        memory.extend(lanes.iter().map(|lane| column.values[*lane]));
        self.effects.reset(memory.len());
        self.effects.write(location, Lanes::All).copy_from_slice(memory);
        true
    }

    /// Judges some lanes of the batch that was executed last. The batch must have written one
    /// column, in all of these lanes. `part` becomes a batch of these lanes.
    pub fn judge_lanes(
        &mut self,
        contract: &Contract,
        instruction: &Instruction,
        batch: &Batch,
        lanes: &[usize],
        part: &mut Batch,
    ) -> Result<Judged<'_>, BackendError> {
        pick(batch, lanes, part);
        self.chosen.reset(lanes.len());
        for column in self.effects.columns() {
            let values = self.chosen.write(column.location, Lanes::All);
            values.iter_mut().zip(lanes).for_each(|(value, lane)| *value = column.values[*lane]);
        }
        self.judge_chosen(contract, instruction, part)
    }

    /// Judges one lane of a batch, as if the only effect of the subject were a write of `value` to
    /// `location`.
    pub(crate) fn judge_instead(
        &mut self,
        contract: &Contract,
        instruction: &Instruction,
        batch: &Batch,
        (lane, location, value): (usize, Location, u32),
        part: &mut Batch,
    ) -> Result<Judged<'_>, BackendError> {
        pick(batch, &[lane], part);
        self.chosen.reset(1);
        self.chosen.write(location, Lanes::All)[0] = value;
        self.judge_chosen(contract, instruction, part)
    }

    fn judge_chosen(
        &mut self,
        contract: &Contract,
        instruction: &Instruction,
        part: &Batch,
    ) -> Result<Judged<'_>, BackendError> {
        self.oracle.truth(instruction, part, PRECISION, &mut self.truths)?;
        judge(contract, instruction, &self.truths, &self.chosen, &mut self.verdicts);
        Ok(Judged { effects: &self.chosen, ..self.last_judged() })
    }

    /// Returns the exact numbers of a batch, before they are rounded to results. `None` if the
    /// oracle does not know them.
    pub fn unrounded(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
    ) -> Result<Option<Vec<Unrounded>>, BackendError> {
        let mut exact = Vec::new();
        let known = self.oracle.unrounded(instruction, batch, PRECISION, &mut exact)?;
        Ok(known.then_some(exact))
    }

    /// Whether subject and oracle support a mode with at least one choice of operands.
    pub fn supports_some(
        &mut self,
        mode: &Instruction,
        numbers: &EncodingTable,
    ) -> Result<bool, BackendError> {
        // Operands of a mode may be legal or illegal: S2UR has no guard but PT.
        for instruction in domain::with_operands(mode).filter(|one| legality::check(one).is_ok()) {
            if self.supports(&instruction, numbers)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether subject and oracle support an instruction. Tries a batch without lanes.
    pub fn supports(
        &mut self,
        instruction: &Instruction,
        numbers: &EncodingTable,
    ) -> Result<bool, BackendError> {
        let word = assay_isa::codec::encode(instruction, numbers);
        let batch = Batch::new(word, &instruction.reads(), 0);
        let truth = self.oracle.truth(instruction, &batch, PRECISION, &mut self.truths)?;
        let effect = self.subject.execute(&batch, &mut self.effects)?;
        Ok(truth != Answer::Unsupported && effect != Answer::Unsupported)
    }
}

/// Makes `part` a batch of some lanes of `batch`.
pub(crate) fn pick(batch: &Batch, lanes: &[usize], part: &mut Batch) {
    part.reset(batch.word(), batch.locations(), lanes.len());
    for (place, location) in batch.locations().iter().enumerate() {
        let values = batch.column(*location).unwrap_or_default();
        part.column_mut(place).iter_mut().zip(lanes).for_each(|(value, lane)| *value = values[*lane]);
    }
}

/// Checks that effects have as many lanes as their batch.
///
/// # Errors
///
/// The implementation returned effects with another number of lanes, or of a lane that the batch
/// does not have.
pub fn check_shape(implementation: &str, effects: &Effects, batch: &Batch) -> Result<(), BackendError> {
    let lanes = batch.len();
    let columns = effects.columns().iter().all(|c| {
        let written = match &c.written {
            Lanes::All => lanes,
            Lanes::Some(written) => written.len(),
        };
        c.values.len() == lanes && written == lanes
    });
    if effects.len() == lanes
        && columns
        && effects.events().iter().all(|(lane, _)| *lane < lanes)
        && effects.undefined().iter().all(|(lane, _)| *lane < lanes)
    {
        return Ok(());
    }
    let problem = format!("answered for {} lanes in place of {lanes}", effects.len());
    Err(BackendError::Failed { implementation: implementation.to_owned(), problem })
}

#[cfg(test)]
mod tests;
