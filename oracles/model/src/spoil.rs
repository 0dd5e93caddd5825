//! Where the bugs are planted that many optypes can have: at their operands, at their outputs and at their results.

use assay_isa::effect::Lanes;
use assay_isa::location::{RZ, SRZ, URZ};
use assay_isa::{Location, Operand, Source};

use crate::faults::{Bug, Misuse};
use crate::float;
use crate::knobs::Knobs;
use crate::operand::Input;

/// The operands of an instruction as it reads them.
pub(crate) fn operands<K: Knobs>(k: &K, mut operands: Vec<Operand>) -> Vec<Operand> {
    if k.bug(Bug::OperandsSwapped) {
        operands.swap(0, 1);
    }
    for operand in &mut operands {
        operand.source = source(k, operand.source);
        operand.neg &= !k.bug(Bug::PrefixIgnored);
        operand.not &= !k.bug(Bug::NotIgnored);
    }
    for position in 0..operands.len() {
        match k.misuse(position as u8) {
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

/// Whether the operand at a position is flushed.
pub(crate) fn flushed<K: Knobs>(k: &K, position: usize, flushed: bool) -> bool {
    match k.misuse(position as u8) {
        Some(Misuse::NotFlushed) => false,
        Some(Misuse::Flushed) => true,
        _ => flushed,
    }
}

/// The word of an operand that is read in place of a word of it.
pub(crate) fn word<K: Knobs>(k: &K, position: usize, operand: Operand, word: u8) -> u8 {
    match k.misuse(position as u8) {
        Some(Misuse::WordsSwapped) => operand.words - 1 - word,
        _ => word,
    }
}

/// The values of an operand, once they are read.
#[inline]
pub(crate) fn values<K: Knobs>(k: &K, input: &Input, values: &mut [u32]) {
    let change: &dyn Fn(u32) -> u32 = match k.misuse(input.position) {
        Some(Misuse::FlushSign) if input.flushed => &|x| if float::flush(x) == float::SIGN { 0 } else { x },
        Some(Misuse::HighWordLost) if input.word > 0 => &|_| 0,
        Some(Misuse::BitLost(bit)) => &move |x| x & !(1 << bit),
        _ => return,
    };
    values.iter_mut().for_each(|x| *x = change(*x));
}

fn source<K: Knobs>(k: &K, source: Source) -> Source {
    match source {
        Source::Imm(bits) if k.bug(Bug::ImmediateSwapped) => Source::Imm(bits.rotate_left(16)),
        Source::Imm(bits) if k.bug(Bug::ImmediateShort) => Source::Imm(bits as i16 as u32),
        Source::Reg(RZ) | Source::UReg(URZ) | Source::Special(SRZ) if k.bug(Bug::ZeroRegister) => {
            Source::Imm(u32::MAX)
        }
        source => source,
    }
}

/// The places of the words of an output, the first or the second.
pub(crate) fn output<K: Knobs>(
    k: &K,
    second: bool,
    mut words: Vec<Option<Location>>,
) -> Vec<Option<Location>> {
    if k.bug(Bug::WordsSwapped) {
        words.reverse();
    }
    if k.bug(Bug::HighWordMissing) {
        words.iter_mut().skip(1).for_each(|word| *word = None);
    }
    if k.bug(Bug::DestinationNext) {
        words.iter_mut().for_each(|word| *word = word.and_then(|location| location.behind(1)));
    }
    if k.bug(Bug::SecondOutputMissing) && second {
        words.fill(None);
    }
    words
}

/// The lanes in which an output is written, of those that execute.
pub(crate) fn written<K: Knobs>(k: &K, executed: &Lanes) -> Lanes {
    if k.bug(Bug::FalseGuardZero) { Lanes::All } else { executed.clone() }
}

/// The results for a place, once they are computed.
#[inline]
pub(crate) fn results<K: Knobs>(k: &K, executed: &Lanes, location: Location, results: &mut [u32]) {
    if k.bug(Bug::FalseGuardZero) {
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
        () if k.bug(Bug::TopBitLost) => |x| x & !0 >> 1,
        () if k.bug(Bug::HighHalfLost) => |x| x & 0xffff,
        () if k.bug(Bug::LowHalfSigned) => |x| x as i16 as u32,
        () if k.bug(Bug::HalvesSwapped) => |x| x.rotate_left(16),
        () if k.bug(Bug::BytesSwapped) => u32::swap_bytes,
        () if k.bug(Bug::LowestBitLost) => |x| x & !1,
        () => return,
    };
    results.iter_mut().for_each(|x| *x = change(*x));
}
