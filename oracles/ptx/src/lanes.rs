//! The values of up to 256 threads that run together, and the application of functions to them.

use std::array;

use crate::column::Access;

/// Number of threads that run together. A `u8` has this number of values, so it can index a column
/// without a bounds check.
pub(crate) const LANES: usize = 256;

/// The values of all columns.
pub(crate) struct Lanes {
    pub(crate) columns: Vec<[u64; LANES]>,
    /// The lanes that execute the next step, in ascending order.
    pub(crate) active: Vec<u8>,
}

impl Lanes {
    /// Applies a function to all active lanes. The arguments of the function are the first `FROM`
    /// columns that the step reads. Its results go to the first `TO` columns that the step writes.
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

    /// Applies a function of 32-bit words to all active lanes, like [`Lanes::apply`].
    pub(crate) fn words<const FROM: usize, const TO: usize>(
        &mut self,
        access: &Access,
        function: impl Fn([u32; FROM]) -> [u32; TO],
    ) {
        self.apply(access, |values: [u64; FROM]| function(values.map(low)).map(u64::from));
    }
}

/// Returns the lower word.
pub(crate) fn low(value: u64) -> u32 {
    value as u32
}
