//! The progress of a run, the actions of its caller between epochs, and its end.

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
    /// Parts that are done.
    pub parts: usize,
    /// The counts of these.
    pub finished: Tally,
    /// Units of the next part that are done.
    pub units: u64,
    /// The counts of these.
    pub tally: Tally,
}

impl RunProgress {
    /// Returns the number of cases that are counted.
    pub fn cases(&self) -> u64 {
        self.finished.cases + self.tally.cases
    }

    /// Returns cases and verdicts of all that is done.
    pub(super) fn shown(&self) -> Cow<'_, Tally> {
        if self.parts == 0 {
            return Cow::Borrowed(&self.tally);
        }
        let mut verdicts = self.finished.verdicts;
        verdicts.merge(&self.tally.verdicts);
        Cow::Owned(Tally { cases: self.cases(), verdicts, ..Tally::default() })
    }
}

/// What keeps the progress of a run, so that the run can go on from it.
pub trait ProgressKeeper {
    /// Saves progress if the last time was long enough ago. Called after each epoch.
    fn keep(&mut self, progress: &RunProgress);

    /// Saves progress now. Called when the run ends for whatever reason.
    fn save(&mut self, progress: &RunProgress);

    /// Returns whether the build that runs has counted all of the progress.
    fn is_of_one_build(&self) -> bool;
}

/// How the caller of a run follows it and ends it.
pub struct RunHooks<'a> {
    /// Set from elsewhere to interrupt the run after the units that are in work.
    pub stop: &'a AtomicBool,
    /// Whether the counts after an epoch are enough: then the run is interrupted.
    pub is_enough: &'a dyn Fn(&Tally) -> bool,
    /// Called after each epoch with the counts so far: at least cases and verdicts.
    pub progress: &'a mut dyn FnMut(&Tally),
    /// Keeps the progress, if anything does.
    pub keeper: Option<&'a mut dyn ProgressKeeper>,
}

impl<'a> RunHooks<'a> {
    /// Returns hooks of a run that keeps no progress and never has enough.
    pub fn new(stop: &'a AtomicBool, progress: &'a mut dyn FnMut(&Tally)) -> RunHooks<'a> {
        RunHooks { stop, is_enough: &|_| false, progress, keeper: None }
    }
}

/// Why a run could not go on.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// An implementation failed.
    #[error("an implementation failed: {0}")]
    Backend(#[from] BackendError),
    /// The scope has nothing that both implementations implement.
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
    /// The run did not check itself as it had to.
    #[error("{0}; this is a defect of assay, and no verdict of this run can be trusted")]
    Unchecked(String),
}

/// Why a run ended.
pub(super) enum StopReason {
    /// All of it is done.
    Whole,
    /// It was interrupted.
    Interrupted,
    /// A device was declared dead in an epoch, which has these counts. The text has the reason.
    DeviceGone(Box<Tally>, String),
}

/// The result of a run.
#[derive(Debug)]
pub struct RunOutcome {
    /// The counts of the run.
    pub tally: Tally,
    /// Cases that an earlier session had counted, from which the run went on.
    pub resumed: u64,
    /// Whether the run was interrupted before its limit.
    pub interrupted: bool,
    /// Why the run ended before its limit, if a device was declared dead: all that was judged until then is counted.
    pub gone: Option<String>,
}
