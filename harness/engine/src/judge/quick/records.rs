//! Which lanes may hold a record. Those are looked at again, so that records are exact and ties go to the smallest input.

use assay_vectors::Metric;

use super::columns::PART;
use super::{Columns, State};
use crate::survey::WORST;

/// A record that stands: a whole number of units, and the input that holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// The units; less than any number if nothing stands yet.
    pub units: f64,
    /// The input.
    pub input: u32,
}

/// The records that a batch is held against; errors are in units of 2^-32 ulp.
#[derive(Clone, Copy, Debug)]
pub struct Bars {
    /// The greatest error.
    pub greatest: Bar,
    /// The least error, negated.
    pub least: Bar,
    /// The last of those farthest off: a magnitude.
    pub worst: Bar,
    /// The greatest distance in the metric, in its units.
    pub distance: Bar,
}

impl Bar {
    /// Where nothing stands yet.
    pub const NONE: Bar = Bar { units: f64::NEG_INFINITY, input: u32::MAX };

    /// Where no record is kept.
    pub const OUT_OF_REACH: Bar = Bar { units: f64::INFINITY, input: 0 };

    /// The higher of two.
    pub fn max(self, other: Bar) -> Bar {
        if (other.units, self.input) > (self.units, other.input) { other } else { self }
    }

    /// The lower of two.
    pub fn min(self, other: Bar) -> Bar {
        if (other.units, self.input) < (self.units, other.input) { other } else { self }
    }
}

/// Units of an ulp.
const UNITS: f64 = (1_u64 << 32) as f64;
/// Units of the other metrics in 1.
const FINE_UNITS: f64 = UNITS * UNITS;

/// What a lane may be worth: at least, and at most.
type Worth<'a> = dyn Fn(usize) -> (f64, f64) + 'a;

/// The measured lanes that may hold a record.
pub fn find(columns: &Columns, arguments: &[u32], bars: &Bars, metric: Metric) -> Vec<usize> {
    let mut found = Vec::new();
    let upward = |[high, _, _]: &[f64; 3]| high * UNITS;
    let downward = |[_, low, _]: &[f64; 3]| low * UNITS + 1.0;
    let either = |tops: &[f64; 3]| upward(tops).max(downward(tops));
    let floors = |lane: usize| columns.floors(lane);
    let negated = |lane: usize| (-columns.floors(lane).1, -columns.floors(lane).0);
    let magnitudes = |lane: usize| columns.magnitudes(lane);
    let distances = |lane: usize| {
        let floor = |distance: f64| (distance * FINE_UNITS).floor();
        (floor(columns.nearest[lane]), floor(columns.farthest[lane]))
    };
    let search = |bar: Bar, top: &dyn Fn(&[f64; 3]) -> f64, worth: &Worth, found: &mut Vec<usize>| {
        let lanes = columns.lanes_above(bar.units, top);
        if !lanes.is_empty() {
            best(lanes, arguments, bar, worth, found);
        }
    };
    search(bars.greatest, &upward, &floors, &mut found);
    search(bars.least, &downward, &negated, &mut found);
    match metric {
        Metric::Ulp => search(bars.distance, &either, &magnitudes, &mut found),
        Metric::Absolute | Metric::Relative => {
            search(bars.distance, &|[_, _, far]| far * FINE_UNITS, &distances, &mut found);
        }
    }
    worst(columns, columns.lanes_above(bars.worst.units, &either), bars.worst, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

impl Columns {
    /// The measured lanes of the parts whose top reaches so many units.
    fn lanes_above(&self, units: f64, top: &dyn Fn(&[f64; 3]) -> f64) -> Vec<usize> {
        let parts = self.tops.iter().enumerate().filter(|(_, tops)| top(tops) >= units);
        let lanes = parts.flat_map(|(part, _)| part * PART..((part + 1) * PART).min(self.states.len()));
        lanes.filter(|lane| self.states[*lane] == State::Measured as u32).collect()
    }

    /// The least and the greatest whole number of units that an error may be when rounded down.
    fn floors(&self, lane: usize) -> (f64, f64) {
        ((self.lows[lane] * UNITS).floor(), (self.highs[lane] * UNITS).floor())
    }

    /// The same of its magnitude.
    fn magnitudes(&self, lane: usize) -> (f64, f64) {
        let (low, high) = self.floors(lane);
        let least = if low < 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
        (least, low.abs().max(high.abs()))
    }
}

/// The lanes of which one may beat the bar by more than all others, or as much from a smaller input.
fn best(lanes: Vec<usize>, arguments: &[u32], mut bar: Bar, worth: &Worth, found: &mut Vec<usize>) {
    let best = lanes.iter().map(|lane| worth(*lane).0).fold(f64::NEG_INFINITY, f64::max);
    if best > bar.units {
        bar = Bar { units: best, input: u32::MAX };
    }
    for lane in lanes {
        let (low, high) = worth(lane);
        if high > bar.units || high == bar.units && arguments[lane] < bar.input {
            found.push(lane);
            if low == high {
                bar = Bar { units: high, input: arguments[lane] };
            }
        }
    }
}

/// The lanes that may be among those farthest off.
fn worst(columns: &Columns, mut lanes: Vec<usize>, bar: Bar, found: &mut Vec<usize>) {
    lanes.retain(|lane| columns.magnitudes(*lane).1 >= bar.units);
    // Of many, those that are certainly no less than the last that has a place. Ties keep their order: the inputs'.
    lanes.sort_by(|a, b| columns.magnitudes(*b).0.total_cmp(&columns.magnitudes(*a).0));
    if let Some(last) = lanes.get(WORST - 1).copied() {
        let least = columns.magnitudes(last).0;
        lanes.retain(|lane| {
            let (low, high) = columns.magnitudes(*lane);
            high > least || high == least && (low != high || *lane <= last)
        });
    }
    found.extend(lanes);
}
