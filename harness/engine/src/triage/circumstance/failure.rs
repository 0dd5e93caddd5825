//! The circumstance in which a device crashes, or gives no answer.

use assay_isa::{BackendError, Batch};
use assay_vectors::in_batch::uniform;

use super::lanes::LanePattern;
use super::{ALONE, Circumstance, CircumstanceTrial, Rerun, ShownCircumstance, UNIFORM};
use crate::compare::comparator::Comparator;

impl CircumstanceTrial<'_> {
    /// Finds the circumstance of a failure that does not show in the case alone: a batch that is large
    /// enough, or the batch of the run. The lanes of a failed batch are not distinguished, because
    /// the failure belongs to all of them. `None` if neither brings the failure back.
    pub fn find_failure(&self) -> Result<Option<ShownCircumstance>, BackendError> {
        // A reference that failed leaves no event of the subject.
        let Some(event) = self.seen.and_then(|seen| seen.event) else { return Ok(None) };
        let fails = |batch: &Batch| -> Result<bool, BackendError> {
            let mut comparator = Comparator::fresh(self.setup);
            let effects = comparator.answer(batch)?;
            Ok(effects.is_some_and(|effects| effects.events().iter().any(|(_, it)| *it == event)))
        };
        let own = self.batches.of(self.found);
        let most = own.as_ref().map_or(0, |(batch, _)| batch.len()).max(UNIFORM);
        // Small batches come first, because a device is started again for each part of a batch that
        // fails.
        let (mut without, mut with) = (1, 2);
        while with <= most && !fails(&uniform(self.case, with))? {
            (without, with) = (with, 2 * with);
        }
        if with <= most {
            while without + 1 < with {
                let size = without.midpoint(with);
                if fails(&uniform(self.case, size))? { with = size } else { without = size }
            }
            let circumstance = Circumstance::Lanes(LanePattern::Size(with));
            let rerun = Some(Rerun::uniform(self.case, with, 0));
            return Ok(Some(ShownCircumstance { circumstance, rerun }));
        }
        let Some((batch, lane)) = own else { return Ok(None) };
        for _ in 0..ALONE {
            if !fails(&batch)? {
                return Ok(None);
            }
        }
        let rerun = Some(Rerun { before: Vec::new(), batch, lane });
        Ok(Some(ShownCircumstance { circumstance: Circumstance::Neighbours, rerun }))
    }
}
