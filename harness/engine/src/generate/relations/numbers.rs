//! Computes the numbers of F32 that relations use.

use std::f64::consts::{FRAC_PI_2, PI};

use assay_isa::format::F32;
use assay_isa::hints::Segments;

use super::bits::{BendBits, below};

/// The product of two numbers, rounded.
#[inline(always)]
pub(super) fn product_of(a: u32, b: u32) -> u32 {
    (f32::from_bits(a) * f32::from_bits(b)).to_bits()
}

/// Biased exponent of a value. For values without an exponent, that of 1.0.
#[inline(always)]
pub(super) fn exponent(bits: u32) -> i32 {
    let field = bits >> 23 & 0xff;
    if field == 0 || field == 255 { 127 } else { field as i32 }
}

/// A value with another biased exponent, kept within the finite range.
#[inline(always)]
pub(super) fn with_exponent(bits: u32, exponent: i32) -> u32 {
    bits & 0x807f_ffff | (exponent.clamp(0, 254) as u32) << 23
}

/// Returns the second factor, with the exponent that makes the sum of both factors' exponents
/// `least + above`.
#[inline(always)]
pub(super) fn with_product_exponent(a: u32, b: u32, least: i32, above: u32) -> u32 {
    with_exponent(b, least + above as i32 - exponent(a) + 2 * 127)
}

/// A number next to a multiple of π/2.
#[inline(always)]
pub(super) fn quadrant(bits: BendBits) -> u32 {
    beside(multiple(bits) * FRAC_PI_2, bits)
}

/// A number next to a multiple of 1/4.
#[inline(always)]
pub(super) fn quarter(bits: BendBits) -> u32 {
    beside(multiple(bits) * 0.25, bits)
}

/// Returns the value moved to an end of its segment or next to it. If the segments have equal
/// length, returns a number at or next to a random end instead.
#[inline(always)]
pub(super) fn segment_end(segments: Segments, value: u32, bits: BendBits) -> u32 {
    match segments {
        Segments::Fraction(leading) => {
            let first = value & !0 << (F32.fraction_bits - leading);
            first.wrapping_add(below(bits.first, 3)).wrapping_sub(1)
        }
        Segments::Multiples(exponent) => beside(multiple(bits) * 2_f64.powi(exponent), bits),
        Segments::Angles(exponent) => beside(multiple(bits) * PI * 2_f64.powi(exponent), bits),
    }
}

/// A whole number of up to 24 bits and either sign. All lengths in bits are about equally likely.
#[inline(always)]
fn multiple(bits: BendBits) -> f64 {
    let magnitude = bits.second & ((2 << bits.below(24)) - 1);
    let signed = magnitude as i32;
    f64::from(if bits.second >> 31 == 1 { -signed } else { signed })
}

/// The nearest F32 of a number, or one of its four neighbours.
#[inline(always)]
fn beside(number: f64, bits: BendBits) -> u32 {
    bits.near((number as f32).to_bits())
}
