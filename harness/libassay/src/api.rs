//! The exported functions. The header `include/assay.h` is generated from this file. These comments
//! become the documentation in the header, and address callers from C.
//!
//! Each function that can fail runs in `guarded`. Bad arguments become an error text, and no panic
//! leaves the library. `guarded` computes in the default floating-point environment, and restores
//! the caller's environment.

use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use assay_engine::compare::judge::Verdict;
use assay_fpenv::DefaultEnvironment;
use assay_isa::effect::Lanes;
use assay_isa::{Effects, Erratum, Event, Location};
use assay_session::{Expected, Refusal, Selected, Session, c_text};

/// Version of this interface. Pass it to assay_open.
pub const ASSAY_API_VERSION: u32 = 1;

/// The call succeeded.
pub const ASSAY_OK: u32 = 0;
/// The model or the oracle does not implement the instruction. No output was written.
pub const ASSAY_NOT_KNOWN: u32 = 1;
/// The call was wrong. assay_error gives the reason. No output was written.
pub const ASSAY_REFUSED: u32 = 2;
/// The library has a defect. assay_error describes it. From then on, the session accepts only
/// assay_error and assay_close.
pub const ASSAY_BROKEN: u32 = 3;

/// The output must not be written.
pub const ASSAY_TRUTH_NOT_WRITTEN: u8 = 0;
/// The output must be written, with a value from low to high, both included. If low equals high,
/// only these bits are right.
pub const ASSAY_TRUTH_SPAN: u8 = 1;
/// The output must be written, with a value in one of several spans. The first span starts at low,
/// and the last one ends at high. assay_judge knows all spans.
pub const ASSAY_TRUTH_SPANS: u8 = 2;
/// The specification leaves the result of this case undefined, under the current readings.
pub const ASSAY_TRUTH_UNDEFINED: u8 = 3;
/// Only assay_judge can decide: more values are allowed than can be listed, or the profile gives no
/// bound.
pub const ASSAY_TRUTH_UNLISTED: u8 = 4;

/// Every bit is right.
pub const ASSAY_EXACT: u8 = 0;
/// The error is within the bound that the profile gives.
pub const ASSAY_WITHIN: u8 = 1;
/// The result is wrong.
pub const ASSAY_DIVERGED: u8 = 2;
/// The specification leaves the result undefined, so any result is right.
pub const ASSAY_UNDEFINED: u8 = 3;
/// The profile gives no bound for this result.
pub const ASSAY_UNJUDGED: u8 = 4;

/// The value of an error, in units of 2^-32 ulp, if no error was measured.
pub const ASSAY_NO_ERROR: i64 = i64::MIN;

/// A session: one profile, and one instruction at a time. Sessions are independent of each other.
/// Only one thread may use a session at a time.
pub struct Handle {
    session: Option<Session>,
    error: CString,
    text: CString,
}

impl Handle {
    fn refuse(&mut self, refusal: &Refusal) -> u32 {
        self.error = c_text(refusal.to_string());
        ASSAY_REFUSED
    }

    /// Stores a text, and returns a pointer that is valid until the next call.
    fn lend(&mut self, text: impl Into<String>) -> *const c_char {
        self.text = c_text(text);
        self.text.as_ptr()
    }
}

fn wrong<T>(why: &str) -> Result<T, Refusal> {
    Err(Refusal::Call(why.to_owned()))
}

/// Runs a call on the session behind a handle, in the default floating-point environment. Stores
/// the error of the call, and catches a panic.
///
/// # Safety
/// The handle is NULL, or comes from assay_open and was not closed. No other thread uses it.
unsafe fn guarded(handle: *mut Handle, call: impl FnOnce(&mut Session) -> Result<u32, Refusal>) -> u32 {
    let _default = DefaultEnvironment::enter();
    // SAFETY: the caller meets the conditions above.
    let Some(handle) = (unsafe { handle.as_mut() }) else { return ASSAY_REFUSED };
    let Some(session) = &mut handle.session else { return ASSAY_BROKEN };
    match catch_unwind(AssertUnwindSafe(|| call(session))) {
        Ok(Ok(status)) => status,
        Ok(Err(refusal)) => handle.refuse(&refusal),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            handle.session = None;
            handle.error = c_text(format!("a defect of libassay: {}", text.unwrap_or_default()));
            ASSAY_BROKEN
        }
    }
}

