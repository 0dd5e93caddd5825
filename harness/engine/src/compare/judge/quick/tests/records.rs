//! Tests which lanes are judged again because they may hold a record.

use std::collections::BTreeSet;

use super::super::columns::again;
use super::super::part::{MEASURED, PART, PartErrors};
use super::super::records::MeasuredLane;
use super::made::{FIRST, Made, Slow, every, judged, neighbours};
use crate::compare::judge::Measured;
use crate::compare::judge::quick::*;

/// Returns the number of units by which double precision may be wrong about an error. This number
/// is greatest if the delta is the whole truth.
fn doubt(units: f64) -> f64 {
    5e6 + units.abs() * 1e-8
}

/// The lane of each record must be found. Of equal errors, it is the lane with the smallest input.
/// Few other lanes may be returned.
#[test]
fn records_are_found() {
    let hold = |made: &Made, contract: &Contract, what: &str| {
        let mut columns = Columns::default();
        let (terms, _, results) = judged(made, contract, &mut columns);
        let judged = JudgedBatch { terms: &terms, estimates: &made.estimates, results, columns: &columns };
        let decided = Slow::of(made, contract).decided(&judged.open());
        let lane = |measured: &Measured| (measured.argument - FIRST) as usize;
        let reversed = |measured: &Measured| std::cmp::Reverse(measured.argument);
        let greatest = decided.iter().max_by_key(|m| (m.error.floor, reversed(m)));
        let least = decided.iter().max_by_key(|m| (-m.error.floor, reversed(m)));
        let farthest = decided.iter().max_by_key(|m| (m.distance, reversed(m)));
        let none = StandingRecords {
            greatest: StandingRecord::OUT_OF_REACH,
            least: StandingRecord::OUT_OF_REACH,
            worst: StandingRecord::OUT_OF_REACH,
            distance: StandingRecord::OUT_OF_REACH,
        };
        assert!(judged.records(&none).is_empty(), "{what}");
        let (Some(greatest), Some(least), Some(farthest)) = (greatest, least, farthest) else { return };
        let units = |m: &Measured| m.error.floor as f64;
        let one = |set: &dyn Fn(&mut StandingRecords, StandingRecord),
                   record: &Measured,
                   units: f64,
                   name: &str| {
            let with = |to_beat| {
                let mut standing = none;
                set(&mut standing, to_beat);
                judged.records(&standing)
            };
            let doubt = doubt(units);
            for to_beat in [
                StandingRecord::NONE,
                StandingRecord { units: units - doubt, input: 0 },
                StandingRecord { units: units - 1.0, input: u32::MAX },
            ] {
                let found = with(to_beat);
                assert!(found.contains(&lane(record)), "{what}: {name} is not in {found:?}");
            }
            assert!(
                with(StandingRecord { units: units + doubt, input: u32::MAX }).is_empty(),
                "{what}: {name}"
            );
        };
        one(&|standing, to_beat| standing.greatest = to_beat, greatest, units(greatest), "the greatest");
        one(&|standing, to_beat| standing.least = to_beat, least, -units(least), "the least");
        // From 1 on the slow judge does not distinguish distances.
        if farthest.distance < u64::MAX {
            one(
                &|standing, to_beat| standing.distance = to_beat,
                farthest,
                farthest.distance as f64,
                "the farthest",
            );
        }
        let mut worst: Vec<&Measured> = decided.iter().collect();
        worst.sort_by_key(|m| (std::cmp::Reverse(m.error.floor.unsigned_abs()), m.argument));
        // Of equal errors, the one of the smallest input is kept.
        worst.dedup_by_key(|m| m.error.floor.unsigned_abs());
        let found = judged.records(&StandingRecords { worst: StandingRecord::NONE, ..none });
        let missing = worst.iter().take(WORST).find(|m| !found.contains(&lane(m)));
        assert!(missing.is_none(), "{what}: {missing:?} is not among the worst");
        if let Some(last) = worst.get(WORST - 1) {
            let units = last.error.floor.unsigned_abs() as f64;
            let to_beat = StandingRecord { units: units + doubt(units), input: u32::MAX };
            let higher = judged.records(&StandingRecords { worst: to_beat, ..none });
            let higher = decided.iter().filter(|m| higher.contains(&lane(m)));
            let distinct: BTreeSet<u64> = higher.map(|m| m.error.floor.unsigned_abs()).collect();
            assert!(
                distinct.len() < WORST,
                "{what}: {} are worse than the last of the worst",
                distinct.len()
            );
        }
    };
    every(false, hold);
    neighbours(hold);
}

