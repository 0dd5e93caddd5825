//! Ctrl-C: the first asks for an orderly end that keeps what was computed, the second ends at once.

use std::sync::atomic::{AtomicBool, Ordering};

/// Set once the user wants to stop.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// Listens from now on. Where that fails the default stays: the signal ends the program.
pub fn install() {
    let handler = || {
        if STOP.swap(true, Ordering::SeqCst) {
            assay_device::process::kill_all();
            assay_nightly::child::kill();
            std::process::exit(130);
        }
        crate::say("\ninterrupted: finishing the work at hand and saving it (again to end at once)");
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        crate::say(format_args!("warning: Ctrl-C will not save anything: {error}"));
    }
}
