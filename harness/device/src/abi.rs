//! The C interface of a device: the types that a shared library and its host exchange.
//!
//! A library exports `assay_device_v1`, which returns a table of functions, and
//! `assay_device_modes_v1`, which declares the modes that it supports. A library without the second
//! function is a device of protocol version 1. There is no global state: the state of a device
//! belongs to its handle. The header `include/assay_device.h` is generated from this file. Its
//! documentation is these comments, which address authors of devices in C.

use std::ffi::{c_char, c_void};

use assay_isa::location;

/// Version of this interface. It is the number in `assay_device_v1`, and `version` of the table
/// must have this value.
pub const ASSAY_DEVICE_VERSION: u32 = 1;

/// `execute` reported the effects of every lane of the batch.
pub const ASSAY_KNOWN: u32 = 0;
/// The device does not implement the instruction, and `execute` reported no effects.
pub const ASSAY_UNSUPPORTED: u32 = 1;
/// The call failed; `fail` received the reason.
pub const ASSAY_FAILED: u32 = 2;

/// Space of the general registers R0 to R254.
pub const ASSAY_SPACE_R: u32 = 0;
/// Space of the uniform registers UR0 to UR62.
pub const ASSAY_SPACE_UR: u32 = 1;
/// Space of the predicates P0 to P6, whose values are 0 and 1.
pub const ASSAY_SPACE_P: u32 = 2;
/// Space of the uniform predicates UP0 to UP6, whose values are 0 and 1.
pub const ASSAY_SPACE_UP: u32 = 3;
/// Space of constant memory; the index is the bank times 2^17 plus the byte offset, a multiple of 4.
pub const ASSAY_SPACE_CONSTANT: u32 = 4;
/// Space of the special registers; the index is the register's code.
pub const ASSAY_SPACE_SPECIAL: u32 = 5;
/// Space of the words that GETREG and SETREG address.
pub const ASSAY_SPACE_G: u32 = 6;
/// Space of the vISA variables; the index is the variable times 32 plus the channel.
pub const ASSAY_SPACE_VARIABLE: u32 = 7;
/// Space of the vISA predicates, which have a bit for each channel.
pub const ASSAY_SPACE_FLAGS: u32 = 8;
/// Space of the channels that vISA dispatched; the only index is 0.
pub const ASSAY_SPACE_DISPATCH: u32 = 9;

/// A location that holds 32 bits, or a truth value.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// One of ASSAY_SPACE_….
    pub space: u32,
    /// The index of the location in its space.
    pub index: u32,
}

/// The setting of one reading of the specification, such as E173 = 2.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Number of the erratum. For a convention, 1000 plus its number.
    pub erratum: u32,
    /// The setting, 1 or more.
    pub setting: u32,
}

/// The host that opens a device. Its contents are valid only during the call.
#[repr(C)]
pub struct Host {
    /// Digest of the encoding table that words are encoded with, as text.
    pub numbers: *const c_char,
    /// Name of the profile.
    pub profile: *const c_char,
    /// The settings of the profile.
    pub readings: *const Reading,
    /// Number of readings.
    pub reading_count: u32,
    /// The first argument of `fail`.
    pub context: *mut c_void,
    /// Receives the reason why a device cannot be opened, in UTF-8.
    pub fail: Option<unsafe extern "C" fn(context: *mut c_void, reason: *const c_char)>,
}

/// The private state of a device behind a handle.
pub struct Handle {
    _opaque: [u8; 0],
}

/// The description of a device. Its contents stay valid until the handle is closed.
#[repr(C)]
pub struct Description {
    /// Name of the device.
    pub name: *const c_char,
    /// Version of the device.
    pub version: *const c_char,
    /// The optypes of which the device implements a mode, such as "FADD" and "UIMAD.WIDE" (or
    /// "UIMAD_WIDE"). Batches of other optypes are never sent. Not read if the library exports
    /// assay_device_modes_v1.
    pub optypes: *const *const c_char,
    /// Number of optypes.
    pub optype_count: u32,
    /// The profile that the device follows, or NULL if it names none.
    pub profile: *const c_char,
    /// When the device flushes subnormals: "modifier" (if the instruction has .FTZ), "always" or
    /// "never". NULL if the device does not state it.
    pub ftz: *const c_char,
}

