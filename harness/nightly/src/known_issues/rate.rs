//! How often an issue occurs, and whether the rate is higher than before.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Number of nightly runs whose rates are kept for an issue.
const NIGHTS: usize = 60;
/// The significance level of the test for growth: the maximum probability that a comparison of
/// unchanged rates reports growth.
pub(super) const CHANCE: f64 = 1e-6;

/// How often an issue occurred in the campaigns of one nightly run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NightRate {
    /// Number of the nightly run.
    pub night: u32,
    /// Number of divergences of the issue. An estimate if the campaigns did not keep all
    /// divergences.
    pub divergences: u64,
    /// Upper limit of the number of independent events among these divergences. Divergences of the
    /// same batch are not independent.
    pub events: u64,
    /// Number of executed cases of the optypes in which the issue occurred.
    pub cases: u64,
    /// Whether the rate grew in this run and the growth is not accepted. Later runs are not
    /// compared with such a run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grown: bool,
}

impl NightRate {
    /// Returns the rate of a run in which the issue did not occur. `None` without cases.
    pub fn of_none(night: u32, cases: u64) -> Option<NightRate> {
        (cases > 0).then_some(NightRate { night, divergences: 0, events: 0, cases, grown: false })
    }

    /// Returns the number of divergences in a million cases.
    pub fn per_million(self) -> f64 {
        self.divergences as f64 * 1e6 / self.cases.max(1) as f64
    }

    /// Returns the sum of several rates. `None` if there is no rate.
    pub fn sum<'a>(rates: impl IntoIterator<Item = &'a NightRate>) -> Option<NightRate> {
        rates.into_iter().copied().reduce(|sum, rate| NightRate {
            night: rate.night,
            divergences: sum.divergences + rate.divergences,
            events: sum.events + rate.events,
            cases: sum.cases + rate.cases,
            grown: false,
        })
    }

    /// Returns whether a rate is higher than an earlier rate, and chance does not explain the
    /// difference.
    ///
    /// Divergences come in groups. The test assumes that both runs have groups of the same size. If
    /// the rate is unchanged, the number of events of the later run is then binomial, given the
    /// events of both runs. Chernoff's bound is at least as large as the tail probability. So the
    /// probability of a false report is at most `CHANCE`.
    pub fn has_grown_from(self, before: NightRate) -> bool {
        if self.cases == 0 || before.cases == 0 || self.divergences == 0 {
            return false;
        }
        let group = (self.variance() + before.variance()) / (self.divergences + before.divergences) as f64;
        let [now, past] = [self, before].map(|rate| rate.divergences as f64 / group);
        let expected = self.cases as f64 / (self.cases + before.cases) as f64;
        let (events, share) = (now + past, now / (now + past));
        // The test is two-sided: each side has half of the probability.
        share > expected && events * divergence(share, expected) > -(CHANCE / 2.0).ln()
    }

    /// Returns the variance of the number of divergences: the sum of the squares of the sizes of
    /// the groups.
    fn variance(self) -> f64 {
        (self.divergences as f64).powi(2) / self.events.max(1) as f64
    }
}

/// Returns the Kullback-Leibler divergence between two Bernoulli distributions, in nats.
fn divergence(a: f64, b: f64) -> f64 {
    let term = |a: f64, b: f64| if a == 0.0 { 0.0 } else { a * (a / b).ln() };
    term(a, b) + term(1.0 - a, 1.0 - b)
}

/// Adds the rate of a run. Replaces an earlier rate of the same run. Removes the earliest rates
/// beyond `NIGHTS`.
pub fn push(rates: &mut Vec<NightRate>, rate: NightRate) {
    rates.retain(|known| known.night != rate.night);
    rates.push(rate);
    rates.drain(..rates.len().saturating_sub(NIGHTS));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(events: u64, cases: u64) -> NightRate {
        NightRate { night: 1, divergences: events * 10, events, cases, grown: false }
    }

    fn grouped(divergences: u64, events: u64, cases: u64) -> NightRate {
        NightRate { night: 1, divergences, events, cases, grown: false }
    }

    #[test]
    fn a_rate_has_grown_where_chance_does_not_explain_it() {
        for (before, now, grown) in [
            (rate(100, 1000), rate(100, 1000), false),
            (rate(100, 1000), rate(150, 1000), false),
            (rate(100, 1000), rate(200, 1000), true),
            (rate(100, 1000), rate(20, 1000), false),
            (rate(1, 1000), rate(10, 1000), false),
            (rate(28, 1000), rate(280, 1000), true),
            (rate(280, 10_000), rate(280, 1000), true),
            (rate(0, 1000), rate(30, 1000), true),
            (rate(0, 0), rate(30, 1000), false),
            // The same number of groups, each ten times as large.
            (grouped(1000, 60, 1000), grouped(10_000, 60, 1000), true),
            (grouped(100, 6, 1000), grouped(1000, 6, 1000), false),
            (rate(0, 1000), rate(0, 1000), false),
        ] {
            assert_eq!(now.has_grown_from(before), grown, "{before:?} {now:?}");
        }
    }

    /// No growth is reported between runs with the same true rate. At the significance level, about
    /// one pair in a million would report growth.
    #[test]
    fn chance_alone_is_no_growth() {
        let mut state = 1_u64;
        let mut events = |mean: u64| {
            // A sum of coins with probability 1/16 each. Its variance is nearly that of a Poisson
            // distribution.
            (0..16 * mean).fold(0, |sum, _| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                sum + u64::from(state >> 60 == 0)
            })
        };
        for mean in [1, 3, 10, 100] {
            for _ in 0..2000 {
                let (before, now) = (rate(events(mean), 1000), rate(events(mean), 1000));
                assert!(!now.has_grown_from(before), "{before:?} {now:?}");
            }
        }
    }
}
