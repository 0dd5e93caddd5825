//! Finds the circumstance in which a divergence shows: always, in some lanes only, beside other
//! values, after other batches, with several threads, or never again.
//!
//! Each step executes the case in another way, and looks for the effect that the run observed: the
//! same written values and the same event. If the order of calls matters, the step uses a new
//! subject. If the case fails with another effect, the step counts this as not shown.

mod failure;
pub mod lanes;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_isa::row::FieldType;
use assay_isa::{BackendError, Batch, Instruction, codec, legality};
use assay_vectors::Values;
use assay_vectors::in_batch::{Rerun, uniform};

use crate::compare::comparator::{Comparator, Setup};
use crate::compare::judge::Divergence;
use crate::compare::observation::Observation;
use crate::stats::features::modifiers;
use crate::stats::finding::ObservedDivergence;
use crate::triage::batches::RedrawnBatches;
use crate::triage::circumstance::lanes::LanePattern;
use crate::triage::probe::instead;

/// Number of times that a case is executed alone. If the fault shows each time, it probably depends
/// on nothing else.
const ALONE: usize = 3;
/// Smallest size of a batch that holds the case in every lane: two groups of 32, and one more.
const UNIFORM: usize = 65;
/// A batch of at least this many lanes is simplified in groups of lanes, not lane by lane.
const LARGE: usize = 2048;
/// Maximum number of batches before the case's batch that are executed again.
const BEFORE: i64 = 64;
/// Number of times that a circumstance must bring a case back. A random fault is unlikely to show
/// so often.
const AGAIN: usize = 6;
/// Maximum number of calls of a case, to find out whether it shows only at some calls.
const CALLS: u64 = 1 << 14;
/// Number of threads that execute other batches while the case is executed [`ROUNDS`] times.
const OTHERS: usize = 3;
const ROUNDS: usize = 2048;
/// Number of batches before the case's batch, and after it, that these threads execute. One of
/// these batches may have the mode that affects the case.
const BESIDE: i64 = 32;

/// When a divergence shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Circumstance {
    /// Always.
    Always,
    /// Only in some lanes, or only in batches of some sizes, if every lane holds the case.
    Lanes(LanePattern),
    /// Beside the other lanes of its batch, but not if every lane holds the case.
    Neighbours,
    /// After other batches.
    Order {
        /// The instructions of both batches, if one earlier batch is enough: `FADD.RP after
        /// FADD.RM`.
        pair: Option<String>,
    },
    /// Only at some calls of one subject.
    Calls {
        /// The first call that shows the case, counted from 1.
        first: u64,
        /// Whether the case shows only at calls that are multiples of `first`. Otherwise, it shows
        /// at every call from `first` on.
        periodic: bool,
    },
    /// Only while other threads execute batches, too.
    Threads,
    /// Only at some executions, for no known reason.
    Sometimes,
    /// Each time when it is executed alone, but with another result than the run observed.
    Differently,
    /// It shows neither alone nor in its own batch. Other circumstances were not tried.
    Untried,
    /// In none of the tried circumstances, or the device was declared dead.
    Never,
}

impl Circumstance {
    /// Whether the case diverges each time, perhaps with another result than the run observed.
    pub fn is_plain(&self) -> bool {
        matches!(self, Circumstance::Always | Circumstance::Differently)
    }

    /// Whether the case diverges each time when it is executed alone.
    pub fn shows_alone(&self) -> bool {
        self.is_plain() || matches!(self, Circumstance::Lanes(LanePattern::Fewer(_)))
    }

    /// Returns the text of the circumstance, with both instructions for [`Circumstance::Order`].
    pub fn in_full(&self) -> String {
        match self {
            Circumstance::Order { pair: Some(pair) } => format!("{self}: {pair}"),
            other => other.to_string(),
        }
    }
}

