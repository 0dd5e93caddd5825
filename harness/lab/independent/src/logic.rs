//! UISETP, ULOP3, UPLOP3, USHF, UPRMT, UP2UR and UR2UP.
//!
//! Source: document 003; E144 for `.X` of UISETP, E148 for tables, E149 to E153 for USHF, E157 to
//! E160 for UPRMT, E135 to E139 for the predicates as a byte.

use core::cmp::Ordering;

use crate::compare;
use crate::fault::{Active, Fault};
use crate::instruction::Modifiers;
use crate::integer::order;

/// Returns the truth value of UISETP. Under `.X`, `upq` decides if the operands are equal.
pub(crate) fn integer_test(m: &Modifiers, a: u32, b: u32, q: bool, active: Active) -> bool {
    let unsigned = if m.unsigned {
        !(active.has(Fault::LessIsAlwaysSigned) && m.compare == 2)
    } else {
        active.has(Fault::ComparesUnsigned)
    };
    let order = order(a, b, unsigned);
    let chained = m.extended && !active.has(Fault::ChainIgnored);
    if chained && order == Ordering::Equal && !(active.has(Fault::ChainOnlyForEqual) && m.compare > 1) {
        return q;
    }
    compare::holds(m.compare, order, active)
}

/// ULOP3: returns bit 4a + 2b + c of the table for each bit position (E148).
pub(crate) fn table(m: &Modifiers, a: u32, b: u32, c: u32, active: Active) -> u32 {
    let (a, c) = if active.has(Fault::TableOrderReversed) { (c, a) } else { (a, c) };
    if active.has(Fault::ParityTableOptimised) && m.table == 0x96 {
        return a ^ b;
    }
    (0..8u32).filter(|row| (m.table >> row) & 1 == 1).fold(0, |result, row| {
        let pick = |bits: u32, weight: u32| if row & weight != 0 { bits } else { !bits };
        result | (pick(a, 4) & pick(b, 2) & pick(c, 1))
    })
}

/// Returns the predicate of ULOP3: whether the result is not 0, combined with `upp` by AND or OR.
pub(crate) fn table_predicate(m: &Modifiers, result: u32, p: bool, active: Active) -> bool {
    let set = if active.has(Fault::ZeroTestLowHalf) { result & 0xffff != 0 } else { result != 0 };
    if m.or { set || p } else { set && (p || active.has(Fault::AndIgnoresPredicate)) }
}

/// UPLOP3: returns bit 4a + 2b + c of the table for three predicates (E148).
pub(crate) fn table_of_truths(m: &Modifiers, [a, b, c]: [bool; 3], active: Active) -> bool {
    let (b, c) = if active.has(Fault::PredicateTableOrder) { (c, b) } else { (b, c) };
    (m.table >> (4 * u32::from(a) + 2 * u32::from(b) + u32::from(c))) & 1 == 1
}

/// USHF: shifts the pair c:a by `amount` bits.
pub(crate) fn shifted(m: &Modifiers, a: u32, amount: u32, c: u32, active: Active) -> u32 {
    let signed = m.shift_type & 1 == 0;
    let width = if m.shift_type >= 2 && !active.has(Fault::WideShiftsClampAt32) { 64 } else { 32 };
    let places = match m.wrap {
        true if active.has(Fault::WrapKeepsWidth) && amount == width => width,
        true if active.has(Fault::WrapModulo64) => amount % 64,
        true => amount % width,
        false if active.has(Fault::ClampUsesLowByte) => (amount & 0xff).min(width),
        false => amount.min(width),
    };
    let mut pair = (u64::from(c) << 32) | u64::from(a);
    if active.has(Fault::RightSignFromLowWord) && m.right && m.shift_type == 0 {
        pair = i64::from(a as i32) as u64;
    }
    if active.has(Fault::SixtyThreePlaces) && places == 63 {
        return shifted(m, a, 31, c, active);
    }
    let result = match places {
        64 if !m.right && active.has(Fault::LeftBy64Stays) => pair,
        64 if m.right && signed => ((pair as i64) >> 63) as u64,
        64 => 0,
        _ if !m.right => pair << places,
        _ if signed && active.has(Fault::WideRightUnsigned) && m.shift_type == 2 => pair >> places,
        _ if signed => ((pair as i64) >> places) as u64,
        _ => pair >> places,
    };
    let high = m.high && !(active.has(Fault::HighIgnoredOnRight) && m.right);
    if high { (result >> 32) as u32 } else { result as u32 }
}

/// UPRMT: selects four of the eight bytes b:a (E157, E158).
pub(crate) fn permuted(m: &Modifiers, a: u32, b: u32, selector: u32, active: Active) -> u32 {
    let pair = (u64::from(b) << 32) | u64::from(a);
    let byte = |index: u32| (pair >> (8 * (index & 7))) as u32 & 0xff;
    let chosen = selector & 3;
    (0..4u32).fold(0, |result, i| {
        let value = match m.mode {
            0 => {
                let nibble = (selector >> (4 * i)) & 0xf;
                let plain = byte(nibble);
                match nibble & 8 != 0 && !active.has(Fault::SelectorSignIgnored) {
                    true if plain & 0x80 != 0 => 0xff,
                    true => 0,
                    false => plain,
                }
            }
            1 => byte(chosen + i),
            2 if active.has(Fault::BackwardModulo4) => byte(chosen.wrapping_sub(i) & 3),
            2 => byte(chosen.wrapping_sub(i)),
            3 => byte(chosen),
            4 | 5 => byte(edge(m.mode == 4, chosen, i, active)),
            _ if active.has(Fault::HalfTakenTwoBits) => byte(2 * chosen + (i & 1)),
            _ => byte(2 * (chosen & 1) + (i & 1)),
        };
        result | (value << (8 * i))
    })
}

/// Returns the byte index of the modes `.ECL` and `.ECR`. If `left` is true, the index is the
/// greater of `chosen` and `i`, and else the smaller.
fn edge(left: bool, chosen: u32, i: u32, active: Active) -> u32 {
    if left != active.has(Fault::EdgesSwapped) { chosen.max(i) } else { chosen.min(i) }
}

/// UP2UR: replaces bits of a byte of `a` by predicates. Only bits that are 1 in `mask` are
/// replaced. Bit 7, which has no predicate, becomes 1 (E136).
pub(crate) fn packed(m: &Modifiers, predicates: u32, a: u32, mask: u32, active: Active) -> u32 {
    let top = if active.has(Fault::EighthPredicateZero) { 0 } else { 0x80 };
    let place = 8 * m.byte;
    let selected = (mask & 0xff) << place;
    let others = if active.has(Fault::OtherBytesZero) { a & (0xff << place) } else { a };
    (others & !selected) | (((predicates & 0x7f) | top) << place & selected)
}

/// UR2UP: returns the new predicates as a byte. Predicates whose bit in `mask` is 0 stay unchanged
/// (E139).
pub(crate) fn unpacked(m: &Modifiers, predicates: u32, a: u32, mask: u32, active: Active) -> u32 {
    let byte = if active.has(Fault::UnpackTakesByte0) { a } else { a >> (8 * m.byte) };
    let kept = if active.has(Fault::UnselectedCleared) { 0 } else { predicates & !mask };
    (kept | (byte & mask)) & 0x7f
}
