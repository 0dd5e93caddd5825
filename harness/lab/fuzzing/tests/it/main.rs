//! Integration tests of the properties and mutators with the real model and oracle, in one test
//! binary.

mod mutator;
mod properties;
mod support;
