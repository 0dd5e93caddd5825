//! Whole columns compared with the judge on enclosures, lane by lane. The truths are made up, so that no oracle is needed.

use assay_isa::effect::Lanes;
use assay_isa::truth::{Enclosure, Real, Symmetry, Traits, Truth, TruthValues};
use assay_isa::{Effects, Estimates, Instruction, Location, Truths, asm};
use assay_vectors::Clauses;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::part::PART;
use super::*;
use crate::compare::judge::rules::{Allowance, Rules};
use crate::compare::judge::{Measured, Verdicts, judge};
use crate::stats::accuracy::Accuracy;

const R0: Location = Location::R(0);
/// The first argument; they ascend.
const FIRST: u32 = 0x3f80_0000;
/// Bits of a delta below half a unit of its base.
const BELOW: i32 = 89;
/// The bound on the error of a delta, as a share of it.
const SLACK: f64 = 1.0 / (1_u64 << 44) as f64;

/// A batch and its truths.
struct Made {
    estimates: Estimates,
    truths: Truths,
    effects: Effects,
}

/// Draws batches.
struct Maker {
    rng: ChaCha8Rng,
    flush: bool,
    saturate: bool,
    /// Whether the function is odd, so that its exact zeros have signs.
    odd: bool,
    /// One lane in so many has a row; none if 0, all if 1.
    rows: u32,
    /// Whether truths and results are such that double precision decides about all.
    tame: bool,
}

/// A truth: its estimate in double precision, and the number itself.
struct Lane {
    base: f64,
    delta: f64,
    real: Real,
}

