//! A device that is a shared library with the C interface of [`crate::abi`].
//!
//! The library runs in our own process: its answers are checked, but its crash is our crash, and so is its hang. Run a
//! less trusted library by `exec:assay dut serve lib:PATH`, in a process of its own.
//!
//! Every call, loading and unloading included, starts in the default floating-point environment. The changes of a call
//! are undone and recorded, so neither a later call nor our own arithmetic sees them. Our functions that a device calls
//! back run in the default environment too, and restore the device's own.

use std::error::Error as _;
use std::ffi::{CStr, CString, c_char, c_void};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use assay_fpenv::{DefaultEnvironment, Foreign};
use assay_isa::effect::{Failure, Lanes};
use assay_isa::{Answer, Batch, Effects, Erratum};

use crate::abi;
use crate::error::DeviceError;
use crate::frame::report;
use crate::protocol::{Framing, Ftz, Hello, HelloReply, OLDEST, PROTOCOL};
use crate::transport::{FirstHello, Transport};

/// The most patterns that a library can declare.
const MOST_MODES: usize = 1 << 16;

/// The functions of a device, none of them missing.
#[derive(Clone, Copy)]
struct Functions {
    open: unsafe extern "C" fn(*const abi::Host, *mut *mut abi::Handle) -> u32,
    describe: unsafe extern "C" fn(*mut abi::Handle, *mut abi::Description),
    execute: unsafe extern "C" fn(*mut abi::Handle, *const abi::Batch, *const abi::Effects) -> u32,
    close: unsafe extern "C" fn(*mut abi::Handle),
    /// Where the library declares its modes.
    modes: Option<unsafe extern "C" fn(*mut abi::Handle) -> *const *const c_char>,
}

/// A handle of a library.
pub struct Library {
    functions: Functions,
    hello: Arc<Hello>,
    first: Arc<FirstHello>,
    open: Option<Open>,
    locations: Vec<abi::Location>,
    text: Vec<u8>,
    /// Keeps the code loaded: dropped last.
    code: Code,
}

/// The loaded code, which may run when it is unloaded.
struct Code {
    loaded: ManuallyDrop<libloading::Library>,
    calls: Arc<Foreign>,
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: it is dropped here alone and never used afterwards.
        let unload = || unsafe { ManuallyDrop::drop(&mut self.loaded) };
        self.calls.call("unloading", String::new, unload);
    }
}

struct Open {
    handle: *mut abi::Handle,
    functions: Functions,
    calls: Arc<Foreign>,
    reply: HelloReply,
}

// SAFETY: by the interface one thread at a time uses a handle; it may be any thread.
unsafe impl Send for Open {}

impl Drop for Open {
    fn drop(&mut self) {
        // SAFETY: `open` gave the handle, it is closed once, and the library is still loaded.
        self.calls.call("close", String::new, || unsafe { (self.functions.close)(self.handle) });
    }
}

