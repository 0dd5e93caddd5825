//! Sine and cosine, `MUFU.SIN` and `MUFU.COS`.
//!
//! The argument is converted to quadrants. Turns are multiplied by 4. Radians are multiplied by
//! 2/π, with as many bits as the largest argument needs (Payne and Hanek, "Radian Reduction for
//! Trigonometric Functions", 1983). The last two bits before the point are the number of the
//! quadrant. The fraction r is the position in the quadrant. In odd quadrants r is replaced by 1 −
//! r. For the cosine 1 is added to the number of the quadrant.
//!
//! The 2⁶ segments in a quadrant and the coefficients of 26, 15 and 11 bits are those published by
//! Oberman and Siu (see [`interpolate`](super::interpolate)). The interpolated function is our
//! choice: sin(r·π/2) / r instead of the sine. The value from the table is multiplied by r, so the
//! relative error is bounded where the sine is near 0.
//!
//! Over samples of all arguments the error is below 1.502 ulp, and 88.8 % of the results are
//! correctly rounded. Before rounding the absolute error is below 2⁻²³·⁹⁹ (published: 22.5 good
//! bits).

use std::hint::select_unpredictable;

use assay_isa::Reading;

use crate::knobs::Knobs;
use crate::mufu::interpolate::{PackedRows, interpolate};
use crate::mufu::number::Number;
use crate::mufu::path::NumericPath;
use crate::mufu::rom::Rom;
use crate::mufu::rows::SpecialTable;
use crate::mufu::segment::Segment;
use crate::site::Site;

mod table;

/// Number of segments in the table.
pub(super) const SEGMENTS: usize = table::ROM.len();

/// The least exponent of an argument's last place that the reduction uses. Smaller arguments are
/// first multiplied by a power of two, so that they have this exponent. The table gives the same
/// slope for the original and the multiplied argument. At this exponent, the 64 bits of a position
/// in a quadrant hold the 32 significant bits of the result.
const LEAST: i32 = -55;

/// Computes cos x.
pub(super) type Cosine = Wave<true>;

/// Computes sin x.
pub(super) type Sine = Wave<false>;

/// A sine or a cosine, with the data that some arguments share.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wave<const COSINE: bool> {
    /// The arguments share the exponent.
    Exponent(Angle<COSINE>),
    /// The arguments share the exponent, the quadrant and the row of the ROM.
    Row(AngleInRow<COSINE>),
}

impl<const COSINE: bool> Segment for Wave<COSINE> {
    #[inline(always)]
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number {
        match self {
            Wave::Exponent(angle) => angle.at(k, x),
            Wave::Row(angle) => angle.at(k, x),
        }
    }

    #[inline(always)]
    fn map<K: Knobs, W: Fn(Option<Number>) -> u32>(
        self,
        k: &K,
        xs: &[u32],
        results: &mut [u32],
        written: &W,
    ) {
        match self {
            Wave::Exponent(angle) => angle.map(k, xs, results, written),
            Wave::Row(angle) => angle.map(k, xs, results, written),
        }
    }
}

impl<const COSINE: bool> NumericPath for Wave<COSINE> {
    /// Returns the table of special rows. Under E034 = 1 the cosine uses the sine's table, because
    /// both have one heading. Then the cosine of a zero is that zero.
    fn table<K: Knobs>(k: &K) -> SpecialTable {
        if COSINE && k.reading(Reading::E034) != 1 { SpecialTable::Cos } else { SpecialTable::Sin }
    }

    #[inline(always)]
    fn of<K: Knobs>(k: &K, x: u32) -> Wave<COSINE> {
        Wave::Exponent(Angle::of(x, in_turns(k)))
    }

    #[inline(always)]
    fn between<K: Knobs>(k: &K, least: u32, greatest: u32) -> Option<Wave<COSINE>> {
        let angle = Angle::of(least, in_turns(k));
        if angle != Angle::of(greatest, in_turns(k)) {
            return None;
        }
        Some(angle.in_row(least, greatest).map_or(Wave::Exponent(angle), Wave::Row))
    }
}

fn in_turns<K: Knobs>(k: &K) -> bool {
    k.reading(Reading::E035) == 2
}

/// The data that arguments with one exponent share.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Angle<const COSINE: bool> {
    /// The leading one of a normal argument, or 0.
    leading: u32,
    /// Left shift of a significand.
    shift: u32,
    scale: AngleScale,
}

