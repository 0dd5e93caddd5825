//! Checks of the harness while it runs.
//!
//! In some batches one lane of a copy of the effects is spoiled, and the copy is judged: that lane must diverge, and no
//! other verdict may change. Where a fast path found the truth, some lanes are judged again by the slow path: the verdicts
//! and their errors must agree. The index of a batch alone decides whether and where it is checked, so the counts merge
//! as all others do. Nothing else is counted. A check that fails ends the run: it is a defect of the harness.

use assay_isa::effect::Lanes;
use assay_isa::format::F32;
use assay_isa::truth::{Real, Truth, TruthValues};
use assay_isa::{Answer, Batch, Effects, Instruction, Location, Truths, VoiceError, asm};
use assay_vectors::Contract;
use serde::{Deserialize, Serialize};

use crate::judge::quick::{Decision, Judged, Terms};
use crate::judge::{Verdict, Verdicts, judge};
use crate::survey::examine::{Asked, Examiner};
use crate::tally::Tally;
use crate::versus::{Bench, PRECISION, pick};

/// Lanes of a batch that the slow path judges again.
const LANES: usize = 4;

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Canaries {
    /// Batches that were chosen by their index.
    pub batches: u64,
    /// Lanes that were spoiled in these. All of them diverged.
    pub spoiled: u64,
    /// Lanes of all batches of which a fast path found the truth.
    pub fast: u64,
    /// Those of them that the slow path judged again. All of them agreed.
    pub repeated: u64,
}

impl Canaries {
    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        *self == Canaries::default()
    }

    pub(crate) fn merge(&mut self, other: &Canaries) {
        self.batches += other.batches;
        self.spoiled += other.spoiled;
        self.fast += other.fast;
        self.repeated += other.repeated;
    }
}

/// What a run consists of. The index of a piece decides whether it is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Batches of a campaign.
    Drawn,
    /// Batches of the sweep of a function. A run has many such sweeps, and each has a first batch.
    Swept,
    /// Units of a sweep over every input.
    Units,
}

impl Pieces {
    /// All pieces before this one are checked, so that a small run has checks.
    fn first(self) -> u64 {
        match self {
            Pieces::Drawn | Pieces::Units => 16,
            Pieces::Swept => 4,
        }
    }

    /// One piece in so many is checked.
    fn every(self) -> u64 {
        match self {
            Pieces::Drawn | Pieces::Swept => 256,
            Pieces::Units => 4,
        }
    }

    /// Lanes of which some must have been checked. They are 16,384 batches or 64 units at least: that none of these is
    /// checked has a probability of e^-64 or e^-18.
    fn enough(self) -> u64 {
        match self {
            Pieces::Drawn | Pieces::Swept => 1 << 24,
            Pieces::Units => 1 << 27,
        }
    }

    /// Whether the piece of that index is checked.
    pub fn is_checked(self, index: u64) -> bool {
        index < self.first() || mix(index).is_multiple_of(self.every())
    }
}

