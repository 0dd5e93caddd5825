//! Sums rounded to odd: the neighbour in f64 whose last bit is 1, unless the sum is an f64 itself.
//!
//! Rounding to odd with p' ≥ p + 2 bits and then once to p bits, in any direction, equals rounding once to p
//! bits: an inexact sum stays strictly on its side of every number of p bits and of every tie, because those
//! are even in p'. Source: S. Boldo and G. Melquiond, "Emulation of a FMA and correctly rounded sums: proved
//! algorithms using rounding to odd", IEEE Transactions on Computers 57 (2008). Here p' = 53 and p = 24, or
//! less on the subnormal grid of F32.

/// Returns `x + y` rounded to odd. The sum must neither overflow f64 nor lose bits below its grid.
///
/// Infinities, NaN and zeros add up as in IEEE 754 to nearest: the error is then zero or NaN, and the sum
/// stays.
#[inline(always)]
pub fn sum(x: f64, y: f64) -> f64 {
    let (nearest, error) = two_sum(x, y);
    let inexact = u64::from(error.abs() > 0.0);
    // First toward zero: a sum rounded away from zero is one pattern too great. Then the last bit records the
    // rest.
    let opposed = (nearest.to_bits() ^ error.to_bits()) >> 63;
    f64::from_bits((nearest.to_bits() - (opposed & inexact)) | inexact)
}

/// Returns the sum rounded to nearest, and the exact sum minus it: D. Knuth, The Art of Computer Programming,
/// volume 2, section 4.2.2, theorem B. Valid for operands in any order, and with gradual underflow.
#[inline(always)]
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let nearest = x + y;
    let from_y = nearest - x;
    let from_x = nearest - from_y;
    (nearest, (x - from_x) + (y - from_y))
}
