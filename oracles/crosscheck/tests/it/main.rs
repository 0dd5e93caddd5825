//! Integration tests of the APFloat, host CPU, CORE-MATH and H200 implementations, in one program.

mod agreement;
mod comparisons;
mod functions;
mod h200;
mod h200_copies;
mod integers;
mod inversions;
mod operands;
mod reciprocal;
mod support;
mod witnesses;
