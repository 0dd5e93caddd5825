//! Mistakes in reading the value of an operand, or in writing a result.

use std::fmt;

use assay_isa::format::{F16, F32, Format};

use crate::operands::operand_kinds::OperandKind;

/// A mistake about a value: its name, and its effect on a value of each kind.
#[derive(Clone, Copy)]
pub struct ValueSlip {
    words: &'static str,
    apply: fn(OperandKind, u32) -> u32,
}

impl ValueSlip {
    /// Returns the value after the mistake.
    pub fn apply(self, kind: OperandKind, value: u32) -> u32 {
        (self.apply)(kind, value)
    }
}

impl PartialEq for ValueSlip {
    fn eq(&self, other: &ValueSlip) -> bool {
        self.words == other.words
    }
}

impl fmt::Debug for ValueSlip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words)
    }
}

impl fmt::Display for ValueSlip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words)
    }
}

const fn value_slip(words: &'static str, apply: fn(OperandKind, u32) -> u32) -> ValueSlip {
    ValueSlip { words, apply }
}

/// The mistakes in reading a float.
pub const FLOAT_INPUT: &[ValueSlip] = &[
    value_slip("is flushed where it is subnormal", flush),
    value_slip("is +0 where it is subnormal", |kind, bits| float(kind, bits, flushed_to_plus)),
    value_slip("loses its sign where it is zero", |kind, bits| float(kind, bits, plus_zero)),
    value_slip("is infinite where it is a NaN", |kind, bits| float(kind, bits, nan_to_infinity)),
    value_slip("is infinite where it is a signalling NaN", |kind, bits| {
        float(kind, bits, signalling_to_infinity)
    }),
    value_slip("is infinite in its largest binade", |kind, bits| float(kind, bits, largest_to_infinity)),
    value_slip("is quiet where it is a signalling NaN", |kind, bits| float(kind, bits, quiet)),
    value_slip("is rounded toward zero to a half", |kind, bits| float(kind, bits, half_toward_zero)),
];

/// The mistakes in reading an operand of any kind.
pub const INPUT: &[ValueSlip] = &[
    value_slip("reads as 0", |_, _| 0),
    value_slip("is cut to 31 bits", |_, bits| bits & 0x7fff_ffff),
    value_slip("is cut to 24 bits", |_, bits| bits & 0x00ff_ffff),
    value_slip("is cut to 20 bits", |_, bits| bits & 0x000f_ffff),
    value_slip("is cut to 16 bits", |_, bits| bits & 0xffff),
    value_slip("is cut to 8 bits", |_, bits| bits & 0xff),
    value_slip("is cut to 7 bits", |_, bits| bits & 0x7f),
    value_slip("is cut to 6 bits", |_, bits| bits & 0x3f),
    value_slip("is cut to 5 bits", |_, bits| bits & 0x1f),
    value_slip("is sign extended from 16 bits", |_, bits| bits as u16 as i16 as u32),
    value_slip("is inverted", |kind, bits| if kind == OperandKind::Predicate { bits ^ 1 } else { !bits }),
    value_slip("has its halves exchanged", |_, bits| bits.rotate_left(16)),
    value_slip("has its upper half in both", |_, bits| bits & 0xffff_0000 | bits >> 16),
    value_slip("has its lower half in both", |_, bits| bits << 16 | bits & 0xffff),
];

/// The mistakes in writing a result.
pub const RESULT: &[ValueSlip] = &[
    value_slip("is +0 where it is zero", |kind, bits| float(kind, bits, plus_zero)),
    value_slip("is -0 where it is zero", |kind, bits| float(kind, bits, minus_zero)),
    value_slip("has the other sign where it is zero", |kind, bits| float(kind, bits, other_zero)),
    value_slip("is flushed where it is subnormal", flush),
    value_slip("is +0 where it is subnormal", |kind, bits| float(kind, bits, flushed_to_plus)),
    value_slip("is quiet where it is a signalling NaN", |kind, bits| float(kind, bits, quiet)),
    value_slip("is the default NaN of IEEE 754 where it is a NaN", |kind, bits| {
        float(kind, bits, default_nan)
    }),
    value_slip("is all ones where it is a NaN", |kind, bits| float(kind, bits, all_ones_nan)),
    value_slip("is the largest number where it is infinite", |kind, bits| float(kind, bits, largest)),
    value_slip("is infinite where it is the largest number", |kind, bits| float(kind, bits, infinite)),
    value_slip("is 1 where it is 0", |_, bits| u32::from(bits == 0) | bits),
    value_slip("is 0", |_, _| 0),
    value_slip("is inverted", |kind, bits| if kind == OperandKind::Predicate { bits ^ 1 } else { !bits }),
    value_slip("has its bits in reverse order", |_, bits| bits.reverse_bits()),
    value_slip("has its halves exchanged", |_, bits| bits.rotate_left(16)),
    value_slip("lacks its upper half", |_, bits| bits & 0xffff),
    value_slip("lacks its lower half", |_, bits| bits & 0xffff_0000),
];

