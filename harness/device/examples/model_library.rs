//! The reference model as a shared library with the C interface, for tests and measurements.

use std::ffi::{CString, c_char};

use assay_device::abi::{
    ASSAY_DEVICE_VERSION, ASSAY_FAILED, ASSAY_KNOWN, ASSAY_UNSUPPORTED, Batch, Description, Device, Effects,
    Handle, Host,
};
use assay_isa::effect::Lanes;
use assay_isa::{Answer, EncodingTable, Erratum, Readings, Subject};

/// The state behind a handle.
struct Model {
    subject: Box<dyn Subject>,
    batch: assay_isa::Batch,
    effects: assay_isa::Effects,
}

/// The pattern list of the model: it supports all modes.
struct Modes([*const c_char; 2]);

// SAFETY: both are static texts of the program, which never change.
unsafe impl Sync for Modes {}

static MODES: Modes = Modes([c"*".as_ptr(), std::ptr::null()]);

/// Exported function: returns the modes that the library supports.
#[unsafe(no_mangle)]
pub extern "C" fn assay_device_modes_v1(_handle: *mut Handle) -> *const *const c_char {
    MODES.0.as_ptr()
}

static DEVICE: Device = Device {
    version: ASSAY_DEVICE_VERSION,
    open: Some(open),
    describe: Some(describe),
    execute: Some(execute),
    close: Some(close),
};

/// Exported function: returns the functions of the device.
#[unsafe(no_mangle)]
pub extern "C" fn assay_device_v1() -> *const Device {
    &DEVICE
}

unsafe extern "C" fn open(host: *const Host, handle: *mut *mut Handle) -> u32 {
    // SAFETY: the interface gives a host that is valid during the call.
    let host = unsafe { &*host };
    let mut readings = Readings::default();
    for i in 0..host.reading_count as usize {
        // SAFETY: `readings` has `reading_count` entries, and `i` is below this count.
        let reading = unsafe { &*host.readings.add(i) };
        if readings.set(Erratum(reading.erratum as u16), reading.setting as u8).is_err() {
            return ASSAY_FAILED;
        }
    }
    let subject = assay_model::model(EncodingTable::provisional().clone(), readings);
    let model = Model { subject, batch: Default::default(), effects: Default::default() };
    // SAFETY: the interface gives a place for the handle.
    unsafe { *handle = Box::into_raw(Box::new(model)).cast() };
    ASSAY_KNOWN
}

unsafe extern "C" fn describe(_handle: *mut Handle, description: *mut Description) {
    // SAFETY: the interface gives a description that can be written.
    unsafe {
        *description = Description {
            name: c"model".as_ptr(),
            version: c"1".as_ptr(),
            optypes: std::ptr::null(),
            optype_count: 0,
            profile: std::ptr::null(),
            ftz: c"modifier".as_ptr(),
        };
    }
}

unsafe extern "C" fn execute(handle: *mut Handle, batch: *const Batch, effects: *const Effects) -> u32 {
    // SAFETY: the handle comes from `open`, and only this thread uses it; the other two pointers
    // are valid during the call.
    let (model, asked, out) = unsafe { (&mut *handle.cast::<Model>(), &*batch, &*effects) };
    let (Some(write), Some(event), Some(fail)) = (out.write, out.event, out.fail) else {
        return ASSAY_FAILED;
    };
    let (lanes, columns) = (asked.lanes as usize, asked.columns as usize);
    // SAFETY: `locations` has an entry for each of the `columns` columns.
    let locations = unsafe { std::slice::from_raw_parts(asked.locations, columns) };
    let locations: Option<Vec<_>> = locations.iter().map(|location| location.place()).collect();
    let Some(locations) = locations else { return ASSAY_FAILED };
    let word = u128::from(asked.word_low) | u128::from(asked.word_high) << 64;
    model.batch.reset(word, &locations, lanes);
    for column in 0..columns {
        // SAFETY: `values` has `columns * lanes` entries, column after column.
        let values = unsafe { std::slice::from_raw_parts(asked.values.add(column * lanes), lanes) };
        model.batch.column_mut(column).copy_from_slice(values);
    }
    let answer = match model.subject.execute(&model.batch, &mut model.effects) {
        Ok(Answer::Known) => ASSAY_KNOWN,
        Ok(Answer::Unsupported) => return ASSAY_UNSUPPORTED,
        Err(error) => {
            let reason = CString::new(error.to_string()).unwrap_or_default();
            // SAFETY: the context is the one that came with this function.
            unsafe { fail(out.context, reason.as_ptr()) };
            return ASSAY_FAILED;
        }
    };
    for writes in model.effects.columns() {
        let mask: Option<Vec<u8>> = match &writes.written {
            Lanes::All => None,
            Lanes::Some(lanes) => Some(lanes.iter().map(|lane| u8::from(*lane)).collect()),
        };
        let mask = mask.as_ref().map_or(std::ptr::null(), |mask| mask.as_ptr());
        // SAFETY: the context is the one that came with this function, and the mask has a byte for
        // each lane.
        let place = unsafe { write(out.context, writes.location.into(), mask) };
        if place.is_null() {
            return ASSAY_FAILED;
        }
        // SAFETY: the returned array has an entry for each lane.
        unsafe { std::slice::from_raw_parts_mut(place, lanes) }.copy_from_slice(&writes.values);
    }
    let events = model.effects.events().iter().map(|(lane, event)| (*lane, event.to_string()));
    let undefined = model.effects.undefined().iter().map(|(lane, e)| (*lane, format!("undefined: {e}")));
    for (lane, text) in events.chain(undefined) {
        let text = CString::new(text).unwrap_or_default();
        // SAFETY: the context is the one that came with this function.
        unsafe { event(out.context, lane as u32, text.as_ptr()) };
    }
    answer
}

unsafe extern "C" fn close(handle: *mut Handle) {
    // SAFETY: the handle comes from `open`, and is closed once.
    drop(unsafe { Box::from_raw(handle.cast::<Model>()) });
}
