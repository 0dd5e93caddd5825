//! The C interface of a device: types that a shared library and its host exchange.
//!
//! A library exports `assay_device_v1`, which returns a table of functions, and `assay_device_modes_v1`, which declares
//! the modes that it supports. Without the second it is a device of version 1. There are no globals: the state of a
//! device is behind its handle. The header `include/assay_device.h` is generated from this file. Its documentation is
//! these comments, which address authors of devices in C.

use std::ffi::{c_char, c_void};

use assay_isa::location;

/// Version of this interface: the number in `assay_device_v1`, and what `version` of the table must be.
pub const ASSAY_DEVICE_VERSION: u32 = 1;

/// `execute` reported what every lane of the batch did.
pub const ASSAY_KNOWN: u32 = 0;
/// `execute` reported nothing: the device does not implement the instruction.
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

/// A place that holds 32 bits, or a truth value.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// One of ASSAY_SPACE_….
    pub space: u32,
    /// Which one of that space.
    pub index: u32,
}

/// The setting of one reading of the specification: E173 = 2.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Number of the erratum; of a convention 1000 and its number.
    pub erratum: u32,
    /// Its setting, 1 or more.
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
    /// How many there are.
    pub reading_count: u32,
    /// An argument for `fail`.
    pub context: *mut c_void,
    /// Takes the reason in UTF-8 why a device cannot be opened.
    pub fail: Option<unsafe extern "C" fn(context: *mut c_void, reason: *const c_char)>,
}

/// The private state of a device behind a handle.
pub struct Handle {
    _opaque: [u8; 0],
}

/// The description of a device. Its contents stay valid until the handle is closed.
#[repr(C)]
pub struct Description {
    /// Name.
    pub name: *const c_char,
    /// Version.
    pub version: *const c_char,
    /// The optypes of which it implements a mode, such as "FADD" and "UIMAD.WIDE" (or "UIMAD_WIDE"); a batch of another
    /// optype is never sent. Not read if the library exports assay_device_modes_v1.
    pub optypes: *const *const c_char,
    /// How many there are.
    pub optype_count: u32,
    /// The profile that it follows, or NULL if it does not name one.
    pub profile: *const c_char,
    /// The treatment of subnormals: "modifier" (by .FTZ), "always" (flushes them) or "never", or NULL if it does not
    /// state it.
    pub ftz: *const c_char,
}

/// An instruction and the values of the locations that it reads. Valid during the call alone.
#[repr(C)]
pub struct Batch {
    /// Bits 0 to 63 of the encoded instruction.
    pub word_low: u64,
    /// Bits 64 to 127.
    pub word_high: u64,
    /// The same instruction as assembler text.
    pub text: *const c_char,
    /// How many cases there are; can be 0.
    pub lanes: u32,
    /// How many locations there are.
    pub columns: u32,
    /// The locations.
    pub locations: *const Location,
    /// Their values, column after column: that of location c in lane l is `values[c * lanes + l]`.
    pub values: *const u32,
}

/// The interface for reporting the effects of a batch. Valid only during the call.
#[repr(C)]
pub struct Effects {
    /// An argument for the functions.
    pub context: *mut c_void,
    /// Announces a write to a location, and returns the array for the value of each lane; all are 0 at first. `written`
    /// has a byte for each lane, 0 where it wrote nothing; NULL means that every lane wrote. Returns NULL if there is
    /// no such location, and then the batch has failed. The array is valid until `execute` returns.
    pub write: Option<
        unsafe extern "C" fn(context: *mut c_void, location: Location, written: *const u8) -> *mut u32,
    >,
    /// Reports an effect of a lane other than a write: "fault: misaligned address", "executed: PMTRIG 0x5" or, if the
    /// specification leaves the effect open, "undefined: E049".
    pub event: Option<unsafe extern "C" fn(context: *mut c_void, lane: u32, event: *const c_char)>,
    /// Takes the reason in UTF-8 why a batch cannot be executed, before ASSAY_FAILED is returned.
    pub fail: Option<unsafe extern "C" fn(context: *mut c_void, reason: *const c_char)>,
}

/// The functions of a device. None of them may be NULL.
#[repr(C)]
pub struct Device {
    /// ASSAY_DEVICE_VERSION.
    pub version: u32,
    /// Makes a device and puts its handle into `handle`: ASSAY_KNOWN or ASSAY_FAILED. Handles know nothing of each other.
    pub open: Option<unsafe extern "C" fn(host: *const Host, handle: *mut *mut Handle) -> u32>,
    /// Returns the description of the device.
    pub describe: Option<unsafe extern "C" fn(handle: *mut Handle, description: *mut Description)>,
    /// Executes a batch: ASSAY_KNOWN, ASSAY_UNSUPPORTED or ASSAY_FAILED. ASSAY_UNSUPPORTED for a mode that
    /// assay_device_modes_v1 lists is a divergence, of the kind "declined". The effects of a batch do not depend on
    /// earlier batches.
    pub execute: Option<
        unsafe extern "C" fn(handle: *mut Handle, batch: *const Batch, effects: *const Effects) -> u32,
    >,
    /// Ends the device; the handle is no longer valid.
    pub close: Option<unsafe extern "C" fn(handle: *mut Handle)>,
}

impl From<location::Location> for Location {
    fn from(location: location::Location) -> Location {
        let (space, index) = location.number();
        Location { space, index }
    }
}

impl Location {
    /// The place that it names; none if there is no such place.
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
