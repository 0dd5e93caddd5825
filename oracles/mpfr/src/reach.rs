//! How far the operands of a column reach, so that what holds for all of them is decided once.

use assay_isa::format::Format;
use multiversion::multiversion;

/// Operands that are looked at together: if one kernel or row is for them all they go through it as a column.
pub const CHUNK: usize = 256;

/// How far operands reach.
pub struct Reach {
    /// The least magnitude.
    pub least: u32,
    /// The greatest.
    pub most: u32,
    /// Signs that some have, and that all have.
    some: u32,
    all: u32,
}

impl Reach {
    /// The reach of operands in a format.
    pub fn of(operands: &[u32], format: Format) -> Reach {
        reach(operands, format.sign_mask())
    }

    /// Whether all are finite and none is zero.
    pub fn only_numbers(&self, format: Format) -> bool {
        self.least > 0 && self.most < format.infinity()
    }

    /// Whether all are NaN.
    pub fn only_nans(&self, format: Format) -> bool {
        self.least > format.infinity()
    }

    /// Whether none has a sign.
    pub fn is_positive(&self) -> bool {
        self.some == 0
    }

    /// Whether all have.
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
