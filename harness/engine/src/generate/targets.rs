//! The places that a batch offers to an instruction whose values decide the read or written location, and the addresses
//! that lead there.
//!
//! A batch cannot have a column for each of 2^32 addresses. So a batch has columns for a few
//! places. Each lane has an address of one of these places, or an address at which every reading
//! faults.

use arbitrary::{Result, Unstructured};
use assay_isa::instruction::{Access, Space};
use assay_isa::location::{BANK_BYTES, URZ};
use assay_isa::{Batch, Location};

/// Bytes of constant memory that a batch offers: a multiple of the largest load.
const REGION: u32 = 64;

/// Bytes of the largest load.
const LARGEST: u32 = 16;

/// Registers, or addresses of special registers, that a batch offers.
const PLACES: usize = 6;

/// The places that a batch offers.
#[derive(Clone, Debug)]
pub(super) struct Targets {
    access: Access,
    /// First address of a region of constant memory.
    start: u32,
    /// Numbers of registers, or addresses of special registers.
    numbers: Vec<u32>,
}

impl Targets {
    /// Maximum number of places that a batch offers.
    pub const MOST: usize = REGION as usize / 4;

    /// Draws places for an access.
    pub fn draw(u: &mut Unstructured<'_>, access: Access) -> Result<Targets> {
        let mut targets = Targets { access, start: 0, numbers: Vec::new() };
        let fixed = access.base.is_none().then_some(access.offset);
        match access.space {
            Space::Constant { .. } => {
                let last = BANK_BYTES - REGION;
                targets.start = match (fixed, u.int_in_range(0..=3)?) {
                    // A load at a fixed address, aligned or not, must end within the region.
                    (Some(address), _) => (address / LARGEST * LARGEST).min(last),
                    (None, 0) => 0,
                    (None, 1) => last,
                    (None, _) => REGION * u.int_in_range(0..=last / REGION)?,
                };
            }
            Space::Uniform => {
                for _ in 0..PLACES {
                    targets.numbers.push(u.int_in_range(0..=u32::from(URZ) - 1)?);
                }
                // Under E165 = 2 the index is taken modulo 64.
                targets.numbers.extend(fixed.map(|index| index % 64).filter(|index| *index < u32::from(URZ)));
            }
            Space::Special => {
                for _ in 0..PLACES {
                    let bits: u32 = u.arbitrary()?;
                    targets.numbers.push(if u.ratio(1, 2)? { bits % 0x1_0000 } else { bits });
                }
                targets.numbers.extend(fixed);
            }
        }
        Ok(targets)
    }

    /// The locations of the places.
    pub fn locations(&self) -> Vec<Location> {
        match self.access.space {
            Space::Constant { bank } => {
                (0..REGION / 4).map(|word| Location::C { bank, offset: self.start + 4 * word }).collect()
            }
            Space::Uniform => self.numbers.iter().map(|n| Location::UR(*n as u8)).collect(),
            Space::Special => self.numbers.iter().map(|n| Location::G(*n)).collect(),
        }
    }

    /// Fills the address register with addresses of the places. About one lane in eight gets an
    /// address beyond the space, if there is any.
    pub fn hit_targets(&self, u: &mut Unstructured<'_>, batch: &mut Batch) -> Result<()> {
        let Some(base) = self.access.base else { return Ok(()) };
        let index = batch.locations().iter().position(|l| *l == base).expect("the base is read");
        for lane in 0..batch.len() {
            let random: u64 = u.arbitrary()?;
            let address = if random & 7 == 0 { self.beyond(random >> 3) } else { self.among(random >> 3) };
            batch.column_mut(index)[lane] = address.wrapping_sub(self.access.offset);
        }
        Ok(())
    }

    /// Returns an address among the places.
    fn among(&self, random: u64) -> u32 {
        match self.access.space {
            Space::Constant { .. } => {
                let bytes = self.access.bytes;
                let odd = random & 3 == 0;
                let place = (random >> 2) as u32 % (REGION - bytes + 1);
                // Three addresses of four are aligned. If the region is at the end of the bank,
                // some loads reach beyond the bank.
                let at_end = self.start + REGION == BANK_BYTES && random >> 40 & 7 == 0;
                let place = if at_end { REGION - 1 - (random >> 48) as u32 % bytes } else { place };
                self.start + if odd || at_end { place } else { place / bytes * bytes }
            }
            Space::Uniform | Space::Special => self.numbers[random as usize % self.numbers.len()],
        }
    }

    /// Returns an address beyond the space. At this address, every reading faults or wraps around
    /// to one of the places. If nothing lies beyond the space, returns an address of a place.
    fn beyond(&self, random: u64) -> u32 {
        match self.access.space {
            Space::Constant { .. } if random & 1 == 0 => BANK_BYTES + (random >> 1) as u32 % 64,
            Space::Constant { .. } => (random >> 1) as u32 | BANK_BYTES,
            Space::Uniform if random & 3 == 0 => u32::from(URZ),
            Space::Uniform => {
                let turns = if random & 4 == 0 { 1 } else { (random >> 16) as u32 };
                self.among(random >> 3).wrapping_add(turns.max(1).wrapping_mul(64))
            }
            Space::Special => self.among(random),
        }
    }
}
