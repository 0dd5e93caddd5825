//! A failure of a device: its kind, and a description.

use std::fmt;

use assay_isa::effect::Failure;

/// Maximum number of shown characters of a device's text.
pub(crate) const SHOWN: usize = 200;

/// Returns the beginning of a device's text, escaped.
pub(crate) fn excerpt(text: &str) -> String {
    let mut characters = text.trim_end().chars();
    let mut shown: String = characters.by_ref().take(SHOWN).flat_map(char::escape_debug).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// A failure of a device, which counts as a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceError {
    /// The kind of failure.
    pub failure: Failure,
    /// The observation.
    pub words: String,
    /// Whether the device could not be started or started again. Then no batch is the cause.
    pub at_start: bool,
    /// Whether the system refused a resource to this program. Then the device is not the cause.
    pub is_ours: bool,
}

impl DeviceError {
    /// Returns a failure at a batch.
    pub fn new(failure: Failure, words: impl Into<String>) -> DeviceError {
        DeviceError { failure, words: words.into(), at_start: false, is_ours: false }
    }

    /// Returns the failure, marked as a failure to start the device.
    pub fn at_start(self) -> DeviceError {
        DeviceError { at_start: true, ..self }
    }

    /// Returns the failure for a refused system call, such as starting the process or creating a
    /// pipe.
    pub(crate) fn of_system(program: &str, error: &std::io::Error) -> DeviceError {
        use rustix::io::Errno;
        let shortages = [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::AGAIN];
        let is_ours =
            error.raw_os_error().is_some_and(|code| shortages.iter().any(|e| e.raw_os_error() == code));
        let remedy = if is_ours { "; raise the limit (`ulimit -a`), or use fewer --jobs" } else { "" };
        let words = format!("`{program}`: {error}{remedy}");
        DeviceError { is_ours, ..DeviceError::new(Failure::Crashed, words) }
    }

    /// Returns the failure for an answer that can be read but does not fit the request.
    pub(crate) fn unfit(words: impl Into<String>) -> DeviceError {
        DeviceError::new(Failure::Unfit, words)
    }

    /// Returns the failure for an answer that cannot be read.
    pub(crate) fn unreadable(words: impl Into<String>) -> DeviceError {
        DeviceError::new(Failure::Unreadable, words)
    }
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.failure.name(), self.words)
    }
}
