//! Converts columns of 32-bit values from and to Python's bytes.

use std::ops::Range;

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

use crate::failure::{Failure, refused};

/// Number of bytes of a value.
const WORD: usize = 4;

/// Maximum number of lanes in a piece. A call works piece by piece, and checks for Ctrl-C between
/// two pieces.
pub const PIECE: usize = 1 << 14;

/// Returns the pieces of `lanes` lanes, as ranges.
pub fn pieces(lanes: usize) -> impl Iterator<Item = Range<usize>> {
    (0..lanes).step_by(PIECE).map(move |first| first..lanes.min(first + PIECE))
}

/// Columns that Python passed: a value for each lane of each location.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    bytes: &'a [&'a [u8]],
}

impl<'a> Columns<'a> {
    /// Checks that there is a column for each location, with a value for each lane.
    pub fn new(bytes: &'a [&'a [u8]], locations: usize, lanes: usize) -> Result<Columns<'a>, Failure> {
        if bytes.len() != locations || bytes.iter().any(|column| column.len() / WORD != lanes) {
            let lengths: Vec<usize> = bytes.iter().map(|column| column.len() / WORD).collect();
            return Err(refused(format!(
                "{locations} columns of {lanes} values are needed, and there are columns of {lengths:?}"
            )));
        }
        Ok(Columns { bytes })
    }

    /// Returns the values of some lanes, one column after the other.
    pub fn values(&self, lanes: Range<usize>) -> Vec<u32> {
        let mut values = Vec::with_capacity(lanes.len() * self.bytes.len());
        (0..self.bytes.len()).for_each(|place| values.extend(self.column(place, lanes.clone())));
        values
    }

    /// Returns the values of some lanes in one column.
    pub fn column(&self, place: usize, lanes: Range<usize>) -> impl Iterator<Item = u32> + use<'a> {
        let bytes = &self.bytes[place][lanes.start * WORD..lanes.end * WORD];
        let words = bytes.as_chunks::<WORD>().0.iter();
        words.map(|word| u32::from_ne_bytes(*word))
    }
}

/// Returns the bytes of Python objects.
pub fn slices<'a>(columns: &'a [Bound<'_, PyBytes>]) -> Vec<&'a [u8]> {
    columns.iter().map(|column| column.as_bytes()).collect()
}

/// Returns 32-bit values as a Python object that numpy can use as an array.
pub fn words<'py>(py: Python<'py>, values: &[u32]) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, values.len() * WORD, |bytes| {
        let words = bytes.as_chunks_mut::<WORD>().0.iter_mut();
        words.zip(values).for_each(|(word, value)| *word = value.to_ne_bytes());
        Ok(())
    })
}

/// Returns doubles as a Python object that numpy can use as an array.
pub fn doubles<'py>(py: Python<'py>, values: &[f64]) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, values.len() * 8, |bytes| {
        let words = bytes.as_chunks_mut::<8>().0.iter_mut();
        words.zip(values).for_each(|(word, value)| *word = value.to_ne_bytes());
        Ok(())
    })
}
