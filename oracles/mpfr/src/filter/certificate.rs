//! What is written down of a function that was certified, and the functions that are.

use std::collections::BTreeMap;

use gmp_mpfr_sys::mpfr::{VERSION_MAJOR, VERSION_MINOR, VERSION_PATCHLEVEL};
use serde::{Deserialize, Serialize};

use super::certify::{BLOCK_BITS, Proof};
use super::slack;
use crate::mufu::{Angle, Function};

/// The functions that have certificates, by the names that these are under.
pub const FUNCTIONS: [(&str, Function); 10] = [
    ("rcp", Function::Reciprocal),
    ("sqrt", Function::Root),
    ("rsq", Function::ReciprocalRoot),
    ("ex2", Function::PowerOfTwo),
    ("lg2", Function::Logarithm),
    ("tanh", Function::Tangent),
    ("sin", Function::Sine(Angle::Radians)),
    ("cos", Function::Cosine(Angle::Radians)),
    ("sin-turns", Function::Sine(Angle::Turns)),
    ("cos-turns", Function::Cosine(Angle::Turns)),
];

/// The committed certificates. A function without one is not estimated: MPFR does all of it.
const COMMITTED: [(&str, &str); 10] = [
    ("cos", include_str!("../../certificates/cos.json")),
    ("cos-turns", include_str!("../../certificates/cos-turns.json")),
    ("ex2", include_str!("../../certificates/ex2.json")),
    ("lg2", include_str!("../../certificates/lg2.json")),
    ("rcp", include_str!("../../certificates/rcp.json")),
    ("rsq", include_str!("../../certificates/rsq.json")),
    ("sin", include_str!("../../certificates/sin.json")),
    ("sin-turns", include_str!("../../certificates/sin-turns.json")),
    ("sqrt", include_str!("../../certificates/sqrt.json")),
    ("tanh", include_str!("../../certificates/tanh.json")),
];

/// Whether a function has a committed certificate.
pub fn is_certified(function: Function) -> bool {
    let is_it = |name: &str| FUNCTIONS.contains(&(name, function));
    COMMITTED.iter().any(|(name, _)| is_it(name))
}

/// The committed certificate of a function, by its name.
pub fn committed(name: &str) -> Option<Certificate> {
    let (_, text) = COMMITTED.iter().find(|(known, _)| *known == name)?;
    Some(serde_json::from_str(text).expect("a test reads every committed certificate"))
}

/// That the filter of a function keeps its bound, and how to tell that a build is the one for which it does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The function.
    pub function: String,
    /// The bound on |value - (base + delta)| / |delta|, in units of 2⁻⁵³.
    pub bound: f64,
    /// The largest that was measured.
    pub worst: f64,
    /// The argument where it was.
    pub worst_argument: String,
    /// Arguments that MPFR was asked about.
    pub arguments: u64,
    /// Of these the ones that the bound does not decide how to round, in one of the four modes.
    pub undecided: u64,
    /// The arguments whose values lie nearest to a rounding boundary without being on it, and how near, in ulp.
    pub nearest: Vec<(String, f64)>,
    /// Version of MPFR.
    pub mpfr: String,
    /// Arguments of a block, as a power of two.
    pub block_bits: u32,
    /// XXH3 of the filter's results, bases and deltas as little-endian binary64 in turn, of each block of arguments by
    /// the pattern of its first.
    pub digests: BTreeMap<String, String>,
}

impl Certificate {
    /// Writes down a proof.
    pub fn new(name: &str, function: Function, proof: &Proof, digests: &BTreeMap<u32, u64>) -> Certificate {
        let (worst, argument) = proof.worst.unwrap_or((f64::INFINITY, 0));
        Certificate {
            function: name.to_owned(),
            bound: slack(function) / (f64::EPSILON / 2.0),
            worst,
            worst_argument: pattern(argument),
            arguments: proof.arguments,
            undecided: proof.undecided,
            nearest: proof.nearest.iter().map(|(ulp, bits)| (pattern(*bits), *ulp)).collect(),
            mpfr: format!("{VERSION_MAJOR}.{VERSION_MINOR}.{VERSION_PATCHLEVEL}"),
            block_bits: BLOCK_BITS,
            digests: digests
                .iter()
                .map(|(first, digest)| (pattern(*first), format!("{digest:016x}")))
                .collect(),
        }
    }

    /// How many times the bound is larger than what was measured.
    pub fn margin(&self) -> f64 {
        self.bound / self.worst
    }

    /// The digest of the block from an argument on.
    pub fn digest(&self, first: u32) -> Option<u64> {
        self.digests.get(&pattern(first)).and_then(|digest| u64::from_str_radix(digest, 16).ok())
    }

    /// Whether nothing that was measured exceeds the bound.
    pub fn holds(&self) -> bool {
        self.worst <= self.bound
    }
}

/// A pattern as it is written.
pub fn pattern(bits: u32) -> String {
    format!("{bits:#010x}")
}
