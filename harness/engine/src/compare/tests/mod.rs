//! What tests of the comparator and of references share.

pub mod prepared;
