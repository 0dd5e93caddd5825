//! Lanes that are alike, as they mostly are in a sweep, computed together.
//!
//! Patterns that follow each other share sign, exponent and row of the ROM. What these decide is decided once
//! for a chunk of lanes, and what is left to each lane has no branch, so that the compiler makes vectors of it.
//! Whether the lanes of a chunk are alike is looked at, never assumed, and where they are not each takes the
//! whole path.
//!
//! The loops are compiled for several instruction sets, of which the best is picked at run time. The crate is
//! free of `unsafe` but for the calls that `multiversion` writes for that, after it has asked the processor.

use assay_isa::format::F32;

use super::number::Number;
use super::path::NumericPath;
use super::rows::Class;
use super::segment::vectors;
use super::special::special;
use crate::knobs::Knobs;

/// Few enough that most chunks lie in one segment, many enough that it does not matter what a chunk costs.
const CHUNK: usize = 256;

/// A function of a column. `written` makes the result of a value.
#[inline(always)]
pub(super) fn column<P: NumericPath, K: Knobs, W: Fn(Option<Number>) -> u32>(
    k: &K,
    xs: &[u32],
    results: &mut [u32],
    written: &W,
) {
    for (xs, results) in xs.chunks(CHUNK).zip(results.chunks_mut(CHUNK)) {
        match alike::<P, K>(k, xs) {
            Some(Alike::Special(value)) => results.fill(written(value)),
            Some(Alike::Segment(segment)) => segment.map(k, xs, results, written),
            None => apart::<P, K, W>(k, xs, results, written),
        }
    }
}

/// What lanes have in common.
enum Alike<P> {
    /// A special row.
    Special(Option<Number>),
    /// A segment.
    Segment(P),
}

/// What these lanes have in common, if they do.
#[inline(always)]
fn alike<P: NumericPath, K: Knobs>(k: &K, xs: &[u32]) -> Option<Alike<P>> {
    let binade = |x: u32| x >> F32.fraction_bits; // and the sign
    if binade(*xs.first()?) != binade(*xs.last()?) {
        return None; // random lanes come no farther
    }
    let (least, greatest) = bounds(xs);
    let class = Class::of(F32, least);
    if binade(least) != binade(greatest) || class != Class::of(F32, greatest) {
        return None;
    }
    if let Some(value) = special(k, P::table(k), class) {
        return Some(Alike::Special(value));
    }
    let segment = P::of(k, least);
    (segment == P::of(k, greatest)).then_some(Alike::Segment(segment))
}

vectors! {
    /// The least and the greatest pattern.
    fn bounds(xs: &[u32]) -> (u32, u32) {
        let (mut least, mut greatest) = (u32::MAX, 0);
        for x in xs {
            least = least.min(*x);
            greatest = greatest.max(*x);
        }
        (least, greatest)
    }
}

vectors! {
    /// The results of lanes that have nothing in common.
    fn apart<P: NumericPath, K: Knobs, W: Fn(Option<Number>) -> u32>(
        k: &K,
        xs: &[u32],
        results: &mut [u32],
        written: &W,
    ) {
        for (result, x) in results.iter_mut().zip(xs) {
            *result = written(P::value(k, *x));
        }
    }
}

#[cfg(test)]
mod tests;
