//! How the cases of a plan are divided into batches.

/// Lanes of a batch of a large plan.
pub const LANES: usize = 1024;

/// Batches that a small plan has at least, as long as it has so many cases. Each batch draws an instruction, so that a
/// short run meets every optype.
const LEAST: u64 = 512;

/// The last version of the generator that gave every plan batches of [`LANES`].
const FULL_BATCHES_UNTIL: u32 = 8;

/// The division of a plan into batches of equal length. The last may be shorter. Case i is lane `i % lanes` of batch `i / lanes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchPlan {
    cases: u64,
    lanes: u64,
}

impl BatchPlan {
    /// Batches of [`LANES`] without an end.
    pub const ENDLESS: BatchPlan = BatchPlan::full(u64::MAX);

    /// The batches of so many cases: of [`LANES`], and shorter if that made fewer than 512. The length is a power of two.
    pub fn of(cases: u64) -> BatchPlan {
        let longest = (cases / LEAST).clamp(1, LANES as u64);
        BatchPlan { cases, lanes: 1 << longest.ilog2() }
    }

    /// Batches of one case each.
    pub const fn singles(cases: u64) -> BatchPlan {
        BatchPlan { cases, lanes: 1 }
    }

    /// Batches of [`LANES`], however few the cases are.
    pub const fn full(cases: u64) -> BatchPlan {
        BatchPlan { cases, lanes: LANES as u64 }
    }

    /// The batches of so many cases as a version of the generator divided them.
    pub fn of_version(cases: u64, version: u32) -> BatchPlan {
        if version <= FULL_BATCHES_UNTIL { BatchPlan::full(cases) } else { BatchPlan::of(cases) }
    }

    /// Cases of all batches.
    pub fn cases(self) -> u64 {
        self.cases
    }

    /// Lanes of a batch other than the last.
    pub fn lanes(self) -> u64 {
        self.lanes
    }

    /// Number of batches.
    pub fn batches(self) -> u64 {
        self.cases.div_ceil(self.lanes)
    }

    /// Lanes of a batch: 0 beyond the end of the plan.
    pub fn lanes_of(self, batch: u64) -> u64 {
        self.cases.saturating_sub(self.first_of(batch)).min(self.lanes)
    }

    /// Index of the first case of a batch.
    pub fn first_of(self, batch: u64) -> u64 {
        batch.saturating_mul(self.lanes)
    }

    /// Number of the batch of a case.
    pub fn batch_of(self, case: u64) -> u64 {
        case / self.lanes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn short_plans_have_short_batches() {
        let lanes = |cases| BatchPlan::of(cases).lanes();
        assert_eq!([1, 511, 1000, 1024, 5000, 100_000].map(lanes), [1, 1, 1, 2, 8, 128]);
        assert_eq!([524_287, 524_288, 20_000_000, u64::MAX].map(lanes), [512, 1024, 1024, 1024]);
        assert_eq!(BatchPlan::of_version(1000, 8), BatchPlan::full(1000));
        assert_eq!(BatchPlan::of_version(1000, 9), BatchPlan::of(1000));
    }

    proptest! {
        #[test]
        fn batches_hold_each_case_once(cases in 1_u64..2_000_000) {
            let plan = BatchPlan::of(cases);
            let batches = plan.batches();
            prop_assert!(batches >= LEAST.min(cases));
            prop_assert_eq!((0..=batches).map(|batch| plan.lanes_of(batch)).sum::<u64>(), cases);
            prop_assert_eq!(plan.batch_of(cases - 1), batches - 1);
            prop_assert_eq!(plan.lanes_of(batches), 0);
        }
    }
}
