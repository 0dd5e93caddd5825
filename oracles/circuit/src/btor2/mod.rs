//! A reader of BTOR2: word-level netlists, as Yosys writes them.
//!
//! The script of Yosys ends with
//! `flatten; memory; async2sync; dffunmap; setundef -undriven -anyseq; opt_clean; write_btor`.
//! Arrays, overflow operators, rotations and liveness are refused.
//!
//! * `design`: the netlist, as it is after checks;
//! * `parse`: from text to a netlist; `line`: the words of one line; [`Btor2Error`]: errors, with lines;
//! * `operator`: the operators, their widths and their circuits;
//! * `unroll`: the netlist over some clock cycles, as signals of a graph.
//!
//! ```
//! use assay_circuit::btor2::{Design, Start};
//! use assay_circuit::graph::Graph;
//!
//! let counter = "1 sort bitvec 8\n2 zero 1\n3 state 1 count\n4 init 1 3 2\n5 one 1\n\
//!                6 add 1 3 5\n7 next 1 3 6\n8 output 3 count\n";
//! let design = Design::read(counter.as_bytes())?;
//! let mut graph = Graph::default();
//! let cycles = design.unroll(&mut graph, 4, Start::Initial, |_, _, _| None)?;
//! let count = design.output("count").unwrap();
//! assert_eq!(cycles[3].outputs[count].as_constant(), Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod design;
mod error;
mod line;
mod operator;
mod parse;
mod unroll;

pub use design::{Design, Port};
pub use error::{Btor2Error, Btor2Problem, UnrollError};
pub use unroll::{Cycle, Start};
