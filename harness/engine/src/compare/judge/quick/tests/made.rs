//! Test batches with artificial truths, and the verdicts of the judge on enclosures.

use assay_isa::effect::Lanes;
use assay_isa::truth::{Enclosure, Real, Symmetry, Traits, Truth, TruthValues};
use assay_isa::{Effects, Estimates, Instruction, Location, Truths, asm};
use assay_vectors::{Clauses, Facts};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::super::part::PART;
use crate::compare::judge::quick::*;
use crate::compare::judge::rules::{Allowance, Rules};
use crate::compare::judge::{DivergenceKind, Measured, Verdicts, judge};

const R0: Location = Location::R(0);
/// The first argument; they ascend.
pub(super) const FIRST: u32 = 0x3f80_0000;
/// Bits of a delta below half a unit of its base.
const BELOW: i32 = 89;
/// The bound on the error of a delta, as a share of it.
const SLACK: f64 = 1.0 / (1_u64 << 44) as f64;

/// A batch and its truths.
pub(super) struct Made {
    pub estimates: Estimates,
    pub truths: Truths,
    pub effects: Effects,
}

/// Draws batches.
struct Maker {
    rng: ChaCha8Rng,
    flush: bool,
    saturate: bool,
    /// Whether the function is odd, so that its exact zeros have signs.
    odd: bool,
    /// One lane in this many has a row: result bits that the specification gives. 0 means no lane,
    /// 1 every lane.
    rows: u32,
    /// Whether truths and results are drawn so that double precision can decide nearly all lanes.
    tame: bool,
    /// The common properties of truths that are neighbours. `None` for independent truths. Nearly
    /// all of these lanes are tame.
    near: Option<Neighbours>,
}

/// What neighbours have in common.
#[derive(Clone, Copy)]
struct Neighbours {
    exponent: i32,
    /// Number of binades in which the truths lie.
    binades: u32,
    /// Greatest distance of tame results from the nearest number, in units in the last place.
    spread: u32,
}

/// One in this many neighbours is not tame. So about half of the parts have such a lane.
const STRANGE: u32 = 100;

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

    /// Draws a number of 24 bits. Returns its significand, and the exponent of the unit in its last
    /// place.
    fn base(&mut self) -> (u64, i32) {
        let random = u64::from(self.rng.next_u32() & F32.fraction_mask());
        if self.tame {
            let exponent = match self.near {
                Some(near) => near.exponent + self.below(near.binades) as i32,
                None => self.below(190) as i32 - 118,
            };
            return ((1 << 23) | random | 1, exponent);
        }
        let edge = [0, 1, 2, F32.fraction_mask() as u64, F32.fraction_mask() as u64 - 1];
        let fraction = if self.below(2) == 0 { random } else { self.pick(&edge) };
        let exponent = match self.below(3) {
            0 => self.below(256) as i32 - 127,
            _ => self.pick(&[-127, -126, -125, -2, -1, 0, 1, 23, 126, 127, 128, 130]),
        };
        // Subnormal numbers have one unit, and no leading one.
        if exponent < F32.emin() { (fraction, F32.grid()) } else { ((1 << 23) | fraction, exponent - 23) }
    }

    /// Draws the distance of a truth from its base, in units of 2^-90 of the base's last place. At
    /// most half of the last place.
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
        if self.near.is_some() {
            self.tame = self.below(STRANGE) > 0;
        }
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

    /// Draws a truth with the base 0: the truth is 0, or equals the delta.
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
            let spread = self.near.map_or(1, |near| near.spread);
            return nearest.wrapping_add(self.below(2 * spread + 1)).wrapping_sub(spread);
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
            traits: Traits {
                symmetry: self.odd.then_some(Symmetry::Odd),
                period: None,
                signed_zeros: self.odd,
            },
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

/// The verdicts of the judge on enclosures, one per lane.
pub(super) struct Slow {
    pub measured: Vec<Option<Measured>>,
    /// How the lanes diverge.
    pub diverged: Vec<Option<DivergenceKind>>,
}

