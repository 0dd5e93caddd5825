//! The C interface (`assay_device.h`, version 1), which docs/device-under-test.md describes.
//!
//! The environment variable `ASSAY_INDEPENDENT_FAULT` names the fault. Without it the device is sound.

use core::ffi::{CStr, c_char, c_void};
use core::ptr;
use std::ffi::CString;

use crate::batch::Batch;
use crate::device::Device;
use crate::fault::Fault;
use crate::location::Location;

const VERSION: u32 = 1;
const KNOWN: u32 = 0;
const UNSUPPORTED: u32 = 1;
const FAILED: u32 = 2;

/// The environment variable that names the fault.
pub const FAULT_VARIABLE: &str = "ASSAY_INDEPENDENT_FAULT";

/// The state behind a handle.
pub struct Handle {
    device: Device,
    /// Pointers to `_texts`, followed by a null pointer.
    modes: Vec<*const c_char>,
    /// Keeps the texts of `modes` alive.
    _texts: Vec<CString>,
}

/// `assay_host`: the host that opens a device.
#[repr(C)]
pub struct Host {
    numbers: *const c_char,
    profile: *const c_char,
    readings: *const c_void,
    reading_count: u32,
    context: *mut c_void,
    fail: Option<unsafe extern "C" fn(*mut c_void, *const c_char)>,
}

/// `assay_description`: the description of a device.
#[repr(C)]
pub struct Description {
    name: *const c_char,
    version: *const c_char,
    optypes: *const *const c_char,
    optype_count: u32,
    profile: *const c_char,
    ftz: *const c_char,
}

/// `assay_batch`: an instruction and its inputs.
#[repr(C)]
pub struct RawBatch {
    word_low: u64,
    word_high: u64,
    text: *const c_char,
    lanes: u32,
    columns: u32,
    locations: *const Location,
    values: *const u32,
}

type Write = unsafe extern "C" fn(*mut c_void, Location, *const u8) -> *mut u32;

/// `assay_effects`: where results go.
#[repr(C)]
pub struct Effects {
    context: *mut c_void,
    write: Option<Write>,
    event: *const c_void,
    fail: Option<unsafe extern "C" fn(*mut c_void, *const c_char)>,
}

/// `assay_device`: the functions of a device.
#[repr(C)]
pub struct Functions {
    version: u32,
    open: unsafe extern "C" fn(*const Host, *mut *mut Handle) -> u32,
    describe: unsafe extern "C" fn(*mut Handle, *mut Description),
    execute: unsafe extern "C" fn(*mut Handle, *const RawBatch, *const Effects) -> u32,
    close: unsafe extern "C" fn(*mut Handle),
}

static FUNCTIONS: Functions = Functions { version: VERSION, open, describe, execute, close };

/// Returns the functions of the device.
#[unsafe(no_mangle)]
pub extern "C" fn assay_device_v1() -> *const Functions {
    &raw const FUNCTIONS
}

/// Returns the supported modes of an open device. A null pointer ends the list.
///
/// # Safety
///
/// `handle` is null, or comes from `open` and has not been closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_device_modes_v1(handle: *mut Handle) -> *const *const c_char {
    // SAFETY: the caller passes an open handle or null.
    unsafe { handle.as_ref() }.map_or(ptr::null(), |handle| handle.modes.as_ptr())
}

/// Returns the fault with this name. For an unknown name, the error lists the known names.
fn chosen_fault(name: Option<&str>) -> Result<Option<Fault>, String> {
    let Some(name) = name else {
        return Ok(None);
    };
    Fault::of(name).map(Some).ok_or_else(|| {
        let known: Vec<&str> = Fault::ALL.iter().map(|info| info.name).collect();
        format!("`{FAULT_VARIABLE}` names no fault: `{name}`; the faults are {}", known.join(", "))
    })
}

unsafe extern "C" fn open(host: *const Host, out: *mut *mut Handle) -> u32 {
    if out.is_null() {
        return FAILED;
    }
    let name = std::env::var_os(FAULT_VARIABLE);
    match chosen_fault(name.as_ref().map(|name| name.to_string_lossy()).as_deref()) {
        Ok(fault) => {
            let texts: Vec<CString> =
                Device::modes().into_iter().filter_map(|name| CString::new(name).ok()).collect();
            let ends = [ptr::null()];
            let modes = texts.iter().map(|text| text.as_ptr()).chain(ends).collect();
            let handle = Box::new(Handle { device: Device::new(fault), modes, _texts: texts });
            // SAFETY: `out` is not null, and the caller passes space for a handle.
            unsafe { out.write(Box::into_raw(handle)) };
            KNOWN
        }
        Err(reason) => {
            // SAFETY: the caller passes a host that is valid during the call, or null.
            if let Some(host) = unsafe { host.as_ref() } {
                report(host.fail, host.context, &reason);
            }
            FAILED
        }
    }
}

/// Reports a reason to the host.
fn report(
    fail: Option<unsafe extern "C" fn(*mut c_void, *const c_char)>,
    context: *mut c_void,
    reason: &str,
) {
    if let (Some(fail), Ok(text)) = (fail, CString::new(reason)) {
        // SAFETY: the function and its context come from the host and are valid during the call.
        unsafe { fail(context, text.as_ptr()) };
    }
}

