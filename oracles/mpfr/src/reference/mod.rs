//! A second implementation of the same instructions, slow and simple enough to verify by reading.
//!
//! It shares nothing with the fast path, neither code nor precision nor MPFR. A finite float is a
//! [`rug::Rational`], a pattern of bits a [`rug::Integer`].

use assay_isa::format::F32;

pub mod arith;
pub mod compare;
mod digits;
pub mod execute;
pub mod functions;
pub mod integer;
pub mod machine;
mod places;
mod sums;

/// The results of one lane.
#[derive(Debug)]
pub struct LaneOutcome {
    /// The values of the destinations, in the order of the text.
    pub outputs: Vec<u32>,
    /// The value that the code assigns to each source operand (E012), if any.
    pub assigned: Vec<Option<u32>>,
}

/// Turns a subnormal number into a zero of its sign.
fn flushed(bits: u32) -> u32 {
    if F32.is_subnormal(bits) { bits & F32.sign_mask() } else { bits }
}
