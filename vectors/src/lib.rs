//! The format of cases. A case is an instruction, the values that it reads, and the expected
//! result.
//!
//! Vectors, findings, `eval`, replays and trace rows all use the type [`Case`]. So every result of
//! a run can be stored, read and executed again. There are two file forms: a YAML file holds a
//! [`Suite`] of cases, and a line of JSON holds one case. `docs/formats.md` describes both.
//!
//! * [`case`]: the types; [`values`] and `text`: how locations, words, errata and events are written;
//! * [`in_batch`]: the batch that contains a case; `rerun`: the batches to execute for such a case;
//! * [`actual`]: the answer of a device to a case;
//! * `check`: checks cases and suites after parsing;
//! * [`read`] and [`mod@write`]: files and lines; [`error`]: their errors, with places;
//! * [`profile`], [`contract`] and [`clauses`]: the readings and the accuracy that a run demands;
//! * [`looser`]: the demands of a profile that are lower than those of its built-in base profile;
//! * `evidence`: the evidence for a setting or a bound;
//! * `schema`: the JSON Schemas of files; `field_schema`: the JSON Schemas of fields;
//! * [`published`]: the published bounds, with which the built-in contracts are compared;
//! * [`errata`]: the defects of the documents, which the readings resolve;
//! * `carried`: the suites that are built into the program.
//!
//! The vectors themselves are data, in `data/` beside `src/`.
//!
//! ```
//! use assay_isa::asm;
//! use assay_vectors::Profile;
//!
//! let profile = Profile::load("intended")?;
//! let contract = profile.contract_for(&asm::parse("MUFU.RCP.F32 R0, R1")?);
//! assert!(format!("{contract:?}").contains("Ulp"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod actual;
mod carried;
pub mod case;
mod check;
pub mod clauses;
mod confine;
pub mod contract;
pub mod errata;
pub mod error;
mod evidence;
mod field_schema;
pub mod in_batch;
mod key;
pub mod limit;
pub mod looser;
mod parts;
pub mod profile;
pub mod published;
pub mod read;
mod rerun;
pub mod row;
mod schema;
pub mod text;
pub mod values;
pub mod write;

pub use actual::{Actual, gather};
pub use carried::{carried, carried_witnesses};
pub use case::{
    BugCase, Case, ExpectedEffect, Finding, FindingCondition, FoundAt, FoundCase, Origin, Provenance, Suite,
};
pub use clauses::{Clauses, Facts, INVERSION, Range, Relation, Relations, Signs};
pub use confine::within;
pub use contract::{Bound, Contract, Metric};
pub use error::{ErrorKind, Place, VectorError};
pub use evidence::{Basis, Evidence};
pub use in_batch::{InBatch, Rerun};
pub use limit::{Interval, Limit};
pub use parts::{IndexedParts, InstructionParts, OperandParts};
pub use profile::{Profile, profile_files};
pub use read::{discover, not_suites, parse_line, read_suite, read_suite_str};
pub use row::{ContractRow, InversionRow};
pub use schema::{errata_schema, schema};
pub use values::{Allowed, Expected, Overrides, Span, Values, WrittenValue};
pub use write::{append_case, suite_to_string, to_item, write_suite};

/// Version of the case and profile format that this crate reads and writes.
pub const VERSION: u32 = 1;