/// Returns a text that the caller passed.
///
/// # Safety
/// The pointer is NULL, or points to a text with a zero at its end that stays valid while it is
/// used.
unsafe fn text<'a>(pointer: *const c_char) -> Result<&'a str, Refusal> {
    if pointer.is_null() {
        return wrong("a text is NULL");
    }
    // SAFETY: the caller meets the conditions above.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().or_else(|_| wrong("a text is not in UTF-8"))
}

/// Returns an array that the caller passed.
///
/// # Safety
/// The pointer is NULL, or points to `count` values that are not written while they are used.
unsafe fn values<'a, T>(pointer: *const T, count: usize) -> Result<&'a [T], Refusal> {
    match (pointer.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => wrong("an array is NULL"),
        // SAFETY: the caller meets the conditions above.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(pointer, count) }),
    }
}

/// Returns an array of the caller that receives results.
///
/// # Safety
/// The pointer is NULL, or points to `count` values that nothing else uses while they are written.
unsafe fn room<'a, T>(pointer: *mut T, count: usize) -> Result<&'a mut [T], Refusal> {
    match (pointer.is_null(), count) {
        (_, 0) => Ok(&mut []),
        (true, _) => wrong("an array is NULL"),
        // SAFETY: the caller meets the conditions above.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) }),
    }
}

/// Returns the number of cells of a table with `lanes` rows and `columns` columns.
fn cells(lanes: u32, columns: usize) -> Result<usize, Refusal> {
    let cells = (lanes as usize).checked_mul(columns).filter(|cells| *cells <= isize::MAX as usize / 8);
    cells.map_or_else(|| wrong("there are too many lanes"), Ok)
}

/// Returns the version of the library: the ASSAY_API_VERSION of its header.
#[unsafe(no_mangle)]
pub extern "C" fn assay_api_version() -> u32 {
    ASSAY_API_VERSION
}

/// Opens a session under a profile: literal, intended, sm90, faithful, or the path of a file.
/// `readings` changes readings of the profile, such as "E173=2 E042=1". "" changes none. If the
/// call fails, `session` still receives a handle. Pass it to assay_error, then to assay_close. No
/// handle is written if the version differs or `session` is NULL.
///
/// # Safety
/// The texts end with a zero. `session` points to space for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_open(
    version: u32,
    profile: *const c_char,
    readings: *const c_char,
    session: *mut *mut Handle,
) -> u32 {
    let _default = DefaultEnvironment::enter();
    if version != ASSAY_API_VERSION || session.is_null() {
        return ASSAY_REFUSED;
    }
    let mut handle = Handle { session: None, error: CString::default(), text: CString::default() };
    // SAFETY: the caller ensures that both texts end with a zero.
    let open = || Session::open(unsafe { text(profile)? }, unsafe { text(readings)? });
    let status = match catch_unwind(AssertUnwindSafe(open)) {
        Ok(Ok(session)) => {
            handle.session = Some(session);
            ASSAY_OK
        }
        Ok(Err(refusal)) => handle.refuse(&refusal),
        Err(_) => {
            handle.error = c_text("a defect of libassay: a session could not be opened");
            ASSAY_BROKEN
        }
    };
    // SAFETY: the pointer is not NULL, and the caller ensures that it points to space for a handle.
    unsafe { session.write(Box::into_raw(Box::new(handle))) };
    status
}

/// Closes a session. Does nothing for NULL.
///
/// # Safety
/// The handle is NULL or comes from assay_open, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_close(session: *mut Handle) {
    if !session.is_null() {
        let _default = DefaultEnvironment::enter();
        // SAFETY: the handle came from Box::into_raw in assay_open, and the caller does not use it
        // again.
        drop(unsafe { Box::from_raw(session) });
    }
}

/// Returns the reason for the last failure, in UTF-8. "" if no call failed. Valid until the next
/// call.
///
/// # Safety
/// The handle is NULL or comes from assay_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_error(session: *const Handle) -> *const c_char {
    // SAFETY: the caller meets the conditions above.
    unsafe { session.as_ref() }.map_or(c"there is no session".as_ptr(), |handle| handle.error.as_ptr())
}

/// Assembles a text, such as "FADD.RM R0, R1, R2". Bits 0 to 63 of the word go to word[0], the
/// others to word[1].
///
/// # Safety
/// The text ends with a zero. `word` has space for two values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_assemble(session: *mut Handle, source: *const c_char, word: *mut u64) -> u32 {
    // SAFETY: the caller meets the conditions above.
    unsafe {
        guarded(session, |session| {
            let encoded = session.assemble(text(source)?)?;
            room(word, 2)?.copy_from_slice(&[encoded as u64, (encoded >> 64) as u64]);
            Ok(ASSAY_OK)
        })
    }
}

