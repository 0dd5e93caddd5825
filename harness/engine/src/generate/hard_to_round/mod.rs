//! Constructs operands of sums and products of floats that are hard to round. The exact result lies
//! on a boundary of rounding, or as near to a boundary as possible with such operands.
//!
//! Random operands almost never have such results: one product in 2^24 is a unit away from a tie,
//! and almost no sum. So the integers are computed from the wanted result. The product a · b has
//! the low bits w if b = w · a⁻¹ modulo 2^24. To get wanted high bits, b is computed as a quotient.
//! A product of odd integers that has 25 bits is a tie. The addend is computed from the product.
//!
//! A *boundary* is a number of F32 or a tie between two. Each case has a *promise*: where its exact
//! result lies, in units in the last place of that result. The tests check this with exact
//! arithmetic. Operands do not depend on the rounding mode: a sweep runs every case in every mode.
//! Every case comes with both signs.

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

/// The positions of exact results. Each is listed with the faults that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HardClass {
    /// A number of F32 plus a tiny rest. Finds a sticky bit that is lost, that ignores some of the
    /// bits shifted out, or that a directed rounding ignores.
    Sticky,
    /// Halfway, above an even number and above an odd one. Finds a tie that is rounded up, away
    /// from zero, down, or by the wrong bit.
    Tie,
    /// Almost halfway, on the side where double rounding does not change the result. Finds confused
    /// guard and sticky bits.
    BrokenTie,
    /// Almost halfway, so that an intermediate rounding to 25 bits gives exactly halfway. Finds
    /// double rounding.
    Through25,
    /// Almost halfway, so that rounding to f64 gives exactly halfway. Finds arithmetic in f64 that
    /// is rounded to F32 afterwards.
    Through53,
    /// The product is a few units away from a tie or a number, and the addend cancels this offset
    /// or nearly all of it. Finds a product that is rounded, or a sticky bit that is formed before
    /// the addition.
    Mended,
    /// Rounding carries into the next binade. Finds a significand that overflows while the exponent
    /// is not increased.
    Carry,
    /// Large terms partly cancel, and the result has more bits than F32. Finds wrong normalization
    /// after cancellation, and rounding at the last place before normalization.
    Renormalized,
    /// Terms cancel except for 1 to 24 bits, so that the result is exact. Finds low bits of the
    /// product that are lost.
    Cancellation,
    /// Terms that cancel completely. Finds a wrong sign of zero in each rounding direction.
    Zero,
    /// Near the greatest number: that number, the tie above it, 2^128, and results next to or
    /// between them. Finds overflow that is decided before rounding, by the product alone or by the
    /// exponent alone. Also finds an overflow in a rounding direction that does not overflow.
    Overflow,
    /// Near the least normal number: that number, the last subnormal number, the ties between them,
    /// and their neighbours. Ties are those of the subnormal grid and of the finer grid that
    /// decides tininess after rounding. Finds a wrong reading of E173, and a wrong carry into the
    /// normal numbers.
    Tininess,
    /// Next to and halfway between the first subnormal numbers and zero. Finds a shift that drops
    /// the sticky bit at its end, and wrong rounding when all bits are sticky.
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
    /// It is halfway between two numbers of F32.
    Tie,
    /// It is not a number of F32, but at most 2^-`.0` ulp from a number of F32.
    NearNumber(u32),
    /// It is not halfway between two numbers, but at most 2^-`.0` ulp from such a tie.
    NearTie(u32),
    /// It is a number of F32 whose odd part has this many bits.
    Leaves(u32),
}

/// Operands that are hard to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HardCase {
    /// The position of the exact result.
    pub class: HardClass,
    /// The promise about the exact result.
    pub promise: Promise,
    /// For a product, the exponent of the power of two by which the instruction must scale the
    /// product to get this result. With 0, the case may be used with any scale.
    pub scale: i32,
    /// The operands in the order of the text. The last one is unused if the operation has two.
    pub operands: [u32; 3],
}

impl HardCase {
    fn new(class: HardClass, promise: Promise, operands: [u32; 3]) -> HardCase {
        HardCase { class, promise, scale: 0, operands }
    }
}

/// Returns the hard cases of an operation, each once and always in the same order.
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

/// Returns the promise of a result at distance `off` from a tie or from a number. 2^`ulp` units of
/// `off` are one unit in the last place.
fn promise(is_tie: bool, off: u64, ulp: u32) -> Promise {
    let near = || ulp - off.next_power_of_two().ilog2();
    match (is_tie, off) {
        (true, 0) => Promise::Tie,
        (false, 0) => Promise::Number,
        (true, _) => Promise::NearTie(near()),
        (false, _) => Promise::NearNumber(near()),
    }
}

/// Returns the class of a result next to a tie. `beyond` means that the result is farther from zero
/// than the tie. `even` means that the number before the tie is even. If `beyond` equals `even`, an
/// intermediate rounding to `bits` bits ends on the tie, and the next rounding goes to the wrong
/// side.
fn near_tie(even: bool, beyond: bool, bits: u32) -> HardClass {
    match (even == beyond, bits) {
        (false, _) => HardClass::BrokenTie,
        (true, 25) => HardClass::Through25,
        (true, _) => HardClass::Through53,
    }
}
