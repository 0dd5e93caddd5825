//! The errors of a function that are the most extreme, and which of them are kept.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

/// How many of the inputs farthest off are kept.
pub const WORST: usize = 16;

/// An extreme error and the input that shows it: of equal errors the smallest input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extreme {
    /// Error in units of 2^-32 ulp, rounded down.
    pub error: i64,
    /// The input's bits.
    pub input: u32,
    /// The result's bits.
    pub result: u32,
}

/// The lesser of two errors, that of the smaller input if they are equal.
pub fn lesser(a: Option<Extreme>, b: Option<Extreme>) -> Option<Extreme> {
    a.into_iter().chain(b).min_by_key(|e| (e.error, e.input))
}

/// The greater of two errors, that of the smaller input if they are equal.
pub fn greater(a: Option<Extreme>, b: Option<Extreme>) -> Option<Extreme> {
    a.into_iter().chain(b).max_by_key(|e| (e.error, Reverse(e.input)))
}

/// Keeps those farthest off.
pub(crate) fn keep_worst(list: &mut Vec<Extreme>) {
    list.sort_by_key(|e| (Reverse(e.error.unsigned_abs()), e.input));
    list.truncate(WORST);
}
