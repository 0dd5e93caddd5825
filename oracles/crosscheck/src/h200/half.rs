//! EX2 and TANH of the 16-bit types, computed by the functions of F32.
//!
//! An operand is widened, which is exact. The result is cut off toward zero. Subnormal numbers of
//! F16 are normal in F32, so they are not flushed. Subnormal numbers of BF16 are subnormal in F32
//! too.

use assay_isa::format::{BF16, F16, F32, Format};
use assay_isa::tables::types::{HSel, MUFUDType};

/// The NaN of both types.
const NAN: u32 = 0x7fff;
const LOW: u32 = 0xffff;

/// Where the operand register of an instruction holds its 16-bit numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Packing {
    /// One number of this format, whose lowest bit is at this bit position. The upper half of the
    /// result is 0.
    One(Format, u32),
    /// One number in each half.
    Both(Format),
}

impl Packing {
    /// Returns the packing for a type and the operand's suffix, such as `.H1`. Returns `None` if
    /// the type has more than 16 bits. The lower half is used without a suffix, so also for an
    /// immediate (E044).
    pub(super) fn of(dtype: MUFUDType, half: Option<HSel>) -> Option<Packing> {
        let shift = if half == Some(HSel::H1) { 16 } else { 0 };
        match dtype {
            MUFUDType::F16 => Some(Packing::One(F16, shift)),
            MUFUDType::BF16 => Some(Packing::One(BF16, shift)),
            MUFUDType::F16_V2 => Some(Packing::Both(F16)),
            MUFUDType::BF16_V2 => Some(Packing::Both(BF16)),
            MUFUDType::F32 | MUFUDType::F64 => None,
        }
    }

    /// Applies a function of F32 to the numbers in the operand register, and returns the result
    /// register.
    pub(super) fn apply(self, function: fn(u32) -> u32, register: u32) -> u32 {
        let of_half = |format, half| narrow(format, function(widen(format, half & LOW)));
        match self {
            Packing::One(format, shift) => of_half(format, register >> shift),
            Packing::Both(format) => of_half(format, register >> 16) << 16 | of_half(format, register),
        }
    }
}

/// Returns the value of a 16-bit pattern as an F32.
fn widen(format: Format, half: u32) -> u32 {
    if format == BF16 {
        return half << 16;
    }
    let sign = (half & F16.sign_mask()) << 16;
    let magnitude = half & !F16.sign_mask();
    let spare = F32.fraction_bits - F16.fraction_bits;
    let rebias = ((F32.bias() - F16.bias()) as u32) << F32.fraction_bits;
    sign | match F16.exponent_field(half) {
        // The magnitude is in units of 2^-24.
        0 => (magnitude as f32 / (1 << 24) as f32).to_bits(),
        0x1f => F32.infinity() | magnitude << spare,
        _ => (magnitude << spare) + rebias,
    }
}

/// Returns an F32, truncated to 16 bits. In F16, numbers from 2^16 on become infinity.
fn narrow(format: Format, bits: u32) -> u32 {
    if F32.is_nan(bits) {
        return NAN;
    }
    if format == BF16 {
        return bits >> 16;
    }
    let sign = bits >> 16 & F16.sign_mask();
    let exponent = F32.exponent_field(bits) as i32 - F32.bias();
    let significand = bits & F32.fraction_mask() | 1 << F32.fraction_bits;
    let cut = F32.fraction_bits - F16.fraction_bits;
    sign | match exponent {
        16.. => F16.infinity(),
        -14.. => (((exponent + F16.bias() - 1) as u32) << F16.fraction_bits) + (significand >> cut),
        // The result is in units of 2^-24.
        _ => significand.checked_shr((-1 - exponent) as u32).unwrap_or(0),
    }
}