unsafe extern "C" fn describe(handle: *mut Handle, description: *mut Description) {
    const NAME: &CStr = c"assay-independent";
    const PACKAGE_VERSION: &CStr = c"0.1.0";
    const PROFILE: &CStr = c"intended";
    const FTZ: &CStr = c"modifier";
    // SAFETY: the caller passes an open handle and a description to fill, or null.
    let (Some(handle), Some(description)) = (unsafe { handle.as_ref() }, unsafe { description.as_mut() })
    else {
        return;
    };
    *description = Description {
        name: NAME.as_ptr(),
        version: PACKAGE_VERSION.as_ptr(),
        optypes: handle.modes.as_ptr(),
        optype_count: u32::try_from(handle.modes.len() - 1).unwrap_or(0),
        profile: PROFILE.as_ptr(),
        ftz: FTZ.as_ptr(),
    };
}

unsafe extern "C" fn execute(handle: *mut Handle, batch: *const RawBatch, effects: *const Effects) -> u32 {
    // SAFETY: the caller passes an open handle that no other thread uses, a batch and effects.
    let (Some(handle), Some(batch), Some(effects)) =
        (unsafe { handle.as_mut() }, unsafe { batch.as_ref() }, unsafe { effects.as_ref() })
    else {
        return FAILED;
    };
    let (lanes, columns) = (batch.lanes as usize, batch.columns as usize);
    // SAFETY: the batch has `columns` locations and `columns` times `lanes` values.
    let (locations, values) =
        unsafe { (slice(batch.locations, columns), slice(batch.values, columns.saturating_mul(lanes))) };
    let word = u128::from(batch.word_low) | (u128::from(batch.word_high) << 64);
    let Some(results) = handle.device.run(&Batch { word, lanes, locations, values }) else {
        return UNSUPPORTED;
    };
    let Some(write) = effects.write else {
        return FAILED;
    };
    for column in results {
        let mask = column.written.as_ref().map_or(ptr::null(), |written| written.as_ptr());
        // SAFETY: the function comes from the host. The mask has a byte for each lane.
        let place = unsafe { write(effects.context, column.location, mask) };
        if place.is_null() {
            return FAILED;
        }
        // SAFETY: the host returns space for a value of each lane.
        unsafe { ptr::copy_nonoverlapping(column.values.as_ptr(), place, column.values.len()) };
    }
    KNOWN
}

/// Returns a slice. Empty if `first` is null or `count` is 0.
///
/// # Safety
///
/// Unless it is null, `first` points to `count` values that outlive the slice.
unsafe fn slice<'a, T>(first: *const T, count: usize) -> &'a [T] {
    if first.is_null() || count == 0 {
        return &[];
    }
    // SAFETY: the caller meets the condition.
    unsafe { core::slice::from_raw_parts(first, count) }
}

unsafe extern "C" fn close(handle: *mut Handle) {
    if !handle.is_null() {
        // SAFETY: the handle comes from `open` and is closed once.
        drop(unsafe { Box::from_raw(handle) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The writes that the host received: the location, whether a mask came with it, and the values
    /// of two lanes.
    #[derive(Default)]
    struct Seen(Vec<(Location, bool, Box<[u32; 2]>)>);

    unsafe extern "C" fn write(context: *mut c_void, location: Location, written: *const u8) -> *mut u32 {
        // SAFETY: the test passes a `Seen`.
        let seen = unsafe { &mut *context.cast::<Seen>() };
        seen.0.push((location, !written.is_null(), Box::new([0; 2])));
        seen.0.last_mut().map_or(ptr::null_mut(), |(_, _, values)| values.as_mut_ptr())
    }

    fn executed(word: u128) -> (u32, Seen) {
        let mut seen = Seen::default();
        let mut handle = ptr::null_mut();
        let locations = [Location::r(1), Location::r(2)];
        let values = [0x3f80_0000, 0x4000_0000, 0x4040_0000, 0];
        let batch = RawBatch {
            word_low: word as u64,
            word_high: (word >> 64) as u64,
            text: c"".as_ptr(),
            lanes: 2,
            columns: 2,
            locations: locations.as_ptr(),
            values: values.as_ptr(),
        };
        let context = ptr::from_mut(&mut seen).cast();
        let effects = Effects { context, write: Some(write), event: ptr::null(), fail: None };
        // SAFETY: every pointer is valid during the calls, and the handle is closed once.
        let status = unsafe {
            assert_eq!(open(ptr::null(), &raw mut handle), KNOWN);
            let mut modes = assay_device_modes_v1(handle);
            let mut count = 0;
            while !(*modes).is_null() {
                assert!(CStr::from_ptr(*modes).to_bytes().is_ascii());
                modes = modes.add(1);
                count += 1;
            }
            assert_eq!(count, Device::modes().len());
            let status = execute(handle, &raw const batch, &raw const effects);
            close(handle);
            status
        };
        (status, seen)
    }

    #[test]
    fn a_batch_goes_through_the_c_interface() {
        let (status, seen) = executed(0x0000_0000_0000_0000_0000_0002_0100_7529);
        assert_eq!(status, KNOWN);
        let [(location, masked, values)] = &seen.0[..] else { panic!("one write: {}", seen.0.len()) };
        assert_eq!((*location, *masked), (Location::r(0), false));
        assert_eq!(**values, [0x4080_0000, 0x4000_0000]);
        assert_eq!(executed(0xd).0, UNSUPPORTED, "NOP");
    }

    #[test]
    fn an_unknown_fault_is_refused() {
        assert_eq!(chosen_fault(None), Ok(None));
        assert_eq!(chosen_fault(Some("ties-away")), Ok(Some(Fault::TiesAway)));
        let reason = chosen_fault(Some("tie-away")).expect_err("no such fault");
        assert!(reason.contains("`tie-away`") && reason.contains("ties-away"), "{reason}");
    }
}
