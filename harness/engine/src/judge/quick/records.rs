//! Which lanes may hold a record. Those are looked at again, so that records are exact and ties go to the smallest input.

use assay_isa::Estimates;
use assay_vectors::Metric;

use super::columns::again;
use super::part::{MEASURED, OPEN, PART, Part};
use super::{Columns, FINE_UNITS, Terms, UNITS};
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

    /// Whether so many units of an input are a record: more, or as many of a smaller input.
    fn is_reached(self, units: f64, input: u32) -> bool {
        units > self.units || units == self.units && input < self.input
    }

    /// The higher of two.
    pub fn max(self, other: Bar) -> Bar {
        if self.is_reached(other.units, other.input) { other } else { self }
    }

    /// The lower of two.
    pub fn min(self, other: Bar) -> Bar {
        if other.is_reached(self.units, self.input) { other } else { self }
    }
}

/// A batch that was judged.
#[derive(Clone, Copy)]
pub struct Judged<'a> {
    /// What it was held to.
    pub terms: &'a Terms,
    /// Its truths.
    pub estimates: &'a Estimates,
    /// Its results.
    pub results: &'a [u32],
    /// What came of it.
    pub columns: &'a Columns,
}

/// A measured lane, and what it may be worth: at least, and at most.
struct Candidate {
    lane: usize,
    /// Whole units of its error, rounded down.
    floor: (f64, f64),
    /// Units of its distance.
    distance: (f64, f64),
}

impl Candidate {
    /// Units of the error negated.
    fn negated(&self) -> (f64, f64) {
        (-self.floor.1, -self.floor.0)
    }

    /// Units of the error's magnitude.
    fn magnitude(&self) -> (f64, f64) {
        let (low, high) = self.floor;
        let least = if low < 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
        (least, low.abs().max(high.abs()))
    }
}

impl Judged<'_> {
    /// The lanes that are not decided.
    pub fn open(&self) -> Vec<usize> {
        let mut part = Part::BLANK;
        let mut lanes = Vec::new();
        for index in &self.columns.open {
            again(self.terms, self.estimates, self.results, *index, &mut part);
            let open = part.states.iter().enumerate().filter(|(_, state)| **state == OPEN);
            lanes.extend(open.map(|(lane, _)| index * PART + lane));
        }
        lanes
    }

    /// The measured lanes that may hold a record.
    pub fn records(&self, bars: &Bars) -> Vec<usize> {
        let candidates = self.candidates(bars);
        if candidates.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut search = |bar, worth: &dyn Fn(&Candidate) -> (f64, f64)| {
            self.best(&candidates, bar, worth, &mut found);
        };
        search(bars.greatest, &|candidate| candidate.floor);
        search(bars.least, &Candidate::negated);
        match self.terms.metric {
            Metric::Ulp => search(bars.distance, &Candidate::magnitude),
            Metric::Absolute | Metric::Relative => search(bars.distance, &|candidate| candidate.distance),
        }
        worst(candidates, &self.estimates.arguments, bars.worst, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The measured lanes of the parts that reach a bar.
    fn candidates(&self, bars: &Bars) -> Vec<Candidate> {
        let mut part = Part::BLANK;
        let mut candidates = Vec::new();
        for (index, tops) in self.columns.tops.iter().enumerate() {
            let magnitude = tops.greatest.max(tops.least);
            let distance = match self.terms.metric {
                Metric::Ulp => magnitude,
                Metric::Absolute | Metric::Relative => tops.distance,
            };
            // Inputs ascend: of a part the first is the smallest.
            let first = self.estimates.arguments[index * PART];
            let reaches = bars.greatest.is_reached(tops.greatest, first)
                || bars.least.is_reached(tops.least, first)
                || bars.distance.is_reached(distance, first)
                || bars.worst.is_reached(magnitude, first);
            if !reaches {
                continue;
            }
            again(self.terms, self.estimates, self.results, index, &mut part);
            let measured = (0..PART).filter(|lane| part.states[*lane] == MEASURED);
            candidates.extend(measured.map(|lane| {
                let (error, doubt) = (part.errors[lane], part.doubts[lane]);
                let units = |error: f64| (error * UNITS).floor();
                let fine = |distance: f64| (distance * FINE_UNITS).floor();
                Candidate {
                    lane: index * PART + lane,
                    floor: (units(error - doubt), units(error + doubt)),
                    distance: (fine(part.nearest[lane]), fine(part.farthest[lane])),
                }
            }));
        }
        candidates
    }

    /// The lanes of which one may beat the bar by more than all others, or as much from a smaller input.
    fn best(
        &self,
        candidates: &[Candidate],
        mut bar: Bar,
        worth: &dyn Fn(&Candidate) -> (f64, f64),
        found: &mut Vec<usize>,
    ) {
        let best = candidates.iter().map(|candidate| worth(candidate).0).fold(f64::NEG_INFINITY, f64::max);
        if best > bar.units {
            bar = Bar { units: best, input: u32::MAX };
        }
        for candidate in candidates {
            let (low, high) = worth(candidate);
            let input = self.estimates.arguments[candidate.lane];
            if bar.is_reached(high, input) {
                found.push(candidate.lane);
                if low == high {
                    bar = Bar { units: high, input };
                }
            }
        }
    }
}

/// The lanes that may be among those farthest off.
fn worst(mut candidates: Vec<Candidate>, arguments: &[u32], bar: Bar, found: &mut Vec<usize>) {
    let reaches = |candidate: &Candidate| bar.is_reached(candidate.magnitude().1, arguments[candidate.lane]);
    candidates.retain(reaches);
    // Of many, those that are certainly no less than the last that has a place. Ties keep their order: the inputs'.
    candidates.sort_by(|a, b| b.magnitude().0.total_cmp(&a.magnitude().0));
    let last = candidates.get(WORST - 1).map(|candidate| (candidate.lane, candidate.magnitude().0));
    if let Some((last, least)) = last {
        candidates.retain(|candidate| {
            let (low, high) = candidate.magnitude();
            high > least || high == least && (low != high || candidate.lane <= last)
        });
    }
    found.extend(candidates.iter().map(|candidate| candidate.lane));
}
