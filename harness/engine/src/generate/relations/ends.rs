//! Relations whose results lie at an end: of a binade, or of the range of F32.

use super::OperandRelation::{self, *};
use super::bits::{BendBits, each};
use super::numbers::{exponent, product_of, with_exponent, with_product_exponent};

/// Mask of the sign and the exponent. A masked number is a power of two.
const POWER: u32 = 0xff80_0000;

/// Bends the lanes of a block. `rest` is the term of a sum that is not the addend.
#[inline(always)]
pub(super) fn bend<const N: usize>(
    relation: OperandRelation,
    values: &mut [[u32; N]],
    random: &[u64; N],
    rest: [u32; N],
) {
    match relation {
        Edge => edge(values, random, rest),
        ReachingSum => reaching_sum(values, random),
        ReachingProduct => {
            let a = values[0];
            values[1] = each(random, |lane, bits| reaching_factor(a[lane], bits));
        }
        Doubled => move_all(values, random, |bits| beyond(bits, 253, 0, 3)),
        Squared => move_all(values, random, |bits| beyond(bits, 190, 51, 14)),
        AddedFactor(other) if values.len() == 3 => {
            let factor = values[other];
            move_all(values, random, |bits| beyond(bits, 253, 0, 3));
            values[other] =
                each(random, |lane, bits| with_exponent(factor[lane], 125 + (bits.second & 3) as i32));
        }
        _ => {}
    }
}

/// Makes one term a power of two. The other term gets an exponent so that it is about a quarter to
/// a half of the power's unit.
#[inline(always)]
fn edge<const N: usize>(values: &mut [[u32; N]], random: &[u64; N], rest: [u32; N]) {
    let last = values.len() - 1;
    let addend = values[last];
    // Whether the addend becomes the power of two. Otherwise, the other term does.
    let is_power = |bits: BendBits| bits.second >> 31 == 0;
    for factor in &mut values[..last] {
        let whole = *factor;
        *factor = each(random, |lane, bits| if is_power(bits) { whole[lane] } else { whole[lane] & POWER });
    }
    let power = match last {
        2 => each(random, |lane, _| product_of(values[0][lane], values[1][lane])),
        _ => rest,
    };
    values[last] = each(random, |lane, bits| {
        let distance = [24, 25, 25, 26][bits.below(4) as usize];
        if is_power(bits) {
            with_exponent(addend[lane] & POWER, exponent(rest[lane]) + distance)
        } else {
            with_exponent(addend[lane], exponent(power[lane]) - distance)
        }
    });
}

/// Gives the first term an exponent such that an addend can bring the sum to the target. Then sets
/// the addend so that the sum is within two units of the target.
#[inline(always)]
fn reaching_sum<const N: usize>(values: &mut [[u32; N]], random: &[u64; N]) {
    let last = values.len() - 1;
    let (a, b) = (values[0], values[1]);
    match last {
        2 => {
            values[1] = each(random, |lane, bits| {
                let least = if is_least(bits) { -126 } else { 128 } - 30;
                with_product_exponent(a[lane], b[lane], least, bits.below(32))
            });
        }
        _ => {
            values[0] = each(random, |lane, bits| {
                let above = bits.below(26) as i32;
                with_exponent(a[lane], if is_least(bits) { 1 + above } else { 254 - above })
            });
        }
    }
    let first = |lane: usize| {
        let number = |place: usize| f64::from(f32::from_bits(values[place][lane]));
        if last == 2 { number(0) * number(1) } else { number(0) }
    };
    values[last] = each(random, |lane, bits| within_range(target(bits) - first(lane), bits));
}

/// Returns the factor that brings the product to the target, within two units. In half of the
/// lanes, the target is that of a product that is scaled by a power of two from 1/8 to 8.
#[inline(always)]
fn reaching_factor(a: u32, bits: BendBits) -> u32 {
    let scale = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 4.0, 8.0, 0.5, 0.25, 0.125];
    let scale = scale[((u64::from(bits.second << 2) * scale.len() as u64) >> 32) as usize];
    within_range(target(bits) / (scale * f64::from(f32::from_bits(a))), bits)
}

/// Whether the target of a lane is the least normal number. Otherwise, the target is 2^128, the
/// first power of two beyond all numbers.
#[inline(always)]
fn is_least(bits: BendBits) -> bool {
    bits.second >> 30 & 1 == 0
}

/// Returns the target of a lane: the least normal number or 2^128, of either sign.
#[inline(always)]
fn target(bits: BendBits) -> f64 {
    let magnitude = if is_least(bits) { f64::from(f32::MIN_POSITIVE) } else { 2.0 * 2_f64.powi(127) };
    if bits.second >> 31 == 0 { magnitude } else { -magnitude }
}

/// Returns the pattern of the nearest finite number of F32, changed by at most two units.
#[inline(always)]
fn within_range(number: f64, bits: BendBits) -> u32 {
    let limit = f64::from(f32::MAX);
    bits.near((number.clamp(-limit, limit) as f32).to_bits())
}

/// Gives all operands the same exponent, because operands in one register must have the same
/// exponent.
#[inline(always)]
fn move_all<const N: usize>(values: &mut [[u32; N]], random: &[u64; N], exponent: impl Fn(BendBits) -> i32) {
    for operand in values {
        let before = *operand;
        *operand = each(random, |lane, bits| with_exponent(before[lane], exponent(bits)));
    }
}

/// Returns one of 4 exponents from `high` on, or one of `number` exponents from `low` on.
#[inline(always)]
fn beyond(bits: BendBits, high: i32, low: i32, number: u32) -> i32 {
    if bits.second >> 31 == 0 { high + bits.below(4) as i32 } else { low + bits.below(number) as i32 }
}
