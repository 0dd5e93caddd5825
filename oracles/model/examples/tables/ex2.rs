//! The coefficients of the power of two: 64 quadratics for 2ˣ on 0 ≤ x < 1.

use crate::fit::{DatapathShape, Demand, Run};
use crate::{print, real};

const SHAPE: DatapathShape =
    DatapathShape { offset: 26, square: 16, shifts: [22, 0, 8], cut: 16, falling: false, concave: false };
const WIDTHS: [u32; 3] = [26, 16, 10];

/// Returns the Rust source of the table.
pub fn source() -> String {
    let run = Run {
        shape: SHAPE,
        widths: WIDTHS,
        fraction: 31,
        segments: 64,
        truth: &|segment, t| real::exp2(((segment << 26) + t) << (real::FRACTION - 32)),
        joined: true,
        demands: &[
            Demand { segment: 0, t: 0, results: 1 << 31..=1 << 31 },
            // The last value must round to 2, because it is also used for 2ˣ at the negative x
            // nearest to 0.
            Demand { segment: 63, t: (1 << 26) - 1, results: (1 << 32) - (1 << 7)..=(1 << 32) - 1 },
        ],
    };
    let doc = "For each segment of 2⁻⁶ from 0 to 1 the row C0, C1, C2 of 2ˣ ≈ C0 + C1·T + C2·T², T being a\n\
               fraction of the segment: unsigned, of 26, 16 and 10 bits, in units of 2⁻²⁵, 2⁻²¹ and 2⁻²³.";
    print::head("The power of two's table.", "ex2") + &print::table("", doc, SHAPE, WIDTHS, &run.fit())
}