impl<const COSINE: bool> Angle<COSINE> {
    /// Returns the data for a finite, non-zero binary32 `x`, which is in radians or in `turns`.
    #[inline(always)]
    fn of(x: u32, turns: bool) -> Angle<COSINE> {
        let field = x >> 23 & 0xff;
        let leading = u32::from(field != 0) << 23;
        let shift = (x & 0x007f_ffff | leading).leading_zeros() - 8; // not 0 only for subnormal numbers
        let scale = if turns { TURNS[field as usize] } else { RADIANS[field as usize] };
        Angle { leading, shift, scale }
    }

    /// Returns the significand of an argument of this exponent.
    #[inline(always)]
    fn significand(self, x: u32) -> u32 {
        (x & 0x007f_ffff | self.leading) << self.shift
    }

    /// Returns the row that all arguments from `least` to `greatest` share. Returns `None` if they
    /// may need several rows.
    fn in_row(self, least: u32, greatest: u32) -> Option<AngleInRow<COSINE>> {
        let [first, last] = [least, greatest].map(|x| self.significand(x));
        let (quadrant, place) = self.scale.reduce(first);
        let (last_quadrant, last_place) = self.scale.reduce(last);
        if (quadrant, place >> ROW_SHIFT) != (last_quadrant, last_place >> ROW_SHIFT) {
            return None;
        }
        // If `first` and `last` are less than a row apart before whole turns are removed, no
        // argument between them leaves the row.
        let is_near =
            self.scale.unit.checked_mul(u128::from(last - first)).is_some_and(|way| way < ROW_WIDTH);
        let (quadrant, place) = turned::<COSINE>(quadrant, place);
        let row = table::ROM[(place >> ROW_SHIFT) as usize];
        is_near.then_some(AngleInRow { angle: self, quadrant, row })
    }

    /// Returns the sine or cosine at a position in a quadrant. `slope` returns the table's value
    /// there.
    ///
    /// Exact zeros occur in turns only. A zero of the sine has the sign of the argument. A zero of
    /// the cosine is positive. Under C007 = 2 a zero instead has the sign of the result at the next
    /// argument of greater magnitude.
    #[inline(always)]
    fn number<K: Knobs>(
        self,
        k: &K,
        x: u32,
        (quadrant, place): (u32, u64),
        slope: impl Fn(u32) -> u32,
    ) -> Number {
        // In radians no non-zero argument is a multiple of a quadrant, so the fast path skips the
        // check.
        let exact = in_turns(k);
        let minus = !COSINE && x >> 31 != 0;
        let negative = (quadrant & 2 != 0) != minus;
        if exact && place == 0 {
            return Number::zero(if k.reading(Reading::C007) == 1 { minus } else { negative });
        }
        let zeros = place.leading_zeros();
        let product = (place << zeros >> 32) * u64::from(slope((place >> 32) as u32));
        // Limits a sine to 1. Without the limit, only positions from half a quadrant on could
        // exceed 1.
        let product = select_unpredictable((place & product) >> 63 != 0, 1 << 63, product);
        // A tiny argument was multiplied by a power of two, so its sine is divided by that power.
        let lowered = (self.scale.raised + self.shift) * (1 - (quadrant & 1));
        Number::new(negative, product, -63 - (zeros + lowered) as i32)
    }
}

impl<const COSINE: bool> Segment for Angle<COSINE> {
    #[inline(always)]
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number {
        let (mut quadrant, place) = self.scale.reduce(self.significand(x));
        if k.wrong(Site::TrigQuadrantOffByOne) {
            quadrant += 3;
        }
        self.number(k, x, turned::<COSINE>(quadrant, place), |high| {
            slope(k, high >> (ROW_SHIFT - 32), high & OFFSET_MASK)
        })
    }
}

/// The data that arguments with one row share.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct AngleInRow<const COSINE: bool> {
    angle: Angle<COSINE>,
    /// The quadrant. For a cosine 1 is already added.
    quadrant: u32,
    /// The row of the ROM.
    row: [u32; 3],
}

impl<const COSINE: bool> Segment for AngleInRow<COSINE> {
    #[inline(always)]
    fn at<K: Knobs>(self, k: &K, x: u32) -> Number {
        let (_, place) = self.angle.scale.reduce(self.angle.significand(x));
        let place = complemented(self.quadrant, place);
        let slope = |high: u32| table::SHAPE.quadratic(self.row, high & OFFSET_MASK);
        self.angle.number(k, x, (self.quadrant, place), slope)
    }
}