/// Returns the canonical text of a word. NULL if the word is no instruction. Valid until the next
/// call.
///
/// # Safety
/// `word` points to two values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_disassemble(session: *mut Handle, word: *const u64) -> *const c_char {
    // SAFETY: the caller meets the conditions above.
    unsafe { lent(session, |session| session.disassemble(joined(values(word, 2)?))) }
}

fn joined(word: &[u64]) -> u128 {
    u128::from(word[0]) | u128::from(word[1]) << 64
}

/// Selects the current instruction for the calls below. The inputs are the locations that the
/// instruction reads. The outputs are the locations that it can write. assay_input_name and
/// assay_output_name give their order.
///
/// # Safety
/// `word` points to two values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_select(session: *mut Handle, word: *const u64) -> u32 {
    // SAFETY: the caller meets the conditions above.
    unsafe {
        guarded(session, |session| {
            session.select(joined(values(word, 2)?))?;
            Ok(ASSAY_OK)
        })
    }
}

/// Adds an input whose location depends on a value, such as "c[0][0x160]" of ULDC or "UR7" of
/// GETUGPR. The new input comes after the other inputs.
///
/// # Safety
/// The text ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_add_input(session: *mut Handle, location: *const c_char) -> u32 {
    // SAFETY: the caller meets the conditions above.
    unsafe { guarded(session, |session| session.add(text(location)?, false).map(|()| ASSAY_OK)) }
}

/// Adds an output whose location depends on a value, such as "UR7" of SETUGPR or "G[0x10]" of
/// SETREG. The new output comes after the other outputs.
///
/// # Safety
/// The text ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_add_output(session: *mut Handle, location: *const c_char) -> u32 {
    // SAFETY: the caller meets the conditions above.
    unsafe { guarded(session, |session| session.add(text(location)?, true).map(|()| ASSAY_OK)) }
}

/// Returns the name of input `nth`, counted from 0, such as "R1". NULL if there is no such input.
/// Valid until another instruction is selected, or a location is added.
///
/// # Safety
/// The handle comes from assay_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_input_name(session: *mut Handle, nth: u32) -> *const c_char {
    // SAFETY: the caller meets the conditions above.
    unsafe { name(session, nth, |selected| &selected.inputs) }
}

/// Returns the name of output `nth`, as assay_input_name does for inputs.
///
/// # Safety
/// The handle comes from assay_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_output_name(session: *mut Handle, nth: u32) -> *const c_char {
    // SAFETY: the caller meets the conditions above.
    unsafe { name(session, nth, |selected| &selected.outputs) }
}

/// # Safety
/// The handle comes from assay_open.
unsafe fn name(
    session: *mut Handle,
    nth: u32,
    list: impl Fn(&Selected) -> &[(Location, CString)],
) -> *const c_char {
    let mut found = ptr::null();
    // SAFETY: the caller meets the conditions above.
    unsafe {
        guarded(session, |session| {
            found =
                list(session.selected()?).get(nth as usize).map_or(ptr::null(), |(_, name)| name.as_ptr());
            Ok(ASSAY_OK)
        })
    };
    found
}

/// Executes `lanes` cases on the reference model. Arrays hold one column after the other:
/// inputs[i * lanes + l] is the value of input i in lane l. The outputs have the same order. The
/// value of a predicate is 0 or 1. written[o * lanes + l] becomes 1 if output o was written in lane
/// l. Otherwise this flag and the output become 0. ASSAY_NOT_KNOWN: the model does not implement
/// the instruction.
///
/// # Safety
/// The arrays have an element for each lane of each input or output.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_execute(
    session: *mut Handle,
    lanes: u32,
    inputs: *const u32,
    outputs: *mut u32,
    written: *mut u8,
) -> u32 {
    // SAFETY: the caller meets the conditions above.
    unsafe {
        guarded(session, |session| {
            let (ins, places) = (session.selected()?.inputs.len(), places(session)?);
            let (outputs, written) =
                (room(outputs, cells(lanes, places.len())?)?, room(written, cells(lanes, places.len())?)?);
            let lanes = lanes as usize;
            let inputs = values(inputs, cells(lanes as u32, ins)?)?;
            let Some(effects) = session.execute(lanes, inputs)? else { return Ok(ASSAY_NOT_KNOWN) };
            if let Some(column) = effects.columns().iter().find(|column| !places.contains(&column.location)) {
                let place = column.location;
                return wrong(&format!("it writes {place} too: add that with assay_add_output"));
            }
            for (nth, place) in places.iter().enumerate() {
                for lane in 0..lanes {
                    let value = effects.value(*place, lane);
                    outputs[nth * lanes + lane] = value.unwrap_or(0);
                    written[nth * lanes + lane] = u8::from(value.is_some());
                }
            }
            Ok(ASSAY_OK)
        })
    }
}

