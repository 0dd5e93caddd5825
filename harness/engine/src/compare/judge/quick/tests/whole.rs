//! Tests that deciding a part as a whole agrees with deciding lane by lane.

use assay_isa::Estimates;

use super::super::part::{self, HELD, MEASURED, OPEN, PART, PartErrors, magnitude};
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
    // If such parts were decided lane by lane, runs would be slower, and no other test would fail.
    assert!(wholes * 20 > parts, "{wholes} of {parts}");
}

/// A part of neighbours that is decided as a whole. Tests change it.
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

    /// The lanes that are left to the slow judge.
    fn open(&self) -> Vec<usize> {
        let Part { terms, estimates, results } = self;
        let mut columns = Columns::default();
        columns.judge(terms, estimates, results);
        JudgedBatch { terms, estimates, results, columns: &columns }.open()
    }

    fn is_whole(&self) -> bool {
        whole::judge(&self.terms, &self.estimates, &self.results, 0, &mut [0; PART]).is_some()
    }
}

/// Returns a part with a changed lane, mode or limit.
fn changed(power: f64, change: impl Fn(&mut Part)) -> Part {
    let mut part = Part::new(power);
    change(&mut part);
    part
}

/// Tests each check with a part that only this check refuses. Also tests the nearest part that the
/// check accepts, if there is one.
#[test]
fn a_part_is_decided_as_a_whole_unless() {
    let one = || Part::new(1.0);
    let bits = |number: f64| (number as f32).to_bits();
    let (least, unit) = (f64::from(f32::MIN_POSITIVE), f64::from(f32::from_bits(1)));
    let eighth = |off: f64| one().with(1.5, (0.25 + off) * ULP, bits(1.5));
    // The truth is below 2, but the rounded sum of base and delta is 2.
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

/// Tests each check with a part of infinities or zeros that only this check refuses. Also tests the
/// nearest part that the check accepts, if there is one.
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
        ("a delta keeps a truth", overflow().with(beyond(-29), -power(108), INFINITY), false),
        ("a delta makes a truth overflow", overflow().with(power(128), power(108), INFINITY), true),
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

/// If the errors of several lanes may be equal, each lane may hold a record. So all of them must be
/// returned.
#[test]
fn all_lanes_that_may_hold_a_record_are_looked_at() {
    let part = changed(1.0, |part| part.estimates.slack = 1.0 / (1 << 30) as f64);
    let Part { terms, estimates, results } = &part;
    let mut columns = Columns::default();
    columns.judge(terms, estimates, results);
    let judged = JudgedBatch { terms, estimates, results, columns: &columns };
    let none = StandingRecord::OUT_OF_REACH;
    let none = StandingRecords { greatest: none, least: none, worst: none, distance: none };
    let to_beat = StandingRecord::NONE;
    for (standing, name) in [
        (StandingRecords { greatest: to_beat, ..none }, "greatest"),
        (StandingRecords { least: to_beat, ..none }, "least"),
        (StandingRecords { distance: to_beat, ..none }, "distance"),
        (StandingRecords { worst: to_beat, ..none }, "worst"),
    ] {
        assert_eq!(judged.records(&standing).len(), PART, "{name}");
    }
}

/// Tests which results under .SAT are left to the slow judge.
#[test]
fn a_clamped_lane_is_decided_unless() {
    let bits = |number: f64| (number as f32).to_bits();
    let tiny = |exponent: i32| 2.0_f64.powi(exponent);
    let one = bits(1.0);
    for (what, base, delta, result, is_open) in [
        ("between 0 and 1", 0.5, 0.3 * ULP / 2.0, bits(0.5), false),
        ("just above 1", 1.5, 0.3 * ULP, one, false),
        ("just 1", 1.0, 0.0, one, false),
        ("above 1, and the result is not 1", 1.5, 0.3 * ULP, one - 1, true),
        ("above 1, and the result is not clamped", 1.5, 0.3 * ULP, bits(1.5), true),
        ("below 0", -1.5, -0.3 * ULP, 0, false),
        ("below 0, and the zero is negative", -1.5, -0.3 * ULP, 1 << 31, true),
        ("below 0, and the result is not 0", -1.5, -0.3 * ULP, 1, true),
        ("below 1, and the result is above", 1.0 - ULP / 2.0, 0.3 * ULP / 2.0, one + 1, true),
        ("below 1, and the result is 1", 1.0 - ULP / 2.0, 0.2 * ULP / 2.0, one, false),
        ("so near 1 that it may be either", 0.0, 1.0 - tiny(-31), one, true),
        ("so near 1 from above", 0.0, 1.0 + tiny(-31), one, true),
        ("surely below 1", 0.0, 1.0 - tiny(-29), one, false),
        ("surely above 1", 0.0, 1.0 + tiny(-29), one, false),
        ("near 1 with a base", 1.0 - ULP / 2.0, ULP / 2.0 - tiny(-40), one, false),
        ("no number", 0.5, 0.3 * ULP / 2.0, 0x7fc0_0000, true),
        ("so near 1 from above, and the result is not 1", 0.0, 1.0 + tiny(-31), one - 1, true),
    ] {
        let part = changed(1.0, |part| part.estimates.saturate = true).with(base, delta, result);
        assert_eq!(part.open().contains(&9), is_open, "{what}");
    }
}

/// A sum that was rounded up to a power of two is in the binade below.
#[test]
fn the_binade_is_that_of_the_truth() {
    let tiny = 2.0_f64.powi(-53);
    for (base, delta, below) in [
        (1.0, 1.0 - tiny, true),
        (2.0, -tiny / 4.0, true),
        (-2.0, tiny / 4.0, true),
        (2.0, tiny / 4.0, false),
        (-2.0, -tiny / 4.0, false),
        (2.0, 0.0, false),
    ] {
        let value = base + delta;
        let expected = f64::abs(value).to_bits() - u64::from(below);
        assert_eq!(magnitude(base, delta, value), expected, "{base} {delta:e}");
    }
}

/// Tests which lanes are left to the slow judge, in parts that cannot be decided as a whole because
/// of another lane.
#[test]
fn a_lane_is_decided_unless() {
    let bits = |number: f64| (number as f32).to_bits();
    let (least, unit) = (f64::from(f32::MIN_POSITIVE), f64::from(f32::from_bits(1)));
    let (half, small) = (0.5 * unit, Part::new(64.0 * unit / 1.5));
    let part = |signed: bool| changed(64.0 * unit / 1.5, |part| part.estimates.traits.signed_zeros = signed);
    let within = |part: Part, metric: Metric, distance: f64| {
        let terms = Terms { metric, distance, ..part.terms };
        Part { terms, ..part }
    };
    let relative = |base: f64, delta: f64, result: u32, distance: f64| {
        within(part(false).with(base, delta, result), Metric::Relative, distance)
    };
    let unsure = changed(1.0, |part| {
        part.terms.ulp = -1.0;
        part.estimates.deltas.fill(0.0);
    });
    for (what, part, is_open) in [
        ("exact", part(false).with(3.0 * unit, 0.0, 3), false),
        ("exact and negative", part(true).with(-3.0 * unit, 0.0, 0x8000_0003), false),
        ("zero", part(true).with(0.0, 0.0, 0), false),
        ("a zero of the other sign", part(true).with(0.0, 0.0, 1 << 31), true),
        ("a negative zero", part(true).with(-0.0, -0.0, 1 << 31), false),
        ("a negative zero, and the truth a positive one", part(true).with(-0.0, 0.0, 1 << 31), true),
        ("a zero whose sign is free", part(false).with(0.0, 0.0, 1 << 31), false),
        ("exact, and the bounds differ", unsure, true),
        ("the other sign, on the border of a bin", small.with(unit, 0.0, 0x8000_0001), true),
        ("half a unit of the grid", relative(3.0 * unit, 0.45 * unit, 3, 0.0), false),
        ("just more than half a unit", relative(3.0 * unit, half * (1.0 + 0.5_f64.powi(32)), 3, 0.0), true),
        (
            "the least normal number has no such unit",
            relative(least, least * 0.5_f64.powi(54), bits(least), 0.5_f64.powi(60)),
            true,
        ),
    ] {
        assert_eq!(part.open().contains(&9), is_open, "{what}");
    }
}

/// An interval of errors that ends beyond the limit leaves a lane open, whatever its metric. An
/// interval that ends before the limit does not.
#[test]
fn no_doubt_is_left_about_the_limit() {
    let gap = 0.3 * ULP;
    for (metric, limit, scale) in [
        (Metric::Ulp, 0.3, 1.0),
        (Metric::Absolute, gap, 1.0),
        (Metric::Relative, gap / 1.5, 1.0 - 256.0 * ULP),
    ] {
        // The doubt is 2^-10 of the error.
        for (share, is_open) in [(0.5_f64.powi(11), true), (0.5_f64.powi(8), false)] {
            let part = changed(1.0, |part| {
                part.estimates.slack = 0.5_f64.powi(10);
                let limit = limit * (1.0 + share) * if is_open { scale } else { 1.0 };
                part.terms.metric = metric;
                match metric {
                    Metric::Ulp => part.terms.ulp = limit,
                    Metric::Absolute | Metric::Relative => part.terms.distance = limit,
                }
            });
            let expected = if is_open { PART } else { 0 };
            assert_eq!(part.open().len(), expected, "{} {share}", metric.name());
        }
    }
}

/// If the interval of an error ends exactly on the border of a bin, the lanes are left to the slow
/// judge.
#[test]
fn a_doubt_that_ends_on_a_border_leaves_a_part_open() {
    let off = 0.5_f64.powi(20);
    let doubt_of_error = (1.0 + off) * 2.0 * f64::EPSILON;
    for (slack, is_whole) in [(off - doubt_of_error, false), (0.9 * off, true)] {
        let part = changed(1.0, |part| {
            part.estimates.bases.fill(1.5 - off * ULP);
            part.estimates.deltas.fill(ULP);
            part.estimates.slack = slack;
            part.results.fill((1.5_f32).to_bits() + 2);
        });
        assert_eq!((part.is_whole(), part.open().len()), (is_whole, if is_whole { 0 } else { PART }));
    }
}

/// The doubt about a distance is added to the distance. A lane whose distance may be beyond the
/// limit is open, however small the excess.
#[test]
fn the_doubt_about_a_distance_counts_against_the_limit() {
    let unit = f64::from(f32::from_bits(1));
    let state = |metric: Metric, limit: f64, (base, delta, result): (f64, f64, f32)| {
        let mut part = Part::new(1.0).with(base, delta, result.to_bits());
        (part.terms.metric, part.terms.distance) = (metric, limit);
        part.estimates.slack = 0.5_f64.powi(20);
        let mut errors = PartErrors { states: [MEASURED; PART], ..PartErrors::BLANK };
        errors.measure(&part.terms, &part.estimates, &part.results, 0);
        errors.states[9]
    };
    let next = 0.5_f64.next_up();
    assert_eq!(state(Metric::Absolute, next, (1.0, 0.0, 1.5)), OPEN);
    assert_eq!(state(Metric::Absolute, 0.5 + 4.0 * f64::EPSILON, (1.0, 0.0, 1.5)), MEASURED);
    let three = f32::from_bits(3);
    assert_eq!(state(Metric::Relative, 0.0, (3.0 * unit, 0.5 * unit, three)), OPEN);
    assert_eq!(state(Metric::Relative, 0.0, (3.0 * unit, 0.49 * unit, three)), MEASURED);
}

/// Tests the greatest possible distance of a part, computed from its greatest error.
#[test]
fn a_distance_is_sure_where_all_magnitudes_are_normal_and_finite() {
    let terms = |metric: Metric| Terms { metric, distance: 2.0 * ULP, ..Part::new(1.0).terms };
    let least = f64::from(f32::MIN_POSITIVE);
    for (metric, magnitudes, most, expected) in [
        (Metric::Absolute, (1.0, 1.5), 1.0, Some(ULP)),
        (Metric::Absolute, (1.0, 1.5), 2.5, None),
        (Metric::Absolute, (1.0, f64::INFINITY), 0.0, None),
        (Metric::Relative, (1.0, 1.5), 1.0, Some(ULP)),
        (Metric::Relative, (1.25, 1.5), 2.0, Some(2.0 * ULP / 1.25)),
        (Metric::Relative, (least, least), 1.0, Some(ULP)),
        (Metric::Relative, (least / 2.0, least), 0.5, None),
        (Metric::Relative, (1.0, 1.5), 2.5, None),
    ] {
        let found = part::distance(&terms(metric), magnitudes, most);
        let is_near = match (found, expected) {
            (Some(found), Some(expected)) => (expected..expected * (1.0 + 4.0 * CAUTION)).contains(&found),
            (found, expected) => found.is_none() && expected.is_none(),
        };
        assert!(is_near, "{} {magnitudes:?} {most}: {found:?}", metric.name());
    }
}

/// The limits of a part exceed the values of its lanes by no more than the doubt.
#[test]
fn the_top_of_a_part_is_near_its_lanes() {
    let part = changed(1.0, |part| {
        (part.terms.metric, part.terms.distance) = (Metric::Absolute, 1.0);
    });
    let Part { terms, estimates, results } = &part;
    let mut columns = Columns::default();
    columns.judge(terms, estimates, results);
    let expected = 0.3 * ULP * FINE_UNITS;
    let top = columns.tops[0].distance;
    assert!((expected..expected * 1.001).contains(&top), "{top} {expected}");
}

/// If results are flushed and the truth is zero, a zero of either sign is right, unless zeros are
/// signed.
#[test]
fn a_zero_is_held_where_results_are_flushed() {
    for (signed, result, expected) in
        [(false, 0, HELD), (false, 1 << 31, HELD), (true, 0, HELD), (true, 1 << 31, OPEN)]
    {
        let part = changed(1.0, |part| {
            part.estimates.flush = true;
            part.estimates.traits.signed_zeros = signed;
        });
        let part = part.with(0.0, 0.0, result);
        let mut errors = PartErrors::BLANK;
        errors.judge(&part.terms, &part.estimates, &part.results, 0);
        assert_eq!(errors.states[9], expected, "{signed} {result:#x}");
    }
}
