//! The JSON of `certify`.

use schemars::JsonSchema;
use serde::Serialize;

/// The output of `assay-lab certify`. Exit status 1 if an error exceeds its bound.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CertifyOutput {
    /// The certificate of each function.
    pub certificates: Vec<CertificateOutput>,
    /// Duration in seconds.
    pub seconds: f64,
}

/// The certified error of a function's filter.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CertificateOutput {
    /// Name of the function.
    pub function: String,
    /// The error bound that the filter relies on, for |f(x) − (base + delta)| / |delta|, in units
    /// of 2^-53. The filter computes f(x) as base + delta.
    pub bound: f64,
    /// The largest measured error, in units of 2^-53.
    pub measured: f64,
    /// The argument with the largest measured error, as bits.
    pub at: String,
    /// The bound divided by the largest measured error.
    pub margin: f64,
    /// Number of arguments that MPFR evaluated.
    pub arguments: u64,
    /// Number of arguments that the filter cannot decide and leaves to MPFR.
    pub undecided: u64,
    /// Whether the largest measured error is within the bound.
    pub holds: bool,
}

/// The output of `assay-lab certify --check`. Exit status 1 if `differing` is not 0.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CertifyCheckOutput {
    /// The check of each function.
    pub functions: Vec<CertificateCheck>,
    /// Number of blocks with a different digest, over all functions. Each function whose
    /// certificate a run would refuse counts too.
    pub differing: usize,
    /// Duration in seconds.
    pub seconds: f64,
}

/// The comparison of a function's filter in this build with its certificate.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CertificateCheck {
    /// Name of the function.
    pub function: String,
    /// Whether the function has a certificate. Without a certificate, MPFR judges every argument.
    pub certified: bool,
    /// Number of blocks in the certificate. Absent without a certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<usize>,
    /// The first argument of each block with a different digest. Absent without a certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differing: Option<Vec<String>>,
    /// Why a run would refuse the certificate. Absent if a run would accept it, or if there is
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}
