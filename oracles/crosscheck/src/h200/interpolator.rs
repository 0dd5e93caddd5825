//! The interpolator: a table of coefficients, a multiplier, a squarer, and a sum whose low bits are
//! cut off.
//!
//! The design is that of Oberman and Siu, "A High-Performance Area-Efficient Multifunction
//! Interpolator" (ARITH 2005). The squarer drops low bits of its partial products. They are the
//! same bits that an older unit drops, which envytools documents (`nvhw/sfu.c`, M. Koscielnicki,
//! MIT).

use std::sync::LazyLock;

use super::tables::Row;

/// Number of bits of the squarer's operand.
const SQUARER_BITS: u32 = 17;

/// The result of the squarer for each operand.
static SQUARES: LazyLock<Vec<u32>> = LazyLock::new(|| (0..1 << SQUARER_BITS).map(square).collect());

/// Returns approximately x²/2^19 for an x of 17 bits. Each partial product is cut off before it is
/// added.
fn square(x: u32) -> u32 {
    let partial_products = (0..SQUARER_BITS).filter(|i| x >> i & 1 == 1).map(|i| x >> (18 - i));
    partial_products.sum::<u32>() >> 1
}

/// A table of coefficients, and how the three terms of a row are added.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interpolator {
    /// The rows, one for each segment.
    pub(super) rows: &'static [Row],
    /// Number of low bits of an argument that are the offset in its segment, at most 17. The bits
    /// above are the segment's number.
    pub(super) offset_bits: u32,
    /// Numbers of bits by which A, B·x and C·s are shifted to the left.
    pub(super) shifts: [u32; 3],
    /// The constant that is added to the sum before the cut.
    pub(super) rounding: i64,
    /// Number of low bits of the sum that are cut off.
    pub(super) cut: u32,
}

impl Interpolator {
    /// Returns the interpolated value at an argument, rounded toward minus infinity.
    #[inline(always)]
    pub(super) fn at(&self, argument: u32) -> i64 {
        let [a, b, c] = self.rows[(argument >> self.offset_bits) as usize];
        let x = argument & ((1 << self.offset_bits) - 1);
        let square = SQUARES[(x << (SQUARER_BITS - self.offset_bits)) as usize];
        let constant = i64::from(a) << self.shifts[0];
        let linear = (i64::from(b) * i64::from(x)) << self.shifts[1];
        let quadratic = (i64::from(c) * i64::from(square)) << self.shifts[2];
        (constant + linear + quadratic + self.rounding) >> self.cut
    }
}
