//! What went wrong with a device: how it failed, in a word and in words.

use std::fmt;

use assay_isa::effect::Failure;

/// The most characters of a device's text that are shown.
pub(crate) const SHOWN: usize = 200;

/// The beginning of a device's text, escaped.
pub(crate) fn excerpt(text: &str) -> String {
    let mut characters = text.trim_end().chars();
    let mut shown: String = characters.by_ref().take(SHOWN).flat_map(char::escape_debug).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// A failure of a device, which is a finding about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceError {
    /// How.
    pub failure: Failure,
    /// The observation.
    pub words: String,
    /// Whether the device could not be started at all, so that no batch is the cause.
    pub at_start: bool,
    /// Whether the system refused a resource to this program, so that the device is not the cause.
    pub is_ours: bool,
}

impl DeviceError {
    /// A failure at a batch.
    pub fn new(failure: Failure, words: impl Into<String>) -> DeviceError {
        DeviceError { failure, words: words.into(), at_start: false, is_ours: false }
    }

    /// A failure before there was a batch.
    pub fn at_start(self) -> DeviceError {
        DeviceError { at_start: true, ..self }
    }

    /// The system's refusal to start the process or to make its pipes.
    pub(crate) fn of_system(program: &str, error: &std::io::Error) -> DeviceError {
        use rustix::io::Errno;
        let shortages = [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::AGAIN];
        let is_ours =
            error.raw_os_error().is_some_and(|code| shortages.iter().any(|e| e.raw_os_error() == code));
        let remedy = if is_ours { "; raise the limit (`ulimit -a`), or use fewer --jobs" } else { "" };
        let words = format!("`{program}`: {error}{remedy}");
        DeviceError { is_ours, ..DeviceError::new(Failure::Crashed, words) }
    }

    /// An answer that can be read and is none to the question.
    pub(crate) fn unfit(words: impl Into<String>) -> DeviceError {
        DeviceError::new(Failure::Unfit, words)
    }

    /// An answer that cannot be read.
    pub(crate) fn unreadable(words: impl Into<String>) -> DeviceError {
        DeviceError::new(Failure::Unreadable, words)
    }
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.failure.name(), self.words)
    }
}
