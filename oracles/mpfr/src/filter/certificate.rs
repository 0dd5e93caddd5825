//! The certificates: the proof recorded for each certified function, and its verification on this
//! machine.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{LazyLock, OnceLock};

use gmp_mpfr_sys::mpfr::{VERSION_MAJOR, VERSION_MINOR, VERSION_PATCHLEVEL};
use serde::{Deserialize, Serialize};

use super::certify::{BLOCK_BITS, Certifier, Proof};
use super::slack;
use crate::function::{Angle, Function};

/// The functions that have certificates, with the names of the certificates.
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

/// The committed certificates, by the names of their functions.
static COMMITTED: LazyLock<BTreeMap<String, Certificate>> = LazyLock::new(|| {
    let texts = [
        include_str!("../../certificates/cos.json"),
        include_str!("../../certificates/cos-turns.json"),
        include_str!("../../certificates/ex2.json"),
        include_str!("../../certificates/lg2.json"),
        include_str!("../../certificates/rcp.json"),
        include_str!("../../certificates/rsq.json"),
        include_str!("../../certificates/sin.json"),
        include_str!("../../certificates/sin-turns.json"),
        include_str!("../../certificates/sqrt.json"),
        include_str!("../../certificates/tanh.json"),
    ];
    let read = |text| serde_json::from_str(text).expect("a test reads every committed certificate");
    texts.map(read).into_iter().map(|one: Certificate| (one.function.clone(), one)).collect()
});

/// Returns the committed certificate of a function, by its name.
pub fn committed(name: &str) -> Option<&'static Certificate> {
    COMMITTED.get(name)
}

/// The outcome of verifying that this build, on this CPU, computes the values of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verification {
    /// The filter's results at this many arguments match the certificate's digest.
    Verified(usize),
    /// The filter must not be used. The text gives the reason.
    Refused(String),
}

/// The outcomes so far, in the order of [`FUNCTIONS`].
static VERIFIED: [OnceLock<Verification>; FUNCTIONS.len()] = [const { OnceLock::new() }; FUNCTIONS.len()];

/// Returns whether the filter of a function may be trusted: its certificate is valid, and this
/// build computes the certified results on this CPU. The first call for a function recomputes
/// samples to check this.
pub fn is_trusted(function: Function) -> bool {
    let Some(place) = FUNCTIONS.iter().position(|(_, known)| *known == function) else { return false };
    let (name, _) = FUNCTIONS[place];
    let verification = VERIFIED[place].get_or_init(|| match committed(name) {
        Some(certificate) => certificate.verify(function),
        None => Verification::Refused("no certificate is committed".to_owned()),
    });
    matches!(verification, Verification::Verified(_))
}

/// Returns the functions whose certificates this process used, and the outcome of verifying each.
pub fn verifications() -> impl Iterator<Item = (&'static str, &'static Verification)> {
    let names = FUNCTIONS.iter().map(|(name, _)| *name);
    names.zip(&VERIFIED).filter_map(|(name, verification)| Some((name, verification.get()?)))
}

/// The certificate of a function: the measured errors of its filter, and digests of the filter's
/// results. A build whose filter has these digests has the same errors, so it keeps the bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The name of the function.
    pub function: String,
    /// The bound on |value - (base + delta)| / |delta|, in units of 2⁻⁵³.
    pub bound: f64,
    /// The largest measured error, in units of 2⁻⁵³ like the bound.
    pub worst: f64,
    /// The argument with the largest error.
    pub worst_argument: String,
    /// Number of arguments that were compared with MPFR.
    pub arguments: u64,
    /// Number of these arguments whose rounding the bound leaves undecided in at least one of the
    /// four rounding modes.
    pub undecided: u64,
    /// The arguments whose values are closest to a rounding boundary but not on it. Each argument
    /// has the distance of its value in ulp.
    pub nearest: Vec<(String, f64)>,
    /// Version of MPFR.
    pub mpfr: String,
    /// XXH3 of the filter's results for the samples. The samples are 1024 evenly spread arguments
    /// of each block. The samples also include the arguments around the first and the last
    /// certified argument, and around the first argument of each kernel.
    pub samples: String,
    /// Number of arguments in a block, as a power of two.
    pub block_bits: u32,
    /// XXH3 of the filter's results for each block of arguments. The hashed results are bases and
    /// deltas in turn, as little-endian binary64. The key of a digest is the pattern of the block's
    /// first argument.
    pub digests: BTreeMap<String, String>,
}

impl Certificate {
    /// Creates the certificate of a function from a proof and the digests of its blocks.
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
            samples: text(Certifier::new(function).samples().1),
            block_bits: BLOCK_BITS,
            digests: digests.iter().map(|(first, digest)| (pattern(*first), text(*digest))).collect(),
        }
    }

    /// Returns the ratio of the bound to the largest measured error.
    pub fn margin(&self) -> f64 {
        self.bound / self.worst
    }

    /// Returns the digest of the block whose first argument is `first`.
    pub fn digest(&self, first: u32) -> Option<u64> {
        self.digests.get(&pattern(first)).and_then(|digest| u64::from_str_radix(digest, 16).ok())
    }

    /// Returns whether no measured error exceeds the bound.
    pub fn holds(&self) -> bool {
        self.worst <= self.bound
    }

    /// Compares this build on this CPU with the certificate: the bound, and the digest of the
    /// samples. `assay-lab certify --check` recomputes all blocks.
    pub fn verify(&self, function: Function) -> Verification {
        if self.bound != slack(function) / (f64::EPSILON / 2.0) || self.block_bits != BLOCK_BITS {
            return Verification::Refused("the certificate has another bound".to_owned());
        }
        if !self.holds() {
            return Verification::Refused("the certificate has an error of more than the bound".to_owned());
        }
        match Certifier::new(function).samples() {
            (count, digest) if self.samples == text(digest) => Verification::Verified(count),
            _ => Verification::Refused("the results for the samples differ".to_owned()),
        }
    }
}

/// The outcome as text, as in `run.json`.
impl fmt::Display for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verification::Verified(results) => {
                write!(f, "verified: {results} results match the digest of the certificate")
            }
            Verification::Refused(reason) => {
                write!(f, "not verified: {reason}; MPFR judges this function alone")
            }
        }
    }
}

/// Returns a digest as 16 hexadecimal digits.
fn text(digest: u64) -> String {
    format!("{digest:016x}")
}

/// Returns a pattern in hexadecimal.
pub fn pattern(bits: u32) -> String {
    format!("{bits:#010x}")
}
