//! Computes similar lanes together. In a sweep most lanes are similar.
//!
//! Consecutive patterns mostly share sign, exponent and row of the ROM. Decisions that depend on
//! these properties are made once for a chunk of lanes. The rest of the work has no branch, so the
//! compiler vectorises it. Each chunk is checked. If the lanes of a chunk are not similar, they are
//! computed one by one.

use assay_isa::format::F32;

use super::number::Number;
use super::path::NumericPath;
use super::rows::Class;
use super::special::special;
use crate::columns::vectors;
use crate::knobs::Knobs;

/// Number of lanes in a chunk: small enough that most chunks lie in one segment, and large enough
/// to amortise the cost of the check.
const CHUNK: usize = 256;

/// Applies a function to a column. `written` converts the value of a lane to a result pattern.
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

/// The property that similar lanes share.
enum Alike<P> {
    /// All have one special row.
    Special(Option<Number>),
    /// All lie in one segment.
    Segment(P),
}

/// Returns the property that these lanes share. Returns `None` if the lanes are not similar.
#[inline(always)]
fn alike<P: NumericPath, K: Knobs>(k: &K, xs: &[u32]) -> Option<Alike<P>> {
    let binade = |x: u32| x >> F32.fraction_bits; // and the sign
    if binade(*xs.first()?) != binade(*xs.last()?) {
        return None; // random lanes stop here
    }
    let (least, greatest) = bounds(xs);
    let class = Class::of(F32, least);
    if binade(least) != binade(greatest) || class != Class::of(F32, greatest) {
        return None;
    }
    if let Some(value) = special(k, P::table(k), class) {
        return Some(Alike::Special(value));
    }
    P::between(k, least, greatest).map(Alike::Segment)
}

vectors! {
    /// Returns the least and the greatest pattern.
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
    /// Computes the results of lanes that are not similar, one by one.
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
