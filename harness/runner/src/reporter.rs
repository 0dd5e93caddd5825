//! The interface of a long task to its program: messages, progress, and the request to stop.

use std::sync::atomic::{AtomicBool, Ordering};

/// The program that runs a task.
pub trait Reporter: Sync {
    /// Shows a line to the user. The text may quote a file or a device, so an implementation must
    /// escape it.
    fn say(&self, text: &str);

    /// Starts to show progress towards `total`, if the total is known. The progress is shown until
    /// the returned value is dropped.
    fn begin(&self, what: &str, total: Option<u64>) -> Box<dyn Progress>;

    /// Returns a flag that is set when the user asks for an early end. The results so far are kept.
    fn stop_flag(&self) -> &AtomicBool;

    /// Returns whether the user wants the work to end.
    fn is_stopped(&self) -> bool {
        self.stop_flag().load(Ordering::Relaxed)
    }
}

/// The progress of one task.
pub trait Progress: Send {
    /// Shows the progress of the task, and the number of divergences that it found.
    fn at(&mut self, done: u64, diverged: u64);
}

/// A reporter that shows nothing and never stops, for tests and for unattended tasks.
pub struct Silent;

static NEVER: AtomicBool = AtomicBool::new(false);

impl Reporter for Silent {
    fn say(&self, _: &str) {}

    fn begin(&self, _: &str, _: Option<u64>) -> Box<dyn Progress> {
        Box::new(Silent)
    }

    fn stop_flag(&self) -> &AtomicBool {
        &NEVER
    }
}

impl Progress for Silent {
    fn at(&mut self, _: u64, _: u64) {}
}