impl Maker {
    fn below(&mut self, end: u32) -> u32 {
        self.rng.next_u32() % end
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u32) as usize]
    }

    /// A number of 24 bits, its binade's unit being 2^exponent: significand and exponent.
    fn base(&mut self) -> (u64, i32) {
        let random = u64::from(self.rng.next_u32() & F32.fraction_mask());
        if self.tame {
            return ((1 << 23) | random | 1, self.below(190) as i32 - 118);
        }
        let edge = [0, 1, 2, F32.fraction_mask() as u64, F32.fraction_mask() as u64 - 1];
        let fraction = if self.below(2) == 0 { random } else { self.pick(&edge) };
        let exponent = match self.below(3) {
            0 => self.below(256) as i32 - 127,
            _ => self.pick(&[-127, -126, -125, -2, -1, 0, 1, 23, 126, 127, 128, 130]),
        };
        // Below the normal numbers the unit stays, and a leading one is missing.
        if exponent < F32.emin() { (fraction, F32.grid()) } else { ((1 << 23) | fraction, exponent - 23) }
    }

    /// How far a truth lies from its base, in units of 2^-90 of the base's last place: at most half of that.
    fn delta(&mut self) -> i128 {
        let random = i128::from(self.rng.next_u64()) << (BELOW - 64);
        let eighth = (i128::from(self.below(9)) - 4) << (BELOW - 2);
        let nudge = self.pick(&[0, 1, -1, 1 << 36, -(1 << 36), 1 << 46, -(1 << 46), 1 << 60, -(1 << 60)]);
        let delta = match self.below(4) {
            _ if self.tame => random | 1,
            0 | 1 => random,
            2 => eighth + nudge,
            _ => nudge,
        };
        let sign = if self.below(2) == 0 { 1 } else { -1 };
        (delta * sign).clamp(-(1 << BELOW), 1 << BELOW)
    }

    fn lane(&mut self) -> Lane {
        if !self.tame && self.below(16) == 0 {
            return self.without_base();
        }
        let (significand, exponent) = self.base();
        let delta = self.delta();
        let negative = self.below(2) == 0;
        let sign = if negative { -1.0 } else { 1.0 };
        let unit = 2_f64.powi(exponent);
        // Off by nearly as much as the slack allows.
        let off = 1.0 + SLACK * 0.9 * f64::from(self.below(2001) as i32 - 1000) / 1000.0;
        let total = (i128::from(significand) << (BELOW + 1)) + delta;
        let real = match total {
            0 => Real::Zero,
            _ => Real::Near(Enclosure {
                negative: negative != (total < 0),
                significand: total.unsigned_abs(),
                exponent: exponent - BELOW - 1,
                exact: true,
            }),
        };
        let delta = delta as f64 * 2_f64.powi(-BELOW - 1) * unit;
        Lane { base: sign * significand as f64 * unit, delta: sign * delta * off, real }
    }

    /// A truth that is 0, or is its delta alone.
    fn without_base(&mut self) -> Lane {
        if self.below(3) == 0 {
            let negative = self.below(2) == 0;
            let zero = if negative { -0.0 } else { 0.0 };
            let real = if self.odd { Real::SignedZero { negative } } else { Real::Zero };
            return Lane { base: zero, delta: zero, real };
        }
        let negative = self.below(2) == 0;
        let significand = (1_u64 << 52) | (self.rng.next_u64() >> 12);
        let exponent = self.pick(&[-240, -203, -202, -201, -160, -60, -52, -51]);
        let delta = significand as f64 * 2_f64.powi(exponent);
        let real = Enclosure { negative, significand: significand.into(), exponent, exact: true };
        Lane { base: 0.0, delta: if negative { -delta } else { delta }, real: Real::Near(real) }
    }

    fn result(&mut self, real: &Real) -> u32 {
        let allowance = Allowance::Nearest;
        let (flush, saturate, clauses) = (self.flush, self.saturate, Clauses::default());
        let plain = Rules { format: F32, flush, saturate, allowance, last: allowance, clauses };
        let nearest = plain.nearest(real);
        if self.tame {
            return nearest.wrapping_add(self.below(3)).wrapping_sub(1);
        }
        let special =
            [0, 1 << 31, 1, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x3f80_0001, 0x7f7f_ffff, 0x7f80_0000];
        let special = [special.as_slice(), &[0xff80_0000, 0x7fff_ffff, 0x8080_0000, 0xbf80_0000]].concat();
        match self.below(16) {
            0..8 => nearest,
            8..10 => nearest.wrapping_add(1),
            10..12 => nearest.wrapping_sub(1),
            12 => nearest.wrapping_add(self.below(9)).wrapping_sub(4),
            13 => nearest ^ 1 << self.below(32),
            14 => nearest.wrapping_add(1 << self.below(21)),
            _ => self.pick(&special),
        }
    }

    fn batch(&mut self, lanes: usize) -> Made {
        let mut estimates = Estimates {
            location: Some(R0),
            saturate: self.saturate,
            flush: self.flush,
            slack: SLACK,
            has_rows: self.rows > 0,
            traits: Traits { symmetry: self.odd.then_some(Symmetry::Odd), period: None },
            ..Estimates::default()
        };
        let (mut values, mut results) = (Vec::new(), Vec::new());
        for lane in 0..lanes as u32 {
            let Lane { base, delta, real } = self.lane();
            let has_row = self.rows > 0 && self.below(self.rows) == 0;
            let row = self.pick(&[0x7fff_ffff, 0x7f80_0000, 0, 1 << 31, 0x3f80_0000]);
            let result = self.result(&real);
            estimates.arguments.push(FIRST + lane);
            estimates.rows.push(if has_row { row } else { 0 });
            estimates.bases.push(if has_row { f64::NAN } else { base });
            estimates.deltas.push(if has_row { 0.0 } else { delta });
            values.push(if has_row { Real::Bits(row) } else { real });
            results.push(if has_row && self.below(4) > 0 { row } else { result });
        }
        let mut truths = Truths::default();
        truths.reset(lanes);
        let arguments = estimates.arguments.clone();
        let (flush, saturate) = (self.flush, self.saturate);
        let values = TruthValues::Reals { format: F32, packed: 1, flush, saturate, arguments, values };
        truths.push(Truth { location: R0, values, written: Lanes::All });
        let mut effects = Effects::default();
        effects.reset(lanes);
        effects.write(R0, Lanes::All).copy_from_slice(&results);
        Made { estimates, truths, effects }
    }
}

/// What the judge on enclosures makes of a batch, a lane each.
struct Slow {
    measured: Vec<Option<Measured>>,
    diverged: Vec<bool>,
}

impl Slow {
    fn of(made: &Made, contract: &Contract) -> Slow {
        let mut verdicts = Verdicts::default();
        judge(contract, &instruction(), &made.truths, &made.effects, &mut verdicts);
        let mut slow =
            Slow { measured: vec![None; made.truths.len()], diverged: vec![false; made.truths.len()] };
        for measured in &verdicts.measured {
            slow.measured[(measured.argument - FIRST) as usize] = Some(*measured);
        }
        verdicts.diverged.iter().for_each(|(lane, _)| slow.diverged[*lane] = true);
        slow
    }

