//! Circuits of instructions, and proofs about all of their inputs.
//!
//! A statement about all inputs of an instruction, or of a unit in hardware, becomes a formula. An
//! external solver refutes the formula or finds a counterexample, and this crate checks the answer.
//!
//! | module | contents |
//! |---|---|
//! | [`graph`], [`word`] | circuits: an and-inverter graph, and words over it. They evaluate on numbers |
//! | [`cnf`] | the formula of a circuit |
//! | [`solver`] | CaDiCaL as an external program; [`lrat`] checks its proofs |
//! | [`obligation`] | statements about all inputs, proved or refuted |
//! | [`split`] | parts of the inputs of a sum; [`product`]: products as free words |
//! | [`btor2`] | netlists of units, as Yosys writes them |
//! | [`definition`] | instructions as circuits, from the specification alone |
//!
//! The definitions share no code with the model and the high-precision oracle. Tests compare the
//! definitions with the model and with all recorded cases.
//!
//! ```
//! use assay_circuit::cnf::Encoding;
//! use assay_circuit::graph::Graph;
//!
//! // Is there a number of 8 bits that is its own complement?
//! let mut graph = Graph::default();
//! let number = graph.input_word(8);
//! let complement = !&number;
//! let same = graph.equal(&number, &complement);
//! assert_eq!(same.as_constant(), Some(false), "the graph folds it, and no solver is needed");
//!
//! // Which numbers double to 6?
//! let double = graph.add(&number, &number);
//! let doubled = graph.equals(&double, 6);
//! let formula = Encoding::new(&graph, &[doubled]).cnf;
//! let mut text = Vec::new();
//! formula.write_dimacs(&mut text)?;
//! assert!(text.starts_with(b"p cnf"));
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod btor2;
pub mod cnf;
pub mod definition;
pub mod graph;
mod hash;
pub mod lrat;
pub mod obligation;
pub mod product;
pub mod solver;
pub mod split;
pub mod word;
