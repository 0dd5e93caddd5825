//! Accuracy of a function over the inputs seen: errors summed, counted and sorted, in integers that merge.

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

/// Histogram bins an ulp.
pub const BINS_PER_ULP: i64 = 8;

/// The accuracy of a function over the executed inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accuracy {
    /// Number of cases that had to write a result. Cases with a false guard are not counted.
    pub inputs: u64,
    /// Number of cases whose true value and result are numbers, so that the error was measured.
    pub measured: u64,
    /// Number of passed cases without a measured error: the specification gives the bits, or
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
    /// The most negative error.
    pub least: Option<Extreme>,
    /// The most positive error.
    pub greatest: Option<Extreme>,
    /// Histogram of the errors: 32 bins of an eighth of an ulp from -2 to 2. The first and the last
    /// bin are open.
    pub histogram: Vec<u64>,
    /// Number of errors of 2 ulp and more by power of two, negative errors under negative keys: 1
    /// counts errors from 2 up to 4 ulp, 2 those from 4 up to 8, -1 those from -2 down to -4. The
    /// keys 30 and -30 are open.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub far: BTreeMap<i32, u64>,
    /// How much of each bound of the contract the errors use, by the text of the bound.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bounds: BTreeMap<String, Usage>,
    /// The relations between results that were checked without a survey: in campaigns, and in sweeps
    /// of F64.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub relations: BTreeMap<ResultRelation, Pairs>,
    /// The distribution of the errors over the arguments, after a sweep over every input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survey: Option<ExhaustiveStats>,
}

/// Where errors are filed for which the contract has no bound.
pub const NO_BOUND: &str = "no bound";

/// How much of a bound the results use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// The metric of the distance: `ulp`, `absolute` or `relative`.
    pub metric: String,
    /// Number of measured results.
    pub measured: u64,
    /// Number of results that exceed the bound.
    pub refused: u64,
    /// The result with the largest distance; among equal ones, that of the smallest input, then the smallest result.
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

/// Under what name it is filed how far a bound was used up.
pub(crate) fn bound_name(bounds: &[Bound], index: Option<usize>) -> String {
    index.map_or(NO_BOUND.to_owned(), |index| bounds[index].to_string())
}

impl Usage {
    fn count(&mut self, measured: &Measured) {
        self.measured += 1;
        self.refused += u64::from(!measured.holds);
        self.note(measured);
    }

    /// Notes a distance, as far as it is the farthest.
    pub(crate) fn note(&mut self, measured: &Measured) {
        let Measured { distance, argument, result, .. } = *measured;
        self.farthest = farther(self.farthest, Some(Farthest { distance, input: argument, result }));
    }

    /// The distance to beat.
    pub(crate) fn bar(&self) -> StandingRecord {
        self.farthest.map_or(StandingRecord::NONE, |far| StandingRecord {
            units: far.distance as f64,
            input: far.input,
        })
    }

    fn merge(&mut self, other: &Usage) {
        self.metric.clone_from(&other.metric);
        self.add(other);
    }

    /// Adds the counts of another one of the same metric.
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
            survey: None,
        }
    }
}

/// Counts results of a function one by one.
pub(crate) struct ResultCounter<'a> {
    accuracy: &'a mut Accuracy,
    bounds: &'a [Bound],
    /// How far each bound was used up, and behind them what no bound covers. Nothing where the contract has no bounds.
    usages: Vec<Usage>,
}

