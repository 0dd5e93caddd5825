//! Operands and guard: from locations to the values that an operation sees.
//!
//! RZ and URZ read 0 and PT reads true (E010), an immediate reads itself. The complement is taken before
//! anything else, the absolute value before the sign is changed (document `004`, FADD; E175), then FTZ
//! flushes. All of it goes into local copies: sources are read once, before anything is written (E011).
//! Whether the registers follow their copies is decided in [`crate::assign`].

use assay_isa::effect::Lanes;
use assay_isa::{Batch, Operand, Reading, Source, VoiceError};

use crate::faults::Fault;
use crate::float::{INFINITY, SIGN};
use crate::knobs::Knobs;

const NEG_BEFORE_ABS: [Fault; 6] = [
    Fault::MufuNegBeforeAbs,
    Fault::FaddNegBeforeAbs,
    Fault::FfmaNegatedAbsolute,
    Fault::FmnmxNegBeforeAbs,
    Fault::FsetNegBeforeAbs,
    Fault::FselNegBeforeAbs,
];
const COMPLEMENT_IGNORED: [Fault; 2] = [Fault::PopcComplementIgnored, Fault::FloComplementIgnored];
const NOT_IGNORED: [Fault; 4] =
    [Fault::FmnmxNotIgnored, Fault::FsetpNotIgnored, Fault::FsetNotIgnored, Fault::FselNotIgnored];
const IMMEDIATE_SWAPPED: [Fault; 3] =
    [Fault::MufuImmediateSwapped, Fault::FfmaImmediateSwapped, Fault::FselImmediateSwapped];
const ZERO_REGISTER: [Fault; 3] = [Fault::FfmaZeroRegister, Fault::PopcZeroRegister, Fault::BrevZeroRegister];
const GUARD_IGNORED: [Fault; 8] = [
    Fault::MufuPredicateIgnored,
    Fault::FaddPredicateIgnored,
    Fault::FmnmxPredicateIgnored,
    Fault::FselPredicateIgnored,
    Fault::FchkPredicateIgnored,
    Fault::PopcPredicateIgnored,
    Fault::BmskPredicateIgnored,
    Fault::SgxtPredicateIgnored,
];
const GUARD_NOT_INVERTED: [Fault; 4] = [
    Fault::FmulPredicateNotInverted,
    Fault::FsetpPredicateNotInverted,
    Fault::FloPredicateNotInverted,
    Fault::BrevPredicateNotInverted,
];

/// Fills `values` with what the lanes of a batch see in an operand: 32 bits, or 0 and 1 for a predicate.
pub(crate) fn load<K: Knobs>(
    k: &K,
    batch: &Batch,
    operand: Operand,
    flushed: bool,
    values: &mut Vec<u32>,
) -> Result<(), VoiceError> {
    if let Source::Pred(_) = operand.source {
        let not = operand.not && !k.any(&NOT_IGNORED);
        return fill(batch, operand.source, 1, values, |bit| u32::from((bit != 0) != not));
    }
    let (abs, neg) = signs(k, operand);
    let invert = if operand.bitnot && !k.any(&COMPLEMENT_IGNORED) { !0 } else { 0 };
    let keep = if abs { !SIGN } else { !0 };
    let flip = if neg { SIGN } else { 0 };
    let increment = u32::from(operand.bitnot && k.fault(Fault::PopcComplementNegates));
    let modified = |bits: u32| ((bits ^ invert).wrapping_add(increment) & keep) ^ flip;
    let zero = if k.any(&[Fault::FmnmxFlushSign, Fault::FselFlushSign]) { 0 } else { SIGN };
    let zeroed = |bits| if bits & INFINITY == 0 { bits & zero } else { bits };
    let constant = constant(k, operand.source);
    match flushed {
        true => fill(batch, operand.source, constant, values, |bits| zeroed(modified(bits))),
        false => fill(batch, operand.source, constant, values, modified),
    }
}

fn fill(
    batch: &Batch,
    source: Source,
    constant: u32,
    values: &mut Vec<u32>,
    seen: impl Fn(u32) -> u32,
) -> Result<(), VoiceError> {
    values.clear();
    match source.location() {
        Some(location) => {
            let column = batch.column(location).ok_or(VoiceError::MissingLocation(location))?;
            values.extend(column.iter().map(|bits| seen(*bits)));
        }
        None => values.resize(batch.len(), seen(constant)),
    }
    Ok(())
}

fn signs<K: Knobs>(k: &K, operand: Operand) -> (bool, bool) {
    let abs = operand.abs && !k.fault(Fault::MufuAbsIgnored);
    let neg = operand.neg && !(abs && k.any(&NEG_BEFORE_ABS)) && !k.fault(Fault::MufuNegIgnored);
    (abs, neg)
}

fn constant<K: Knobs>(k: &K, source: Source) -> u32 {
    match source {
        Source::Imm(bits) if k.any(&IMMEDIATE_SWAPPED) => bits.rotate_left(16),
        Source::Imm(bits) if k.fault(Fault::BrevImmediateExtended) => ((bits << 8) as i32 >> 8) as u32,
        Source::Imm(bits) => bits,
        Source::Reg(_) if k.any(&ZERO_REGISTER) => !0,
        _ => 0,
    }
}

/// The lanes that execute: a false guard leaves no trace, unless nobody looks at it (E008). `None` stands
/// for no lane at all.
pub(crate) fn guarded<K: Knobs>(k: &K, batch: &Batch, guard: Operand) -> Result<Option<Lanes>, VoiceError> {
    if k.reading(Reading::E008) == 2 || k.any(&GUARD_IGNORED) {
        return Ok(Some(Lanes::All));
    }
    let not = guard.not && !k.any(&GUARD_NOT_INVERTED);
    Ok(match guard.source.location() {
        Some(location) => {
            let column = batch.column(location).ok_or(VoiceError::MissingLocation(location))?;
            Some(Lanes::Some(column.iter().map(|bit| (*bit != 0) != not).collect()))
        }
        None => (!not).then_some(Lanes::All),
    })
}
