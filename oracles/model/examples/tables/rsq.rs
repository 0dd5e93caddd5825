//! Computes the coefficients of the reciprocal square root: 2 · 64 quadratics for 1/√x on 1 ≤ x <
//! 4.
//!
//! The published C2 has 10 bits. With 10 bits no row of the first segment has both 1/√1 = 1 and an
//! error within the published bound of 1.52 ulp. So C2 has 11 bits here.

use crate::fit::{DatapathShape, Demand, Run};
use crate::{print, real};

const SHAPE: DatapathShape =
    DatapathShape { offset: 17, square: 16, shifts: [14, 0, 0], cut: 9, falling: true, concave: false };
const WIDTHS: [u32; 3] = [26, 16, 11];

/// Returns the argument at an offset of a segment. The first 64 segments cover [1, 2), the others
/// [2, 4).
pub(crate) fn argument(segment: i64, t: i64) -> i64 {
    let fraction = ((segment % 64) << 17) + t;
    (real::ONE + (fraction << (real::FRACTION - 23))) << (segment / 64)
}

/// Returns the Rust source of the table.
pub fn source() -> String {
    let run = Run {
        shape: SHAPE,
        widths: WIDTHS,
        fraction: 31,
        segments: 128,
        truth: &|segment, t| real::sqrt(real::div(real::ONE, argument(segment, t))),
        joined: true,
        demands: &[
            // C0 cannot hold 1, so the result must be a number that rounds to 1.
            Demand { segment: 0, t: 0, results: (1 << 31) - (1 << 6)..=1 << 31 },
            Demand { segment: 127, t: (1 << 17) - 1, results: (1 << 30) + 1..=1 << 31 },
        ],
    };
    let doc = "For each segment of 2⁻⁶ from 1 to 2, then for each of 2⁻⁵ from 2 to 4, the row C0, C1, C2 of\n\
               1/√x ≈ C0 − C1·T + C2·T², T being a fraction of the segment: unsigned, of 26, 16 and 11 bits, in\n\
               units of 2⁻²⁶, 2⁻²³ and 2⁻²⁴.";
    print::head("The reciprocal square root's table.", "rsq")
        + &print::table("", doc, SHAPE, WIDTHS, &run.fit())
}
