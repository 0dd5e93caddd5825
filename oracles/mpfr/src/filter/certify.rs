//! Compares the filter with MPFR at every argument in a function's certified range, and measures
//! its error there.
//!
//! A [`Certifier`] computes blocks of neighbouring magnitudes. For each block it computes the
//! largest error, the arguments that the filter cannot decide, and a digest of the filter's
//! results. With the digests, another build or CPU can show that it computes the same results.

use std::hash::Hasher;

use assay_isa::format::F32;
use rug::{Assign, Float};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::{Kernel, estimate, slack};
use crate::function::{Angle, Function, apply};
use crate::reach::CHUNK;

/// Number of arguments in a block, as a power of two.
pub const BLOCK_BITS: u32 = 22;
/// Number of arguments that are computed at once.
const COLUMN: usize = 4096;
/// Number of evenly spread samples in a block.
const SAMPLES: usize = 1024;
/// Number of arguments that a proof keeps because they are nearest to a rounding boundary.
pub const NEAREST: usize = 16;
/// Precision of MPFR in bits where the base is 0.
const PRECISION: u32 = 64;
/// Precision of MPFR in bits where the base is not 0. For these arguments the value shares up to
/// 185 leading bits with the base.
const FINE: u32 = 256;

/// The measurements at some arguments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// Number of arguments that were compared with MPFR.
    pub arguments: u64,
    /// The largest |value - (base + delta)| / |delta|, in units of 2⁻⁵³, and the argument where it
    /// occurs.
    pub worst: Option<(f64, u32)>,
    /// Number of arguments whose rounding the bound leaves undecided in at least one of the four
    /// rounding modes.
    pub undecided: u64,
    /// The arguments whose values are closest to a rounding boundary but not on it, with the
    /// distances in ulp.
    pub nearest: Vec<(f64, u32)>,
}

impl Proof {
    /// Adds the measurements at other arguments.
    pub fn merge(&mut self, other: Proof) {
        self.arguments += other.arguments;
        self.worst = larger(self.worst, other.worst);
        self.undecided += other.undecided;
        self.nearest.extend(other.nearest);
        self.nearest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        self.nearest.truncate(NEAREST);
    }
}

fn larger(a: Option<(f64, u32)>, b: Option<(f64, u32)>) -> Option<(f64, u32)> {
    a.into_iter().chain(b).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
}

/// Returns whether the filter of a function is compared with MPFR at both signs. For the other
/// functions, the filter's result for -x follows from the result for x bit by bit, or -x is outside
/// of the domain.
pub fn has_both_signs(function: Function) -> bool {
    function == Function::PowerOfTwo
}

/// Returns the range of magnitudes at which the filter is compared with MPFR. Outside of this
/// range, `docs/certified-filter.md` proves the bound: arguments scale exactly, one term of the
/// series dominates, or values exceed the format or are exact.
pub fn asked(function: Function) -> std::ops::Range<u32> {
    let power = |exponent: i32| ((exponent + F32.bias()) as u32) << F32.fraction_bits;
    match function {
        // A factor 2^k scales argument and result exactly. So one binade is representative of all.
        // For roots, two binades are.
        Function::Reciprocal => power(0)..power(1),
        Function::Root | Function::ReciprocalRoot => power(0)..power(2),
        Function::PowerOfTwo => power(-12)..power(8),
        // A factor 2^k adds the integer k to the logarithm, and the sum rounds once.
        Function::Logarithm => power(-1)..power(1),
        Function::Tangent => power(-12)..power(6),
        Function::Sine(Angle::Radians) | Function::Cosine(Angle::Radians) => power(-12)..F32.infinity(),
        Function::Sine(Angle::Turns) | Function::Cosine(Angle::Turns) => power(-12)..power(24),
    }
}

/// Returns whether the certificate of a function covers an argument.
fn is_covered(function: Function, argument: u32) -> bool {
    let sign_fits = has_both_signs(function) || !F32.is_negative(argument);
    sign_fits && asked(function).contains(&(argument & !F32.sign_mask()))
}

