//! Executes runs, writes them to disk, and inspects a run or a single case. The program for the
//! command line passes parsed options to this crate and prints the results. This crate does not
//! write to the terminal, parse arguments or decide an exit status.
//!
//! | module | contents |
//! |---|---|
//! | [`error`] | errors: [`RunError`], with its class and advice |
//! | [`reporter`] | messages, progress and stop requests of a long task |
//! | [`context`] | profile, readings and encoding table in force, and the [`RunSetup`](context::RunSetup) of a comparison |
//! | [`subjects`] | the implementations by name: what `--subject` and `--against` can say |
//! | [`folder`] | the folder of a run: results, checkpoints, a lock, and where something may be written |
//! | [`build`] | which build this is |
//! | [`selection`] | the modes that patterns select |
//! | [`spelling`] | instructions and locations in small letters |
//! | [`shares`], [`covered`] | how much of each form was judged, and what was covered |
//! | [`coverage`] | the coverage bins: how many, how many were hit, and which case hits one |
//! | [`findings`] | divergences after a run: shrunk, grouped, written as cases |
//! | [`campaign`] | campaigns and sweeps, and shards merged |
//! | [`cases`] | recorded cases: suites, checks, witnesses, suites that are derived, promotions |
//! | [`traces`] | traces: recorded, counted, judged, made into cases |
//! | [`errata`] | what witnesses prove, and which readings a subject follows |
//! | [`devices`] | a device checked for a campaign, and any subject as a device |
//! | [`certify`] | the oracle's filter compared with MPFR on every argument |
//! | [`inspect`] | one case: all answers, who is to blame, when it shows |
//!
//! ```
//! use assay_runner::Context;
//! use assay_runner::reporter::Silent;
//! use assay_runner::subjects::SubjectName;
//!
//! let numbers = assay_isa::EncodingTable::provisional().clone();
//! let context = Context::new(Some("intended"), &[], numbers, &Silent)?;
//! let setup = context.setup(&SubjectName::MODEL, None);
//! assert_eq!((setup.compared().subject)().name(), "model");
//! assert_eq!((setup.compared().oracle)().name(), "mpfr");
//! # Ok::<(), assay_runner::RunError>(())
//! ```

pub mod build;
pub mod campaign;
pub mod cases;
pub mod certify;
pub mod context;
pub mod coverage;
pub mod covered;
pub mod devices;
pub mod errata;
pub mod error;
pub mod findings;
pub mod folder;
pub mod inspect;
pub mod reporter;
pub mod selection;
pub mod shares;
pub mod spelling;
pub mod subjects;
pub mod traces;

pub use context::Context;
pub use error::RunError;
