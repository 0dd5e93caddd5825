//! The coefficients of the reciprocal: 128 quadratics for 1/x on 1 ≤ x < 2.
//!
//! The datapath is the interpolator of Oberman and Siu, "A High-Performance Area-Efficient
//! Multifunction Interpolator" (ARITH 2005). 7 bits of the fraction choose a segment, and the other
//! 16 are the offset t. C0 − C1·t + C2·t² has coefficients of 26, 16 and 10 bits. The paper reports
//! an error of at most 0.98 ulp, 87 % correctly rounded results, and monotonicity.
//!
//! The fit follows Piñeiro, Oberman, Muller and Bruguera, "High-Speed Function Approximation Using
//! a Minimax Quadratic Interpolator" (IEEE Trans. Computers 54(3), 2005). It starts from the real
//! near-minimax quadratic, rounds C1, fits C2 again to the rounded C1, then centres C0 on the
//! remaining error of the rounded datapath. Each step also tries numbers next to the rounded one.
//! Every candidate is measured, in exact integers, on all 65 536 inputs of its segment. Two
//! criteria choose, in this order:
//!
//! 1. The table's greatest error is minimal, so the worst segment sets the bound.
//! 2. Within that bound each segment takes the row with the most correctly rounded results.
//!
//! Results must never rise as x rises, and 1/1 must be 1. All numbers are integers, so the table is
//! the same on every machine.

use std::{cmp::Reverse, fmt::Write, ops::RangeInclusive};

/// Coefficients C0, C1, C2 in units of 2⁻²⁶, 2⁻¹⁶ and 2⁻¹⁰.
pub type RcpRow = [u32; 3];

const SEGMENTS: i64 = 128;
const OFFSETS: i64 = 1 << 16;
/// The number 1 as an input significand, in units of 2⁻²³. `ONE_OUT` is the number 1 as a result,
/// in units of 2⁻²⁴.
const ONE_IN: i64 = 1 << 23;
const ONE_OUT: i64 = 1 << 24;
const WIDTHS: [u32; 3] = [26, 16, 10];

/// The errors of a row on its segment.
struct RcpFit {
    row: RcpRow,
    /// The greatest error, in units of 2⁻³² ulp.
    worst: i64,
    /// Number of correctly rounded results.
    correct: u32,
    first: i64,
    last: i64,
}

/// Returns the 128 rows.
pub fn fit() -> Vec<RcpRow> {
    let segments: Vec<Vec<RcpFit>> = (0..SEGMENTS)
        .map(|segment| candidates(segment).into_iter().filter_map(|row| measure(segment, row)).collect())
        .collect();
    let least = |fits: &Vec<RcpFit>| fits.iter().map(|fit| fit.worst).min();
    let bound = segments.iter().filter_map(least).max().expect("segments");
    let mut ceiling = ONE_OUT;
    segments
        .iter()
        .map(|fits| {
            let best = fits
                .iter()
                .filter(|fit| fit.worst <= bound && fit.first <= ceiling)
                .max_by_key(|fit| (fit.correct, Reverse((fit.worst, fit.row))))
                .expect("a row within the bound that continues the segment before it");
            ceiling = best.last;
            best.row
        })
        .collect()
}

