//! Panics of the Parquet library, made errors.
//!
//! The library checks most of its input, but it trusts some lengths and offsets, and panics over those of a damaged
//! file. A damaged file is bad input and no defect of ours, so such a panic is caught here.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether this thread is inside the library, so that its panics are not shown.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Calls the library. If it panics, returns its message; the data that it worked on must not be used again.
pub fn guarded<R>(call: impl FnOnce() -> R) -> Result<R, String> {
    quiet();
    let before = INSIDE.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(call));
    INSIDE.set(before);
    outcome.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        format!("its structure makes no sense ({text})")
    })
}

/// Installs, once for the whole process, a hook that is silent about such panics and leaves all others, on this thread
/// or another, to the hook that was there before.
fn quiet() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !INSIDE.get() {
                before(info);
            }
        }));
    });
}
