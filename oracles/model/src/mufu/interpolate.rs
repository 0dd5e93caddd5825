//! The quadratic interpolator that the functions share, as the hardware has it.
//!
//! A segment of the argument's range chooses a row C0, C1, C2 of a ROM, what is left of the argument is the
//! offset t, and C0 ± C1·t ± C2·t² is the function in fixed point: Oberman and Siu, "A High-Performance
//! Area-Efficient Multifunction Interpolator" (ARITH 2005), NVIDIA's design. The squarer keeps leading bits
//! only, as truncated arrays do; the products are added whole and the sum is cut once, so that a row that
//! rises cannot falter. Where the bits lie stands beside each table; the fit of the rows is explained in
//! `oracles/tables/src/fit.rs`. [RCP](super::rcp), which was first, has a datapath and a fit of its own.

use crate::knobs::Knobs;
use crate::mufu::rom::Rom;
use crate::site::Site;

/// The function at the offset `t` of a segment, in the fixed point of the shape.
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

/// What a datapath uses of an offset of so many bits: all of it.
#[inline(always)]
pub(crate) fn used<K: Knobs>(k: &K, rom: Rom, bits: u32, t: u32) -> u32 {
    let unused = if k.wrong(Site::OffsetTruncated(rom)) { bits - 1 } else { 0 };
    t >> unused << unused
}

/// Where the bits of the datapath lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DatapathShape {
    /// Bits of the offset t.
    pub offset: u32,
    /// Leading bits of t² that are kept.
    pub square: u32,
    /// How far C0, C1·t and C2·t² are shifted left, to be added.
    pub shifts: [u32; 3],
    /// How many bits of the sum are cut off.
    pub cut: u32,
    /// Whether C1·t is subtracted.
    pub falling: bool,
    /// Whether C2·t² is subtracted.
    pub concave: bool,
}

impl DatapathShape {
    /// C0 ± C1·t ± C2·t². With a shape that is a constant nothing is decided at run time.
    #[inline(always)]
    pub const fn quadratic(self, row: [u32; 3], t: u32) -> u32 {
        let [c0, c1, c2] = [row[0] as u64, row[1] as u64, row[2] as u64];
        let t = t as u64;
        let square = (t * t) >> (2 * self.offset - self.square);
        let linear = (c1 * t) << self.shifts[1];
        let curved = (c2 * square) << self.shifts[2];
        // No sound row overflows, but a faulty one may.
        let sum = c0 << self.shifts[0];
        let sum = if self.falling { sum.wrapping_sub(linear) } else { sum.wrapping_add(linear) };
        let sum = if self.concave { sum.wrapping_sub(curved) } else { sum.wrapping_add(curved) };
        (sum >> self.cut) as u32
    }
}

#[cfg(test)]
pub(crate) mod tests;
