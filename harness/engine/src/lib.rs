//! Generate, execute, judge, count, shrink: the core, without files, processes and clocks.
//!
//! | module | what happens there |
//! |---|---|
//! | [`operands`] | what operands stand for, and the classes of their values |
//! | [`generate`] | one `Arbitrary` builds every instruction and case; constructed operands that are hard to round; listed operands |
//! | [`compare`] | a result is held against the truth: the one place where a verdict is formed |
//! | [`stats`] | what a run counts: verdicts, errors, divergences, the survey of a sweep |
//! | [`coverage`] | which bins of the tables a run has hit, and how to hit the others |
//! | [`run`] | batches over threads: campaigns, sweeps, recorded traces; the checks of the harness itself |
//! | [`triage`] | divergences made small, explained, and told apart: what makes two of them the same bug |
//!
//! The engine knows the traits of `assay_isa::backend`. Its caller supplies the implementations.
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
//! comparator.run(&profile.contract_for(&instruction), &instruction, &batch)?;
//! assert!(comparator.verdicts.diverged.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod compare;
pub mod coverage;
pub mod generate;
pub mod operands;
pub mod run;
pub mod stats;
pub mod triage;