/// A number as good as random that depends on an index alone: the finalizer of SplitMix64 by S. Vigna.
pub(crate) fn mix(index: u64) -> u64 {
    let z = index.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The lanes that the slow path judges again, in ascending order.
pub(crate) fn repeated_lanes(index: u64, lanes: usize) -> Vec<usize> {
    let step = lanes.div_ceil(LANES).max(1);
    let offset = mix(index) as usize % step;
    (offset..lanes).step_by(step).collect()
}

/// Whether the checks of a run were made: all that were planned, and some of each kind in a run that is long enough.
/// Says what is missing.
pub(crate) fn missing(tally: &Tally, pieces: Pieces, planned: u64) -> Result<(), String> {
    let Canaries { batches, spoiled, fast, repeated } = tally.canaries;
    let sound = tally.verdicts.exact + tally.verdicts.within;
    if batches != planned {
        return Err(format!("{batches} batches were checked of {planned} planned"));
    }
    if spoiled == 0 && sound >= pieces.enough() {
        return Err(format!("no lane was spoiled, although {sound} lanes hold"));
    }
    if repeated == 0 && fast >= pieces.enough() {
        return Err(format!("the slow path judged none of the {fast} lanes of the fast path again"));
    }
    Ok(())
}

/// A check failed: which one, and where.
pub(crate) fn defect(instruction: &Instruction, index: u64, problem: &str) -> VoiceError {
    let place = format!("batch {index}, {}", asm::print(instruction));
    VoiceError::Failed {
        voice: "self-check".to_owned(),
        problem: format!(
            "{problem} ({place}); this is a defect of assay, and no verdict of this run can be trusted"
        ),
    }
}

/// Memory of the checks, kept from one to the next.
#[derive(Default)]
pub(crate) struct Memory {
    effects: Effects,
    truths: Truths,
    verdicts: Verdicts,
    part: Batch,
}

impl Bench {
    /// Checks the batch that was judged last: effects that were recorded, or those of the subject.
    pub fn check(
        &mut self,
        contract: &Contract,
        instruction: &Instruction,
        batch: &Batch,
        recorded: Option<&Effects>,
        index: u64,
    ) -> Result<Canaries, VoiceError> {
        let Bench { oracle, truths, effects, verdicts, memory, .. } = self;
        let effects = recorded.unwrap_or(effects);
        let mut counted = Canaries { batches: 1, ..Canaries::default() };
        let again = |effects: &Effects, verdicts: &mut Verdicts| {
            judge(contract, instruction, truths, effects, verdicts)
        };
        let spoiled = is_noticed(truths, effects, verdicts, index, memory, &again);
        counted.spoiled = u64::from(spoiled.map_err(|problem| defect(instruction, index, &problem))?);
        if truths.is_filtered() {
            let lanes = repeated_lanes(index, batch.len());
            pick(batch, &lanes, &mut memory.part);
            select(effects, &lanes, &mut memory.effects);
            let answer = oracle.truth_unfiltered(instruction, &memory.part, PRECISION, &mut memory.truths)?;
            if answer != Answer::Known {
                return Err(defect(instruction, index, "the oracle has a fast path and no slow one"));
            }
            judge(contract, instruction, &memory.truths, &memory.effects, &mut memory.verdicts);
            for (place, lane) in lanes.iter().enumerate() {
                let paths = [(&*truths, *lane), (&memory.truths, place)];
                same_truth(paths).map_err(|p| defect(instruction, index, &p))?;
                let (fast, slow) = (verdicts.of(*lane), memory.verdicts.of(place));
                if fast != slow {
                    let problem = format!("lane {lane}: the fast path says {fast:?}, the slow path {slow:?}");
                    return Err(defect(instruction, index, &problem));
                }
            }
            counted.repeated = lanes.len() as u64;
        }
        Ok(counted)
    }
}

impl Examiner {
    /// Checks the batch that was examined last: a spoiled result must stay open and then diverge, and the slow path must
    /// agree with what double precision decided.
    pub(crate) fn check(
        &mut self,
        bench: &mut Bench,
        asked: &Asked,
        terms: &Terms,
        open: &[usize],
        index: u64,
    ) -> Result<Canaries, VoiceError> {
        let Asked { contract, instruction, batch, counted, .. } = *asked;
        let Examiner { estimates, columns, part, spoiled } = self;
        let mut counts = Canaries { batches: 1, ..Canaries::default() };
        let Some((location, results)) = bench.column() else { return Ok(counts) };
        let mut results = results[..counted].to_vec();
        let mut lanes = repeated_lanes(index, counted);
        lanes.retain(|lane| open.binary_search(lane).is_err());
        let judged = Judged { terms, estimates, results: &results, columns };
        let decisions: Vec<Decision> = lanes.iter().map(|lane| judged.decision(*lane)).collect();
        bench.judge_lanes(contract, instruction, batch, &lanes, part)?;
        for (place, (lane, decision)) in lanes.iter().zip(decisions).enumerate() {
            let verdict = bench.verdicts.of(place);
            if !agrees(decision, verdict, terms.bound.is_some()) {
                let problem =
                    format!("lane {lane}: the fast path says {decision:?}, the slow path {verdict:?}");
                return Err(defect(instruction, index, &problem));
            }
        }
        counts.repeated = lanes.len() as u64;
        let Some(&lane) = lanes.first() else { return Ok(counts) };
        results[lane] = match estimates.bases[lane].is_nan() {
            true => results[lane] ^ 1,
            false => F32.infinity() | 1,
        };
        spoiled.judge(terms, estimates, &results);
        if !(Judged { terms, estimates, results: &results, columns: spoiled }).open().contains(&lane) {
            let problem = format!("the fast judge did not notice that lane {lane} was spoiled");
            return Err(defect(instruction, index, &problem));
        }
        bench.judge_instead(contract, instruction, batch, (lane, location, results[lane]), part)?;
        if !matches!(bench.verdicts.of(0), Verdict::Diverged(_)) {
            let problem = format!("the judge did not notice that lane {lane} was spoiled");
            return Err(defect(instruction, index, &problem));
        }
        counts.spoiled = 1;
        Ok(counts)
    }
}

/// Whether a verdict of the slow path is what double precision decided, its error included.
fn agrees(decision: Decision, verdict: Verdict, has_bound: bool) -> bool {
    match (decision, verdict) {
        (Decision::Held, Verdict::Exact) => true,
        (Decision::Measured(least, most), Verdict::Within(error)) if has_bound => {
            (least..=most).contains(&(error.floor as f64))
        }
        (Decision::Measured(least, most), Verdict::Unjudged(error)) if !has_bound => {
            (least..=most).contains(&(error.floor as f64))
        }
        _ => false,
    }
}

/// A lane that neither diverged nor is undefined, the first from a start on.
fn sound_lane(verdicts: &Verdicts, start: u64) -> Option<usize> {
    let lanes = verdicts.lanes;
    let from = start as usize % lanes.max(1);
    let is_sound = |lane: &usize| {
        verdicts.diverged.binary_search_by_key(lane, |(l, _)| *l).is_err()
            && verdicts.undefined.binary_search_by_key(lane, |(l, _)| *l).is_err()
    };
    (from..lanes).chain(0..from).find(is_sound)
}

/// Spoils a lane of effects that were judged, and has a judge notice that. False if no lane is sound.
fn is_noticed(
    truths: &Truths,
    effects: &Effects,
    verdicts: &Verdicts,
    index: u64,
    memory: &mut Memory,
    judge: &dyn Fn(&Effects, &mut Verdicts),
) -> Result<bool, String> {
    let Some(lane) = sound_lane(verdicts, mix(index)) else { return Ok(false) };
    spoil(truths, effects, lane, &mut memory.effects);
    judge(&memory.effects, &mut memory.verdicts);
    noticed(verdicts, &memory.verdicts, lane)?;
    Ok(true)
}

/// Copies effects, one lane of them spoiled: a value that cannot be right, or a write where none belongs.
fn spoil(truths: &Truths, effects: &Effects, lane: usize, spoiled: &mut Effects) {
    spoiled.clone_from(effects);
    let truth = truths.columns().iter().find(|truth| truth.written.contains(lane));
    if let Some(truth) = truth
        && let Some(value) = spoiled.value_mut(truth.location, lane)
    {
        *value = wrong(truth, lane, *value);
        return;
    }
    let stray = truths.columns().first().map_or(Location::R(0), |truth| truth.location);
    let only = (0..effects.len()).map(|other| other == lane).collect();
    spoiled.write(stray, Lanes::Some(only))[lane] = 0;
}

/// A value that a lane must not have, given one that it may: another pattern, or a NaN instead of a number.
fn wrong(truth: &Truth, lane: usize, value: u32) -> u32 {
    match &truth.values {
        TruthValues::Bits(_) => value ^ 1,
        TruthValues::Reals { format, packed, values, .. } => match values[lane * packed] {
            Real::Bits(_) => value ^ 1,
            Real::Zero | Real::SignedZero { .. } | Real::Near(_) => {
                value & !format.mask() | format.infinity() | 1
            }
        },
    }
}

/// Whether a spoiled lane diverged, and no other verdict changed.
fn noticed(before: &Verdicts, after: &Verdicts, lane: usize) -> Result<(), String> {
    let lanes = |verdicts: &Verdicts| verdicts.diverged.iter().map(|(lane, _)| *lane).collect::<Vec<_>>();
    let (mut expected, found) = (lanes(before), lanes(after));
    expected.insert(expected.partition_point(|l| *l < lane), lane);
    match (found == expected, found.contains(&lane)) {
        (true, _) => Ok(()),
        (false, false) => Err(format!("the judge did not notice that lane {lane} was spoiled")),
        (false, true) => Err(format!("the judge took other lanes than {lane} for spoiled")),
    }
}

/// Whether two truths say the same bits of a lane each.
fn same_truth([(fast, lane), (slow, place)]: [(&Truths, usize); 2]) -> Result<(), String> {
    let bits = |truths: &Truths, lane: usize| -> Vec<(Location, u32)> {
        let columns = truths.columns().iter().filter(|truth| truth.written.contains(lane));
        let bits = columns.filter_map(|truth| match &truth.values {
            TruthValues::Bits(values) => Some((truth.location, values[lane])),
            TruthValues::Reals { .. } => None,
        });
        bits.collect()
    };
    let (a, b) = (bits(fast, lane), bits(slow, place));
    let show = |list: &[(Location, u32)]| {
        list.iter().map(|(l, v)| format!("{l} = {v:#010x}")).collect::<Vec<_>>().join(", ")
    };
    match a == b {
        true => Ok(()),
        false => Err(format!("lane {lane}: the fast path gives {}, the slow path {}", show(&a), show(&b))),
    }
}

/// The effects of some lanes.
fn select(effects: &Effects, lanes: &[usize], selected: &mut Effects) {
    selected.reset(lanes.len());
    for column in effects.columns() {
        let written = match &column.written {
            Lanes::All => Lanes::All,
            Lanes::Some(written) => Lanes::Some(lanes.iter().map(|lane| written[*lane]).collect()),
        };
        let values = selected.write(column.location, written);
        values.iter_mut().zip(lanes).for_each(|(value, lane)| *value = column.values[*lane]);
    }
    // Few lanes are selected.
    let places = |lane: usize| lanes.iter().position(|l| *l == lane);
    for (lane, event) in effects.events() {
        if let Some(place) = places(*lane) {
            selected.event(place, *event);
        }
    }
    for (lane, erratum) in effects.undefined() {
        if let Some(place) = places(*lane) {
            selected.undefine(place, *erratum);
        }
    }
}

#[cfg(test)]
mod tests;
