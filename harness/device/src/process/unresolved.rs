//! Failures of a process whose cause is not known yet: several calls were running or waiting.

use std::num::NonZeroU64;
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
    /// The seals of the batches whose calls still must be repeated. `None` for a batch without a seal.
    pub(super) left: Vec<Option<NonZeroU64>>,
    /// The calls that had one deadline together and missed it, if that is the failure.
    pub(super) late: Option<LateGroup>,
}

/// Calls that were sent together, and were not answered before their common deadline.
pub(super) struct LateGroup {
    /// The time from sending the requests to the missed deadline.
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
    /// Notes that the call of a batch was repeated, and succeeded after `time`. Returns whether all
    /// calls were repeated. A call that did not run when the process failed does not count.
    pub(super) fn is_repeated(&mut self, seal: Option<NonZeroU64>, time: Duration) -> bool {
        if let Some(place) = self.left.iter().position(|left| *left == seal) {
            self.left.remove(place);
            if let Some(late) = &mut self.late {
                late.repeated += time;
            }
        }
        self.left.is_empty()
    }

    /// Ends the repetition of the calls of this handle, none of which failed again. Returns whether
    /// the failure still belongs to this handle: no other handle can be the cause, or all others
    /// were cleared before.
    pub(super) fn is_cause(&self) -> bool {
        self.process.calls.end() || self.is_certain || self.late.as_ref().is_some_and(LateGroup::hung)
    }
}
