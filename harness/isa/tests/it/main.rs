//! Integration tests of the codec and the assembler, in one program.

mod round_trip;
