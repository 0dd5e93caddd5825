//! Loads a shared library with the C interface of [`crate::abi`], and opens handles of it.

use std::error::Error as _;
use std::ffi::{CStr, CString, c_char, c_void};
use std::path::Path;
use std::ptr;

use assay_isa::Erratum;

use crate::abi;
use crate::protocol::{Framing, Ftz, Hello, HelloReply, OLDEST, PROTOCOL};

/// Maximum number of patterns that a library can declare.
const MOST_MODES: usize = 1 << 16;

/// The functions of a device. All but `modes` are present.
#[derive(Clone, Copy)]
struct Functions {
    open: unsafe extern "C" fn(*const abi::Host, *mut *mut abi::Handle) -> u32,
    describe: unsafe extern "C" fn(*mut abi::Handle, *mut abi::Description),
    execute: unsafe extern "C" fn(*mut abi::Handle, *const abi::Batch, *const abi::Effects) -> u32,
    close: unsafe extern "C" fn(*mut abi::Handle),
    /// The function that declares the modes, if the library exports it.
    modes: Option<unsafe extern "C" fn(*mut abi::Handle) -> *const *const c_char>,
}

/// A loaded library. It stays loaded until this program ends.
pub(super) struct Library {
    functions: Functions,
}

/// An open handle of a library. Dropping it closes the handle.
pub(super) struct OpenHandle {
    handle: *mut abi::Handle,
    functions: Functions,
    reply: HelloReply,
}

impl Drop for OpenHandle {
    fn drop(&mut self) {
        assay_fpenv::set_default();
        // SAFETY: `open` gave the handle, and it is closed once.
        unsafe { (self.functions.close)(self.handle) };
    }
}

impl Library {
    /// Loads a library. The error names the problem.
    pub(super) fn load(path: &Path) -> Result<Library, String> {
        // SAFETY: loading runs code of the library. Its author is responsible for this code, as for
        // all its later calls.
        let loaded = unsafe { libloading::Library::new(path) };
        let loaded = loaded.map_err(|e| {
            let reason = loader_reason(&e, path);
            format!(
                "the library cannot be opened: {reason}; give a shared library that is built for this machine"
            )
        })?;
        // SAFETY: the header gives the function this type.
        let entry =
            unsafe { loaded.get::<unsafe extern "C" fn() -> *const abi::Device>(b"assay_device_v1\0") };
        let entry = entry.map_err(|e| {
            format!("{}; a device exports the function assay_device_v1", loader_reason(&e, path))
        })?;
        assay_fpenv::set_default();
        // SAFETY: as above; the table is valid as long as the library is loaded.
        let table = unsafe { entry().as_ref() }.ok_or("assay_device_v1 answered NULL")?;
        if table.version != abi::ASSAY_DEVICE_VERSION {
            let (has, wants) = (table.version, abi::ASSAY_DEVICE_VERSION);
            return Err(format!("the library has version {has} of the interface, not {wants}"));
        }
        // SAFETY: the header gives the function this type.
        let modes = unsafe {
            loaded.get::<unsafe extern "C" fn(*mut abi::Handle) -> *const *const c_char>(
                b"assay_device_modes_v1\0",
            )
        };
        let missing = || "a function of the device is NULL".to_owned();
        let functions = Functions {
            open: table.open.ok_or_else(missing)?,
            describe: table.describe.ok_or_else(missing)?,
            execute: table.execute.ok_or_else(missing)?,
            close: table.close.ok_or_else(missing)?,
            modes: modes.ok().map(|modes| *modes),
        };
        // The library stays loaded until the process ends: its threads may still run.
        std::mem::forget(loaded);
        Ok(Library { functions })
    }

    /// Opens a handle for a host. The error names the problem.
    pub(super) fn open(&self, hello: &Hello) -> Result<OpenHandle, String> {
        let text = |text: &str| CString::new(text.replace('\0', "")).expect("no NUL is left");
        let (numbers, profile) = (text(&hello.numbers), text(&hello.profile));
        let reading = |(name, setting): (&String, &u8)| abi::Reading {
            erratum: name.parse().map_or(0, |Erratum(number)| number.into()),
            setting: u32::from(*setting),
        };
        let readings: Vec<abi::Reading> = hello.readings.iter().map(reading).collect();
        let mut reason = None;
        let host = abi::Host {
            numbers: numbers.as_ptr(),
            profile: profile.as_ptr(),
            readings: readings.as_ptr(),
            reading_count: readings.len() as u32,
            context: (&raw mut reason).cast(),
            fail: Some(take_reason),
        };
        let mut handle = ptr::null_mut();
        assay_fpenv::set_default();
        // SAFETY: the host and all that it points to outlive the call, and `handle` can be written.
        let status = unsafe { (self.functions.open)(&host, &mut handle) };
        if status != abi::ASSAY_KNOWN {
            return Err(reason.unwrap_or_else(|| format!("open answered {status}")));
        }
        let mut open = OpenHandle { handle, functions: self.functions, reply: no_reply() };
        open.describe()?;
        Ok(open)
    }
}

