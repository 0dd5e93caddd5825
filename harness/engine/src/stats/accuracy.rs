//! Accuracy of a function over the executed inputs. Sums and counts are integers, so they merge in
//! any order.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use assay_vectors::{Bound, Contract};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::judge::quick::{
    BINS, ErrorSums, RefusedLane, StandingRecord, StandingRecords, bin, far_place,
};
use crate::compare::judge::{Error, Measured, ONE_ULP, Verdicts};
use crate::stats::exhaustive::{ExhaustiveStats, Pairs, ResultRelation};
use crate::stats::extreme::{greater, lesser};

pub use crate::compare::judge::quick::{FAR, HISTOGRAM_ULPS};
pub use crate::stats::extreme::Extreme;

/// Number of histogram bins per ulp.
pub const BINS_PER_ULP: i64 = 8;

/// The accuracy of a function over the executed inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accuracy {
    /// Number of results that had to be written. A packed type has two for each case. Cases with a
    /// false guard are not counted.
    pub inputs: u64,
    /// Number of results whose error was measured. Results that flushing, clamping, overflow or
    /// exact bits decide are in `special`. A wrong sign has no measured error.
    pub measured: u64,
    /// Number of passed results without a measured error. The specification gives their bits, or
    /// flushing, clamping or overflow decides.
    pub special: u64,
    /// Sum of the errors in units of 2^-32 ulp, as decimal text.
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    pub sum: i128,
    /// Sum of the magnitudes of the errors in units of 2^-32 ulp, as decimal text.
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    pub sum_magnitude: u128,
    /// Sum of the squares of the errors in units of 2^-16 ulp, as decimal text.
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    pub sum_squares: u128,
    /// Number of correctly rounded results.
    pub correctly_rounded: u64,
    /// Number of results with an error below one ulp.
    pub faithful: u64,
    /// The least signed error.
    pub least: Option<Extreme>,
    /// The greatest signed error.
    pub greatest: Option<Extreme>,
    /// Histogram of the errors: 32 bins of an eighth of an ulp from -2 to 2. The first and the last
    /// bin also count all errors beyond.
    pub histogram: Vec<u64>,
    /// Number of errors of 2 ulp and more, by power of two. Key 1 counts errors from 2 up to 4 ulp,
    /// key 2 from 4 up to 8 ulp, and so on. Negative keys count negative errors. The keys 30 and
    /// -30 also count all greater magnitudes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub far: BTreeMap<i32, u64>,
    /// The results by bound: how many exceed it, and the greatest distance. The key is the text of
    /// the bound.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bounds: BTreeMap<String, Usage>,
    /// The relations between results that were checked outside of full sweeps: in campaigns, and in
    /// sweeps of F64.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub relations: BTreeMap<ResultRelation, Pairs>,
    /// The statistics of a sweep: errors by place of the argument, and relations between results.
    #[serde(default, rename = "survey", skip_serializing_if = "Option::is_none")]
    pub exhaustive: Option<ExhaustiveStats>,
}

/// The key in [`Accuracy::bounds`] for results that no bound covers.
pub const NO_BOUND: &str = "no bound";

/// The results under one bound: how many exceed it, and the greatest distance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// The metric of the distance: `ulp`, `absolute` or `relative`.
    pub metric: String,
    /// Number of measured results.
    pub measured: u64,
    /// Number of results that exceed the bound.
    pub refused: u64,
    /// The result with the largest distance. Among equal distances, the smallest input and then the
    /// smallest result.
    pub farthest: Option<Farthest>,
}

/// A result and its distance from the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Farthest {
    /// The distance, rounded down, in units of 2^-32 ulp. For absolute and relative bounds in units
    /// of 2^-64.
    pub distance: u64,
    /// Bits of the input.
    pub input: u32,
    /// Bits of the result.
    pub result: u32,
}

/// Returns the key of a bound in [`Accuracy::bounds`]. Without an index, returns [`NO_BOUND`].
pub(crate) fn bound_name(bounds: &[Bound], index: Option<usize>) -> String {
    index.map_or(NO_BOUND.to_owned(), |index| bounds[index].to_string())
}

impl Usage {
    fn count(&mut self, measured: &Measured) {
        self.measured += 1;
        self.refused += u64::from(!measured.holds);
        self.note(measured);
    }

    /// Stores a distance if it is the greatest so far.
    pub(crate) fn note(&mut self, measured: &Measured) {
        let Measured { distance, argument, result, .. } = *measured;
        self.farthest = farther(self.farthest, Some(Farthest { distance, input: argument, result }));
    }

    /// Returns the greatest distance so far, as the record that a new distance must exceed.
    pub(crate) fn standing_record(&self) -> StandingRecord {
        self.farthest.map_or(StandingRecord::NONE, |far| StandingRecord {
            units: far.distance as f64,
            input: far.input,
        })
    }

