//! Judges recorded effects of a device by the oracle, and compares them with the model.
//!
//! Recorded effects are judged like those of a live subject. In addition, the model executes the
//! same inputs: it is the subject of the comparator. If trace, model and oracle do not agree, the
//! one that differs from the other two is blamed. It is unlikely that two of these three
//! independent implementations make the same mistake.

use std::collections::BTreeMap;

use assay_isa::effect::Writes;
use assay_isa::{BackendError, Batch, Effects, Instruction, Location};

use crate::compare::canary::Pieces;
use crate::compare::canary::batch::BatchCheck;
use crate::compare::comparator::{Comparator, Judged, Setup};
use crate::compare::judge::{Divergence, Verdicts, judge};
use crate::stats::tally::Tally;

pub use crate::stats::agreement::Agreement;

/// One worker's comparator for traces, with its counts.
pub struct TraceJudge<'a> {
    setup: &'a Setup<'a>,
    comparator: Comparator,
    check: BatchCheck,
    /// Verdicts on the model.
    verdicts: Verdicts,
    /// Counts of the trace.
    pub trace: Tally,
    /// The first divergences of the model, in cases in which the trace does not diverge.
    pub model: Tally,
}

impl<'a> TraceJudge<'a> {
    /// Returns a judge. The subject of `setup` must be the model.
    pub fn new(setup: &'a Setup<'a>) -> TraceJudge<'a> {
        let (trace, model) = (Tally::default(), Tally::default());
        let (check, verdicts) = (BatchCheck::default(), Verdicts::default());
        TraceJudge { setup, comparator: Comparator::new(setup), check, verdicts, trace, model }
    }

    /// Judges the recorded effects of a batch and counts them; `first` is the case index of its first lane.
    pub fn judge(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        recorded: &Effects,
        first: u64,
    ) -> Result<(), BackendError> {
        let contract = self.setup.profile.contract_for(instruction);
        let lanes = batch.len() as u64;
        let index = |lane: usize| first + lane as u64;
        let comparator = &mut self.comparator;
        let outcome = comparator.judge_recorded(&contract, instruction, batch, recorded)?;
        if let Some(counts) = outcome.unjudged(lanes) {
            self.trace.count(instruction, counts);
            self.trace.agreement.unsupported += lanes;
            return Ok(());
        }
        let (last, oracle) = comparator.last();
        let judged = Judged { effects: recorded, ..last };
        if judged.truths.is_filtered() {
            self.trace.canaries.fast += lanes;
        }
        if Pieces::Drawn.is_checked(first) {
            let checked = self.check.check((judged, oracle), &contract, instruction, batch, first)?;
            self.trace.canaries.merge(&checked);
        }
        self.trace.count_judged(instruction, &contract, (batch, judged), index);
        let undefined = judged.verdicts.undefined.len() as u64;
        self.trace.agreement.undefined += undefined;
        if comparator.answer(batch)?.is_none() {
            self.trace.agreement.unanswered += lanes - undefined;
            return Ok(());
        }
        // The truth and the verdicts are still those of the trace.
        let Judged { truths, effects: model, verdicts: of_trace } = comparator.last_judged();
        let mut differing = differing(recorded, model);
        differing.retain(|lane| !contains(&of_trace.undefined, *lane));
        self.verdicts.diverged.clear();
        if !differing.is_empty() {
            judge(&contract, instruction, truths, model, &mut self.verdicts);
        }
        let LaneBlame { counts, alone } = blame(of_trace, &self.verdicts, &differing);
        self.trace.agreement.merge(&counts);
        self.model.note(instruction, &alone, (batch, model), index);
        Ok(())
    }
}

/// Whether a lane is in a list that is sorted by lane.
fn contains<T>(list: &[(usize, T)], lane: usize) -> bool {
    list.binary_search_by_key(&lane, |(lane, _)| *lane).is_ok()
}

/// How often trace, model and oracle are blamed in a batch.
struct LaneBlame {
    counts: Agreement,
    /// The lanes in which the model alone diverges.
    alone: Vec<(usize, Divergence)>,
}

/// Derives the blame from the verdicts on trace and model, and from the lanes in which trace and
/// model differ.
fn blame(trace: &Verdicts, model: &Verdicts, differing: &[usize]) -> LaneBlame {
    let mut counts = Agreement::default();
    for (lane, _) in &trace.diverged {
        match (differing.binary_search(lane).is_ok(), contains(&model.diverged, *lane)) {
            (false, _) => counts.oracle_alone += 1,
            (true, false) => counts.trace_alone += 1,
            (true, true) => counts.no_two_agree += 1,
        }
    }
    let alone: Vec<_> =
        model.diverged.iter().filter(|(lane, _)| !contains(&trace.diverged, *lane)).copied().collect();
    counts.model_alone = alone.len() as u64;
    let is_blamed = |lane| contains(&trace.diverged, lane) || contains(&alone, lane);
    let open = || trace.unjudged.iter().filter(|(lane, _)| !is_blamed(*lane));
    let open_differing = open().filter(|(lane, _)| differing.binary_search(lane).is_ok()).count() as u64;
    counts.unjudged = open().count() as u64;
    let told = counts.trace_alone + counts.no_two_agree + counts.model_alone + open_differing;
    counts.both_hold = differing.len() as u64 - told;
    let counted = (trace.undefined.len() + differing.len()) as u64 + counts.oracle_alone;
    counts.agree = trace.lanes as u64 - counted - (counts.unjudged - open_differing);
    LaneBlame { counts, alone }
}