/// Returns the error message of the system's loader, without the path of the library.
fn loader_reason(error: &libloading::Error, path: &Path) -> String {
    let reason = error.source().map_or_else(|| error.to_string(), ToString::to_string);
    let prefix = format!("{}: ", path.display());
    reason.strip_prefix(&prefix).unwrap_or(&reason).to_owned()
}

fn no_reply() -> HelloReply {
    HelloReply {
        protocol: OLDEST,
        name: String::new(),
        version: String::new(),
        optypes: Vec::new(),
        modes: Vec::new(),
        profile: None,
        ftz: None,
        framing: Framing::Shared,
    }
}

/// Stores the reason for a failure in the `Option<String>` that `context` points to.
unsafe extern "C" fn take_reason(context: *mut c_void, reason: *const c_char) {
    // SAFETY: the context is the option that we handed out, and it is not shared during the call.
    let place = unsafe { &mut *context.cast::<Option<String>>() };
    // SAFETY: the interface demands a text.
    *place = Some(unsafe { read(reason) }.unwrap_or_else(|| "no reason given".to_owned()));
}

/// Returns a text. `None` for NULL.
///
/// # Safety
/// `text` is NULL, or points to a text that ends with NUL.
pub(super) unsafe fn read(text: *const c_char) -> Option<String> {
    // SAFETY: the condition is the caller's.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

impl OpenHandle {
    /// Returns the description of the device.
    pub(super) fn reply(&self) -> &HelloReply {
        &self.reply
    }

    /// Calls `execute` of the device.
    ///
    /// # Safety
    /// Both arguments and all that they point to are as the interface demands.
    pub(super) unsafe fn execute(&self, batch: &abi::Batch, effects: &abi::Effects) -> u32 {
        assay_fpenv::set_default();
        // SAFETY: the handle is open; the rest is the caller's.
        unsafe { (self.functions.execute)(self.handle, batch, effects) }
    }

    fn describe(&mut self) -> Result<(), String> {
        let mut it = abi::Description {
            name: ptr::null(),
            version: ptr::null(),
            optypes: ptr::null(),
            optype_count: 0,
            profile: ptr::null(),
            ftz: ptr::null(),
        };
        assay_fpenv::set_default();
        // SAFETY: the handle is open and the description can be written.
        unsafe { (self.functions.describe)(self.handle, &mut it) };
        let count = it.optype_count as usize;
        if it.optypes.is_null() && count > 0 {
            return Err("describe gave no optypes".into());
        }
        // SAFETY: by the interface the list has this many entries, and each is a text or NULL.
        let texts = unsafe {
            let optypes = (0..count).map(|i| read(*it.optypes.add(i)));
            (
                read(it.name),
                read(it.version),
                optypes.collect::<Option<Vec<_>>>(),
                read(it.profile),
                read(it.ftz),
            )
        };
        let (Some(name), Some(version), Some(optypes), profile, ftz) = texts else {
            return Err("describe left out the name, the version or an optype".into());
        };
        let ftz = match ftz.as_deref() {
            None => None,
            Some("modifier") => Some(Ftz::Modifier),
            Some("always") => Some(Ftz::Always),
            Some("never") => Some(Ftz::Never),
            Some(other) => {
                return Err(format!("describe gives `{other}` for ftz; write modifier, always or never"));
            }
        };
        self.reply = match self.modes()? {
            Some(modes) => {
                HelloReply { protocol: PROTOCOL, name, version, modes, profile, ftz, ..no_reply() }
            }
            None => HelloReply { name, version, optypes, profile, ftz, ..no_reply() },
        };
        Ok(())
    }

    /// Returns the modes that the library declares. `None` if it does not export the function.
    fn modes(&self) -> Result<Option<Vec<String>>, String> {
        let Some(modes) = self.functions.modes else { return Ok(None) };
        // SAFETY: the handle is open.
        let first = unsafe { modes(self.handle) };
        if first.is_null() {
            return Err("assay_device_modes_v1 answered NULL".into());
        }
        // SAFETY: by the interface NULL ends the list, and every item before it is a text.
        let text = |place: usize| unsafe { read(*first.add(place)) };
        let list: Vec<String> = (0..=MOST_MODES).map_while(text).collect();
        if list.len() > MOST_MODES {
            return Err(format!(
                "assay_device_modes_v1 lists more than {MOST_MODES} modes, or no NULL ends it"
            ));
        }
        Ok(Some(list))
    }
}