    fn merge(&mut self, other: &Usage) {
        self.metric.clone_from(&other.metric);
        self.add(other);
    }

    /// Adds the counts of another usage with the same metric.
    fn add(&mut self, other: &Usage) {
        self.measured += other.measured;
        self.refused += other.refused;
        self.farthest = farther(self.farthest, other.farthest);
    }
}

fn farther(a: Option<Farthest>, b: Option<Farthest>) -> Option<Farthest> {
    a.into_iter().chain(b).max_by_key(|f| (f.distance, Reverse(f.input), Reverse(f.result)))
}

impl Default for Accuracy {
    fn default() -> Self {
        Accuracy {
            inputs: 0,
            measured: 0,
            special: 0,
            sum: 0,
            sum_magnitude: 0,
            sum_squares: 0,
            correctly_rounded: 0,
            faithful: 0,
            least: None,
            greatest: None,
            histogram: vec![0; BINS],
            far: BTreeMap::new(),
            bounds: BTreeMap::new(),
            relations: BTreeMap::new(),
            exhaustive: None,
        }
    }
}

/// Counts the results of a function one by one.
pub(crate) struct ResultCounter<'a> {
    accuracy: &'a mut Accuracy,
    bounds: &'a [Bound],
    /// The usage of each bound, then the usage of results that no bound covers. Empty if the
    /// contract has no bounds.
    usages: Vec<Usage>,
}

impl<'a> ResultCounter<'a> {
    /// Returns a counter for results under a contract.
    pub fn new(accuracy: &'a mut Accuracy, contract: &'a Contract) -> ResultCounter<'a> {
        let (bounds, kinds) = match contract {
            Contract::Bounded { bounds, .. } => (&bounds[..], bounds.len() + 1),
            _ => (&[][..], 0),
        };
        ResultCounter { accuracy, bounds, usages: vec![Usage::default(); kinds] }
    }

    /// Counts an input and its passed result. `measured` is the result's error, if one was
    /// measured.
    pub fn held(&mut self, measured: Option<&Measured>) {
        self.accuracy.inputs += 1;
        match measured {
            Some(measured) => self.measured(measured),
            None => self.accuracy.special += 1,
        }
    }

    /// Counts the error of a result.
    fn measured(&mut self, measured: &Measured) {
        self.accuracy.record(measured.error, measured.argument, measured.result);
        let usage = match measured.bound {
            Some(bound) => self.usages.get_mut(bound),
            None => self.usages.last_mut(),
        };
        if let Some(usage) = usage {
            usage.count(measured);
        }
    }

    /// Adds the usages of the bounds to the accuracy. Results that no bound covers are counted
    /// under [`NO_BOUND`].
    pub fn finish(self) {
        let places = (0..self.bounds.len()).map(Some).chain([None]);
        for (usage, index) in self.usages.iter().zip(places).filter(|(usage, _)| usage.measured > 0) {
            self.accuracy.usage(self.bounds, index).add(usage);
        }
    }
}

impl Accuracy {
    /// Counts the results that were just judged under a contract.
    pub(crate) fn count(&mut self, contract: &Contract, verdicts: &Verdicts) {
        self.inputs += verdicts.reals;
        self.special += verdicts.special;
        let mut counter = ResultCounter::new(self, contract);
        verdicts.measured.iter().for_each(|measured| counter.measured(measured));
        counter.finish();
    }

    /// Returns the usage of the bound with an index. Without an index, returns the usage under
    /// [`NO_BOUND`].
    pub(crate) fn usage(&mut self, bounds: &[Bound], index: Option<usize>) -> &mut Usage {
        let bound = index.map(|index| &bounds[index]);
        let usage = self.bounds.entry(bound_name(bounds, index)).or_default();
        if let Some(bound) = bound.or(bounds.last())
            && usage.metric.is_empty()
        {
            bound.metric.name().clone_into(&mut usage.metric);
        }
        usage
    }

    /// Counts one measured result.
    pub fn record(&mut self, error: Error, input: u32, result: u32) {
        self.add_error(error);
        self.note(Extreme { error: error.floor, input, result });
    }

    /// Adds one error to the sums and counts.
    pub(crate) fn add_error(&mut self, error: Error) {
        let units = error.floor;
        self.measured += 1;
        self.sum += i128::from(units);
        self.sum_magnitude += u128::from(units.unsigned_abs());
        let coarse = u128::from((units >> 16).unsigned_abs());
        self.sum_squares += coarse * coarse;
        self.correctly_rounded += u64::from(error.correctly_rounded);
        self.faithful += u64::from(error.is_faithful());
        self.histogram[bin(units)] += 1;
        if let Some((side, power)) = far_place(units) {
            self.add_far(side, power, 1);
        }
    }

