//! Operands and guard: from locations to the values that an operation sees.
//!
//! RZ and URZ read 0 and PT reads true (E010), an immediate reads itself. The absolute value is taken
//! before the sign is changed (document `004`, FADD; E175), then FTZ flushes. All of it goes into local
//! copies: sources are read once, before anything is written, and never change (E011, E012).

use assay_isa::effect::Lanes;
use assay_isa::{Batch, Operand, Source, VoiceError};

use crate::float::{SIGN, flush};
use crate::knobs::{Fault, Knobs};

/// Fills `values` with what the lanes of a batch see in a 32-bit operand.
pub(crate) fn load<K: Knobs>(
    k: &K,
    batch: &Batch,
    operand: Operand,
    flushed: bool,
    values: &mut Vec<u32>,
) -> Result<(), VoiceError> {
    let (abs, neg) = prefixes(k, operand);
    let keep = if abs { !SIGN } else { !0 };
    let flip = if neg { SIGN } else { 0 };
    let modified = |bits: u32| (bits & keep) ^ flip;
    let seen = |bits| if flushed { flush(modified(bits)) } else { modified(bits) };
    values.clear();
    match operand.source.location() {
        Some(location) => {
            let column = batch.column(location).ok_or(VoiceError::MissingLocation(location))?;
            values.extend(column.iter().map(|bits| seen(*bits)));
        }
        None => values.resize(batch.len(), seen(constant(k, operand.source))),
    }
    Ok(())
}

fn prefixes<K: Knobs>(k: &K, operand: Operand) -> (bool, bool) {
    let Operand { mut abs, mut neg, .. } = operand;
    if k.fault(Fault::RcpAbsIgnored) {
        abs = false;
    }
    if (k.fault(Fault::FaddNegBeforeAbs) || k.fault(Fault::FfmaNegatedAbsolute)) && abs {
        neg = false;
    }
    (abs, neg)
}

fn constant<K: Knobs>(k: &K, source: Source) -> u32 {
    match source {
        Source::Imm(bits) if k.fault(Fault::FfmaImmediateSwapped) => bits.rotate_left(16),
        Source::Imm(bits) => bits,
        Source::Reg(_) if k.fault(Fault::FfmaZeroRegister) => !0,
        _ => 0,
    }
}

/// The lanes whose guard is true; a false guard leaves no trace (E008). `None` stands for no lane at all.
pub(crate) fn guarded<K: Knobs>(k: &K, batch: &Batch, guard: Operand) -> Result<Option<Lanes>, VoiceError> {
    let not = guard.not && !k.fault(Fault::FmulPredicateNotInverted);
    let lanes = match guard.source.location() {
        Some(location) => {
            let column = batch.column(location).ok_or(VoiceError::MissingLocation(location))?;
            Some(Lanes::Some(column.iter().map(|bit| (*bit != 0) != not).collect()))
        }
        None => (!not).then_some(Lanes::All),
    };
    Ok(if k.fault(Fault::FaddPredicateIgnored) { Some(Lanes::All) } else { lanes })
}
