//! Sums rounded to odd: the exact sum if it is an f64, else its neighbour in f64 whose last bit
//! is 1.
//!
//! Rounding to odd with p' ≥ p + 2 bits, and then to p bits in any direction, equals rounding once
//! to p bits. The reason is that numbers and ties of p bits are even in p', so an inexact sum stays
//! strictly on its side of each. Source: S. Boldo and G. Melquiond, "Emulation of a FMA and
//! correctly rounded sums: proved algorithms using rounding to odd", IEEE Transactions on Computers
//! 57 (2008). Here p' = 53 and p = 24, or less on the subnormal grid of F32.

/// Returns `x + y` rounded to odd. The sum must not overflow f64, nor lose bits below the grid of
/// f64.
///
/// Infinities, NaN and zeros add up as in IEEE 754 to nearest. For these, the error is zero or NaN,
/// and the sum is returned unchanged.
#[inline(always)]
pub fn sum(x: f64, y: f64) -> f64 {
    let (nearest, error) = two_sum(x, y);
    let inexact = u64::from(error.abs() > 0.0);
    // First, a sum that was rounded away from zero is moved toward zero by one pattern. Then the
    // last bit records that the sum is inexact.
    let opposed = (nearest.to_bits() ^ error.to_bits()) >> 63;
    f64::from_bits((nearest.to_bits() - (opposed & inexact)) | inexact)
}

/// Returns the sum rounded to nearest, and its error: the exact sum minus the rounded one. Source:
/// D. Knuth, The Art of Computer Programming, volume 2, section 4.2.2, theorem B. This is valid for
/// operands in any order, and with gradual underflow.
#[inline(always)]
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let nearest = x + y;
    let from_y = nearest - x;
    let from_x = nearest - from_y;
    (nearest, (x - from_x) + (y - from_y))
}
