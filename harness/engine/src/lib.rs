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
//! The engine knows the traits of `assay_isa::implementation` and no implementation: whoever calls it brings them.

pub mod compare;
pub mod coverage;
pub mod generate;
pub mod operands;
pub mod run;
pub mod stats;
pub mod triage;
