//! Locations that depend on a value: constant memory, and registers by number.

use assay_isa::Location;
use assay_isa::effect::Fault;

use super::integer::Int;
use super::program::IntegerType;
use super::rules::Rules;
use super::stop::{Halt, Reason};
use super::value::Value;

/// Number of bytes of a constant bank.
const BANK_BYTES: u32 = 1 << 17;
/// Number of uniform registers. The last one has no storage.
const UNIFORM: u32 = 64;

/// The inputs of a lane.
pub trait LaneInputs {
    /// Returns the value of an input of the program, by its index.
    fn input(&self, index: usize) -> u32;

    /// Returns the value of a location. `None` if the caller does not know it.
    fn read(&self, location: Location) -> Option<u32>;
}

/// Why a value has no location.
pub(super) enum NoLocation {
    Reason(Reason),
    Fault(Fault),
}

impl From<Reason> for NoLocation {
    fn from(reason: Reason) -> Self {
        NoLocation::Reason(reason)
    }
}

/// Returns a value of constant memory. Bytes are little-endian, and an address has 32 bits.
///
/// E096: an address that is no multiple of the size is a fault, loses its low bits, or is taken as
/// it is.
pub(super) fn constant(
    lane: &dyn LaneInputs,
    bank: &Int,
    address: &Int,
    ty: IntegerType,
    rules: &Rules,
) -> Result<Value, NoLocation> {
    let size = ty.width.div_ceil(8) as u32;
    let mut address = address.word(0);
    if !address.is_multiple_of(size) {
        match rules.of(96) {
            2 => return Err(NoLocation::Fault(Fault::Misaligned)),
            3 => address -= address % size,
            _ => {}
        }
    }
    if address.checked_add(size).is_none_or(|end| end > BANK_BYTES) {
        return Err(NoLocation::Fault(Fault::BeyondBank));
    }
    let bank = bank.index(31).ok_or(Reason::IndexBeyond)? as u8;
    let mut value = Int::ZERO;
    for offset in (address / 4 * 4..address + size).step_by(4).rev() {
        let location = Location::C { bank, offset };
        let word = lane.read(location).ok_or(Reason::NoInput(location))?;
        value = value.shift_left(32).ok_or(Reason::TooLarge)?.or(&Int::from(word));
    }
    let value = value.shift_right(u64::from(address % 4 * 8));
    Ok(Value::Int(if ty.signed { value.low_signed(ty.width) } else { value.low_bits(ty.width) }))
}

/// Returns the uniform register with a number. `None` for the last one, which has no storage.
///
/// E165: a number beyond the registers is a fault, or is taken modulo 64.
pub(super) fn uniform(number: &Int, rules: &Rules) -> Result<Option<Location>, NoLocation> {
    let number = number.word(0);
    let number = if rules.of(165) == 2 { number % UNIFORM } else { number };
    match number {
        number if number >= UNIFORM => Err(NoLocation::Fault(Fault::RegisterIndex)),
        number if number == UNIFORM - 1 => Ok(None),
        number => Ok(Some(Location::UR(number as u8))),
    }
}

/// Returns the word of the memory of special registers with an address.
///
/// # Errors
///
/// E071 = 2: nothing says what an address means.
pub(super) fn special(address: &Int, rules: &Rules) -> Result<Location, NoLocation> {
    if rules.of(71) == 2 {
        return Err(Reason::NoOperand("what the address names is not given").into());
    }
    Ok(Location::G(address.word(0)))
}

impl NoLocation {
    /// Returns the halt at a byte of the document.
    pub fn at(self, at: usize) -> Halt {
        match self {
            NoLocation::Fault(fault) => Halt::Fault(fault),
            NoLocation::Reason(reason) => Halt::stop(reason, at),
        }
    }
}
