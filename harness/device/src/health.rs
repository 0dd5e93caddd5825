//! The state that all handles of a device share: the number of failures so far, and whether the
//! device was declared dead.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assay_isa::effect::Failure;
use assay_isa::{BackendError, Batch};

use crate::error::DeviceError;

/// Limits on the failures of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time limit for the whole answer to a batch of up to 4096 lanes. It is also the time limit
    /// for the handshake.
    pub deadline: Duration,
    /// Number of failures after which the device is declared dead.
    pub failures: u32,
}

/// Number of lanes that one deadline covers. The time limit of a larger batch is one deadline for
/// each full or partial group of this size.
const DEADLINE_LANES: usize = 4096;

impl Limits {
    /// Returns the time limit for the whole answer to a batch with this number of lanes.
    pub fn deadline_of(&self, lanes: usize) -> Duration {
        self.deadline * u32::try_from(lanes.div_ceil(DEADLINE_LANES).max(1)).unwrap_or(u32::MAX)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { deadline: Duration::from_secs(10), failures: 100 }
    }
}

/// Total time that failures may take while findings are shrunk. It is limited, because each failure
/// can take up to a deadline.
const TRIAGE: Duration = Duration::from_secs(20);
/// Number of failures that are described to the user. Further failures are only counted.
const TOLD: u32 = 10;
/// Minimum time limit for a part of a failed batch.
const LEAST_SEARCH: Duration = Duration::from_millis(250);

/// The health of a device.
#[derive(Default)]
pub struct Health {
    is_dead: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    failures: u32,
    reason: String,
    /// Whether the device is not the cause, because the system refused a resource to this program.
    is_ours: bool,
    /// The longest time that a good answer took.
    slowest: Duration,
    /// While findings are shrunk: the remaining time for failures, and the single cases that are
    /// known to fail. Otherwise `None`.
    triage: Option<Triage>,
}

struct Triage {
    left: Duration,
    failing: HashMap<(u128, Vec<u32>), Failure>,
}

impl Health {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Returns an error if the device was declared dead or given up.
    pub fn check(&self, implementation: &str) -> Result<(), BackendError> {
        if self.is_dead.load(Ordering::Relaxed) {
            let state = self.state();
            let (implementation, reason) = (implementation.to_owned(), state.reason.clone());
            if state.is_ours {
                Err(BackendError::Failed { implementation, problem: reason })
            } else {
                Err(BackendError::Gone { implementation, reason })
            }
        } else {
            Ok(())
        }
    }

    /// Returns whether the device was declared dead or given up.
    pub fn is_dead(&self) -> bool {
        self.is_dead.load(Ordering::Relaxed)
    }

    /// Returns the number of failures so far. Failures while findings are shrunk are not counted.
    pub fn failures(&self) -> u32 {
        self.state().failures
    }

    /// Declares the device dead.
    pub fn declare_dead(&self, reason: String) {
        let mut state = self.state();
        if !self.is_dead() {
            state.reason = reason;
            self.is_dead.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the use of the device, for a reason that is not the fault of the device.
    pub fn give_up(&self, reason: String) {
        let mut state = self.state();
        (state.reason, state.is_ours) = (reason, true);
        self.is_dead.store(true, Ordering::Relaxed);
    }

    /// Counts a failure at a case. Returns the message for the user, or `None` if the failure is
    /// not shown.
    pub fn failed(&self, trouble: &DeviceError, case: &str, limits: &Limits) -> Option<String> {
        let mut state = self.state();
        if state.triage.is_some() {
            return None;
        }
        state.failures += 1;
        let failures = state.failures;
        drop(state);
        if failures >= limits.failures {
            self.declare_dead(format!("it failed {failures} times, the last time so: {trouble}"));
        }
        match failures.cmp(&TOLD) {
            std::cmp::Ordering::Less => Some(format!("{trouble}; at {case}")),
            std::cmp::Ordering::Equal => {
                Some(format!("{trouble}; at {case}; further failures are only counted"))
            }
            std::cmp::Ordering::Greater => None,
        }
    }

    /// Notes how long a good answer took.
    pub fn answered(&self, time: Duration) {
        let mut state = self.state();
        state.slowest = state.slowest.max(time);
    }

    /// Returns the deadline for parts of a failed batch, during the search for the failing cases.
    /// It is 20 times the longest time of a good answer, but at least 250 ms and at most the full
    /// deadline. Without a good answer it is the full deadline.
    pub fn search_deadline(&self, limits: &Limits) -> Duration {
        match self.state().slowest {
            Duration::ZERO => limits.deadline,
            slowest => (20 * slowest).max(LEAST_SEARCH).min(limits.deadline),
        }
    }

    /// Begins the shrinking of findings. Failures are then expected and not counted, but their
    /// total time is limited. A device that was declared dead is used again.
    pub fn begin_triage(&self) {
        let mut state = self.state();
        state.triage = Some(Triage { left: TRIAGE, failing: HashMap::new() });
        self.is_dead.store(false, Ordering::Relaxed);
    }

    /// Returns whether findings are being shrunk.
    pub fn is_triage(&self) -> bool {
        self.state().triage.is_some()
    }

    /// Returns the known failure of a batch with a single case. `None` unless findings are being
    /// shrunk.
    pub fn known(&self, batch: &Batch) -> Option<Failure> {
        let state = self.state();
        let failing = &state.triage.as_ref()?.failing;
        (batch.len() == 1).then(|| failing.get(&key(batch)).copied()).flatten()
    }

    /// Notes the failure of a case and the time it took, while findings are shrunk.
    pub fn note(&self, batch: &Batch, failure: Failure, time: Duration) {
        let mut state = self.state();
        let Some(triage) = &mut state.triage else { return };
        triage.left = triage.left.saturating_sub(time);
        if batch.len() == 1 {
            triage.failing.insert(key(batch), failure);
        }
        let is_over = triage.left.is_zero();
        drop(state);
        if is_over {
            self.declare_dead(format!("failures took {} s while findings were shrunk", TRIAGE.as_secs()));
        }
    }
}

fn key(batch: &Batch) -> (u128, Vec<u32>) {
    let places = batch.locations().iter().flat_map(|location| <[u32; 2]>::from(location.number()));
    (batch.word(), places.chain(batch.values().iter().copied()).collect())
}