    /// Stores an error if it is the least or the greatest so far.
    pub(crate) fn note(&mut self, extreme: Extreme) {
        self.least = lesser(self.least, Some(extreme));
        self.greatest = greater(self.greatest, Some(extreme));
    }

    /// Adds the sums of whole columns.
    pub(crate) fn add(&mut self, sums: &ErrorSums) {
        self.inputs += sums.inputs;
        self.measured += sums.measured;
        self.special += sums.special;
        self.sum += sums.sum;
        self.sum_magnitude += sums.sum_magnitude;
        self.sum_squares += sums.sum_squares;
        self.correctly_rounded += sums.correctly_rounded;
        self.faithful += sums.faithful;
        for (mine, theirs) in self.histogram.iter_mut().zip(&sums.histogram) {
            *mine += theirs;
        }
        for (side, powers) in sums.far.iter().enumerate() {
            for (power, count) in powers.iter().enumerate().filter(|(_, count)| **count > 0) {
                self.add_far(side, power, *count);
            }
        }
    }

    /// Adds the errors of results that surely exceed their bound.
    pub(crate) fn add_refused(&mut self, refused: &[RefusedLane]) {
        self.inputs += refused.len() as u64;
        for lane in refused {
            self.add_error(Error { floor: lane.units, exact: false, correctly_rounded: false });
        }
    }

    /// Counts errors of 2 ulp and more.
    fn add_far(&mut self, side: usize, power: usize, count: u64) {
        let key = power as i32 + 1;
        *self.far.entry(if side == 0 { -key } else { key }).or_default() += count;
    }

    /// Returns the extreme errors so far, as the records that new errors must exceed.
    pub fn standing_records(&self) -> StandingRecords {
        self.standing_records_beside(None)
    }

    /// Returns, for each record, the higher one of this accuracy and of `known`.
    pub(crate) fn standing_records_beside(&self, known: Option<&Accuracy>) -> StandingRecords {
        let higher = |standing: fn(&Accuracy) -> StandingRecord| {
            standing(self).max(known.map_or(StandingRecord::NONE, standing))
        };
        StandingRecords {
            greatest: higher(|one| Extreme::standing_record(one.greatest, false)),
            least: higher(|one| Extreme::standing_record(one.least, true)),
            worst: StandingRecord::OUT_OF_REACH,
            distance: StandingRecord::NONE,
        }
    }

    /// Returns the magnitude of the worst error, in ulp.
    pub fn max_ulp(&self) -> f64 {
        self.worst().map_or(0.0, |e| (e.error as f64 / ONE_ULP as f64).abs())
    }

    /// Returns the extreme error of larger magnitude.
    pub fn worst(&self) -> Option<Extreme> {
        let magnitude = |e: &Extreme| e.error.unsigned_abs();
        self.least.into_iter().chain(self.greatest).max_by_key(|e| (magnitude(e), Reverse(e.input)))
    }

    /// Returns the mean of the error magnitudes, in ulp.
    pub fn mean_ulp(&self) -> f64 {
        self.sum_magnitude as f64 / ONE_ULP as f64 / self.measured.max(1) as f64
    }

    /// Returns the mean of the signed errors, in ulp.
    pub fn bias_ulp(&self) -> f64 {
        self.sum as f64 / ONE_ULP as f64 / self.measured.max(1) as f64
    }

    /// Returns the root of the mean of the squared errors, in ulp.
    pub fn rms_ulp(&self) -> f64 {
        (self.sum_squares as f64 / self.measured.max(1) as f64).sqrt() / 65536.0
    }

    pub(crate) fn merge(&mut self, other: &Accuracy) {
        self.inputs += other.inputs;
        self.measured += other.measured;
        self.special += other.special;
        self.sum += other.sum;
        self.sum_magnitude += other.sum_magnitude;
        self.sum_squares += other.sum_squares;
        self.correctly_rounded += other.correctly_rounded;
        self.faithful += other.faithful;
        self.least = lesser(self.least, other.least);
        self.greatest = greater(self.greatest, other.greatest);
        for (mine, theirs) in self.histogram.iter_mut().zip(&other.histogram) {
            *mine += theirs;
        }
        for (key, count) in &other.far {
            *self.far.entry(*key).or_default() += count;
        }
        for (relation, pairs) in &other.relations {
            self.relations.entry(*relation).or_default().merge(pairs);
        }
        for (bound, usage) in &other.bounds {
            self.bounds.entry(bound.clone()).or_default().merge(usage);
        }
        if let Some(stats) = &other.exhaustive {
            self.exhaustive.get_or_insert_default().merge(stats);
        }
    }
}

/// Writes 128-bit integers as decimal text, because many JSON readers would round JSON numbers of
/// this size.
mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<T: Display, S: Serializer>(value: &T, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(value)
    }

    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(d: D) -> Result<T, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests;
