//! Instructions, and the data that implementations exchange about them. Executes nothing.
//!
//! The modules, bottom up:
//!
//! * [`mod@format`], [`enumeration`], [`row`], [`hints`]: the vocabulary of the tables;
//! * [`tables`]: one row an optype, reading like the manual; [`mod@catalog`] resolves inheritance;
//! * [`encoding`]: the codes that the documents do not give, in one replaceable table;
//! * [`instruction`], [`codec`], [`legality`], `condition`, [`legalize`](mod@legalize), [`asm`], [`lint`]: everything derived from the rows;
//! * [`location`], [`batch`], [`effect`], [`truth`], [`backend`], [`readings`]: the input of a subject, its answer, the
//!   truth of an oracle, and the reading of the specification that both follow.
//! * [`number`]: floats as people write them;
//! * [`shown`]: text that a file or a device gave, escaped for people to read; [`mod@similar`]: suggestions for a name
//!   that does not exist.
//!
//! Negation, absolute value, half selection, flushing, RZ/PT and immediate expansion are semantics.
//! This crate only names them; the model and the oracle each write them on their own.
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

pub use backend::{Answer, BackendError, Oracle, Subject};
pub use batch::Batch;
pub use catalog::{Form, catalog};
pub use effect::{Effects, Event};
pub use encoding::EncodingTable;
pub use instruction::{Instruction, Operand, Source};
pub use location::Location;
pub use readings::{Erratum, Reading, Readings};
pub use truth::{Arguments, Estimates, Real, Truths, Unrounded};
