//! Parts decided as a whole, compared with their lanes one by one.

use super::super::part::{MEASURED, PART, PartErrors};
use super::super::whole;
use super::made::{Made, every, judged, neighbours};
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
        assert_eq!(columns.open, lanes.open, "{what}");
        for (whole, lanes) in columns.tops.iter().zip(&lanes.tops) {
            let reaches = whole.greatest >= lanes.greatest && whole.least >= lanes.least;
            assert!(reaches && whole.distance >= lanes.distance, "{what}: {whole:?} {lanes:?}");
        }
    };
    every(false, hold);
    neighbours(hold);
}

#[test]
fn what_a_whole_part_may_be_worth_is_no_less_than_any_lane() {
    let (mut wholes, mut parts) = (0, 0);
    neighbours(|made, contract, what| {
        let (terms, _, results) = judged(made, contract, &mut Columns::default());
        let (mut lanes, mut steps) = (PartErrors::BLANK, [0.0; PART]);
        for first in (0..results.len()).step_by(PART) {
            parts += 1;
            let whole = whole::judge(&terms, &made.estimates, results, first, &mut steps);
            let Some(whole) = whole else { continue };
            wholes += 1;
            lanes.judge(&terms, &made.estimates, results, first);
            for (lane, step) in steps.iter().enumerate() {
                let (error, doubt) = (lanes.errors[lane], lanes.doubts[lane]);
                let magnitude = lanes.magnitudes[lane];
                assert_eq!(lanes.states[lane], MEASURED, "{what}: lane {lane}");
                assert_eq!(*step, (error * STEPS).floor(), "{what}: lane {lane}");
                assert!(error + doubt <= whole.high && doubt - error <= whole.low, "{what}: lane {lane}");
                assert!(
                    (whole.magnitudes.0..=whole.magnitudes.1).contains(&magnitude),
                    "{what}: lane {lane}"
                );
            }
        }
    });
    // Otherwise the slower way would be taken unseen, or the faster one without its checks.
    assert!(wholes * 16 > parts && wholes * 4 < parts * 3, "{wholes} of {parts}");
}
