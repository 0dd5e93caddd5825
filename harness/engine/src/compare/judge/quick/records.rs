//! Finds the lanes that may hold a record. The slow path judges these lanes again, so that records
//! are exact. Of equal errors, the record is that of the smallest input.

use assay_isa::Estimates;
use assay_vectors::Metric;
use multiversion::multiversion;

use super::columns::{LaneLimits, again};
use super::part::{HELD, MEASURED, OPEN, PART, PartErrors};
use super::{Columns, FINE_UNITS, Terms, UNITS};

/// Number of inputs with the greatest errors that are kept.
pub const WORST: usize = 16;

/// The current record: a whole number of units, and the input that holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StandingRecord {
    /// The units. Negative infinity if there is no record yet.
    pub units: f64,
    /// The input.
    pub input: u32,
}

/// The records that a batch may beat. Errors are in units of 2^-32 ulp.
#[derive(Clone, Copy, Debug)]
pub struct StandingRecords {
    /// The greatest error.
    pub greatest: StandingRecord,
    /// The least error, negated.
    pub least: StandingRecord,
    /// The error magnitude of the last of the [`WORST`] kept inputs.
    pub worst: StandingRecord,
    /// The greatest distance in the metric of the terms: in units of 2^-32 ulp, or of 2^-64 for an
    /// absolute or relative metric.
    pub distance: StandingRecord,
}

impl StandingRecord {
    /// No record yet.
    pub const NONE: StandingRecord = StandingRecord { units: f64::NEG_INFINITY, input: u32::MAX };

    /// A record that no lane can beat, for a quantity whose record is not kept.
    pub const OUT_OF_REACH: StandingRecord = StandingRecord { units: f64::INFINITY, input: 0 };

    /// Whether `units` of `input` beat this record: more units, or equal units of a smaller input.
    fn is_reached(self, units: f64, input: u32) -> bool {
        units > self.units || units == self.units && input < self.input
    }

    /// Returns the higher of two records.
    pub fn max(self, other: StandingRecord) -> StandingRecord {
        if self.is_reached(other.units, other.input) { other } else { self }
    }

    /// Returns the lower of two records.
    pub fn min(self, other: StandingRecord) -> StandingRecord {
        if other.is_reached(self.units, self.input) { other } else { self }
    }
}

/// A batch that was judged.
#[derive(Clone, Copy)]
pub struct JudgedBatch<'a> {
    /// The terms by which the batch was judged.
    pub terms: &'a Terms,
    /// Its truths.
    pub estimates: &'a Estimates,
    /// Its results.
    pub results: &'a [u32],
    /// The outcome of judging it.
    pub columns: &'a Columns,
}

/// The decision of double precision about a lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// Double precision cannot decide.
    Open,
    /// It holds, without a measured error.
    Held,
    /// It holds. Its error in whole units of 2^-32 ulp, rounded down, is no less than the first
    /// number and no more than the second.
    Measured(f64, f64),
}

/// A measured lane with the bounds of its error: lower and upper.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredLane {
    /// The lane.
    pub lane: usize,
    /// Bounds of the error in whole units, rounded down.
    pub floor: (f64, f64),
    /// Bounds of the distance in units, in a metric other than ulp.
    pub distance: (f64, f64),
}

impl MeasuredLane {
    const BLANK: MeasuredLane = MeasuredLane { lane: 0, floor: (0.0, 0.0), distance: (0.0, 0.0) };

    /// Returns the bounds of the negated error, in units.
    fn negated(&self) -> (f64, f64) {
        (-self.floor.1, -self.floor.0)
    }

    /// Returns the upper bounds of its error, negated error and distance.
    fn limits(&self) -> LaneLimits {
        LaneLimits { greatest: self.floor.1, least: -self.floor.0, distance: self.distance.1 }
    }

    /// Returns the bounds of the error's magnitude, in units.
    pub(super) fn magnitude(&self) -> (f64, f64) {
        let (low, high) = self.floor;
        // Without `abs`, -0 and +0 would be sorted as different values.
        (low.max(-high).max(0.0).abs(), high.max(-low))
    }
}

