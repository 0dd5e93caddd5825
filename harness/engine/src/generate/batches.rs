//! How the cases of a plan are divided into batches.

/// Number of lanes of each batch of a large plan.
pub const LANES: usize = 1024;

/// Minimum number of batches, for a plan that has at least this number of cases. Each batch draws
/// an instruction, so that a short run meets every optype.
const LEAST: u64 = 512;

/// The last version of the generator that used batches of [`LANES`] lanes for every plan.
const FULL_BATCHES_UNTIL: u32 = 8;

/// The division of a plan into batches of equal length. The last may be shorter. Case i is lane `i % lanes` of batch `i / lanes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchPlan {
    cases: u64,
    lanes: u64,
}

impl BatchPlan {
    /// Batches of [`LANES`] lanes, without an end.
    pub const ENDLESS: BatchPlan = BatchPlan::full(u64::MAX);

    /// Returns the plan for a number of cases. Batches have [`LANES`] lanes, or fewer if there
    /// would be fewer than 512 batches. The number of lanes is a power of two.
    pub fn of(cases: u64) -> BatchPlan {
        let longest = (cases / LEAST).clamp(1, LANES as u64);
        BatchPlan { cases, lanes: 1 << longest.ilog2() }
    }

    /// Batches of one case each.
    pub const fn singles(cases: u64) -> BatchPlan {
        BatchPlan { cases, lanes: 1 }
    }

    /// Returns a plan with batches of [`LANES`] lanes, even for few cases.
    pub const fn full(cases: u64) -> BatchPlan {
        BatchPlan { cases, lanes: LANES as u64 }
    }

    /// Returns the plan that a version of the generator made for a number of cases.
    pub fn of_version(cases: u64, version: u32) -> BatchPlan {
        if version <= FULL_BATCHES_UNTIL { BatchPlan::full(cases) } else { BatchPlan::of(cases) }
    }

    /// Returns the number of cases of all batches.
    pub fn cases(self) -> u64 {
        self.cases
    }

    /// Returns the number of lanes of each batch but the last.
    pub fn lanes(self) -> u64 {
        self.lanes
    }

    /// Number of batches.
    pub fn batches(self) -> u64 {
        self.cases.div_ceil(self.lanes)
    }

    /// Returns the number of lanes of a batch: 0 beyond the end of the plan.
    pub fn lanes_of(self, batch: u64) -> u64 {
        self.cases.saturating_sub(self.first_of(batch)).min(self.lanes)
    }

    /// Index of the first case of a batch.
    pub fn first_of(self, batch: u64) -> u64 {
        batch.saturating_mul(self.lanes)
    }

    /// Returns the index of the batch that has a case.
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