/// Whether the text of a circumstance names one that depends on chance or on other threads.
pub fn is_by_chance(words: &str) -> bool {
    const BEGINNINGS: [&str; 3] = ["only with several threads", "only now and then", "never again"];
    BEGINNINGS.iter().any(|beginning| words.starts_with(beginning))
}

impl fmt::Display for Circumstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Circumstance::Always => write!(f, "always"),
            Circumstance::Lanes(pattern) => pattern.fmt(f),
            Circumstance::Neighbours => write!(f, "only beside other lanes"),
            Circumstance::Order { .. } => write!(f, "only after other batches"),
            Circumstance::Calls { first, periodic: true } => write!(f, "only at each call {first}"),
            Circumstance::Calls { first, periodic: false } => write!(f, "only from call {first} on"),
            Circumstance::Threads => write!(f, "only with several threads"),
            Circumstance::Sometimes => write!(f, "only now and then"),
            Circumstance::Differently => write!(f, "with other results"),
            Circumstance::Untried => write!(f, "not when repeated"),
            Circumstance::Never => write!(f, "never again"),
        }
    }
}

/// The circumstance in which a case shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownCircumstance {
    /// When the case shows.
    pub circumstance: Circumstance,
    /// The batches that bring the case back. `None` if the case always shows, or if no batches
    /// certainly bring it back.
    pub rerun: Option<Rerun>,
}

impl ShownCircumstance {
    /// A case that always shows.
    pub const ALWAYS: ShownCircumstance =
        ShownCircumstance { circumstance: Circumstance::Always, rerun: None };
}

/// Tries to bring a case back in one kind of circumstance. Takes the case's own batch and lane, if
/// they are known. Returns the circumstance if the case shows.
type Attempt<'a> =
    fn(&CircumstanceTrial<'a>, Option<&(Batch, usize)>) -> Result<Option<ShownCircumstance>, BackendError>;

/// Tries one case in different circumstances.
#[derive(Clone, Copy)]
pub struct CircumstanceTrial<'a> {
    setup: &'a Setup<'a>,
    batches: RedrawnBatches<'a>,
    found: &'a ObservedDivergence,
    instruction: &'a Instruction,
    /// The case alone.
    case: &'a Batch,
    /// The effect that the run observed. If it is `None`, any divergence counts.
    seen: Option<&'a Observation>,
}

