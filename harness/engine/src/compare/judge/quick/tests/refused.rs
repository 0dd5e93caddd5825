//! Tests that the judge on enclosures refuses each result that double precision refuses.

use assay_isa::Estimates;

use super::made::{FIRST, Slow, every, judged};
use crate::compare::judge::quick::part::{COARSE, Lane};
use crate::compare::judge::quick::records::MeasuredLane;
use crate::compare::judge::quick::*;
use crate::compare::judge::{DivergenceKind, Measured};
use crate::generate::splitmix::mix;

#[test]
fn what_is_refused_is_beyond_the_bound_for_the_slow_judge() {
    let mut refused_lanes = 0;
    every(false, |made, contract, what| {
        let mut columns = Columns::default();
        let (terms, _, results) = judged(made, contract, &mut columns);
        let judged = JudgedBatch { terms: &terms, estimates: &made.estimates, results, columns: &columns };
        let open = judged.open();
        let (refused, others) = judged.refused(open.clone());
        let mut both: Vec<usize> = refused.iter().map(RefusedLane::lane).chain(others).collect();
        both.sort_unstable();
        assert_eq!(both, open, "{what}");
        let slow = Slow::of(made, contract);
        for one in &refused {
            let lane = one.lane();
            assert_eq!(slow.diverged[lane], Some(DivergenceKind::Bound), "{what}: lane {lane}");
            let error = slow.measured[lane].expect("its error is measured").error;
            let doubt = 5_000_000 + error.floor.unsigned_abs() / 100_000_000;
            assert!(one.units.abs_diff(error.floor) <= doubt, "{what}: lane {lane}: {one:?} {error:?}");
            assert_eq!(bin(one.units), bin(error.floor), "{what}: lane {lane}");
            assert_eq!(far_place(one.units), far_place(error.floor), "{what}: lane {lane}");
            assert!(!error.correctly_rounded, "{what}: lane {lane}");
        }
        refused_lanes += refused.len();
    });
    assert!(refused_lanes > 5_000, "{refused_lanes} lanes were refused");
}

/// Double precision must refuse a result that is clearly wrong. Otherwise a sweep of a wrong
/// subject would be slow.
#[test]
fn what_is_plainly_wrong_is_refused() {
    every(true, |made, contract, what| {
        if made.estimates.saturate {
            return;
        }
        let mut columns = Columns::default();
        let (terms, _, results) = judged(made, contract, &mut columns);
        let judged = JudgedBatch { terms: &terms, estimates: &made.estimates, results, columns: &columns };
        let (_, others) = judged.refused(judged.open());
        let slow = Slow::of(made, contract);
        for lane in others {
            let Some(measured) = slow.measured[lane].filter(|measured| !measured.holds) else { continue };
            let eighths = measured.error.ulp() * 8.0;
            let share = match terms.metric {
                Metric::Ulp => measured.error.ulp().abs() / terms.refused,
                Metric::Absolute | Metric::Relative => measured.distance as f64 / FINE_UNITS / terms.refused,
            };
            let is_off = measured.error.ulp().abs() > 0.501 && (eighths - eighths.round()).abs() > 1e-6;
            let is_plain = is_off && share > 1.001;
            assert!(!is_plain, "{what}: lane {lane} is open: {measured:?}");
        }
    });
}

