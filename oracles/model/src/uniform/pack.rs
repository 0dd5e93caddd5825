//! UF2FP: converts two F32 to F16, and packs them (E168).

use std::hint::select_unpredictable;

use assay_isa::format::{F16, F32};
use assay_isa::{Instruction, Operand, Reading};

use crate::float::{SIGN, is_nan};
use crate::knobs::Knobs;
use crate::semantics::Semantics;

/// Difference between the biases of F32 and F16, in the exponent field of F32.
const REBIAS: u32 = ((F32.bias() - F16.bias()) as u32) << F32.fraction_bits;
/// Fraction bits that F16 cannot hold.
const SPARE: u32 = F32.fraction_bits - F16.fraction_bits;
/// Exponent field of the least F32 that is a normal F16.
const LEAST_NORMAL: u32 = (F16.emin() + F32.bias()) as u32;

/// Defines UF2FP: the first operand goes to the high half, the second to the low half. The
/// document's section is empty (E168).
pub(crate) fn pack<K: Knobs>(k: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    Semantics::binary(|k, a, b| narrowed(k, a) << 16 | narrowed(k, b)).undefined(k, Reading::E168, 2)
}

/// Returns an F32 rounded to F16, to nearest and ties to even.
#[inline(always)]
fn narrowed<K: Knobs>(k: &K, x: u32) -> u32 {
    let magnitude = x & !SIGN;
    let exponent = magnitude >> F32.fraction_bits;
    let normal = exponent >= LEAST_NORMAL;
    // A subnormal result drops one more bit for each step of the exponent below the normal numbers.
    // With 25 dropped bits no number rounds up.
    let significand = magnitude & F32.fraction_mask() | 1 << F32.fraction_bits;
    let shifted = (SPARE + LEAST_NORMAL).saturating_sub(exponent).min(F32.fraction_bits + 2);
    // This code has no branches, because half of all random operands are subnormal.
    let bits = select_unpredictable(normal, magnitude.wrapping_sub(REBIAS), significand);
    let dropped = select_unpredictable(normal, SPARE, shifted);
    let kept = bits >> dropped;
    let rest = bits & ((1 << dropped) - 1);
    // A carry increments the exponent, and turns the greatest number into infinity.
    let rounded = kept + u32::from(rest + (kept & 1) > 1 << (dropped - 1));
    let result = select_unpredictable(rounded < F16.infinity(), rounded, F16.infinity());
    let sign = (x & SIGN) >> 16;
    select_unpredictable(is_nan(x), nan(k, x), sign | result)
}

/// Converts a NaN (C006).
fn nan<K: Knobs>(k: &K, x: u32) -> u32 {
    match k.reading(Reading::C006) {
        1 => 0x7fff,
        2 => 0x7e00,
        _ => (x & SIGN) >> 16 | F16.infinity() | 0x200 | x >> SPARE & F16.fraction_mask(),
    }
}
