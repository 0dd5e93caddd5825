//! The rounder, which rounds every result of FADD, FMUL and FFMA once.

use std::hint::select_unpredictable;

use assay_isa::Reading;
use assay_isa::tables::types::FPRound;

use super::exact::{Exact, POINT, shift_right_sticky};
use super::{INFINITY, SIGN};
use crate::knobs::Knobs;
use crate::site::Site;

/// Number of bits of a normalised 64-bit significand that do not fit into 24 bits.
const DROPPED: u32 = 40;
/// Biased exponent of the largest numbers. A carry out of the largest number produces Inf without a
/// special case.
const GREATEST: i32 = 254;
/// Half a unit of the last place. The unit is 2^64.
const HALF: u64 = 1 << 63;

/// A number rounded to binary32.
#[derive(Clone, Copy)]
pub(super) struct Rounded {
    /// The bit pattern.
    pub bits: u32,
    /// Whether the number is tiny. Under E173 = 2, a number is tiny if it is below the normal
    /// numbers after rounding to 24 bits with an unbounded exponent. Under C003 = 2, a number is
    /// tiny if it is below the normal numbers before rounding. Not determined under other settings.
    pub tiny: bool,
}

/// Rounds an exact number once: to 24 bits, or at the last place of the subnormals.
#[inline(always)]
pub(super) fn round<K: Knobs>(k: &K, mode: FPRound, exact: Exact) -> Rounded {
    let Exact { sign, exponent, significand } = exact;
    let is_zero = significand == 0;
    // A zero has 64 leading zeros and so a small exponent. The code rounds it to zero like other
    // numbers.
    let shift = significand.leading_zeros();
    let exponent = exponent + (63 - POINT as i32) - shift as i32;
    let significand = significand.wrapping_shl(shift);
    let before = k.reading(Reading::C003) == 2;
    let unbounded = k.reading(Reading::E173) == 2;
    let tiny = before && exponent < 1 || unbounded && is_tiny(k, mode, sign, exponent, significand);
    let tiny = tiny && !is_zero;

    // This code has no branches, because half of all random products overflow or underflow.
    let denormal = shift_right_sticky(significand, (1 - exponent) as u32);
    let significand = select_unpredictable(exponent < 1, denormal, significand);
    let (kept, mut up) = at_24(k, mode, sign, significand);
    if k.wrong(Site::FmulDenormalTruncated) && exponent < 1 {
        up = false;
    }
    // The leading one, if present, increments the exponent field. So does a carry.
    let normal = (significand as i64 >> 63) as u32;
    let magnitude = (((exponent - 1) as u32 & normal) << 23) + kept + u32::from(up);
    let bits = select_unpredictable(exponent > GREATEST, overflow(mode, sign), magnitude);
    Rounded { bits: sign | bits, tiny }
}

/// Returns the 24 leading bits of a significand, and whether the other bits round them up.
#[inline(always)]
fn at_24<K: Knobs>(k: &K, mode: FPRound, sign: u32, significand: u64) -> (u32, bool) {
    let kept = (significand >> DROPPED) as u32;
    let rest = significand << (64 - DROPPED);
    // Rounds up if the dropped bits, as a number, exceed the threshold. No such number exceeds the
    // greatest threshold, so that threshold never rounds up.
    let odd = u64::from(kept & 1);
    let threshold = match mode {
        FPRound::RN if k.wrong(Site::FaddTieToOdd) => HALF - (1 - odd),
        FPRound::RN if k.reading(Reading::E169) == 1 => HALF - 1,
        FPRound::RN => HALF - odd,
        _ if away_from_zero(mode, sign) => 0,
        _ => !0,
    };
    (kept, rest > threshold)
}

/// Returns whether a directed mode rounds a number of this sign away from zero.
#[inline(always)]
fn away_from_zero(mode: FPRound, sign: u32) -> bool {
    match mode {
        FPRound::RP => sign == 0,
        FPRound::RM => sign != 0,
        FPRound::RN | FPRound::RZ => false,
    }
}

/// Returns the result of an overflow: a number with an exponent beyond [`GREATEST`].
#[inline(always)]
fn overflow(mode: FPRound, sign: u32) -> u32 {
    if mode == FPRound::RN || away_from_zero(mode, sign) { INFINITY } else { INFINITY - 1 }
}

fn is_tiny<K: Knobs>(k: &K, mode: FPRound, sign: u32, exponent: i32, significand: u64) -> bool {
    exponent < 1 && rounded_to_24(k, mode, sign, exponent, significand).0 < 1
}

/// Rounds a normalised number to 24 bits, whatever its exponent.
fn rounded_to_24<K: Knobs>(k: &K, mode: FPRound, sign: u32, exponent: i32, significand: u64) -> (i32, u64) {
    let (kept, up) = at_24(k, mode, sign, significand);
    let rounded = kept + u32::from(up);
    let carry = rounded >> 24;
    (exponent + carry as i32, u64::from(rounded >> carry) << DROPPED)
}

/// Returns the sign of a sum that is exactly zero, from the signs of its terms (E172).
#[inline(always)]
pub(super) fn sign_of_zero_sum<K: Knobs>(k: &K, mode: FPRound, first: u32, second: u32) -> u32 {
    if k.reading(Reading::E172) == 1 {
        0
    } else if first == second {
        first
    } else if mode == FPRound::RM {
        SIGN
    } else {
        0
    }
}
