//! The reach of some operands: the range of their magnitudes, and their signs. One decision can
//! then cover all of them.

use assay_isa::format::Format;
use multiversion::multiversion;

/// Number of operands that are checked together. If all operands of a chunk need the same kernel or
/// row, they are computed as a column.
pub const CHUNK: usize = 256;

/// The range of magnitudes and the signs of some operands.
pub struct Reach {
    /// The least magnitude.
    pub least: u32,
    /// The greatest magnitude.
    pub most: u32,
    /// The sign bit, if at least one operand is negative.
    some: u32,
    /// The sign bit, if all operands are negative.
    all: u32,
}

impl Reach {
    /// Returns the reach of some operands in a format.
    pub fn of(operands: &[u32], format: Format) -> Reach {
        reach(operands, format.sign_mask())
    }

    /// Returns whether all operands are finite and none is zero.
    pub fn only_numbers(&self, format: Format) -> bool {
        self.least > 0 && self.most < format.infinity()
    }

    /// Returns whether all operands are NaN.
    pub fn only_nans(&self, format: Format) -> bool {
        self.least > format.infinity()
    }

    /// Returns whether no operand has its sign bit set.
    pub fn is_positive(&self) -> bool {
        self.some == 0
    }

    /// Returns whether all operands have their sign bits set.
    pub fn is_negative(&self) -> bool {
        self.all != 0
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn reach(operands: &[u32], sign: u32) -> Reach {
    let mut reach = Reach { least: u32::MAX, most: 0, some: 0, all: sign };
    for bits in operands {
        let magnitude = bits & !sign;
        reach.least = reach.least.min(magnitude);
        reach.most = reach.most.max(magnitude);
        reach.some |= bits & sign;
        reach.all &= bits;
    }
    reach
}