#[test]
fn records_of_refused_lanes_are_found() {
    every(false, |made, contract, what| {
        let mut columns = Columns::default();
        let (terms, _, results) = judged(made, contract, &mut columns);
        let judged = JudgedBatch { terms: &terms, estimates: &made.estimates, results, columns: &columns };
        let (refused, _) = judged.refused(judged.open());
        let slow = Slow::of(made, contract);
        let measured: Vec<&Measured> =
            refused.iter().filter_map(|one| slow.measured[one.lane()].as_ref()).collect();
        let reversed = |measured: &Measured| std::cmp::Reverse(measured.argument);
        let none = StandingRecord::OUT_OF_REACH;
        let none = StandingRecords { greatest: none, least: none, worst: none, distance: none };
        assert!(judged.refused_records(&refused, &none).is_empty(), "{what}");
        let all = StandingRecord::NONE;
        let found = |standing: StandingRecords| judged.refused_records(&refused, &standing);
        for (standing, record) in [
            (
                StandingRecords { greatest: all, ..none },
                measured.iter().max_by_key(|m| (m.error.floor, reversed(m))),
            ),
            (
                StandingRecords { least: all, ..none },
                measured.iter().min_by_key(|m| (m.error.floor, m.argument)),
            ),
            (
                StandingRecords { distance: all, ..none },
                measured.iter().max_by_key(|m| (m.distance, reversed(m))),
            ),
            (
                StandingRecords { worst: all, ..none },
                measured.iter().max_by_key(|m| (m.error.floor.unsigned_abs(), reversed(m))),
            ),
        ] {
            let Some(record) = record else { continue };
            let lane = (record.argument - FIRST) as usize;
            assert!(found(standing).contains(&lane), "{what}: {record:?} {standing:?}");
        }
    });
}

/// A case with a coarse estimate: the truth is anywhere between `base + delta * (1 - slack)` and `base + delta * (1 + slack)`.
struct Coarse {
    base: f64,
    delta: f64,
    slack: f64,
    result: f32,
}

impl Coarse {
    /// Draws numbers of few bits in the middle of a binade, so that the test computes exactly.
    fn drawn(seed: u64) -> Coarse {
        let draw = |nth: u64, below: u64| mix(seed.wrapping_mul(8) + nth) % below;
        let sign = |nth| if draw(nth, 2) == 0 { 1.0 } else { -1.0 };
        let scale = f64::from(draw(0, 40) as i32 - 20).exp2();
        let base = sign(1) * scale * (1.25 + draw(2, 1 << 20) as f64 / (1 << 21) as f64);
        let delta = sign(3) * scale * (1 + draw(4, 1 << 12)) as f64 / (1 << (15 + draw(5, 8))) as f64;
        let slack = f64::from(-(draw(6, 8) as i32)).exp2();
        let ulps = draw(7, 1 << 20) as f64 / f64::from(draw(6, 16) as i32).exp2() - 8.0;
        let result = if seed.is_multiple_of(64) {
            0.0_f32.copysign(base as f32)
        } else {
            (base + ulps * scale * (-23.0_f64).exp2()) as f32
        };
        Coarse { base, delta, slack, result }
    }

    /// The distances of the result from both ends of the truth.
    fn ends(&self) -> [f64; 2] {
        [1.0 - self.slack, 1.0 + self.slack]
            .map(|share| (f64::from(self.result) - self.base) - self.delta * share)
    }
}

