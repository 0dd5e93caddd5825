//! Relations of integers.

use super::OperandRelation::{self, *};
use super::bits::{BendBits, below, each};

impl OperandRelation {
    #[inline(always)]
    pub(super) fn bend_integers<const N: usize>(self, values: &mut [[u32; N]], random: &[u64; N]) {
        let last = values.len() - 1;
        let lanes = 0..N;
        match self {
            Carry if last >= 1 => {
                let (a, b) = (values[0], values[1]);
                // The addend of two factors is related to the low or the high half of their
                // product.
                let half = |lane: usize, bits: BendBits| {
                    ((u64::from(a[lane]) * u64::from(b[lane])) >> (bits.second & 32)) as u32
                };
                let rest = if last == 2 { each(random, half) } else { a };
                values[last.min(2)] = each(random, |lane, bits| near_carry(rest[lane], bits));
            }
            WideCarry if last >= 3 => {
                for lane in lanes {
                    let (a, b) = (values[0][lane], values[1][lane]);
                    let addend = near_negated_product(a, b, BendBits::of(random[lane]));
                    [values[2][lane], values[3][lane]] = [addend as u32, (addend >> 32) as u32];
                }
            }
            Halfway if last >= 1 => {
                for lane in lanes {
                    // Either factor may be a literal. Literals are not changed.
                    let (bent, other) = if random[lane] >> 63 == 0 { (0, 1) } else { (1, 0) };
                    values[bent][lane] = halfway(values[other][lane], BendBits::of(random[lane]));
                }
            }
            ShiftedCarry if last >= 3 => {
                for lane in lanes {
                    let pair = u64::from(values[2][lane]) << 32 | u64::from(values[0][lane]);
                    let shifted = u128::from(pair) << (values[3][lane] & 31);
                    let rest = (shifted >> (random[lane] >> 32 & 32)) as u32;
                    values[1][lane] = near_carry(rest, BendBits::of(random[lane]));
                }
            }
            _ => {}
        }
    }
}

/// Returns an operand that brings a sum to 2^32, or an operand that equals the other, so that a
/// difference is 0. The returned operand may be off by up to 2.
#[inline(always)]
fn near_carry(rest: u32, bits: BendBits) -> u32 {
    bits.near(if bits.second >> 30 == 0 { rest } else { rest.wrapping_neg() })
}

/// Returns an addend that makes product + addend lie within 2 of 2^64. The product is unsigned or
/// signed.
#[inline(always)]
fn near_negated_product(a: u32, b: u32, bits: BendBits) -> u64 {
    let product = match bits.second >> 29 & 1 {
        0 => u64::from(a) * u64::from(b),
        _ => (i64::from(a as i32) * i64::from(b as i32)) as u64,
    };
    product.wrapping_neg().wrapping_add(below(bits.first, 5).into()).wrapping_sub(2)
}

/// Returns the factor that brings a product to 2^31, 2^32, 2^63 or 2^64, within three times the
/// other factor.
#[inline(always)]
fn halfway(other: u32, bits: BendBits) -> u32 {
    let product = 1_u128 << [31, 32, 63, 64][(bits.second >> 29 & 3) as usize];
    bits.near(product.div_ceil(u128::from(other.max(1))) as u32)
}
