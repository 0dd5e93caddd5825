//! Forms the verdict of each lane, from contract, truth and effects. No other module forms
//! verdicts.
//!
//! A lane holds if all of these are true. Every location that must be written has an allowed value.
//! No other location is written. The events are exactly the demanded events.

pub mod allowed;
mod destination;
pub mod known;
pub mod quick;
pub mod real;
pub mod rules;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use assay_isa::effect::{Failure, Lanes};
use assay_isa::format::Format;
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{Effects, Erratum, Event, Instruction, Location, Truths};
use assay_vectors::{Contract, Metric};

pub use real::{Error, FARTHEST_UNITS, ONE_ULP};
use rules::{PackedResult, RealOutcome, Reals};

use crate::operands::operand_kinds;
use destination::Destination;

/// The verdict of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every bit is as demanded.
    Exact,
    /// Within the contract's bound, with this error.
    Within(Error),
    /// The contract gives no bound for this argument. The error is measured nevertheless.
    Unjudged(Error),
    /// The effect of the lane is not one that the contract allows.
    Diverged(Divergence),
    /// The specification leaves the result undefined under the current readings, by this erratum.
    Undefined(Erratum),
    /// The subject or the oracle does not support the instruction.
    Unsupported,
}

impl Verdict {
    /// Whether the result is exact or within its bound.
    pub fn holds(&self) -> bool {
        matches!(self, Verdict::Exact | Verdict::Within(_))
    }
}

/// The kind of a divergence: how an effect violates the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DivergenceKind {
    /// A location was not written although it must be.
    NotWritten,
    /// A location was written although it must not be.
    Unexpected,
    /// A NaN where a number belongs.
    Nan,
    /// A number or another NaN instead of the demanded NaN.
    NotThatNan,
    /// A zero of the wrong sign.
    ZeroSign,
    /// A value with the wrong sign.
    Sign,
    /// An infinity instead of a finite value, or the reverse.
    Infinity,
    /// A subnormal number instead of a zero, or a zero instead of a subnormal number.
    Flush,
    /// Off by one unit in the last place.
    OneUnit,
    /// Any other wrong value.
    Value,
    /// Beyond the contract's bound.
    Bound,
    /// A result outside the range of the function.
    Range,
    /// Nonzero bits above a result that is narrower than its register.
    Above,
    /// An event is missing, differs from the demanded one, or was not demanded.
    Event,
    /// The subject called a lane undefined, although the specification defines it.
    CalledUndefined,
    /// No answer that could be judged: the device failed.
    Failed(Failure),
    /// Nothing to judge by: the device that takes the place of the oracle failed, and the subject
    /// did not.
    ReferenceFailed(Failure),
}

impl DivergenceKind {
    /// Whether a written value is wrong. The other kinds are failures, and effects other than values.
    pub fn is_of_value(self) -> bool {
        use DivergenceKind::{CalledUndefined, Event, Failed, NotWritten, ReferenceFailed, Unexpected};
        !matches!(self, NotWritten | Unexpected | Event | CalledUndefined | Failed(_) | ReferenceFailed(_))
    }

    /// Name for reports and signatures.
    pub fn name(self) -> &'static str {
        match self {
            DivergenceKind::NotWritten => "not written",
            DivergenceKind::Unexpected => "unexpected write",
            DivergenceKind::Nan => "NaN instead of a number",
            DivergenceKind::NotThatNan => "not the NaN",
            DivergenceKind::ZeroSign => "sign of zero",
            DivergenceKind::Sign => "sign",
            DivergenceKind::Infinity => "infinity",
            DivergenceKind::Flush => "flush",
            DivergenceKind::OneUnit => "one unit off",
            DivergenceKind::Value => "value",
            DivergenceKind::Bound => "beyond the bound",
            DivergenceKind::Range => "outside the range",
            DivergenceKind::Above => "bits above the result",
            DivergenceKind::Event => "event",
            DivergenceKind::CalledUndefined => "called undefined",
            DivergenceKind::Failed(failure) => failure.name(),
            DivergenceKind::ReferenceFailed(failure) => failure.of_reference(),
        }
    }
}

/// How and where the effect of a lane violates the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The kind of divergence.
    pub kind: DivergenceKind,
    /// The location whose value or write is wrong. `None` for an event.
    pub location: Option<Location>,
    /// The error of the result, if one was measured.
    pub error: Option<Error>,
}

impl Divergence {
    /// A result beyond its bound.
    pub const BEYOND: Divergence = Divergence { kind: DivergenceKind::Bound, location: None, error: None };
}

