//! Whole columns compared with the judge on enclosures, lane by lane. The truths are made up, so that no oracle is needed.

mod histogram;
mod made;
mod records;
mod refused;
mod whole;

use assay_isa::Estimates;

use super::part::PART;
use super::*;
use crate::compare::judge::FARTHEST_UNITS;
use crate::stats::accuracy::Accuracy;
use made::{Made, Slow, every, judged, list};

/// Judges results by columns. Returns the sums, and the lanes that stay open.
type Quick = fn(&Terms, &Estimates, &[u32]) -> (ErrorSums, Vec<usize>);

fn quick(terms: &Terms, estimates: &Estimates, results: &[u32]) -> (ErrorSums, Vec<usize>) {
    let mut columns = Columns::default();
    let sums = columns.judge(terms, estimates, results);
    let open = JudgedBatch { terms, estimates, results, columns: &columns }.open();
    (sums, open)
}

/// Compares the columns with the slow judge: no diverging lane is decided, and the sums are those of the decided lanes.
fn compare(made: &Made, contract: &Contract, quick: Quick) -> Result<(), String> {
    let terms = Terms::of(contract, &made.estimates.arguments).expect("arguments of one sign");
    let (sums, open) = quick(&terms, &made.estimates, &made.effects.columns()[0].values);
    let mut accuracy = Accuracy::default();
    accuracy.add(&sums);
    let sums = accuracy;
    let slow = Slow::of(made, contract);
    let mut expected = Accuracy::default();
    let (mut coarsest, mut borders) = (0, 0);
    for (lane, measured) in slow.measured.iter().enumerate() {
        if open.contains(&lane) {
            continue;
        }
        ensure(slow.diverged[lane].is_none(), || format!("lane {lane} diverges"))?;
        expected.inputs += 1;
        match measured {
            Some(measured) => {
                expected.record(measured.error, measured.argument, measured.result);
                let units = measured.error.floor;
                borders += u64::from([-1, 1].iter().any(|by| far_place(units + by) != far_place(units)));
                coarsest = coarsest.max((measured.error.floor >> 16).unsigned_abs());
            }
            None => expected.special += 1,
        }
    }
    let counts = |a: &Accuracy| [a.inputs, a.measured, a.special, a.correctly_rounded, a.faithful];
    ensure(counts(&sums) == counts(&expected), || {
        format!("counts {:?} {:?}", counts(&sums), counts(&expected))
    })?;
    ensure(sums.histogram == expected.histogram, || "another histogram".into())?;
    // An error on the border of a power of two may be one unit off.
    let far = |a: &Accuracy| a.far.values().sum::<u64>();
    ensure(far(&sums).abs_diff(far(&expected)) <= borders, || {
        format!("far errors {:?} {:?}", sums.far, expected.far)
    })?;
    // The units of each lane may be off by one, and so may the units of its square.
    let most = u128::from(expected.measured);
    let squares = sums.sum_squares.abs_diff(expected.sum_squares);
    ensure((sums.sum - expected.sum).unsigned_abs() <= most, || {
        format!("sum {} {}", sums.sum, expected.sum)
    })?;
    ensure(sums.sum_magnitude.abs_diff(expected.sum_magnitude) <= most, || "sum of magnitudes".into())?;
    ensure(squares <= u128::from(8 * coarsest + 4), || format!("sum of squares, by {squares}"))
}

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

#[test]
fn what_is_decided_is_what_the_slow_judge_says() {
    every(false, |made, contract, what| {
        compare(made, contract, quick).unwrap_or_else(|problem| panic!("{what}: {problem}"));
    });
}

/// Judges changed results in place of the given ones, in the lanes with a fault.
fn with(
    terms: &Terms,
    estimates: &Estimates,
    results: &[u32],
    change: impl Fn(usize, u32) -> u32,
) -> (ErrorSums, Vec<usize>) {
    let changed: Vec<u32> = results.iter().enumerate().map(|(lane, bits)| change(lane, *bits)).collect();
    quick(terms, estimates, &changed)
}

