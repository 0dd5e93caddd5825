//! Signals. Ctrl-C: the first asks for an orderly end that keeps what was computed, the second ends at once. So does any other
//! signal that asks a program to end. A file that grows beyond the limit of the user is an error of who writes it, and
//! not the end.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set once the user wants to stop.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// Signals this close to the first are the same wish: a batch system tells every process of a job to end, and the script
/// that waits for this one passes on what it was told.
const ONE_WISH: Duration = Duration::from_secs(1);

/// Listens from now on. Where that fails the default stays: the signal ends the program.
pub fn install() {
    let first = OnceLock::new();
    let handler = move || {
        let age = first.get_or_init(Instant::now).elapsed();
        if !STOP.swap(true, Ordering::SeqCst) {
            crate::say("\ninterrupted: finishing the work at hand and saving it (again to end at once)");
        } else if age >= ONE_WISH {
            assay_device::process::kill_all();
            assay_nightly::child::kill();
            std::process::exit(130);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        crate::say(format_args!("warning: Ctrl-C will not save anything: {error}"));
    }
    #[cfg(unix)]
    if let Err(error) = bear_the_limit_of_files() {
        crate::say(format_args!("warning: a file beyond `ulimit -f` will end the program: {error}"));
    }
}

/// From now on writing beyond the limit (`ulimit -f`) fails, as it does on a full disk.
///
/// The signal is handled and not ignored: a device would inherit that it is ignored, and a handler it does not.
#[cfg(unix)]
fn bear_the_limit_of_files() -> nix::Result<()> {
    use nix::sys::signal::{SigHandler, Signal, signal};
    extern "C" fn do_nothing(_: i32) {}
    // SAFETY: the handler does nothing, so it can run at any moment.
    unsafe { signal(Signal::SIGXFSZ, SigHandler::Handler(do_nothing)) }.map(drop)
}