    /// The measured lanes that are not left to the slow judge.
    fn decided(&self, open: &[usize]) -> Vec<Measured> {
        let lanes = self.measured.iter().enumerate().filter(|(lane, _)| !open.contains(lane));
        lanes.filter_map(|(_, measured)| *measured).collect()
    }
}

fn contract(bound: &str) -> Contract {
    list(&[bound])
}

fn list(bounds: &[&str]) -> Contract {
    let bounds = bounds.iter().map(|text| text.parse::<Bound>().expect(text)).collect();
    Contract::Bounded { bounds, clauses: Clauses::default() }
}

/// What names the format of the results.
fn instruction() -> Instruction {
    asm::parse("MUFU.RCP.F32 R0, R1").expect("an instruction")
}

const BOUNDS: [&str; 8] = [
    "1 ulp",
    "0.5 ulp",
    "2.25 ulp",
    "600000 ulp",
    "absolute 2^-22",
    "absolute 2^100",
    "relative 2^-22.5",
    "1 ulp on [2, 3]",
];

/// Draws batches of many lengths in every mode, and hands each on with a contract.
fn every(tame: bool, mut hold: impl FnMut(&Made, &Contract, &str)) {
    for (place, bound) in BOUNDS.into_iter().enumerate() {
        let contract = contract(bound);
        for (flush, saturate, rows) in [
            (false, false, 0),
            (false, false, 5),
            (true, false, 0),
            (true, false, 90),
            (false, true, 9),
            (false, false, 1),
        ] {
            for odd in [false, true] {
                let rng = ChaCha8Rng::seed_from_u64(place as u64);
                let mut maker = Maker { rng, flush, saturate, odd, rows, tame };
                for lanes in [1, 63, 64, 65, 200, 1024] {
                    let made = maker.batch(lanes);
                    let name = format!(
                        "{bound}, flush {flush}, saturate {saturate}, odd {odd}, rows {rows}, {lanes} lanes"
                    );
                    hold(&made, &contract, &name);
                }
            }
        }
    }
}

fn judged<'a>(made: &'a Made, contract: &Contract, columns: &mut Columns) -> (Terms, ErrorSums, &'a [u32]) {
    let terms = Terms::of(contract, &made.estimates.arguments).expect("arguments of one sign");
    let results = made.effects.columns()[0].values.as_slice();
    let sums = columns.judge(&terms, &made.estimates, results);
    (terms, sums, results)
}

/// What the columns make of results: sums, and the lanes that they leave open.
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
        ensure(!slow.diverged[lane], || format!("lane {lane} diverges"))?;
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
    // Each lane's units may be one off, and so may those of its square on a border.
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

/// Columns that look at other results than they were given, in the lanes that a fault is about.
fn with(
    terms: &Terms,
    estimates: &Estimates,
    results: &[u32],
    change: impl Fn(usize, u32) -> u32,
) -> (ErrorSums, Vec<usize>) {
    let changed: Vec<u32> = results.iter().enumerate().map(|(lane, bits)| change(lane, *bits)).collect();
    quick(terms, estimates, &changed)
}

/// The result of a lane that is surely right, as if the lane were not looked at.
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

/// Faults of the columns. The comparison with the slow judge must find each of them.
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

/// A lane that double precision can decide is not left to the slow judge: otherwise speed would be lost unseen.
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

/// By how much of its units double precision may be wrong about an error: most where a delta is the whole truth.
fn doubt(units: f64) -> f64 {
    5e6 + units.abs() * 1e-8
}