/// Applies a rule to each float that a word of a kind holds. Words of other kinds do not change.
fn float(kind: OperandKind, bits: u32, rule: fn(Format, u32) -> u32) -> u32 {
    match kind {
        OperandKind::Float(format) => rule(format, bits),
        OperandKind::Half { format, high } => {
            let shift = 16 * u32::from(high);
            bits & !(0xffff << shift) | rule(format, bits >> shift & 0xffff) << shift
        }
        OperandKind::Pair(format) => rule(format, bits & 0xffff) | rule(format, bits >> 16) << 16,
        _ => bits,
    }
}

fn magnitude(format: Format, bits: u32) -> u32 {
    bits & !format.sign_mask()
}

fn is_subnormal(format: Format, bits: u32) -> bool {
    (1..1 << format.fraction_bits).contains(&magnitude(format, bits))
}

fn is_nan(format: Format, bits: u32) -> bool {
    magnitude(format, bits) > format.infinity()
}

fn is_zero(format: Format, bits: u32) -> bool {
    magnitude(format, bits) == 0
}

fn is_signalling(format: Format, bits: u32) -> bool {
    is_nan(format, bits) && bits >> (format.fraction_bits - 1) & 1 == 0
}

/// Returns a word with its subnormal numbers flushed to zeros of their sign.
pub fn flush(kind: OperandKind, bits: u32) -> u32 {
    float(kind, bits, flushed)
}

/// Returns a word with its subnormal numbers flushed to +0.
pub fn flush_to_plus(kind: OperandKind, bits: u32) -> u32 {
    float(kind, bits, flushed_to_plus)
}

fn flushed(format: Format, bits: u32) -> u32 {
    if is_subnormal(format, bits) { bits & format.sign_mask() } else { bits }
}

fn flushed_to_plus(format: Format, bits: u32) -> u32 {
    if is_subnormal(format, bits) { 0 } else { bits }
}

fn plus_zero(format: Format, bits: u32) -> u32 {
    if is_zero(format, bits) { 0 } else { bits }
}

fn minus_zero(format: Format, bits: u32) -> u32 {
    if is_zero(format, bits) { format.sign_mask() } else { bits }
}

fn other_zero(format: Format, bits: u32) -> u32 {
    if is_zero(format, bits) { bits ^ format.sign_mask() } else { bits }
}

fn quiet(format: Format, bits: u32) -> u32 {
    if is_nan(format, bits) { bits | 1 << (format.fraction_bits - 1) } else { bits }
}

fn nan_to_infinity(format: Format, bits: u32) -> u32 {
    if is_nan(format, bits) { bits & format.sign_mask() | format.infinity() } else { bits }
}

fn signalling_to_infinity(format: Format, bits: u32) -> u32 {
    if is_signalling(format, bits) { bits & format.sign_mask() | format.infinity() } else { bits }
}

fn largest_to_infinity(format: Format, bits: u32) -> u32 {
    let least = format.infinity() - (1 << format.fraction_bits);
    let is_large = (least..format.infinity()).contains(&magnitude(format, bits));
    if is_large { bits & format.sign_mask() | format.infinity() } else { bits }
}

/// Returns an F32 rounded toward zero to an F16. Infinities and NaNs stay.
fn half_toward_zero(format: Format, bits: u32) -> u32 {
    let (sign, magnitude) = (bits & format.sign_mask(), magnitude(format, bits));
    if format != F32 || magnitude >= F32.infinity() {
        return bits;
    }
    let dropped = F32.fraction_bits - F16.fraction_bits;
    let number = f32::from_bits(magnitude);
    let (least_normal, least) =
        (2f32.powi(1 - F16.bias()), 2f32.powi(1 - F16.bias() - F16.fraction_bits as i32));
    let rounded = if number >= least_normal {
        f32::from_bits(magnitude >> dropped << dropped).min(65504.0)
    } else {
        // The division is by a power of two, and the product has a factor of ten bits, so both are
        // exact.
        (number / least).floor() * least
    };
    sign | rounded.to_bits()
}

fn default_nan(format: Format, bits: u32) -> u32 {
    if is_nan(format, bits) { format.infinity() | 1 << (format.fraction_bits - 1) } else { bits }
}

fn all_ones_nan(format: Format, bits: u32) -> u32 {
    if is_nan(format, bits) { format.sign_mask() | (format.sign_mask() - 1) } else { bits }
}

fn largest(format: Format, bits: u32) -> u32 {
    if magnitude(format, bits) == format.infinity() { bits - 1 } else { bits }
}

fn infinite(format: Format, bits: u32) -> u32 {
    if magnitude(format, bits) == format.infinity() - 1 { bits + 1 } else { bits }
}
