//! Size limits of documents, far above real documents.

use std::fmt;

/// Maximum number of bytes of a document: about a hundred thousand lines.
pub const BYTES: u64 = 8 << 20;
/// Maximum number of bytes of a line. A longer line is no readable text, and could not be shown
/// beside a finding.
pub const LINE: usize = 1 << 14;

/// A line that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongLine {
    /// The line, counted from 1.
    pub line: usize,
    /// Number of bytes of the line.
    pub bytes: usize,
}

impl fmt::Display for LongLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LongLine { line, bytes } = self;
        write!(f, "line {line} has {bytes} bytes, and the limit is {LINE}: break it, or give another file")
    }
}

impl std::error::Error for LongLine {}

/// Checks the lines of a document.
///
/// # Errors
///
/// The first line that is longer than [`LINE`].
pub fn check(text: &str) -> Result<(), LongLine> {
    let mut lines = text.lines().enumerate();
    match lines.find(|(_, line)| line.len() > LINE) {
        Some((index, line)) => Err(LongLine { line: index + 1, bytes: line.len() }),
        None => Ok(()),
    }
}
