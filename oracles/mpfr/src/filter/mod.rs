//! What need not go to MPFR: evaluations in f64 of whole columns, proved to give the bits that MPFR would.
//!
//! | room | what |
//! |---|---|
//! | `arith` | FADD, FMUL and FFMA, exact up to the one rounding |
//! | `odd` | sums rounded to odd, which a second rounding does not hurt |
//!
//! A filter is asked once a batch whether it covers an instruction under the readings; if not, and in the tests,
//! MPFR does the batch lane by lane.

pub mod arith;
mod odd;
