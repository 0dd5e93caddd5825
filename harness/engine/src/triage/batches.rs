//! Draws the batches of a run a second time.

use assay_isa::{Batch, Instruction};
use assay_vectors::FoundAt;

use crate::run::sizes::BatchSplit;
use crate::stats::finding::ObservedDivergence;

/// Draws the batch with a number. Returns `None` if the contents of the batch cannot be reproduced.
pub type DrawBatch<'a> = &'a (dyn Fn(&ObservedDivergence, u64) -> Option<(Instruction, Batch)> + Sync);

/// Returns the number of lanes of the batch in which a run found a case.
pub type LanesOfBatch<'a> = &'a (dyn Fn(&ObservedDivergence) -> u64 + Sync);

/// Whether a run could have drawn an instruction.
pub type SelectsInstruction<'a> = &'a (dyn Fn(&Instruction) -> bool + Sync);

/// Draws the batches of a run a second time, so that a divergence can be tried in its own batch.
#[derive(Clone, Copy)]
pub struct RedrawnBatches<'a> {
    /// Returns the number of lanes of a case's batch. Case `n` of a run is in batch `n / lanes`.
    pub lanes: LanesOfBatch<'a>,
    /// The difference between the numbers of consecutive batches of a shard.
    pub step: u64,
    /// Returns how the subject received the batch with a number: whole, in parts, or as copies.
    pub cut: fn(u64) -> BatchSplit,
    /// Draws the batch with a number.
    pub draw: DrawBatch<'a>,
    /// Whether the run's selection includes an instruction. The instruction of a simplified case
    /// must be included, too.
    pub selects: SelectsInstruction<'a>,
}

impl RedrawnBatches<'_> {
    /// For a run whose batches cannot be drawn again.
    pub const NONE: RedrawnBatches<'static> = RedrawnBatches {
        lanes: &|_| 1,
        step: 1,
        cut: BatchSplit::whole,
        draw: &|_, _| None,
        selects: &|_| true,
    };

    /// Returns the batch of a case as the subject received it, and the lane of the case. Returns
    /// `None` if the batch cannot be drawn again, or if the lane has another case now.
    pub fn of(&self, case: &ObservedDivergence) -> Option<(Batch, usize)> {
        let lane = (case.index % (self.lanes)(case)) as usize;
        let number = self.number(case);
        let (_, batch) = (self.draw)(case, number)?;
        let is_same = lane < batch.len()
            && batch.word() == case.word
            && batch.lane(lane).all(|(location, value)| case.inputs.get(&location) == Some(&value));
        is_same.then(|| match (self.cut)(number) {
            BatchSplit::Copies(copies) => {
                // In copy n, the lanes are rotated so that lane n comes first.
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

    /// Returns the number of a case's batch.
    fn number(&self, case: &ObservedDivergence) -> u64 {
        case.index / (self.lanes)(case)
    }

    /// Returns where the run found a case, or `None` if the batch of the case cannot be drawn
    /// again.
    pub fn place(&self, case: &ObservedDivergence) -> Option<FoundAt> {
        let (batch, lane) = self.of(case)?;
        Some(FoundAt { batch: self.number(case), lane: lane as u64, lanes: batch.len() as u64 })
    }

    /// Returns what the shard executed `offset` drawn batches after the batch of a case, as the
    /// subject received it: one batch, or the parts of one. A negative offset means before.
    pub fn near(&self, case: &ObservedDivergence, offset: i64) -> Option<Vec<Batch>> {
        let distance = offset.checked_mul(i64::try_from(self.step).ok()?)?;
        let number = self.number(case).checked_add_signed(distance)?;
        let (_, batch) = (self.draw)(case, number)?;
        Some(match (self.cut)(number) {
            BatchSplit::Copies(copies) => vec![batch.repeated(copies)],
            cut => cut.parts(batch.len()).into_iter().map(|part| batch.part(part)).collect(),
        })
    }
}
