//! Loads operands and guards: computes the operands of an operation from the values of locations.
//!
//! RZ and URZ read 0 and PT reads true (E010). The value of an immediate is its bits. The
//! complement is applied first, then the absolute value, then the sign change (document `004`,
//! FADD; E175), then FTZ. For an integer a minus means the two's complement, or with `.X` the one's
//! complement. These steps change local copies only. Sources are read once, before any output is
//! written (E011). [`crate::assign`] changes registers under E012 = 1.

use assay_isa::effect::Lanes;
use assay_isa::{BackendError, Batch, Location, Operand, Reading, Source};

use crate::float::{SIGN, flush};
use crate::knobs::Knobs;
use crate::semantics::Minus;

/// A column that an operation reads: one word of an operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    /// The operand.
    pub operand: Operand,
    /// The operand's position among the operands that are read.
    pub position: u8,
    /// The number of the word.
    pub word: u8,
    /// The effect of a minus before the operand.
    pub minus: Minus,
    /// Whether FTZ flushes the operand when it is read.
    pub flushed: bool,
}

/// Fills `values` with an operand's values in all lanes: 32 bits, or 0 and 1 for a predicate. For
/// an indexed operand these are the values of its base register.
pub(crate) fn load(
    batch: &Batch,
    input: &Input,
    flushed: bool,
    values: &mut Vec<u32>,
) -> Result<(), BackendError> {
    let operand = input.operand;
    match operand.source {
        Source::Pred(_) | Source::UPred(_) => {
            let not = operand.not;
            return fill(batch, operand.source.location(), 1, values, |bit| u32::from((bit != 0) != not));
        }
        Source::AllPredicates => return pack(batch, operand, values),
        _ => {}
    }
    let minus = Some(input.minus).filter(|_| operand.neg);
    let negates = minus == Some(Minus::Negative);
    let complements = operand.bitnot || minus == Some(Minus::Complement);
    let invert = if complements || negates { !0 } else { 0 };
    let keep = if operand.abs { !SIGN } else { !0 };
    let flip = if minus == Some(Minus::Sign) { SIGN } else { 0 };
    let modified = |bits: u32| ((bits ^ invert).wrapping_add(negates.into()) & keep) ^ flip;
    let constant = if let Source::Imm(bits) = operand.source { bits } else { 0 };
    let location = operand.word(input.word).or(operand.source.base());
    match flushed {
        true => fill(batch, location, constant, values, |bits| flush(modified(bits))),
        // Without prefixes the loop is a plain copy, which is faster.
        false if (invert, keep, flip) == (0, !0, 0) => fill(batch, location, constant, values, |bits| bits),
        false => fill(batch, location, constant, values, modified),
    }
}

/// Fills in the values of a location, or a constant if the operand has no location. Applies `seen`
/// to each value.
fn fill(
    batch: &Batch,
    location: Option<Location>,
    constant: u32,
    values: &mut Vec<u32>,
    seen: impl Fn(u32) -> u32,
) -> Result<(), BackendError> {
    values.clear();
    match location {
        Some(location) => values.extend(column(batch, location)?.iter().map(|bits| seen(*bits))),
        None => values.resize(batch.len(), seen(constant)),
    }
    Ok(())
}

/// Returns the values that a batch has for a location.
pub(crate) fn column(batch: &Batch, location: Location) -> Result<&[u32], BackendError> {
    batch.column(location).ok_or(BackendError::MissingLocation(location))
}

/// Packs all uniform predicates into a byte, UP0 in the lowest bit. The bit above them is UPT (E136).
fn pack(batch: &Batch, operand: Operand, values: &mut Vec<u32>) -> Result<(), BackendError> {
    values.clear();
    values.resize(batch.len(), 1 << operand.words);
    for (place, location) in (0..).zip(operand.locations()) {
        for (byte, bit) in values.iter_mut().zip(column(batch, location)?) {
            *byte |= u32::from(*bit != 0) << place;
        }
    }
    Ok(())
}

/// Returns the lanes that execute. Returns `None` if the guard is the constant false, `@!PT`. A
/// lane with a false guard has no effect, unless the guard is ignored (E008 = 2).
pub(crate) fn guarded<K: Knobs>(k: &K, batch: &Batch, guard: Operand) -> Result<Option<Lanes>, BackendError> {
    let Some(guard) = k.guard(guard).filter(|_| k.reading(Reading::E008) != 2) else {
        return Ok(Some(Lanes::All));
    };
    Ok(match guard.source.location() {
        Some(location) => {
            Some(Lanes::Some(column(batch, location)?.iter().map(|bit| (*bit != 0) != guard.not).collect()))
        }
        None => (!guard.not).then_some(Lanes::All),
    })
}