/// Verdicts of a batch. Lanes that are not listed are exact.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    /// Number of judged lanes.
    pub lanes: usize,
    /// Lanes within a bound, with their errors. If a lane has several results, this is the error of
    /// the greatest magnitude.
    pub within: Vec<(usize, Error)>,
    /// Lanes with a result that the contract does not judge, each with the error of the greatest
    /// magnitude.
    pub unjudged: Vec<(usize, Error)>,
    /// Lanes that diverged.
    pub diverged: Vec<(usize, Divergence)>,
    /// Lanes that the specification leaves undefined under the current readings.
    pub undefined: Vec<(usize, Erratum)>,
    /// Real results whose error was measured. A lane of several results has one entry for each.
    pub measured: Vec<Measured>,
    /// Number of real results that the instruction demands.
    pub reals: u64,
    /// Number of real results that hold without a measured error.
    pub special: u64,
}

/// A real result and its error.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The argument, after its prefixes were applied.
    pub argument: u32,
    /// The result.
    pub result: u32,
    /// Its error.
    pub error: Error,
    /// Index of the contract's bound that applies to the argument, if any.
    pub bound: Option<usize>,
    /// The distance from the truth in the bound's metric. Without a bound, the metric is that of
    /// the contract's last bound. The unit is 2^-32 ulp for the metric ulp, and 2^-64 for other
    /// metrics.
    pub distance: u64,
    /// Whether the result satisfies the contract, or is not judged.
    pub holds: bool,
}

impl Verdicts {
    fn clear(&mut self, lanes: usize) {
        self.lanes = lanes;
        self.within.clear();
        self.unjudged.clear();
        self.diverged.clear();
        self.undefined.clear();
        self.measured.clear();
        (self.reals, self.special) = (0, 0);
    }

    /// Returns the failures, and the wrong effects other than values, of the lanes that diverged.
    pub(crate) fn failures(&self) -> impl Iterator<Item = DivergenceKind> {
        self.diverged.iter().map(|(_, divergence)| divergence.kind).filter(|kind| !kind.is_of_value())
    }

    /// Whether the specification leaves a lane undefined. The list must be sorted.
    fn is_open(&self, lane: usize) -> bool {
        self.undefined.binary_search_by_key(&lane, |(l, _)| *l).is_ok()
    }

    /// The verdict of one lane.
    pub fn of(&self, lane: usize) -> Verdict {
        if let Some((_, erratum)) = self.undefined.iter().find(|(l, _)| *l == lane) {
            return Verdict::Undefined(*erratum);
        }
        if let Some((_, divergence)) = self.diverged.iter().find(|(l, _)| *l == lane) {
            return Verdict::Diverged(*divergence);
        }
        let of = |list: &[(usize, Error)]| list.iter().find(|(l, _)| *l == lane).map(|(_, error)| *error);
        let unjudged = of(&self.unjudged).map(Verdict::Unjudged);
        unjudged.or_else(|| of(&self.within).map(Verdict::Within)).unwrap_or(Verdict::Exact)
    }
}

/// Judges the effects of a subject in a batch of one instruction.
pub fn judge(
    contract: &Contract,
    instruction: &Instruction,
    truths: &Truths,
    effects: &Effects,
    verdicts: &mut Verdicts,
) {
    let format = operand_kinds::OperandKind::result_format(instruction);
    verdicts.clear(truths.len());
    verdicts.undefined.extend_from_slice(truths.undefined());
    verdicts.undefined.sort_by_key(|(lane, _)| *lane);
    verdicts.undefined.dedup_by_key(|(lane, _)| *lane);
    for truth in truths.columns() {
        match &truth.values {
            TruthValues::Bits(values) if same(truth, values, effects) => {}
            TruthValues::Bits(values) => judge_bits(format, truth, values, effects, verdicts),
            TruthValues::Reals { .. } => judge_reals(contract, truth, effects, verdicts),
        }
    }
    unexpected(truths, effects, verdicts);
    events(truths, effects, verdicts);
    called_undefined(effects, verdicts);
    if !verdicts.undefined.is_empty() {
        unexpected_effects(instruction, truths, effects, verdicts);
    }
    failed(truths, effects, verdicts);
    let Verdicts { diverged, undefined, within, unjudged, .. } = verdicts;
    diverged.sort_by_key(|(lane, _)| *lane);
    diverged.dedup_by_key(|(lane, _)| *lane);
    let is_wrong = |lane: usize| diverged.binary_search_by_key(&lane, |(l, _)| *l).is_ok();
    undefined.retain(|(lane, _)| !is_wrong(*lane));
    for list in [within, unjudged] {
        list.sort_by_key(|(lane, error)| (*lane, std::cmp::Reverse(error.floor.unsigned_abs())));
        list.dedup_by_key(|(lane, _)| *lane);
        list.retain(|(lane, _)| !is_wrong(*lane));
    }
    let unjudged = &verdicts.unjudged;
    verdicts.within.retain(|(lane, _)| unjudged.binary_search_by_key(lane, |(l, _)| *l).is_err());
}

