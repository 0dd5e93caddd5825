//! Columns of 32-bit values from Python's bytes, and back.

use std::ops::Range;

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

use crate::failure::{Failure, refused};

/// Bytes of a value.
const WORD: usize = 4;

/// Lanes of a piece: between two pieces a call looks for Ctrl-C.
pub const PIECE: usize = 1 << 14;

/// The pieces of so many lanes.
pub fn pieces(lanes: usize) -> impl Iterator<Item = Range<usize>> {
    (0..lanes).step_by(PIECE).map(move |first| first..lanes.min(first + PIECE))
}

/// A value for each lane of some locations, as Python gave them.
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

    /// The values of some lanes in each column, column after column.
    pub fn values(&self, lanes: Range<usize>) -> Vec<u32> {
        let mut values = Vec::with_capacity(lanes.len() * self.bytes.len());
        (0..self.bytes.len()).for_each(|place| values.extend(self.column(place, lanes.clone())));
        values
    }

    /// The values of some lanes in one column.
    pub fn column(&self, place: usize, lanes: Range<usize>) -> impl Iterator<Item = u32> + use<'a> {
        let bytes = &self.bytes[place][lanes.start * WORD..lanes.end * WORD];
        let words = bytes.as_chunks::<WORD>().0.iter();
        words.map(|word| u32::from_ne_bytes(*word))
    }
}

/// The bytes that Python objects hold.
pub fn slices<'a>(columns: &'a [Bound<'_, PyBytes>]) -> Vec<&'a [u8]> {
    columns.iter().map(|column| column.as_bytes()).collect()
}

/// Values as a Python object that numpy can use as an array.
pub fn words<'py>(py: Python<'py>, values: &[u32]) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, values.len() * WORD, |bytes| {
        let words = bytes.as_chunks_mut::<WORD>().0.iter_mut();
        words.zip(values).for_each(|(word, value)| *word = value.to_ne_bytes());
        Ok(())
    })
}

/// Doubles, likewise.
pub fn doubles<'py>(py: Python<'py>, values: &[f64]) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, values.len() * 8, |bytes| {
        let words = bytes.as_chunks_mut::<8>().0.iter_mut();
        words.zip(values).for_each(|(word, value)| *word = value.to_ne_bytes());
        Ok(())
    })
}
