//! The settings of a page besides the rows: profile and codes.

use assay_isa::EncodingTable;
use assay_vectors::Profile;

/// The settings of a page besides the rows.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// Readings and accuracy.
    pub profile: &'a Profile,
    /// Codes of the instruction word.
    pub numbers: &'a EncodingTable,
}
