//! The subcommands, one file each, and the few things that several of them do.

mod baseline;
pub mod certify;
pub mod coverage;
mod covered;
mod demands;
pub mod dut;
pub mod errata;
pub mod eval;
mod findings;
pub mod fuzz;
mod generate;
pub mod isa;
mod judgement;
pub mod ledger;
pub mod libfuzzer;
pub mod merge;
pub mod mutants;
pub mod nightly;
pub mod pipes;
mod promote;
pub mod replay;
pub mod report;
mod run_record;
pub mod status;
pub mod sweep;
pub mod trace;
pub mod vectors;