impl Library {
    /// Loads a library, or uses it again; the error names the problem.
    pub fn load(path: &Path, hello: Arc<Hello>, first: Arc<FirstHello>) -> Result<Library, String> {
        // A name without a folder would be looked for where the system has its libraries.
        let path = std::path::absolute(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let calls = Foreign::library(&format!("lib:{}", path.display()));
        // SAFETY: what the library does when it is loaded is up to its author, as all that it does later.
        let loaded = calls.call("loading", String::new, || unsafe { libloading::Library::new(&path) });
        let loaded = loaded.map_err(|e| {
            let reason = loader_reason(&e, &path);
            format!(
                "the library cannot be opened: {reason}; give a shared library that is built for this machine"
            )
        })?;
        let loaded = ManuallyDrop::new(loaded);
        let code = Code { loaded, calls };
        // SAFETY: the header gives the function this type.
        let entry =
            unsafe { code.loaded.get::<unsafe extern "C" fn() -> *const abi::Device>(b"assay_device_v1\0") };
        let entry = entry.map_err(|e| {
            format!("{}; a device exports the function assay_device_v1", loader_reason(&e, &path))
        })?;
        // SAFETY: as above.
        let table = code.calls.call("assay_device_v1", String::new, || unsafe { entry() });
        // SAFETY: the table is valid as long as the library is loaded.
        let table = unsafe { table.as_ref() }.ok_or("assay_device_v1 answered NULL")?;
        if table.version != abi::ASSAY_DEVICE_VERSION {
            let (has, wants) = (table.version, abi::ASSAY_DEVICE_VERSION);
            return Err(format!("the library has version {has} of the interface, not {wants}"));
        }
        // SAFETY: the header gives the function this type.
        let modes = unsafe {
            code.loaded.get::<unsafe extern "C" fn(*mut abi::Handle) -> *const *const c_char>(
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
        Ok(Library { functions, hello, first, open: None, locations: Vec::new(), text: Vec::new(), code })
    }

    fn open(&self) -> Result<Open, DeviceError> {
        let text = |text: &str| CString::new(text.replace('\0', "")).expect("no NUL is left");
        let (numbers, profile) = (text(&self.hello.numbers), text(&self.hello.profile));
        let reading = |(name, setting): (&String, &u8)| abi::Reading {
            erratum: name.parse().map_or(0, |Erratum(number)| number.into()),
            setting: u32::from(*setting),
        };
        let readings: Vec<abi::Reading> = self.hello.readings.iter().map(reading).collect();
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
        // SAFETY: the host and all that it points to outlive the call, and `handle` can be written.
        let open = || unsafe { (self.functions.open)(&host, &mut handle) };
        let status = self.code.calls.call("open", String::new, open);
        if status != abi::ASSAY_KNOWN {
            let reason = reason.unwrap_or_else(|| format!("open answered {status}"));
            return Err(DeviceError::new(Failure::Reported, reason).at_start());
        }
        let calls = self.code.calls.clone();
        let mut open = Open { handle, functions: self.functions, calls, reply: no_reply() };
        open.describe()?;
        Ok(open)
    }
}

/// What the system's loader says about a library, without the library's path in front.
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
        framing: Framing::Binary,
    }
}

/// Takes the reason of a failure into an `Option<String>`.
unsafe extern "C" fn take_reason(context: *mut c_void, reason: *const c_char) {
    let _default = DefaultEnvironment::enter();
    // SAFETY: the context is the option that we handed out, and it is not shared during the call.
    let place = unsafe { &mut *context.cast::<Option<String>>() };
    // SAFETY: the interface demands a text.
    *place = Some(unsafe { read(reason) }.unwrap_or_else(|| "no reason given".to_owned()));
}

/// A text; none where there is NULL.
///
/// # Safety
/// It is NULL or ends with NUL.
unsafe fn read(text: *const c_char) -> Option<String> {
    // SAFETY: the condition is the caller's.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

impl Open {
    fn describe(&mut self) -> Result<(), DeviceError> {
        let mut it = abi::Description {
            name: ptr::null(),
            version: ptr::null(),
            optypes: ptr::null(),
            optype_count: 0,
            profile: ptr::null(),
            ftz: ptr::null(),
        };
        // SAFETY: the handle is open and the description can be written.
        let describe = || unsafe { (self.functions.describe)(self.handle, &mut it) };
        self.calls.call("describe", String::new, describe);
        let count = it.optype_count as usize;
        if it.optypes.is_null() && count > 0 {
            return Err(DeviceError::unfit("describe gave no optypes").at_start());
        }
        // SAFETY: by the interface there are this many, and every one is a text or NULL.
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
            return Err(DeviceError::unfit("describe left out the name, the version or an optype").at_start());
        };
        let ftz = match ftz.as_deref() {
            None => None,
            Some("modifier") => Some(Ftz::Modifier),
            Some("always") => Some(Ftz::Always),
            Some("never") => Some(Ftz::Never),
            Some(other) => {
                let words = format!("describe gives `{other}` for ftz; write modifier, always or never");
                return Err(DeviceError::unfit(words).at_start());
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

    /// The modes that the library declares; none where it does not export the function.
    fn modes(&self) -> Result<Option<Vec<String>>, DeviceError> {
        let Some(modes) = self.functions.modes else { return Ok(None) };
        // SAFETY: the handle is open.
        let first = self.calls.call("assay_device_modes_v1", String::new, || unsafe { modes(self.handle) });
        if first.is_null() {
            return Err(DeviceError::unfit("assay_device_modes_v1 answered NULL").at_start());
        }
        // SAFETY: by the interface NULL ends the list, and every item before it is a text.
        let text = |place: usize| unsafe { read(*first.add(place)) };
        let list: Vec<String> = (0..=MOST_MODES).map_while(text).collect();
        match list.len() > MOST_MODES {
            true => {
                let words =
                    format!("assay_device_modes_v1 lists more than {MOST_MODES} modes, or no NULL ends it");
                Err(DeviceError::unfit(words).at_start())
            }
            false => Ok(Some(list)),
        }
    }
}

impl Transport for Library {
    fn connect(&mut self) -> Result<&HelloReply, DeviceError> {
        if self.open.is_none() {
            let open = self.open()?;
            self.first.check(&open.reply)?;
            self.open = Some(open);
        }
        Ok(&self.open.as_ref().expect("it was just opened").reply)
    }

    /// A call cannot be ended from outside: the deadline is not held.
    fn attempt(
        &mut self,
        text: &str,
        batch: &Batch,
        _deadline: Duration,
        effects: &mut Effects,
    ) -> Result<Answer, DeviceError> {
        self.connect()?;
        let handle = self.open.as_ref().expect("it was just opened").handle;
        self.locations.clear();
        self.locations.extend(batch.locations().iter().map(|location| abi::Location::from(*location)));
        self.text.clear();
        self.text.extend_from_slice(text.as_bytes());
        self.text.push(0);
        effects.reset(batch.len());
        let mut sink = Sink { effects, trouble: None };
        let asked = abi::Batch {
            word_low: batch.word() as u64,
            word_high: (batch.word() >> 64) as u64,
            text: self.text.as_ptr().cast(),
            lanes: batch.len() as u32,
            columns: self.locations.len() as u32,
            locations: self.locations.as_ptr(),
            values: batch.values().as_ptr(),
        };
        let answers = abi::Effects {
            context: (&raw mut sink).cast(),
            write: Some(write),
            event: Some(event),
            fail: Some(fail),
        };
        // SAFETY: the handle is open, and both arguments with all that they point to outlive the call.
        let execute = || unsafe { (self.functions.execute)(handle, &asked, &answers) };
        let status = self.code.calls.call("execute", || text.to_owned(), execute);
        match (sink.trouble, status) {
            (Some(trouble), _) => Err(trouble),
            (None, abi::ASSAY_KNOWN) => Ok(Answer::Known),
            (None, abi::ASSAY_UNSUPPORTED) => Ok(Answer::Unsupported),
            (None, abi::ASSAY_FAILED) => {
                Err(DeviceError::new(Failure::Reported, "execute failed and gave no reason"))
            }
            (None, other) => {
                Err(DeviceError::unfit(format!("execute answered {other}; 0, 1 and 2 are known")))
            }
        }
    }

    fn is_usable(&self) -> bool {
        self.open.is_some()
    }

    fn calls(&self) -> Option<&Arc<Foreign>> {
        Some(&self.code.calls)
    }
}

/// Where a library reports: the first thing that is wrong with it counts.
struct Sink<'a> {
    effects: &'a mut Effects,
    trouble: Option<DeviceError>,
}

/// The sink behind a context.
///
/// # Safety
/// The context is that of the batch that is executing, and no other reference to its sink is in use.
unsafe fn sink<'a>(context: *mut c_void) -> &'a mut Sink<'a> {
    // SAFETY: the condition is the caller's.
    unsafe { &mut *context.cast() }
}

unsafe extern "C" fn write(context: *mut c_void, location: abi::Location, written: *const u8) -> *mut u32 {
    let _default = DefaultEnvironment::enter();
    // SAFETY: the library hands back our context, in the thread that called it.
    let sink = unsafe { sink(context) };
    let Some(place) = location.place() else {
        let abi::Location { space, index } = location;
        let words = format!("no location is number {index} of space {space}");
        sink.trouble.get_or_insert_with(|| DeviceError::unfit(words));
        return ptr::null_mut();
    };
    let lanes = match written.is_null() {
        true => Lanes::All,
        false => {
            // SAFETY: the interface demands a byte for each lane.
            let written = unsafe { std::slice::from_raw_parts(written, sink.effects.len()) };
            Lanes::Some(written.iter().map(|byte| *byte != 0).collect())
        }
    };
    let values = sink.effects.write(place, lanes);
    values.fill(0);
    values.as_mut_ptr()
}

unsafe extern "C" fn event(context: *mut c_void, lane: u32, event: *const c_char) {
    let _default = DefaultEnvironment::enter();
    // SAFETY: the library hands back our context, in the thread that called it.
    let sink = unsafe { sink(context) };
    // SAFETY: the interface demands a text.
    let text = unsafe { read(event) }.unwrap_or_default();
    if let Err(words) = report(&text, lane as usize, sink.effects) {
        sink.trouble.get_or_insert_with(|| DeviceError::unfit(words));
    }
}

unsafe extern "C" fn fail(context: *mut c_void, reason: *const c_char) {
    let _default = DefaultEnvironment::enter();
    // SAFETY: the library hands back our context, in the thread that called it.
    let sink = unsafe { sink(context) };
    // SAFETY: the interface demands a text.
    let reason = unsafe { read(reason) }.unwrap_or_else(|| "no reason given".to_owned());
    sink.trouble.get_or_insert_with(|| DeviceError::new(Failure::Reported, reason));
}
