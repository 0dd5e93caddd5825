//! Computes the coefficients of the hyperbolic tangent: 64 quadratics for tanh(x)/x on 0 ≤ x < ½,
//! and 64 for each binade of tanh x from ½ to 9.125.

use crate::fit::{DatapathShape, Demand, Row, Run};
use crate::{print, real};

const SMALL: DatapathShape =
    DatapathShape { offset: 26, square: 16, shifts: [24, 0, 9], cut: 18, falling: true, concave: true };
const LARGE: DatapathShape =
    DatapathShape { offset: 17, square: 34, shifts: [31, 17, 0], cut: 25, falling: false, concave: true };
/// Number of segments: four binades, and the part of the fifth whose results round to less than 1.
const LARGE_SEGMENTS: i64 = 4 * 64 + 9;
const WIDTHS: [u32; 3] = [26, 16, 10];

/// Returns rows for tanh x from the segment `start` on.
fn part(start: i64, segments: i64) -> Vec<Row> {
    let run = Run {
        shape: LARGE,
        widths: WIDTHS,
        fraction: 32,
        segments,
        truth: &|segment, t| {
            let segment = start + segment;
            let significand = (1 << 23) + ((segment % 64) << 17) + t;
            real::tanh(significand << (32 + segment / 64)) // 2⁻⁵⁶ · 2⁵⁶⁻²⁴ for the binade of ½
        },
        joined: true,
        demands: &[Demand { segment: segments - 1, t: (1 << 17) - 1, results: 0..=(1 << 32) - 1 }],
    };
    run.fit()
}

/// Returns the Rust source of the tables.
pub fn source() -> String {
    let small = Run {
        shape: SMALL,
        widths: WIDTHS,
        fraction: 32,
        segments: 64,
        truth: &|segment, t| real::tanh_over(((segment << 26) + t) << (real::FRACTION - 33)),
        joined: false,
        // C0 cannot hold 1, so it holds the greatest number below 1 instead.
        demands: &[Demand { segment: 0, t: 0, results: (1 << 32) - (1 << 6)..=1 << 32 }],
    };
    // If tanh x is below ½, an ulp is half as large. So the first binade is fitted separately, with
    // its own bound.
    let large = [part(0, 64), part(64, LARGE_SEGMENTS - 64)].concat();
    let small_doc = "For each segment of 2⁻⁷ from 0 to ½ the row C0, C1, C2 of tanh(x)/x ≈ C0 − C1·T − C2·T², T being\n\
                     a fraction of the segment: unsigned, of 26, 16 and 10 bits, in units of 2⁻²⁶, 2⁻²⁴ and 2⁻²⁵.";
    let large_doc = "For each 64th of the binades from ½, 1, 2, 4 and 8 to 9.125 the row C0, C1, C2 of\n\
                     tanh x ≈ C0 + C1·T − C2·T², T being a fraction of the segment: unsigned, of 26, 16 and 10 bits,\n\
                     in units of 2⁻²⁶, 2⁻²³ and 2⁻²³.";
    print::head("The hyperbolic tangent's tables.", "tanh")
        + &print::table("SMALL_", small_doc, SMALL, WIDTHS, &small.fit())
        + &print::table("LARGE_", large_doc, LARGE, WIDTHS, &large)
}
