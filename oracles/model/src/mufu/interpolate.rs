//! The quadratic interpolator that the functions share. It works as in hardware.
//!
//! The argument's segment chooses a row C0, C1, C2 of a ROM. The rest of the argument is the offset
//! t. C0 ± C1·t ± C2·t² is the function in fixed point. The design is NVIDIA's: Oberman and Siu, "A
//! High-Performance Area-Efficient Multifunction Interpolator" (ARITH 2005). The squarer keeps
//! leading bits only, as truncated arrays do. The products are added in full, and the sum is
//! truncated once. So on a segment where the row's quadratic rises, the results never fall. Each
//! table states its bit positions. `oracles/model/examples/tables/fit.rs` explains the fit of the
//! coefficients. [RCP](super::rcp) has a separate datapath and a separate fit.

use crate::knobs::Knobs;
use crate::mufu::rom::Rom;
use crate::site::Site;

/// Returns the function at the offset `t` of a segment, in the fixed-point format of the shape.
#[inline(always)]
pub(crate) fn interpolate<K: Knobs>(
    k: &K,
    rom: Rom,
    table: &[[u32; 3]],
    shape: DatapathShape,
    segment: u32,
    t: u32,
) -> u32 {
    shape.quadratic(k.row(rom, table, segment as usize), used(k, rom, shape.offset, t))
}

/// The rows of a table, each packed into one word. If each lane needs a different row, loading the
/// rows takes most of the time. One load of a packed row is three times as fast as three loads.
pub(crate) struct PackedRows<const SEGMENTS: usize>([u64; SEGMENTS]);

impl<const SEGMENTS: usize> PackedRows<SEGMENTS> {
    /// Packs a table. C0 has at most 32 bits, C1 and C2 have at most 16.
    pub(crate) const fn new(table: &[[u32; 3]; SEGMENTS]) -> PackedRows<SEGMENTS> {
        let mut words = [0; SEGMENTS];
        let mut segment = 0;
        while segment < SEGMENTS {
            let [c0, c1, c2] = table[segment];
            assert!(c1 >> 16 == 0 && c2 >> 16 == 0);
            words[segment] = (c0 as u64) << 32 | (c1 as u64) << 16 | c2 as u64;
            segment += 1;
        }
        PackedRows(words)
    }

    /// Returns the row of a segment.
    #[inline(always)]
    pub(crate) fn row(&self, segment: u32) -> [u32; 3] {
        let word = self.0[segment as usize];
        [(word >> 32) as u32, (word >> 16 & 0xffff) as u32, (word & 0xffff) as u32]
    }
}

/// Returns the bits of an offset that the interpolator uses: all of them, unless a fault is
/// planted.
#[inline(always)]
pub(crate) fn used<K: Knobs>(k: &K, rom: Rom, bits: u32, t: u32) -> u32 {
    let unused = if k.wrong(Site::OffsetTruncated(rom)) { bits - 1 } else { 0 };
    t >> unused << unused
}

/// The bit positions and the signs of a datapath.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DatapathShape {
    /// Bits of the offset t.
    pub offset: u32,
    /// Leading bits of t² that are kept.
    pub square: u32,
    /// Left shifts of C0, C1·t and C2·t² before the addition.
    pub shifts: [u32; 3],
    /// Bits of the sum that are cut off.
    pub cut: u32,
    /// Whether C1·t is subtracted.
    pub falling: bool,
    /// Whether C2·t² is subtracted.
    pub concave: bool,
}

impl DatapathShape {
    /// Returns C0 ± C1·t ± C2·t². If the shape is a constant, the compiler resolves its branches.
    #[inline(always)]
    pub const fn quadratic(self, row: [u32; 3], t: u32) -> u32 {
        let [c0, c1, c2] = [row[0] as u64, row[1] as u64, row[2] as u64];
        let t = t as u64;
        let square = (t * t) >> (2 * self.offset - self.square);
        let linear = (c1 * t) << self.shifts[1];
        let curved = (c2 * square) << self.shifts[2];
        // Only a faulty row can overflow.
        let sum = c0 << self.shifts[0];
        let sum = if self.falling { sum.wrapping_sub(linear) } else { sum.wrapping_add(linear) };
        let sum = if self.concave { sum.wrapping_sub(curved) } else { sum.wrapping_add(curved) };
        (sum >> self.cut) as u32
    }
}

#[cfg(test)]
pub(crate) mod tests;
