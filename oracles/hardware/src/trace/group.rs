//! The rows of a row group as runs: batches and effects.

use assay_isa::{Batch, Effects, Instruction};

use super::content::Content;

/// The rows of a row group.
pub struct Group {
    /// The rows as runs, in order.
    pub runs: Vec<Run>,
    /// Their contents, for the hash.
    pub content: Content,
}

/// Rows that follow each other and have the same instruction, [`RUN_ROWS`](super::RUN_ROWS) at most.
pub struct Run {
    /// The instruction.
    pub instruction: Instruction,
    /// The PTX that stood for it.
    pub ptx: Option<String>,
    /// Number of its first row in the file.
    pub first: u64,
    /// The inputs.
    pub batch: Batch,
    /// The outcome of them.
    pub effects: Effects,
}
