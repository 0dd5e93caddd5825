//! Examines the divergences that a run kept, and finds the bug that each of them shows.

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use assay_isa::effect::Failure;
use assay_isa::{BackendError, Batch, Instruction, Location};
use assay_vectors::Rerun;

use super::{Bug, KEY_BUDGET, TIME, TriageError, Unexplained, materialise};
use crate::compare::comparator::{Comparator, Setup};
use crate::compare::judge;
use crate::compare::observation::Observation;
use crate::stats::divergences::{KeptDivergences, ValueKey};
use crate::stats::finding::ObservedDivergence;
use crate::triage::batches::RedrawnBatches;
use crate::triage::circumstance::{Circumstance, CircumstanceTrial, ShownCircumstance};
use crate::triage::explain::{Explanation, explain, explains};
use crate::triage::readings::Oracles;
use crate::triage::shrink::{BUDGET, ShrinkLimits, Shrunk, Stage, evaluate, shrink_within};
use crate::triage::signature::{Symptom, meeting, signature};

/// The cost of searching an explanation, in evaluations. The search runs the subject on many
/// values, and the oracle on more.
const EXPLANATION: usize = 500;

/// The cost of the first check of a case, in evaluations. The case is executed alone, and in a
/// batch that holds it in every lane.
const ONCE: usize = 5;
/// The cost of trying a case in its own batch, in evaluations. [`ORDER`] is the cost if the case is
/// also tried after other batches.
const BATCH: usize = 200;
const ORDER: usize = 20_000;
/// Maximum number of cases that are tried after other batches and beside other threads: of one
/// optype, and of a run.
const ORDERS: (usize, usize) = (2, 12);

/// A smallest case: its word, its inputs, and its symptom.
type SmallestCase = (u128, Vec<(Location, u32)>, String);

/// Finds the bug of each divergence, and stores the bugs found so far.
pub struct Triager<'a> {
    setup: &'a Setup<'a>,
    oracles: Oracles<'a>,
    batches: RedrawnBatches<'a>,
    comparator: Comparator,
    bugs: Vec<Bug>,
    /// The bug of each smallest case.
    smallest: HashMap<SmallestCase, usize>,
    /// The bug of each case that was examined.
    examined: HashMap<ObservedDivergence, usize>,
    /// Evaluations left for raw keys.
    left: usize,
    /// The time from which on no further raw key is examined and no case is made smaller.
    until: Instant,
    /// Number of cases of each optype that were tried after other batches and beside other threads.
    ordered: HashMap<&'static str, usize>,
    /// Number of further cases of the run that may be tried after other batches and beside other
    /// threads.
    left_orders: usize,
}

/// What a case shows.
enum Shows {
    /// A bug that is known.
    Bug(usize),
    /// A bug that may be new, and the circumstance in which it shows.
    New(ShownCircumstance),
}

