//! Handles signals. The first Ctrl-C requests an orderly end that keeps the results, and the second
//! ends the program at once. SIGTERM and SIGHUP act like Ctrl-C. A command that saves nothing ends
//! at the first signal. A run whose device hangs ends soon after the deadline of the device. A
//! write beyond the user's limit on file sizes is an error, and does not end the program.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;

use crate::output;

/// Whether the user wants to stop.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// A SIGTERM or SIGHUP within this time after the first signal is ignored, because one request may
/// arrive twice. A batch system signals every process of a job, and a script that waits for this
/// program may pass the signal on.
const ONE_REQUEST: Duration = Duration::from_secs(1);

/// A SIGINT within this time after the first signal is ignored, because one Ctrl-C may arrive
/// twice. A program between the terminal and this program passes it on within milliseconds. A
/// person needs longer to press the keys twice.
const ONE_PRESS: Duration = Duration::from_millis(60);

/// Time limit of an orderly end after the first signal, in milliseconds. 0 for a command that saves
/// nothing, and `u64::MAX` for no limit.
static PATIENCE: AtomicU64 = AtomicU64::new(0);

/// From now on, the first signal only sets [`STOP`]. The command polls that flag, saves its results
/// and ends.
pub fn finish_work() {
    PATIENCE.store(u64::MAX, Ordering::SeqCst);
}

/// Limits the time between the first signal and the end of the program, whatever still runs then.
/// If several limits are set, the smallest counts.
pub fn end_within(time: Duration) {
    PATIENCE.fetch_min(u64::try_from(time.as_millis()).unwrap_or(u64::MAX), Ordering::SeqCst);
}

/// Ends the program, with all processes that it started.
fn end_at_once() -> ! {
    assay_device::group::kill_all();
    std::process::exit(130);
}

/// Ends the program after `patience` milliseconds, unless it has ended by then.
fn watch(patience: u64) {
    let wait = move || {
        thread::sleep(Duration::from_millis(patience));
        output::say(
            "the current work does not end: ending without it; the last checkpoint is kept, if there is one",
        );
        end_at_once();
    };
    // If the thread cannot be started, there is no time limit. A second signal still ends the
    // program.
    let _ = thread::Builder::new().spawn(wait);
}

/// Installs the signal handlers. If that fails, a signal ends the program at once, which is the
/// default of the system.
pub fn install() {
    if let Err(error) = listen() {
        output::say(format_args!("warning: Ctrl-C will not save anything: {error}"));
    }
    // With a handler for SIGXFSZ, a write beyond `ulimit -f` fails, as on a full disk. The handler
    // sets a flag that is never read. To ignore the signal would also work, but child processes
    // inherit an ignored signal, and a device is a child process. They do not inherit a handler.
    if let Err(error) = flag::register(SIGXFSZ, Arc::default()) {
        output::say(format_args!("warning: a file beyond `ulimit -f` will end the program: {error}"));
    }
}

/// Starts the thread that waits for signals. No signal is handled before that thread runs.
fn listen() -> io::Result<()> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        let mut signals = match Signals::new([SIGHUP, SIGINT, SIGTERM]) {
            Ok(signals) => signals,
            Err(error) => return sender.send(Err(error)),
        };
        sender.send(Ok(()))?;
        let mut first = None;
        let mut age = move || first.get_or_insert_with(Instant::now).elapsed();
        signals.forever().for_each(|signal| handle(signal, age()));
        Ok(())
    })?;
    receiver.recv().unwrap_or_else(|_| Err(io::Error::other("the thread for signals ended")))
}

/// Handles one signal. `age` is the time since the first signal.
fn handle(signal: i32, age: Duration) {
    if STOP.swap(true, Ordering::SeqCst) {
        let as_one = if signal == SIGINT { ONE_PRESS } else { ONE_REQUEST };
        if age >= as_one {
            end_at_once();
        }
        return;
    }
    let patience = PATIENCE.load(Ordering::SeqCst);
    if patience == 0 {
        output::say("\ninterrupted");
        end_at_once();
    }
    output::say("\ninterrupted: finishing the current work and saving it (again to end at once)");
    if patience < u64::MAX {
        watch(patience);
    }
}
