//! The two roles of an implementation: a subject executes batches, and an oracle knows their exact
//! results.

use crate::batch::Batch;
use crate::codec::DecodeError;
use crate::effect::Effects;
use crate::instruction::Instruction;
use crate::location::Location;
use crate::truth::{Arguments, Estimates, Truths, Unrounded};

/// Whether an implementation supports a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The implementation filled in the result, and marked the lanes that the specification leaves
    /// undefined.
    Known,
    /// The implementation does not support the instruction.
    Unsupported,
}

/// Why an implementation failed. A fault of the instruction, or a wrong result, is not an error of
/// this type.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// The word is not a legal instruction.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The batch lacks a column for a location that the instruction reads.
    #[error("the batch has no value for {0}, which the instruction reads")]
    MissingLocation(Location),
    /// The implementation is a device that was declared dead. The effects cover the lanes that the
    /// device executed before.
    #[error("{implementation} was declared dead: {reason}")]
    Gone {
        /// Name of the implementation.
        implementation: String,
        /// The reason.
        reason: String,
    },
    /// The data of the implementation cannot be used.
    #[error("{implementation}: {problem}")]
    Unusable {
        /// Name of the implementation.
        implementation: String,
        /// The problem, and what to do.
        problem: String,
    },
    /// Any other error, as the implementation describes it.
    #[error("{implementation}: {problem}")]
    Failed {
        /// Name of the implementation.
        implementation: String,
        /// What happened.
        problem: String,
    },
}

/// Executes batches: the reference model, a device under test, a trace, a GPU.
pub trait Subject: Send {
    /// Name for reports.
    fn name(&self) -> &str;

    /// Whether the subject stated its supported modes before the run. If not, lanes with the answer
    /// `Unsupported` count as undeclared, not as unsupported.
    fn declares_modes(&self) -> bool {
        true
    }

    /// Executes a batch and fills in `effects`, which the callee resets.
    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError>;

    /// Resets the device: the next batch is the first batch of a new device handle. The default
    /// does nothing, which suits a subject without state between batches.
    fn start_fresh(&mut self) {}

    /// Returns how many batches to pass to one call of [`Subject::execute_ahead`]. 1 means that the
    /// subject does not prefetch.
    fn batches_ahead(&self) -> usize {
        1
    }

    /// Announces the next batches, in the order of their execution. Every batch has a seal. A hint:
    /// the default ignores it.
    ///
    /// A subject in another process may execute these batches at once. A later [`Subject::execute`]
    /// of a batch with the same seal then returns the results of that execution. When this function
    /// is called, batches of the last announcement may still wait for their execution. All batches
    /// of the announcements before the last one have been executed.
    fn execute_ahead(&mut self, _batches: &mut dyn Iterator<Item = &Batch>) -> Result<(), BackendError> {
        Ok(())
    }

    /// Announces the next batches of an instruction that reads one location. Batch i has `lanes`
    /// ascending values, of which `firsts[i]` is the first. A hint: a remote subject may prefetch
    /// these batches. The default ignores it.
    fn announce(&mut self, _word: u128, _firsts: &[u32], _lanes: u32) -> Result<(), BackendError> {
        Ok(())
    }
}

/// Knows the exact results of batches.
pub trait Oracle: Send {
    /// Name for reports.
    fn name(&self) -> &str;

    /// Whether the oracle stated its supported modes before the run, as in
    /// [`Subject::declares_modes`].
    fn declares_modes(&self) -> bool {
        true
    }

    /// Like [`Subject::start_fresh`], for a device that is used as the oracle.
    fn start_fresh(&mut self) {}

    /// Returns the fast methods of this oracle. `None` if it has none. An oracle that wraps another
    /// oracle returns the fast methods of the wrapped one.
    fn fast(&mut self, _instruction: &Instruction) -> Option<&mut dyn FastOracle> {
        None
    }

    /// Computes the truth of a batch. The callee resets `truths`. Enclosures of real numbers have
    /// at least `precision` significant bits. `precision` is at most 120.
    fn truth(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError>;
}

/// Methods that find a truth faster than [`Oracle::truth`] does, or check a truth that was found by
/// a fast path.
pub trait FastOracle {
    /// Computes the truth of a batch without the fast path. Runs use this method to check a truth
    /// that [`Oracle::truth`] marked as filtered. An oracle without a fast path answers
    /// `Unsupported`.
    fn truth_unfiltered(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError>;

    /// Estimates the truth of a batch in double precision, with a proved error bound.
    ///
    /// Fills in `estimates` and returns `true`. Returns `false` if this oracle has no such estimate
    /// of the instruction in the current reading. Only functions of one binary32 number have
    /// estimates.
    fn estimate(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        estimates: &mut Estimates,
    ) -> Result<bool, BackendError>;

    /// Computes the argument of each lane, for a function on a 16-bit format.
    ///
    /// Fills in `arguments` and returns `true`. Returns `false` if the instruction, in the current
    /// reading, is no function on a 16-bit format, or if the result depends on more than the
    /// argument.
    fn arguments(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        arguments: &mut Arguments,
    ) -> Result<bool, BackendError>;

    /// Computes the exact number that each lane of a batch rounds, whether or not the lane
    /// executes. Prefixes and the flush of inputs are applied. Rounding, the flush of results and
    /// saturation are not. `precision` is as in [`Oracle::truth`]. Bits beyond the precision are
    /// cut off.
    ///
    /// Fills in `exact` and returns `true`. Returns `false` if the instruction, in the current
    /// reading, does not round exactly one number, or if this oracle does not know the number.
    fn unrounded(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        exact: &mut Vec<Unrounded>,
    ) -> Result<bool, BackendError>;
}

impl dyn Oracle + '_ {
    /// As [`FastOracle::truth_unfiltered`]. An oracle without a fast path answers `Unsupported`.
    pub fn truth_unfiltered(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        match self.fast(instruction) {
            Some(fast) => fast.truth_unfiltered(instruction, batch, precision, truths),
            None => Ok(Answer::Unsupported),
        }
    }

    /// As [`FastOracle::estimate`].
    pub fn estimate(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        estimates: &mut Estimates,
    ) -> Result<bool, BackendError> {
        self.fast(instruction).map_or(Ok(false), |fast| fast.estimate(instruction, batch, estimates))
    }

    /// As [`FastOracle::arguments`].
    pub fn arguments(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        arguments: &mut Arguments,
    ) -> Result<bool, BackendError> {
        self.fast(instruction).map_or(Ok(false), |fast| fast.arguments(instruction, batch, arguments))
    }

    /// As [`FastOracle::unrounded`].
    pub fn unrounded(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        exact: &mut Vec<Unrounded>,
    ) -> Result<bool, BackendError> {
        let fast = self.fast(instruction);
        fast.map_or(Ok(false), |fast| fast.unrounded(instruction, batch, precision, exact))
    }
}
