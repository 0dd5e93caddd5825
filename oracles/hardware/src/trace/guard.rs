//! Converts panics of the Parquet library to errors.
//!
//! The library checks most of its input. But the library trusts some lengths and offsets, and
//! panics if they are wrong in a damaged file. A damaged file is bad input and not a defect of this
//! program, so such a panic is caught here.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether this thread is inside the library. Panics there are not printed.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Calls the library. If it panics, returns the panic's message. After an error, the data that the
/// call used must not be used again.
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

/// Installs a panic hook, once for the process. The hook prints nothing for panics inside the
/// library. It passes all other panics, on any thread, to the previous hook.
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