impl JudgedBatch<'_> {
    /// Returns the lanes that are not decided.
    pub fn open(&self) -> Vec<usize> {
        let mut part = PartErrors::BLANK;
        let mut lanes = Vec::new();
        for index in &self.columns.open {
            again(self.terms, self.estimates, self.results, *index, &mut part);
            let open = part.states.iter().enumerate().filter(|(_, state)| **state == OPEN);
            lanes.extend(open.map(|(lane, _)| index * PART + lane));
        }
        lanes
    }

    /// Returns the decision about one lane.
    pub fn decision(&self, lane: usize) -> Decision {
        let mut part = PartErrors::BLANK;
        again(self.terms, self.estimates, self.results, lane / PART, &mut part);
        let place = lane % PART;
        let (error, doubt) = (part.errors[place], part.doubts[place]);
        match part.states[place] {
            MEASURED => {
                Decision::Measured(((error - doubt) * UNITS).floor(), ((error + doubt) * UNITS).floor())
            }
            HELD => Decision::Held,
            _ => Decision::Open,
        }
    }

    /// Returns the measured lanes that may hold a record.
    pub fn records(&self, standing: &StandingRecords) -> Vec<usize> {
        self.leading(self.candidates(standing), standing)
    }

    /// Returns the candidates that may hold a record.
    pub(super) fn leading(&self, candidates: Vec<MeasuredLane>, standing: &StandingRecords) -> Vec<usize> {
        let mut found = Vec::new();
        if candidates.is_empty() {
            return found;
        }
        let mut search = |to_beat, worth: &dyn Fn(&MeasuredLane) -> (f64, f64)| {
            self.best(&candidates, to_beat, worth, &mut found);
        };
        search(standing.greatest, &|candidate| candidate.floor);
        search(standing.least, &MeasuredLane::negated);
        match self.terms.metric {
            Metric::Ulp => search(standing.distance, &MeasuredLane::magnitude),
            Metric::Absolute | Metric::Relative => search(standing.distance, &|candidate| candidate.distance),
        }
        worst(candidates, &self.estimates.arguments, standing.worst, &mut found);
        found.sort_unstable();
        // A batch may contain an argument several times, in adjacent lanes. One lane of each case
        // is enough.
        let case = |lane: usize| (self.estimates.arguments[lane], self.results[lane]);
        found.dedup_by_key(|lane| case(*lane));
        found
    }

    /// Returns the measured lanes that may beat a standing record.
    fn candidates(&self, standing: &StandingRecords) -> Vec<MeasuredLane> {
        let is_ulp = self.terms.metric == Metric::Ulp;
        let top_distance = |tops: &LaneLimits| if is_ulp { tops.magnitude() } else { tops.distance };
        // If errors grow along the batch, every part beats the standing record. After the record is
        // raised, only the last parts can beat it.
        let greatest = self.raised(standing.greatest, &|tops| tops.greatest, &|lane| lane.floor.0);
        let least = self.raised(standing.least, &|tops| tops.least, &|lane| lane.negated().0);
        let distance = self.raised(standing.distance, &top_distance, &|lane| {
            if is_ulp { lane.magnitude().0 } else { lane.distance.0 }
        });
        let reaches = |tops: &LaneLimits, input: u32| {
            greatest.is_reached(tops.greatest, input)
                || least.is_reached(tops.least, input)
                || distance.is_reached(top_distance(tops), input)
                || standing.worst.is_reached(tops.magnitude(), input)
        };
        let mut candidates = Vec::new();
        for (index, tops) in self.columns.tops.iter().enumerate() {
            if reaches(tops, self.first(index)) {
                let lanes = self.measured(index).into_iter();
                let input = |lane: &MeasuredLane| self.estimates.arguments[lane.lane];
                candidates.extend(lanes.filter(|lane| reaches(&lane.limits(), input(lane))));
            }
        }
        candidates
    }

    /// Returns the smallest input of a part. Inputs ascend.
    fn first(&self, part: usize) -> u32 {
        self.estimates.arguments[part * PART]
    }

    /// Returns the standing record, raised if possible. The new value is one that the part with the
    /// highest limit certainly reaches.
    fn raised(
        &self,
        to_beat: StandingRecord,
        top: &dyn Fn(&LaneLimits) -> f64,
        worth: &dyn Fn(&MeasuredLane) -> f64,
    ) -> StandingRecord {
        let parts = self.columns.tops.iter().map(top).enumerate();
        let highest = parts.fold((0, f64::NEG_INFINITY), |a, b| if b.1 > a.1 { b } else { a });
        if highest.1 <= to_beat.units {
            return to_beat;
        }
        let units = self.measured(highest.0).iter().map(worth).fold(f64::NEG_INFINITY, f64::max);
        to_beat.max(StandingRecord { units, input: u32::MAX })
    }

    /// Returns the measured lanes of a part.
    fn measured(&self, index: usize) -> Vec<MeasuredLane> {
        let mut part = PartErrors::BLANK;
        again(self.terms, self.estimates, self.results, index, &mut part);
        let mut lanes = [MeasuredLane::BLANK; PART];
        in_units(&part, &mut lanes);
        let measured = (0..PART).filter(|lane| part.states[*lane] == MEASURED);
        measured.map(|lane| MeasuredLane { lane: index * PART + lane, ..lanes[lane] }).collect()
    }

    /// Adds to `found` the candidates that may hold the new record. These are the candidates that
    /// may have the greatest value. Of candidates that certainly have equal values, only the
    /// smallest input counts.
    fn best(
        &self,
        candidates: &[MeasuredLane],
        mut to_beat: StandingRecord,
        worth: &dyn Fn(&MeasuredLane) -> (f64, f64),
        found: &mut Vec<usize>,
    ) {
        let best = candidates.iter().map(|candidate| worth(candidate).0).fold(f64::NEG_INFINITY, f64::max);
        if best > to_beat.units {
            to_beat = StandingRecord { units: best, input: u32::MAX };
        }
        for candidate in candidates {
            let (low, high) = worth(candidate);
            let input = self.estimates.arguments[candidate.lane];
            if to_beat.is_reached(high, input) {
                found.push(candidate.lane);
                if low == high {
                    to_beat = StandingRecord { units: high, input };
                }
            }
        }
    }
}

