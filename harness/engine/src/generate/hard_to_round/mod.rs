//! Operands of sums and products of floats that are hard to round, constructed and not drawn: their exact result lies on a
//! boundary of rounding, or as near to one as such operands can come.
//!
//! Independent values almost never lie there: one random product in 2^24 is a unit off a tie, and next to no random
//! sum. Here the integers are solved for. A product has chosen low bits if b = w · a⁻¹ modulo 2^24. It has chosen high
//! bits if b is a quotient. A tie is a product of odd integers with 25 bits together. The addend follows from the
//! product.
//!
//! A *boundary* is a number of F32 or a tie between two. Each case promises where its exact result lies, in units in the
//! last place of that result, and the tests hold it to that with exact integers. Operands know no rounding mode: a sweep
//! runs every case in every mode, and both signs are there.

use std::collections::HashSet;

use assay_isa::format::F32;
use assay_isa::hints::Operation;

pub mod functions;
mod fused;
mod number;
mod product;
mod sum;
#[cfg(test)]
mod tests;

/// The positions of exact results, each with the faults that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HardClass {
    /// A number of F32 and a tiny rest: a sticky bit that is lost, that covers only some of the bits shifted out, or
    /// that a directed rounding ignores.
    Sticky,
    /// Halfway, above an even number and above an odd one: a tie that goes up, away, down, or by the wrong bit.
    Tie,
    /// Almost halfway, on the side where a second rounding does no harm: guard and sticky mixed up.
    BrokenTie,
    /// Almost halfway, and halfway after an intermediate rounding to 25 bits: double rounding.
    Through25,
    /// Almost halfway, with a rest that an f64 loses: arithmetic in f64 that is rounded to F32 afterwards.
    Through53,
    /// A trace off halfway by the product, which the addend takes away, or almost: a product that is rounded, or a
    /// sticky bit that is formed before the addition.
    Mended,
    /// Rounding carries into the next binade: a significand that overflows without its exponent.
    Carry,
    /// Large terms that leave more bits than F32 has: normalization after cancellation, and rounding at the old place.
    Renormalized,
    /// Terms that leave 1 to 24 bits, the result being exact: low bits of the product that are lost.
    Cancellation,
    /// Terms that leave nothing: the sign of zero in each direction.
    Zero,
    /// Next to, at and between the greatest number, the tie above it and 2^128: overflow decided before rounding, by the
    /// product alone or by the exponent alone, and in a direction that has none.
    Overflow,
    /// At and next to the last subnormal number, the least normal one and the ties between, on the subnormal grid and
    /// on the finer grid of tininess after rounding: E173, and a carry into the normal numbers.
    Tininess,
    /// Next to and halfway between the first subnormal numbers and zero: a shift that drops the sticky bit at its end,
    /// and rounding when all bits are sticky.
    Underflow,
}

impl HardClass {
    /// Its name, as in the names of vectors.
    pub fn name(self) -> &'static str {
        match self {
            HardClass::Sticky => "sticky",
            HardClass::Tie => "tie",
            HardClass::BrokenTie => "broken-tie",
            HardClass::Through25 => "through-25-bits",
            HardClass::Through53 => "through-53-bits",
            HardClass::Mended => "mended",
            HardClass::Carry => "carry",
            HardClass::Renormalized => "renormalized",
            HardClass::Cancellation => "cancellation",
            HardClass::Zero => "zero",
            HardClass::Overflow => "overflow",
            HardClass::Tininess => "tininess",
            HardClass::Underflow => "underflow",
        }
    }
}

/// Where an exact result lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// It is a number of F32, or zero.
    Number,
    /// It is halfway between two.
    Tie,
    /// It is none, and at most 2^-`.0` ulp from one.
    NearNumber(u32),
    /// It is not halfway, and at most 2^-`.0` ulp from that.
    NearTie(u32),
    /// A number whose integer has this many bits, without factors of two.
    Leaves(u32),
}

/// Hard operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HardCase {
    /// The position of the exact result.
    pub class: HardClass,
    /// Where their exact result lies.
    pub promise: Promise,
    /// For a product the power of two with which it lies there, 0 where any will do.
    pub scale: i32,
    /// The operands in the order of the text, the last one unused where there are two.
    pub operands: [u32; 3],
}

impl HardCase {
    fn new(class: HardClass, promise: Promise, operands: [u32; 3]) -> HardCase {
        HardCase { class, promise, scale: 0, operands }
    }
}

/// The hard cases of a sum or a product, each once and always in this order.
pub fn cases(operation: Operation) -> impl Iterator<Item = HardCase> {
    const MINUS: u32 = F32.sign_mask();
    let (cases, opposite) = match operation {
        Operation::Sum => (sum::cases(), [MINUS, MINUS, 0]),
        Operation::Product => (product::cases(), [MINUS, 0, 0]),
        Operation::Fused => (fused::cases(), [MINUS, 0, MINUS]),
    };
    let mut seen = HashSet::new();
    let signs = move |case: HardCase| {
        let operands = std::array::from_fn(|place| case.operands[place] ^ opposite[place]);
        [case, HardCase { operands, ..case }]
    };
    cases.into_iter().flat_map(signs).filter(move |case| seen.insert((case.operands, case.scale)))
}

/// The position of a result with this distance from a boundary, in units of which 2^`ulp` are one in the last place.
fn promise(is_tie: bool, off: u64, ulp: u32) -> Promise {
    let near = || ulp - off.next_power_of_two().ilog2();
    match (is_tie, off) {
        (true, 0) => Promise::Tie,
        (false, 0) => Promise::Number,
        (true, _) => Promise::NearTie(near()),
        (false, _) => Promise::NearNumber(near()),
    }
}

/// The class of a result next to a tie: `beyond` if it is farther from zero than the tie, `even` if the number before the
/// tie is. Where a rounding on the way, to `bits` bits, ends on the tie, the next one goes to the wrong side.
fn near_tie(even: bool, beyond: bool, bits: u32) -> HardClass {
    match (even == beyond, bits) {
        (false, _) => HardClass::BrokenTie,
        (true, 25) => HardClass::Through25,
        (true, _) => HardClass::Through53,
    }
}
