//! The values of up to 256 threads that run together, and functions applied to all of them.

use std::array;

use crate::column::Access;

/// Number of threads that run together: as many as a `u8` counts, so that it indexes a column without a check.
pub(crate) const LANES: usize = 256;

/// The values of all columns.
pub(crate) struct Lanes {
    pub(crate) columns: Vec<[u64; LANES]>,
    /// The lanes that take part in the next step, in ascending order.
    pub(crate) active: Vec<u8>,
}

impl Lanes {
    /// Computes the first columns that a step writes from the first that it reads, in all active lanes.
    pub(crate) fn apply<const FROM: usize, const TO: usize>(
        &mut self,
        access: &Access,
        function: impl Fn([u64; FROM]) -> [u64; TO],
    ) {
        let from: [[u64; LANES]; FROM] = array::from_fn(|index| self.columns[access.from[index]]);
        for &lane in &self.active {
            let lane = usize::from(lane);
            let results = function(array::from_fn(|index| from[index][lane]));
            for (&column, result) in access.to.iter().zip(results) {
                self.columns[column][lane] = result;
            }
        }
    }

    /// The same of functions of 32-bit words.
    pub(crate) fn words<const FROM: usize, const TO: usize>(
        &mut self,
        access: &Access,
        function: impl Fn([u32; FROM]) -> [u32; TO],
    ) {
        self.apply(access, |values: [u64; FROM]| function(values.map(low)).map(u64::from));
    }
}

/// The lower word.
pub(crate) fn low(value: u64) -> u32 {
    value as u32
}
