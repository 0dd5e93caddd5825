//! A batch of lanes, and its results.

use crate::location::Location;

/// An instruction and the values of the places that it reads.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The encoded instruction.
    pub word: u128,
    /// Number of lanes; can be 0.
    pub lanes: usize,
    /// The places.
    pub locations: &'a [Location],
    /// Their values, place after place: that of place c in lane l is `values[c * lanes + l]`.
    pub values: &'a [u32],
}

/// The values for one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The place.
    pub location: Location,
    /// The value of each lane; 0 where nothing was written.
    pub values: Vec<u32>,
    /// A byte for each lane, 0 where it wrote nothing; `None` means that every lane wrote.
    pub written: Option<Vec<u8>>,
}
