//! Relations of floats. The arithmetic of the host is accurate enough, because operands that nearly
//! have a relation are a good test, too.

use super::OperandRelation::{self, *};
use super::bits::{BendBits, each};
use super::ends;
use super::numbers::{exponent, product_of, with_exponent, with_product_exponent};

impl OperandRelation {
    #[inline(always)]
    pub(super) fn bend_floats<const N: usize>(self, values: &mut [[u32; N]], random: &[u64; N]) {
        let last = values.len() - 1;
        let (a, b, addend) = (values[0], values[1], values[last]);
        // The other term beside the last operand: the first operand, or the product of the factors.
        let rest = if last == 2 { each(random, |lane, _| product_of(a[lane], b[lane])) } else { a };
        match self {
            Cancel => values[last] = each(random, |lane, bits| cancel(rest[lane], bits)),
            Distance => values[last] = each(random, |lane, bits| at_distance(rest[lane], addend[lane], bits)),
            Tie => values[last] = each(random, |lane, bits| half_unit(rest[lane], bits)),
            Short => {
                values[0] = each(random, |lane, bits| a[lane] & !0 << bits.below(16));
                values[1] = each(random, |lane, bits| b[lane] & !0 << (bits.second & 15));
            }
            Underflow => {
                values[1] =
                    each(random, |lane, bits| with_product_exponent(a[lane], b[lane], -150, bits.below(27)));
            }
            Overflow => {
                values[1] =
                    each(random, |lane, bits| with_product_exponent(a[lane], b[lane], 125, bits.below(5)));
            }
            Brink => values[1] = each(random, |lane, bits| brink(a[lane], bits)),
            Residue if last == 2 => {
                values[0] = each(random, |lane, bits| with_exponent(a[lane], 1 + (bits.second & 63) as i32));
                let a = values[0];
                values[1] = each(random, |lane, bits| residual_factor(a[lane], bits) ^ bits.sign());
                values[2] = each(random, |_, bits| residual_units(bits) ^ bits.sign() ^ 0x8000_0000);
            }
            Equal => values[last] = rest,
            Opposite => values[last] = each(random, |lane, _| rest[lane] ^ 0x8000_0000),
            Neighbour => values[last] = each(random, |lane, bits| bits.near(rest[lane])),
            Apart => {
                values[0] = each(random, |lane, bits| with_exponent(a[lane], apart(bits)[0]));
                values[1] = each(random, |lane, bits| with_exponent(b[lane], apart(bits)[1]));
            }
            _ => ends::bend(self, values, random, rest),
        }
    }
}

/// Returns the other term with a random number of low bits replaced, and its sign negated or not.
/// If the sign is negated, a random number of bits of the sum cancel, up to all bits.
#[inline(always)]
fn cancel(rest: u32, bits: BendBits) -> u32 {
    let noise = (1_u32 << bits.below(24)) - 1;
    (rest ^ (bits.second & noise)) ^ 0x8000_0000 ^ bits.sign()
}

/// Returns `value` with an exponent that differs from that of `rest` by up to 60. The exponent of a
/// zero, subnormal, infinity or NaN counts as that of 1.0.
#[inline(always)]
fn at_distance(rest: u32, value: u32, bits: BendBits) -> u32 {
    with_exponent(value, exponent(rest) + bits.below(121) as i32 - 60)
}

/// Returns about half a unit in the last place of `rest`, of either sign.
#[inline(always)]
fn half_unit(rest: u32, bits: BendBits) -> u32 {
    with_exponent(bits.second & 0x8000_0000, exponent(rest) - 24).wrapping_add(bits.below(3)).wrapping_sub(1)
}

/// Returns the factor that brings the product to the least normal number, within a few units.
#[inline(always)]
fn brink(a: u32, bits: BendBits) -> u32 {
    let factor = (f64::from(f32::MIN_POSITIVE) / f64::from(f32::from_bits(a))) as f32;
    factor.to_bits().wrapping_add(bits.below(8)).wrapping_sub(4)
}

/// Returns 1 to 64 units of the least subnormal number.
#[inline(always)]
fn residual_units(bits: BendBits) -> u32 {
    1 + bits.below(64)
}

/// Returns the factor that brings the product to [`residual_units`], as near as a float can.
#[inline(always)]
fn residual_factor(a: u32, bits: BendBits) -> u32 {
    let units = f64::from(residual_units(bits)) * f64::from(f32::from_bits(1));
    ((units / f64::from(f32::from_bits(a))) as f32).to_bits()
}

/// Returns two exponents that are 120 to 131 apart. The first one lies toward one end of the range,
/// to leave room for the second.
#[inline(always)]
fn apart(bits: BendBits) -> [i32; 2] {
    let distance = 120 + bits.below(12) as i32;
    let low = (bits.second & 0x7f) as i32;
    if bits.sign() == 0 { [low, low + distance] } else { [254 - low, 254 - low - distance] }
}
