//! Parts decided as a whole, compared with their lanes one by one.

use assay_isa::Estimates;

use super::super::part::{MEASURED, PART, PartErrors};
use super::super::whole;
use super::made::{FIRST, Made, every, judged, list, neighbours};
use super::{compare, quick};
use crate::compare::judge::quick::*;

#[test]
fn neighbours_are_decided_as_the_slow_judge_says() {
    neighbours(|made, contract, what| {
        compare(made, contract, quick).unwrap_or_else(|problem| panic!("{what}: {problem}"));
    });
}

#[test]
fn a_whole_part_counts_as_its_lanes_do() {
    let hold = |made: &Made, contract: &Contract, what: &str| {
        let (mut columns, mut lanes) = (Columns::default(), Columns::default());
        let (terms, sums, results) = judged(made, contract, &mut columns);
        assert_eq!(sums, lanes.judge_lanes(&terms, &made.estimates, results), "{what}");
        assert_eq!(
            (columns.open.as_slice(), columns.tops.len()),
            (lanes.open.as_slice(), lanes.tops.len()),
            "{what}"
        );
        for (whole, lanes) in columns.tops.iter().zip(&lanes.tops) {
            let reaches = whole.greatest >= lanes.greatest && whole.least >= lanes.least;
            assert!(reaches && whole.distance >= lanes.distance, "{what}: {whole:?} {lanes:?}");
        }
    };
    every(true, hold);
    neighbours(hold);
}

#[test]
fn what_a_whole_part_may_be_worth_is_no_less_than_any_lane() {
    let (mut wholes, mut parts) = (0, 0);
    neighbours(|made, contract, what| {
        let (terms, _, results) = judged(made, contract, &mut Columns::default());
        let (mut lanes, mut patterns) = (PartErrors::BLANK, [0; PART]);
        for first in (0..results.len()).step_by(PART) {
            parts += 1;
            let whole = whole::judge(&terms, &made.estimates, results, first, &mut patterns);
            let Some(whole) = whole else { continue };
            wholes += 1;
            lanes.judge(&terms, &made.estimates, results, first);
            for (lane, pattern) in patterns.iter().enumerate() {
                let (error, doubt) = (lanes.errors[lane], lanes.doubts[lane]);
                let magnitude = lanes.magnitudes[lane];
                assert_eq!(lanes.states[lane], MEASURED, "{what}: lane {lane}");
                let units = (error * UNITS).floor() as i64;
                assert_eq!(whole::units(*pattern), units, "{what}: lane {lane}");
                assert!(error + doubt <= whole.high && doubt - error <= whole.low, "{what}: lane {lane}");
                assert!(
                    (whole.magnitudes.0..=whole.magnitudes.1).contains(&magnitude),
                    "{what}: lane {lane}"
                );
            }
        }
    });
    // Otherwise the slower way would be taken unseen.
    assert!(wholes * 20 > parts, "{wholes} of {parts}");
}

/// A part of neighbours that is decided as a whole, to be changed.
struct Part {
    terms: Terms,
    estimates: Estimates,
    results: Vec<u32>,
}

/// The unit of the last place of numbers in [1, 2).
const ULP: f64 = 1.0 / (1 << 23) as f64;

impl Part {
    /// Truths are 0.3 ulp above their results, which lie in [1.5, 2), times a power of two.
    fn new(power: f64) -> Part {
        let bases: Vec<f64> = (0..PART).map(|lane| (1.5 + 2.0 * lane as f64 * ULP) * power).collect();
        let estimates = Estimates {
            arguments: (FIRST..).take(PART).collect(),
            rows: vec![0; PART],
            deltas: vec![0.3 * ULP * power; PART],
            bases,
            slack: 1.0 / (1_u64 << 44) as f64,
            ..Estimates::default()
        };
        let results = estimates.bases.iter().map(|base| (*base as f32).to_bits()).collect();
        let terms = Terms::of(&list(&["600000 ulp"]), &estimates.arguments).expect("terms");
        Part { terms, estimates, results }
    }

    /// Sets a lane in the middle: its base, its delta and its result.
    fn with(mut self, base: f64, delta: f64, result: u32) -> Part {
        (self.estimates.bases[9], self.estimates.deltas[9], self.results[9]) = (base, delta, result);
        self
    }

