//! ULDC, GETUGPR, SETUGPR, GETREG and SETREG. In each lane, a value selects the location that the
//! lane accesses.
//!
//! The contents of a location come from its column in the batch. The batch needs this column only
//! if a lane executes, does not fault, and reads the location.

use assay_isa::effect::{Fault, Lanes};
use assay_isa::instruction::Source;
use assay_isa::location::{BANK_BYTES, URZ};
use assay_isa::readings::Reading;
use assay_isa::tables::types::MEMDType;
use assay_isa::{BackendError, Event, Location, Truths};

use crate::bits::{WIDTH, low_word};
use crate::operand::Values;
use crate::question::Question;

/// Bytes of a word.
const BYTES: u32 = WIDTH / 8;
/// Number of uniform registers, URZ included.
const UNIFORM: u32 = URZ as u32 + 1;

/// An address or index: the sum of a register and an offset.
#[derive(Clone, Copy, Debug)]
struct Sum<'a> {
    base: Values<'a>,
    offset: i128,
}

impl<'a> Sum<'a> {
    /// Creates the sum of a register and an offset. The offset has `width` bits in two's complement
    /// (E095).
    fn new(question: &Question<'a>, place: Source, offset: u32, width: u32) -> Result<Sum<'a>, BackendError> {
        let (offset, range) = (i128::from(offset), 1 << width);
        let offset = if offset < range / 2 { offset } else { offset - range };
        Ok(Sum { base: Values::at(place.base(), question.batch())?, offset })
    }

    #[inline]
    fn get(&self, lane: usize) -> u32 {
        low_word(i128::from(self.base.get(lane)) + self.offset)
    }
}

/// The columns of the locations in one address space, ordered by address.
#[derive(Debug)]
struct Space<'a>(Vec<(u32, &'a [u32])>);

impl<'a> Space<'a> {
    /// Collects the columns of the locations that have an address in the space.
    fn new(question: &Question<'a>, address: impl Fn(Location) -> Option<u32>) -> Space<'a> {
        let batch = question.batch();
        let column = |location: &Location| Some((address(*location)?, batch.column(*location)?));
        let mut columns: Vec<_> = batch.locations().iter().filter_map(column).collect();
        columns.sort_unstable_by_key(|(address, _)| *address);
        Space(columns)
    }

    /// Returns the value that a lane reads at an address. `location` must be the location at this
    /// address.
    #[inline]
    fn get(&self, address: u32, lane: usize, location: Location) -> Result<u32, BackendError> {
        match self.0.binary_search_by_key(&address, |(address, _)| *address) {
            Ok(place) => Ok(self.0[place].1[lane]),
            Err(_) => Err(BackendError::MissingLocation(location)),
        }
    }
}

/// Returns the address that each lane accesses. The address is `None` if the lane does not execute,
/// or if it faults. A fault is reported as an event.
fn reached(
    question: &Question,
    truths: &mut Truths,
    place: impl Fn(usize) -> Result<u32, Fault>,
) -> Vec<Option<u32>> {
    let mut one = |lane| {
        if !question.executed().contains(lane) {
            return None;
        }
        place(lane).map_err(|fault| truths.event(lane, Event::Fault(fault))).ok()
    };
    (0..question.len()).map(&mut one).collect()
}

/// Fills in a destination with the values that the lanes read.
fn read(
    destination: Option<Location>,
    reached: &[Option<u32>],
    truths: &mut Truths,
    find: impl Fn(u32, usize) -> Result<u32, BackendError>,
) -> Result<(), BackendError> {
    let Some(destination) = destination else {
        return Ok(());
    };
    let lanes = if reached.iter().all(Option::is_some) {
        Lanes::All
    } else {
        Lanes::Some(reached.iter().map(Option::is_some).collect())
    };
    for ((value, place), lane) in truths.bits(destination, lanes).iter_mut().zip(reached).zip(0..) {
        if let Some(place) = place {
            *value = find(*place, lane)?;
        }
    }
    Ok(())
}

/// Writes a value to the locations that the lanes access. Each location gets one column.
fn write(
    reached: &[Option<u32>],
    truths: &mut Truths,
    value: Values,
    location: impl Fn(u32) -> Option<Location>,
) {
    let target = |(place, lane): (&Option<u32>, usize)| Some(((*place)?, lane));
    let mut targets: Vec<(u32, usize)> = reached.iter().zip(0..).filter_map(target).collect();
    targets.sort_unstable();
    for group in targets.chunk_by(|one, other| one.0 == other.0) {
        let Some(location) = location(group[0].0) else { continue };
        let lanes = if group.len() == reached.len() {
            Lanes::All
        } else {
            let mut written = vec![false; reached.len()];
            group.iter().for_each(|(_, lane)| written[*lane] = true);
            Lanes::Some(written)
        };
        let column = truths.bits(location, lanes);
        group.iter().for_each(|(_, lane)| column[*lane] = value.get(*lane));
    }
}

/// The type of a ULDC: how many bytes it reads, and how they are extended.
#[derive(Clone, Copy, Debug)]
struct Load {
    /// Number of bytes that are read. The address should be a multiple of `bytes`.
    bytes: u32,
    /// Number of bits of each word that are used.
    bits: u32,
    signed: bool,
}

impl Load {
    /// Returns the type of an instruction under its readings. Under E092 = 1, only one bit of a
    /// 16-bit number is used. Under E093 = 1, only one word of four is read.
    fn of(question: &Question) -> Load {
        let (bytes, bits, signed) = match question.instruction.modifier("dtype") {
            Some(MEMDType::S8) => (1, 8, true),
            Some(MEMDType::U8) => (1, 8, false),
            Some(MEMDType::S16) if question.reads(Reading::E092, 1) => (1, 1, true),
            Some(MEMDType::U16) if question.reads(Reading::E092, 1) => (1, 1, false),
            Some(MEMDType::S16) => (2, 16, true),
            Some(MEMDType::U16) => (2, 16, false),
            Some(MEMDType::B64) => (8, WIDTH, false),
            Some(MEMDType::B128) if question.reads(Reading::E093, 2) => (16, WIDTH, false),
            Some(MEMDType::B128 | MEMDType::B32) | None => (BYTES, WIDTH, false),
        };
        Load { bytes, bits, signed }
    }

