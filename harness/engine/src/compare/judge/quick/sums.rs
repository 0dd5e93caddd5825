//! The sums and counts of whole columns of results.

use super::STEPS;

/// The histogram covers errors from minus to plus this many ulp. Errors beyond are counted in its
/// end bins.
pub const HISTOGRAM_ULPS: i64 = 2;
/// Bins of the histogram.
pub const BINS: usize = (2 * HISTOGRAM_ULPS) as usize * STEPS as usize;

/// Returns the bin of an error in units of 2^-32 ulp.
pub fn bin(units: i64) -> usize {
    let bin = units.div_euclid((1 << 32) / STEPS as i64) + BINS as i64 / 2;
    bin.clamp(0, BINS as i64 - 1) as usize
}

/// Number of counts for errors beyond the histogram, on each side: one per power of two. The last
/// count has no upper end.
pub const FAR: usize = 30;
/// Binary logarithm of the least error beyond the histogram, in units of 2^-32 ulp.
const FIRST_FAR: u32 = 33;

/// Returns the indices of the count for an error beyond the histogram: its side and its power of
/// two. The error is in units of 2^-32 ulp. The side is 0 below zero and 1 above. `None` within the
/// histogram.
pub fn far_place(units: i64) -> Option<(usize, usize)> {
    let power = units.unsigned_abs().checked_ilog2()?.checked_sub(FIRST_FAR)?;
    Some((usize::from(units > 0), (power as usize).min(FAR - 1)))
}

/// Sums and counts of the decided lanes of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorSums {
    /// Number of decided lanes.
    pub inputs: u64,
    /// Number of results whose error was measured.
    pub measured: u64,
    /// Number of results that hold without a measured error.
    pub special: u64,
    /// Sum of the errors in units of 2^-32 ulp.
    pub sum: i128,
    /// Sum of the errors' magnitudes in units of 2^-32 ulp.
    pub sum_magnitude: u128,
    /// Sum of the squares of the errors in units of 2^-16 ulp.
    pub sum_squares: u128,
    /// Number of measured results that are correctly rounded.
    pub correctly_rounded: u64,
    /// Number of measured results that are less than one ulp off.
    pub faithful: u64,
    /// Number of errors in each eighth of an ulp. The end bins also count the errors beyond the
    /// histogram.
    pub histogram: [u64; BINS],
    /// Number of errors beyond the histogram, by side and power of two; see [`far_place`].
    pub far: [[u64; FAR]; 2],
}

const _: () = assert!(1_i64 << FIRST_FAR == HISTOGRAM_ULPS << 32);
