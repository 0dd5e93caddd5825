//! BFN: a function of three bits, for each bit of each channel (document `002`).
//!
//! An element is a channel. Each lane can disable each element. BFN has more operands than any
//! other instruction, so it reads the batch's columns directly.

use assay_isa::effect::Lanes;
use assay_isa::location::CHANNELS;
use assay_isa::tables::types::{ChannelMask, VisaType};
use assay_isa::{BackendError, Batch, Effects, Instruction, Operand, Reading, Source};

use crate::columns::lanes;
use crate::gap::Gap;
use crate::knobs::Knobs;
use crate::operand::column;
use crate::semantics::Semantics;
use crate::site::Site;
use crate::uniform::logic::Lut;

/// Defines BFN.
pub(crate) fn of_channels<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let Some(channels) = Channels::of(k, instruction) else { return Semantics::unknown() };
    let gap = channels.gap(k).map(|reading| Gap::new(reading, |_, _| true));
    let semantics = Semantics::batch(move |k, executed, effects| {
        perform(k, &channels, executed.lanes, executed.batch, effects)
    });
    Semantics { is_loaded: false, ..semantics.gap(gap) }
}

/// The decoded fields of BFN.
#[derive(Clone, Copy, Debug)]
struct Channels {
    /// The function of three bits. Its inputs are the bits of the third, the second and the first
    /// source, in this order.
    lut: Lut,
    /// The mask of the type's bits.
    bits: u32,
    destination: Operand,
    sources: [Operand; 3],
    /// Number of iterations of the loop over elements, which the document of BFN has. If there are
    /// fewer elements, the result is undefined (E081).
    elements: u8,
    /// The channel of the first element (E085).
    first: u32,
    dispatched: Operand,
    predicate: Option<Operand>,
}

impl Channels {
    /// Decodes an instruction.
    fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Option<Channels> {
        let ty = instruction.modifier("type")?;
        let mut sources = ["src0", "src1", "src2"].map(|name| instruction.operand(name));
        for source in &mut sources {
            source.source = extended(k, ty, source.source);
        }
        let destination = instruction.operand("dst");
        let mask: ChannelMask = instruction.modifier("mask")?;
        let byte = (mask as u32) << 4 | instruction.get("size")?;
        let elements = match destination.words {
            _ if k.reading(Reading::E081) == 1 => byte as u8,
            words if words > 1 && k.wrong(Site::BfnLastElementMissing) => words - 1,
            words => words,
        };
        let number = mask as u32 % 8;
        let each = if k.reading(Reading::E085) == 2 { destination.words.into() } else { 4 };
        let short = matches!(ty, VisaType::W | VisaType::UW);
        // The predicate is present if it has a location.
        let predicate = Some(instruction.operand("pred")).filter(|p| p.source.location().is_some());
        let looked_at = k.reading(Reading::E084) == 1;
        Some(Channels {
            lut: Lut::new(instruction.get("ctrl")?),
            bits: if short { 0xffff } else { u32::MAX },
            destination,
            sources,
            elements,
            first: number * each,
            dispatched: instruction.operand("EM"),
            predicate: predicate.filter(|_| looked_at),
        })
    }

    /// Returns the reading that leaves every lane undefined, if any. The reason is that the loop
    /// exceeds the elements (E081) or the channels (E085).
    fn gap<K: Knobs>(self, k: &K) -> Option<Reading> {
        let beyond = self.first + u32::from(self.destination.words) > CHANNELS.into();
        match () {
            () if self.elements > self.destination.words => Some(Reading::E081),
            () if beyond && k.reading(Reading::E085) == 2 => Some(Reading::E085),
            () => None,
        }
    }

    /// Returns the lanes in which an element is enabled.
    fn enabled<K: Knobs>(
        self,
        k: &K,
        batch: &Batch,
        executed: &Lanes,
        element: u8,
    ) -> Result<Lanes, BackendError> {
        let mut enabled = executed.clone();
        let dispatched = Some(self.dispatched).filter(|_| !k.wrong(Site::BfnMaskIgnored));
        let first = |misplaced| if k.wrong(misplaced) { 0 } else { self.first };
        let of_mask = (dispatched, first(Site::BfnMaskFromZero));
        for (operand, first) in [of_mask, (self.predicate, first(Site::BfnPredicateFromZero))] {
            let Some((operand, location)) = operand.and_then(|o| Some((o, o.source.location()?))) else {
                continue;
            };
            // Only a planted fault can exceed bit 31.
            let bit = (first + u32::from(element)) & 31;
            let is_set = |bits: &u32| (bits >> bit & 1 != 0) != operand.not;
            let both = column(batch, location)?.iter().enumerate();
            enabled = Lanes::Some(both.map(|(lane, bits)| enabled.contains(lane) && is_set(bits)).collect());
        }
        Ok(enabled)
    }
}

/// Returns the source. Extends a literal to the type's width: D sign-extends it (E087).
fn extended<K: Knobs>(k: &K, ty: VisaType, source: Source) -> Source {
    let signed = match k.reading(Reading::E087) {
        1 => false,
        2 => true,
        _ => ty == VisaType::D,
    };
    match source {
        Source::Imm(bits) if signed => Source::Imm(bits as u16 as i16 as u32),
        other => other,
    }
}

/// Executes BFN. Writes a column for each element of the destination.
fn perform<K: Knobs>(
    k: &K,
    m: &Channels,
    executed: &Lanes,
    batch: &Batch,
    effects: &mut Effects,
) -> Result<(), BackendError> {
    let mut constants: [Vec<u32>; 3] = Default::default();
    for (constant, source) in constants.iter_mut().zip(m.sources) {
        if let Source::Imm(bits) = source.source {
            constant.resize(batch.len(), bits);
        }
    }
    for element in 0..m.elements.min(m.destination.words) {
        let Some(location) = m.destination.word(element) else { continue };
        let mut sources: [&[u32]; 3] = [&[]; 3];
        for (number, (values, constant)) in sources.iter_mut().zip(&constants).enumerate() {
            let scalar = number == 1 && k.wrong(Site::BfnSourceScalar);
            *values = match m.sources[number].word(if scalar { 0 } else { element }) {
                Some(location) => column(batch, location)?,
                None => constant,
            };
        }
        let enabled = m.enabled(k, batch, executed, element)?;
        if k.wrong(Site::BfnDisabledZero) {
            effects.write(location, Lanes::All).fill(0);
        }
        let results = effects.write(location, enabled);
        lanes(results, sources, |[s0, s1, s2]| m.lut.look_up(s2, s1, s0) & m.bits);
    }
    Ok(())
}
