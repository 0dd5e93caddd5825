//! Accesses to a location that depends on an address or an index: ULDC, GETUGPR, SETUGPR, GETREG
//! and SETREG.
//!
//! Each lane has its own address or index. The batch must have a value only for the locations that
//! a lane reads. A lane that faults reads no location.

use std::collections::BTreeMap;

use assay_isa::effect::{Fault, Lanes};
use assay_isa::location::{BANK_BYTES, URZ};
use assay_isa::tables::types::MEMDType;
use assay_isa::{BackendError, Batch, Effects, Event, Instruction, Location, Operand, Reading, Source};

use crate::knobs::Knobs;
use crate::operand;
use crate::semantics::{Executed, Semantics};

/// The decoded fields of ULDC.
#[derive(Clone, Copy, Debug)]
struct Load {
    bank: u8,
    offset: u32,
    /// Number of bytes that are read.
    bytes: u32,
    /// Number of bits that are used. `signed` says whether they are sign-extended.
    bits: u32,
    signed: bool,
}

/// Returns the offset of an indexed operand.
fn index_offset(operand: Operand) -> Option<u32> {
    let Source::URegAt { offset, .. } = operand.source else { return None };
    Some(sign_extended(offset, 7))
}

/// Returns the low `width` bits of a word as a two's complement number.
fn sign_extended(bits: u32, width: u32) -> u32 {
    ((bits << (32 - width)) as i32 >> (32 - width)) as u32
}

impl Load {
    fn of<K: Knobs>(k: &K, instruction: &Instruction) -> Option<Load> {
        let Source::ConstAt { bank, offset, .. } = instruction.inputs().next()?.source else { return None };
        let dtype = instruction.modifier("dtype")?;
        // The syntax gives the 16-bit types 1 bit, and the prose gives them 16 (E092). The
        // document's formula gives .128 the width of .32 (E093).
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

    /// Returns the address that a lane reads, or its fault.
    fn address<K: Knobs>(self, k: &K, base: u32) -> Result<u32, Fault> {
        let address = base.wrapping_add(self.offset);
        let beyond = address % self.bytes;
        let address = match k.reading(Reading::E096) {
            2 if beyond != 0 => return Err(Fault::Misaligned),
            3 => address - beyond,
            _ => address,
        };
        let end = u64::from(address) + u64::from(self.bytes);
        if end > u64::from(BANK_BYTES) { Err(Fault::BeyondBank) } else { Ok(address) }
    }

    /// Returns one word at an address, little-endian. A load of fewer than 4 bytes is extended to a
    /// word.
    fn word(
        self,
        columns: &mut Recent<'_>,
        lane: usize,
        address: u32,
        index: u32,
    ) -> Result<u32, BackendError> {
        let start = address + 4 * index;
        let (aligned, ahead) = (start & !3, start & 3);
        let mut at = |offset| columns.value(Location::C { bank: self.bank, offset }, lane);
        let low = at(aligned)?;
        let high = if ahead + self.bytes.min(4) > 4 { at(aligned + 4)? } else { 0 };
        let word = ((u64::from(high) << 32 | u64::from(low)) >> (8 * ahead)) as u32;
        let unused = 32 - self.bits;
        let raised = word << unused;
        Ok(if self.signed { (raised as i32 >> unused) as u32 } else { raised >> unused })
    }
}

/// The columns of a batch, with a cache of the last used column, because neighbouring lanes mostly
/// need the same column.
struct Recent<'a> {
    batch: &'a Batch,
    recent: Option<(Location, &'a [u32])>,
    /// Whether a location without a column reads 0.
    strays: bool,
}

impl Recent<'_> {
    fn value(&mut self, location: Location, lane: usize) -> Result<u32, BackendError> {
        let column = match self.recent.filter(|(recent, _)| *recent == location) {
            Some((_, column)) => column,
            None if self.strays && self.batch.column(location).is_none() => return Ok(0),
            None => operand::column(self.batch, location)?,
        };
        self.recent = Some((location, column));
        Ok(column[lane])
    }
}

/// Returns the uniform register of an index. `None` for URZ. An index beyond URZ faults (E165 = 1)
/// or wraps.
fn register<K: Knobs>(k: &K, index: u32) -> Result<Option<Location>, Fault> {
    const REGISTERS: u32 = URZ as u32 + 1;
    if index >= REGISTERS && k.reading(Reading::E165) == 1 {
        return Err(Fault::RegisterIndex);
    }
    let number = (index % REGISTERS) as u8;
    Ok((number != URZ).then_some(Location::UR(number)))
}