impl<'a> ResultCounter<'a> {
    /// Begins to count results under a contract.
    pub fn new(accuracy: &'a mut Accuracy, contract: &'a Contract) -> ResultCounter<'a> {
        let (bounds, kinds) = match contract {
            Contract::Bounded { bounds, .. } => (&bounds[..], bounds.len() + 1),
            _ => (&[][..], 0),
        };
        ResultCounter { accuracy, bounds, usages: vec![Usage::default(); kinds] }
    }

    /// Counts a result that holds, of an input that was not counted: with its error, if one was measured.
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

    /// Files how far the bounds were used up. What no bound covers is filed under [`NO_BOUND`].
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

    /// How far one of the bounds, or none, was used up.
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

    /// Notes an error, as far as it is extreme.
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

    /// Adds the errors of results that are beyond their bound for certain.
    pub(crate) fn add_refused(&mut self, refused: &[RefusedLane]) {
        self.inputs += refused.len() as u64;
        for lane in refused {
            self.add_error(Error { floor: lane.units, exact: false, correctly_rounded: false });
        }
    }

    /// Counts errors beyond the histogram.
    fn add_far(&mut self, side: usize, power: usize, count: u64) {
        let key = power as i32 + 1;
        *self.far.entry(if side == 0 { -key } else { key }).or_default() += count;
    }

    /// Returns the records of the function alone.
    pub fn bars(&self) -> StandingRecords {
        self.bars_beside(None)
    }

    /// Returns the higher ones of its records and those that are known besides.
    pub(crate) fn bars_beside(&self, known: Option<&Accuracy>) -> StandingRecords {
        let higher =
            |bar: fn(&Accuracy) -> StandingRecord| bar(self).max(known.map_or(StandingRecord::NONE, bar));
        StandingRecords {
            greatest: higher(|one| Extreme::bar(one.greatest, false)),
            least: higher(|one| Extreme::bar(one.least, true)),
            worst: StandingRecord::OUT_OF_REACH,
            distance: StandingRecord::NONE,
        }
    }

    /// The larger of the two extreme errors, in ulp.
    pub fn max_ulp(&self) -> f64 {
        self.worst().map_or(0.0, |e| (e.error as f64 / ONE_ULP as f64).abs())
    }

    /// The extreme of larger magnitude.
    pub fn worst(&self) -> Option<Extreme> {
        let magnitude = |e: &Extreme| e.error.unsigned_abs();
        self.least.into_iter().chain(self.greatest).max_by_key(|e| (magnitude(e), Reverse(e.input)))
    }

    /// Mean of the error magnitudes, in ulp.
    pub fn mean_ulp(&self) -> f64 {
        self.sum_magnitude as f64 / ONE_ULP as f64 / self.measured.max(1) as f64
    }

    /// Mean of the signed errors, in ulp.
    pub fn bias_ulp(&self) -> f64 {
        self.sum as f64 / ONE_ULP as f64 / self.measured.max(1) as f64
    }

    /// Root of the mean of the squared errors, in ulp.
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
        if let Some(survey) = &other.survey {
            self.survey.get_or_insert_default().merge(survey);
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_isa::Estimates;
    use assay_vectors::Clauses;

    use super::*;
    use crate::compare::judge::quick::{Columns, JudgedBatch, Terms};

    /// Both neighbours of a tie are as far off. A campaign looks up results that it knows before it judges the others, so
    /// the order of counting says nothing.
    #[test]
    fn the_order_of_counting_decides_nothing() {
        let measured = |result: u32, floor: i64| Measured {
            argument: 0xce40,
            result,
            error: Error { floor, exact: true, correctly_rounded: result == 0 },
            bound: Some(0),
            distance: 1 << 53,
            holds: true,
        };
        let bounds = ["relative 2^-9.9".parse().expect("a bound")].into();
        let contract = Contract::Bounded { bounds, clauses: Clauses::default() };
        let count = |list: &[Measured]| {
            let mut accuracy = Accuracy::default();
            accuracy.count(&contract, &Verdicts { measured: list.to_vec(), ..Verdicts::default() });
            accuracy
        };
        let half = ONE_ULP / 2;
        for [a, b] in [[measured(0, -half), measured(1, half)], [measured(3, half), measured(2, half)]] {
            assert_eq!(count(&[a, b]), count(&[b, a]));
            let mut merged = count(&[b]);
            merged.merge(&count(&[a]));
            assert_eq!(count(&[a, b]), merged);
        }
    }

    #[test]
    fn far_errors_are_counted_by_power_of_two() {
        let mut accuracy = Accuracy::default();
        for error in [0, ONE_ULP, 2 * ONE_ULP - 1, 2 * ONE_ULP, 7 * ONE_ULP, -2 * ONE_ULP, i64::MIN, i64::MAX]
        {
            accuracy.record(Error { floor: error, exact: false, correctly_rounded: false }, 1, 2);
        }
        assert_eq!(accuracy.far, [(-30, 1), (-1, 1), (1, 1), (2, 1), (30, 1)].into());
        let mut twice = accuracy.clone();
        twice.merge(&accuracy);
        assert_eq!(twice.far[&2], 2);
    }

    /// The accuracy of results with these errors in units of 2^-32 ulp, of the inputs 1, 2 and so on.
    fn of_errors(errors: &[i64]) -> Accuracy {
        let mut accuracy = Accuracy::default();
        for (input, floor) in (1..).zip(errors) {
            accuracy.record(Error { floor: *floor, exact: true, correctly_rounded: *floor == 0 }, input, 0);
        }
        accuracy
    }

    #[test]
    fn means_and_extremes_are_in_ulp() {
        let some = of_errors(&[0, 3 * ONE_ULP, -ONE_ULP, 0]);
        assert_eq!((some.max_ulp(), some.mean_ulp(), some.bias_ulp()), (3.0, 1.0, 0.5));
        assert_eq!(some.rms_ulp(), 2.5_f64.sqrt());
        assert_eq!((some.measured, some.correctly_rounded, some.faithful), (4, 2, 2));
        let negative = of_errors(&[ONE_ULP, -4 * ONE_ULP]);
        assert_eq!((negative.max_ulp(), negative.bias_ulp()), (4.0, -1.5));
        let none = Accuracy::default();
        assert_eq!((none.max_ulp(), none.mean_ulp(), none.bias_ulp(), none.rms_ulp()), (0.0, 0.0, 0.0, 0.0));
        assert_eq!(none.worst(), None);
        // Of equal magnitudes that of the smaller input.
        for errors in [[ONE_ULP, -ONE_ULP], [-ONE_ULP, ONE_ULP]] {
            let worst = of_errors(&errors).worst();
            assert_eq!(worst, Some(Extreme { error: errors[0], input: 1, result: 0 }), "{errors:?}");
        }
    }

    #[test]
    fn squares_are_of_whole_units_of_2_to_minus_16_ulp() {
        let one = of_errors(&[3 << 16, (3 << 16) + 1, -(3 << 16)]);
        assert_eq!((one.sum, one.sum_magnitude, one.sum_squares), ((3 << 16) + 1, (9 << 16) + 1, 27));
    }

    /// Each count of a sum is that of the two together.
    #[test]
    fn a_merge_adds_every_count() {
        let pairs = |seen| BTreeMap::from([(ResultRelation::Odd, Pairs { seen, ..Pairs::default() })]);
        let usage = |measured, refused, distance| {
            let farthest = Some(Farthest { distance, input: 1, result: 2 });
            let usage = Usage { metric: "ulp".into(), measured, refused, farthest };
            BTreeMap::from([("1 ulp".to_owned(), usage)])
        };
        let with = |errors: &[i64], special, n: u64| {
            let accuracy = of_errors(errors);
            let inputs = accuracy.measured + special;
            Accuracy { inputs, special, relations: pairs(n), bounds: usage(n, n - 1, n), ..accuracy }
        };
        let (first, second) = (with(&[0, 5 * ONE_ULP], 3, 10), with(&[-7, -9 * ONE_ULP, 1], 4, 200));
        let mut merged = first.clone();
        merged.merge(&second);
        let errors = of_errors(&[0, 5 * ONE_ULP, -7, -9 * ONE_ULP, 1]);
        let greatest = Some(Extreme { error: 5 * ONE_ULP, input: 2, result: 0 });
        let least = Some(Extreme { error: -9 * ONE_ULP, input: 2, result: 0 });
        let expected = Accuracy {
            inputs: 12,
            special: 7,
            relations: pairs(210),
            bounds: usage(210, 208, 200),
            greatest,
            least,
            ..errors
        };
        assert_eq!(merged, expected);
        let mut blank = Accuracy::default();
        blank.merge(&first);
        assert_eq!(blank, first, "nothing changes what is added to it");
    }

    /// Sums of columns count as the errors that they are made of.
    #[test]
    fn sums_of_columns_count_as_their_errors() {
        let errors = [0, ONE_ULP / 4, -ONE_ULP / 3, 5 * ONE_ULP, -9 * ONE_ULP, 6 * ONE_ULP];
        let one_by_one = of_errors(&errors);
        let mut sums = ErrorSums { inputs: 8, special: 2, ..ErrorSums::default() };
        (sums.measured, sums.sum, sums.sum_magnitude) =
            (one_by_one.measured, one_by_one.sum, one_by_one.sum_magnitude);
        (sums.sum_squares, sums.correctly_rounded) = (one_by_one.sum_squares, one_by_one.correctly_rounded);
        sums.faithful = one_by_one.faithful;
        for error in errors {
            sums.histogram[bin(error)] += 1;
            if let Some((side, power)) = far_place(error) {
                sums.far[side][power] += 1;
            }
        }
        let mut added = Accuracy::default();
        added.add(&sums);
        let expected = Accuracy { inputs: 8, special: 2, least: None, greatest: None, ..one_by_one };
        assert_eq!(added, expected);
        // A second time counts twice, in each field.
        added.add(&sums);
        let mut twice = expected.clone();
        twice.merge(&expected);
        assert_eq!(added, twice);
    }

    /// Results that double precision refuses count as inputs, and so do their errors.
    #[test]
    fn refused_results_count_as_their_errors() {
        let bounds: [Bound; 1] = ["1 ulp".parse().unwrap()];
        let contract = Contract::Bounded { bounds: bounds.into(), clauses: Clauses::default() };
        let arguments: Vec<u32> = vec![1, 2];
        let terms = Terms::of(&contract, &arguments).unwrap();
        let estimates =
            Estimates { arguments, bases: vec![1.5; 2], deltas: vec![0.0; 2], ..Estimates::default() };
        let results = [1.5_f32.to_bits() + 3, 1.5_f32.to_bits() - 5];
        let columns = Columns::default();
        let batch =
            JudgedBatch { terms: &terms, estimates: &estimates, results: &results, columns: &columns };
        let (refused, _) = batch.refused(vec![0, 1]);
        let mut accuracy = Accuracy::default();
        accuracy.add_refused(&refused);
        let one_by_one = of_errors(&[3 * ONE_ULP, -5 * ONE_ULP]);
        let expected = Accuracy { inputs: 2, least: None, greatest: None, ..one_by_one };
        assert_eq!(accuracy, expected);
        accuracy.add_refused(&refused);
        assert_eq!(accuracy.inputs, 4);
    }

    #[test]
    fn a_usage_counts_what_is_refused_and_keeps_the_farthest() {
        let bounds: [Bound; 2] = ["absolute 2^-22 on (0.5, 2)", "1 ulp"].map(|text| text.parse().unwrap());
        let contract = Contract::Bounded { bounds: bounds.clone().into(), clauses: Clauses::default() };
        let of = |bound, distance, argument, holds| Measured {
            argument,
            result: 7,
            error: Error { floor: 1, exact: true, correctly_rounded: false },
            bound,
            distance,
            holds,
        };
        let list =
            [of(Some(1), 9, 5, false), of(Some(1), 9, 4, true), of(None, 2, 3, true), of(None, 1, 1, false)];
        let mut accuracy = Accuracy::default();
        let verdicts = Verdicts { measured: list.to_vec(), reals: 6, special: 2, ..Verdicts::default() };
        accuracy.count(&contract, &verdicts);
        assert_eq!((accuracy.inputs, accuracy.special, accuracy.measured), (6, 2, 4));
        let farthest = |distance, input| Some(Farthest { distance, input, result: 7 });
        let usage = |measured, refused, farthest| Usage { metric: "ulp".into(), measured, refused, farthest };
        // What no bound covers is measured as the last bound is.
        let expected = [
            ("1 ulp".to_owned(), usage(2, 1, farthest(9, 4))),
            (NO_BOUND.to_owned(), usage(2, 1, farthest(2, 3))),
        ];
        assert_eq!(accuracy.bounds, BTreeMap::from(expected));
        let bar = accuracy.bounds["1 ulp"].bar();
        assert_eq!(bar, StandingRecord { units: 9.0, input: 4 });
        assert_eq!(Usage::default().bar(), StandingRecord::NONE);
        assert_eq!(accuracy.usage(&bounds, Some(0)).metric, "absolute");
        // Results that are known to hold count one by one.
        let mut counter = ResultCounter::new(&mut accuracy, &contract);
        counter.held(None);
        counter.held(Some(&of(Some(1), 10, 8, true)));
        counter.finish();
        assert_eq!((accuracy.inputs, accuracy.special, accuracy.measured), (8, 3, 5));
        assert_eq!(accuracy.bounds["1 ulp"], usage(3, 1, farthest(10, 8)));
    }

    #[test]
    fn records_to_beat_are_the_higher_ones() {
        let (low, high) = (of_errors(&[-5, 6]), of_errors(&[-8, 4]));
        let bar = |units, input| StandingRecord { units, input };
        let alone = low.bars();
        assert_eq!((alone.greatest, alone.least), (bar(6.0, 2), bar(5.0, 1)));
        let beside = low.bars_beside(Some(&high));
        assert_eq!((beside.greatest, beside.least), (bar(6.0, 2), bar(8.0, 1)));
    }

    #[test]
    fn sums_of_128_bits_are_text_in_json() {
        let one = of_errors(&[i64::MIN, 1]);
        let text = serde_json::to_value(&one).unwrap();
        assert_eq!(text["sum"], "-9223372036854775807");
        assert_eq!(serde_json::from_value::<Accuracy>(text.clone()).unwrap(), one);
        let wrong = serde_json::json!({"sum": "one"});
        let merged =
            text.as_object().unwrap().clone().into_iter().chain([("sum".into(), wrong["sum"].clone())]);
        assert!(serde_json::from_value::<Accuracy>(merged.collect()).is_err());
    }
}

/// 128-bit integers as decimal text: JSON readers elsewhere would round them.
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
