//! Signals. Ctrl-C: the first asks for an orderly end that keeps what was computed, the second ends at once. So does any other
//! signal that asks a program to end. A command with nothing to save ends at the first, and a run whose device hangs ends
//! soon after the deadline of the device. A file that grows beyond the limit of the user is an error of who writes it, and
//! not the end.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::output;

/// Set once the user wants to stop.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// Signals this close to the first are the same wish: a batch system tells every process of a job to end, and the script
/// that waits for this one passes on what it was told.
const ONE_WISH: Duration = Duration::from_secs(1);

/// Milliseconds that an orderly end may take: none until a command says that it has something to save.
static PATIENCE: AtomicU64 = AtomicU64::new(0);

/// From now on the first signal only sets [`STOP`]: the command looks at it, and saves what it has.
pub fn finish_work() {
    PATIENCE.store(u64::MAX, Ordering::SeqCst);
}

/// From now on a signal ends the program within this time, whatever is still at work. The smallest time that was asked
/// for counts.
pub fn end_within(time: Duration) {
    PATIENCE.fetch_min(u64::try_from(time.as_millis()).unwrap_or(u64::MAX), Ordering::SeqCst);
}

/// Ends the program, with all processes that it started.
fn end_at_once() -> ! {
    assay_device::process::kill_all();
    assay_nightly::child::kill();
    std::process::exit(130);
}

/// Ends the program unless it has ended by then.
fn watch(patience: u64) {
    let wait = move || {
        std::thread::sleep(Duration::from_millis(patience));
        output::say("the work at hand does not end: ending without it; the last checkpoint is kept");
        end_at_once();
    };
    // Without a thread the second signal still ends the program.
    let _ = std::thread::Builder::new().spawn(wait);
}

/// Listens from now on. Where that fails the default stays: the signal ends the program.
pub fn install() {
    let first = OnceLock::new();
    let handler = move || {
        let age = first.get_or_init(Instant::now).elapsed();
        if !STOP.swap(true, Ordering::SeqCst) {
            match PATIENCE.load(Ordering::SeqCst) {
                0 => {
                    output::say("\ninterrupted");
                    end_at_once();
                }
                patience => {
                    output::say(
                        "\ninterrupted: finishing the work at hand and saving it (again to end at once)",
                    );
                    if patience < u64::MAX {
                        watch(patience);
                    }
                }
            }
        } else if age >= ONE_WISH {
            end_at_once();
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        output::say(format_args!("warning: Ctrl-C will not save anything: {error}"));
    }
    #[cfg(unix)]
    if let Err(error) = bear_the_limit_of_files() {
        output::say(format_args!("warning: a file beyond `ulimit -f` will end the program: {error}"));
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
