//! Judges one batch of a unary function. Lanes that double precision can decide are judged by
//! columns, and the others by enclosures.

use std::ops::Range;

use assay_isa::{BackendError, Batch, Estimates, Instruction};
use assay_vectors::{Bound, Contract};

use crate::compare::canary::columns::{ColumnCheck, Decided};
use crate::compare::canary::{Canaries, defect};
use crate::compare::comparator::{Comparator, EstimatedBatch};
use crate::compare::counts::Counts;
use crate::compare::judge::quick::{
    Columns, ErrorSums, JudgedBatch, RefusedLane, StandingRecord, StandingRecords, Terms, is_sampled,
};
use crate::compare::judge::{Divergence, DivergenceKind, Measured, Verdict};
use crate::generate::splitmix::mix;
use crate::run::path::Work;
use crate::stats::accuracy::{Accuracy, Extreme, Usage, bound_name};
use crate::stats::divergences;
use crate::stats::exhaustive::map::ErrorMap;
use crate::stats::tally::Tally;

/// Examines batches. Its buffers are reused from batch to batch.
#[derive(Default)]
pub struct BatchExaminer {
    /// The truth of the last batch.
    pub estimates: Estimates,
    /// The truth of the counted lanes, if these do not start at lane 0.
    some: Estimates,
    columns: Columns,
    part: Batch,
    check: ColumnCheck,
}

/// A batch for an examiner.
#[derive(Clone)]
pub struct BatchToExamine<'a> {
    /// The contract of its results.
    pub contract: &'a Contract,
    /// The executed instruction.
    pub instruction: &'a Instruction,
    /// Its mnemonic.
    pub function: &'a str,
    /// The executed cases.
    pub batch: &'a Batch,
    /// The lanes that are counted. The other lanes are only compared with these.
    pub lanes: Range<usize>,
    /// The records of the function before this epoch. Lanes that do not beat them are not searched.
    pub known: Option<&'a Accuracy>,
    /// The case index of a lane.
    pub index: &'a dyn Fn(usize) -> u64,
    /// The index of the piece of the run. `None` if this batch is not checked.
    pub checked: Option<u64>,
}

/// The outcome of a batch.
#[derive(Default)]
pub struct ExaminedBatch {
    /// Number of results that double precision did not decide.
    pub undecided: u64,
    /// Number of results that double precision refused.
    pub refused: u64,
    /// Number of lanes whose error was measured in double precision, including refused lanes.
    pub measured: u64,
    /// Number of the measured lanes whose results are correctly rounded.
    pub correctly_rounded: u64,
    /// Results that may hold a record. They are also included in the counts above.
    pub records: Vec<Measured>,
    /// The results that double precision did not decide, and whose error was measured.
    pub decided: Vec<Measured>,
    /// The lanes whose result diverges, each with its error in units of 2^-32 ulp if double precision
    /// refused it.
    pub failing: Vec<(usize, Option<i64>)>,
    /// The checks of the harness that were made.
    pub checks: Canaries,
}

/// The decisions of double precision about the counted lanes.
struct JudgedColumns {
    terms: Terms,
    sums: ErrorSums,
    refused: Vec<RefusedLane>,
    /// The lanes that are neither refused nor counted in the sums.
    open: Vec<usize>,
    /// The lanes that may hold a record. They are counted in the sums or refused.
    records: Vec<usize>,
}

impl JudgedColumns {
    fn counts(&self) -> Counts {
        let (exact, diverged, measured) = (self.sums.special, self.refused.len() as u64, self.sums.measured);
        match self.terms.bound {
            Some(_) => Counts { exact, diverged, within: measured, ..Counts::default() },
            None => Counts { exact, unjudged: measured, ..Counts::default() },
        }
    }
}

impl BatchExaminer {
    /// Estimates the truth of a batch and executes it. With [`EstimatedBatch::Results`], double
    /// precision can judge the batch.
    pub fn execute(
        &mut self,
        comparator: &mut Comparator,
        contract: &Contract,
        instruction: &Instruction,
        batch: &Batch,
    ) -> Result<EstimatedBatch, BackendError> {
        match contract {
            Contract::Bounded { .. } => comparator.estimate(instruction, batch, &mut self.estimates),
            _ => Ok(EstimatedBatch::NotExecuted),
        }
    }

    /// Estimates the truth of a batch and executes it. Returns what is left to execute of the batch,
    /// or `None` if double precision can judge it.
    ///
    /// The first `counted` lanes are cases, beginning with the case of index `first`. A lane after
    /// them is a case of the next batch, too, so that only a fault of a last lane would be missed. It
    /// is judged if the batch has other effects than results, and otherwise in one batch of eight.
    pub(crate) fn execute_swept(
        &mut self,
        comparator: &mut Comparator,
        (contract, instruction): (&Contract, &Instruction),
        (batch, counted): (&Batch, usize),
        first: u64,
        tally: &mut Tally,
    ) -> Result<Option<Work>, BackendError> {
        let left = Work::after(self.execute(comparator, contract, instruction, batch)?);
        let is_judged = match &left {
            None => mix(first).is_multiple_of(8),
            Some(left) => matches!(left, Work::Executed(Some(_))),
        };
        if is_judged && batch.len() > counted {
            tally.count_failures(
                instruction,
                comparator.lane_divergence(contract, instruction, batch, counted)?,
            );
        }
        Ok(left)
    }

