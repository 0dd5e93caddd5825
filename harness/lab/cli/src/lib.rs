//! The program `assay-lab`: the commands of `assay`, and commands that check the harness itself and
//! the specification.
//!
//! | module | what it holds |
//! |---|---|
//! | `registry` | the commands |
//! | `isa`, `documents` | the tables and the documents against each other |
//! | `pseudo` | the documents executed |
//! | `errata` | the witnesses of errata, proved and found |
//! | `mutants` | planted faults |
//! | `certify` | the bounds of the oracle's filter |
//! | `libfuzzer` | the libFuzzer targets |
//! | `schema` | the schemas of what these commands print |

mod certify;
mod documents;
mod errata;
mod isa;
mod libfuzzer;
mod mutants;
mod pseudo;
mod registry;
mod schema;

pub use registry::ASSAY_LAB;