/// If all errors differ, only the lanes of records are looked at again.
#[test]
fn few_lanes_are_looked_at_again() {
    every(true, |made, contract, what| {
        let mut columns = Columns::default();
        let (terms, _, results) = judged(made, contract, &mut columns);
        let judged = JudgedBatch { terms: &terms, estimates: &made.estimates, results, columns: &columns };
        let standing = StandingRecords {
            greatest: StandingRecord::NONE,
            least: StandingRecord::NONE,
            worst: StandingRecord::OUT_OF_REACH,
            distance: StandingRecord::NONE,
        };
        let found = judged.records(&standing);
        assert!(found.len() <= 6, "{what}: {} lanes for three records", found.len());
        assert!(found.is_sorted() && found.windows(2).all(|pair| pair[0] != pair[1]), "{what}");
        let found = judged.records(&StandingRecords { worst: StandingRecord::NONE, ..standing });
        assert!(found.len() <= WORST + 8, "{what}: {} lanes", found.len());
    });
}

#[test]
fn the_higher_bar_is_that_of_more_units_or_the_smaller_input() {
    let to_beat = |units, input| StandingRecord { units, input };
    for (one, other, higher) in [
        (to_beat(1.0, 5), to_beat(2.0, 9), to_beat(2.0, 9)),
        (to_beat(2.0, 5), to_beat(1.0, 1), to_beat(2.0, 5)),
        (to_beat(2.0, 5), to_beat(2.0, 4), to_beat(2.0, 4)),
        (to_beat(2.0, 5), to_beat(2.0, 5), to_beat(2.0, 5)),
        (StandingRecord::NONE, to_beat(0.0, 7), to_beat(0.0, 7)),
        (StandingRecord::OUT_OF_REACH, to_beat(1e300, 0), StandingRecord::OUT_OF_REACH),
    ] {
        assert_eq!((one.max(other), other.max(one)), (higher, higher));
        let lower = if higher == one { other } else { one };
        assert_eq!((one.min(other), other.min(one)), (lower, lower));
    }
}

#[test]
fn a_magnitude_is_at_least_zero_where_the_sign_is_unknown() {
    for (floor, magnitude) in [
        ((2.0, 3.0), (2.0, 3.0)),
        ((-3.0, -2.0), (2.0, 3.0)),
        ((-2.0, 3.0), (0.0, 3.0)),
        ((-3.0, 2.0), (0.0, 3.0)),
        ((-3.0, 0.0), (0.0, 3.0)),
        ((-0.0, 0.0), (0.0, 0.0)),
    ] {
        let lane = MeasuredLane { lane: 0, floor, distance: (0.0, 0.0) };
        let (least, most) = lane.magnitude();
        assert_eq!((least, most), magnitude, "{floor:?}");
        assert!(least.is_sign_positive(), "{floor:?}");
    }
}

/// A lane that is judged alone gets the same decision as in its batch. The slow judge's error lies
/// in the decided interval.
#[test]
fn a_lane_alone_is_decided_as_in_its_batch() {
    every(false, |made, contract, what| {
        let mut columns = Columns::default();
        let (terms, _, results) = judged(made, contract, &mut columns);
        let judged = JudgedBatch { terms: &terms, estimates: &made.estimates, results, columns: &columns };
        let open = judged.open();
        let slow = Slow::of(made, contract);
        for lane in (0..results.len()).step_by(7) {
            let (decision, measured) = (judged.decision(lane), slow.measured[lane]);
            let agrees = match (decision, measured) {
                (Decision::Open, _) => open.contains(&lane),
                (Decision::Held, None) => !open.contains(&lane),
                (Decision::Measured(least, most), Some(measured)) => {
                    let floor = measured.error.floor as f64;
                    let is_near = most - least <= 2.0 * doubt(floor);
                    !open.contains(&lane) && (least..=most).contains(&floor) && is_near
                }
                _ => false,
            };
            assert!(agrees, "{what}: lane {lane}: {decision:?} {measured:?}");
        }
    });
}

/// The bounds of a distance enclose the slow judge's distance, and a part's limit is no less than
/// any of its lanes.
#[test]
fn distances_enclose_what_the_slow_judge_measures() {
    let mut seen = 0;
    let mut hold = |made: &Made, contract: &Contract, what: &str| {
        let mut columns = Columns::default();
        let (terms, _, results) = judged(made, contract, &mut columns);
        if terms.metric == Metric::Ulp {
            return;
        }
        let slow = Slow::of(made, contract);
        for (index, tops) in columns.tops.iter().enumerate() {
            let mut part = PartErrors::BLANK;
            again(&terms, &made.estimates, results, index, &mut part);
            for place in (0..PART).filter(|place| part.states[*place] == MEASURED) {
                let Some(measured) = slow.measured.get(index * PART + place).copied().flatten() else {
                    continue;
                };
                if measured.distance == u64::MAX {
                    continue;
                }
                let distance = measured.distance as f64;
                let [nearest, farthest] =
                    [part.nearest[place], part.farthest[place]].map(|one| (one * FINE_UNITS).floor());
                assert!(
                    (nearest..=farthest).contains(&distance) && tops.distance >= distance,
                    "{what}: lane {place} of part {index}: {nearest} {distance} {farthest} {tops:?}"
                );
                seen += 1;
            }
        }
    };
    every(false, &mut hold);
    neighbours(&mut hold);
    assert!(seen > 10_000, "{seen}");
}