    /// Judges the counted lanes of the batch that was executed last, and adds them to the counts of
    /// the function. The arguments of these lanes must ascend. Returns `None`, and counts nothing,
    /// if the arguments have different signs.
    ///
    /// `cells` returns the records that a lane may beat, without the record of the function's
    /// greatest distance.
    pub fn examine(
        &mut self,
        comparator: &mut Comparator,
        asked: &BatchToExamine,
        cells: impl FnOnce(&Accuracy) -> StandingRecords,
        tally: &mut Tally,
    ) -> Result<Option<ExaminedBatch>, BackendError> {
        let Some(judged) = self.judge(comparator, asked, cells, tally) else { return Ok(None) };
        let BatchToExamine { contract, instruction, batch, index, .. } = *asked;
        let mut examined = ExaminedBatch {
            undecided: judged.open.len() as u64,
            refused: judged.refused.len() as u64,
            measured: judged.sums.measured + judged.refused.len() as u64,
            correctly_rounded: judged.sums.correctly_rounded,
            ..ExaminedBatch::default()
        };
        let refused = judged.refused.iter().map(|one| (asked.lanes.start + one.lane(), Some(one.units)));
        examined.failing.extend(refused);
        examined.records = self.note(comparator, asked, &judged, tally)?;
        if !judged.open.is_empty() {
            let open = asked.in_batch(&judged.open);
            let judged = comparator.judge_lanes(contract, instruction, batch, &open, &mut self.part)?;
            examined.failing.extend(judged.verdicts.diverged.iter().map(|(place, _)| (open[*place], None)));
            examined.decided.extend(&judged.verdicts.measured);
            tally.count_judged(instruction, contract, (&self.part, judged), |lane| index(open[lane]));
        }
        let fast = asked.lanes.len() as u64 - examined.undecided;
        tally.canaries.merge(&Canaries { fast, ..Canaries::default() });
        if let Some(index) = asked.checked {
            let estimates = from_lane(asked.lanes.start, &self.estimates, &self.some);
            let (lanes, terms, columns) = (asked.lanes.clone(), &judged.terms, &self.columns);
            let decided = Decided { contract, instruction, batch, lanes, terms, estimates, columns };
            examined.checks = self.check.check(comparator, &decided, index)?;
        }
        Ok(Some(examined))
    }

    /// Adds the errors of the batch that was examined last to a map. Its counted lanes are its
    /// first, and refused lanes are in no part's limits.
    pub fn add_to(&self, map: &mut ErrorMap, examined: &ExaminedBatch) {
        let Columns { tops, samples, .. } = &self.columns;
        let arguments = &self.estimates.arguments;
        let limits = tops.iter().map(|limits| [limits.greatest, limits.least]);
        map.add_parts(arguments[0], limits.zip(samples.iter().copied()));
        for record in &examined.records {
            map.add(record.argument, record.error.floor as f64, false);
        }
        for measured in &examined.decided {
            let lane = (measured.argument - arguments[0]) as usize;
            map.add(measured.argument, measured.error.floor as f64, is_sampled(lane));
        }
        for (lane, error) in &examined.failing {
            if let Some(units) = error {
                map.add(arguments[*lane], *units as f64, is_sampled(*lane));
            }
            map.add_failing(arguments[*lane]);
        }
    }

    /// Judges in double precision, and counts the decided lanes.
    fn judge(
        &mut self,
        comparator: &Comparator,
        asked: &BatchToExamine,
        cells: impl FnOnce(&Accuracy) -> StandingRecords,
        tally: &mut Tally,
    ) -> Option<JudgedColumns> {
        let BatchToExamine { contract, instruction, known, .. } = *asked;
        let Contract::Bounded { bounds, .. } = contract else { return None };
        let (_, results) = comparator.column()?;
        if asked.lanes.start > 0 {
            self.some.copy_lanes(&self.estimates, asked.lanes.clone());
        }
        let estimates = from_lane(asked.lanes.start, &self.estimates, &self.some);
        let terms = Terms::of(contract, &estimates.arguments[..asked.lanes.len()])?;
        let results = &results[asked.lanes.clone()];
        let sums = self.columns.judge(&terms, estimates, results);
        let batch = JudgedBatch { terms: &terms, estimates, results, columns: &self.columns };
        let (refused, open) = batch.refused(batch.open());
        let accuracy = tally.accuracy_of(asked.function);
        accuracy.add(&sums);
        accuracy.add_refused(&refused);
        let mut records = Vec::new();
        if sums.measured > 0 || !refused.is_empty() {
            let standing = standing_records(accuracy, (bounds, terms.bound), known, cells);
            records = batch.records(&standing);
            records.extend(batch.refused_records(&refused, &standing));
            let usage = accuracy.usage(bounds, terms.bound);
            usage.measured += sums.measured + refused.len() as u64;
            usage.refused += refused.len() as u64;
        }
        let judged = JudgedColumns { terms, sums, refused, open, records };
        tally.count(instruction, judged.counts());
        Some(judged)
    }