/// If a result is refused, it is beyond the bound for every possible truth, and its error has the
/// same bin for all of them. The limits for records enclose the error. A result that is beyond the
/// bound by a clear margin is refused.
#[test]
fn refusals_count_with_the_whole_doubt() {
    let mut seen = [[0; 2]; 3];
    for seed in 0..300_000 {
        let case = Coarse::drawn(seed);
        let (nth, metric) = [Metric::Ulp, Metric::Absolute, Metric::Relative]
            .into_iter()
            .enumerate()
            .nth(seed as usize % 3)
            .expect("one of three");
        let value = (case.base + case.delta).abs();
        let ulp = (value.log2().floor() - 23.0).exp2();
        let unit = [ulp, 1.0, value][nth];
        let ends = case.ends();
        let [near, far] = {
            let [a, b] = ends.map(f64::abs);
            [if ends[0] * ends[1] > 0.0 { a.min(b) } else { 0.0 }, a.max(b)]
        };
        // Tests limits between both ends, and limits beyond either end.
        let share = (mix(!seed) % 1024) as f64 / 512.0 - 0.5;
        let refused = (near + (far - near) * share).max(0.0) / unit;
        let terms = Terms { bound: Some(0), metric, ulp: 0.0, distance: 0.0, refused, ends_at_one: false };
        let estimates = Estimates {
            bases: vec![case.base],
            deltas: vec![case.delta],
            slack: case.slack,
            ..Estimates::default()
        };
        let (results, columns) = ([case.result.to_bits()], Columns::default());
        let judged =
            JudgedBatch { terms: &terms, estimates: &estimates, results: &results, columns: &columns };
        let (lanes, others) = judged.refused(vec![0]);
        assert_eq!(lanes.len() + others.len(), 1);
        let floors = ends.map(|end| (end / ulp * UNITS).floor() as i64);
        let places = |by: i64| {
            let [low, high] = [floors[0].min(floors[1]) - by, floors[0].max(floors[1]) + by];
            bin(low) == bin(high) && far_place(low) == far_place(high)
        };
        let what = || format!("{metric:?} {} {} {} {}", case.base, case.delta, case.slack, case.result);
        let is_beyond = |margin: f64| near / unit > refused * margin && near / ulp > 0.5 * margin;
        if let Some(lane) = lanes.first() {
            assert!(is_beyond(1.0) && places(0), "{}: {floors:?} {refused}", what());
            let (low, high) = (floors[0].min(floors[1]) as f64, floors[0].max(floors[1]) as f64);
            let MeasuredLane { floor, distance, .. } = lane.measured;
            let close = 2.0 + high.abs().max(low.abs()) * CAUTION;
            assert!(floor.0 <= low && low - floor.0 <= close, "{}: {floor:?} {low}", what());
            assert!(high <= floor.1 && floor.1 - high <= close, "{}: {floor:?} {high}", what());
            let fine = |distance: f64| (distance / unit * FINE_UNITS).min(FINE_UNITS);
            let (near, far) = (fine(near), fine(far));
            let close = |by: f64| 4096.0 + by * 8.0 * CAUTION;
            assert!(
                distance.0 <= near && near - distance.0 <= close(near),
                "{}: {distance:?} {near}",
                what()
            );
            assert!(
                far <= distance.1 + 1.0 && distance.1 - far <= close(far),
                "{}: {distance:?} {far}",
                what()
            );
            seen[nth][0] += 1;
        } else {
            let margin = 1.0 + 8.0 * CAUTION;
            let is_plain = case.result != 0.0 && (case.result < 0.0) == (case.base < 0.0);
            assert!(!(is_plain && is_beyond(margin) && places(64)), "{}: {floors:?} {refused}", what());
            seen[nth][1] += 1;
        }
    }
    assert!(seen.iter().flatten().all(|count| *count > 2_000), "{seen:?}");
}

/// The refusal of a result, given the limit in a metric.
fn refusal(metric: Metric, refused: f64, case: &Coarse) -> Option<RefusedLane> {
    let terms = Terms { bound: Some(0), metric, ulp: 0.0, distance: 0.0, refused, ends_at_one: false };
    let Coarse { base, delta, slack, result } = *case;
    let estimates = Estimates { bases: vec![base], deltas: vec![delta], slack, ..Estimates::default() };
    let (results, columns) = ([result.to_bits()], Columns::default());
    let judged = JudgedBatch { terms: &terms, estimates: &estimates, results: &results, columns: &columns };
    judged.refused(vec![0]).0.first().copied()
}

