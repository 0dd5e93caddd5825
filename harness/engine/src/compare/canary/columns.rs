//! Checks the judges on one batch that was judged by columns. Double precision and enclosures must
//! agree about some lanes, and both must notice a corrupted lane.

use std::ops::Range;

use assay_isa::format::F32;
use assay_isa::{BackendError, Batch, Estimates, Instruction};
use assay_vectors::Contract;

use super::{Canaries, defect, repeated_lanes};
use crate::compare::comparator::Comparator;
use crate::compare::judge::Verdict;
use crate::compare::judge::quick::{Columns, Decision, JudgedBatch, Terms};

/// The last executed batch, and how double precision judged the lanes that the run counts.
pub(crate) struct Decided<'a> {
    /// The contract of its results.
    pub contract: &'a Contract,
    /// The executed instruction.
    pub instruction: &'a Instruction,
    /// The executed cases.
    pub batch: &'a Batch,
    /// The counted lanes.
    pub lanes: Range<usize>,
    /// The terms by which these lanes were judged.
    pub terms: &'a Terms,
    /// The truth of these lanes.
    pub estimates: &'a Estimates,
    /// The columns with the decisions.
    pub columns: &'a Columns,
}

/// Checks batches that were judged by columns. Its buffers are reused from batch to batch.
#[derive(Default)]
pub(crate) struct ColumnCheck {
    part: Batch,
    /// The decisions about corrupted results.
    spoiled: Columns,
}

impl ColumnCheck {
    /// Checks a batch. Double precision must leave a corrupted result undecided, and the slow path
    /// must refuse it. For some lanes, the slow path must agree with the decisions of double
    /// precision.
    pub(crate) fn check(
        &mut self,
        comparator: &mut Comparator,
        decided: &Decided<'_>,
        index: u64,
    ) -> Result<Canaries, BackendError> {
        let Decided { contract, instruction, batch, terms, estimates, columns, .. } = *decided;
        let ColumnCheck { part, spoiled } = self;
        let mut counts = Canaries { batches: 1, ..Canaries::default() };
        let Some((location, results)) = comparator.column() else { return Ok(counts) };
        let mut results = results[decided.lanes.clone()].to_vec();
        let mut lanes = repeated_lanes(index, results.len());
        let judged = JudgedBatch { terms, estimates, results: &results, columns };
        let open = judged.open();
        lanes.retain(|lane| open.binary_search(lane).is_err());
        let decisions: Vec<Decision> = lanes.iter().map(|lane| judged.decision(*lane)).collect();
        let first = decided.lanes.start;
        let in_batch: Vec<usize> = lanes.iter().map(|lane| first + lane).collect();
        let again = comparator.judge_lanes(contract, instruction, batch, &in_batch, part)?;
        for (place, (lane, decision)) in lanes.iter().zip(decisions).enumerate() {
            let verdict = again.verdicts.of(place);
            if !agrees(decision, verdict, terms.bound.is_some()) {
                let problem =
                    format!("lane {lane}: the fast path has {decision:?}, the slow path {verdict:?}");
                return Err(defect(instruction, index, &problem));
            }
        }
        counts.repeated = lanes.len() as u64;
        let Some(&lane) = lanes.first() else { return Ok(counts) };
        results[lane] = if estimates.bases[lane].is_nan() { results[lane] ^ 1 } else { F32.infinity() | 1 };
        spoiled.judge(terms, estimates, &results);
        if !(JudgedBatch { terms, estimates, results: &results, columns: spoiled }).open().contains(&lane) {
            let problem = format!("the fast judge did not notice that lane {lane} was spoiled");
            return Err(defect(instruction, index, &problem));
        }
        let instead = (first + lane, location, results[lane]);
        let judged = comparator.judge_instead(contract, instruction, batch, instead, part)?;
        if !matches!(judged.verdicts.of(0), Verdict::Diverged(_)) {
            let problem = format!("the judge did not notice that lane {lane} was spoiled");
            return Err(defect(instruction, index, &problem));
        }
        counts.spoiled = 1;
        Ok(counts)
    }
}

/// Whether a verdict of the slow path agrees with the decision of double precision. If double
/// precision gave an interval for the error, the slow path's error must lie in it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_and_slow_agree_on_verdict_and_error() {
        let error = |floor| crate::compare::judge::Error { floor, exact: false, correctly_rounded: false };
        let cases = [
            (Decision::Held, Verdict::Exact, true, true),
            (Decision::Held, Verdict::Within(error(0)), true, false),
            (Decision::Measured(-2.0, 1.0), Verdict::Within(error(-2)), true, true),
            (Decision::Measured(-2.0, 1.0), Verdict::Within(error(2)), true, false),
            (Decision::Measured(-2.0, 1.0), Verdict::Within(error(-2)), false, false),
            (Decision::Measured(-2.0, 1.0), Verdict::Unjudged(error(1)), false, true),
            (Decision::Measured(-2.0, 1.0), Verdict::Unjudged(error(1)), true, false),
            (Decision::Measured(-2.0, 1.0), Verdict::Exact, true, false),
            (Decision::Open, Verdict::Exact, true, false),
        ];
        for (decision, verdict, has_bound, expected) in cases {
            assert_eq!(agrees(decision, verdict, has_bound), expected, "{decision:?} {verdict:?}");
        }
    }
}
