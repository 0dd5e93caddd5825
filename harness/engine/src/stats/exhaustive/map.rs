//! The errors of a swept function by the argument as an interpolator reduces it, and by place among
//! all inputs.
//!
//! A wrong row of a table shows in a few columns of the reduced argument, a wrong exponent in one
//! binade of the map, and a wrong input in one place of it. The extremes of a binade or of a
//! segment over all binades hide all three.
//!
//! The limits of the errors of [`PART`] neighbouring inputs are known in any case, and so is the
//! error of one of them. The statistics are made of these. So extremes are upper limits, by at most
//! the uncertainty of double precision, quantiles are those of every 128th input, and errors at an
//! end of a column may be counted in the neighbouring one.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use assay_isa::Instruction;
use assay_isa::format::F32;
use assay_isa::hints::Segments;
use assay_isa::tables::types::MUFUOp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PLACE_BITS;
use crate::compare::judge::ONE_ULP;
use crate::compare::judge::quick::PART;
use crate::generate::edges;

/// Number of columns, which divide the range of the reduced argument evenly.
pub const COLUMNS: u32 = 256;
/// Number of levels of an error.
pub const LEVELS: u8 = 64;
/// The level of errors below 1/8 ulp.
const SMALL: u8 = 1;
/// Binary exponent of the first error above [`SMALL`].
const FINE_FROM: i32 = -3;
/// Number of levels in each octave of fine ones, and number of these octaves.
const FINE: (i32, i32) = (8, 6);
/// Digits of the levels in a result: those of base64.
const DIGITS: &[u8; LEVELS as usize] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Number of places of a binade.
const PLACES: usize = 1 << (F32.fraction_bits - PLACE_BITS);
/// Magnitudes from here on have no column of an angle or of a fraction: [`PART`] neighbouring inputs
/// would fall into several.
pub const LAST_ANGLE: f64 = 1024.0;
/// As [`LAST_ANGLE`], for fractions.
pub const LAST_FRACTION: f64 = 256.0;
/// Patterns of magnitudes below this one have no column of a significand, as [`LAST_ANGLE`] says.
const FIRST_SIGNIFICAND: u32 = COLUMNS * PART as u32;

/// The argument as a function reduces it. Columns are numbered from its least value on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReducedArgument {
    /// The significand, from 1 to 2.
    Significand,
    /// The significand in a binade of an even exponent, from 1 to 2, then that in one of an odd
    /// exponent, from 2 to 4.
    SignificandAndParity,
    /// The fraction that is left above the next lower integer, from 0 to 1.
    Fraction,
    /// The angle in turns, from 0 to 1. One turn is 2 pi.
    Turn,
    /// The exponent field of the magnitude, from 0 to 255.
    Exponent,
}

impl ReducedArgument {
    /// Returns the reduced argument of a function of F32.
    pub fn of(instruction: &Instruction) -> ReducedArgument {
        let is = |function| instruction.modifier("mufuop") == Some(function);
        let has = |is: fn(&Segments) -> bool| edges::segments(instruction).any(|segments| is(&segments));
        let of_fraction = has(|segments| matches!(segments, Segments::Fraction(_)));
        let of_multiples = has(|segments| matches!(segments, Segments::Multiples(_)));
        match (has(|segments| matches!(segments, Segments::Angles(_))), of_fraction, of_multiples) {
            (true, _, _) => ReducedArgument::Turn,
            // A table by the fraction near 0, and another of equal steps: the magnitude chooses.
            (_, true, true) => ReducedArgument::Exponent,
            (_, false, true) => ReducedArgument::Fraction,
            _ if is(MUFUOp::RSQ) || is(MUFUOp::SQRT) => ReducedArgument::SignificandAndParity,
            _ => ReducedArgument::Significand,
        }
    }

    /// Says whether the arguments of a slice of a sweep, which begins with `first`, may have different
    /// columns. Subnormal numbers of a slice have several exponents.
    fn varies_in_slice(self, first: u32) -> bool {
        matches!(self, ReducedArgument::Fraction | ReducedArgument::Turn) || F32.exponent_field(first) == 0
    }

