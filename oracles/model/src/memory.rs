//! What a value decides about: ULDC, GETUGPR, SETUGPR, GETREG and SETREG.
//!
//! Each lane has an address or an index of its own, so each finds its place by itself. It needs a value only for the
//! places that it reads, and only if it does not fault.

use std::collections::BTreeMap;

use assay_isa::effect::{Fault, Lanes};
use assay_isa::location::{BANK_BYTES, URZ};
use assay_isa::tables::types::MEMDType;
use assay_isa::{Batch, Effects, Event, Instruction, Location, Reading, Source, VoiceError};

use crate::knobs::Knobs;
use crate::operand;
use crate::site::Site;

/// How an instruction reaches memory. The first column is the register that the address begins with, or the address.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Access {
    /// ULDC
    Load(Load),
    /// GETUGPR: the register whose number is this more.
    ReadRegister(u32),
    /// SETUGPR: likewise, and the second column is the value.
    WriteRegister(u32),
    /// GETREG
    ReadSpecial,
    /// SETREG: the second column is the value.
    WriteSpecial,
}

/// What ULDC's type asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    bank: u8,
    offset: u32,
    /// Bytes that are there.
    bytes: u32,
    /// Bits that are used, and whether they are extended by their sign.
    bits: u32,
    signed: bool,
}

impl Access {
    /// How an instruction reaches memory; none if it does not.
    pub(crate) fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Option<Access> {
        Some(match instruction.optype() {
            "ULDC" => Access::Load(Load::of(k, instruction)?),
            "GETUGPR" => Access::ReadRegister(index_offset(instruction.inputs().next()?.source)?),
            "SETUGPR" => Access::WriteRegister(index_offset(instruction.outputs().next()?.source)?),
            "GETREG" => Access::ReadSpecial,
            "SETREG" => Access::WriteSpecial,
            _ => return None,
        })
    }

    /// How many words the result has, if the type does not decide about it (E093).
    pub(crate) fn words(self) -> u8 {
        match self {
            Access::Load(load) => load.bytes.div_ceil(4) as u8,
            _ => 1,
        }
    }
}

fn index_offset(source: Source) -> Option<u32> {
    let Source::URegAt { offset, .. } = source else { return None };
    Some(sign_extended(offset, 7))
}

/// The low bits of a word, as many as the width says, as a number in two's complement.
fn sign_extended(bits: u32, width: u32) -> u32 {
    ((bits << (32 - width)) as i32 >> (32 - width)) as u32
}

impl Load {
    fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Option<Load> {
        let Source::ConstAt { bank, offset, .. } = instruction.inputs().next()?.source else { return None };
        let dtype = instruction.modifier("dtype")?;
        // The syntax has one bit where the prose has 16 (E092); the formula gives 128 bits the width of 32 (E093).
        let half = if k.reading(Reading::E092) == 1 { (1, 1) } else { (2, 16) };
        let (bytes, bits) = match dtype {
            MEMDType::S8 | MEMDType::U8 => (1, 8),
            MEMDType::S16 | MEMDType::U16 => half,
            MEMDType::B32 => (4, 32),
            MEMDType::B64 => (8, 32),
            MEMDType::B128 => (if k.reading(Reading::E093) == 1 { 4 } else { 16 }, 32),
        };
        let signed = matches!(dtype, MEMDType::S8 | MEMDType::S16);
        let offset = sign_extended(offset, BANK_BYTES.ilog2());
        Some(Load { bank, offset, bytes, bits, signed })
    }

    /// Where a lane reads, unless it faults.
    fn address<K: Knobs>(self, k: &K, base: u32) -> Result<u32, Fault> {
        let address = base.wrapping_add(self.offset);
        let aligned = if k.wrong(Site::UldcAlignmentWord) { self.bytes.min(4) } else { self.bytes };
        let beyond = address % aligned;
        let address = match k.reading(Reading::E096) {
            2 if beyond != 0 => return Err(Fault::Misaligned),
            3 => address - beyond,
            _ => address,
        };
        let end = u64::from(address) + u64::from(self.bytes);
        if end > u64::from(BANK_BYTES) { Err(Fault::BeyondBank) } else { Ok(address) }
    }

    /// A word of what is at an address, or what there is of it, extended. The lowest byte comes first.
    fn word<K: Knobs>(
        self,
        k: &K,
        columns: &mut Columns<'_>,
        lane: usize,
        address: u32,
        index: u32,
    ) -> Result<u32, VoiceError> {
        let start = address + 4 * index;
        let (aligned, ahead) = (start & !3, start & 3);
        let mut at = |offset| columns.value(Location::C { bank: self.bank, offset }, lane);
        let low = at(aligned)?;
        let high = if ahead + self.bytes.min(4) > 4 { at(aligned + 4)? } else { 0 };
        let ahead = if k.wrong(Site::UldcLowByteOnly) { 0 } else { ahead };
        let word = ((u64::from(high) << 32 | u64::from(low)) >> (8 * ahead)) as u32;
        let word = if k.wrong(Site::UldcBytesSwapped) { word.swap_bytes() } else { word };
        let unused = 32 - self.bits;
        let raised = word << unused;
        Ok(if self.signed { (raised as i32 >> unused) as u32 } else { raised >> unused })
    }
}

