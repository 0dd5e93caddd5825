//! Sine and cosine in double precision, of radians and of turns, for every finite binary32.
//!
//! A multiple of π/2 is subtracted from radians in integers, after Payne and Hanek ("Radian
//! reduction for trigonometric functions", SIGNUM 1983). Most bits of 2/π are not needed: they only
//! add whole turns, or they are below the required precision. The exponent of the argument selects
//! the bits that are used. No binary32 lies nearer than about 2⁻³⁰ of a quadrant to a nonzero
//! multiple of π/2, and 94 bits of the fraction are kept.

use std::f64::consts::{FRAC_PI_2, TAU};

use super::elementary::MAGIC;
use super::series::{COSINE, SINE, polynomial};

/// The 128 bits of 2/π that an exponent needs, in words of 32. The highest word comes first.
pub type Window = [u64; 4];

/// 2/π cut off after 256 bits, in words of 64. The highest word comes first.
const TWO_OVER_PI: [u64; 4] =
    [0xa2f9_836e_4e44_1529, 0xfc27_57d1_f534_ddc0, 0xdb62_9599_3c43_9041, 0xfe51_63ab_debb_c561];

/// The window for each exponent field.
static WINDOWS: [Window; 255] = windows();

const fn windows() -> [Window; 255] {
    let mut list = [[0; 4]; 255];
    let mut field = 1;
    while field < list.len() {
        list[field] = window(field as i32 - 150);
        field += 1;
    }
    list
}

/// Returns 2/π · 2^`unit` modulo 4, in units of 2⁻¹²⁶. These are the bits of 2/π whose weights are
/// 2^(1 - unit) and below.
const fn window(unit: i32) -> Window {
    let mut words = [0; 4];
    let mut bit = 0;
    while bit < 128 {
        // Bit number 0 of 2/π is the first one after the point, of weight ½.
        let number = bit - 2 + unit;
        if number >= 0 {
            let set = TWO_OVER_PI[number as usize / 64] >> (63 - number % 64) & 1;
            words[bit as usize / 32] |= set << (31 - bit % 32);
        }
        bit += 1;
    }
    words
}

/// Returns the window for the exponent of an argument.
#[inline(always)]
pub fn window_of(bits: u32) -> Window {
    WINDOWS[((bits >> 23) & 0xff).min(254) as usize]
}

/// Returns sin x for |x| below 2⁻⁴, as x + (sin x - x): five roundings of delta.
#[inline(always)]
pub fn sine_near_argument(x: f64) -> (f64, f64) {
    let z = x * x;
    (x, x * z * polynomial(z, &SINE))
}

/// Returns cos x for |x| below 2⁻⁴, as 1 + (cos x - 1): four roundings of delta.
#[inline(always)]
pub fn cosine_near_one(x: f64) -> (f64, f64) {
    let z = x * x;
    (1.0, z * polynomial(z, &COSINE))
}

/// Returns cos 2πx for |x| below 2⁻⁷, as 1 + (cos 2πx - 1).
#[inline(always)]
pub fn cosine_of_turns_near_one(x: f64) -> (f64, f64) {
    cosine_near_one(TAU * x)
}

/// Returns sin x for a normal argument, given its window. The fraction of a quadrant has an error
/// of 2u. The conversion to an angle adds 2u, and the series adds 2u.
#[inline(always)]
pub fn sine(bits: u32, window: Window) -> (f64, f64) {
    let (quadrant, angle) = reduce(bits, window);
    let value = value(quadrant, angle);
    // The sine of the magnitude, with the sign of the argument.
    (0.0, f64::from_bits(value.to_bits() ^ u64::from(bits >> 31) << 63))
}

/// Returns cos x for a normal argument, given its window. The errors are those of [`sine`].
#[inline(always)]
pub fn cosine(bits: u32, window: Window) -> (f64, f64) {
    let (quadrant, angle) = reduce(bits, window);
    (0.0, value(quadrant + 1, angle))
}

/// Returns sin 2πx. The result is exact for a multiple of a quarter turn.
#[inline(always)]
pub fn sine_of_turns(x: f64) -> (f64, f64) {
    of_turns(x, 0)
}

/// Returns cos 2πx. The result is exact for a multiple of a quarter turn.
#[inline(always)]
pub fn cosine_of_turns(x: f64) -> (f64, f64) {
    of_turns(x, 1)
}

#[inline(always)]
fn of_turns(x: f64, ahead: u64) -> (f64, f64) {
    // A binary32 of at least 2²⁴ is a whole number of turns.
    let x = if x.abs() < (1 << 24) as f64 { x } else { 0.0 };
    let shifted = 4.0 * x + MAGIC;
    let rest = x - 0.25 * (shifted - MAGIC);
    let value = value((shifted.to_bits() & 3) + ahead, TAU * rest);
    if rest == 0.0 { (value, 0.0) } else { (0.0, value) }
}

/// Returns the multiple of π/2 nearest to |x|, as a quadrant modulo 4, and the angle from this
/// multiple to |x|.
#[inline(always)]
fn reduce(bits: u32, window: Window) -> (u64, f64) {
    let m = u64::from(bits & 0x007f_ffff | 0x0080_0000);
    // The product in quadrants, modulo 4 and in units of 2⁻⁹⁴. `high` has the upper 64 bits, and
    // the low half of `middle` has 32 more.
    let middle = m * window[2] + ((m * window[3]) >> 32);
    let high = ((m * window[0]) << 32).wrapping_add(m * window[1]).wrapping_add(middle >> 32);
    // Half a quadrant is added, so that the rest lies between -½ and ½ of a quadrant.
    let shifted = high.wrapping_add(1 << 61);
    let left = shifted & ((1 << 62) - 1);
    let top = whole(left >> 32) - (1 << 29) as f64;
    let rest = whole(left & 0xffff_ffff) + whole(middle & 0xffff_ffff) * UNIT;
    (shifted >> 62, (top + rest * UNIT) * (FRAC_PI_2 / (1 << 30) as f64))
}

/// 2⁻³²
const UNIT: f64 = 1.0 / (1_u64 << 32) as f64;

/// Returns an integer below 2⁵² as a double. This avoids a conversion that AVX2 lacks.
#[inline(always)]
fn whole(n: u64) -> f64 {
    f64::from_bits(n | 0x4330_0000_0000_0000) - (1_u64 << 52) as f64
}

/// Returns the sine of a number of quarter turns plus an angle of at most π/4 in magnitude.
#[inline(always)]
fn value(quadrant: u64, angle: f64) -> f64 {
    let z = angle * angle;
    let sine = angle + angle * z * polynomial(z, &SINE);
    let cosine = 1.0 + z * polynomial(z, &COSINE);
    let value = if quadrant & 1 == 0 { sine } else { cosine };
    f64::from_bits(value.to_bits() ^ (quadrant & 2) << 62)
}
