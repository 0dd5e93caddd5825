//! Integration tests of the instruction manual, in one test binary.

mod formulas;
mod pages;
mod texts;