    fn is_whole(&self) -> bool {
        whole::judge(&self.terms, &self.estimates, &self.results, 0, &mut [0; PART]).is_some()
    }
}

/// A part with another lane, another mode or another limit.
fn changed(power: f64, change: impl Fn(&mut Part)) -> Part {
    let mut part = Part::new(power);
    change(&mut part);
    part
}

/// Each check by itself: a part that it alone refuses, and where there is one, the next part that it lets pass.
#[test]
fn a_part_is_decided_as_a_whole_unless() {
    let one = || Part::new(1.0);
    let bits = |number: f64| (number as f32).to_bits();
    let (least, unit) = (f64::from(f32::MIN_POSITIVE), f64::from(f32::from_bits(1)));
    let eighth = |off: f64| one().with(1.5, (0.25 + off) * ULP, bits(1.5));
    // Below 2, but the sum of base and delta is 2.
    let below = |part: Part| {
        let estimates = Estimates { slack: 1.0 / (1_u64 << 49) as f64, ..part.estimates };
        Part { estimates, ..part }.with(2.0, -ULP / (1_u64 << 30) as f64, bits(2.0))
    };
    let other = changed(1.0, |part| (part.estimates.bases[0], part.results[0]) = (5.0, bits(5.0)));
    let flushed = |power: f64| changed(power, |part| part.estimates.flush = true);
    let limited = |by: f64| changed(1.0, |part| part.terms.ulp = 0.3 * (1.0 + by));
    let table = [
        ("nothing is in the way", one(), true),
        ("there are fewer lanes", changed(1.0, |part| part.results.truncate(PART - 1)), false),
        ("results are clamped", changed(1.0, |part| part.estimates.saturate = true), false),
        ("results end at one", changed(1.0, |part| part.terms.ends_at_one = true), false),
        ("some lane has a row", changed(1.0, |part| part.estimates.has_rows = true), false),
        ("a lane has no truth", one().with(f64::NAN, 0.0, bits(1.5)), false),
        ("a truth is zero", one().with(0.0, 0.0, 0), false),
        ("a result is no number", one().with(1.5, 0.3 * ULP, 0x7fc0_0000), false),
        ("a result is infinite", one().with(1.5, 0.3 * ULP, 0x7f80_0000), false),
        ("a result may be flushed", flushed(least), false),
        ("no result can be flushed", flushed(2.0 * least), true),
        ("an error is far", one().with(1.5, 0.3 * ULP, bits(1.5 + 65.0 * ULP)), false),
        ("a negative error is far", one().with(1.5, 0.3 * ULP, bits(1.5 - 65.0 * ULP)), false),
        ("an error is just near", one().with(1.5, 0.3 * ULP, bits(1.5 + 63.0 * ULP)), true),
        ("an error may be beyond the limit", limited(1.0 / (1_u64 << 46) as f64), false),
        ("an error is just within the limit", limited(1.0 / (1_u64 << 40) as f64), true),
        ("an error may be on a border", eighth(1.0 / (1_u64 << 47) as f64), false),
        ("an error is just off a border", eighth(1.0 / (1_u64 << 40) as f64), true),
        (
            "a result has the other sign",
            Part::new(64.0 * unit / 1.5).with(3.0 * unit, 0.3 * unit, 0x8000_0002),
            false,
        ),
        ("a truth is small", Part::new(64.0 * unit / 1.5).with(3.0 * unit, 0.3 * unit, 5), true),
        ("a truth has another binade", below(Part::new(4.0 / 3.0)), false),
        ("each truth has its own", below(other), true),
    ];
    for (what, part, expected) in table {
        assert_eq!(part.is_whole(), expected, "{what}");
        let Part { terms, estimates, results } = part;
        let (mut columns, mut lanes) = (Columns::default(), Columns::default());
        let sums = columns.judge(&terms, &estimates, &results);
        assert_eq!(sums, lanes.judge_lanes(&terms, &estimates, &results), "{what}");
        assert_eq!(columns.open, lanes.open, "{what}");
    }
}

