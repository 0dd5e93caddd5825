//! Campaigns of the libFuzzer targets, and what becomes of the inputs that they stop at.
//!
//! cargo-fuzz builds the targets, fuzzes and minimises the corpora. This crate adds: a campaign over all targets that
//! can be resumed, a bound on crashes, the record for the nightly report, and findings from crashes.
//!
//! | module | what it does |
//! |---|---|
//! | [`toolchain`] | finds the nightly toolchain and cargo-fuzz, builds the targets |
//! | [`process`] | runs one process of cargo-fuzz or of a target, and reads its log |
//! | [`files`] | lists inputs, names logs, refuses paths that a shell would read |
//! | [`corpus`] | measures a corpus, minimises it by `cargo fuzz cmin`, bounds it |
//! | [`campaign`] | runs one target after the other by `cargo fuzz run`, and keeps the record |
//! | [`repeat`] | gives the program of a target one input |
//! | [`findings`] | turns inputs that ended a target into findings, and reads them back |
//! | [`subject`] | which subjects and settings the targets are built with |
//! | [`error`] | why something could not be done |
//!
//! The types of the files are in `assay_records::libfuzzer`.
//!
//! ```
//! use assay_libfuzzer::findings::InputToReplay;
//! use assay_fuzzing::Target;
//!
//! let folder = tempfile::tempdir()?;
//! let artifact = folder.path().join("crash-0a1b");
//! std::fs::write(&artifact, "FADD R0, R1, R2")?;
//! let input = InputToReplay::read(&artifact, Some(Target::Assembler)).expect("it is a file");
//! assert_eq!(input.data, b"FADD R0, R1, R2");
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod campaign;
pub mod corpus;
pub mod error;
pub mod files;
pub mod findings;
pub mod process;
pub mod repeat;
pub mod subject;
pub mod toolchain;

pub use error::LibfuzzerError;