/// An instruction and the values of the locations that it reads. Valid only during the call.
#[repr(C)]
pub struct Batch {
    /// Bits 0 to 63 of the encoded instruction.
    pub word_low: u64,
    /// Bits 64 to 127 of the encoded instruction.
    pub word_high: u64,
    /// The same instruction as assembler text.
    pub text: *const c_char,
    /// Number of lanes. Each lane is a case. Can be 0.
    pub lanes: u32,
    /// Number of locations.
    pub columns: u32,
    /// The locations that the instruction reads.
    pub locations: *const Location,
    /// The values of the locations, column after column. The value of location c in lane l is
    /// `values[c * lanes + l]`.
    pub values: *const u32,
}

/// The interface for reporting the effects of a batch. Valid only during the call.
#[repr(C)]
pub struct Effects {
    /// The first argument of each of these functions.
    pub context: *mut c_void,
    /// Announces a write to a location. Returns an array for the values, one for each lane,
    /// initially 0. `written` has a byte for each lane: 0 if the lane wrote nothing. NULL means
    /// that every lane wrote. Returns NULL if there is no such location. Then the batch has failed.
    /// The array is valid until `execute` returns. A write before or behind it fails the batch.
    pub write: Option<
        unsafe extern "C" fn(context: *mut c_void, location: Location, written: *const u8) -> *mut u32,
    >,
    /// Reports an effect of a lane that is not a write, for example "fault: misaligned address",
    /// "executed: PMTRIG 0x5", or "undefined: E049" if the specification leaves the effect
    /// undefined.
    pub event: Option<unsafe extern "C" fn(context: *mut c_void, lane: u32, event: *const c_char)>,
    /// Receives the reason why a batch cannot be executed, in UTF-8. Call it before returning
    /// ASSAY_FAILED.
    pub fail: Option<unsafe extern "C" fn(context: *mut c_void, reason: *const c_char)>,
}

/// The functions of a device. None of them may be NULL.
#[repr(C)]
pub struct Device {
    /// The version of the interface: ASSAY_DEVICE_VERSION.
    pub version: u32,
    /// Opens a device and stores its handle in `handle`. Returns ASSAY_KNOWN or ASSAY_FAILED.
    /// Handles must be independent of each other.
    pub open: Option<unsafe extern "C" fn(host: *const Host, handle: *mut *mut Handle) -> u32>,
    /// Returns the description of the device.
    pub describe: Option<unsafe extern "C" fn(handle: *mut Handle, description: *mut Description)>,
    /// Executes a batch. Returns ASSAY_KNOWN, ASSAY_UNSUPPORTED or ASSAY_FAILED. ASSAY_UNSUPPORTED
    /// for a mode that assay_device_modes_v1 lists is a divergence, of the kind "declined". The
    /// effects of a batch must not depend on earlier batches.
    pub execute: Option<
        unsafe extern "C" fn(handle: *mut Handle, batch: *const Batch, effects: *const Effects) -> u32,
    >,
    /// Closes the device. Afterwards the handle is invalid.
    pub close: Option<unsafe extern "C" fn(handle: *mut Handle)>,
}

impl From<location::Location> for Location {
    fn from(location: location::Location) -> Location {
        let (space, index) = location.number();
        Location { space, index }
    }
}

impl Location {
    /// Returns the location with this space and index. `None` if there is no such location.
    pub fn place(self) -> Option<location::Location> {
        location::Location::from_number(self.space, self.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_isa::location::Location as Place;

    #[test]
    fn spaces_have_the_numbers_of_their_locations() {
        let spaces = [
            (ASSAY_SPACE_R, Place::R(0)),
            (ASSAY_SPACE_UR, Place::UR(0)),
            (ASSAY_SPACE_P, Place::P(0)),
            (ASSAY_SPACE_UP, Place::UP(0)),
            (ASSAY_SPACE_CONSTANT, Place::C { bank: 0, offset: 0 }),
            (ASSAY_SPACE_SPECIAL, Place::Sr(0)),
            (ASSAY_SPACE_G, Place::G(0)),
            (ASSAY_SPACE_VARIABLE, Place::Var { variable: 0, channel: 0 }),
            (ASSAY_SPACE_FLAGS, Place::Flags(0)),
            (ASSAY_SPACE_DISPATCH, Place::DispatchMask),
        ];
        for (space, place) in spaces {
            assert_eq!(Location::from(place), Location { space, index: 0 });
            assert_eq!(Location { space, index: 0 }.place(), Some(place));
        }
    }
}