/// Returns the signs of the arguments that are computed.
fn signs(function: Function) -> &'static [u32] {
    const BOTH: [u32; 2] = [0, F32.sign_mask()];
    if has_both_signs(function) { &BOTH } else { &BOTH[..1] }
}

/// Returns the first arguments of all blocks of a function.
pub fn blocks(function: Function) -> Vec<u32> {
    let magnitudes = (0..F32.infinity()).step_by(1 << BLOCK_BITS);
    signs(function)
        .iter()
        .flat_map(|sign| magnitudes.clone().map(move |magnitude| sign | magnitude))
        .collect()
}

/// Returns the arguments that each process recomputes, in columns. The arguments are evenly spread
/// in each block, or lie around certain places. These places are the first and the last certified
/// argument, and the first argument of each kernel.
fn samples(function: Function) -> Vec<Vec<u32>> {
    // The step is odd, so the last bits of the fraction vary like the first ones.
    let step = (1 << BLOCK_BITS) / SAMPLES - 1;
    let spread = blocks(function).into_iter().map(|first| (first..).step_by(step).take(SAMPLES).collect());
    let asked = asked(function);
    let kernels = Kernel::pieces(function).iter().map(|(least, _)| *least);
    let ends: Vec<u32> = kernels.chain([asked.start, asked.end]).collect();
    let around = |sign: u32| {
        ends.iter().map(move |magnitude| {
            // The column begins half a chunk earlier, so that one chunk has arguments on both sides
            // of the place.
            let first = magnitude.saturating_sub((COLUMN + CHUNK) as u32 / 2);
            (first..F32.infinity()).take(COLUMN).map(|magnitude| sign | magnitude).collect()
        })
    };
    spread.chain(signs(function).iter().flat_map(|sign| around(*sign))).collect()
}

/// Computes blocks, and reuses its memory for the next block.
#[derive(Debug)]
pub struct Certifier {
    function: Function,
    arguments: Vec<u32>,
    bases: Vec<f64>,
    deltas: Vec<f64>,
    argument: Float,
    plain: Float,
    fine: Float,
}

impl Certifier {
    /// Returns a certifier of a function.
    pub fn new(function: Function) -> Certifier {
        Certifier {
            function,
            arguments: Vec::new(),
            bases: Vec::new(),
            deltas: Vec::new(),
            argument: Float::new(F32.precision()),
            plain: Float::new(PRECISION),
            fine: Float::new(FINE),
        }
    }

    /// Computes a block with the filter, and returns the digest of the results.
    pub fn digest(&mut self, first: u32) -> u64 {
        self.block(first, |_| ())
    }

    /// Computes a block with the filter, and compares every result with MPFR. Returns the digest
    /// and the measurements.
    pub fn prove(&mut self, first: u32) -> (u64, Proof) {
        let mut proof = Proof::default();
        let digest = self.block(first, |this| {
            for lane in 0..COLUMN {
                if is_covered(this.function, this.arguments[lane]) {
                    this.prove_lane(lane, &mut proof);
                }
            }
        });
        (digest, proof)
    }

    /// Compares the given arguments with MPFR. Skips arguments that certificates do not cover.
    pub fn sample(&mut self, arguments: &[u32]) -> Proof {
        let is_covered = |bits: &u32| is_covered(self.function, *bits);
        self.arguments = arguments.iter().copied().filter(is_covered).collect();
        self.estimate();
        let mut proof = Proof::default();
        (0..self.arguments.len()).for_each(|lane| self.prove_lane(lane, &mut proof));
        proof
    }

    /// Computes the samples with the filter. Returns their number and the digest of the results.
    pub fn samples(&mut self) -> (usize, u64) {
        let columns = samples(self.function);
        (columns.iter().map(Vec::len).sum(), self.columns(columns, |_| ()))
    }

    /// Computes a block column by column, calls `look` after each column, and returns the digest of
    /// the results.
    fn block(&mut self, first: u32, look: impl FnMut(&mut Certifier)) -> u64 {
        let firsts = (first..).step_by(COLUMN).take((1 << BLOCK_BITS) / COLUMN);
        self.columns(firsts.map(|first| first..first + COLUMN as u32), look)
    }