/// The columns of a batch, of which lanes side by side mostly want the same.
struct Columns<'a> {
    batch: &'a Batch,
    recent: Option<(Location, &'a [u32])>,
    /// What there is no column for reads 0.
    strays: bool,
}

impl Columns<'_> {
    fn value(&mut self, location: Location, lane: usize) -> Result<u32, VoiceError> {
        let column = match self.recent.filter(|(recent, _)| *recent == location) {
            Some((_, column)) => column,
            None if self.strays && self.batch.column(location).is_none() => return Ok(0),
            None => operand::column(self.batch, location)?,
        };
        self.recent = Some((location, column));
        Ok(column[lane])
    }
}

/// The uniform register of an index, none for the one that holds nothing. Beyond the last there is no such index (E165).
fn register<K: Knobs>(k: &K, index: u32) -> Result<Option<Location>, Fault> {
    const REGISTERS: u32 = URZ as u32 + 1;
    if index >= REGISTERS && k.reading(Reading::E165) == 1 {
        return Err(Fault::RegisterIndex);
    }
    let number = (index % REGISTERS) as u8;
    Ok((number != URZ).then_some(Location::UR(number)))
}

/// Performs an access in the lanes that execute.
pub(crate) fn perform<K: Knobs>(
    k: &K,
    access: Access,
    batch: &Batch,
    operands: &[Vec<u32>],
    lanes: &Lanes,
    outputs: &[Option<Location>],
    effects: &mut Effects,
) -> Result<(), VoiceError> {
    match access {
        Access::Load(load) => {
            let places = reached(k, batch, &operands[0], lanes, effects, |base| load.address(k, base));
            read(k, batch, &places, outputs, effects, |columns, lane, address, index| {
                load.word(k, columns, lane, address, index)
            })
        }
        Access::ReadRegister(offset) => {
            let place = |base: u32| register(k, base.wrapping_add(offset));
            let places = reached(k, batch, &operands[0], lanes, effects, place);
            read(k, batch, &places, outputs, effects, |columns, lane, place, _| {
                place.map_or(Ok(0), |place| columns.value(place, lane))
            })
        }
        Access::ReadSpecial => {
            let places = reached(k, batch, &operands[0], lanes, effects, |address| Ok(Location::G(address)));
            read(k, batch, &places, outputs, effects, |columns, lane, place, _| columns.value(place, lane))
        }
        Access::WriteRegister(offset) => {
            let place = |base: u32| register(k, base.wrapping_add(offset));
            let places = reached(k, batch, &operands[1], lanes, effects, place);
            write(k, places.into_iter().map(Option::flatten), &operands[0], effects);
            Ok(())
        }
        Access::WriteSpecial => {
            let places = reached(k, batch, &operands[0], lanes, effects, |address| Ok(Location::G(address)));
            write(k, places.into_iter(), &operands[1], effects);
            Ok(())
        }
    }
}

/// The place that each lane reaches; none where it does not execute, and where it faults, which is reported.
fn reached<K: Knobs, P>(
    k: &K,
    batch: &Batch,
    bases: &[u32],
    lanes: &Lanes,
    effects: &mut Effects,
    place: impl Fn(u32) -> Result<P, Fault>,
) -> Vec<Option<P>> {
    let mut reach = |lane: usize| {
        if !lanes.contains(lane) {
            return None;
        }
        let mut report = |fault| {
            k.event(Event::Fault(fault)).into_iter().for_each(|event| effects.event(lane, event));
        };
        place(bases[lane]).map_err(&mut report).ok()
    };
    (0..batch.len()).map(&mut reach).collect()
}

/// Writes what each lane finds at its place to the outputs, word by word.
fn read<K: Knobs, P: Copy>(
    k: &K,
    batch: &Batch,
    places: &[Option<P>],
    outputs: &[Option<Location>],
    effects: &mut Effects,
    found: impl Fn(&mut Columns<'_>, usize, P, u32) -> Result<u32, VoiceError>,
) -> Result<(), VoiceError> {
    let mut columns = Columns { batch, recent: None, strays: k.strays() };
    for (index, output) in outputs.iter().enumerate() {
        let Some(location) = *output else { continue };
        let written = Lanes::Some(places.iter().map(Option::is_some).collect());
        let results = effects.write(location, written);
        for (lane, place) in places.iter().enumerate() {
            if let Some(place) = *place {
                results[lane] = found(&mut columns, lane, place, index as u32)?;
            }
        }
        k.results(&Lanes::All, location, results);
    }
    Ok(())
}

/// Writes each lane's value to the lane's place: a column for each place that some lane reaches.
fn write<K: Knobs>(
    k: &K,
    places: impl Iterator<Item = Option<Location>>,
    values: &[u32],
    effects: &mut Effects,
) {
    let mut written: BTreeMap<Location, Vec<bool>> = BTreeMap::new();
    for (lane, place) in places.enumerate() {
        if let Some(place) = place {
            written.entry(place).or_insert_with(|| vec![false; values.len()])[lane] = true;
        }
    }
    for (place, lanes) in written {
        let results = effects.write(place, Lanes::Some(lanes));
        results.copy_from_slice(values);
        k.results(&Lanes::All, place, results);
    }
}
