//! What whole columns of results add up to.

use super::STEPS;

/// The histogram of errors covers minus this many ulp to plus; what lies beyond goes to its ends.
pub const HISTOGRAM_ULPS: i64 = 2;
/// Bins of the histogram.
pub const BINS: usize = (2 * HISTOGRAM_ULPS) as usize * STEPS as usize;

/// The bin of an error in units of 2^-32 ulp.
pub fn bin(units: i64) -> usize {
    let bin = units.div_euclid((1 << 32) / STEPS as i64) + BINS as i64 / 2;
    bin.clamp(0, BINS as i64 - 1) as usize
}

/// Powers of two of the errors beyond the histogram, on either side. The last one is open.
pub const FAR: usize = 30;
/// The first of these powers, as a bit of an error in units of 2^-32 ulp.
const FIRST_FAR: u32 = 33;

/// Side and power of two of an error beyond the histogram, in units of 2^-32 ulp. The sides are 0 below and 1 above.
pub fn far_place(units: i64) -> Option<(usize, usize)> {
    let power = units.unsigned_abs().checked_ilog2()?.checked_sub(FIRST_FAR)?;
    Some((usize::from(units > 0), (power as usize).min(FAR - 1)))
}

/// The errors of the lanes of a batch that are decided, summed, counted and sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorSums {
    /// Lanes that are decided.
    pub inputs: u64,
    /// Number of results whose error was measured.
    pub measured: u64,
    /// Those that hold without an error to measure.
    pub special: u64,
    /// Sum of the errors in units of 2^-32 ulp.
    pub sum: i128,
    /// Sum of their magnitudes.
    pub sum_magnitude: u128,
    /// Sum of the squares of the errors in units of 2^-16 ulp.
    pub sum_squares: u128,
    /// How many are correctly rounded.
    pub correctly_rounded: u64,
    /// How many are less than one ulp off.
    pub faithful: u64,
    /// Errors by eighths of an ulp, the ends open.
    pub histogram: [u64; BINS],
    /// Errors beyond the histogram by side and power of two; see [`far_place`].
    pub far: [[u64; FAR]; 2],
}

const _: () = assert!(1_i64 << FIRST_FAR == HISTOGRAM_ULPS << 32);
