//! Proofs of a netlist: a pipelined multiplier by Yosys against the definition of FMUL.
//!
//! `tests/data/fmul.v` has the unit. Its state is free in the first cycle, and so are the operands
//! of all cycles but one: the result must not depend on neighbours in the pipe.

use std::time::Duration;

use assay_circuit::btor2::{Cycle, Design, Start};
use assay_circuit::definition::Whole;
use assay_circuit::graph::{Bit, Graph};
use assay_circuit::obligation::{Obligation, Settled};
use assay_circuit::solver::Files;
use assay_circuit::word::Word;

use crate::support::{defined, solver};

/// Cycles from the operands to the result.
const LATENCY: usize = 2;

/// A unit over three cycles, with operands in the first.
struct Unit {
    graph: Graph,
    operands: [Word; 2],
    last: Cycle,
    outputs: [usize; 2],
}

impl Unit {
    fn read(netlist: &[u8]) -> Unit {
        let design = Design::read(netlist).unwrap();
        let mut graph = Graph::default();
        let drive = |graph: &mut Graph, cycle: usize, port: &assay_circuit::btor2::Port| match &port.name[..]
        {
            "rst" => Some(Word::constant(1, 0)),
            "in_valid" if cycle == 0 => Some(Word::constant(1, 1)),
            _ => Some(graph.input_word(port.width)),
        };
        let mut cycles = design.unroll(&mut graph, LATENCY + 1, Start::Free, drive).unwrap();
        let operands = ["a", "b"].map(|name| cycles[0].inputs[design.input(name).unwrap()].clone());
        let outputs = ["out_valid", "result"].map(|name| design.output(name).unwrap());
        Unit { graph, operands, last: cycles.pop().unwrap(), outputs }
    }

    /// Returns whether the result is that of an instruction.
    fn equals(&mut self, text: &str) -> Bit {
        let [a, b] = &self.operands;
        let defined = defined(&mut self.graph, text, &[a, b], &mut Whole);
        self.graph.equal(&defined, &self.last.outputs[self.outputs[1]])
    }
}

/// Settles a claim about a unit.
fn settle(unit: &Unit, name: &str, claim: Bit) -> Option<Settled> {
    let solver = solver("a proof of a netlist")?;
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(folder.path(), "netlist");
    let obligation = Obligation::new(name, vec![], claim);
    Some(obligation.settle(&unit.graph, &solver, &files, Duration::from_secs(300)).unwrap())
}

#[test]
fn a_pipelined_multiplier_is_proved_for_all_inputs() {
    let mut unit = Unit::read(include_bytes!("../data/fmul.btor"));
    let valid = unit.last.outputs[unit.outputs[0]].bit(0);
    let Some(settled) = settle(&unit, "out_valid", valid) else { return };
    assert!(matches!(settled, Settled::Proved(_)), "{settled:?}");
    let same = unit.equals("FMUL R0, R1, R2");
    let settled = settle(&unit, "FMUL", same).unwrap();
    println!("{settled:?}");
    assert!(matches!(settled, Settled::Proved(_)), "{settled:?}");
}

#[test]
fn another_mode_than_that_of_the_unit_is_refuted() {
    let mut unit = Unit::read(include_bytes!("../data/fmul.btor"));
    for text in ["FMUL.RZ R0, R1, R2", "FMUL.FTZ R0, R1, R2"] {
        let same = unit.equals(text);
        let Some(settled) = settle(&unit, text, same) else { return };
        assert!(matches!(settled, Settled::Refuted(_)), "{text}: {settled:?}");
    }
}

#[test]
fn a_fault_that_needs_the_next_operation_is_refuted() {
    let mut unit = Unit::read(include_bytes!("../data/fmul-neighbour.btor"));
    let same = unit.equals("FMUL R0, R1, R2");
    let Some(settled) = settle(&unit, "FMUL with a neighbour", same) else { return };
    let Settled::Refuted(inputs) = settled else { panic!("the fault is not found: {settled:?}") };
    // The operation in the next cycle has the operand that the fault needs.
    let inputs: Vec<u64> = inputs.iter().map(|bit| u64::from(*bit)).collect();
    let mut evaluation = assay_circuit::graph::Evaluation::default();
    evaluation.run(&unit.graph, &inputs);
    assert_eq!(evaluation.bit(same) & 1, 0);
}
