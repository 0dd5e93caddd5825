//! Results that double precision refuses: the judge on enclosures refuses them too.

use super::made::{FIRST, Slow, every, judged};
use crate::compare::judge::quick::*;
use crate::compare::judge::{DivergenceKind, Measured};

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

/// A plain wrong result is not left to the slow judge: otherwise a sweep of a wrong subject would be slow.
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
        let found = |bars: StandingRecords| judged.refused_records(&refused, &bars);
        for (bars, record) in [
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
            assert!(found(bars).contains(&lane), "{what}: {record:?} {bars:?}");
        }
    });
}
