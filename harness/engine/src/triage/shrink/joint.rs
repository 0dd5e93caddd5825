//! Passes of the shrinker that change several operands at once. Changing only one of these operands
//! could hide the divergence.

use assay_isa::format::Format;
use assay_isa::hints::Operation;

use crate::operands::candidate::Candidate;
use crate::operands::operand_kinds::OperandKind;
use crate::operands::operand_words::operand_words;
use crate::triage::shrink::simple::simple;

/// The simplest exponents, as differences from the exponent of 1.
const ROUND: [i32; 3] = [0, -1, 1];

/// Gives one simple value to all operands that have the same value. Each float keeps its sign.
pub(in crate::triage) fn equal_values(case: &Candidate, nth: usize) -> Option<Candidate> {
    let kinds: Vec<OperandKind> = operand_words(&case.instruction).map(|cell| cell.kind).collect();
    let sign = |place: usize| sign_mask(kinds[place]);
    let magnitude = |place: usize| case.value(place) & !sign(place);
    let is_alike =
        |one: usize, other: usize| kinds[one] == kinds[other] && magnitude(one) == magnitude(other);
    let leaders = (0..kinds.len()).filter(|place| {
        !(0..*place).any(|earlier| is_alike(earlier, *place))
            && (place + 1..kinds.len()).any(|later| is_alike(*place, later))
    });
    let mut choices = leaders.flat_map(|leader| {
        let list: Vec<u32> =
            simple(kinds[leader]).into_iter().filter(|value| value & sign(leader) == 0).collect();
        let rank = list.iter().position(|value| *value == magnitude(leader)).unwrap_or(list.len());
        list.into_iter().enumerate().map(move |(nth, value)| (leader, value, nth < rank))
    });
    let (leader, value, is_simpler) = choices.nth(nth)?;
    let mut moved = case.clone();
    if is_simpler {
        for place in (leader..kinds.len()).filter(|place| is_alike(leader, *place)) {
            moved.set_value(place, case.value(place) & sign(place) | value);
        }
    }
    Some(moved)
}

fn sign_mask(kind: OperandKind) -> u32 {
    match kind {
        OperandKind::Float(format) => format.sign_mask(),
        _ => 0,
    }
}

/// Returns the operation of a sum or product, the format of its operands, and the places of the
/// operands.
fn rounded(case: &Candidate) -> Option<(Operation, Format, Vec<usize>)> {
    let operation = case.instruction.form().optype.hints.operation()?;
    let kinds = operand_words(&case.instruction).map(|cell| cell.kind).enumerate();
    let floats: Vec<(usize, Format)> = kinds
        .filter_map(|(place, kind)| match kind {
            OperandKind::Float(format) => Some((place, format)),
            _ => None,
        })
        .collect();
    let (_, format) = *floats.first()?;
    Some((operation, format, floats.into_iter().map(|(place, _)| place).collect()))
}

/// Returns the exponent field of a normal number, or `None` for other values.
fn exponent(format: Format, bits: u32) -> Option<i32> {
    let exponent = (bits & !format.sign_mask()) >> format.fraction_bits;
    (exponent != 0 && exponent < format.infinity() >> format.fraction_bits).then_some(exponent as i32)
}

/// Returns a normal number with its exponent changed, if it stays normal. A zero stays.
fn shifted(format: Format, bits: u32, by: i32) -> Option<u32> {
    if bits & !format.sign_mask() == 0 {
        return Some(bits);
    }
    let moved = bits.wrapping_add_signed(by << format.fraction_bits);
    let new = exponent(format, bits)? + by;
    (new > 0 && new < (format.infinity() >> format.fraction_bits) as i32).then_some(moved)
}

/// Scales several operands by powers of two, so that one of them gets a simple exponent. The exact
/// result stays equal or is scaled by a power of two.
pub(in crate::triage) fn scale(case: &Candidate, nth: usize) -> Option<Candidate> {
    let (operation, format, places) = rounded(case)?;
    // The lists of operands that are scaled together, each with the direction of its scaling. The
    // first operand of a list gets the simple exponent.
    let along: &[&[(usize, i32)]] = match operation {
        Operation::Sum => &[&[(0, 1), (1, 1)], &[(1, 1), (0, 1)]],
        Operation::Product => &[&[(0, 1), (1, -1)], &[(1, 1), (0, -1)], &[(0, 1)], &[(1, 1)]],
        Operation::Fused => &[&[(0, 1), (2, 1)], &[(1, 1), (2, 1)], &[(0, 1), (1, -1)], &[(1, 1), (0, -1)]],
    };
    let moves = along.get(nth / ROUND.len())?;
    let mut moved = case.clone();
    let place = |operand: usize| places.get(operand).copied();
    let Some(leader) = place(moves[0].0).and_then(|place| exponent(format, case.value(place))) else {
        return Some(moved);
    };
    let one = (format.one() >> format.fraction_bits) as i32;
    let is_round = |exponent: i32| ROUND[..=nth % ROUND.len()].contains(&(exponent - one));
    let by = one + ROUND[nth % ROUND.len()] - leader;
    if is_round(leader) {
        return Some(moved);
    }
    for (operand, direction) in *moves {
        let Some(place) = place(*operand) else { return Some(case.clone()) };
        let Some(value) = shifted(format, case.value(place), by * direction) else {
            return Some(case.clone());
        };
        moved.set_value(place, value);
    }
    Some(moved)
}

/// Clears low bits of one factor, and changes the other factor so that the product is nearly
/// unchanged.
pub(in crate::triage) fn recompute(case: &Candidate, nth: usize) -> Option<Candidate> {
    let (operation, format, places) = rounded(case)?;
    if operation == Operation::Sum || places.len() < 2 {
        return None;
    }
    let (order, rest) = (nth % 2, nth / 2);
    let (offset, kept) = ([0, -1, 1][rest % 3], rest as u32 / 3);
    if kept >= format.fraction_bits {
        return None;
    }
    let (factor, other) = if order == 0 { (places[0], places[1]) } else { (places[1], places[0]) };
    let (now, its) = (case.value(factor), case.value(other));
    let mut moved = case.clone();
    let simpler = now & !((1 << (format.fraction_bits - kept)) - 1);
    let Some(new) = quotient(format, (now, its), simpler) else { return Some(moved) };
    let new = new.wrapping_add_signed(offset);
    let bits = |one, other| significant_bits(format, one) + significant_bits(format, other);
    if exponent(format, new).is_some() && bits(simpler, new) < bits(now, its) {
        moved.set_value(factor, simpler);
        moved.set_value(other, new);
    }
    Some(moved)
}

/// Returns the bits of the factor whose product with `by` is nearest to `one * other`. `None`
/// unless all of these are normal numbers of F32.
fn quotient(format: Format, (one, other): (u32, u32), by: u32) -> Option<u32> {
    if format != assay_isa::format::F32
        || [one, other, by].iter().any(|bits| exponent(format, *bits).is_none())
    {
        return None;
    }
    let [one, other, by] = [one, other, by].map(|bits| f64::from(f32::from_bits(bits)));
    let bits = ((one * other / by) as f32).to_bits();
    exponent(format, bits).map(|_| bits)
}

/// Returns the number of bits of the fraction, up to the last set bit.
fn significant_bits(format: Format, bits: u32) -> u32 {
    let fraction = bits & format.fraction_mask();
    if fraction == 0 { 0 } else { format.fraction_bits - fraction.trailing_zeros() }
}