impl<'a> Triager<'a> {
    /// Returns a triager that knows no bugs.
    pub fn new(setup: &'a Setup<'a>, oracles: Oracles<'a>, batches: RedrawnBatches<'a>) -> Triager<'a> {
        Triager {
            setup,
            oracles,
            batches,
            comparator: Comparator::new(setup),
            bugs: Vec::new(),
            smallest: HashMap::new(),
            examined: HashMap::new(),
            left: KEY_BUDGET,
            until: Instant::now() + TIME,
            ordered: HashMap::new(),
            left_orders: ORDERS.1,
        }
    }

    /// Whether the time for examining is over.
    pub fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    /// Returns the bugs, one for each signature.
    pub fn into_bugs(self) -> Vec<Bug> {
        self.bugs
    }

    /// Examines one of the first divergences of a function and kind.
    pub fn examine_first(&mut self, found: &ObservedDivergence) -> Result<(), TriageError> {
        let case = materialise(found, self.setup)?;
        let left = self.left;
        let bug = self.identify(found, case, BUDGET)?;
        self.left = left;
        self.examined.insert(found.clone(), bug);
        Ok(())
    }

    /// Examines the example of a raw key, and adds all divergences of the key to the bug that it
    /// shows. Returns false if no evaluations or no time is left.
    pub fn examine_key(
        &mut self,
        key: (&str, &ValueKey),
        kept: &KeptDivergences,
    ) -> Result<bool, TriageError> {
        if let Some(bug) = self.examined.get(&kept.first) {
            let bug = *bug;
            self.count(bug, key, kept);
            return Ok(true);
        }
        if self.left == 0 || self.is_over() {
            return Ok(false);
        }
        let case = materialise(&kept.first, self.setup)?;
        match self.explained(&case)? {
            Some(bug) => self.bugs[bug].cases += kept.count,
            None => {
                let bug = self.identify(&kept.first, case, BUDGET.min(self.left))?;
                self.count(bug, key, kept);
            }
        }
        Ok(true)
    }

    /// Adds the divergences of a key to a bug.
    fn count(&mut self, bug: usize, (function, values): (&str, &ValueKey), kept: &KeptDivergences) {
        let bug = &mut self.bugs[bug];
        bug.cases += kept.count;
        if !bug.found.contains(&kept.first) {
            bug.found.push(kept.first.clone());
        }
        // The key includes the function. If a signature covers several optypes, it is known only
        // for those in which it has shown.
        bug.keys.insert(format!("{function}: {values}"));
    }

    /// Returns the bug of the same optype whose explanation predicts the subject's result in the
    /// case bit by bit.
    fn explained(
        &mut self,
        (instruction, batch): &(Instruction, Batch),
    ) -> Result<Option<usize>, BackendError> {
        for (place, bug) in self.bugs.iter().enumerate() {
            let Some(explanation) = &bug.explanation else { continue };
            if bug.instruction.optype() != instruction.optype() {
                continue;
            }
            self.left = self.left.saturating_sub(1);
            let case = (instruction, batch);
            match explains(self.setup, &mut self.comparator, self.oracles, explanation, case) {
                Err(BackendError::Gone { .. }) => return Ok(None),
                explained => {
                    if explained? {
                        return Ok(Some(place));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Finds the bug that a case shows.
    fn identify(
        &mut self,
        found: &ObservedDivergence,
        (instruction, batch): (Instruction, Batch),
        budget: usize,
    ) -> Result<usize, BackendError> {
        let case = (&instruction, &batch);
        let bug = match self.shown(found, case) {
            Ok(Shows::Bug(bug)) => Ok(bug),
            Ok(Shows::New(shown)) if shown.circumstance.is_plain() => {
                self.explained_bug(found, case, shown, budget)
            }
            Ok(Shows::New(shown)) => self.dependent_bug(found, case, shown, budget),
            Err(error) => Err(error),
        };
        match bug {
            // The device is dead, so the case is kept without simplification.
            Err(BackendError::Gone { implementation, .. }) => {
                let shown = ShownCircumstance { circumstance: Circumstance::Untried, rerun: None };
                let is_subject = implementation == self.comparator.subject_name();
                let dead = if is_subject { "device" } else { "reference" };
                Ok(self.keep(found, case, shown, &format!("not shrunk, for the {dead} is dead")))
            }
            bug => bug,
        }
    }

    /// Records the bug of a case that diverges only in some circumstances: certain lanes,
    /// neighbours, batch order or threads. Returns the bug's index.
    fn dependent_bug(
        &mut self,
        found: &ObservedDivergence,
        case: (&Instruction, &Batch),
        shown: ShownCircumstance,
        budget: usize,
    ) -> Result<usize, BackendError> {
        if let Circumstance::Lanes(_) = shown.circumstance {
            return self.lanes_bug(found, case, shown, budget);
        }
        let why = shown.circumstance.to_string();
        Ok(self.keep(found, case, shown, &why))
    }

    /// Finds the circumstance in which a case shows, or the known bug that shows in the same
    /// circumstance.
    fn shown(
        &mut self,
        found: &ObservedDivergence,
        case: (&Instruction, &Batch),
    ) -> Result<Shows, BackendError> {
        if is_failure(found) {
            // Each repetition of a crash or hang would cost a deadline and a restart of the device.
            return Ok(Shows::New(ShownCircumstance::ALWAYS));
        }
        let trial = CircumstanceTrial::new(self.setup, self.batches, found, case);
        self.spend(ONCE);
        if trial.is_plain(&mut self.comparator)? {
            return Ok(Shows::New(ShownCircumstance::ALWAYS));
        }
        self.circumstance(&trial, case.0.optype())
    }

    /// Finds the circumstance of a case that does not always show, or the known bug that shows in
    /// the same circumstance.
    fn circumstance(
        &mut self,
        trial: &CircumstanceTrial<'_>,
        optype: &'static str,
    ) -> Result<Shows, BackendError> {
        for (place, bug) in self.bugs.iter().enumerate().filter(|(_, bug)| bug.instruction.optype() == optype)
        {
            if let Circumstance::Lanes(pattern) = bug.shown.circumstance
                && trial.follows(&mut self.comparator, pattern)?
            {
                return Ok(Shows::Bug(place));
            }
        }
        let tried = self.ordered.entry(optype).or_default();
        let tries_order = *tried < ORDERS.0 && self.left_orders > 0;
        *tried += usize::from(tries_order);
        self.left_orders -= usize::from(tries_order);
        self.spend(if tries_order { ORDER } else { BATCH });
        let shown = trial.find(tries_order)?;
        if shown.circumstance == Circumstance::Untried
            && let Some(bug) = self
                .bugs
                .iter()
                .position(|bug| bug.instruction.optype() == optype && matters_order(&bug.shown.circumstance))
        {
            return Ok(Shows::Bug(bug));
        }
        Ok(Shows::New(shown))
    }

    /// Shrinks a case that diverges alone, and finds or records the bug that it shows. Returns the
    /// bug's index.
    fn explained_bug(
        &mut self,
        found: &ObservedDivergence,
        (instruction, batch): (&Instruction, &Batch),
        shown: ShownCircumstance,
        budget: usize,
    ) -> Result<usize, BackendError> {
        let bounds = self.bounds(budget, Stage::ALONE);
        let small = shrink_within(bounds, self.setup, &mut self.comparator, instruction, batch)?;
        let Some(small) = small else {
            let shown = self.without_small_case(found, (instruction, batch))?;
            let why = shown.circumstance.to_string();
            return Ok(self.keep(found, (instruction, batch), shown, &why));
        };
        self.spend(small.evaluations);
        let key = smallest(&small);
        if let Some(bug) = self.smallest.get(&key) {
            return Ok(*bug);
        }
        // This comparator has executed many batches. A case that shows only on this comparator may
        // depend on those batches.
        if !self.shows_fresh(&small)? {
            let trial = CircumstanceTrial::new(self.setup, self.batches, found, (instruction, batch));
            match self.circumstance(&trial, instruction.optype()) {
                Err(BackendError::Gone { .. }) => {}
                Err(error) => return Err(error),
                Ok(Shows::Bug(bug)) => return Ok(bug),
                Ok(Shows::New(shown)) if shown.circumstance.is_plain() => {}
                Ok(Shows::New(shown)) => {
                    let bug = self.dependent_bug(found, (instruction, batch), shown, budget)?;
                    self.smallest.insert(key, bug);
                    return Ok(bug);
                }
            }
        }
        let explanation = self.explanation(&small, (instruction, batch))?;
        let symptom = Symptom::of(&small.instruction, &small.divergence);
        let by_one_unit = self.is_one_unit_off(&small)?;
        let unexplained = if by_one_unit {
            // Which operands and modes show a wrong rounding depends on the drawn values.
            format!("{} | {}", instruction.function(), judge::DivergenceKind::OneUnit.name())
        } else {
            signature(&small.instruction, &small.batch, &small.divergence)
        };
        let is_apart = by_one_unit || meeting(&small.instruction).is_none();
        let error = if by_one_unit { judge::DivergenceKind::OneUnit.name() } else { symptom.error };
        let wrong = is_apart.then_some(Symptom { error, ..symptom });
        let signature =
            explanation.as_ref().map_or(unexplained.clone(), |told| explained_signature(instruction, told));
        let bug = self.bug(found, signature, shown, (small.instruction, small.batch, Some(small.seen)));
        let mut bug =
            Bug { unexplained: Some(Unexplained { signature: unexplained, symptom, wrong }), ..bug };
        match explanation {
            Some(_) => bug.explanation = explanation,
            None => bug.leave_unexplained(),
        }
        let bug = self.add(bug);
        self.smallest.insert(key, bug);
        Ok(bug)
    }

    /// Returns the circumstance of a case that does not show when it is executed alone.
    fn without_small_case(
        &mut self,
        found: &ObservedDivergence,
        case: (&Instruction, &Batch),
    ) -> Result<ShownCircumstance, BackendError> {
        let only = |circumstance| ShownCircumstance { circumstance, rerun: None };
        if !is_failure(found) {
            return Ok(only(Circumstance::Sometimes));
        }
        // A device that hangs costs a deadline at each try.
        if failed_so(found, Failure::Hung) {
            return Ok(only(Circumstance::Untried));
        }
        self.spend(BATCH);
        let trial = CircumstanceTrial::new(self.setup, self.batches, found, case);
        Ok(trial.find_failure()?.unwrap_or_else(|| only(Circumstance::Untried)))
    }

    /// Returns the explanation of a case, which was shrunk from `found`. A case in which the
    /// reference failed says nothing about the subject.
    fn explanation(
        &mut self,
        small: &Shrunk,
        found: (&Instruction, &Batch),
    ) -> Result<Option<Explanation>, BackendError> {
        if matches!(small.divergence.kind, judge::DivergenceKind::ReferenceFailed(_)) {
            return Ok(None);
        }
        self.spend(EXPLANATION);
        let cases = [(&small.instruction, &small.batch), found];
        match explain(self.setup, &mut self.comparator, self.oracles, &cases, None) {
            Err(BackendError::Gone { .. }) => Ok(None),
            explanation => explanation,
        }
    }

    /// Whether the case shows on a new subject, too. True if the device is dead, because then the
    /// case cannot be executed.
    fn shows_fresh(&mut self, small: &Shrunk) -> Result<bool, BackendError> {
        self.spend(1);
        let mut comparator = Comparator::fresh(self.setup);
        match evaluate(self.setup, &mut comparator, &small.instruction, &small.batch) {
            Err(BackendError::Gone { .. }) => Ok(true),
            divergence => Ok(divergence?.is_some()),
        }
    }

    fn bounds(&self, evaluations: usize, stage: Stage) -> ShrinkLimits<'a> {
        ShrinkLimits { evaluations, until: Some(self.until), stage, selects: self.batches.selects }
    }

    /// Whether a float result is the neighbour of the right result. A zero or an infinity has
    /// neighbours, too.
    fn is_one_unit_off(&mut self, small: &Shrunk) -> Result<bool, BackendError> {
        use judge::DivergenceKind::{Flush, Infinity, OneUnit};
        let (kind, location) = (small.divergence.kind, small.divergence.location);
        if !matches!(kind, Flush | Infinity) {
            return Ok(kind == OneUnit);
        }
        let truths = self.comparator.truth(&small.instruction, &small.batch)?;
        let mut columns = truths.map(|truths| truths.columns()).unwrap_or_default().iter();
        let right = columns.find(|truth| Some(truth.location) == location);
        let right = right.and_then(|truth| judge::rules::nearest(truth).first().copied());
        let written = location.and_then(|location| small.seen.writes.get(&location));
        Ok(right.zip(written).is_some_and(|(right, written)| right.abs_diff(*written) == 1))
    }

    /// Shrinks a case that shows only in some lanes, and records its bug. Returns the bug's index.
    fn lanes_bug(
        &mut self,
        found: &ObservedDivergence,
        (instruction, batch): (&Instruction, &Batch),
        shown: ShownCircumstance,
        budget: usize,
    ) -> Result<usize, BackendError> {
        let signature = format!("{} | {}", instruction.optype(), shown.circumstance);
        let stage = shown
            .rerun
            .as_ref()
            .map_or(Stage::ALONE, |rerun| Stage { lanes: rerun.batch.len(), lane: rerun.lane });
        let bounds = self.bounds(budget, stage);
        let small = shrink_within(bounds, self.setup, &mut self.comparator, instruction, batch)?;
        let Some(small) = small else {
            let why = shown.circumstance.to_string();
            return Ok(self.keep(found, (instruction, batch), shown, &why));
        };
        self.spend(small.evaluations);
        let rerun = Some(Rerun::uniform(&small.batch, stage.lanes, stage.lane));
        let shown = ShownCircumstance { rerun, ..shown };
        let bug = self.bug(found, signature, shown, (small.instruction, small.batch, Some(small.seen)));
        Ok(self.add(bug))
    }

    /// Returns a new bug for a divergence, with a case that shows it and the observed effect.
    fn bug(
        &self,
        found: &ObservedDivergence,
        signature: String,
        shown: ShownCircumstance,
        (instruction, batch, seen): (Instruction, Batch, Option<Observation>),
    ) -> Bug {
        Bug {
            signature,
            index: found.index,
            optypes: [instruction.optype()].into(),
            instruction,
            batch,
            explanation: None,
            explained: Vec::new(),
            unexplained: None,
            seen,
            shown,
            place: self.batches.place(found),
            cases: 0,
            keys: BTreeSet::new(),
            symptom: None,
            wrong: None,
            shapes: Vec::new(),
            conditions: Vec::new(),
            found: vec![found.clone()],
        }
    }

    /// Records the bug of a case that is not shrunk, for the reason `why`. Returns the bug's index.
    fn keep(
        &mut self,
        found: &ObservedDivergence,
        (instruction, batch): (&Instruction, &Batch),
        shown: ShownCircumstance,
        why: &str,
    ) -> usize {
        let signature = format!("{} | {why}", instruction.optype());
        let case = (instruction.clone(), batch.clone(), found.seen.clone());
        self.add(self.bug(found, signature, shown, case))
    }

    /// Adds a bug, unless there is one with its signature. Returns the index of the bug with that
    /// signature.
    fn add(&mut self, bug: Bug) -> usize {
        let known = self.bugs.iter().position(|known| known.signature == bug.signature);
        known.unwrap_or_else(|| {
            self.bugs.push(bug);
            self.bugs.len() - 1
        })
    }

    fn spend(&mut self, evaluations: usize) {
        self.left = self.left.saturating_sub(evaluations);
    }
}

/// Whether the device or the reference crashed or hung in the case, instead of giving a wrong result.
fn is_failure(found: &ObservedDivergence) -> bool {
    Failure::ALL.into_iter().any(|failure| failed_so(found, failure))
}

/// Whether the device, or the reference, failed in this way.
fn failed_so(found: &ObservedDivergence, failure: Failure) -> bool {
    found.seen.as_ref().is_some_and(|seen| failure.is_named(&seen.kind))
}

/// Whether finding the circumstance needs other batches, many calls or other threads.
fn matters_order(circumstance: &Circumstance) -> bool {
    use Circumstance::{Calls, Never, Order, Sometimes, Threads};
    matches!(circumstance, Order { .. } | Calls { .. } | Threads | Sometimes | Never)
}

/// Returns the signature of a bug with an explanation.
pub(super) fn explained_signature(instruction: &Instruction, explanation: &Explanation) -> String {
    format!("{} | {explanation}", instruction.optype())
}

fn smallest(small: &Shrunk) -> SmallestCase {
    let symptom = Symptom::of(&small.instruction, &small.divergence).to_string();
    (small.batch.word(), small.batch.lane(0).collect(), symptom)
}