/// Whether exactly the demanded lanes wrote a column, with the right values. A fast test for the
/// common case.
fn same(truth: &Truth, values: &[u32], effects: &Effects) -> bool {
    let mut columns = effects.columns().iter().filter(|c| c.location == truth.location);
    let (Some(column), None) = (columns.next(), columns.next()) else { return false };
    match (&truth.written, &column.written) {
        (Lanes::All, Lanes::All) => column.values == values,
        (Lanes::Some(must), Lanes::Some(did)) if must == did => {
            let pairs = column.values.iter().zip(values).zip(must);
            pairs.fold(true, |same, ((actual, expected), must)| same & (actual == expected || !must))
        }
        _ => false,
    }
}

fn diverge(
    verdicts: &mut Verdicts,
    lane: usize,
    kind: DivergenceKind,
    location: Location,
    error: Option<Error>,
) {
    verdicts.diverged.push((lane, Divergence { kind, location: Some(location), error }));
}

/// Reports lanes in which a write is missing or unexpected. Calls `judge_lane` for each lane with a
/// demanded write. Skips undefined lanes.
fn each_written(
    truth: &Truth,
    effects: &Effects,
    verdicts: &mut Verdicts,
    mut judge_lane: impl FnMut(&mut Verdicts, usize, u32),
) {
    let mut open =
        verdicts.undefined.iter().map(|(lane, _)| *lane).collect::<Vec<_>>().into_iter().peekable();
    for lane in 0..verdicts.lanes {
        if open.next_if_eq(&lane).is_some() {
            continue;
        }
        match (truth.written.contains(lane), effects.value(truth.location, lane)) {
            (true, Some(value)) => judge_lane(verdicts, lane, value),
            (true, None) => diverge(verdicts, lane, DivergenceKind::NotWritten, truth.location, None),
            (false, Some(_)) => diverge(verdicts, lane, DivergenceKind::Unexpected, truth.location, None),
            (false, None) => {}
        }
    }
}

fn judge_bits(
    format: Option<Format>,
    truth: &Truth,
    values: &[u32],
    effects: &Effects,
    verdicts: &mut Verdicts,
) {
    each_written(truth, effects, verdicts, |verdicts, lane, value| {
        if value != values[lane] {
            let kind =
                format.map_or(DivergenceKind::Value, |format| rules::difference(format, values[lane], value));
            diverge(verdicts, lane, kind, truth.location, None);
        }
    });
}

fn judge_reals(contract: &Contract, truth: &Truth, effects: &Effects, verdicts: &mut Verdicts) {
    let Some(reals) = Reals::of(contract, truth) else { return };
    let format = reals.format;
    let used = reals.packed as u32 * format.width();
    // If the argument is an immediate, all lanes have the same argument.
    let mut last = None;
    let mut judge = |packed: &PackedResult, word: u32| {
        let case = (packed.argument, *packed.value, packed.shift, word);
        match last {
            Some((known, judged)) if known == case => judged,
            _ => last.insert((case, judge_real(&reals, packed, word))).1,
        }
    };
    each_written(truth, effects, verdicts, |verdicts, lane, word| {
        verdicts.reals += reals.packed as u64;
        for packed in reals.lane(lane) {
            let (outcome, measured) = judge(&packed, word);
            match outcome {
                RealOutcome::Held => verdicts.special += 1,
                RealOutcome::Within(error) => verdicts.within.push((lane, error)),
                RealOutcome::Unjudged(error) => verdicts.unjudged.push((lane, error)),
                RealOutcome::Diverged(kind, error) => diverge(verdicts, lane, kind, truth.location, error),
            }
            verdicts.measured.extend(measured);
        }
        if used < 32 && word >> used != 0 {
            diverge(verdicts, lane, DivergenceKind::Above, truth.location, None);
        }
    });
}