fn places(session: &Session) -> Result<Vec<Location>, Refusal> {
    Ok(session.selected()?.outputs.iter().map(|(location, _)| *location).collect())
}

/// Finds the true results of `lanes` cases, from the oracle and the profile's contracts. `states`
/// receives one of ASSAY_TRUTH_… for each lane of each output. For ASSAY_TRUTH_SPAN and
/// ASSAY_TRUTH_SPANS, `low` and `high` receive the ends. Otherwise they receive 0.
///
/// # Safety
/// The arrays have an element for each lane of each input or output.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_truth(
    session: *mut Handle,
    lanes: u32,
    inputs: *const u32,
    low: *mut u32,
    high: *mut u32,
    states: *mut u8,
) -> u32 {
    // SAFETY: the caller meets the conditions above.
    unsafe {
        guarded(session, |session| {
            let (ins, outs) = (session.selected()?.inputs.len(), session.selected()?.outputs.len());
            let count = cells(lanes, outs)?;
            let (low, high, states) = (room(low, count)?, room(high, count)?, room(states, count)?);
            let inputs = values(inputs, cells(lanes, ins)?)?;
            let lanes = lanes as usize;
            if !session.truth(lanes, inputs)? {
                return Ok(ASSAY_NOT_KNOWN);
            }
            for lane in 0..lanes {
                for (nth, expected) in session.expected(lane)?.0.into_iter().enumerate() {
                    let (state, from, to) = match expected {
                        Expected::NotWritten => (ASSAY_TRUTH_NOT_WRITTEN, 0, 0),
                        Expected::Span(from, to) => (ASSAY_TRUTH_SPAN, from, to),
                        Expected::Spans(from, to) => (ASSAY_TRUTH_SPANS, from, to),
                        Expected::Undefined => (ASSAY_TRUTH_UNDEFINED, 0, 0),
                        Expected::Unlisted => (ASSAY_TRUTH_UNLISTED, 0, 0),
                    };
                    let place = nth * lanes + lane;
                    (states[place], low[place], high[place]) = (state, from, to);
                }
            }
            Ok(ASSAY_OK)
        })
    }
}

/// Returns the event required for a lane of the last assay_truth, such as "fault: misaligned
/// address". "" if no event is required. NULL if there is no such lane. Valid until the next call.
///
/// # Safety
/// The handle comes from assay_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_truth_event(session: *mut Handle, lane: u32) -> *const c_char {
    // SAFETY: the caller meets the conditions above.
    unsafe {
        lent(session, |session| match lane as usize {
            lane if lane < session.lanes() => {
                Ok(session.expected(lane)?.1.map_or(String::new(), |event| event.to_string()))
            }
            _ => wrong("there is no such lane"),
        })
    }
}

