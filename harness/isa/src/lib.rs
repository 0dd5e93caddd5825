//! Instructions, and the data that implementations exchange about them. This crate executes
//! nothing.
//!
//! The modules, bottom up:
//!
//! * [`mod@format`], [`enumeration`], [`row`], [`hints`]: the vocabulary of the tables;
//! * [`tables`]: one row for each optype, with the names that the documents use; [`mod@catalog`]
//!   resolves inheritance;
//! * [`encoding`]: the codes that the documents do not give, in one replaceable table;
//! * [`instruction`], [`codec`], [`legality`], `condition`, [`legalize`](mod@legalize), [`asm`], [`lint`]: everything derived from the rows;
//! * [`location`], [`batch`], [`effect`], [`truth`], [`backend`], [`readings`]: the input and the
//!   output of a subject, the truth of an oracle, and the reading of the specification that both
//!   follow;
//! * [`number`]: parses floats such as `0x1.8p0`, and prints errors;
//! * [`shown`]: escapes text from a file or a device before it is shown; [`mod@similar`]: suggests
//!   names that are similar to an unknown one.
//!
//! Negation, absolute value, half selection, flushing, RZ/PT and immediate expansion are semantics.
//! This crate only names these operations. The model and the oracle implement them independently.
//!
//! ```
//! use assay_isa::{EncodingTable, asm, codec};
//!
//! let numbers = EncodingTable::provisional();
//! let instruction = asm::parse("FADD.FTZ R0, R1, -R2")?;
//! let word = codec::encode(&instruction, numbers);
//! assert_eq!(codec::decode(word, numbers)?, instruction);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod asm;
pub mod backend;
pub mod batch;
pub mod catalog;
pub mod codec;
mod condition;
pub mod effect;
pub mod encoding;
pub mod enumeration;
pub mod format;
pub mod hints;
pub mod instruction;
pub mod legality;
pub mod legalize;
pub mod lint;
pub mod location;
pub mod number;
pub mod readings;
pub mod row;
pub mod shown;
pub mod similar;
pub mod tables;
pub mod truth;

pub use backend::{Answer, BackendError, FastOracle, Oracle, Subject};
pub use batch::Batch;
pub use catalog::{Form, catalog};
pub use effect::{Effects, Event};
pub use encoding::EncodingTable;
pub use instruction::{Instruction, Operand, Source};
pub use location::Location;
pub use readings::{Erratum, Reading, Readings};
pub use truth::{Arguments, Estimates, Real, Truths, Unrounded};