/// Judges one real result of a written word. Returns its error, too, if one was measured. No error
/// is measured for a NaN, or if exact bits, flushing, clamping, overflow or a wrong sign decide.
fn judge_real(reals: &Reals, packed: &PackedResult, word: u32) -> (RealOutcome, Option<Measured>) {
    let PackedResult { argument, value, bound, rules, shift } = *packed;
    let format = reals.format;
    let result = word >> shift & format.mask();
    let outcome = rules.judge(value, result);
    let measured = outcome.error().zip(rules::number(value)).map(|(error, y)| {
        let distance = match reals.metric(bound) {
            Metric::Ulp => error.floor.unsigned_abs(),
            Metric::Absolute => real::absolute_error(format, result, &y),
            Metric::Relative => real::relative_error(error, format, &y),
        };
        Measured { argument, result, error, bound, distance, holds: outcome.holds() }
    });
    (outcome, measured)
}

/// Reports writes to locations that the truth does not name.
fn unexpected(truths: &Truths, effects: &Effects, verdicts: &mut Verdicts) {
    for writes in effects.columns() {
        if truths.columns().iter().any(|t| t.location == writes.location) {
            continue;
        }
        for lane in 0..verdicts.lanes {
            if writes.written.contains(lane) && !verdicts.is_open(lane) {
                diverge(verdicts, lane, DivergenceKind::Unexpected, writes.location, None);
            }
        }
    }
}

/// Reports effects that an undefined lane must not have: a write outside the destination, or an
/// event that the instruction has under no reading.
fn unexpected_effects(
    instruction: &Instruction,
    truths: &Truths,
    effects: &Effects,
    verdicts: &mut Verdicts,
) {
    let Verdicts { undefined, diverged, .. } = verdicts;
    let destination = Destination::of(instruction);
    for column in effects.columns() {
        let truth = truths.columns().iter().find(|truth| truth.location == column.location);
        for (lane, erratum) in undefined.iter().filter(|(lane, _)| column.written.contains(*lane)) {
            // The truth also names written locations outside the destination, such as a source that
            // E012 overwrites.
            let is_named = truth.is_some_and(|truth| truth.written.contains(*lane));
            if !is_named && !destination.contains(column.location, *erratum) {
                let location = Some(column.location);
                diverged
                    .push((*lane, Divergence { kind: DivergenceKind::Unexpected, location, error: None }));
            }
        }
    }
    for (lane, event) in effects.events() {
        let is_open = undefined.binary_search_by_key(lane, |(l, _)| *l).is_ok();
        if is_open && !destination.permits(event) {
            diverged.push((*lane, Divergence { kind: DivergenceKind::Event, location: None, error: None }));
        }
    }
}

/// Reports lanes whose events are not exactly the demanded events.
fn events(truths: &Truths, effects: &Effects, verdicts: &mut Verdicts) {
    if truths.events() == effects.events() {
        return;
    }
    let by_lane = |events: &[(usize, Event)]| {
        let mut lanes: BTreeMap<usize, Vec<Event>> = BTreeMap::new();
        events.iter().for_each(|(lane, event)| lanes.entry(*lane).or_default().push(*event));
        lanes
    };
    let (must, did) = (by_lane(truths.events()), by_lane(effects.events()));
    for lane in must.keys().chain(did.keys()).copied().collect::<BTreeSet<usize>>() {
        if must.get(&lane) != did.get(&lane) && !verdicts.is_open(lane) {
            let divergence = Divergence { kind: DivergenceKind::Event, location: None, error: None };
            verdicts.diverged.push((lane, divergence));
        }
    }
}

/// Reports lanes that the subject calls undefined and that the specification defines.
fn called_undefined(effects: &Effects, verdicts: &mut Verdicts) {
    let divergence = Divergence { kind: DivergenceKind::CalledUndefined, location: None, error: None };
    let called = effects.undefined().iter().filter(|(lane, _)| !verdicts.is_open(*lane));
    let called: Vec<_> = called.map(|(lane, _)| (*lane, divergence)).collect();
    verdicts.diverged.splice(0..0, called);
}

/// Reports lanes in which the device, or else the device in place of the oracle, failed, even if the
/// specification leaves the lane undefined.
fn failed(truths: &Truths, effects: &Effects, verdicts: &mut Verdicts) {
    let failures = |events: &[(usize, Event)], kind: fn(Failure) -> DivergenceKind| {
        let failure = |(lane, event): &(usize, Event)| match event {
            Event::Failed(failure) => {
                Some((*lane, Divergence { kind: kind(*failure), location: None, error: None }))
            }
            Event::Fault(_) | Event::Executed(_) => None,
        };
        events.iter().filter_map(failure).collect::<Vec<_>>()
    };
    let mut all = failures(effects.events(), DivergenceKind::Failed);
    all.extend(failures(truths.events(), DivergenceKind::ReferenceFailed));
    verdicts.undefined.retain(|(lane, _)| all.iter().all(|(failed, _)| failed != lane));
    verdicts.diverged.splice(0..0, all);
}
