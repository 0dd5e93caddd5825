//! Helpers of the tests of the comparator and of references.

pub mod prepared;