/// Returns a result of a lane that is certainly right, so that the lane cannot fail the test.
fn right(estimates: &Estimates, lane: usize) -> u32 {
    let base = estimates.bases[lane];
    if base.is_nan() { estimates.rows[lane] } else { (base as f32).to_bits() }
}

/// Columns that skip one lane.
macro_rules! skips {
    ($lane:expr) => {
        |t, e, r| with(t, e, r, |lane, bits| if lane == $lane { right(e, lane) } else { bits })
    };
}

/// Faults of the columns. The comparison with the slow judge must find each fault.
const FAULTS: [(&str, Quick); 16] = [
    ("skips the first lane", skips!(0)),
    ("skips lane 1", skips!(1)),
    ("skips lane 31", skips!(31)),
    ("skips the last lane of a part", skips!(PART - 1)),
    ("skips the first lane of the second part", skips!(PART)),
    ("skips lane 1023", skips!(1023)),
    ("skips the last lane", |t, e, r| {
        with(t, e, r, |lane, bits| if lane + 1 == r.len() { right(e, lane) } else { bits })
    }),
    ("skips the last part", |t, e, r| {
        with(t, e, r, |lane, bits| if lane / PART == r.len() / PART { right(e, lane) } else { bits })
    }),
    ("skips all", |t, e, r| with(t, e, r, |lane, _| right(e, lane))),
    ("takes a NaN for the truth", |t, e, r| {
        with(t, e, r, |lane, bits| if F32.is_nan(bits) { right(e, lane) } else { bits })
    }),
    ("ignores signs", |t, e, r| {
        let sign = |lane: usize| right(e, lane) & F32.sign_mask();
        with(
            t,
            e,
            r,
            |lane, bits| if e.bases[lane].is_nan() { bits } else { bits & !F32.sign_mask() | sign(lane) },
        )
    }),
    ("ignores the rows", |t, e, r| {
        with(t, e, r, |lane, bits| if e.bases[lane].is_nan() { e.rows[lane] } else { bits })
    }),
    ("allows twice the bound", |t, e, r| {
        quick(&Terms { ulp: 2.0 * t.ulp, distance: 2.0 * t.distance, ..*t }, e, r)
    }),
    ("allows a hundredth more", |t, e, r| {
        quick(&Terms { ulp: 1.01 * t.ulp, distance: 1.01 * t.distance, ..*t }, e, r)
    }),
    ("leaves nothing open", |t, e, r| (quick(t, e, r).0, Vec::new())),
    ("does not clamp", |t, e, r| {
        let unclamped = Estimates { saturate: false, ..e.clone() };
        quick(t, &unclamped, r)
    }),
];

#[test]
fn a_fault_of_the_columns_is_noticed() {
    let mut unnoticed: Vec<&(&str, Quick)> = FAULTS.iter().collect();
    every(false, |made, contract, _| {
        unnoticed.retain(|(_, faulty)| compare(made, contract, *faulty).is_ok())
    });
    let names: Vec<&str> = unnoticed.iter().map(|(name, _)| *name).collect();
    assert!(names.is_empty(), "{names:?}");
}

/// Double precision must decide each lane that it can. If it left such lanes to the slow judge,
/// only this test would fail.
#[test]
fn what_is_plain_is_decided() {
    every(true, |made, contract, what| {
        let mut columns = Columns::default();
        let (terms, _, results) = judged(made, contract, &mut columns);
        let open =
            JudgedBatch { terms: &terms, estimates: &made.estimates, results, columns: &columns }.open();
        let slow = Slow::of(made, contract);
        for lane in open {
            let saturates = made.estimates.saturate;
            let Some(measured) = slow.measured[lane].filter(|m| m.holds && !saturates) else { continue };
            let eighths = measured.error.ulp() * 8.0;
            let share = match terms.metric {
                Metric::Ulp => measured.error.ulp().abs() / terms.ulp,
                Metric::Absolute | Metric::Relative => measured.distance as f64 / FINE_UNITS / terms.distance,
            };
            let is_plain = (eighths - eighths.round()).abs() > 1e-6 && !(0.999..).contains(&share);
            assert!(!is_plain, "{what}: lane {lane} is open: {measured:?}");
        }
    });
}