/// A result is not refused if its distance may equal the bound, or if its error may be half an ulp.
#[test]
fn a_distance_at_the_limit_is_not_refused() {
    let refused = |refused: f64, delta: f64, result: f32| {
        refusal(Metric::Ulp, refused, &Coarse { base: 1.5, delta, slack: 0.0, result }).is_some()
    };
    let ulp = f64::from(f32::EPSILON);
    let lane = Lane::of(1.5, 0.0, 0.0, (1.5 + 3.25 * ulp as f32).to_bits());
    let least = lane.error.abs() - lane.doubt;
    for (limit, expected) in [(least, false), (least * (1.0 - f64::EPSILON), true)] {
        assert_eq!(refused(limit, 0.0, 1.5 + 3.25 * ulp as f32), expected, "{limit}");
    }
    // The result is the base, and the truth half an ulp and a little more away.
    let half = |by: f64| -ulp * (0.5 + by);
    let doubt = Lane::of(1.5, half(0.0), 0.0, 1.5_f32.to_bits()).doubt;
    for (by, expected) in [(0.0, false), (doubt, false), (2.0 * doubt, true)] {
        assert_eq!(refused(0.0, half(by), 1.5), expected, "{by}");
    }
}

/// In a relative metric the doubt includes rounding errors, and the amount that the slow judge
/// rounds down.
#[test]
fn a_relative_distance_at_the_limit_is_not_refused() {
    let ulp = f64::from(f32::EPSILON);
    for ulps in [4.0, -4.0, 400.0] {
        let (base, delta, slack) = (1.5, 0.3 * ulp, (-20.0_f64).exp2());
        let case = Coarse { base, delta, slack, result: (base + ulps * ulp) as f32 };
        let (gap, value) = ((ulps * ulp - delta).abs(), base + delta);
        let doubt = slack * delta.abs() + gap * (2.0 * f64::EPSILON) + value * COARSE;
        let least = (gap - doubt) / value * (1.0 - CAUTION);
        for (limit, expected) in [(least, false), (least * (1.0 - f64::EPSILON), true)] {
            assert_eq!(refusal(Metric::Relative, limit, &case).is_some(), expected, "{ulps} {limit}");
        }
    }
}

#[test]
fn a_distance_in_ulp_has_the_doubt_on_both_sides() {
    let ulp = f64::from(f32::EPSILON);
    let (base, slack) = (1.5, (-20.0_f64).exp2());
    for (delta, result, distance) in [(0.3125, 1.0, 0.6875), (-0.3125, -1.0, 0.6875), (-0.4375, 0.0, 0.0)] {
        let case = Coarse { base, delta: delta * ulp, slack, result: (base + result * ulp) as f32 };
        let lane = refusal(Metric::Ulp, 0.5, &case);
        let limits = lane.map(|lane| lane.measured.distance);
        let holds = limits.is_some_and(|(low, high)| {
            let middle = distance * FINE_UNITS;
            let most = 2.0 * slack * FINE_UNITS;
            low < middle && middle < high && high - low < most
        });
        assert_eq!(holds, distance > 0.5, "{delta} {result}: {limits:?}");
    }
}

/// Nothing is refused near the borders from which on flushing or overflow decides. No error here is
/// a power of two, because that is the border between two counts.
#[test]
fn only_between_flushing_and_overflow_is_a_result_refused() {
    let (least, great) = (f32::MIN_POSITIVE, 127.0_f32.exp2());
    let above = |number: f32, ulps: u32| f32::from_bits(number.to_bits() + ulps);
    for (truth, result, expected) in [
        (least, above(least, 5), false),
        (above(least, 1), above(least, 6), true),
        (above(least, 5), least, true),
        (above(least, 5), 0.0, true),
        (above(least, 5), f32::from_bits(least.to_bits() - 1), false),
        (1.0, above(1.0, 5), true),
        (1.0, -1.0, false),
        (0.75 * great, 0.59375 * great, true),
        (0.75 * great, 1.5 * great, false),
        (1.5 * great, 0.75 * great, false),
        (1.25 * great, 1.4375 * great, false),
    ] {
        for sign in [1.0, -1.0] {
            let base = f64::from(sign * truth);
            let case = Coarse { base, delta: 0.0, slack: 0.0, result: sign * result };
            let refused = refusal(Metric::Ulp, 1.0, &case).is_some();
            assert_eq!(refused, expected, "{sign} {truth} {result}");
        }
    }
}
