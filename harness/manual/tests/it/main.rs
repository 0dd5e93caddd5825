//! Integration tests of the instruction manual, in one program.

mod formulas;
mod pages;
mod texts;
