//! Cases out, answers in, as text for simulators. `docs/pipes.md` describes the forms.
//!
//! | module | what is in it |
//! |---|---|
//! | [`mod@write`] | cases of the one generator, with what the oracle expects |
//! | [`recorded`] | recorded cases as the source of a stream |
//! | [`verify`] | answers before the one judge |
//! | [`judged`] | batches of answers, and the outcome of all of them |
//! | [`verdict`] | whether each generated case was answered, answered once, and answered right |
//! | `lines` | what a device sent, in pieces that fit into memory |
//! | [`head`] | what a stream says of itself, so that one that ends early or was made under other rules is noticed |
//! | [`digest`] | the digest of the cases of a stream, so that a case that is missing or answered twice is noticed |
//! | [`forms`] | the forms |
//! | [`dialect`] | what every form writes and reads |
//! | `jsonl`, `yaml`, `testfloat`, `readmemh` | the forms at work |
//! | `columns` | what the two forms share that have one instruction a file |
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
