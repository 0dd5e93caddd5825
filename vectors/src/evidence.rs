//! The evidence for a setting or a bound.

use std::fmt;

use serde::Deserialize;

/// The evidence for a setting or a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    /// Kind of evidence.
    pub evidence: Evidence,
    /// A remark, which may be empty.
    pub note: String,
    /// Hash of the trace that shows the measurement. `None` for other evidence.
    pub trace: Option<String>,
    /// Name of the profile that states the setting or the bound.
    pub profile: String,
}

/// Kinds of evidence for a setting or a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// The specification documents.
    Text,
    /// A measurement on hardware. A trace shows it.
    Measured,
    /// Public documentation of the operation with the same name, or published measurements.
    Documented,
    /// The results of the vendor's assembler when it computes constant expressions.
    Folded,
    /// A conclusion from other evidence, or an assumption because evidence is lacking.
    Inferred,
    /// A free choice.
    #[default]
    Design,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Evidence::Text => "text",
            Evidence::Measured => "measured",
            Evidence::Documented => "documented",
            Evidence::Folded => "folded",
            Evidence::Inferred => "inferred",
            Evidence::Design => "design",
        })
    }
}
