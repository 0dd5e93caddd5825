//! One batch of a unary function, judged by columns where double precision decides, and by enclosures where not.

use assay_isa::{BackendError, Batch, Estimates, Instruction, asm};
use assay_vectors::Contract;

use crate::compare::canary::Canaries;
use crate::compare::canary::columns::{ColumnCheck, Decided};
use crate::compare::comparator::Comparator;
use crate::compare::counts::Counts;
use crate::compare::judge::Measured;
use crate::compare::judge::quick::{Columns, JudgedBatch, StandingRecord, StandingRecords, Terms};
use crate::stats::accuracy::{Accuracy, Extreme, Usage, bound_name};
use crate::stats::tally::Tally;

/// The memory that examining a batch takes, kept from one to the next.
#[derive(Default)]
pub struct BatchExaminer {
    /// The truth of the last batch.
    pub estimates: Estimates,
    columns: Columns,
    part: Batch,
    check: ColumnCheck,
}

/// A batch for an examiner.
#[derive(Clone, Copy)]
pub struct BatchToExamine<'a> {
    /// What its results are held to.
    pub contract: &'a Contract,
    /// The executed instruction.
    pub instruction: &'a Instruction,
    /// On which arguments.
    pub batch: &'a Batch,
    /// Number of lanes that count, from the first on; the others serve for comparison.
    pub counted: usize,
    /// The records of the function so far, which need not be found again.
    pub known: Option<&'a Accuracy>,
    /// The case index of a lane.
    pub index: &'a dyn Fn(usize) -> u64,
    /// The index of the piece of the run, if it is checked here.
    pub checked: Option<u64>,
}

/// The outcome of a batch.
pub struct ExaminedBatch {
    /// Results that double precision did not decide about.
    pub undecided: u64,
    /// Number of lanes whose error was measured in double precision.
    pub measured: u64,
    /// How many of these are correctly rounded.
    pub correctly_rounded: u64,
    /// Results that may hold a record, counted above.
    pub records: Vec<Measured>,
    /// The undecided results whose error was measured.
    pub decided: Vec<Measured>,
}

impl BatchExaminer {
    /// Executes a batch of ascending arguments, judges the lanes that count, and counts them under the function of the
    /// instruction. `None` if double precision cannot decide about this batch; then nothing was counted.
    ///
    /// `cells` are the records, beside the function's own, that a lane may beat.
    pub fn examine(
        &mut self,
        comparator: &mut Comparator,
        asked: &BatchToExamine,
        cells: impl FnOnce(&Accuracy) -> StandingRecords,
        tally: &mut Tally,
    ) -> Result<Option<ExaminedBatch>, BackendError> {
        let BatchToExamine { contract, instruction, batch, counted, known, index, checked } = *asked;
        let Contract::Bounded { bounds, .. } = contract else { return Ok(None) };
        let Some(results) = comparator.estimate(instruction, batch, &mut self.estimates)? else {
            return Ok(None);
        };
        let Some(terms) = Terms::of(contract, &self.estimates.arguments[..counted]) else { return Ok(None) };
        let results = &results[..counted];
        let sums = self.columns.judge(&terms, &self.estimates, results);
        let judged =
            JudgedBatch { terms: &terms, estimates: &self.estimates, results, columns: &self.columns };
        let (measured, correctly_rounded) = (sums.measured, sums.correctly_rounded);
        let (exact, some) = (sums.special, measured);
        let counts = match terms.bound {
            Some(_) => Counts { exact, within: some, ..Counts::default() },
            None => Counts { exact, unjudged: some, ..Counts::default() },
        };
        tally.count(instruction, counts);
        let name = asm::mnemonic(instruction);
        let accuracy = tally.accuracy.entry(name).or_default();
        accuracy.add(&sums);
        let mut records = Vec::new();
        if measured > 0 {
            let usage = accuracy.usage(bounds, terms.bound);
            usage.measured += measured;
            let known = known.and_then(|known| known.bounds.get(&bound_name(bounds, terms.bound)));
            let distance = usage.bar().max(known.map_or(StandingRecord::NONE, Usage::bar));
            let bars = StandingRecords { distance, ..cells(accuracy) };
            records = judged.records(&bars);
        }
        let open = judged.open();
        let mut examined = ExaminedBatch {
            undecided: open.len() as u64,
            measured,
            correctly_rounded,
            records: Vec::new(),
            decided: Vec::new(),
        };
        if !records.is_empty() {
            comparator.judge_lanes(contract, instruction, batch, &records, &mut self.part)?;
            for measured in &comparator.verdicts.measured {
                accuracy.note(Extreme::of(measured));
                accuracy.usage(bounds, measured.bound).note(measured);
            }
            examined.records.extend(&comparator.verdicts.measured);
        }
        if !open.is_empty() {
            comparator.judge_lanes(contract, instruction, batch, &open, &mut self.part)?;
            tally.count_judged(
                instruction,
                contract,
                comparator,
                (&self.part, comparator.chosen()),
                |lane| index(open[lane]),
            );
            examined.decided.extend(&comparator.verdicts.measured);
        }
        let fast = counted as u64 - examined.undecided;
        tally.canaries.merge(&Canaries { fast, ..Canaries::default() });
        if let Some(index) = checked {
            let (terms, open, estimates, columns) = (&terms, &open[..], &self.estimates, &self.columns);
            let decided = Decided { contract, instruction, batch, counted, terms, estimates, columns, open };
            tally.canaries.merge(&self.check.check(comparator, &decided, index)?);
        }
        Ok(Some(examined))
    }
}