/// The lanes in which two effects differ.
fn differing(a: &Effects, b: &Effects) -> Vec<usize> {
    let mut lanes = Vec::new();
    let mut seen: Vec<Location> = Vec::new();
    for column in a.columns().iter().chain(b.columns()) {
        let location = column.location;
        if !seen.contains(&location) {
            seen.push(location);
            differing_at(location, a, b, &mut lanes);
        }
    }
    if a.events() != b.events() {
        lanes.extend(unlike(a.events(), b.events()));
    }
    if a.undefined() != b.undefined() {
        lanes.extend(unlike(a.undefined(), b.undefined()));
    }
    lanes.sort_unstable();
    lanes.dedup();
    lanes
}

/// Adds the lanes in which the two effects differ at a location.
fn differing_at(location: Location, a: &Effects, b: &Effects, lanes: &mut Vec<usize>) {
    let only = |effects: &'_ Effects| -> Option<usize> {
        let mut places = (0..effects.columns().len()).filter(|i| effects.columns()[*i].location == location);
        let first = places.next()?;
        places.next().is_none().then_some(first)
    };
    let at = |column: &Writes, lane: usize| column.written.contains(lane).then(|| column.values[lane]);
    match (only(a), only(b)) {
        (Some(x), Some(y)) => {
            let (x, y) = (&a.columns()[x], &b.columns()[y]);
            if x.written != y.written || x.values != y.values {
                lanes.extend((0..a.len()).filter(|lane| at(x, *lane) != at(y, *lane)));
            }
        }
        _ => lanes.extend((0..a.len()).filter(|lane| a.value(location, *lane) != b.value(location, *lane))),
    }
}

/// The lanes in which two lists differ.
fn unlike<T: Copy + PartialEq>(a: &[(usize, T)], b: &[(usize, T)]) -> Vec<usize> {
    let mut lanes: BTreeMap<usize, [Vec<T>; 2]> = BTreeMap::new();
    for (side, list) in [a, b].into_iter().enumerate() {
        list.iter().for_each(|(lane, said)| lanes.entry(*lane).or_default()[side].push(*said));
    }
    lanes.into_iter().filter(|(_, [a, b])| a != b).map(|(lane, _)| lane).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_isa::Event;
    use assay_isa::effect::{Fault, Lanes};

    /// Effects of three lanes that write R0.
    fn wrote(values: [u32; 3], written: [bool; 3]) -> Effects {
        let mut effects = Effects::default();
        effects.reset(3);
        effects.write(Location::R(0), Lanes::Some(written.into())).copy_from_slice(&values);
        effects
    }

    #[test]
    fn what_is_not_written_is_not_compared() {
        let all = [true; 3];
        let mut whole = Effects::default();
        whole.reset(3);
        whole.write(Location::R(0), Lanes::All).copy_from_slice(&[1, 2, 3]);
        let mut faulty = whole.clone();
        faulty.event(1, Event::Fault(Fault::Misaligned));
        let cases = [
            (wrote([1, 2, 3], all), vec![]),
            (wrote([1, 2, 9], all), vec![2]),
            (wrote([1, 2, 3], [true, false, true]), vec![1]),
            (faulty, vec![1]),
            (Effects::default(), vec![0, 1, 2]),
        ];
        for (other, lanes) in cases {
            assert_eq!(differing(&whole, &other), lanes, "{other:?}");
        }
        let garbage = wrote([7, 2, 3], [false, true, true]);
        assert!(differing(&wrote([1, 2, 3], [false, true, true]), &garbage).is_empty());
    }

    #[test]
    fn the_one_that_stands_alone_is_blamed() {
        let kind = crate::compare::judge::DivergenceKind::Value;
        let open = crate::compare::judge::Error { floor: 0, exact: true, correctly_rounded: false };
        let diverged = |lanes: &[usize]| Verdicts {
            lanes: 8,
            unjudged: vec![(6, open), (7, open)],
            diverged: lanes
                .iter()
                .map(|lane| (*lane, Divergence { kind, location: None, error: None }))
                .collect(),
            ..Verdicts::default()
        };
        // All agree in lane 0. In lane 1 trace and model differ, and both hold. Only the trace is
        // wrong in lane 2, only the model in lane 3, and only the oracle in lane 4. No two agree in
        // lane 5. Lanes 6 and 7 have no truth, and in lane 7 trace and model differ.
        let LaneBlame { counts, alone } =
            blame(&diverged(&[2, 4, 5]), &diverged(&[3, 4, 5]), &[1, 2, 3, 5, 7]);
        assert_eq!(counts.each().map(|(_, count)| count), [1, 1, 1, 1, 1, 1, 2, 0, 0, 0, 0]);
        assert_eq!((counts.total(), alone[0].0, alone.len()), (8, 3, 1));
    }
}
