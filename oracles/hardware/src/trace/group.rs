//! The rows of a row group as runs: batches with their effects.

use assay_isa::{Batch, Effects, Instruction};

use super::content::Content;

/// The rows of a row group.
pub struct Group {
    /// The rows as runs, in order.
    pub runs: Vec<Run>,
    /// The contents of the rows, for the hash.
    pub content: Content,
}

/// Consecutive rows with one instruction, at most [`RUN_ROWS`](super::RUN_ROWS) of them.
pub struct Run {
    /// The instruction.
    pub instruction: Instruction,
    /// The PTX that stood for the instruction.
    pub ptx: Option<String>,
    /// The number of the run's first row in the file.
    pub first: u64,
    /// The inputs.
    pub batch: Batch,
    /// The effects that were recorded for these inputs.
    pub effects: Effects,
}
