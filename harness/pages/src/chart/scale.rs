//! Scales: the place of a value between the ends of an axis, and the values with marks.

/// How values map to places along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spread {
    /// Linear.
    Linear,
    /// Linear up to ±1, and logarithmic beyond.
    Decades,
    /// Logarithmic in 1 + count, so that 0 is at the end of the axis.
    Counts,
}

/// An axis from one value to another. Every place on it is a finite number from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    low: f64,
    high: f64,
    spread: Spread,
}

/// Greatest magnitude, in ulp, of errors on a linear scale. If an error exceeds it, the scale is
/// logarithmic: on a linear scale one extreme error would flatten all others.
const LINEAR_UP_TO: f64 = 16.0;
/// Least length of an axis. A shorter range of values is replaced by a default.
const LEAST: f64 = 1e-12;
/// Least distance of two marks, as a share of the axis. Closer labels would overlap.
const APART: f64 = 0.07;
/// Approximate number of marks on an axis.
const MARKS: f64 = 5.0;

impl Scale {
    /// Returns a scale for signed errors, which includes 0. Infinite values and NaN are ignored.
    pub fn errors(values: impl IntoIterator<Item = f64>) -> Scale {
        let finite = values.into_iter().filter(|v| v.is_finite());
        let (low, high) = finite.fold((0.0f64, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
        let spread = if high.max(-low) > LINEAR_UP_TO { Spread::Decades } else { Spread::Linear };
        let (low, high) = if high - low < LEAST { (-1.0, 1.0) } else { (low, high) };
        Scale { low, high, spread }
    }

    /// Returns a logarithmic scale for counts from 0 to `most`.
    pub fn counts(most: u64) -> Scale {
        Scale { low: 0.0, high: most.max(1) as f64, spread: Spread::Counts }
    }

    /// Returns a linear scale for shares from 0 to `most`.
    pub fn shares(most: f64) -> Scale {
        let high = if most > LEAST { most.min(1.0) } else { 1.0 };
        Scale { low: 0.0, high, spread: Spread::Linear }
    }

    /// Returns a linear scale for amounts from 0 to `most`.
    pub fn amounts(most: f64) -> Scale {
        let high = if most > 0.0 && most.is_finite() { most } else { 1.0 };
        Scale { low: 0.0, high, spread: Spread::Linear }
    }

    /// Whether the scale is logarithmic, at least in part. The caller states this in the label of
    /// the axis.
    pub fn is_logarithmic(&self) -> bool {
        self.spread != Spread::Linear
    }

    /// Returns the place of a value: 0 at the low end, 1 at the high end. Values beyond an end have
    /// that end's place.
    pub fn at(&self, value: f64) -> f64 {
        let [low, high, value] = [self.low, self.high, value].map(|v| self.spread.place(v));
        let place = (value - low) / (high - low);
        if place.is_nan() { 0.0 } else { place.clamp(0.0, 1.0) }
    }

    /// Returns the values to mark, with their labels.
    pub fn marks(&self) -> Vec<(f64, String)> {
        let marks = match self.spread {
            Spread::Linear => self.even(),
            Spread::Decades | Spread::Counts => self.decades(),
        };
        let mut kept: Vec<(f64, String)> = Vec::new();
        for (value, label) in marks.into_iter().filter(|(value, _)| (self.low..=self.high).contains(value)) {
            let apart = |(other, _): &(f64, String)| (self.at(*other) - self.at(value)).abs() > APART;
            if kept.iter().all(apart) {
                kept.push((value, label));
            }
        }
        kept
    }

    /// Returns multiples of a round step.
    fn even(&self) -> Vec<(f64, String)> {
        let step = round_step((self.high - self.low) / MARKS);
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        (first..=last)
            .map(|i| (i as f64 * step, signed(&format!("{:.decimals$}", i as f64 * step))))
            .collect()
    }

    /// Returns zero and some powers of ten on both sides, few enough that labels do not overlap.
    fn decades(&self) -> Vec<(f64, String)> {
        let most = self.high.max(-self.low).log10().floor().max(0.0) as i32;
        let sides = if self.low < 0.0 && self.high > 0.0 { 2.0 } else { 1.0 };
        let every = (f64::from(most + 1) * sides / MARKS).ceil().max(1.0) as usize;
        let powers = (0..=most).rev().step_by(every);
        let both = powers.flat_map(|power| [-1.0, 1.0].map(|sign| (sign * 10f64.powi(power), power)));
        let labelled = both.map(|(value, power)| (value, decade(value < 0.0, power)));
        std::iter::once((0.0, "0".to_owned())).chain(labelled).collect()
    }
}

impl Spread {
    fn place(self, value: f64) -> f64 {
        let magnitude = value.abs();
        match self {
            Spread::Linear => value,
            Spread::Decades if magnitude > 1.0 => value.signum() * (1.0 + magnitude.log10()),
            Spread::Decades => value,
            Spread::Counts => (1.0 + magnitude).log10(),
        }
    }
}

/// Returns the least step of 1, 2 or 5 times a power of ten that is at least `least`.
pub fn round_step(least: f64) -> f64 {
    let decade = 10f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0].into_iter().map(|m| m * decade).find(|step| *step >= least * 0.999);
    step.unwrap_or(10.0 * decade)
}

fn decade(negative: bool, power: i32) -> String {
    let sign = if negative { "−" } else { "" };
    match power {
        0..=2 => format!("{sign}{}", 10u32.pow(power.unsigned_abs())),
        _ => format!("{sign}10{}", superscript(power)),
    }
}

fn superscript(power: i32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    power.to_string().chars().filter_map(|c| c.to_digit(10)).map(|d| digits[d as usize]).collect()
}

/// Replaces a leading hyphen by a minus sign, and removes it from a zero.
pub fn signed(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().any(|c| ('1'..='9').contains(&c)) => format!("−{digits}"),
        Some(digits) => digits.to_owned(),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn labels(scale: Scale) -> Vec<String> {
        scale.marks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn marks_are_round_and_few() {
        assert_eq!(labels(Scale::errors([-0.9, 1.0])), ["−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(Scale::errors([])), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(Scale::errors([1e9])), ["0", "10⁹", "10⁷", "10⁵", "10³", "10"]);
        assert_eq!(labels(Scale::counts(2_500)), ["0", "10³", "100", "10", "1"]);
    }

    proptest! {
        #[test]
        fn every_place_is_on_the_axis(values in prop::collection::vec(any::<f64>(), 0..6), at: f64, most: u64) {
            for scale in [Scale::errors(values.clone()), Scale::counts(most), Scale::shares(at)] {
                prop_assert!((0.0..=1.0).contains(&scale.at(at)));
                prop_assert!(scale.marks().len() <= 16, "{:?}", scale.marks());
            }
        }
    }
}
