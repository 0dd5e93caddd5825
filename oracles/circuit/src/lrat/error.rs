//! Why a proof is refused.

use std::io;

/// A refused proof, with the step at fault.
#[derive(Debug, thiserror::Error)]
#[error("step {step} of the proof: {problem}")]
pub struct LratError {
    /// The step, counted from 1: an addition or a deletion.
    pub step: u64,
    /// What is wrong.
    pub problem: LratProblem,
}

/// What is wrong with a step.
#[derive(Debug, thiserror::Error)]
pub enum LratProblem {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The text or the bytes are not a step.
    #[error("malformed: {0}")]
    Malformed(String),
    /// A literal is 0 or names a variable that the formula lacks.
    #[error("{literal} is no literal of the formula, which has {variables} variables")]
    UnknownVariable {
        /// The literal.
        literal: i64,
        /// Number of variables of the formula.
        variables: u32,
    },
    /// A clause has a literal twice, or both a literal and its complement.
    #[error("the clause names variable {0} twice")]
    RepeatedVariable(u32),
    /// The clause has the number of a clause that exists.
    #[error("clause {0} exists already")]
    ClauseExists(u64),
    /// A hint or a deletion names a clause that does not exist, or no longer exists.
    #[error("clause {0} does not exist")]
    NoSuchClause(u64),
    /// A hint is negative: the step needs resolution with all clauses that have a literal.
    #[error("the hint {0} is a RAT step, which this checker does not accept")]
    Rat(i64),
    /// A hint has more than one literal that is not false, and none that is true.
    #[error("the hint {hint} is no unit clause: {open} of its literals are open")]
    NotUnit {
        /// The number of the clause.
        hint: u64,
        /// Number of literals without a value.
        open: usize,
    },
    /// The hints do not refute the complement of the clause.
    #[error("the hints of clause {0} lead to no conflict")]
    NoConflict(u64),
    /// The proof ends before the empty clause.
    #[error("the proof ends without the empty clause")]
    NoEmptyClause,
}