/// Returns rows near the near-minimax quadratic of a segment.
///
/// The quadratic that meets 1/x at n₀, n₁, n₂ is (1 − (n₀−x)(n₁−x)(n₂−x) / n₀n₁n₂) / x. Its
/// expansion at the start a of the segment has C1 = (n₀ + n₁ + n₂ − 2a) / n₀n₁n₂ and C2 = 1 /
/// n₀n₁n₂. The quadratic is near-minimax if n₀, n₁, n₂ are Chebyshev's nodes. A C1 that is too
/// great by ε is compensated by a C2 that is greater by ε/h, on a segment of width h.
fn candidates(segment: i64) -> Vec<RcpRow> {
    let start = i128::from(ONE_IN + segment * OFFSETS);
    let nodes = [4390, 32768, 61146].map(|node| start + node); // 2¹⁵ · (1 − √¾, 1, 1 + √¾)
    let product: i128 = nodes.iter().product(); // in units of 2⁻⁶⁹, so below C1 and C2 are …
    let c1_real = (nodes.iter().sum::<i128>() - 2 * start) << (46 + 16); // … these over it,
    let c2_real = 1_i128 << (69 + 10); // in units of the coefficients' last places
    let mut rows = Vec::new();
    for c1 in around(c1_real / product) {
        let excess = c1 * product - c1_real;
        for c2 in around((c2_real + 2 * excess) / product) {
            for c0 in around(centre(segment, c1, c2)) {
                let row = [c0, c1, c2];
                if row.iter().zip(WIDTHS).all(|(&c, width)| (0..1 << width).contains(&c)) {
                    rows.push(row.map(|c| c as u32));
                }
            }
        }
    }
    rows
}

/// Returns the integers near a number whose integer part is `floor`.
fn around(floor: i128) -> RangeInclusive<i128> {
    floor - 1..=floor + 2
}

/// Returns the C0 for which the greatest errors of both signs are equal, rounded down.
fn centre(segment: i64, c1: i128, c2: i128) -> i128 {
    let rest = |t| {
        let truth = (1 << 54) / (ONE_IN + segment * OFFSETS + t);
        truth - quadratic([0, c1 as i64, c2 as i64], t)
    };
    let samples = || (0..OFFSETS).step_by(257).map(rest);
    let sum = samples().min().expect("samples") + samples().max().expect("samples");
    i128::from((sum / 2) >> 5)
}

/// Computes the datapath before rounding, in units of 2⁻³¹. The function equals `significand` in
/// `oracles/model/src/mufu/rcp.rs`, whose tests check the committed table against the figures
/// above.
fn quadratic([c0, c1, c2]: [i64; 3], t: i64) -> i64 {
    let square = (t * t) >> 17;
    (c0 << 5) - ((c1 * t) >> 8) + ((c2 * square) >> 8)
}

/// Measures the errors of a row on its whole segment. Returns `None` if the results rise, or if 1/1
/// is not 1.
fn measure(segment: i64, row: RcpRow) -> Option<RcpFit> {
    let coefficients = row.map(i64::from);
    let result = |t| (quadratic(coefficients, t) + (1 << 6)) >> 7;
    let (first, last) = (result(0), result(OFFSETS - 1));
    let mut fit = RcpFit { row, worst: 0, correct: 0, first, last };
    let mut previous = first;
    for t in 0..OFFSETS {
        let x = ONE_IN + segment * OFFSETS + t;
        let y = result(t);
        if y > previous {
            return None;
        }
        previous = y;
        let error = (y * x - (1 << 47)).abs(); // in units of 1/x ulp
        fit.correct += u32::from(2 * error < x);
        if error << 32 > fit.worst * x {
            fit.worst = (error << 32) / x;
        }
    }
    (segment != 0 || first == ONE_OUT).then_some(fit)
}

/// Returns the Rust source of the table.
pub fn source() -> String {
    let mut text = String::from(
        "//! The reciprocal's table. Generated, do not edit:\n\
         //! `cargo run -p assay-model --release --example tables -- rcp` prints it, `-- --check` compares.\n\
         \n\
         /// For each segment of 2⁻⁷ from 1 to 2 the row C0, C1, C2 of 1/x ≈ C0 − C1·t + C2·t², t counting\n\
         /// from the segment's start: unsigned, of 26, 16 and 10 bits, in units of 2⁻²⁶, 2⁻¹⁶ and 2⁻¹⁰.\n\
         pub(super) const ROM: [[u32; 3]; 128] = [\n",
    );
    for [c0, c1, c2] in fit() {
        writeln!(text, "    [{c0:#09x}, {c1:#06x}, {c2:#05x}],").expect("a String takes all");
    }
    text + "];\n"
}
