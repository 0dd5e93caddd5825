//! Integration tests of the properties and the mutators with the real model and the real oracle, in one program.

mod mutator;
mod properties;
mod support;
