//! A batch of lanes, and its results.

use crate::location::Location;

/// An instruction, and the values of the locations that it reads.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The encoded instruction.
    pub word: u128,
    /// Number of lanes; can be 0.
    pub lanes: usize,
    /// The locations that have values.
    pub locations: &'a [Location],
    /// The values, one location after the other: `values[c * lanes + l]` belongs to location c in
    /// lane l.
    pub values: &'a [u32],
}

/// The values that were written to one location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The location.
    pub location: Location,
    /// The value of each lane. 0 if the lane wrote nothing.
    pub values: Vec<u32>,
    /// A byte for each lane: 0 if the lane wrote nothing. `None` if every lane wrote.
    pub written: Option<Vec<u8>>,
}
