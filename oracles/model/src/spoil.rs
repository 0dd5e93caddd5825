//! Where the bugs are planted that many optypes can have: at their operands, at their outputs and at their results.

use assay_isa::effect::Lanes;
use assay_isa::location::{RZ, SRZ, URZ};
use assay_isa::{Location, Operand, Source};

use crate::faults::Bug;
use crate::knobs::Knobs;

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
    operands
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