/// Number of low bits of a position, below the bits that give the number of the row.
const ROW_SHIFT: u32 = u64::BITS - SEGMENTS.ilog2();
/// Mask of the offset in a row, within the high word of a position.
const OFFSET_MASK: u32 = (1 << (ROW_SHIFT - 32)) - 1;
/// The width of a row, in units of 2⁻¹²⁶ of a quadrant.
const ROW_WIDTH: u128 = 1 << (126 - SEGMENTS.ilog2());

/// Returns the quadrant and the position at which the sine is evaluated, from the quadrant and the
/// position of the argument.
#[inline(always)]
fn turned<const COSINE: bool>(quadrant: u32, place: u64) -> (u32, u64) {
    let quadrant = quadrant + u32::from(COSINE);
    (quadrant, complemented(quadrant, place))
}

/// Returns the position, which is measured from the other end of the quadrant if the quadrant is
/// odd. The complement of the bits is 2⁻⁶⁴ less than the exact difference, so it never equals a
/// whole quadrant.
#[inline(always)]
fn complemented(quadrant: u32, place: u64) -> u64 {
    // This code has no branch, because the quadrant is as random as the argument.
    place ^ u64::from(quadrant & 1).wrapping_neg()
}

/// Returns sin(r·π/2) / r at the offset `t` of a segment.
#[inline(always)]
fn slope<K: Knobs>(k: &K, segment: u32, t: u32) -> u32 {
    static PACKED: PackedRows<SEGMENTS> = PackedRows::new(&table::ROM);
    if K::SOUND {
        table::SHAPE.quadratic(PACKED.row(segment), t)
    } else {
        interpolate(k, Rom::Sin, &table::ROM, table::SHAPE, segment, t)
    }
}

/// The factors that convert arguments of one exponent to quadrants.
#[derive(Clone, Copy, PartialEq, Eq)]
struct AngleScale {
    /// The weight of the lowest of a significand's 24 bits, in units of 2⁻¹²⁶ of a quadrant, modulo
    /// 4 quadrants.
    unit: u128,
    /// The exponent of the power of two by which a tiny argument is multiplied first, else 0.
    raised: u32,
}

impl AngleScale {
    /// Returns the quadrant of a 24-bit significand, in the last two bits, and the position in the
    /// quadrant in units of 2⁻⁶⁴. Multiplies by one word at a time, because vector instructions
    /// have no wider products.
    #[inline(always)]
    fn reduce(self, significand: u32) -> (u32, u64) {
        let product = |word: u32, lower: u64| {
            u64::from(significand) * (self.unit >> (32 * word) & 0xffff_ffff) as u64 + (lower >> 32)
        };
        let first = product(0, 0);
        let second = product(1, first);
        let third = product(2, second);
        let fourth = product(3, third);
        let place = fourth << 34 | (third & 0xffff_ffff) << 2 | second << 32 >> 62;
        (fourth as u32 >> 30, place)
    }
}

static RADIANS: [AngleScale; 256] = scales(false);
static TURNS: [AngleScale; 256] = scales(true);

/// Returns the scales of all exponent fields.
const fn scales(turns: bool) -> [AngleScale; 256] {
    let mut scales = [AngleScale { unit: 0, raised: 0 }; 256];
    let mut field = 0;
    while field < scales.len() {
        let exponent = if field == 0 { 1 } else { field as i32 } - 150;
        let last = if exponent < LEAST { LEAST } else { exponent };
        let unit = if turns { turn(last) } else { radian(last) };
        scales[field] = AngleScale { unit, raised: (last - exponent) as u32 };
        field += 1;
    }
    scales
}

/// Returns 4 · 2^`last` in units of 2⁻¹²⁶, modulo 4.
const fn turn(last: i32) -> u128 {
    if last < 0 { 1 << (last + 128) } else { 0 }
}

/// Returns 2/π · 2^`last` in units of 2⁻¹²⁶, modulo 4, truncated. The product with a 24-bit
/// significand has an error of less than 2⁻¹⁰² of a quadrant. No binary32 is closer than about 2⁻³⁰
/// of a quadrant to a nonzero multiple of π/2.
const fn radian(last: i32) -> u128 {
    let (word, shift) = ((last + 126) as usize / 64, (last + 126) % 64); // of the 128 bits, in the table's
    let high = (table::TWO_OVER_PI[word] as u128) << 64 | table::TWO_OVER_PI[word + 1] as u128;
    high << shift | (table::TWO_OVER_PI[word + 2] as u128) << shift >> 64
}

#[cfg(test)]
mod tests;