impl<'a> CircumstanceTrial<'a> {
    /// Returns a trial of a case that the run found.
    pub fn new(
        setup: &'a Setup<'a>,
        batches: RedrawnBatches<'a>,
        found: &'a ObservedDivergence,
        (instruction, case): (&'a Instruction, &'a Batch),
    ) -> CircumstanceTrial<'a> {
        CircumstanceTrial { setup, batches, found, instruction, case, seen: found.seen.as_ref() }
    }

    /// Whether the case shows each time when it is executed alone, and in each lane of a batch that holds nothing else.
    pub fn is_plain(&self, comparator: &mut Comparator) -> Result<bool, BackendError> {
        for _ in 0..ALONE {
            if self.lanes(comparator, self.case)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(self.lanes(comparator, &uniform(self.case, UNIFORM))?.len() == UNIFORM)
    }

    /// Whether the case shows in exactly the lanes of a pattern.
    pub fn follows(&self, comparator: &mut Comparator, pattern: LanePattern) -> Result<bool, BackendError> {
        let size = self.batches.of(self.found).map_or(0, |(batch, _)| batch.len()).max(UNIFORM);
        Ok(self.pattern(comparator, size)? == Some(pattern))
    }

    /// Finds the circumstance in which the case shows. `tries_order` allows circumstances that take thousands of calls.
    ///
    /// # Errors
    ///
    /// Returns the error of an implementation. If a device was declared dead, returns
    /// [`Circumstance::Never`] instead.
    pub fn find(&self, tries_order: bool) -> Result<ShownCircumstance, BackendError> {
        match self.find_alive(tries_order) {
            Err(BackendError::Gone { .. }) => {
                Ok(ShownCircumstance { circumstance: Circumstance::Never, rerun: None })
            }
            shown => shown,
        }
    }

    fn find_alive(&self, tries_order: bool) -> Result<ShownCircumstance, BackendError> {
        let mut comparator = Comparator::fresh(self.setup);
        if self.is_plain(&mut comparator)? {
            return Ok(ShownCircumstance { circumstance: Circumstance::Always, rerun: None });
        }
        let own = self.batches.of(self.found);
        let size = own.as_ref().map_or(0, |(batch, _)| batch.len()).max(UNIFORM);
        let pattern = match self.pattern(&mut comparator, size)? {
            None => self.small_batches(&mut comparator, size)?,
            pattern => pattern,
        };
        if let Some(pattern) = pattern {
            let rerun = self.smallest(&mut comparator, pattern, size)?;
            return Ok(ShownCircumstance { circumstance: Circumstance::Lanes(pattern), rerun: Some(rerun) });
        }
        if let Some((batch, lane)) = &own
            && self.shows_each_time(&[], batch, *lane)?
        {
            let rerun = self.neighbours(batch, *lane)?;
            return Ok(ShownCircumstance { circumstance: Circumstance::Neighbours, rerun: Some(rerun) });
        }
        let attempts: &[Attempt<'a>] = if tries_order {
            &[
                CircumstanceTrial::calls,
                CircumstanceTrial::order,
                CircumstanceTrial::threads,
                CircumstanceTrial::differently,
            ]
        } else {
            &[CircumstanceTrial::differently]
        };
        for attempt in attempts {
            if let Some(shown) = attempt(self, own.as_ref())? {
                return Ok(shown);
            }
        }
        let circumstance = if tries_order { Circumstance::Never } else { Circumstance::Untried };
        Ok(ShownCircumstance { circumstance, rerun: None })
    }

    /// Returns the pattern of a case that shows in all lanes of small batches, and in no lane of
    /// larger ones. A batch of `most` lanes that hold the case must not show it.
    fn small_batches(
        &self,
        comparator: &mut Comparator,
        most: usize,
    ) -> Result<Option<LanePattern>, BackendError> {
        let mut shows =
            |lanes| Ok::<_, BackendError>(self.lanes(comparator, &uniform(self.case, lanes))?.len() == lanes);
        let (mut with, mut without) = (1, most);
        while with + 1 < without {
            let lanes = (with + without) / 2;
            if shows(lanes)? { with = lanes } else { without = lanes }
        }
        let is_shown = shows(1)? && shows(with)? && shows(1)?;
        let is_over = self.lanes(comparator, &uniform(self.case, without))?.is_empty();
        Ok((is_shown && is_over).then_some(LanePattern::Fewer(without)))
    }

    /// Returns the lanes of a batch that show the effect that the run observed.
    fn lanes(&self, comparator: &mut Comparator, batch: &Batch) -> Result<Vec<usize>, BackendError> {
        let contract = self.setup.profile.contract_for(self.instruction);
        let outcome = comparator.run(&contract, self.instruction, batch)?;
        let Some(judged) = outcome.judged() else { return Ok(Vec::new()) };
        let is_same = |(lane, divergence): &&(usize, Divergence)| {
            self.seen
                .is_none_or(|seen| seen.is_same_effect(&Observation::of(judged.effects, *lane, divergence)))
        };
        let mut lanes: Vec<usize> =
            judged.verdicts.diverged.iter().filter(is_same).map(|(lane, _)| *lane).collect();
        lanes.sort_unstable();
        Ok(lanes)
    }

    fn shows(&self, comparator: &mut Comparator, batch: &Batch, lane: usize) -> Result<bool, BackendError> {
        Ok(self.lanes(comparator, batch)?.contains(&lane))
    }

    /// Whether a lane has exactly the effect that the run observed. The effect is not judged, so
    /// thousands of calls are cheap.
    fn repeats(&self, comparator: &mut Comparator, batch: &Batch, lane: usize) -> Result<bool, BackendError> {
        let Some(seen) = self.seen else { return self.shows(comparator, batch, lane) };
        let Some(effects) = comparator.answer(batch)? else { return Ok(false) };
        let writes: Values = effects.lane(lane).collect();
        Ok(writes == seen.writes && effects.event_of(lane) == seen.event.as_ref())
    }

    /// Whether a lane shows the effect after other batches. Tries this [`AGAIN`] times, each time
    /// on a new subject, and the effect must show each time.
    fn shows_each_time(&self, before: &[Batch], batch: &Batch, lane: usize) -> Result<bool, BackendError> {
        for _ in 0..AGAIN {
            let mut comparator = Comparator::fresh(self.setup);
            for batch in before {
                comparator.answer(batch)?;
            }
            if !self.shows(&mut comparator, batch, lane)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns a small batch that shows a pattern.
    fn smallest(
        &self,
        comparator: &mut Comparator,
        pattern: LanePattern,
        size: usize,
    ) -> Result<Rerun, BackendError> {
        let rerun = |(lanes, lane)| Rerun::uniform(self.case, lanes, lane);
        let small = rerun(pattern.smallest(size));
        if self.shows(comparator, &small.batch, small.lane)? {
            return Ok(small);
        }
        let lanes = self.lanes(comparator, &uniform(self.case, size))?;
        Ok(rerun((size, lanes.first().copied().unwrap_or(0))))
    }

    /// Returns the pattern of lanes that show the case, in a batch that holds the case in every
    /// lane. Returns `None` if no lane shows it, or if the lanes differ between executions.
    fn pattern(&self, comparator: &mut Comparator, size: usize) -> Result<Option<LanePattern>, BackendError> {
        let batch = uniform(self.case, size);
        let lanes = self.lanes(comparator, &batch)?;
        if lanes.is_empty() || lanes != self.lanes(comparator, &batch)? {
            return Ok(None);
        }
        Ok(Some(match LanePattern::of(&lanes, size) {
            // If the case shows in a batch of one lane, it depends on something else.
            None => match self.least_size(comparator, size)? {
                1 => return Ok(None),
                least => LanePattern::Size(least),
            },
            Some(LanePattern::One(lane)) if lane == size - 1 => {
                let mut of_size = |size| self.lanes(comparator, &uniform(self.case, size));
                match of_size(size - 1)? == [size - 2] {
                    true => LanePattern::Last,
                    false if of_size(size + 1)? == [lane, lane + 1] => LanePattern::From(lane),
                    false => LanePattern::One(lane),
                }
            }
            Some(pattern) => pattern,
        }))
    }

    /// Returns the smallest size of a batch in which the case shows. The case must show in a batch
    /// of `most` lanes.
    fn least_size(&self, comparator: &mut Comparator, most: usize) -> Result<usize, BackendError> {
        let (mut without, mut with) = (0, most);
        while without + 1 < with {
            let size = (without + with) / 2;
            if self.lanes(comparator, &uniform(self.case, size))?.is_empty() {
                without = size
            } else {
                with = size
            }
        }
        Ok(with)
    }

    /// Simplifies a batch that shows the case. Drops other lanes, and gives the values of the case
    /// to as many of the remaining lanes as possible.
    fn neighbours(&self, batch: &Batch, lane: usize) -> Result<Rerun, BackendError> {
        let mut comparator = Comparator::fresh(self.setup);
        let mut best = Rerun { before: Vec::new(), batch: batch.clone(), lane };
        // Lanes after the case's lane, or far before it, are dropped first.
        for first in [lane.saturating_sub(1), 0] {
            for last in [lane + 1, lane + 2, batch.len()] {
                let part = batch.part(first..last.min(batch.len()));
                if part.len() < best.batch.len() && self.shows(&mut comparator, &part, lane - first)? {
                    best = Rerun { before: Vec::new(), batch: part, lane: lane - first };
                }
            }
        }
        let mut width = best.batch.len().next_power_of_two() / 2;
        // Lanes of a large batch are tried in groups. Otherwise, each lane would need an execution
        // of the whole batch.
        while width > best.batch.len() / LARGE {
            for first in (0..best.batch.len()).step_by(width) {
                let simpler = with_own(&best.batch, best.lane, first..first + width);
                if self.shows(&mut comparator, &simpler, best.lane)? {
                    best.batch = simpler;
                }
            }
            width /= 2;
        }
        Ok(best)
    }

    /// Finds whether the batches before the case's batch bring the effect back. If one batch is
    /// enough, or one lane of it, the others are dropped.
    fn order(&self, own: Option<&(Batch, usize)>) -> Result<Option<ShownCircumstance>, BackendError> {
        let (batch, lane) = own.cloned().unwrap_or_else(|| (self.case.clone(), 0));
        let earlier = (1..=BEFORE).map_while(|back| self.batches.near(self.found, -back));
        let earlier: Vec<Vec<Batch>> = earlier.collect();
        let mut before: Vec<Batch> = earlier.into_iter().rev().flatten().collect();
        if before.is_empty() || !self.shows_each_time(&before, &batch, lane)? {
            return Ok(None);
        }
        for nth in (0..before.len()).rev() {
            if self.shows_each_time(&before[nth..=nth], &batch, lane)? {
                let one = before.swap_remove(nth);
                let small = one.single(0);
                let is_enough = self.shows_each_time(std::slice::from_ref(&small), &batch, lane)?;
                before = vec![if is_enough { small } else { one }];
                break;
            }
        }
        let mut pair = None;
        if let [one] = &mut before[..]
            && let Ok(earlier) = codec::decode(one.word(), self.setup.numbers)
        {
            let earlier = self.plainest_before(earlier, one, (&batch, lane))?;
            pair = Some(format!("{} after {}", modifiers(self.instruction), modifiers(&earlier)));
        }
        let rerun = Rerun { before, batch, lane };
        Ok(Some(ShownCircumstance { circumstance: Circumstance::Order { pair }, rerun: Some(rerun) }))
    }

    /// Sets modifiers of the earlier instruction to their defaults, one by one, as long as the case
    /// still shows.
    fn plainest_before(
        &self,
        mut earlier: Instruction,
        before: &mut Batch,
        (batch, lane): (&Batch, usize),
    ) -> Result<Instruction, BackendError> {
        let form = earlier.form();
        let plain = Instruction::new(form);
        let fields = form.fields.iter().filter(|field| {
            field.constraint.is_none() && field.default.is_some() && matches!(field.ty, FieldType::Enum(_))
        });
        for field in fields {
            let mut simpler = earlier.clone();
            simpler.set(field.name, plain.get(field.name).unwrap_or(0));
            if simpler == earlier || legality::check(&simpler).is_err() {
                continue;
            }
            let Some(other) = instead(before, &simpler, self.setup.numbers) else { continue };
            if self.shows_each_time(std::slice::from_ref(&other), batch, lane)? {
                (earlier, *before) = (simpler, other);
            }
        }
        Ok(earlier)
    }

    /// Finds whether the case shows only at some calls of one subject.
    fn calls(&self, _own: Option<&(Batch, usize)>) -> Result<Option<ShownCircumstance>, BackendError> {
        let mut comparator = Comparator::fresh(self.setup);
        // If the case shows at the first call, it does not depend on the number of calls.
        let Some(first) = self.next_call(&mut comparator, CALLS)?.filter(|first| *first > 1) else {
            return Ok(None);
        };
        let periodic = match self.next_call(&mut comparator, first + 1)? {
            Some(1) => false,
            Some(next) if next == first => true,
            // The calls follow no known rule, so nothing is known to bring the case back.
            _ => return Ok(None),
        };
        let period = if periodic { first } else { 1 };
        for _ in 0..AGAIN {
            if self.next_call(&mut comparator, period)? != Some(period) {
                return Ok(None);
            }
        }
        Ok(Some(ShownCircumstance { circumstance: Circumstance::Calls { first, periodic }, rerun: None }))
    }

    /// Executes the case up to `most` times. Returns the number of the first call that shows the
    /// observed effect, counted from 1. `None` if no call does.
    fn next_call(&self, comparator: &mut Comparator, most: u64) -> Result<Option<u64>, BackendError> {
        for call in 1..=most {
            if self.repeats(comparator, self.case, 0)? {
                return Ok(Some(call));
            }
        }
        Ok(None)
    }

    /// Finds whether the case shows only while other threads execute other batches, or only at some
    /// executions.
    fn threads(&self, own: Option<&(Batch, usize)>) -> Result<Option<ShownCircumstance>, BackendError> {
        let (batch, lane) = own.cloned().unwrap_or_else(|| (uniform(self.case, UNIFORM), 0));
        let near = (-BESIDE..=BESIDE).filter(|offset| *offset != 0);
        let mut others: Vec<Batch> =
            near.filter_map(|offset| self.batches.near(self.found, offset)).flatten().collect();
        if others.is_empty() {
            others.push(batch.clone());
        }
        let look = || -> Result<usize, BackendError> {
            let mut comparator = Comparator::fresh(self.setup);
            let mut rounds = 0..ROUNDS;
            rounds
                .try_fold(0, |shown, _| Ok(shown + usize::from(self.repeats(&mut comparator, &batch, lane)?)))
        };
        let alone = look()?;
        let is_done = AtomicBool::new(false);
        let disturb = |first: usize| -> Result<(), BackendError> {
            let mut comparator = Comparator::new(self.setup);
            for other in others.iter().cycle().skip(first) {
                if is_done.load(Ordering::Relaxed) {
                    break;
                }
                comparator.answer(other)?;
            }
            Ok(())
        };
        let beside = std::thread::scope(|scope| {
            for nth in 0..OTHERS {
                // The results of the other batches do not matter for this case.
                let disturb = &disturb;
                let first = nth * others.len() / OTHERS;
                scope.spawn(move || disturb(first).ok());
            }
            let shown = look();
            is_done.store(true, Ordering::Relaxed);
            shown
        })?;
        let circumstance = match (alone, beside) {
            (0, 2..) => Circumstance::Threads,
            // Other threads do not bring the case back, or the case always shows without them.
            (0, _) | (ROUNDS, _) => return Ok(None),
            _ => Circumstance::Sometimes,
        };
        Ok(Some(ShownCircumstance { circumstance, rerun: None }))
    }

    /// Finds whether the case diverges each time when it is executed alone. Any effect counts.
    fn differently(&self, _own: Option<&(Batch, usize)>) -> Result<Option<ShownCircumstance>, BackendError> {
        let (mut comparator, any) =
            (Comparator::fresh(self.setup), CircumstanceTrial { seen: None, ..*self });
        for _ in 0..ALONE {
            if any.lanes(&mut comparator, self.case)?.is_empty() {
                return Ok(None);
            }
        }
        Ok(Some(ShownCircumstance { circumstance: Circumstance::Differently, rerun: None }))
    }
}

/// Returns a copy of a batch in which the lanes of a range have the inputs of `lane`.
fn with_own(batch: &Batch, lane: usize, lanes: std::ops::Range<usize>) -> Batch {
    let mut simpler = batch.clone();
    for place in 0..batch.locations().len() {
        let column = simpler.column_mut(place);
        let own = column[lane];
        let end = lanes.end.min(column.len());
        column[lanes.start..end].fill(own);
    }
    simpler
}