    /// Adds the refused lanes to the divergences, and the new records to the accuracy. For that,
    /// lanes that may hold a record are judged from enclosures. So are refused lanes that may be
    /// kept as examples. Returns the errors of the lanes judged so.
    fn note(
        &mut self,
        comparator: &mut Comparator,
        asked: &BatchToExamine,
        judged: &JudgedColumns,
        tally: &mut Tally,
    ) -> Result<Vec<Measured>, BackendError> {
        let BatchToExamine { contract, instruction, batch, index, .. } = *asked;
        let Contract::Bounded { bounds, .. } = contract else { return Ok(Vec::new()) };
        if judged.records.is_empty() && judged.refused.is_empty() {
            return Ok(Vec::new());
        }
        let location = comparator.column().map(|(location, _)| location);
        let divergence = Divergence { location, ..Divergence::BEYOND };
        let refused = judged.refused.iter().map(|one| (asked.lanes.start + one.lane(), divergence));
        let mut diverged: Vec<(usize, Divergence)> = refused.collect();
        let groups = divergences::groups(instruction, &diverged, (batch, &comparator.effects), index);
        let mut lanes = asked.in_batch(&judged.records);
        lanes.extend(tally.to_keep(instruction, &diverged, &groups, index));
        lanes.sort_unstable();
        lanes.dedup();
        let exact = self.judge_again(comparator, asked, &lanes, &mut diverged)?;
        if !diverged.is_empty() {
            tally.note_groups(instruction, &diverged, groups, (batch, &comparator.effects), index);
        }
        let accuracy = tally.accuracy_of(asked.function);
        for measured in &exact {
            accuracy.note(Extreme::of(measured));
            accuracy.usage(bounds, measured.bound).note(measured);
        }
        Ok(exact)
    }

    /// Judges lanes from enclosures and returns their errors. For refused lanes, also replaces
    /// their divergences.
    fn judge_again(
        &mut self,
        comparator: &mut Comparator,
        asked: &BatchToExamine,
        lanes: &[usize],
        diverged: &mut [(usize, Divergence)],
    ) -> Result<Vec<Measured>, BackendError> {
        if lanes.is_empty() {
            return Ok(Vec::new());
        }
        let BatchToExamine { contract, instruction, batch, index, .. } = *asked;
        let verdicts = comparator.judge_lanes(contract, instruction, batch, lanes, &mut self.part)?.verdicts;
        for (place, lane) in lanes.iter().enumerate() {
            let Ok(refused) = diverged.binary_search_by_key(lane, |(lane, _)| *lane) else { continue };
            match verdicts.of(place) {
                Verdict::Diverged(divergence) if divergence.kind == DivergenceKind::Bound => {
                    diverged[refused].1 = divergence;
                }
                verdict => {
                    let case = index(*lane);
                    let problem = format!("the fast path refuses case {case}, the slow path has {verdict:?}");
                    return Err(defect(instruction, case, &problem));
                }
            }
        }
        Ok(verdicts.measured.clone())
    }
}

impl BatchToExamine<'_> {
    /// Converts places among the counted lanes to lanes of the batch.
    fn in_batch(&self, lanes: &[usize]) -> Vec<usize> {
        lanes.iter().map(|lane| self.lanes.start + lane).collect()
    }
}

/// Splits arguments into runs in which neighbours are `alike`, and returns the lane range of each
/// run.
pub(crate) fn runs(arguments: &[u32], alike: impl FnMut(&u32, &u32) -> bool) -> Vec<Range<usize>> {
    let mut end = 0;
    let range = |run: &[u32]| {
        end += run.len();
        end - run.len()..end
    };
    arguments.chunk_by(alike).map(range).collect()
}

/// Returns the truth of the lanes from `start` on. If `start` is 0, this is `whole`, otherwise the
/// copied part.
fn from_lane<'a>(start: usize, whole: &'a Estimates, some: &'a Estimates) -> &'a Estimates {
    if start > 0 { some } else { whole }
}

/// Returns the records that a lane may beat: those of the function in this worker, those known of
/// the whole run, and those of `cells`.
fn standing_records(
    accuracy: &mut Accuracy,
    (bounds, bound): (&[Bound], Option<usize>),
    known: Option<&Accuracy>,
    cells: impl FnOnce(&Accuracy) -> StandingRecords,
) -> StandingRecords {
    let known = known.and_then(|known| known.bounds.get(&bound_name(bounds, bound)));
    let distance = accuracy
        .usage(bounds, bound)
        .standing_record()
        .max(known.map_or(StandingRecord::NONE, Usage::standing_record));
    StandingRecords { distance, ..cells(accuracy) }
}
