//! The profile and the encoding table of a page.

use assay_isa::EncodingTable;
use assay_vectors::Profile;

/// The profile and the encoding table of a page.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The profile: readings and accuracy.
    pub profile: &'a Profile,
    /// The encoding table: codes of the instruction word.
    pub numbers: &'a EncodingTable,
}
