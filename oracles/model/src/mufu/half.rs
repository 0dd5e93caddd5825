//! MUFU on 16-bit formats. The operand holds a number in one half, or in each half.
//!
//! A binary16 or bfloat16 is widened to binary32 and takes the numeric path of binary32. The result
//! is rounded once, to 16 bits. Only EX2 in bfloat16 under E042 = 3 flushes operands and results.

use assay_isa::Reading;
use assay_isa::format::{BF16, F16, F32, Format};
use assay_isa::tables::types::{HSel, MUFUDType};

use super::number::Number;
use crate::columns::unary;
use crate::knobs::Knobs;

const NAN: u32 = 0x7fff;
const LOW: u32 = 0xffff;

/// The halves of the operand that hold numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Halves {
    /// One half, which starts at this bit of the register.
    One(u32),
    /// Both, independently of each other.
    Both,
}

/// The format of the 16-bit numbers in a register, and the halves that hold them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing {
    format: Format,
    halves: Halves,
}

impl Packing {
    /// Returns the packing of a type. The operand's suffix names the half. An immediate has no
    /// suffix, and its low half is used (E044).
    pub(crate) fn of(dtype: MUFUDType, half: Option<HSel>) -> Option<Packing> {
        let high = half == Some(HSel::H1);
        let one = Halves::One(if high { 16 } else { 0 });
        let (format, halves) = match dtype {
            MUFUDType::F16 => (F16, one),
            MUFUDType::BF16 => (BF16, one),
            MUFUDType::F16_V2 => (F16, Halves::Both),
            MUFUDType::BF16_V2 => (BF16, Halves::Both),
            MUFUDType::F32 | MUFUDType::F64 => return None,
        };
        Some(Packing { format, halves })
    }
}

/// Applies a function to a column, with a separate loop for each packing. `flushes` says whether
/// bfloat16 operands and results are flushed.
pub(super) fn column<K: Knobs>(
    k: &K,
    packing: Packing,
    flushes: bool,
    xs: &[u32],
    results: &mut [u32],
    value: impl Fn(&K, u32) -> Option<Number>,
) {
    let flush = |x: u32| if flushes && BF16.is_subnormal(x) { x & BF16.sign_mask() } else { x };
    let f16 = |x| narrow(k, F16, x, &value);
    let bf16 = |x| flush(narrow(k, BF16, flush(x), &value));
    match (packing.format == F16, packing.halves) {
        (true, Halves::One(shift)) => unary(results, xs, |x| one(shift, x, f16)),
        (true, Halves::Both) => unary(results, xs, |x| both(k, F16, x, f16)),
        (false, Halves::One(shift)) => unary(results, xs, |x| one(shift, x, bf16)),
        (false, Halves::Both) => unary(results, xs, |x| both(k, BF16, x, bf16)),
    }
}

/// Returns the result for one half. The upper half of the result register is zero.
#[inline]
fn one(shift: u32, x: u32, value: impl Fn(u32) -> u32) -> u32 {
    value(x >> shift & LOW)
}

/// Returns the results for both halves. E037 decides whether a NaN in one half affects the other.
#[inline]
fn both<K: Knobs>(k: &K, format: Format, x: u32, value: impl Fn(u32) -> u32) -> u32 {
    let (low, high) = (x & LOW, x >> 16);
    let spoils = k.reading(Reading::E037) == 1;
    if spoils && (format.is_nan(low) || format.is_nan(high)) {
        return NAN << 16 | NAN;
    }
    value(high) << 16 | value(low)
}

/// Applies a function to a 16-bit number. Returns 16 bits.
#[inline]
fn narrow<K: Knobs>(k: &K, format: Format, x: u32, value: impl Fn(&K, u32) -> Option<Number>) -> u32 {
    value(k, widen(format, x)).map_or(NAN, |number| number.round(format))
}

/// Returns a 16-bit number as a binary32 of the same value. A NaN stays a NaN and keeps its leading
/// bits.
#[inline]
fn widen(format: Format, x: u32) -> u32 {
    let sign = (x & format.sign_mask()) << 16;
    let magnitude = x & !format.sign_mask();
    let spare = F32.fraction_bits - format.fraction_bits;
    if format.exponent_bits == F32.exponent_bits || magnitude == 0 {
        return x << 16;
    }
    let rebias = (F32.bias() - format.bias()) as u32;
    let bits = if magnitude >= format.infinity() {
        F32.infinity() | magnitude << spare
    } else if format.is_subnormal(x) {
        // The leading one moves to the implicit position, and the exponent decreases by the number
        // of places.
        let shift = magnitude.leading_zeros() - (31 - format.fraction_bits);
        ((rebias - shift) << F32.fraction_bits) + (magnitude << (shift + spare))
    } else {
        (rebias << F32.fraction_bits) + (magnitude << spare)
    };
    sign | bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_keeps_the_value_and_rounding_brings_it_back() {
        for format in [F16, BF16] {
            for x in 0..=LOW {
                let wide = widen(format, x);
                assert_eq!(F32.is_nan(wide), format.is_nan(x), "{} {x:#06x}", format.name);
                assert_eq!(wide >> 31, x >> 15);
                if format.is_finite(x) && x & !format.sign_mask() != 0 {
                    let field = F32.exponent_field(wide);
                    let leading = u32::from(field != 0) << F32.fraction_bits;
                    let exponent = field.max(1) as i32 - F32.bias() - F32.fraction_bits as i32;
                    let significand = wide & F32.fraction_mask() | leading;
                    let number = Number::new(wide >> 31 == 1, significand.into(), exponent);
                    assert_eq!(number.round(format), x, "{} {x:#06x} {wide:#010x}", format.name);
                } else if !format.is_nan(x) {
                    let infinite = if format.is_finite(x) { 0 } else { F32.infinity() };
                    assert_eq!(wide & !F32.sign_mask(), infinite);
                }
            }
        }
        assert_eq!(widen(F16, 1), 0x3380_0000);
        assert_eq!(widen(F16, 0x3ff), 0x387f_c000);
        assert_eq!(widen(F16, 0x8400), 0xb880_0000);
    }
}
