//! Fits quadratics with short coefficients, segment by segment, for the function unit's interpolator.
//!
//! The fit follows Piñeiro, Oberman, Muller and Bruguera, "High-Speed Function Approximation Using
//! a Minimax Quadratic Interpolator" (IEEE Trans. Computers 54(3), 2005). It starts from the real
//! near-minimax quadratic, rounds C1, fits C2 again to the rounded C1, then centres C0 on the
//! remaining error of the rounded datapath. Each step also tries numbers next to the rounded one.
//! Every candidate is measured on the rounded datapath at a thousand offsets. Two criteria choose a
//! row, in this order:
//!
//! 1. The table's greatest error is minimal, so the worst segment sets the bound. A segment with a
//!    [`Demand`] has its own bound.
//! 2. Within that bound, each segment takes the row with the least average error, because the share
//!    of wrongly rounded results is proportional to the error before rounding, in ulp.
//!
//! If `joined` is set, no step between segments goes in the wrong direction. Each [`Demand`] of a
//! function is met. All numbers are integers, so the table is the same on every machine.

use std::ops::RangeInclusive;

use crate::real;

/// Coefficients C0, C1, C2.
pub type Row = [u32; 3];

/// The bit positions of the datapath. The model defines a type with the same fields in
/// `oracles/model/src/mufu/interpolate.rs`.
#[derive(Clone, Copy, Debug)]
pub struct DatapathShape {
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
    fn offsets(&self) -> i64 {
        1 << self.offset
    }

    /// Returns the weights of the coefficients' last places, as exponents of 2. The weights are in
    /// units of the datapath's result, for t as a fraction of the segment.
    fn places(&self) -> [i32; 3] {
        let [c0, c1, c2] = self.shifts.map(|shift| shift as i32 - self.cut as i32);
        [c0, c1 + self.offset as i32, c2 + self.square as i32]
    }

    /// Returns C0 ± C1·t ± C2·t² before truncation.
    fn sum(&self, [c0, c1, c2]: [i64; 3], t: i64) -> i64 {
        let square = (t * t) >> (2 * self.offset - self.square);
        let signed = |negative, term: i64| if negative { -term } else { term };
        (c0 << self.shifts[0])
            + signed(self.falling, (c1 * t) << self.shifts[1])
            + signed(self.concave, (c2 * square) << self.shifts[2])
    }

    /// Returns whether the slope of a row keeps its sign. If the terms have different signs, C1 −
    /// 2·C2·T ≥ 0 is required.
    fn steady(&self, [_, c1, c2]: [i64; 3]) -> bool {
        let [_, linear, curved] = self.places();
        self.falling == self.concave || c1 << (linear - curved + 4) >= c2 << 5
    }
}

/// A required result at an offset of a segment, in the datapath's units.
#[derive(Clone, Debug)]
pub struct Demand {
    /// The segment.
    pub segment: i64,
    /// The offset.
    pub t: i64,
    /// The allowed results.
    pub results: RangeInclusive<i64>,
}

/// Adjacent segments on which a function only rises or only falls.
pub struct Run<'a> {
    /// The datapath.
    pub shape: DatapathShape,
    /// Widths of the coefficients in bits.
    pub widths: [u32; 3],
    /// Bits after the point of the datapath's result.
    pub fraction: u32,
    /// Number of segments.
    pub segments: i64,
    /// Returns the exact function at an offset of a segment. The offset may be the end of the
    /// segment.
    pub truth: &'a dyn Fn(i64, i64) -> i64,
    /// Whether the step from each segment to the next must not go in the wrong direction.
    pub joined: bool,
    /// The required results at single points.
    pub demands: &'a [Demand],
}

/// A row and its errors on its segment.
struct Fit {
    row: Row,
    /// The greatest error, in units of [`real`] (2⁻⁶⁰). `total` is the sum of all errors, in units
    /// that are 2¹² times as large.
    worst: i64,
    total: i64,
    first: i64,
    last: i64,
}

/// The best choice of rows for the segments up to one segment, if `fit` is that segment's row.
struct Way<'a> {
    fit: &'a Fit,
    total: i64,
    /// Index of the way for the previous segments, which this way extends.
    before: usize,
}

