//! POPC, FLO, BREV, BMSK, SGXT and their uniform variants.
//!
//! Source: documents 000 and 003; E049 to E053 for FLO, E056 for BREV, E057 and E058 for BMSK, E062
//! and E063 for SGXT.

use crate::fault::{Active, Fault};
use crate::instruction::Modifiers;

/// POPC: returns the number of ones.
pub(crate) fn count(bits: u32, active: Active) -> u32 {
    match bits {
        _ if active.has(Fault::CountMissesTopBit) => (bits & 0x7fff_ffff).count_ones(),
        _ if active.has(Fault::CountFiveBits) => bits.count_ones() & 31,
        0x5555_5555 if active.has(Fault::CountOfAlternating) => 8,
        _ => bits.count_ones(),
    }
}

/// FLO: returns the position of the leading one. A negative signed operand is complemented first.
pub(crate) fn leading_one(m: &Modifiers, bits: u32, active: Active) -> u32 {
    if bits == 0 && !active.has(Fault::LeadingOneOfZero) {
        return not_found(m, active);
    }
    let negative = !m.unsigned && bits >> 31 == 1;
    let searched = match negative {
        true if active.has(Fault::LeadingOneOfMagnitude) => bits.wrapping_neg(),
        true => !bits,
        false if active.has(Fault::LeadingOneComplementsAll) && !m.unsigned => !bits,
        false => bits,
    };
    if searched == 0 {
        return if active.has(Fault::LeadingOneOfZero) { 0 } else { not_found(m, active) };
    }
    let distance = if active.has(Fault::DistanceOfLowestOne) && m.distance {
        searched.trailing_zeros()
    } else {
        searched.leading_zeros()
    };
    if m.distance { distance } else { 31 - searched.leading_zeros() }
}

/// FLO of an operand without ones: returns 0xFFFFFFFF, also under `.SH` (E053).
fn not_found(m: &Modifiers, active: Active) -> u32 {
    if m.distance && active.has(Fault::DistanceOfNothing) { 32 } else { u32::MAX }
}

/// BREV: returns the complement, as the documents state three times (E056).
pub(crate) fn complemented(bits: u32, uniform: bool, active: Active) -> u32 {
    if uniform && active.has(Fault::UniformReversal) { bits.reverse_bits() } else { !bits }
}

/// BMSK: returns `width` ones from bit `from` upwards, cut to 32 bits (E057).
pub(crate) fn mask(m: &Modifiers, from: u32, width: u32, literal: bool, active: Active) -> u32 {
    let (from, width) = if m.wrap {
        let width = if active.has(Fault::MaskWrapsFromOnly) { width } else { width & 31 };
        (from & 31, width)
    } else {
        let signed = literal && width >> 31 == 1 && active.has(Fault::WidthLiteralSigned);
        (from, if signed { width & 31 } else { width })
    };
    if from >= 32 {
        return 0;
    }
    if width == 0 && active.has(Fault::EmptyMaskIsFull) {
        return u32::MAX << from;
    }
    let low = |bits: u32| if bits >= 32 { u32::MAX } else { (1u32 << bits) - 1 };
    let mut end = from.saturating_add(width);
    if active.has(Fault::MaskEndInclusive) {
        end = end.saturating_add(1);
    }
    if active.has(Fault::MaskEndWraps) && end > 32 && width < 32 {
        return low(end - 32);
    }
    low(end) & !low(from)
}

/// SGXT: returns the low `width` bits, extended to 32 bits.
pub(crate) fn extended(m: &Modifiers, bits: u32, width: u32, active: Active) -> u32 {
    let width = match m.wrap {
        true if active.has(Fault::WrapKeepsThirtyTwo) && width == 32 => 32,
        true => width & 31,
        false if active.has(Fault::WidthTakenModulo64) => (width & 63).min(32),
        false => width.min(32),
    };
    match width {
        0 if active.has(Fault::ZeroWidthPasses) => bits,
        0 => 0,
        32 if active.has(Fault::FullWidthIsZero) && !m.unsigned => 0,
        _ if m.unsigned => bits & (u32::MAX >> (32 - width)),
        _ if active.has(Fault::SignBitOneAbove) && width < 32 => {
            let low = bits & (u32::MAX >> (32 - width));
            if (bits >> width) & 1 == 1 { low | (u32::MAX << width) } else { low }
        }
        _ => ((bits << (32 - width)) as i32 >> (32 - width)) as u32,
    }
}
