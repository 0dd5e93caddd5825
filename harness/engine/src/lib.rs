//! The core of the harness: generates, executes, judges, counts and shrinks cases. Opens no files
//! and starts no processes.
//!
//! | module | contents |
//! |---|---|
//! | [`operands`] | what operands stand for, and the classes of their values |
//! | [`generate`] | one `Arbitrary` builds every instruction and case; constructed operands that are hard to round; listed operands |
//! | [`compare`] | compares results with the truth: the only place that forms verdicts |
//! | [`stats`] | what a run counts: verdicts, errors, divergences, exhaustive statistics |
//! | [`coverage`] | which bins of the tables a run has hit, and how to hit the others |
//! | [`run`] | batches over threads: campaigns, sweeps, recorded traces; the checks of the harness itself |
//! | [`triage`] | shrinks, explains and groups divergences: decides which ones are the same bug |
//!
//! The engine uses implementations only through the traits of `assay_isa::backend`. Its caller
//! supplies the implementations.
//!
//! ```
//! use assay_engine::compare::comparator::{Comparator, Setup};
//! use assay_isa::{Batch, EncodingTable, Location, asm, codec};
//!
//! let numbers = EncodingTable::provisional();
//! let profile = assay_vectors::Profile::load("intended")?;
//! let setup = Setup {
//!     numbers,
//!     profile: &profile,
//!     subject: &|| assay_model::model(numbers.clone(), profile.readings),
//!     oracle: &|| Box::new(assay_mpfr::MpfrOracle::new(profile.readings)),
//! };
//! let instruction = asm::parse("FADD R0, R1, R2")?;
//! let places = [Location::R(1), Location::R(2)];
//! let batch = Batch::new(codec::encode(&instruction, numbers), &places, 64);
//! let mut comparator = Comparator::new(&setup);
//! let outcome = comparator.run(&profile.contract_for(&instruction), &instruction, &batch)?;
//! assert!(outcome.judged().expect("both know FADD").verdicts.diverged.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod compare;
pub mod coverage;
pub mod generate;
pub mod operands;
pub mod run;
pub mod stats;
pub mod triage;