/// Rounds the bounds of a part's lanes down to whole units. This function has several compiled
/// versions, because without a rounding instruction each rounding would be a call.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn in_units(part: &PartErrors, lanes: &mut [MeasuredLane; PART]) {
    let bounds = part.errors.iter().zip(&part.doubts).zip(part.nearest.iter().zip(&part.farthest));
    for (lane, ((error, doubt), (nearest, farthest))) in lanes.iter_mut().zip(bounds) {
        lane.floor = (((error - doubt) * UNITS).floor(), ((error + doubt) * UNITS).floor());
        lane.distance = ((nearest * FINE_UNITS).floor(), (farthest * FINE_UNITS).floor());
    }
}

/// Adds to `found` the lanes that may be among the inputs with the greatest errors.
fn worst(
    mut candidates: Vec<MeasuredLane>,
    arguments: &[u32],
    to_beat: StandingRecord,
    found: &mut Vec<usize>,
) {
    let reaches =
        |candidate: &MeasuredLane| to_beat.is_reached(candidate.magnitude().1, arguments[candidate.lane]);
    candidates.retain(reaches);
    // Sorts by the certain magnitude, the greatest first. Lanes of equal magnitude keep the order
    // of their inputs.
    candidates.sort_by(|a, b| b.magnitude().0.total_cmp(&a.magnitude().0));
    // If errors are certainly equal, only the smallest input is kept. Errors beyond
    // `FARTHEST_UNITS` are all equal.
    candidates.dedup_by(|next, kept| {
        let (low, high) = kept.magnitude();
        low == high && next.magnitude() == (low, high)
    });
    // Other errors may still be equal. So an error counts as distinct only if it is certainly less
    // than the previous distinct error.
    let mut below = f64::INFINITY;
    let mut distinct = candidates.iter().filter(|candidate| {
        let (low, high) = candidate.magnitude();
        let counts = high < below;
        below = if counts { low } else { below };
        counts
    });
    let last = distinct.nth(WORST - 1).map(|candidate| (candidate.lane, candidate.magnitude().0));
    if let Some((last, least)) = last {
        // Inputs ascend. So a lane after `last` whose error is at most `least` cannot be among the
        // greatest.
        candidates.retain(|candidate| {
            let (_, high) = candidate.magnitude();
            high > least || high == least && candidate.lane <= last
        });
    }
    found.extend(candidates.iter().map(|candidate| candidate.lane));
}
