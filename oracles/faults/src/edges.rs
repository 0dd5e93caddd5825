//! Faults outside of the model's units: in the guard, the operands, the outputs and the writes.

use assay_isa::effect::Lanes;
use assay_isa::location::{RZ, SRZ, URZ};
use assay_isa::{Location, Operand, Source};

use super::awake::ActiveFaults;
use super::{Bug, Fault, OperandFault};
use crate::binary32;

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
/// The faults that leave an input unflushed, indexed by the position of the operand.
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

/// Returns the guard that decides which lanes execute. Returns `None` if a fault makes all lanes
/// execute.
pub(super) fn guard(awake: ActiveFaults, mut guard: Operand) -> Option<Operand> {
    if awake.has_any(&GUARD_IGNORED) || awake.has_bug(Bug::GuardIgnored) {
        return None;
    }
    let is_constant = guard.source.location().is_none();
    let inverts = awake.has_any(&GUARD_NOT_INVERTED) || awake.has_bug(Bug::GuardNotInverted);
    guard.not &= !(inverts || is_constant && awake.has_bug(Bug::NeverExecutes));
    Some(guard)
}

/// Returns the operands that an instruction reads, changed by the active faults.
pub(super) fn operands(awake: ActiveFaults, mut operands: Vec<Operand>) -> Vec<Operand> {
    if awake.has_bug(Bug::OperandsSwapped) {
        operands.swap(0, 1);
    }
    for operand in &mut operands {
        operand.source = source(awake, operand.source);
        operand.abs &= !awake.has(Fault::MufuAbsIgnored);
        let is_lost = awake.has_bug(Bug::PrefixIgnored) || awake.has(Fault::MufuNegIgnored);
        operand.neg &= !(is_lost || operand.abs && awake.has_any(&NEG_BEFORE_ABS));
        operand.not &= !awake.has_bug(Bug::NotIgnored) && !awake.has_any(&NOT_IGNORED);
        operand.bitnot &= !awake.has_any(&COMPLEMENT_IGNORED);
    }
    for position in 0..operands.len() {
        match awake.misuse(position) {
            Some(OperandFault::Exchanged) if position + 1 < operands.len() => {
                operands.swap(position, position + 1)
            }
            Some(misuse) => misused(misuse, &mut operands[position]),
            None => {}
        }
    }
    operands
}

fn misused(misuse: OperandFault, operand: &mut Operand) {
    let idle = operand.source.location().is_none() && operand.source.base().is_none();
    match (misuse, operand.source) {
        (OperandFault::NegIgnored, _) => operand.neg = false,
        (OperandFault::AbsIgnored, _) => operand.abs = false,
        (OperandFault::NegBeforeAbs, _) => operand.neg &= !operand.abs,
        (OperandFault::ComplementIgnored, _) => operand.bitnot = false,
        (OperandFault::NotIgnored, _) => operand.not = false,
        (OperandFault::LiteralSwapped, Source::Imm(bits)) => {
            operand.source = Source::Imm(bits.rotate_left(16))
        }
        (OperandFault::Idle, Source::Reg(_) | Source::UReg(_) | Source::Special(_)) if idle => {
            operand.source = Source::Imm(u32::MAX);
        }
        (OperandFault::Idle, Source::Pred(_) | Source::UPred(_)) if idle => operand.not = !operand.not,
        _ => {}
    }
}

fn source(awake: ActiveFaults, source: Source) -> Source {
    let is_swapped = awake.has_bug(Bug::ImmediateSwapped) || awake.has_any(&IMMEDIATE_SWAPPED);
    let is_idle_set = awake.has_bug(Bug::ZeroRegister) || awake.has_any(&ZERO_REGISTER);
    match source {
        Source::Imm(bits) if is_swapped => Source::Imm(bits.rotate_left(16)),
        Source::Imm(bits) if awake.has_bug(Bug::ImmediateShort) => Source::Imm(bits as i16 as u32),
        Source::Imm(bits) if awake.has(Fault::BrevImmediateExtended) => {
            Source::Imm(((bits << 8) as i32 >> 8) as u32)
        }
        Source::Reg(RZ) | Source::UReg(URZ) | Source::Special(SRZ) if is_idle_set => Source::Imm(u32::MAX),
        source => source,
    }
}

/// Returns whether the operand at a position is flushed. `flushed` is the correct answer.
pub(super) fn flushes(awake: ActiveFaults, position: usize, flushed: bool) -> bool {
    let is_spared = INPUT_NOT_FLUSHED.get(position).is_some_and(|faults| awake.has_any(faults));
    match awake.misuse(position) {
        Some(OperandFault::NotFlushed) => false,
        Some(OperandFault::Flushed) => true,
        _ => flushed && !is_spared,
    }
}

/// Changes the values of an operand after they are read. `flushed`: the operand is flushed.
pub(super) fn read(awake: ActiveFaults, position: usize, word: u8, flushed: bool, values: &mut [u32]) {
    let misuse = awake.misuse(position);
    let loses_sign = misuse == Some(OperandFault::FlushSign)
        || awake.has_any(&[Fault::FmnmxFlushSign, Fault::FselFlushSign]);
    let change: &dyn Fn(u32) -> u32 = match misuse {
        _ if loses_sign && flushed => &|x| if binary32::flush(x) == binary32::SIGN { 0 } else { x },
        Some(OperandFault::HighWordLost) if word > 0 => &|_| 0,
        Some(OperandFault::BitLost(bit)) => &move |x| x & !(1 << bit),
        _ => return,
    };
    values.iter_mut().for_each(|x| *x = change(*x));
}

/// Returns the locations of the words of an output. `second`: it is the second output.
pub(super) fn output(
    awake: ActiveFaults,
    second: bool,
    mut words: Vec<Option<Location>>,
) -> Vec<Option<Location>> {
    if awake.has_bug(Bug::WordsSwapped) {
        words.reverse();
    }
    if awake.has_bug(Bug::HighWordMissing) {
        words.iter_mut().skip(1).for_each(|word| *word = None);
    }
    if awake.has_bug(Bug::DestinationNext) {
        words.iter_mut().for_each(|word| *word = word.and_then(|location| location.behind(1)));
    }
    if awake.has_bug(Bug::SecondOutputMissing) && second {
        words.fill(None);
    }
    words
}

/// Changes the results for a location, after they are computed.
pub(super) fn results(awake: ActiveFaults, executed: &Lanes, location: Location, results: &mut [u32]) {
    if awake.has_bug(Bug::FalseGuardZero) {
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
        () if awake.has_bug(Bug::TopBitLost) => |x| x & !0 >> 1,
        () if awake.has_bug(Bug::HighHalfLost) => |x| x & 0xffff,
        () if awake.has_bug(Bug::LowHalfSigned) => |x| x as i16 as u32,
        () if awake.has_bug(Bug::HalvesSwapped) => |x| x.rotate_left(16),
        () if awake.has_bug(Bug::BytesSwapped) => u32::swap_bytes,
        () if awake.has_bug(Bug::LowestBitLost) => |x| x & !1,
        () => return,
    };
    results.iter_mut().for_each(|x| *x = change(*x));
}
