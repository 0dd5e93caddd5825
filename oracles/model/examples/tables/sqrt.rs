//! The coefficients of the square root: 2 · 64 quadratics for √x on 1 ≤ x < 4.

use crate::fit::{DatapathShape, Demand, Run};
use crate::{print, real, rsq};

const SHAPE: DatapathShape =
    DatapathShape { offset: 17, square: 16, shifts: [15, 1, 0], cut: 9, falling: false, concave: true };
const WIDTHS: [u32; 3] = [26, 16, 10];

/// Returns the Rust source of the table.
pub fn source() -> String {
    let run = Run {
        shape: SHAPE,
        widths: WIDTHS,
        fraction: 31,
        segments: 128,
        truth: &|segment, t| match rsq::argument(segment, t) {
            // The end of the last segment is 4, which exceeds the range of the fixed-point numbers.
            // Its root is 2.
            x if x < 0 => 2 * real::ONE,
            x => real::sqrt(x),
        },
        joined: true,
        demands: &[
            Demand { segment: 0, t: 0, results: 1 << 31..=1 << 31 },
            Demand { segment: 127, t: (1 << 17) - 1, results: 0..=(1 << 32) - 1 },
        ],
    };
    let doc = "For each segment of 2⁻⁶ from 1 to 2, then for each of 2⁻⁵ from 2 to 4, the row C0, C1, C2 of\n\
               √x ≈ C0 + C1·T − C2·T², T being a fraction of the segment: unsigned, of 26, 16 and 10 bits, in\n\
               units of 2⁻²⁵, 2⁻²² and 2⁻²⁴.";
    print::head("The square root's table.", "sqrt") + &print::table("", doc, SHAPE, WIDTHS, &run.fit())
}
