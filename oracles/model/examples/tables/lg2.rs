//! Computes the coefficients of the logarithm: 64 quadratics for log₂(x) / (x − 1) on 11/16 ≤ x <
//! 11/8.

use crate::fit::{DatapathShape, Run};
use crate::{print, real};

const SHAPE: DatapathShape =
    DatapathShape { offset: 17, square: 16, shifts: [14, 0, 0], cut: 8, falling: true, concave: false };
const WIDTHS: [u32; 3] = [26, 16, 10];

/// Returns the Rust source of the table.
pub fn source() -> String {
    let part = |start: i64, width: u32, segments: i64| {
        let truth = |segment: i64, t: i64| {
            real::log2_over_excess(start + (((segment << 17) + t) << (real::FRACTION - width)))
        };
        let run = Run {
            shape: SHAPE,
            widths: WIDTHS,
            fraction: 31,
            segments,
            truth: &truth,
            joined: false,
            demands: &[],
        };
        run.fit()
    };
    let rows = [part(real::ONE, 23, 24), part(real::ONE / 16 * 11, 24, 40)].concat();
    let doc = "For each segment of 2⁻⁶ from 1 to 11/8, then for each of 2⁻⁷ from 11/16 to 1, the row C0, C1, C2 of\n\
               log₂(x) / (x − 1) ≈ C0 − C1·T + C2·T², T being a fraction of the segment: unsigned, of 26, 16\n\
               and 10 bits, in units of 2⁻²⁵, 2⁻²² and 2⁻²³.";
    print::head("The logarithm's table.", "lg2") + &print::table("", doc, SHAPE, WIDTHS, &rows)
}