/// ULDC. The type determines the number of written words (E093).
pub(crate) fn load_constant<K: Knobs>(k: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let Some(load) = Load::of(k, instruction) else { return Semantics::unknown() };
    let semantics = Semantics::batch(move |k: &K, executed, effects| {
        let places = reached(k, executed, 0, effects, |base| load.address(k, base));
        read(k, executed, &places, effects, |columns, lane, address, index| {
            load.word(columns, lane, address, index)
        })
    });
    Semantics { words: load.bytes.div_ceil(4) as u8, ..semantics }
}

/// GETUGPR: reads the uniform register whose number is index + offset.
pub(crate) fn get_uniform<K: Knobs>(_: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let Some(offset) = instruction.inputs().next().and_then(index_offset) else {
        return Semantics::unknown();
    };
    accessing(move |k, executed, effects| {
        let place = |base: u32| register(k, base.wrapping_add(offset));
        let places = reached(k, executed, 0, effects, place);
        read(k, executed, &places, effects, |columns, lane, place, _| {
            place.map_or(Ok(0), |place| columns.value(place, lane))
        })
    })
}

/// SETUGPR. The value is in the first column, the index in the second.
pub(crate) fn set_uniform<K: Knobs>(_: &K, instruction: &Instruction, _: &[Operand]) -> Semantics<K> {
    let Some(offset) = instruction.outputs().next().and_then(index_offset) else {
        return Semantics::unknown();
    };
    accessing(move |k, executed, effects| {
        let place = |base: u32| register(k, base.wrapping_add(offset));
        let places = reached(k, executed, 1, effects, place);
        write(k, places.into_iter().map(Option::flatten), &executed.operands[0], effects);
        Ok(())
    })
}

/// Defines GETREG.
pub(crate) fn get_special<K: Knobs>(k: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    let semantics = accessing(|k: &K, executed, effects| {
        let places = reached(k, executed, 0, effects, |address| Ok(Location::G(address)));
        read(k, executed, &places, effects, |columns, lane, place, _| columns.value(place, lane))
    });
    semantics.undefined(k, Reading::E071, 2)
}

/// SETREG. The address is in the first column, the value in the second.
pub(crate) fn set_special<K: Knobs>(k: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    let semantics = accessing(|k: &K, executed, effects| {
        let places = reached(k, executed, 0, effects, |address| Ok(Location::G(address)));
        write(k, places.into_iter(), &executed.operands[1], effects);
        Ok(())
    });
    semantics.undefined(k, Reading::E071, 2)
}

/// Returns the semantics of an access to one word.
fn accessing<K: Knobs>(
    access: impl Fn(&K, &Executed<'_>, &mut Effects) -> Result<(), BackendError> + Send + Sync + 'static,
) -> Semantics<K> {
    Semantics { words: 1, ..Semantics::batch(access) }
}

/// Returns the location that each lane accesses. The location is `None` if the lane does not
/// execute, or if it faults. Reports the faults.
fn reached<K: Knobs, P>(
    k: &K,
    executed: &Executed<'_>,
    base: usize,
    effects: &mut Effects,
    place: impl Fn(u32) -> Result<P, Fault>,
) -> Vec<Option<P>> {
    let (bases, lanes) = (&executed.operands[base], executed.lanes);
    let mut reach = |lane: usize| {
        if !lanes.contains(lane) {
            return None;
        }
        let mut report = |fault| {
            k.event(Event::Fault(fault)).into_iter().for_each(|event| effects.event(lane, event));
        };
        place(bases[lane]).map_err(&mut report).ok()
    };
    (0..executed.batch.len()).map(&mut reach).collect()
}

/// Reads the value at each lane's location, and writes it to the outputs, word by word.
fn read<K: Knobs, P: Copy>(
    k: &K,
    executed: &Executed<'_>,
    places: &[Option<P>],
    effects: &mut Effects,
    found: impl Fn(&mut Recent<'_>, usize, P, u32) -> Result<u32, BackendError>,
) -> Result<(), BackendError> {
    let mut columns = Recent { batch: executed.batch, recent: None, strays: k.may_read_unset() };
    for (index, output) in executed.outputs.iter().enumerate() {
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

/// Writes each lane's value to the lane's location. Adds one column for each accessed location.
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