#[test]
fn an_error_is_that_of_the_slow_judge() {
    every(false, |made, contract, what| {
        let results = &made.effects.columns()[0].values;
        for (lane, measured) in Slow::of(made, contract).measured.iter().enumerate() {
            let error = error(&made.estimates, results, lane);
            if made.estimates.bases[lane].is_nan() {
                continue;
            }
            let flushed = made.estimates.flush && results[lane] << 1 == 0;
            assert_eq!(error.is_nan(), flushed || F32.is_nan(results[lane]), "{what}: lane {lane}");
            if let (Some(measured), false) = (measured, error.is_nan()) {
                let (slow, doubt) = (measured.error.ulp(), 1e-9 * (1.0 + measured.error.ulp().abs()));
                let beyond = measured.error.floor.abs() == FARTHEST_UNITS;
                assert!(
                    beyond || !error.is_finite() || (error - slow).abs() <= doubt,
                    "{what}: {error} {slow}"
                );
            }
        }
    });
}

#[test]
fn the_terms_are_those_of_all_arguments_or_none() {
    let bits = |x: f32| x.to_bits();
    let several = list(&["1 ulp on [1, 2]", "absolute 2^-20 on (2, 8)"]);
    let of = |contract: &Contract, low: f32, high: f32| {
        let terms = Terms::of(contract, &[bits(low), bits(high)]);
        terms.map(|terms| (terms.bound, terms.metric.name(), terms.ulp, terms.distance))
    };
    let sure = (1.0 / (1 << 20) as f64) * (1.0 - CAUTION);
    assert_eq!(of(&several, 1.25, 1.75), Some((Some(0), "ulp", 1.0, f64::INFINITY)));
    assert_eq!(of(&several, 3.0, 4.0), Some((Some(1), "absolute", FARTHEST, sure)));
    let open = Some((None, "absolute", FARTHEST, f64::INFINITY));
    assert_eq!(of(&several, 10.0, 11.0), open);
    assert_eq!(of(&several, -11.0, -12.0), open);
    // If an end of an interval lies between the arguments or on one of them, the terms decide no
    // lane.
    let unsure = Some((None, "ulp", -1.0, 0.0));
    for (low, high) in [(1.5, 2.5), (0.5, 1.5), (7.0, 9.0), (1.0, 1.5), (1.5, 2.0), (0.25, 100.0)] {
        assert_eq!(of(&several, low, high), unsure, "{low} {high}");
    }
    // If arguments are negative and ascend as patterns, the last is the least number.
    let negative = list(&["1 ulp on [-2, -1]"]);
    assert_eq!(of(&negative, -1.25, -1.75), Some((Some(0), "ulp", 1.0, f64::INFINITY)));
    assert_eq!(of(&negative, -1.5, -2.5), unsure);
    assert_eq!(of(&several, -1.0, 1.0), None);
    assert_eq!(of(&Contract::BitExact, 1.0, 2.0), None);
    assert!(Terms::of(&several, &[]).is_none());
    assert_eq!(of(&list(&["600000 ulp"]), 1.0, 2.0).expect("terms").2, FARTHEST);
    assert_eq!(of(&list(&["0.75 ulp"]), 1.0, 2.0).expect("terms").2, 0.75);
    // A distance equal to a strict limit is not allowed. A distance is certainly refused if it is
    // beyond the limit plus the margin.
    for (bound, limit, sure) in [("1 ulp", 1.0, 1.0), ("<2 ulp", 2.0, 2.0 * (1.0 - CAUTION))] {
        let terms = Terms::of(&list(&[bound]), &[bits(1.0), bits(2.0)]).expect("terms");
        assert_eq!((terms.ulp, terms.refused), (sure, limit * (1.0 + 4.0 * CAUTION)), "{bound}");
    }
}
