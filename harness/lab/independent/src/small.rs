//! F16 and BF16: conversion, rounding to nearest even, and UF2FP.
//!
//! Source: document 000 (MUFU types), document 003 with E168 (UF2FP).

use crate::fault::{Active, Fault};

/// A 16-bit binary format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Small {
    F16,
    Bf16,
}

/// The NaN of both formats (document 000, MUFU semantics).
pub(crate) const SMALL_NAN: u32 = 0x7fff;

impl Small {
    fn fraction_bits(self) -> u32 {
        if self == Small::F16 { 10 } else { 7 }
    }

    fn bias(self) -> i32 {
        if self == Small::F16 { 15 } else { 127 }
    }

    pub(crate) fn infinity(self) -> u32 {
        if self == Small::F16 { 0x7c00 } else { 0x7f80 }
    }

    /// Returns the exact value of a bit pattern. Every NaN pattern gives a NaN.
    pub(crate) fn value(self, bits: u32) -> f64 {
        let fraction_bits = self.fraction_bits();
        let fraction = f64::from(bits & ((1 << fraction_bits) - 1));
        let field = ((bits & 0x7fff) >> fraction_bits) as i32;
        let one = f64::from(1u32 << fraction_bits);
        let magnitude = match field {
            _ if bits & 0x7fff > self.infinity() => f64::NAN,
            _ if bits & 0x7fff == self.infinity() => f64::INFINITY,
            0 => fraction / one * power(1 - self.bias()),
            _ => (1.0 + fraction / one) * power(field - self.bias()),
        };
        if bits & 0x8000 != 0 { -magnitude } else { magnitude }
    }

    /// Rounds to nearest even. Too large values become infinite.
    pub(crate) fn round(self, value: f64, active: Active) -> u32 {
        if value.is_nan() {
            return SMALL_NAN;
        }
        let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
        let bits = value.to_bits();
        let field = ((bits >> 52) & 0x7ff) as i32;
        let significand = (bits & 0x000f_ffff_ffff_ffff) | (u64::from(field != 0) << 52);
        if value.is_infinite() {
            return sign | self.infinity();
        }
        if significand == 0 {
            return sign;
        }
        let exponent = field.max(1) - 1075;
        let top = 63 - significand.leading_zeros() as i32 + exponent;
        let fraction_bits = self.fraction_bits();
        let least = 1 - self.bias() - fraction_bits as i32;
        let unit = (top - fraction_bits as i32).max(least);
        let shift = (unit - exponent).clamp(0, 63) as u32;
        let mut kept = (significand >> shift) as u32;
        let rest = significand & ((1 << shift) - 1);
        let half = if shift == 0 { u64::MAX } else { 1 << (shift - 1) };
        let tie = kept & 1 == 1 || active.has(Fault::PackTiesAway);
        if !active.has(Fault::PackTruncates) && (rest > half || (rest == half && tie)) {
            kept += 1;
        }
        let magnitude = (((unit - least) as u32) << fraction_bits) + kept;
        let largest =
            if active.has(Fault::PackOverflowsToLargest) { self.infinity() - 1 } else { self.infinity() };
        sign | if magnitude >= self.infinity() { largest } else { magnitude }
    }
}

/// Returns 2 to an exponent in the range of a 16-bit format.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// UF2FP: packs `a` into the high half and `b` into the low half, as F16.
pub(crate) fn pack(a: u32, b: u32, active: Active) -> u32 {
    let half = |bits: u32| {
        let value = f32::from_bits(bits);
        let result = Small::F16.round(value.into(), active);
        match result & 0x7c00 {
            _ if value.is_nan() && active.has(Fault::PackedNanIeee) => 0x7e00,
            0 if active.has(Fault::PackFlushesSubnormals) => result & 0x8000,
            _ => result,
        }
    };
    if active.has(Fault::PackSwapped) { (half(b) << 16) | half(a) } else { (half(a) << 16) | half(b) }
}
