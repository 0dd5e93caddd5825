//! The batches of a run, drawn a second time.

use assay_isa::{Batch, Instruction};
use assay_vectors::FoundAt;

use crate::run::sizes::BatchSplit;
use crate::stats::finding::ObservedDivergence;

/// Draws batch `number`; `None` if the run cannot reproduce its contents.
pub type DrawBatch<'a> = &'a (dyn Fn(&ObservedDivergence, u64) -> Option<(Instruction, Batch)> + Sync);

/// The lanes of the batches that a run met a case in.
pub type LanesOfBatch<'a> = &'a (dyn Fn(&ObservedDivergence) -> u64 + Sync);

/// Whether a run could have drawn an instruction.
pub type SelectsInstruction<'a> = &'a (dyn Fn(&Instruction) -> bool + Sync);

/// Draws the batches of a run a second time, so that a divergence can be tried in its own batch.
#[derive(Clone, Copy)]
pub struct RedrawnBatches<'a> {
    /// Lanes of the batches of a case: case `n` of a run is in batch `n / lanes`.
    pub lanes: LanesOfBatch<'a>,
    /// The distance between the numbers of two batches that a shard executes one after the other.
    pub step: u64,
    /// How the subject was given the batch of a number.
    pub cut: fn(u64) -> BatchSplit,
    /// Draws a batch.
    pub draw: DrawBatch<'a>,
    /// What the run selected: a smaller case stays within it.
    pub selects: SelectsInstruction<'a>,
}

impl RedrawnBatches<'_> {
    /// The batches of a run that cannot be drawn again.
    pub const NONE: RedrawnBatches<'static> = RedrawnBatches {
        lanes: &|_| 1,
        step: 1,
        cut: BatchSplit::whole,
        draw: &|_, _| None,
        selects: &|_| true,
    };

    /// The batch of a case as the subject was given it, and its lane there. None if it cannot be drawn again, or if another
    /// case comes out.
    pub fn of(&self, case: &ObservedDivergence) -> Option<(Batch, usize)> {
        let lane = (case.index % (self.lanes)(case)) as usize;
        let number = self.number(case);
        let (_, batch) = (self.draw)(case, number)?;
        let is_same = lane < batch.len()
            && batch.word() == case.word
            && batch.lane(lane).all(|(location, value)| case.inputs.get(&location) == Some(&value));
        is_same.then(|| match (self.cut)(number) {
            BatchSplit::Copies(copies) => {
                // The nth copy begins with lane n.
                let (first, lanes) = (case.seen.as_ref().map_or(0, |seen| seen.first), batch.len());
                let turned = (lane + lanes - first / lanes % lanes) % lanes;
                (batch.repeated(copies), first + turned)
            }
            cut => {
                let part = cut.parts(batch.len()).into_iter().find(|part| part.contains(&lane));
                let part = part.unwrap_or(0..batch.len());
                (batch.part(part.clone()), lane - part.start)
            }
        })
    }

    /// The number of the batch of a case.
    fn number(&self, case: &ObservedDivergence) -> u64 {
        case.index / (self.lanes)(case)
    }

    /// Where the run met a case; none if its batches are not known.
    pub fn place(&self, case: &ObservedDivergence) -> Option<FoundAt> {
        let (batch, lane) = self.of(case)?;
        Some(FoundAt { batch: self.number(case), lane: lane as u64, lanes: batch.len() as u64 })
    }

    /// The batch that the shard executed `offset` batches after that of a case, or before it.
    pub fn near(&self, case: &ObservedDivergence, offset: i64) -> Option<(Instruction, Batch)> {
        let distance = offset.checked_mul(i64::try_from(self.step).ok()?)?;
        let number = self.number(case).checked_add_signed(distance)?;
        (self.draw)(case, number)
    }
}
