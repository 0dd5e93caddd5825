//! Checks the judge on one batch. Corrupts one lane, which must diverge. If a fast path computed
//! the truth, judges some lanes again with the truth of the slow path.

use assay_isa::effect::Lanes;
use assay_isa::truth::{Real, Truth, TruthValues};
use assay_isa::{Answer, BackendError, Batch, Effects, Instruction, Location, Oracle, Truths};
use assay_vectors::Contract;

use super::{Canaries, defect, repeated_lanes};
use crate::compare::comparator::{Judged, PRECISION, pick};
use crate::compare::judge::{Verdicts, judge};
use crate::generate::splitmix::mix;

/// Checks batches that the judge of enclosures judged. Its buffers are reused from batch to batch.
#[derive(Default)]
pub(crate) struct BatchCheck {
    effects: Effects,
    truths: Truths,
    verdicts: Verdicts,
    part: Batch,
}

impl BatchCheck {
    /// Checks a judged batch.
    pub(crate) fn check(
        &mut self,
        (judged, oracle): (Judged<'_>, &mut dyn Oracle),
        contract: &Contract,
        instruction: &Instruction,
        batch: &Batch,
        index: u64,
    ) -> Result<Canaries, BackendError> {
        let Judged { truths, effects, verdicts } = judged;
        let mut counted = Canaries { batches: 1, ..Canaries::default() };
        let again = |effects: &Effects, verdicts: &mut Verdicts| {
            judge(contract, instruction, truths, effects, verdicts)
        };
        let spoiled = is_noticed(truths, effects, verdicts, index, self, &again);
        counted.spoiled = u64::from(spoiled.map_err(|problem| defect(instruction, index, &problem))?);
        if truths.is_filtered() {
            let lanes = repeated_lanes(index, batch.len());
            pick(batch, &lanes, &mut self.part);
            select(effects, &lanes, &mut self.effects);
            let answer = oracle.truth_unfiltered(instruction, &self.part, PRECISION, &mut self.truths)?;
            if answer != Answer::Known {
                return Err(defect(instruction, index, "the oracle has a fast path and no slow one"));
            }
            judge(contract, instruction, &self.truths, &self.effects, &mut self.verdicts);
            for (place, lane) in lanes.iter().enumerate() {
                let paths = [(truths, *lane), (&self.truths, place)];
                same_truth(paths).map_err(|p| defect(instruction, index, &p))?;
                let (fast, slow) = (verdicts.of(*lane), self.verdicts.of(place));
                if fast != slow {
                    let problem = format!("lane {lane}: the fast path has {fast:?}, the slow path {slow:?}");
                    return Err(defect(instruction, index, &problem));
                }
            }
            counted.repeated = lanes.len() as u64;
        }
        Ok(counted)
    }
}

/// Returns the first lane that neither diverged nor is undefined. Starts at lane `start` modulo the
/// number of lanes, and wraps around.
fn sound_lane(verdicts: &Verdicts, start: u64) -> Option<usize> {
    let lanes = verdicts.lanes;
    let from = start as usize % lanes.max(1);
    let is_sound = |lane: &usize| {
        verdicts.diverged.binary_search_by_key(lane, |(l, _)| *l).is_err()
            && verdicts.undefined.binary_search_by_key(lane, |(l, _)| *l).is_err()
    };
    (from..lanes).chain(0..from).find(is_sound)
}

/// Checks that a judge notices one corrupted lane in a copy of judged effects. Returns `false` if
/// there is no sound lane to corrupt. The error describes the mistake of the judge.
fn is_noticed(
    truths: &Truths,
    effects: &Effects,
    verdicts: &Verdicts,
    index: u64,
    check: &mut BatchCheck,
    judge: &dyn Fn(&Effects, &mut Verdicts),
) -> Result<bool, String> {
    let Some(lane) = sound_lane(verdicts, mix(index)) else { return Ok(false) };
    inject_fault(truths, effects, lane, &mut check.effects);
    judge(&check.effects, &mut check.verdicts);
    noticed(verdicts, &check.verdicts, lane)?;
    Ok(true)
}

/// Copies effects to `spoiled` and corrupts one lane there. If the lane must write, its value
/// becomes one that cannot be right. Otherwise, the lane gets a write that must not happen.
fn inject_fault(truths: &Truths, effects: &Effects, lane: usize, spoiled: &mut Effects) {
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

/// Returns a wrong value for a lane, made from an allowed value. If the truth is bits, flips the
/// lowest bit. If the truth is a number, returns a NaN.
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

/// Checks that the corrupted lane diverges, and that no other lane starts or stops diverging.
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

/// Checks that a lane of the fast path's truth demands the same bits as a lane of the slow path's.
/// Real numbers are not compared.
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
    if a == b {
        Ok(())
    } else {
        Err(format!("lane {lane}: the fast path gives {}, the slow path {}", show(&a), show(&b)))
    }
}

/// Copies the effects of some lanes to `selected`, in the order of `lanes`.
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
    // Few lanes are selected, so a linear search is fast enough.
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
