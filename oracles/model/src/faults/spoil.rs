//! Faults at the edges of any unit: at its guard, its operands, its outputs and what is written.

use assay_isa::effect::Lanes;
use assay_isa::location::{RZ, SRZ, URZ};
use assay_isa::{Location, Operand, Source};

use super::planted::Planted;
use super::{Bug, Fault, Misuse};
use crate::float;
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
/// By the position of the operand.
const INPUT_NOT_FLUSHED: [&[Fault]; 2] = [
    &[Fault::FmnmxInputNotFlushed, Fault::FsetInputNotFlushed],
    &[Fault::FaddInputNotFlushed, Fault::FsetpInputNotFlushed, Fault::FselInputNotFlushed],
];
const GUARD_NOT_INVERTED: [Fault; 4] = [
    Fault::FmulPredicateNotInverted,
    Fault::FsetpPredicateNotInverted,
    Fault::FloPredicateNotInverted,
    Fault::BrevPredicateNotInverted,
];

/// The guard as it is looked at; none if nobody looks at it.
pub(super) fn guard(k: &Planted, mut guard: Operand) -> Option<Operand> {
    if k.has_any(&GUARD_IGNORED) || k.has(Bug::GuardIgnored) {
        return None;
    }
    let is_constant = guard.source.location().is_none();
    let inverts = k.has_any(&GUARD_NOT_INVERTED) || k.has(Bug::GuardNotInverted);
    guard.not &= !(inverts || is_constant && k.has(Bug::NeverExecutes));
    Some(guard)
}

/// The operands of an instruction as it reads them.
pub(super) fn operands(k: &Planted, mut operands: Vec<Operand>) -> Vec<Operand> {
    if k.has(Bug::OperandsSwapped) {
        operands.swap(0, 1);
    }
    for operand in &mut operands {
        operand.source = source(k, operand.source);
        operand.abs &= !k.fault(Fault::MufuAbsIgnored);
        let is_lost = k.has(Bug::PrefixIgnored) || k.fault(Fault::MufuNegIgnored);
        operand.neg &= !(is_lost || operand.abs && k.has_any(&NEG_BEFORE_ABS));
        operand.not &= !k.has(Bug::NotIgnored) && !k.has_any(&NOT_IGNORED);
        operand.bitnot &= !k.has_any(&COMPLEMENT_IGNORED);
    }
    for position in 0..operands.len() {
        match k.misuse(position) {
            Some(Misuse::Exchanged) if position + 1 < operands.len() => operands.swap(position, position + 1),
            Some(misuse) => misused(misuse, &mut operands[position]),
            None => {}
        }
    }
    operands
}

fn misused(misuse: Misuse, operand: &mut Operand) {
    let idle = operand.source.location().is_none() && operand.source.base().is_none();
    match (misuse, operand.source) {
        (Misuse::NegIgnored, _) => operand.neg = false,
        (Misuse::AbsIgnored, _) => operand.abs = false,
        (Misuse::NegBeforeAbs, _) => operand.neg &= !operand.abs,
        (Misuse::ComplementIgnored, _) => operand.bitnot = false,
        (Misuse::NotIgnored, _) => operand.not = false,
        (Misuse::LiteralSwapped, Source::Imm(bits)) => operand.source = Source::Imm(bits.rotate_left(16)),
        (Misuse::Idle, Source::Reg(_) | Source::UReg(_) | Source::Special(_)) if idle => {
            operand.source = Source::Imm(u32::MAX);
        }
        (Misuse::Idle, Source::Pred(_) | Source::UPred(_)) if idle => operand.not = !operand.not,
        _ => {}
    }
}

fn source(k: &Planted, source: Source) -> Source {
    let is_swapped = k.has(Bug::ImmediateSwapped) || k.has_any(&IMMEDIATE_SWAPPED);
    let is_idle_set = k.has(Bug::ZeroRegister) || k.has_any(&ZERO_REGISTER);
    match source {
        Source::Imm(bits) if is_swapped => Source::Imm(bits.rotate_left(16)),
        Source::Imm(bits) if k.has(Bug::ImmediateShort) => Source::Imm(bits as i16 as u32),
        Source::Imm(bits) if k.fault(Fault::BrevImmediateExtended) => {
            Source::Imm(((bits << 8) as i32 >> 8) as u32)
        }
        Source::Reg(RZ) | Source::UReg(URZ) | Source::Special(SRZ) if is_idle_set => Source::Imm(u32::MAX),
        source => source,
    }
}

/// Whether the operand at a position is flushed.
pub(super) fn flushes(k: &Planted, position: usize, flushed: bool) -> bool {
    let is_spared = INPUT_NOT_FLUSHED.get(position).is_some_and(|faults| k.has_any(faults));
    match k.misuse(position) {
        Some(Misuse::NotFlushed) => false,
        Some(Misuse::Flushed) => true,
        _ => flushed && !is_spared,
    }
}

/// Changes the values of an operand, once they are read.
pub(super) fn read(k: &Planted, position: usize, word: u8, flushed: bool, values: &mut [u32]) {
    let misuse = k.misuse(position);
    let loses_sign =
        misuse == Some(Misuse::FlushSign) || k.has_any(&[Fault::FmnmxFlushSign, Fault::FselFlushSign]);
    let change: &dyn Fn(u32) -> u32 = match misuse {
        _ if loses_sign && flushed => &|x| if float::flush(x) == float::SIGN { 0 } else { x },
        Some(Misuse::HighWordLost) if word > 0 => &|_| 0,
        Some(Misuse::BitLost(bit)) => &move |x| x & !(1 << bit),
        _ => return,
    };
    values.iter_mut().for_each(|x| *x = change(*x));
}

/// The places of the words of an output, the first or the second.
pub(super) fn output(k: &Planted, second: bool, mut words: Vec<Option<Location>>) -> Vec<Option<Location>> {
    if k.has(Bug::WordsSwapped) {
        words.reverse();
    }
    if k.has(Bug::HighWordMissing) {
        words.iter_mut().skip(1).for_each(|word| *word = None);
    }
    if k.has(Bug::DestinationNext) {
        words.iter_mut().for_each(|word| *word = word.and_then(|location| location.behind(1)));
    }
    if k.has(Bug::SecondOutputMissing) && second {
        words.fill(None);
    }
    words
}

/// Changes the results for a place, once they are computed.
pub(super) fn results(k: &Planted, executed: &Lanes, location: Location, results: &mut [u32]) {
    if k.has(Bug::FalseGuardZero) {
        results
            .iter_mut()
            .enumerate()
            .filter(|(lane, _)| !executed.contains(*lane))
            .for_each(|(_, x)| *x = 0);
    }
    if location.is_predicate() {
        return;
    }
    let change: fn(u32) -> u32 = match () {
        () if k.has(Bug::TopBitLost) => |x| x & !0 >> 1,
        () if k.has(Bug::HighHalfLost) => |x| x & 0xffff,
        () if k.has(Bug::LowHalfSigned) => |x| x as i16 as u32,
        () if k.has(Bug::HalvesSwapped) => |x| x.rotate_left(16),
        () if k.has(Bug::BytesSwapped) => u32::swap_bytes,
        () if k.has(Bug::LowestBitLost) => |x| x & !1,
        () => return,
    };
    results.iter_mut().for_each(|x| *x = change(*x));
}