impl Run<'_> {
    /// Returns the fitted rows.
    pub fn fit(&self) -> Vec<Row> {
        let segments: Vec<Vec<Fit>> = (0..self.segments).map(|segment| self.candidates(segment)).collect();
        let least = |segment: usize| segments[segment].iter().map(|fit| fit.worst).min().expect("a row");
        let free = |&segment: &usize| self.demands.iter().all(|demand| demand.segment != segment as i64);
        let bound = (0..segments.len()).filter(free).map(least).max().expect("a segment without demands");
        let bounds: Vec<i64> = (0..segments.len()).map(|segment| least(segment).max(bound)).collect();
        // The best rows of neighbouring segments may not join, so the bounds are relaxed step by
        // step.
        let slack = 64..;
        slack
            .map(|slack| self.chain(&segments, &bounds, slack))
            .find_map(|rows| rows)
            .expect("rows that join")
    }

    /// Returns the rows with the least sum of errors, if any rows satisfy two conditions. The rows
    /// join. Each row's error is at most `slack` 64ths of its segment's bound.
    ///
    /// This is dynamic programming: the best way to each row extends a best way to the previous
    /// segment.
    fn chain(&self, segments: &[Vec<Fit>], bounds: &[i64], slack: i64) -> Option<Vec<Row>> {
        let mut ways: Vec<Vec<Way>> = Vec::new();
        for (fits, bound) in segments.iter().zip(bounds) {
            let mut here = Vec::new();
            for fit in fits.iter().filter(|fit| fit.worst <= bound / 64 * slack) {
                let before = match ways.last() {
                    None => Some((0, 0)),
                    Some(ways) => (0..)
                        .zip(ways)
                        .filter(|(_, way)| self.joins(way.fit.last, fit.first))
                        .map(|(index, way)| (way.total, index))
                        .min(),
                };
                let way = |(total, before)| Way { fit, total: total + fit.total, before };
                here.extend(before.map(way));
            }
            ways.push(here);
        }
        let mut index =
            (0..ways.last()?.len()).min_by_key(|&index| (ways[ways.len() - 1][index].total, index))?;
        let mut rows: Vec<Row> = Vec::new();
        for ways in ways.iter().rev() {
            rows.push(ways[index].fit.row);
            index = ways[index].before;
        }
        rows.reverse();
        Some(rows)
    }

    fn joins(&self, last: i64, first: i64) -> bool {
        !self.joined || if self.shape.falling { last >= first } else { last <= first }
    }

    /// Returns rows near the near-minimax quadratic of a segment, with their errors.
    ///
    /// The quadratic meets the function at Chebyshev's nodes ½ − s, ½ and ½ + s, with s = √3/4 of
    /// the segment. A C1 that is too great by ε is compensated by a C2 that is smaller by ε, with t
    /// as a fraction of the segment.
    fn candidates(&self, segment: i64) -> Vec<Fit> {
        let shape = self.shape;
        let node = (shape.offsets() * 1_123_861) >> 24; // ½ − s
        let [y0, y1, y2] =
            [node, shape.offsets() / 2, shape.offsets() - node].map(|t| (self.truth)(segment, t));
        let curve = (y2 - 2 * y1 + y0) / 3 * 8;
        let slope = real::div(y2 - y0, real::sqrt(real::ONE / 4 * 3)) - curve;
        let [_, linear, curved] = shape.places().map(|place| place + self.unit());
        let samples = self.samples(segment);
        let mut fits = Vec::new();
        let signed = |negative: bool, term: i64| if negative { -term } else { term };
        for c1 in around(signed(shape.falling, slope) >> linear, 3) {
            let curve = curve + slope - signed(shape.falling, c1 << linear);
            for c2 in around(signed(shape.concave, curve) >> curved, 2) {
                if !self.joined || shape.steady([0, c1, c2]) {
                    self.measure(segment, [c1, c2], &samples, &mut fits);
                }
            }
        }
        fits
    }

    /// Returns the weight of the last place of the datapath's result, in units of [`real`], as an
    /// exponent of 2.
    fn unit(&self) -> i32 {
        (real::FRACTION - self.fraction) as i32
    }

    /// Returns the truncated sum, in units of [`real`].
    fn real(&self, sum: i64) -> i64 {
        (sum >> self.shape.cut) << self.unit()
    }

    /// Returns offsets spread over a segment, including its ends, each with the exact function.
    fn samples(&self, segment: i64) -> Vec<(i64, i64)> {
        let last = self.shape.offsets() - 1;
        let spread = (0..SAMPLES).map(|n| last * n / (SAMPLES - 1));
        spread.map(|t| (t, (self.truth)(segment, t))).collect()
    }

    /// Finds the C0 for which the greatest errors of both signs are equal, given C1 and C2.
    /// Measures the rows with this C0 and its neighbours.
    fn measure(&self, segment: i64, [c1, c2]: [i64; 2], samples: &[(i64, i64)], fits: &mut Vec<Fit>) {
        let shape = self.shape;
        let place = shape.shifts[0] + self.unit() as u32 - shape.cut;
        let rest = |&(t, truth): &(i64, i64)| truth - self.real(shape.sum([0, c1, c2], t));
        let rest: Vec<i64> = samples.iter().map(rest).collect();
        let least = *rest.iter().min().expect("samples");
        let greatest = *rest.iter().max().expect("samples");
        for c0 in around(((least + greatest) / 2) >> place, 3) {
            let row = [c0, c1, c2];
            if row.iter().zip(self.widths).any(|(&c, width)| !(0..1 << width).contains(&c)) {
                continue;
            }
            let value = |t| shape.sum(row, t) >> shape.cut;
            let mut demands = self.demands.iter().filter(|demand| demand.segment == segment);
            if !demands.all(|demand| demand.results.contains(&value(demand.t))) {
                continue;
            }
            let centre = c0 << place;
            fits.push(Fit {
                row: row.map(|c| c as u32),
                worst: (greatest - centre).max(centre - least),
                total: rest.iter().map(|rest| (rest - centre).abs() >> 12).sum(),
                first: value(0),
                last: value(shape.offsets() - 1),
            });
        }
    }
}

const SAMPLES: i64 = 1025;

/// Returns the integers near a number whose integer part is `floor`.
fn around(floor: i64, reach: i64) -> RangeInclusive<i64> {
    floor - reach..=floor + 1 + reach
}
