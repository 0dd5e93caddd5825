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
    /// The profile that states the setting or the bound.
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
    /// Public documentation of the operation with that name, or published measurements.
    Documented,
    /// The vendor's assembler folds constants in this way.
    Folded,
    /// A consequence of other evidence, or an assumption for lack of evidence.
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
