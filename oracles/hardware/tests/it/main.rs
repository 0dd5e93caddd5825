//! Integration tests of the PTX that stands for each instruction, in one program.

mod interpreted;