/// The lane of each record is found (among equals that of the smallest input), and few other lanes are returned.
#[test]
fn records_are_found() {
    every(false, |made, contract, what| {
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
            let with = |bar| {
                let mut bars = none;
                set(&mut bars, bar);
                judged.records(&bars)
            };
            let doubt = doubt(units);
            for bar in [
                StandingRecord::NONE,
                StandingRecord { units: units - doubt, input: 0 },
                StandingRecord { units: units - 1.0, input: u32::MAX },
            ] {
                let found = with(bar);
                assert!(found.contains(&lane(record)), "{what}: {name} is not in {found:?}");
            }
            assert!(
                with(StandingRecord { units: units + doubt, input: u32::MAX }).is_empty(),
                "{what}: {name}"
            );
        };
        one(&|bars, bar| bars.greatest = bar, greatest, units(greatest), "the greatest");
        one(&|bars, bar| bars.least = bar, least, -units(least), "the least");
        // From 1 on the slow judge does not distinguish distances.
        if farthest.distance < u64::MAX {
            one(&|bars, bar| bars.distance = bar, farthest, farthest.distance as f64, "the farthest");
        }
        let mut worst: Vec<&Measured> = decided.iter().collect();
        worst.sort_by_key(|m| (std::cmp::Reverse(m.error.floor.unsigned_abs()), m.argument));
        let found = judged.records(&StandingRecords { worst: StandingRecord::NONE, ..none });
        let missing = worst.iter().take(WORST).find(|m| !found.contains(&lane(m)));
        assert!(missing.is_none(), "{what}: {missing:?} is not among the worst");
        if let Some(last) = worst.get(WORST - 1) {
            let units = last.error.floor.unsigned_abs() as f64;
            let bar = StandingRecord { units: units + doubt(units), input: u32::MAX };
            let higher = judged.records(&StandingRecords { worst: bar, ..none });
            assert!(higher.len() < WORST, "{what}: {} are worse than the last of the worst", higher.len());
        }
    });
}

/// If all errors differ, only the lanes of records are looked at again.
#[test]
fn few_lanes_are_looked_at_again() {
    every(true, |made, contract, what| {
        let mut columns = Columns::default();
        let (terms, _, results) = judged(made, contract, &mut columns);
        let judged = JudgedBatch { terms: &terms, estimates: &made.estimates, results, columns: &columns };
        let bars = StandingRecords {
            greatest: StandingRecord::NONE,
            least: StandingRecord::NONE,
            worst: StandingRecord::OUT_OF_REACH,
            distance: StandingRecord::NONE,
        };
        let found = judged.records(&bars);
        assert!(found.len() <= 6, "{what}: {} lanes for three records", found.len());
        assert!(found.is_sorted() && found.windows(2).all(|pair| pair[0] != pair[1]), "{what}");
        let found = judged.records(&StandingRecords { worst: StandingRecord::NONE, ..bars });
        assert!(found.len() <= WORST + 8, "{what}: {} lanes", found.len());
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
                let beyond = measured.error.floor == i64::MAX || measured.error.floor == i64::MIN;
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
    // An end between them, or on one of them, leaves nothing sure.
    let unsure = Some((None, "ulp", -1.0, 0.0));
    for (low, high) in [(1.5, 2.5), (0.5, 1.5), (7.0, 9.0), (1.0, 1.5), (1.5, 2.0), (0.25, 100.0)] {
        assert_eq!(of(&several, low, high), unsure, "{low} {high}");
    }
    // Of negative arguments the last is the least.
    let negative = list(&["1 ulp on [-2, -1]"]);
    assert_eq!(of(&negative, -1.25, -1.75), Some((Some(0), "ulp", 1.0, f64::INFINITY)));
    assert_eq!(of(&negative, -1.5, -2.5), unsure);
    assert_eq!(of(&several, -1.0, 1.0), None);
    assert_eq!(of(&Contract::BitExact, 1.0, 2.0), None);
    assert!(Terms::of(&several, &[]).is_none());
    assert_eq!(of(&list(&["600000 ulp"]), 1.0, 2.0).expect("terms").2, FARTHEST);
    assert_eq!(of(&list(&["0.75 ulp"]), 1.0, 2.0).expect("terms").2, 0.75);
}

#[test]
fn the_higher_bar_is_that_of_more_units_or_the_smaller_input() {
    let bar = |units, input| StandingRecord { units, input };
    for (one, other, higher) in [
        (bar(1.0, 5), bar(2.0, 9), bar(2.0, 9)),
        (bar(2.0, 5), bar(1.0, 1), bar(2.0, 5)),
        (bar(2.0, 5), bar(2.0, 4), bar(2.0, 4)),
        (bar(2.0, 5), bar(2.0, 5), bar(2.0, 5)),
        (StandingRecord::NONE, bar(0.0, 7), bar(0.0, 7)),
        (StandingRecord::OUT_OF_REACH, bar(1e300, 0), StandingRecord::OUT_OF_REACH),
    ] {
        assert_eq!((one.max(other), other.max(one)), (higher, higher));
        let lower = if higher == one { other } else { one };
        assert_eq!((one.min(other), other.min(one)), (lower, lower));
    }
}