/// Each check by itself: a part of infinities or zeros that it alone refuses, and where there is one, the next that passes.
#[test]
fn a_part_holds_as_a_whole_unless() {
    const INFINITY: u32 = 0x7f80_0000;
    let power = |exponent: i32| 2.0_f64.powi(exponent);
    let all = |truth: f64, result: u32, flush: bool| {
        let mut part = Part::new(1.0);
        part.estimates.bases.fill(truth);
        part.estimates.deltas.fill(truth / power(20));
        part.results.fill(result);
        part.estimates.flush = flush;
        part
    };
    let overflow = || all(power(130), INFINITY, false);
    let flushed = || all(power(-128), 0, true);
    let but = |part: Part, change: &dyn Fn(&mut Part)| {
        let mut part = part;
        change(&mut part);
        part
    };
    let least = f64::from(f32::MIN_POSITIVE);
    let beyond = |margin: i32| power(128) * (1.0 + power(margin));
    let table = [
        ("all overflow", overflow(), true),
        ("all overflow below zero", all(-power(130), INFINITY | 1 << 31, true), true),
        ("all are flushed", flushed(), true),
        ("all are flushed below zero", all(-power(-128), 1 << 31, true), true),
        ("there are fewer lanes", but(overflow(), &|part| part.results.truncate(PART - 1)), false),
        ("results are clamped", but(overflow(), &|part| part.estimates.saturate = true), false),
        ("results end at one", but(overflow(), &|part| part.terms.ends_at_one = true), false),
        ("some lane has a row", but(overflow(), &|part| part.estimates.has_rows = true), false),
        ("a lane has no truth", overflow().with(f64::NAN, 0.0, INFINITY), false),
        ("a truth has the other sign", overflow().with(-power(130), 0.0, INFINITY), false),
        ("a result has the other sign", overflow().with(power(130), 0.0, INFINITY | 1 << 31), false),
        ("a result is the greatest number", overflow().with(power(130), 0.0, INFINITY - 1), false),
        ("a result is no number", overflow().with(power(130), 0.0, INFINITY + 1), false),
        ("a truth just overflows", overflow().with(beyond(-31), 0.0, INFINITY), false),
        ("a truth overflows for certain", overflow().with(beyond(-29), 0.0, INFINITY), true),
        ("nothing is flushed", all(power(-128), 0, false), false),
        ("a small result is not flushed", flushed().with(power(-128), 0.0, 1), false),
        ("a small truth has the other sign", flushed().with(-power(-128), 0.0, 0), false),
        ("a truth may round to the least", flushed().with(least * (1.0 - power(-25)), 0.0, 0), false),
        ("a truth just is too small", flushed().with(least * (1.0 - power(-23)), 0.0, 0), true),
    ];
    for (what, part, expected) in table {
        let Part { terms, estimates, results } = part;
        assert_eq!(whole::is_held(&terms, &estimates, &results, 0), expected, "{what}");
        let (mut columns, mut lanes) = (Columns::default(), Columns::default());
        let sums = columns.judge(&terms, &estimates, &results);
        assert_eq!(sums, lanes.judge_lanes(&terms, &estimates, &results), "{what}");
        assert_eq!(columns.open, lanes.open, "{what}");
        assert_eq!(columns.tops.len(), lanes.tops.len(), "{what}");
    }
}

/// An error that is rounded down to minus 2 ulp is beyond the histogram, whatever the doubt about other lanes.
#[test]
fn an_error_next_to_the_histograms_end_is_counted_once() {
    let mut part = Part::new(1.0);
    part.estimates.slack = 1.0 / (1_u64 << 49) as f64;
    part.estimates.bases = vec![1.5; PART];
    part.estimates.deltas = vec![7.0 / 32.0 * ULP; PART];
    part.results = vec![1.5_f32.to_bits(); PART];
    let part = part.with(1.5, -6.0 / (1_u64 << 52) as f64 * ULP, 1.5_f32.to_bits() - 2);
    let Part { terms, estimates, results } = &part;
    let sums = Columns::default().judge(terms, estimates, results);
    assert!(part.is_whole());
    assert_eq!(sums, Columns::default().judge_lanes(terms, estimates, results));
    assert_eq!(sums.far[0][0], 1);
}
