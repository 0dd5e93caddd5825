//! Checks that counting strips of pairs gives the same counts as counting pair by pair.

use proptest::prelude::*;

use super::*;

/// The truths of neighbouring inputs, with results.
#[derive(Clone, Debug)]
struct Column {
    estimates: Estimates,
    results: Vec<u32>,
}

impl Column {
    /// Returns truths from `first` on, about `step` units in the last place apart. Each result is
    /// the rounded truth.
    fn new(first: f32, step: f64, lanes: usize) -> Column {
        let ulp = f64::from(first.abs()) * f64::from(f32::EPSILON);
        let bases: Vec<f64> = (0..lanes).map(|lane| f64::from(first) + step * ulp * lane as f64).collect();
        let results = bases.iter().map(|base| (*base as f32).to_bits()).collect();
        let deltas = bases.iter().map(|base| base * 2.0_f64.powi(-30)).collect();
        let slack = 2.0_f64.powi(-53);
        Column { estimates: Estimates { bases, deltas, slack, ..Estimates::default() }, results }
    }

    fn counts(&self) -> [Count; 2] {
        let counted = self.results.len() - 1;
        let neighbours =
            Neighbours { first: 0, step: 1, results: &self.results, estimates: &self.estimates, counted };
        [count_monotonic(&neighbours), count_moves(&neighbours, 0)]
    }

    /// Whether the pairs of the first strip are compared together.
    fn is_together(&self) -> bool {
        let counted = self.results.len() - 1;
        is_monotonic(
            &Neighbours { first: 0, step: 1, results: &self.results, estimates: &self.estimates, counted },
            0,
        )
    }

    fn but(mut self, change: impl Fn(&mut Column)) -> Column {
        change(&mut self);
        self
    }
}

/// Checks each condition by itself.
#[test]
fn a_strip_is_compared_together_unless() {
    const LANES: usize = STRIP + 1;
    const INFINITY: u32 = 0x7f80_0000;
    let rising = || Column::new(1.5, 1.0, LANES);
    let result = |lane: usize, bits: u32| rising().but(|column| column.results[lane] = bits);
    let slack = |exponent: i32| rising().but(|column| column.estimates.slack = 2.0_f64.powi(exponent));
    let sign = 1 << 31;
    let table = [
        ("truths and results rise", rising(), true),
        ("they fall", Column::new(1.9, -1.0, LANES), true),
        ("they are negative and fall", Column::new(-1.5, -1.0, LANES), true),
        ("they are negative and rise", Column::new(-1.9, 1.0, LANES), true),
        ("results stay", rising().but(|column| column.results.fill(0)), true),
        ("there are fewer pairs", Column::new(1.5, 1.0, LANES - 1), false),
        ("truths stay", rising().but(|column| column.estimates.bases.fill(1.5)), false),
        ("truths hardly move", slack(-25), false),
        ("truths move enough", slack(-26), true),
        ("a truth goes back", rising().but(|column| column.estimates.bases[9] = 1.5), false),
        ("a truth is a row", rising().but(|column| column.estimates.bases[9] = f64::NAN), false),
        ("the first truth is a row", rising().but(|column| column.estimates.bases[0] = f64::NAN), false),
        ("the last truth is a row", rising().but(|column| column.estimates.bases[STRIP] = f64::NAN), false),
        ("a result goes back", result(9, 1.5_f32.to_bits()), false),
        ("the last result goes back", result(STRIP, 1.5_f32.to_bits()), false),
        ("the last result is infinite", result(STRIP, INFINITY), true),
        ("the last result is no number", result(STRIP, INFINITY + 1), false),
        ("the first result is negative", result(0, sign | 0x3f80_0000), false),
        ("the last result is negative", result(STRIP, sign | 0x3f80_0000), false),
        ("all are no numbers", rising().but(|column| column.results.fill(INFINITY + 1)), false),
    ];
    for (what, column, expected) in table {
        assert_eq!(column.is_together(), expected, "{what}");
        let [together, apart] = column.counts();
        assert_eq!(together, apart, "{what}");
    }
}

proptest! {
    #[test]
    fn strips_count_as_their_pairs_do(
        first in prop::sample::select(vec![1.5_f32, -1.5, 1.0, -3.9, 1e-38, -1e38]),
        step in prop::sample::select(vec![1.0, -1.0, 0.3, -7.5, 1e-8, 0.0]),
        lanes in 2_usize..600,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..5, any::<u32>()), 0..4),
    ) {
        let mut column = Column::new(first, step, lanes);
        for (index, kind, bits) in changes {
            let lane = index.index(lanes);
            match kind {
                0 => column.results[lane] = bits,
                1 => column.results[lane] ^= bits & 3,
                2 => column.estimates.bases[lane] = f64::NAN,
                3 => column.estimates.bases[lane] = column.estimates.bases[bits as usize % lanes],
                _ => column.results[lane..].iter_mut().for_each(|result| *result ^= 1 << 31),
            }
        }
        let [together, apart] = column.counts();
        prop_assert_eq!(together, apart);
    }
}