/// Judges the results of a device for `lanes` cases. `verdicts` receives one of ASSAY_EXACT to
/// ASSAY_UNJUDGED for each lane. `errors` receives the signed error in units of 2^-32 ulp, rounded
/// down, or ASSAY_NO_ERROR. `events` has a text or NULL for each lane: an effect of the device
/// other than a write, such as "executed: NOP". The text "undefined: E049" states that the device
/// considers the result undefined. `events` may be NULL if there are no such effects. Values of
/// outputs that were not written are ignored.
///
/// # Safety
/// The arrays have an element for each lane, or for each lane of each input or output. Texts end
/// with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_judge(
    session: *mut Handle,
    lanes: u32,
    inputs: *const u32,
    outputs: *const u32,
    written: *const u8,
    events: *const *const c_char,
    verdicts: *mut u8,
    errors: *mut i64,
) -> u32 {
    // SAFETY: the caller meets the conditions above.
    unsafe {
        guarded(session, |session| {
            let places = places(session)?;
            let count = cells(lanes, places.len())?;
            let (outputs, written) = (values(outputs, count)?, values(written, count)?);
            let inputs = values(inputs, cells(lanes, session.selected()?.inputs.len())?)?;
            let lanes = lanes as usize;
            let (verdicts, errors) = (room(verdicts, lanes)?, room(errors, lanes)?);
            let mut did = Effects::default();
            did.reset(lanes);
            for (nth, place) in places.iter().enumerate() {
                let of = nth * lanes..(nth + 1) * lanes;
                let mask: Vec<bool> = written[of.clone()].iter().map(|byte| *byte != 0).collect();
                let mask = Lanes::from(mask);
                did.write(*place, mask).copy_from_slice(&outputs[of]);
            }
            let events = if events.is_null() { &[][..] } else { values(events, lanes)? };
            for (lane, event) in events.iter().enumerate().filter(|(_, event)| !event.is_null()) {
                report(&mut did, lane, text(*event)?)?;
            }
            if !session.judge(lanes, inputs, &did)? {
                return Ok(ASSAY_NOT_KNOWN);
            }
            for lane in 0..lanes {
                (verdicts[lane], errors[lane]) = coded(session.verdict(lane));
            }
            Ok(ASSAY_OK)
        })
    }
}

/// Records an effect other than a write that the device reported for a lane.
fn report(did: &mut Effects, lane: usize, said: &str) -> Result<(), Refusal> {
    let refused = |error: &dyn std::fmt::Display| Refusal::Call(error.to_string());
    match said.strip_prefix("undefined: ") {
        Some(erratum) => did.undefine(lane, erratum.parse::<Erratum>().map_err(|e| refused(&e))?),
        None => did.event(lane, said.parse::<Event>().map_err(|e| refused(&e))?),
    }
    Ok(())
}

/// Returns the code of a verdict, and its error.
fn coded(verdict: Verdict) -> (u8, i64) {
    match verdict {
        Verdict::Exact => (ASSAY_EXACT, ASSAY_NO_ERROR),
        Verdict::Within(error) => (ASSAY_WITHIN, error.floor),
        Verdict::Unjudged(error) => (ASSAY_UNJUDGED, error.floor),
        Verdict::Undefined(_) | Verdict::Unsupported => (ASSAY_UNDEFINED, ASSAY_NO_ERROR),
        Verdict::Diverged(divergence) => {
            (ASSAY_DIVERGED, divergence.error.map_or(ASSAY_NO_ERROR, |error| error.floor))
        }
    }
}

/// Returns the verdict on a lane of the last assay_judge in words, such as "diverged: sign of zero
/// in R0". NULL if there is no such lane. Valid until the next call.
///
/// # Safety
/// The handle comes from assay_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn assay_verdict(session: *mut Handle, lane: u32) -> *const c_char {
    // SAFETY: the caller meets the conditions above.
    unsafe {
        lent(session, |session| match lane as usize {
            lane if lane < session.lanes() => Ok(in_words(session.verdict(lane))),
            _ => wrong("there is no such lane"),
        })
    }
}

fn in_words(verdict: Verdict) -> String {
    match verdict {
        Verdict::Exact => "exact".into(),
        Verdict::Within(error) => format!("within, {error} ulp"),
        Verdict::Unjudged(error) => format!("unjudged, {error} ulp"),
        Verdict::Undefined(erratum) => format!("undefined ({erratum})"),
        Verdict::Unsupported => "unsupported".into(),
        Verdict::Diverged(divergence) => {
            let place = divergence.location.map_or(String::new(), |location| format!(" in {location}"));
            let ulp = divergence.error.map_or(String::new(), |error| format!(", {error} ulp"));
            format!("diverged: {}{place}{ulp}", divergence.kind.name())
        }
    }
}

/// Returns a text about the session, valid until the next call. NULL if there is none.
///
/// # Safety
/// The handle is NULL, or comes from assay_open and was not closed. No other thread uses it.
unsafe fn lent(
    handle: *mut Handle,
    find: impl FnOnce(&mut Session) -> Result<String, Refusal>,
) -> *const c_char {
    let mut found = None;
    // SAFETY: the caller meets the conditions above.
    unsafe {
        guarded(handle, |session| {
            found = Some(find(session)?);
            Ok(ASSAY_OK)
        })
    };
    // SAFETY: the caller meets the conditions above.
    match (unsafe { handle.as_mut() }, found) {
        (Some(handle), Some(found)) => handle.lend(found),
        _ => ptr::null(),
    }
}

#[cfg(test)]
mod tests;
