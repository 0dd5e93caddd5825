//! The errors of a document, with their positions and remedies.

use std::fmt;
use std::sync::Arc;

/// A position in a document. The default is "nowhere": facts built from tables have no position.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file name, as the caller gave it.
    pub file: Arc<str>,
    /// Line, counted from 1. 0 means nowhere.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
}

impl Location {
    /// Whether this is a position in a document.
    pub fn is_known(&self) -> bool {
        self.line > 0
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_known() { write!(f, "{}:{}", self.file, self.line) } else { write!(f, "an unknown place") }
    }
}

/// An error in a document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{at}:{}: {kind}", at.column)]
pub struct Error {
    /// Position of the error.
    pub at: Location,
    /// Kind of the error.
    pub kind: ErrorKind,
}

/// Kind of an error. Each message ends with a remedy, unless the description of the problem already
/// gives it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    /// The grammar requires `expected`, but other text follows.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What the grammar requires here.
        expected: &'static str,
        /// The first characters of the text at this position.
        found: String,
    },
    /// A `__Def…` keyword that is unknown.
    #[error("unknown definition `{0}`: use __DefBitFieldType, __DefGroup, __DefOptype or __DefOpcode")]
    UnknownDefinition(String),
    /// A section with facts that follows no group, optype or form.
    #[error(
        "section `{0}` has no definition to belong to: put it below a __DefGroup, __DefOptype or __DefOpcode"
    )]
    StraySection(String),
    /// A code fence that is not closed before the next definition or fence.
    #[error("this code fence is never closed: end it with a line of ``` alone")]
    OpenFence,
    /// A field that does not fit the 128-bit instruction word.
    #[error("field [{lo},{width}] does not fit the 128-bit word: keep 1 <= width and lo + width <= 128")]
    OutOfWord {
        /// Lowest bit.
        lo: u64,
        /// Width in bits.
        width: u64,
    },
    /// A value that does not fit its bit-field type.
    #[error("value {value} of `{name}` does not fit {width} bits: widen the type or lower the value")]
    OutOfType {
        /// The value's name.
        name: String,
        /// The value.
        value: u64,
        /// Width of the type in bits.
        width: u8,
    },
    /// A list, width or format that the same definition has given before.
    #[error("`{0}` is given twice in this definition: remove one")]
    GivenTwice(String),
    /// A name that was defined before.
    #[error("`{name}` is already defined at {first}: rename one, or pass each document once")]
    DefinedTwice {
        /// The name.
        name: String,
        /// Position of the first definition.
        first: Location,
    },
    /// A parent that is not defined before its child.
    #[error("parent `{0}` is not defined before this line: define it, or pass the document that does first")]
    UnknownParent(String),
    /// Two fields of a form with equal names or a common bit.
    #[error("field `{field}` collides with `{other}` of {place}: names and bits must not repeat")]
    Collision {
        /// The later field.
        field: String,
        /// The earlier field.
        other: String,
        /// Position of the earlier field's declaration.
        place: Location,
    },
    /// A definition whose facts, inherited ones included, exceed the size limit.
    #[error("`{name}` and what it inherits hold more than {limit} bytes of facts: split the definition")]
    TooLarge {
        /// Name of the definition.
        name: String,
        /// The limit in bytes.
        limit: usize,
    },
}
