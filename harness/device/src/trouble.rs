//! What went wrong with a device: how it failed, in a word and in words.

use std::fmt;

use assay_isa::effect::Failure;

/// A failure of a device, which is a finding about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// How.
    pub failure: Failure,
    /// What was seen.
    pub words: String,
    /// Whether the device could not be started at all, so that no batch is to blame.
    pub at_start: bool,
}

impl Trouble {
    /// A failure at a batch.
    pub fn new(failure: Failure, words: impl Into<String>) -> Trouble {
        Trouble { failure, words: words.into(), at_start: false }
    }

    /// A failure before there was a batch.
    pub fn at_start(self) -> Trouble {
        Trouble { at_start: true, ..self }
    }

    /// An answer that can be read and is none to the question.
    pub(crate) fn unfit(words: impl Into<String>) -> Trouble {
        Trouble::new(Failure::Unfit, words)
    }

    /// An answer that cannot be read.
    pub(crate) fn unreadable(words: impl Into<String>) -> Trouble {
        Trouble::new(Failure::Unreadable, words)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.failure.name(), self.words)
    }
}
