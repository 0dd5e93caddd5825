//! Writes cases and judges answers, as text for simulators. `docs/pipes.md` describes the forms.
//!
//! | module | contents |
//! |---|---|
//! | [`mod@write`] | writes generated or recorded cases, with the oracle's expectations |
//! | [`recorded`] | recorded cases as the source of a stream |
//! | [`verify`] | judges the answers of a device |
//! | [`judged`] | judges batches of answers, and adds up their outcomes |
//! | [`verdict`] | whether each generated case was answered exactly once, and right |
//! | `lines` | reads a device's output in pieces that fit into memory |
//! | [`head`] | a stream's number of cases and rules, to detect other rules and lost cases |
//! | [`digest`] | the digest of a stream's cases, to detect missing and repeated cases |
//! | [`forms`] | the forms |
//! | [`dialect`] | the interface of all forms |
//! | `jsonl`, `yaml`, `testfloat`, `readmemh` | the implementations of the forms |
//! | `columns` | the columns of the two forms that have one instruction per file |
//!
//! ```
//! use assay_exchange::Form;
//! use assay_runner::Context;
//! use assay_runner::reporter::Silent;
//!
//! let numbers = assay_isa::EncodingTable::provisional().clone();
//! let context = Context::new(None, &[], numbers, &Silent)?;
//! let add = context.assemble("FADD R0, R1, R2")?;
//! let dialect = Form::Testfloat.dialect(&context, Some(&add))?;
//! assert!(dialect.read("3F800000 3F800000 40000000 00").is_ok());
//! # Ok::<(), assay_runner::RunError>(())
//! ```

mod columns;
pub mod dialect;
pub mod digest;
pub mod forms;
pub mod head;
mod jsonl;
pub mod judged;
mod lines;
mod readmemh;
pub mod recorded;
mod testfloat;
pub mod verdict;
pub mod verify;
pub mod write;
mod yaml;

pub use forms::Form;
