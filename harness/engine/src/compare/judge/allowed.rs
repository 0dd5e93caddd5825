//! Lists every result that a contract allows, for the expectation of a vector.

use std::collections::BTreeMap;

use assay_isa::format::Format;
use assay_isa::truth::{Truth, TruthValues};
use assay_isa::{Erratum, Event, Real, Truths};
use assay_vectors::{Allowed, Bound, Contract, Expected, Span};

use super::rules::{Allowance, PackedResult, Reals, Rules};

#[cfg(test)]
mod tests;

/// The expectation of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// Each location must have one of its listed values. If an event is given, exactly this event
    /// must occur.
    Effect(Expected, Option<Event>),
    /// The specification leaves the result undefined, by this erratum.
    Undefined(Erratum),
    /// Too many values are allowed to list them, or the contract does not judge the result. Only
    /// the judge can decide.
    Unlisted,
}

impl Expectation {
    /// The expectation of a lane, from a contract and the truth of a batch.
    pub fn of(contract: &Contract, truths: &Truths, lane: usize) -> Expectation {
        if let Some((_, erratum)) = truths.undefined().iter().find(|(l, _)| *l == lane) {
            return Expectation::Undefined(*erratum);
        }
        match allowed(contract, truths, lane) {
            Some(expected) => Expectation::Effect(expected, truths.event_of(lane).copied()),
            None => Expectation::Unlisted,
        }
    }
}

/// Returns every value that a contract allows in a lane, for each location that must be written.
/// `None` if the contract does not judge a result, or if packed results have too many combinations
/// to list.
pub fn allowed(contract: &Contract, truths: &Truths, lane: usize) -> Option<Expected> {
    let mut expected = BTreeMap::new();
    for truth in truths.columns().iter().filter(|t| t.written.contains(lane)) {
        let values = match &truth.values {
            TruthValues::Bits(values) => Allowed::one(values[lane]),
            TruthValues::Reals { .. } => packed(Reals::of(contract, truth)?.lane(lane))?,
        };
        expected.insert(truth.location, values);
    }
    Some(Expected(expected))
}

/// One of the real results that a location packs, with the values that a contract allows.
pub struct AllowedResult<'a> {
    /// The format of the result.
    pub format: Format,
    /// Position of the result's lowest bit in the register.
    pub shift: u32,
    /// The bound of the contract that applies to the argument, if any.
    pub bound: Option<&'a Bound>,
    /// The allowed patterns. `None` if the contract does not judge the result.
    pub values: Option<Allowed>,
}

/// Returns the allowed values of each real result in a lane, ascending by position in the register.
/// Empty if the truth is bits.
pub fn allowed_results<'a>(contract: &'a Contract, truth: &Truth, lane: usize) -> Vec<AllowedResult<'a>> {
    let bounds: &[Bound] = match contract {
        Contract::Bounded { bounds, .. } => bounds,
        Contract::BitExact | Contract::Model => &[],
    };
    let Some(reals) = Reals::of(contract, truth) else { return Vec::new() };
    let allowed = |part: PackedResult<'_>| AllowedResult {
        format: part.rules.format,
        shift: part.shift,
        bound: part.bound.map(|index| &bounds[index]),
        values: spans(&part.rules, part.value).and_then(Allowed::spans),
    };
    reals.lane(lane).map(allowed).collect()
}

/// Maximum number of spans that are listed for a register.
const MOST_SPANS: usize = 32;

/// Returns the words of a register whose packed results are all allowed. For each combination of
/// values of the other results, the words are the spans of the first result. `None` if a result is
/// not judged, or if there are more than [`MOST_SPANS`] spans.
fn packed<'a>(parts: impl Iterator<Item = PackedResult<'a>>) -> Option<Allowed> {
    let mut words = vec![Span { low: 0, high: 0 }];
    for part in parts {
        let values = spans(&part.rules, part.value)?;
        if part.shift == 0 {
            words = values;
            continue;
        }
        let each: Vec<u32> =
            values.iter().flat_map(|span| span.low..=span.high).take(MOST_SPANS + 1).collect();
        let with = |word: &Span| {
            let word = *word;
            each.iter().map(move |value| {
                let high = value << part.shift;
                Span { low: word.low | high, high: word.high | high }
            })
        };
        words = words.iter().flat_map(with).collect();
    }
    if words.len() > MOST_SPANS { None } else { Allowed::spans(words) }
}

/// Returns the patterns that the rules accept. The accepted patterns of one sign form one span,
/// because a pattern farther from the truth is never better. A NaN is a span of its own, and so is
/// a zero if results are flushed. `None` if the contract does not judge the result.
fn spans(rules: &Rules, truth: &Real) -> Option<Vec<Span>> {
    if matches!(rules.allowance, Allowance::Open) && !matches!(truth, Real::Bits(_)) {
        return None;
    }
    let format = rules.format;
    let sign = format.sign_mask();
    let accepts = |bits: u32| rules.judge(truth, bits).holds();
    let mut spans = Vec::new();
    for half in [0, sign] {
        let nearest = rules.nearest(truth);
        // Flushing allows values that are far from the nearest pattern. An absolute bound can allow
        // the zero of the other sign.
        let seeds = [nearest, half, half | 1, half | (1 << format.fraction_bits)];
        for seed in seeds.into_iter().filter(|seed| seed & sign == half && accepts(*seed)) {
            // A NaN is never next to an accepted number. A zero is not either if results are
            // flushed.
            let alone = format.is_nan(seed) || rules.flush && seed == half;
            let least = if rules.flush { half | (1 << format.fraction_bits) } else { half };
            let reach = |end: u32| if alone { seed } else { farthest(seed, end, accepts) };
            spans.push(Span { low: reach(least), high: reach(half | format.infinity()) });
        }
    }
    Some(spans)
}

/// Returns the accepted pattern nearest to `end`. All accepted patterns between `good` and `end`
/// must be contiguous with `good`.
fn farthest(good: u32, end: u32, accepts: impl Fn(u32) -> bool) -> u32 {
    let (mut good, mut bad) = if accepts(end) { return end } else { (i64::from(good), i64::from(end)) };
    while (bad - good).abs() > 1 {
        let middle = (good + bad) / 2;
        if accepts(middle as u32) { good = middle } else { bad = middle }
    }
    good as u32
}
