//! Tests that counting a part as a whole gives the same histogram as counting lane by lane.

use proptest::prelude::*;

use super::super::histogram::Histogram;
use super::super::part::PART;
use super::super::sums::{BINS, bin};
use super::super::whole::{PartSums, units};

/// Counts the errors of parts together and one by one, and compares the counts. Errors are in ulp,
/// with magnitudes below `most`.
fn compare(parts: &[Vec<f64>], most: f64) {
    let (mut histogram, mut expected) = (Histogram::default(), [0; BINS]);
    for errors in parts {
        let mut lanes = PartSums::default();
        let mut patterns = [0; PART];
        for (pattern, error) in patterns.iter_mut().zip(errors) {
            *pattern = lanes.add(*error);
            expected[bin(units(*pattern))] += 1;
        }
        histogram.count(&patterns, most);
    }
    assert_eq!(histogram.counts(), expected);
}

proptest! {
    #[test]
    fn parts_count_as_their_lanes_do(
        most in prop::sample::select(vec![0.3, 0.999, 1.0, 1.5, 3.0, 1000.0]),
        shares in prop::collection::vec(prop::collection::vec(-0.999..0.999, PART), 1..5),
    ) {
        let parts: Vec<Vec<f64>> =
            shares.iter().map(|part| part.iter().map(|share| share * most).collect()).collect();
        compare(&parts, most);
    }
}

#[test]
fn a_counter_holds_all_lanes_of_many_parts() {
    for eighth in -8..8 {
        let edge = f64::from(eighth) / 8.0;
        compare(&vec![vec![edge + 1e-3; PART]; 100], 0.9999);
        compare(&vec![vec![edge; PART]; 2], 1.0);
        compare(&vec![vec![edge / 2.0; PART]; 2], 0.5);
    }
}
