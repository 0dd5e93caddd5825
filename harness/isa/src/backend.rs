//! The two roles an implementation can take: a subject executes batches, an oracle knows the truth of them.

use crate::batch::Batch;
use crate::codec::DecodeError;
use crate::effect::Effects;
use crate::instruction::Instruction;
use crate::location::Location;
use crate::truth::{Arguments, Estimates, Truths, Unrounded};

/// Whether an implementation supports a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It filled in the result, and named the lanes that the specification leaves undefined.
    Known,
    /// This implementation does not implement the instruction.
    Unsupported,
}

/// Why an implementation failed. This is about the implementation, never about the instruction's result.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// The word is not a legal instruction.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The batch lacks a column for a location that the instruction reads.
    #[error("the batch has no value for {0}, which the instruction reads")]
    MissingLocation(Location),
    /// The implementation is a device that was declared dead. The effects have the lanes that it had executed by then.
    #[error("{implementation} was declared dead: {reason}")]
    Gone {
        /// Name of the implementation.
        implementation: String,
        /// Why.
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
    /// Anything else, in the implementation's own words.
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

    /// Whether the modes that it supports were stated before the run. Where not, an answer `Unsupported` in a run counts as
    /// undeclared.
    fn declares_modes(&self) -> bool {
        true
    }

    /// Executes a batch and fills in `effects`, which the callee resets.
    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError>;

    /// Makes the next batch the first one of its device: a device gets a new handle. The default suits a subject
    /// without state between batches.
    fn start_fresh(&mut self) {}

    /// Returns how many batches [`Subject::execute_ahead`] can use at a time: 1 if it uses none.
    fn batches_ahead(&self) -> usize {
        1
    }

    /// Announces the next batches, in order and sealed. A hint: a subject in another process may execute them all at once, and
    /// answer [`Subject::execute`] with the results if the batch has the same seal. The batches announced before may still be open, but none of those before
    /// them. The default ignores it.
    fn execute_ahead(&mut self, _batches: &mut dyn Iterator<Item = &Batch>) -> Result<(), BackendError> {
        Ok(())
    }

    /// Announces the next batches: those of an instruction that reads one location, with `lanes` ascending values
    /// starting at each of `firsts`. A hint: a remote subject may prefetch these batches. The default ignores it.
    fn announce(&mut self, _word: u128, _firsts: &[u32], _lanes: u32) -> Result<(), BackendError> {
        Ok(())
    }
}

/// Knows the truth.
pub trait Oracle: Send {
    /// Name for reports.
    fn name(&self) -> &str;

    /// Whether the modes that it supports were stated before the run: as [`Subject::declares_modes`].
    fn declares_modes(&self) -> bool {
        true
    }

    /// As [`Subject::start_fresh`], of the device that stands in the oracle's place.
    fn start_fresh(&mut self) {}

    /// The oracle that answers in place of this one, except for the methods that this one defines. An oracle that
    /// alters another's answers returns it here, and so forwards all other answers.
    fn behind(&mut self, _instruction: &Instruction) -> Option<&mut dyn Oracle> {
        None
    }

    /// The truth of a batch, which the callee resets `truths` for. Real numbers come in enclosures of
    /// at least `precision` significant bits, at most 120.
    fn truth(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError>;

    /// The truth of a batch by the slow path, where [`Oracle::truth`] took a fast one and marked the truth as filtered. It
    /// checks the fast path while a run goes on. An oracle without a fast path has none.
    fn truth_unfiltered(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        truths: &mut Truths,
    ) -> Result<Answer, BackendError> {
        match self.behind(instruction) {
            Some(oracle) => oracle.truth_unfiltered(instruction, batch, precision, truths),
            None => Ok(Answer::Unsupported),
        }
    }

    /// The truth of a batch in double precision, with a bound on its error that is proved.
    ///
    /// Fills in `estimates` and answers `true`, or answers `false` where the instruction, in the current reading, is no
    /// function of binary32 numbers that this oracle has such an evaluation of.
    fn estimate(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        estimates: &mut Estimates,
    ) -> Result<bool, BackendError> {
        match self.behind(instruction) {
            Some(oracle) => oracle.estimate(instruction, batch, estimates),
            None => Ok(false),
        }
    }

    /// What a function of numbers of 16 bits is applied to, lane by lane.
    ///
    /// Fills in `arguments` and answers `true`, or answers `false` where the instruction, in the current reading, is no such
    /// function, or where anything but the argument decides about its value.
    fn arguments(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        arguments: &mut Arguments,
    ) -> Result<bool, BackendError> {
        match self.behind(instruction) {
            Some(oracle) => oracle.arguments(instruction, batch, arguments),
            None => Ok(false),
        }
    }

    /// The real number that each lane of a batch rounds, executed or not: that of the operands after their prefixes and
    /// the flush of inputs, before rounding, the flush of results and saturation. `precision` is as in
    /// [`Oracle::truth`]; bits beyond it are cut off.
    ///
    /// Fills in `exact` and answers `true`, or answers `false` where the instruction, in the current reading,
    /// does not round one such number, or this oracle does not know it.
    fn unrounded(
        &mut self,
        instruction: &Instruction,
        batch: &Batch,
        precision: u32,
        exact: &mut Vec<Unrounded>,
    ) -> Result<bool, BackendError> {
        match self.behind(instruction) {
            Some(oracle) => oracle.unrounded(instruction, batch, precision, exact),
            None => Ok(false),
        }
    }
}
