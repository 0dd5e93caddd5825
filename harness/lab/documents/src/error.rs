//! The errors of a document, with their places and remedies.

use std::fmt;
use std::sync::Arc;

/// A place in a document. The default is "nowhere": facts built from tables have no place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file as the caller named it.
    pub file: Arc<str>,
    /// Line, from 1; 0 is nowhere.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Location {
    /// Whether this is a place in a document.
    pub fn is_known(&self) -> bool {
        self.line > 0
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_known() { write!(f, "{}:{}", self.file, self.line) } else { write!(f, "an unknown place") }
    }
}

/// One thing wrong with a document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{at}:{}: {kind}", at.column)]
pub struct Error {
    /// Where it is.
    pub at: Location,
    /// Its kind.
    pub kind: ErrorKind,
}

/// The problem. Every message ends in a remedy, unless the problem itself names it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    /// Something else stands where the grammar wants `expected`.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What the grammar wants here.
        expected: &'static str,
        /// The start of the text at this place.
        found: String,
    },
    /// A `__Def…` that this reader does not know.
    #[error("unknown definition `{0}`: use __DefBitFieldType, __DefGroup, __DefOptype or __DefOpcode")]
    UnknownDefinition(String),
    /// A section with facts that belongs to no definition.
    #[error(
        "section `{0}` has no definition to belong to: put it below a __DefGroup, __DefOptype or __DefOpcode"
    )]
    StraySection(String),
    /// A code fence that is still open where it cannot be.
    #[error("this code fence is never closed: end it with a line of ``` alone")]
    OpenFence,
    /// A field outside the instruction word.
    #[error("field [{lo},{width}] does not fit the 128-bit word: keep 1 <= width and lo + width <= 128")]
    OutOfWord {
        /// Lowest bit.
        lo: u64,
        /// Width in bits.
        width: u64,
    },
    /// A value that its bit-field type cannot hold.
    #[error("value {value} of `{name}` does not fit {width} bits: widen the type or lower the value")]
    OutOfType {
        /// The value's name.
        name: String,
        /// The value.
        value: u64,
        /// Width of the type in bits.
        width: u8,
    },
    /// A list that the same definition has already given.
    #[error("`{0}` is given twice in this definition: remove one")]
    GivenTwice(String),
    /// A name defined before.
    #[error("`{name}` is already defined at {first}: rename one, or pass each document once")]
    DefinedTwice {
        /// The name.
        name: String,
        /// Where it was first defined.
        first: Location,
    },
    /// A parent that is not defined so far.
    #[error("parent `{0}` is not defined before this line: define it, or pass the document that does first")]
    UnknownParent(String),
    /// Two fields of one form with the same name or a common bit.
    #[error("field `{field}` collides with `{other}` of {place}: names and bits must not repeat")]
    Collision {
        /// The later field.
        field: String,
        /// The earlier field.
        other: String,
        /// Where the earlier field is declared.
        place: Location,
    },
    /// A definition that has, with the inherited text, more text than any instruction needs.
    #[error("`{name}` and what it inherits hold more than {limit} bytes of facts: split the definition")]
    TooLarge {
        /// The definition.
        name: String,
        /// The limit in bytes.
        limit: usize,
    },
}
