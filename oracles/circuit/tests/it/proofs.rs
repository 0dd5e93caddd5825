//! Proofs for all inputs: units as hardware builds them against the definitions.

use std::time::{Duration, Instant};

use assay_circuit::definition::{Steps, Whole};
use assay_circuit::graph::{Bit, Graph};
use assay_circuit::obligation::{Obligation, Settled};
use assay_circuit::product::{Cut, ProductCuts, lemmas};
use assay_circuit::solver::{Files, Solver};
use assay_circuit::split::{DistanceProbe, DistanceSplit};
use assay_circuit::word::Word;
use assay_isa::{Batch, Effects, EncodingTable, Location, Readings, asm, codec};

use crate::hardware::{self, AddFault};
use crate::support::{defined, solver};

/// The time for one answer. Each takes seconds, but for the distances that are far.
const LIMIT: Duration = Duration::from_secs(900);

/// Distances from this one on are proved together.
const FAR: u64 = 27;

/// A solver with a folder for its files.
struct Prover {
    solver: Solver,
    folder: tempfile::TempDir,
}

impl Prover {
    /// Returns the installed solver. Without one, records the check as skipped.
    fn new(what: &str) -> Option<Prover> {
        Some(Prover { solver: solver(what)?, folder: tempfile::tempdir().unwrap() })
    }

    fn settle(&self, graph: &Graph, obligation: &Obligation) -> Settled {
        let files = Files::new(self.folder.path(), "obligation");
        let began = Instant::now();
        let settled = obligation.settle(graph, &self.solver, &files, LIMIT).unwrap();
        let size = std::fs::metadata(&files.proof).map_or(0, |data| data.len());
        println!("{}: {settled:?} in {:.2?}, a proof of {size} bytes", obligation.name, began.elapsed());
        settled
    }

    fn prove(&self, graph: &Graph, obligation: &Obligation) {
        let settled = self.settle(graph, obligation);
        assert!(matches!(settled, Settled::Proved(_)), "{} is not proved", obligation.name);
    }

    /// Checks that the assumptions of an obligation hold for some inputs.
    fn is_satisfiable(&self, graph: &Graph, obligation: &Obligation) -> bool {
        let files = Files::new(self.folder.path(), "witness");
        let found = obligation.find_witness(graph, &self.solver, &files, LIMIT).unwrap();
        matches!(found, Settled::Refuted(_))
    }
}

/// Two operands and an instruction of them.
struct Problem {
    graph: Graph,
    a: Word,
    b: Word,
    defined: Word,
}

impl Problem {
    fn new(text: &str, steps: &mut dyn Steps) -> Problem {
        let mut graph = Graph::default();
        let (a, b) = (graph.input_word(32), graph.input_word(32));
        let defined = defined(&mut graph, text, &[&a, &b], steps);
        Problem { graph, a, b, defined }
    }
}

/// FADD, a unit with a fault or without, and the distance of the exponents.
fn sum(fault: AddFault) -> (Problem, Bit, Word) {
    let mut probe = DistanceProbe::default();
    let mut problem = Problem::new("FADD R0, R1, R2", &mut probe);
    let unit = hardware::add(&mut problem.graph, &problem.a, &problem.b, fault);
    let same = problem.graph.equal(&unit, &problem.defined);
    (problem, same, probe.distance.expect("a sum has a distance"))
}

/// Proves some parts of FADD, each with a witness that its assumption holds for some inputs.
fn prove_sum(prover: &Prover, splits: &[DistanceSplit]) {
    let (mut problem, same, distance) = sum(AddFault::None);
    for split in splits {
        let assumption = split.contains(&mut problem.graph, &distance);
        let obligation = Obligation::new(format!("FADD, {split:?}"), vec![assumption], same);
        prover.prove(&problem.graph, &obligation);
        assert!(prover.is_satisfiable(&problem.graph, &obligation), "{split:?} has no inputs");
    }
}

#[test]
fn no_input_lies_outside_the_splits() {
    let Some(prover) = Prover::new("a proof by CaDiCaL") else { return };
    let (mut problem, _, distance) = sum(AddFault::None);
    let parts: Vec<Bit> =
        DistanceSplit::all(FAR).iter().map(|split| split.contains(&mut problem.graph, &distance)).collect();
    let covered = problem.graph.any(parts.iter().copied());
    prover.prove(&problem.graph, &Obligation::new("the splits", vec![], covered));
    let missing = problem.graph.any(parts[1..].iter().copied());
    let settled = prover.settle(&problem.graph, &Obligation::new("the splits without one", vec![], missing));
    assert!(matches!(settled, Settled::Refuted(_)));
}

#[test]
fn sums_with_near_exponents_are_proved() {
    let Some(prover) = Prover::new("a proof by CaDiCaL") else { return };
    prove_sum(&prover, &[1, 26].map(DistanceSplit::Equal));
}

#[test]
#[ignore = "28 proofs take minutes: `just definitions`"]
fn all_definitions_of_sums_are_proved() {
    let Some(prover) = Prover::new("a proof by CaDiCaL") else { return };
    prove_sum(&prover, &DistanceSplit::all(FAR));
}

