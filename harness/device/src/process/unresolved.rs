//! Failures of a process whose cause is not known yet: several calls were running or waiting.

use std::sync::Arc;
use std::time::Duration;

use super::served::ServedProcess;
use crate::error::DeviceError;

/// Calls that were running when a process failed. Each may be the cause, so the calls are repeated
/// one by one.
pub(super) struct UnresolvedFailure {
    pub(super) process: Arc<ServedProcess>,
    pub(super) trouble: DeviceError,
    /// Whether the cause is certainly a call of this handle.
    pub(super) is_certain: bool,
    /// Number of calls that still must be repeated.
    pub(super) left: usize,
    /// The calls that had one deadline together and missed it, if that is the failure.
    pub(super) late: Option<LateGroup>,
}

/// Calls that were sent together, and were not answered before their common deadline.
pub(super) struct LateGroup {
    /// The time for which the answers were awaited.
    pub(super) waited: Duration,
    /// The time that the repetitions of these calls took so far.
    pub(super) repeated: Duration,
}

impl LateGroup {
    /// Returns whether a call hung. Otherwise the calls are merely slow, and too many had one
    /// deadline.
    fn hung(&self) -> bool {
        4 * self.repeated < self.waited
    }
}

impl UnresolvedFailure {
    /// Ends the repetition of the calls of this handle, none of which failed again. Returns whether
    /// the failure still belongs to this handle: no other handle can be the cause, or all others
    /// were cleared before.
    pub(super) fn is_cause(&self) -> bool {
        self.process.calls.end() || self.is_certain || self.late.as_ref().is_some_and(LateGroup::hung)
    }
}