    /// Computes columns of arguments, calls `look` after each column, and returns the digest of the
    /// results.
    fn columns<C: IntoIterator<Item = u32>>(
        &mut self,
        columns: impl IntoIterator<Item = C>,
        mut look: impl FnMut(&mut Certifier),
    ) -> u64 {
        let mut hasher = XxHash3_64::new();
        let mut bytes = Vec::new();
        for column in columns {
            self.arguments.clear();
            self.arguments.extend(column);
            self.estimate();
            bytes.resize(16 * self.arguments.len(), 0);
            let results = self.bases.iter().zip(&self.deltas);
            for (bytes, (base, delta)) in bytes.chunks_exact_mut(16).zip(results) {
                bytes[..8].copy_from_slice(&base.to_le_bytes());
                bytes[8..].copy_from_slice(&delta.to_le_bytes());
            }
            hasher.write(&bytes);
            look(self);
        }
        hasher.finish()
    }

    /// Computes the filter's results at the current arguments.
    fn estimate(&mut self) {
        self.bases.resize(self.arguments.len(), 0.0);
        self.deltas.resize(self.arguments.len(), 0.0);
        estimate(self.function, &self.arguments, &mut self.bases, &mut self.deltas);
    }

    fn prove_lane(&mut self, lane: usize, proof: &mut Proof) {
        let (bits, base, delta) = (self.arguments[lane], self.bases[lane], self.deltas[lane]);
        self.argument.assign(f32::from_bits(bits));
        let value = if base == 0.0 { &mut self.plain } else { &mut self.fine };
        apply(self.function, &self.argument, value);
        *value -= base;
        let nearest = Nearest::of(base, delta);
        let bound = slack(self.function) * delta.abs() * nearest.scale;
        proof.undecided += u64::from(nearest.distance <= bound);
        // The exact distance is computed only if the value may be among the nearest ones.
        let farthest = proof.nearest.get(NEAREST - 1).map_or(f64::MAX, |(distance, _)| *distance);
        if nearest.distance / 2.0 <= farthest + NEAR {
            let distance = nearest.exact(value);
            if distance > 0.0 {
                proof.merge(Proof { nearest: vec![(distance, bits)], ..Proof::default() });
            }
        }
        *value -= delta;
        proof.arguments += 1;
        proof.worst = larger(proof.worst, Some((relative_error(value, delta), bits)));
    }
}

/// Returns the error |rest / delta| in units of 2⁻⁵³. `rest` is value - (base + delta). The error
/// is 0 for an exact value, even if delta is 0. A NaN error is positive, so it counts as the
/// largest.
pub(crate) fn relative_error(rest: &Float, delta: f64) -> f64 {
    if rest.is_zero() { 0.0 } else { (rest.to_f64() / (delta * (f64::EPSILON / 2.0))).abs() }
}

/// A bound on the error of the distances computed from the filter's results, in ulp.
const NEAR: f64 = 1.0 / (1 << 20) as f64;

/// The rounding boundary nearest to a value. A boundary is a number of 24 bits, or the midpoint of
/// two of them.
struct Nearest {
    /// Number of half ulps in 1.
    scale: f64,
    /// Distance of the boundary from the base, in half ulps.
    boundary: f64,
    /// Distance of the value from the boundary, in half ulps.
    distance: f64,
}

impl Nearest {
    fn of(base: f64, delta: f64) -> Nearest {
        let field = ((base + delta).to_bits() >> 52 & 0x7ff) as i32 - 1023;
        let half = field.max(F32.emin()) - F32.fraction_bits as i32 - 1;
        let scale = f64::from_bits(((1023 - half.min(1000)) as u64) << 52);
        let place = delta * scale;
        let boundary = place.round_ties_even();
        Nearest { scale, boundary, distance: (place - boundary).abs() }
    }

    /// Returns the exact distance of the value from the boundary, in ulp. `value` is the exact
    /// value minus the base.
    fn exact(&self, value: &Float) -> f64 {
        let place = Float::with_val(FINE, value * self.scale) - self.boundary;
        place.to_f64().abs() / 2.0
    }
}