    /// Returns the column of an argument. `None` if it has none: infinity, NaN, a magnitude whose
    /// neighbours fall into several columns.
    pub fn column(self, argument: u32) -> Option<u32> {
        let field = F32.exponent_field(argument);
        if field == F32.exponent_field(F32.infinity()) {
            return None;
        }
        let part = |of_one: f64| (((of_one - of_one.floor()) * f64::from(COLUMNS)) as u32).min(COLUMNS - 1);
        let value = f64::from(f32::from_bits(argument));
        // As a double, a subnormal argument is normal. The last bit of its exponent field is set for even
        // exponents, because the bias is odd.
        let leading = |bits: u32| (value.to_bits() >> (52 - bits)) as u32 & (COLUMNS - 1);
        let has_significand = argument & !F32.sign_mask() >= FIRST_SIGNIFICAND;
        match self {
            ReducedArgument::Significand => has_significand.then(|| leading(COLUMNS.ilog2())),
            ReducedArgument::SignificandAndParity => {
                has_significand.then(|| leading(COLUMNS.ilog2() - 1) ^ (COLUMNS / 2))
            }
            ReducedArgument::Fraction => (value.abs() < LAST_FRACTION).then(|| part(value)),
            ReducedArgument::Turn => (value.abs() < LAST_ANGLE).then(|| part(value / TAU)),
            ReducedArgument::Exponent => Some(field),
        }
    }
}

/// The errors of the arguments in a column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ColumnErrors {
    /// The least error, in units of 2^-32 ulp. 0 if none is negative.
    pub least: i64,
    /// The greatest error, in units of 2^-32 ulp. 0 if none is positive.
    pub greatest: i64,
    /// Number of sampled errors by level of their magnitude, up to the last level that has one.
    pub samples: Vec<u64>,
    /// Number of inputs whose result diverges.
    pub failing: u64,
}

/// The errors of a function whose inputs are all swept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorMap {
    /// What the columns are.
    pub argument: ReducedArgument,
    /// The errors by reduced argument.
    pub columns: Vec<ColumnErrors>,
    /// The level of the largest error of each place. The key is the sign and exponent field of a
    /// binade. Its text has a digit of base64 for each of the 128 places of the binade.
    pub binades: BTreeMap<u32, PlaceLevels>,
    /// Number of inputs whose result diverges, by the leading 16 bits of the input.
    pub failing: BTreeMap<u32, u64>,
}

/// The levels of the places of a binade, in a result as digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct PlaceLevels(pub [u8; PLACES]);

impl From<PlaceLevels> for String {
    fn from(levels: PlaceLevels) -> String {
        levels.0.iter().map(|level| char::from(DIGITS[usize::from(*level)])).collect()
    }
}

impl TryFrom<String> for PlaceLevels {
    type Error = String;

    fn try_from(text: String) -> Result<PlaceLevels, String> {
        let level = |digit: &u8| DIGITS.iter().position(|it| it == digit).map(|level| level as u8);
        let levels: Option<Vec<u8>> = text.as_bytes().iter().map(level).collect();
        let levels = levels.and_then(|levels| levels.try_into().ok());
        levels.map(PlaceLevels).ok_or_else(|| format!("`{text}` has not {PLACES} digits of base64"))
    }
}

/// Returns the level of an error in units of 2^-32 ulp. 0 stands for a place without an error, and
/// the last level for all that is beyond.
pub fn level(units: f64) -> u8 {
    let ulps = units.abs() / ONE_ULP as f64;
    let (first, (steps, octaves)) = (f64::from(FINE_FROM).exp2(), FINE);
    if ulps < first {
        return SMALL;
    }
    // The leading bits of the double count steps and octaves.
    let octave = (ulps.to_bits() >> 52) as i32 - 1023 - FINE_FROM;
    let step = (ulps.to_bits() >> (52 - steps.ilog2())) as i32 & (steps - 1);
    let level = if octave < octaves { octave * steps + step } else { octaves * steps + (octave - octaves) };
    (i32::from(SMALL) + 1 + level).min(i32::from(LEVELS) - 1) as u8
}

/// Returns the least error in ulp that has a level. 0 for the levels 0 and 1.
pub fn least_of(level: u8) -> f64 {
    let (steps, octaves) = FINE;
    let above = i32::from(level) - i32::from(SMALL) - 1;
    match above {
        _ if above < 0 => 0.0,
        _ if above < octaves * steps => {
            let within = 1.0 + f64::from(above % steps) / f64::from(steps);
            f64::from(above / steps + FINE_FROM).exp2() * within
        }
        _ => f64::from(above - octaves * steps + octaves + FINE_FROM).exp2(),
    }
}

