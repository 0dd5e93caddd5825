//! A sweep over every n-th input of a unary function. Counts errors by place, and compares
//! neighbouring samples for inversions.

use std::ops::Range;

use assay_isa::{BackendError, Batch, Instruction};
use assay_vectors::Contract;

use crate::compare::comparator::Comparator;
use crate::generate::splitmix::mix;
use crate::run::exhaustive::examine::{BatchExaminer, BatchToExamine, runs};
use crate::run::exhaustive::line;
use crate::run::exhaustive::mirror::Mirror;
use crate::run::path::Work;
use crate::stats::accuracy::Accuracy;
use crate::stats::exhaustive::relate::{Neighbours, inversion_if_required};
use crate::stats::exhaustive::{PLACE_BITS, ResultRelation};
use crate::stats::tally::Tally;

/// A batch of ascending inputs that are equally far apart.
pub struct StridedBatch<'a> {
    /// The contract of its results.
    pub contract: &'a Contract,
    /// The executed instruction.
    pub instruction: &'a Instruction,
    /// Its mnemonic.
    pub function: &'a str,
    /// The inputs, and the input after the last, if there is one.
    pub batch: &'a Batch,
    /// Number of inputs, without the input after the last.
    pub counted: usize,
    /// Distance between neighbouring inputs.
    pub stride: u32,
    /// The records of the function so far, which need not be found again.
    pub known: Option<&'a Accuracy>,
    /// The case index of the first input.
    pub first: u64,
    /// The index of the piece of the run, if it is checked here.
    pub checked: Option<u64>,
}

impl StridedBatch<'_> {
    /// Executes the batch and counts its results place by place. If double precision cannot judge
    /// the batch, counts nothing, and returns what is left to execute of it.
    pub(crate) fn examine(
        &self,
        examiner: &mut BatchExaminer,
        comparator: &mut Comparator,
        tally: &mut Tally,
    ) -> Result<Option<Work>, BackendError> {
        let StridedBatch { contract, instruction, function, batch, known, first, .. } = *self;
        let swept = (batch, self.counted);
        let left = examiner.execute_swept(comparator, (contract, instruction), swept, first, tally)?;
        if left.is_some() {
            return Ok(left);
        }
        let inputs = examiner.estimates.arguments.clone();
        let places = places(&inputs[..self.counted]);
        let index = &|lane: usize| first + lane as u64;
        let checked = self.checked.map(|index| (mix(index) as usize % places.len(), index));
        for (nth, lanes) in places.into_iter().enumerate() {
            let input = inputs[lanes.start];
            let checked = checked.filter(|(place, _)| *place == nth).map(|(_, index)| index);
            let asked =
                BatchToExamine { contract, instruction, function, batch, lanes, known, index, checked };
            let cells = |accuracy: &Accuracy| line::standing_records([Some(accuracy), known], input);
            let Some(examined) = examiner.examine(comparator, &asked, cells, tally)? else {
                unreachable!("the inputs of a place have one sign");
            };
            tally.canaries.merge(&examined.checks);
            tally.exhaustive_of(function).count(input, &examined);
        }
        if let Some((_, results)) = comparator.column() {
            let (estimates, step, counted) = (&examiner.estimates, self.stride, self.counted);
            let neighbours = Neighbours { first: inputs[0], step, results, estimates, counted };
            let relations = &mut tally.exhaustive_of(function).relations;
            let pairs = relations.entry(ResultRelation::Monotonic).or_default();
            neighbours.monotonic(inversion_if_required(contract), pairs);
        }
        let mirror = Mirror::of(contract, instruction);
        if let Some(mirror) = mirror.filter(|mirror| mirror.has_positive(batch, self.counted)) {
            let compared = mirror.compare(comparator, (contract, instruction), batch, self.counted)?;
            tally.count_failures(instruction, compared.failures);
            let relations = &mut tally.exhaustive_of(function).relations;
            relations.entry(mirror.relation).or_default().merge(&compared.pairs);
        }
        Ok(None)
    }
}

/// Splits the inputs by place, and returns the lanes of each place.
fn places(inputs: &[u32]) -> Vec<Range<usize>> {
    runs(inputs, |a, b| a >> PLACE_BITS == b >> PLACE_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_range_of_lanes() {
        let inputs = [0xfffe, 0xffff, 0x1_0000, 0x2_0001, 0x2_ffff];
        assert_eq!(places(&inputs), [0..2, 2..3, 3..5]);
        assert!(places(&[]).is_empty());
    }
}
