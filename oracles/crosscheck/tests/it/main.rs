//! Integration tests of the APFloat, host CPU and CORE-MATH implementations, in one program.

mod agreement;
mod comparisons;
mod functions;
mod integers;
mod operands;
mod reciprocal;
mod support;
mod witnesses;
