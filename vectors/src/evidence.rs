//! The evidence for a setting or a bound.

use std::fmt;

use serde::Deserialize;

/// The evidence for a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    /// Kind of evidence.
    pub evidence: Evidence,
    /// More about it; may be empty.
    pub note: String,
    /// Hash of the trace that shows a measurement; absent for other evidence.
    pub trace: Option<String>,
    /// The profile that made the setting.
    pub profile: String,
}

/// Kinds of evidence for a setting or a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// The specification documents.
    Text,
    /// It was measured on hardware: a trace shows it.
    Measured,
    /// Public documentation of the operation with the same name, or published measurements.
    Documented,
    /// The vendor's assembler computes constants so.
    Folded,
    /// It follows from something else, or is assumed for want of anything better.
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
