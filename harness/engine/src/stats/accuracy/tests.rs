use assay_isa::Estimates;
use assay_vectors::Clauses;

use super::*;
use crate::compare::judge::quick::{Columns, JudgedBatch, Terms};

/// At a tie, both neighbours have the same distance. The order of counting must not matter, because
/// a campaign counts known results before it judges the others.
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
    for error in [0, ONE_ULP, 2 * ONE_ULP - 1, 2 * ONE_ULP, 7 * ONE_ULP, -2 * ONE_ULP, i64::MIN, i64::MAX] {
        accuracy.record(Error { floor: error, exact: false, correctly_rounded: false }, 1, 2);
    }
    assert_eq!(accuracy.far, [(-30, 1), (-1, 1), (1, 1), (2, 1), (30, 1)].into());
    let mut twice = accuracy.clone();
    twice.merge(&accuracy);
    assert_eq!(twice.far[&2], 2);
}

/// Returns the accuracy of results with these errors, in units of 2^-32 ulp. The inputs are 1, 2
/// and so on.
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
    // Of equal magnitudes, the error of the smaller input counts.
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

/// Each count after a merge is the sum of both counts.
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

/// The sums of columns are counted like their errors one by one.
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
    // If sums are added twice, each field counts them twice.
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
    let batch = JudgedBatch { terms: &terms, estimates: &estimates, results: &results, columns: &columns };
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
    // Results that no bound covers are measured in the metric of the last bound.
    let expected = [
        ("1 ulp".to_owned(), usage(2, 1, farthest(9, 4))),
        (NO_BOUND.to_owned(), usage(2, 1, farthest(2, 3))),
    ];
    assert_eq!(accuracy.bounds, BTreeMap::from(expected));
    let to_beat = accuracy.bounds["1 ulp"].standing_record();
    assert_eq!(to_beat, StandingRecord { units: 9.0, input: 4 });
    assert_eq!(Usage::default().standing_record(), StandingRecord::NONE);
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
    let to_beat = |units, input| StandingRecord { units, input };
    let alone = low.standing_records();
    assert_eq!((alone.greatest, alone.least), (to_beat(6.0, 2), to_beat(5.0, 1)));
    let beside = low.standing_records_beside(Some(&high));
    assert_eq!((beside.greatest, beside.least), (to_beat(6.0, 2), to_beat(8.0, 1)));
}

#[test]
fn sums_of_128_bits_are_text_in_json() {
    let one = of_errors(&[i64::MIN, 1]);
    let text = serde_json::to_value(&one).unwrap();
    assert_eq!(text["sum"], "-9223372036854775807");
    assert_eq!(serde_json::from_value::<Accuracy>(text.clone()).unwrap(), one);
    let wrong = serde_json::json!({"sum": "one"});
    let merged = text.as_object().unwrap().clone().into_iter().chain([("sum".into(), wrong["sum"].clone())]);
    assert!(serde_json::from_value::<Accuracy>(merged.collect()).is_err());
}
