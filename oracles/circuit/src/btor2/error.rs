//! Why a netlist cannot be read or unrolled.

use std::io;

/// A netlist that cannot be read, with the line at fault.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Btor2Error {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: Btor2Problem,
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum Btor2Problem {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The line is too long.
    #[error("the line is longer than {0} bytes")]
    LongLine(u64),
    /// The line is no text.
    #[error("the line is no UTF-8 text")]
    NotText,
    /// A word is missing at the end.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A word is not what it has to be.
    #[error("`{word}` is no {wanted}")]
    Unexpected {
        /// The word, escaped.
        word: String,
        /// What was wanted.
        wanted: &'static str,
    },
    /// An operator or a keyword outside the whitelist.
    #[error(
        "`{0}` is not supported; write the netlist with `flatten; memory; async2sync; dffunmap; write_btor`"
    )]
    Unsupported(String),
    /// Numbers of lines have to increase.
    #[error("the number {number} does not exceed the number before, {before}")]
    NotIncreasing {
        /// The number of this line.
        number: u64,
        /// The number of the line before.
        before: u64,
    },
    /// A number names nothing, or something of another kind.
    #[error("{number} is no {wanted} of an earlier line")]
    Unknown {
        /// The number.
        number: i64,
        /// What was wanted.
        wanted: &'static str,
    },
    /// A width does not fit.
    #[error("{what} has {width} bits, not {wanted}")]
    Width {
        /// Whose width it is.
        what: &'static str,
        /// The width.
        width: usize,
        /// The width that fits.
        wanted: usize,
    },
    /// A width is 0 or too large.
    #[error("a width of {width} bits is not from 1 to {largest}")]
    NoWidth {
        /// The width.
        width: u64,
        /// The largest width.
        largest: usize,
    },
    /// A slice is outside its operand.
    #[error("bits {high} to {low} are no slice of {width} bits")]
    Slice {
        /// The most significant bit.
        high: u64,
        /// The least significant bit.
        low: u64,
        /// The width of the operand.
        width: usize,
    },
    /// A constant does not fit its width.
    #[error("the constant `{word}` does not fit {width} bits")]
    Constant {
        /// The constant.
        word: String,
        /// The width of its sort.
        width: usize,
    },
    /// A state has two initial or two next values.
    #[error("the state {0} has a second {1} value")]
    Twice(u64, &'static str),
}

/// Why a netlist cannot be unrolled.
#[derive(Debug, thiserror::Error)]
pub enum UnrollError {
    /// The circuit would be too large.
    #[error("{cycles} cycles of about {gates} gates exceed the limit of {limit} gates")]
    TooLarge {
        /// Number of cycles.
        cycles: usize,
        /// An upper bound of the gates of one cycle.
        gates: u64,
        /// The limit.
        limit: u64,
    },
    /// A value for an input has another width than the input.
    #[error("the value for the input `{name}` has {width} bits, not {wanted}")]
    InputWidth {
        /// The name of the input.
        name: String,
        /// The width of the value.
        width: usize,
        /// The width of the input.
        wanted: usize,
    },
}