impl Slow {
    pub fn of(made: &Made, contract: &Contract) -> Slow {
        let mut verdicts = Verdicts::default();
        judge(contract, &instruction(), &made.truths, &made.effects, &mut verdicts);
        let mut slow =
            Slow { measured: vec![None; made.truths.len()], diverged: vec![None; made.truths.len()] };
        for measured in &verdicts.measured {
            slow.measured[(measured.argument - FIRST) as usize] = Some(*measured);
        }
        verdicts.diverged.iter().for_each(|(lane, d)| slow.diverged[*lane] = Some(d.kind));
        slow
    }

    /// The measured lanes that are not left to the slow judge.
    pub fn decided(&self, open: &[usize]) -> Vec<Measured> {
        let lanes = self.measured.iter().enumerate().filter(|(lane, _)| !open.contains(lane));
        lanes.filter_map(|(_, measured)| *measured).collect()
    }
}

pub(super) fn list(bounds: &[&str]) -> Contract {
    let bounds = bounds.iter().map(|text| text.parse::<Bound>().expect(text)).collect();
    Contract::Bounded { bounds, clauses: Clauses::default() }
}

/// Returns the contract of a function with values from -1 to 1, for arguments that no bound covers.
/// A result that exceeds 1 by more than the last bound cannot be a value of the function.
fn from_minus_one_to_one() -> (String, Contract) {
    let bounds = ["absolute 2^-22 on [2, 3]".parse::<Bound>().expect("a bound")].into();
    let facts = Facts { range: Range::Unit, ..Facts::default() };
    let clauses = Clauses { facts, ..Clauses::default() };
    ("a function from -1 to 1 without a bound".to_owned(), Contract::Bounded { bounds, clauses })
}

/// An instruction with results of the format F32.
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

/// Draws batches of many lengths in every mode. Calls `hold` for each batch, with a contract.
pub(super) fn every(tame: bool, mut hold: impl FnMut(&Made, &Contract, &str)) {
    modes(tame, |mut maker, contract, name| {
        for lanes in [1, PART - 1, PART, PART + 1, 200, 1024] {
            hold(&maker.batch(lanes), contract, &format!("{name}, {lanes} lanes"));
        }
    });
}

/// Draws batches of neighbours in every mode. Calls `hold` for each batch, with a contract.
pub(super) fn neighbours(mut hold: impl FnMut(&Made, &Contract, &str)) {
    modes(false, |mut maker, contract, name| {
        let near = [-149, -127, -126, -60, -24, -23, 0, 104].into_iter().zip([0, 1, 2].into_iter().cycle());
        for (binades, (exponent, spread)) in [1, 3].into_iter().cycle().zip(near) {
            maker.near = Some(Neighbours { exponent, binades, spread });
            let near = format!("{binades} binades from {exponent}, spread {spread}");
            hold(&maker.batch(1000), contract, &format!("{name}, {near}"));
        }
    });
}

/// Calls `draw` for every mode, with a maker and a contract.
fn modes(tame: bool, mut draw: impl FnMut(Maker, &Contract, &str)) {
    let bounded = BOUNDS.map(|bound| (bound.to_owned(), list(&[bound])));
    for (place, (bound, contract)) in bounded.into_iter().chain([from_minus_one_to_one()]).enumerate() {
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
                let maker = Maker { rng, flush, saturate, odd, rows, tame, near: None };
                let name = format!("{bound}, flush {flush}, saturate {saturate}, odd {odd}, rows {rows}");
                draw(maker, &contract, &name);
            }
        }
    }
}

pub(super) fn judged<'a>(
    made: &'a Made,
    contract: &Contract,
    columns: &mut Columns,
) -> (Terms, ErrorSums, &'a [u32]) {
    let terms = Terms::of(contract, &made.estimates.arguments).expect("arguments of one sign");
    let results = made.effects.columns()[0].values.as_slice();
    let sums = columns.judge(&terms, &made.estimates, results);
    (terms, sums, results)
}
