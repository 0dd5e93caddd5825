//! What `certify` prints.

use schemars::JsonSchema;
use serde::Serialize;

/// What `assay certify` prints. Exit status 1: a bound is exceeded.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CertifyOutput {
    /// The certificate of each function.
    pub certificates: Vec<CertificateOutput>,
    /// Duration.
    pub seconds: f64,
}

/// How far the filter of a function is off.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CertificateOutput {
    /// The function.
    pub function: String,
    /// The largest |f(x) − (base + delta)| / |delta| that the filter relies on, in units of 2^-53.
    pub bound: f64,
    /// The largest that was measured, in the same units.
    pub measured: f64,
    /// The argument that shows it.
    pub at: String,
    /// The bound divided by what was measured.
    pub margin: f64,
    /// Arguments that MPFR was asked about.
    pub arguments: u64,
    /// Arguments that the filter leaves to MPFR.
    pub undecided: u64,
    /// Whether what was measured is within the bound.
    pub holds: bool,
}

/// What `assay certify --check` prints. Exit status 1: a digest is another.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CertifyCheckOutput {
    /// Each function.
    pub functions: Vec<CertificateCheck>,
    /// Blocks of all functions whose digests are others.
    pub differing: usize,
    /// Duration.
    pub seconds: f64,
}

/// A function of this build against its certificate.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CertificateCheck {
    /// The function.
    pub function: String,
    /// Whether there is a certificate. Without one MPFR judges every argument.
    pub certified: bool,
    /// Blocks of the certificate; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<usize>,
    /// The first argument of each block whose digest is another; absent without a certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differing: Option<Vec<String>>,
}