impl ColumnErrors {
    /// Adds a part, whose error is a sample unless it is NaN.
    fn add(&mut self, [greatest, least]: [f64; 2], sample: f64) {
        self.greatest = self.greatest.max(greatest as i64);
        self.least = self.least.min(-least as i64);
        if sample.is_nan() {
            return;
        }
        let level = usize::from(level(sample));
        if self.samples.len() <= level {
            self.samples.resize(level + 1, 0);
        }
        self.samples[level] += 1;
    }

    fn merge(&mut self, other: &ColumnErrors) {
        self.least = self.least.min(other.least);
        self.greatest = self.greatest.max(other.greatest);
        self.failing += other.failing;
        if self.samples.len() < other.samples.len() {
            self.samples.resize(other.samples.len(), 0);
        }
        self.samples.iter_mut().zip(&other.samples).for_each(|(count, more)| *count += more);
    }

    /// Returns the magnitude in ulp that a share of the sampled errors does not exceed, to within a
    /// level. `None` without samples.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let total: u64 = self.samples.iter().sum();
        let wanted = (total as f64 * share).max(1.0);
        let mut below = 0.0;
        let mut within = |(level, count): (usize, &u64)| {
            let (count, before) = (*count as f64, below);
            below += count;
            let [low, high] = [level, level + 1].map(|level| least_of(level as u8));
            (count > 0.0 && below >= wanted).then(|| low + (high - low) * (wanted - before) / count)
        };
        self.samples.iter().enumerate().find_map(&mut within)
    }
}

impl ErrorMap {
    /// Returns a map without errors.
    pub fn new(argument: ReducedArgument) -> ErrorMap {
        let columns = vec![ColumnErrors::default(); COLUMNS as usize];
        ErrorMap { argument, columns, binades: BTreeMap::new(), failing: BTreeMap::new() }
    }

    /// Adds the error of an argument, in units of 2^-32 ulp, and as a sample, too, if it `is_sampled`.
    pub fn add(&mut self, argument: u32, units: f64, is_sampled: bool) {
        self.add_parts(argument, [([units, -units], if is_sampled { units } else { f64::NAN })]);
    }

    /// Adds the errors of arguments of one slice, in units of 2^-32 ulp. `first` is the first argument,
    /// and each part has [`PART`] of them. A part has upper limits of its errors and of its negated
    /// errors, which are negative infinity if none was measured, and one of its errors, which is NaN
    /// if it was not measured.
    pub fn add_parts(&mut self, first: u32, parts: impl IntoIterator<Item = ([f64; 2], f64)>) {
        let of_first = self.argument.column(first);
        let varies = self.argument.varies_in_slice(first);
        let mut largest = f64::NEG_INFINITY;
        for (argument, ([greatest, least], sample)) in (first..=u32::MAX).step_by(PART).zip(parts) {
            if greatest == f64::NEG_INFINITY {
                continue;
            }
            largest = largest.max(greatest.max(least));
            let column = if varies { self.argument.column(argument) } else { of_first };
            if let Some(column) = column {
                self.columns[column as usize].add([greatest, least], sample);
            }
        }
        if largest > f64::NEG_INFINITY {
            let binade = self.binades.entry(first >> F32.fraction_bits);
            let levels = binade.or_insert(PlaceLevels([0; PLACES]));
            let highest = &mut levels.0[(first >> PLACE_BITS) as usize % PLACES];
            *highest = (*highest).max(level(largest));
        }
    }

    /// Adds an input whose result diverges.
    pub fn add_failing(&mut self, argument: u32) {
        *self.failing.entry(argument >> PLACE_BITS).or_default() += 1;
        if let Some(column) = self.argument.column(argument) {
            self.columns[column as usize].failing += 1;
        }
    }