    /// Returns the number of words that the load fills.
    fn words(self) -> u32 {
        self.bytes.div_ceil(BYTES)
    }

    /// Returns the address that is read. E096 determines what happens at an address that is not a
    /// multiple of the size.
    fn place(self, address: u32, faults: bool, rounds: bool) -> Result<u32, Fault> {
        let excess = address % self.bytes;
        if faults && excess != 0 {
            return Err(Fault::Misaligned);
        }
        let address = if rounds { address - excess } else { address };
        let end = u64::from(address) + u64::from(self.bytes);
        if end > u64::from(BANK_BYTES) { Err(Fault::BeyondBank) } else { Ok(address) }
    }

    /// Returns the used bits of a number, extended to a word.
    fn extended(self, number: u64) -> u32 {
        let range = 1 << self.bits;
        let value = i128::from(number) % range;
        low_word(if self.signed && value >= range / 2 { value - range } else { value })
    }
}

/// ULDC: loads a constant at the sum of a register and an offset.
pub fn load_constant(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [operand] = question.operands()?;
    let Source::ConstAt { bank, offset, .. } = operand.source else {
        unreachable!("ULDC reads a constant at an address");
    };
    let address = Sum::new(question, operand.source, offset, 17)?;
    let space = Space::new(question, |location| match location {
        Location::C { bank: other, offset } if other == bank => Some(offset),
        _ => None,
    });
    let load = Load::of(question);
    let (faults, rounds) = (question.reads(Reading::E096, 2), question.reads(Reading::E096, 3));
    let reached = reached(question, truths, |lane| load.place(address.get(lane), faults, rounds));
    let word = |offset, lane| space.get(offset, lane, Location::C { bank, offset }).map(u64::from);
    // The bank is treated as a number in base 256, in which the digit at an index is the byte at
    // that address.
    let digits = |address: u32, lane| {
        let skipped = address % BYTES;
        let low = word(address - skipped, lane)?;
        let reaches_next = skipped + load.bytes.min(BYTES) > BYTES;
        let high = if reaches_next { word(address - skipped + BYTES, lane)? } else { 0 };
        Ok((high << WIDTH | low) >> (8 * skipped))
    };
    let destination = question.instruction.operand("urd");
    for index in 0..load.words() {
        read(destination.word(index as u8), &reached, truths, |address, lane| {
            digits(address + BYTES * index, lane).map(|number| load.extended(number))
        })?;
    }
    Ok(())
}

/// Returns the number of the uniform register that each lane accesses. E165 determines what happens
/// beyond the last register.
fn reached_register(
    question: &Question,
    truths: &mut Truths,
    place: Source,
) -> Result<Vec<Option<u32>>, BackendError> {
    let Source::URegAt { offset, .. } = place else {
        unreachable!("the register is named by an index");
    };
    let index = Sum::new(question, place, offset, 7)?;
    let wraps = question.reads(Reading::E165, 2);
    Ok(reached(question, truths, |lane| match index.get(lane) {
        number if number < UNIFORM => Ok(number),
        number if wraps => Ok(number % UNIFORM),
        _ => Err(Fault::RegisterIndex),
    }))
}

/// Returns the uniform register with a number.
fn register(number: u32) -> Option<Location> {
    Source::UReg(number as u8).location()
}

/// GETUGPR: reads the register whose number is the index.
pub fn get_uniform(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [operand] = question.operands()?;
    let reached = reached_register(question, truths, operand.source)?;
    let space = Space::new(question, |location| match location {
        Location::UR(number) => Some(number.into()),
        _ => None,
    });
    let destination = question.instruction.operand("urd").source.location();
    read(destination, &reached, truths, |number, lane| match register(number) {
        Some(location) => space.get(number, lane, location),
        None => Ok(0),
    })
}

/// SETUGPR: writes the register whose number is the index.
pub fn set_uniform(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [value] = question.operands()?;
    let value = question.values(value)?;
    for operand in question.instruction.outputs() {
        let reached = reached_register(question, truths, operand.source)?;
        write(&reached, truths, value, register);
    }
    Ok(())
}

/// GETREG: reads the register at the address in its operand (E071 = 1).
pub fn get_special(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [address] = question.operands()?;
    let address = question.values(address)?;
    let reached = reached(question, truths, |lane| Ok(address.get(lane)));
    let space = Space::new(question, |location| match location {
        Location::G(address) => Some(address),
        _ => None,
    });
    let destination = question.instruction.operand("rd").source.location();
    read(destination, &reached, truths, |address, lane| space.get(address, lane, Location::G(address)))
}

/// SETREG: writes the register at the address in its operand (E071 = 1).
pub fn set_special(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [address, value] = question.operands()?;
    let (address, value) = (question.values(address)?, question.values(value)?);
    let reached = reached(question, truths, |lane| Ok(address.get(lane)));
    write(&reached, truths, value, |address| Some(Location::G(address)));
    Ok(())
}
