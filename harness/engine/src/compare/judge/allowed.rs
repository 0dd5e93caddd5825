//! Every result that a contract allows, as the expectation of a vector.

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
    /// One of these writes, and this event.
    Effect(Expected, Option<Event>),
    /// The specification leaves the result open, by this erratum.
    Undefined(Erratum),
    /// More than can be listed, or nothing that is judged: only the judge can tell.
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

/// Every value that a contract allows in a lane, for each location that must be written; nothing where it judges none,
/// or where two packed results can be combined in too many ways to list.
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

/// The values that a contract allows one of the real results that a location packs.
pub struct AllowedResult<'a> {
    /// The format of the result.
    pub format: Format,
    /// Where its lowest bit is.
    pub shift: u32,
    /// The bound that holds for its argument, if one does.
    pub bound: Option<&'a Bound>,
    /// The allowed patterns. `None` where the contract judges none.
    pub values: Option<Allowed>,
}

/// The values that a contract allows each real result of a truth, the result in the lowest bits first. Empty where the
/// truth is bits.
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

/// Spans of packed results that are listed at most.
const MOST_SPANS: usize = 32;

/// Every way to pack values that the parts of a register allow: spans of the first, for each value of the others.
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

/// The patterns that the rules accept. Of either sign they are one span: farther from the truth is never better.
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
        // Flushing reaches values that lie nowhere near, and an absolute bound the other sign's zero.
        let seeds = [nearest, half, half | 1, half | (1 << format.fraction_bits)];
        for seed in seeds.into_iter().filter(|seed| seed & sign == half && accepts(*seed)) {
            // Where results are flushed a zero is apart from the numbers, and a NaN always is.
            let alone = format.is_nan(seed) || rules.flush && seed == half;
            let least = if rules.flush { half | (1 << format.fraction_bits) } else { half };
            let reach = |end: u32| if alone { seed } else { farthest(seed, end, accepts) };
            spans.push(Span { low: reach(least), high: reach(half | format.infinity()) });
        }
    }
    Some(spans)
}

/// The farthest pattern from a good one toward an end that is good still, all between them being good.
fn farthest(good: u32, end: u32, accepts: impl Fn(u32) -> bool) -> u32 {
    let (mut good, mut bad) = if accepts(end) { return end } else { (i64::from(good), i64::from(end)) };
    while (bad - good).abs() > 1 {
        let middle = (good + bad) / 2;
        if accepts(middle as u32) { good = middle } else { bad = middle }
    }
    good as u32
}