/// The operands of a counterexample, executed by the model.
fn model_result(inputs: &[bool]) -> (u32, u32, u32) {
    let number = |bits: &[bool]| bits.iter().rev().fold(0, |number, bit| 2 * number + u32::from(*bit));
    let (a, b) = (number(&inputs[..32]), number(&inputs[32..64]));
    let numbers = EncodingTable::provisional();
    let instruction = asm::parse("FADD R0, R1, R2").unwrap();
    let mut batch = Batch::new(codec::encode(&instruction, numbers), &instruction.reads(), 1);
    batch.column_mut(0)[0] = a;
    batch.column_mut(1)[0] = b;
    let mut effects = Effects::default();
    assay_model::model(numbers.clone(), Readings::INTENDED).execute(&batch, &mut effects).unwrap();
    (a, b, effects.value(Location::R(0), 0).unwrap())
}

#[test]
fn planted_faults_are_refuted_and_confirmed() {
    let Some(prover) = Prover::new("a refutation by CaDiCaL") else { return };
    for (fault, distance) in [(AddFault::RareCarry, 3), (AddFault::NoSticky, 25), (AddFault::NoLimit, 1)] {
        let (mut problem, same, word) = sum(fault);
        let assumption = DistanceSplit::Equal(distance).contains(&mut problem.graph, &word);
        let obligation = Obligation::new(format!("FADD with {fault:?}"), vec![assumption], same);
        let Settled::Refuted(inputs) = prover.settle(&problem.graph, &obligation) else {
            panic!("{fault:?} is not refuted")
        };
        let (a, b, result) = model_result(&inputs);
        let mut graph = Graph::default();
        let [x, y] = [a, b].map(|value| Word::constant(32, value.into()));
        let unit = hardware::add(&mut graph, &x, &y, fault).as_constant().unwrap();
        assert_ne!(unit, u64::from(result), "{fault:?} of {a:#x} and {b:#x}");
    }
}

#[test]
fn products_with_one_multiplier_are_proved_for_all_inputs() {
    let Some(prover) = Prover::new("a proof by CaDiCaL") else { return };
    let mut problem = Problem::new("FMUL R0, R1, R2", &mut Whole);
    let unit = hardware::multiply(&mut problem.graph, &problem.a, &problem.b, Graph::multiply);
    let same = problem.graph.equal(&unit, &problem.defined);
    prover.prove(&problem.graph, &Obligation::new("FMUL", vec![], same));
}

#[test]
fn products_are_proved_for_each_multiplier_by_a_cut() {
    let Some(prover) = Prover::new("a proof by CaDiCaL") else { return };
    let mut cuts = ProductCuts::default();
    let mut problem = Problem::new("FMUL R0, R1, R2", &mut cuts);
    let [cut] = &cuts.cuts[..] else { panic!("FMUL has one product") };
    // The unit's factors are those of the definition, node by node.
    let unit = hardware::multiply(&mut problem.graph, &problem.a, &problem.b, |_, a, b| {
        assert_eq!((a, b), (&cut.a, &cut.b));
        cut.product.clone()
    });
    let same = problem.graph.equal(&unit, &problem.defined);
    let known: Vec<Bit> = lemmas(&mut problem.graph, cut).into_iter().map(|(_, holds)| holds).collect();
    let obligation = Obligation::new("FMUL with a free product", known, same);
    prover.prove(&problem.graph, &obligation);
    assert!(prover.is_satisfiable(&problem.graph, &obligation));
    // Without the lemmas, there is a word that is no product, and a wrong result.
    let settled = prover.settle(&problem.graph, &Obligation::new("FMUL without lemmas", vec![], same));
    assert!(matches!(settled, Settled::Refuted(_)));
}

#[test]
fn each_lemma_of_products_is_proved() {
    let Some(prover) = Prover::new("a proof by CaDiCaL") else { return };
    let mut graph = Graph::default();
    let (a, b) = (graph.input_word(24), graph.input_word(24));
    let product = graph.multiply(&a, &b);
    for (name, holds) in lemmas(&mut graph, &Cut { a, b, product }) {
        prover.prove(&graph, &Obligation::new(name, vec![], holds));
    }
}

#[test]
#[ignore = "two proofs of FFMA take a minute: `just definitions`"]
fn a_fused_sum_with_a_factor_of_one_is_a_sum() {
    let Some(prover) = Prover::new("a proof by CaDiCaL") else { return };
    let mut graph = Graph::default();
    let (a, b) = (graph.input_word(32), graph.input_word(32));
    let one = Word::constant(32, 0x3f80_0000);
    let fused = defined(&mut graph, "FFMA R0, R1, R2, R3", &[&a, &one, &b], &mut Whole);
    let mut probe = DistanceProbe::default();
    let sum = defined(&mut graph, "FADD R0, R1, R2", &[&a, &b], &mut probe);
    let same = graph.equal(&fused, &sum);
    let distance = probe.distance.unwrap();
    for split in [1, 26].map(DistanceSplit::Equal) {
        let assumption = split.contains(&mut graph, &distance);
        prover.prove(&graph, &Obligation::new(format!("FFMA and FADD, {split:?}"), vec![assumption], same));
    }
}