    /// Adds the errors of other inputs of the same function.
    pub fn merge(&mut self, other: &ErrorMap) {
        self.columns.iter_mut().zip(&other.columns).for_each(|(column, more)| column.merge(more));
        for (binade, more) in &other.binades {
            let levels = self.binades.entry(*binade).or_insert(PlaceLevels([0; PLACES]));
            levels.0.iter_mut().zip(more.0).for_each(|(level, more)| *level = (*level).max(more));
        }
        for (place, count) in &other.failing {
            *self.failing.entry(*place).or_default() += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn levels_ascend_and_name_their_least_error() {
        let ulps = |error: f64| level(error * ONE_ULP as f64);
        assert_eq!([0.0, 0.12, 0.125, 0.5, 1.0, 7.99, 8.0, 1e9].map(ulps), [1, 1, 2, 18, 26, 49, 50, 63]);
        for level in 2..LEVELS {
            assert_eq!(ulps(least_of(level)), level);
            assert_eq!(ulps(least_of(level) * 0.9999), level - 1);
        }
    }

    #[test]
    fn columns_are_those_of_the_reduced_argument() {
        let column = |argument: ReducedArgument, value: f32| argument.column(value.to_bits());
        assert_eq!(column(ReducedArgument::Significand, -3.0), Some(128));
        assert_eq!(column(ReducedArgument::SignificandAndParity, 3.0), Some(192));
        assert_eq!(column(ReducedArgument::SignificandAndParity, 0.375), Some(64));
        assert_eq!(column(ReducedArgument::Fraction, -0.25), Some(192));
        assert_eq!(column(ReducedArgument::Fraction, -1e-30), Some(255));
        assert_eq!(column(ReducedArgument::Turn, 1.6), Some(65));
        assert_eq!(column(ReducedArgument::Turn, 1e30), None);
        assert_eq!(column(ReducedArgument::Exponent, 1.0), Some(127));
        assert_eq!(column(ReducedArgument::Fraction, f32::NAN), None);
        assert_eq!([255.75, 256.0].map(|value| column(ReducedArgument::Fraction, value)), [Some(192), None]);
        // 1.5 times a power of two, normal and subnormal; and the smallest numbers.
        for exponent in [-149 + 15, -140 + 15, -127, -126, 1] {
            let value = (1.5 * f64::from(exponent).exp2()) as f32;
            assert_eq!(column(ReducedArgument::Significand, value), Some(128), "{exponent}");
            let odd = if exponent % 2 == 0 { 64 } else { 192 };
            assert_eq!(column(ReducedArgument::SignificandAndParity, value), Some(odd), "{exponent}");
        }
        assert_eq!(column(ReducedArgument::Significand, f32::from_bits(0x7fff)), None);
        assert_eq!(column(ReducedArgument::Significand, 0.0), None);
    }

    proptest! {
        /// Results of any order and division are the same, and a result is read as it was written.
        #[test]
        fn maps_merge_in_any_order(
            parts in prop::collection::vec((any::<u32>(), -1e12..1e12, -1e12..1e12, any::<bool>()), 1..40),
            cut: prop::sample::Index,
        ) {
            let of = |parts: &[(u32, f64, f64, bool)]| {
                let mut map = ErrorMap::new(ReducedArgument::Significand);
                for (argument, high, low, fails) in parts {
                    map.add_parts(*argument, [([*high, *low], if *fails { *high } else { f64::NAN })]);
                    if *fails {
                        map.add_failing(*argument);
                    }
                }
                map
            };
            let (first, second) = parts.split_at(cut.index(parts.len()));
            let mut merged = of(second);
            merged.merge(&of(first));
            prop_assert_eq!(&merged, &of(&parts));
            let text = serde_json::to_string(&merged).expect("JSON");
            prop_assert_eq!(&serde_json::from_str::<ErrorMap>(&text).expect("a map"), &merged);
        }

        #[test]
        fn quantiles_lie_among_the_samples(levels in prop::collection::vec(1..LEVELS, 1..50), share in 0.0..1.0) {
            let mut column = ColumnErrors::default();
            column.samples.resize(LEVELS.into(), 0);
            levels.iter().for_each(|level| column.samples[usize::from(*level)] += 1);
            let quantile = column.quantile(share).expect("samples");
            let (least, most) = (levels.iter().min().expect("one"), levels.iter().max().expect("one"));
            prop_assert!((least_of(*least)..=least_of(most + 1)).contains(&quantile));
        }
    }
}
