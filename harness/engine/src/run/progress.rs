//! The progress of a run, the hooks of its caller, and how the run ended.

use std::borrow::Cow;
use std::sync::atomic::AtomicBool;

use assay_isa::BackendError;

use crate::stats::tally::Tally;

/// The progress of a run: whole epochs of the current part, and the parts before it.
///
/// A part of a sweep is a function, and its units are batches or slices of neighbouring inputs. A campaign has one part, and
/// its units are batches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunProgress {
    /// Number of finished parts.
    pub parts: usize,
    /// The counts of the finished parts.
    pub finished: Tally,
    /// Number of finished units of the current part.
    pub units: u64,
    /// The counts of the finished units of the current part.
    pub tally: Tally,
}

impl RunProgress {
    /// Returns the number of cases that are counted.
    pub fn cases(&self) -> u64 {
        self.finished.cases + self.tally.cases
    }

    /// Returns the counts of all finished epochs. After the first part, only the cases and
    /// verdicts.
    pub(super) fn shown(&self) -> Cow<'_, Tally> {
        if self.parts == 0 {
            return Cow::Borrowed(&self.tally);
        }
        let mut verdicts = self.finished.verdicts;
        verdicts.merge(&self.tally.verdicts);
        Cow::Owned(Tally { cases: self.cases(), verdicts, ..Tally::default() })
    }
}

/// Stores the progress of a run, so that the run can be resumed.
pub trait ProgressKeeper {
    /// Saves the progress if it was last saved long enough ago. Called after each epoch.
    fn keep(&mut self, progress: &RunProgress);

    /// Saves the progress now. Called when the run ends for whatever reason.
    fn save(&mut self, progress: &RunProgress);

    /// Returns whether all of the progress was counted by the current build of the program.
    fn is_of_one_build(&self) -> bool;
}

/// The hooks by which the caller of a run follows its progress and stops it.
pub struct RunHooks<'a> {
    /// If this flag is set, the run is interrupted after the units in progress.
    pub stop: &'a AtomicBool,
    /// Called after each epoch with the counts so far. If it returns true, the run is interrupted.
    pub is_enough: &'a dyn Fn(&Tally) -> bool,
    /// Called after each epoch with the counts so far. After the first part of a run, only the cases
    /// and the verdicts are set.
    pub progress: &'a mut dyn FnMut(&Tally),
    /// Stores the progress. `None` if the progress is not stored.
    pub keeper: Option<&'a mut dyn ProgressKeeper>,
}

impl<'a> RunHooks<'a> {
    /// Returns hooks that store no progress and never stop the run.
    pub fn new(stop: &'a AtomicBool, progress: &'a mut dyn FnMut(&Tally)) -> RunHooks<'a> {
        RunHooks { stop, is_enough: &|_| false, progress, keeper: None }
    }
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// An implementation failed.
    #[error("an implementation failed: {0}")]
    Backend(#[from] BackendError),
    /// The subject and the oracle have no supported instruction of the scope in common.
    #[error("nothing to generate: no instruction of the selection is implemented by both implementations")]
    EmptyScope,
    /// The run did not execute its whole plan.
    #[error("the harness executed {executed} cases of {planned} planned; this is a defect of assay")]
    Short {
        /// Cases counted.
        executed: u64,
        /// Cases planned.
        planned: u64,
    },
    /// The run did not make all of its required checks of the harness.
    #[error("{0}; this is a defect of assay, and no verdict of this run can be trusted")]
    Unchecked(String),
}

/// Why a run ended.
pub(super) enum StopReason {
    /// The whole plan was executed.
    Whole,
    /// It was interrupted. The counts of the unfinished epoch are dropped. Has them, if there are any.
    Interrupted(Option<Box<Tally>>),
    /// A device was declared dead in an epoch. The fields are the counts of this epoch, and the
    /// reason.
    DeviceGone(Box<Tally>, String),
}

/// The result of a run.
#[derive(Debug)]
pub struct RunOutcome {
    /// The counts of the run.
    pub tally: Tally,
    /// Number of cases that earlier sessions had counted, and from which the run continued.
    pub resumed: u64,
    /// Whether the run was interrupted before its limit.
    pub interrupted: bool,
    /// The reason, if the run ended before its limit because a device was declared dead. All cases
    /// that were judged until then are counted.
    pub gone: Option<String>,
}
