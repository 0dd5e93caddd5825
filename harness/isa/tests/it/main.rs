//! Integration tests of the codec and the assembler text, in one program.

mod round_trip;
