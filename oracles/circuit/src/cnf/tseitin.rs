//! The formula of a circuit, by Tseitin's encoding.

use super::Cnf;
use crate::graph::{Bit, Gate, Graph};

/// A formula that states that some signals of a graph are 1.
///
/// Only the nodes that these signals depend on have variables. Their numbers follow the order of
/// the nodes, so equal circuits give equal formulas.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The formula.
    pub cnf: Cnf,
    /// The variable of each node, or 0.
    variables: Vec<u32>,
}

impl Encoding {
    /// Returns the formula that is satisfied by exactly the inputs for which all of `asserted`
    /// are 1.
    pub fn new(graph: &Graph, asserted: &[Bit]) -> Encoding {
        let mut variables = vec![0; graph.len()];
        let mut last = 0;
        for (node, needed) in cone(graph, asserted).into_iter().enumerate() {
            if needed && node != 0 {
                last += 1;
                variables[node] = last;
            }
        }
        let mut encoding = Encoding { cnf: Cnf::new(last), variables };
        for node in 1..graph.len() {
            if let (Gate::And(a, b), true) = (graph.gate(node), encoding.variables[node] != 0) {
                encoding.add_and(node, a, b);
            }
        }
        for bit in asserted {
            match (bit.as_constant(), encoding.literal(*bit)) {
                (Some(false), _) => encoding.cnf.add(&[]),
                (_, Some(literal)) => encoding.cnf.add(&[literal]),
                _ => {}
            }
        }
        encoding
    }

    /// Returns the literal of a signal. `None` for a constant, and for a node without a variable.
    pub fn literal(&self, bit: Bit) -> Option<i32> {
        let variable = self.variables.get(bit.node()).copied().filter(|variable| *variable != 0)?;
        let literal = variable as i32;
        Some(if bit.is_complemented() { -literal } else { literal })
    }

    /// Returns the inputs of the graph in a satisfying assignment, in the order of the inputs. Entry
    /// i of `values` is the value of variable i + 1. An input without a variable is `false`.
    pub fn inputs(&self, graph: &Graph, values: &[bool]) -> Vec<bool> {
        let mut inputs = vec![false; graph.inputs()];
        for (node, variable) in self.variables.iter().enumerate().filter(|(_, variable)| **variable != 0) {
            if let Gate::Input(number) = graph.gate(node) {
                inputs[number as usize] = values.get(*variable as usize - 1).copied().unwrap_or(false);
            }
        }
        inputs
    }

    /// Adds the clauses of one gate. Gates have no constant operands: the graph folds them.
    fn add_and(&mut self, node: usize, a: Bit, b: Bit) {
        let made = self.variables[node] as i32;
        let (Some(a), Some(b)) = (self.literal(a), self.literal(b)) else {
            unreachable!("the operands of a needed gate are needed")
        };
        self.cnf.add(&[-made, a]);
        self.cnf.add(&[-made, b]);
        self.cnf.add(&[made, -a, -b]);
    }
}

/// Returns for each node whether one of the signals depends on it.
fn cone(graph: &Graph, signals: &[Bit]) -> Vec<bool> {
    let mut needed = vec![false; graph.len()];
    for bit in signals {
        needed[bit.node()] = true;
    }
    // Operands come before their gates.
    for node in (1..graph.len()).rev() {
        if let (Gate::And(a, b), true) = (graph.gate(node), needed[node]) {
            needed[a.node()] = true;
            needed[b.node()] = true;
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Evaluation;

    /// Returns all satisfying inputs of the formula, by trying all assignments of all variables.
    fn satisfying_inputs(graph: &Graph, encoding: &Encoding) -> Vec<Vec<bool>> {
        let variables = encoding.cnf.variables();
        let assignments = (0..1u32 << variables)
            .map(|number| (0..variables).map(|place| number >> place & 1 == 1).collect::<Vec<_>>());
        let satisfying = assignments.filter(|values| encoding.cnf.is_satisfied_by(values));
        let mut inputs: Vec<_> = satisfying.map(|values| encoding.inputs(graph, &values)).collect();
        inputs.sort();
        inputs
    }

    #[test]
    fn the_formula_has_the_solutions_of_the_circuit() {
        let mut graph = Graph::default();
        let inputs = [graph.input(), graph.input(), graph.input()];
        let [a, b, c] = inputs;
        let (sum, chosen) = (graph.xor(a, b), graph.mux(c, !a, b));
        for asserted in [vec![sum], vec![!sum], vec![sum, chosen], vec![a, !a], vec![!chosen, c]] {
            let encoding = Encoding::new(&graph, &asserted);
            let mut evaluation = Evaluation::default();
            evaluation.run(&graph, &[0b1111_0000, 0b1100_1100, 0b1010_1010]);
            let hold = asserted.iter().fold(!0, |hold, bit| hold & evaluation.bit(*bit));
            let needed = cone(&graph, &asserted);
            let expected = (0..8u32).filter(|pattern| hold >> pattern & 1 == 1).map(|pattern| {
                let digit = |place: usize| pattern >> (2 - place) & 1 == 1 && needed[inputs[place].node()];
                (0..3).map(digit).collect::<Vec<_>>()
            });
            let mut expected: Vec<_> = expected.collect();
            expected.sort();
            expected.dedup();
            assert_eq!(satisfying_inputs(&graph, &encoding), expected, "{asserted:?}");
        }
    }

    #[test]
    fn only_what_is_asserted_is_encoded() {
        let mut graph = Graph::default();
        let (a, b, c) = (graph.input(), graph.input(), graph.input());
        let (both, other) = (graph.and(a, b), graph.and(b, c));
        let encoding = Encoding::new(&graph, &[!both]);
        assert_eq!((encoding.cnf.variables(), encoding.cnf.len()), (3, 4));
        assert_eq!((encoding.literal(other), encoding.literal(c)), (None, None));
        assert_eq!(encoding.literal(!both), Some(-3));
    }

    #[test]
    fn constants_are_true_or_refute() {
        let graph = Graph::default();
        assert!(Encoding::new(&graph, &[Bit::TRUE]).cnf.is_empty());
        let refuted = Encoding::new(&graph, &[Bit::FALSE]).cnf;
        assert_eq!(refuted.clauses().collect::<Vec<_>>(), [&[] as &[i32]]);
    }
}
