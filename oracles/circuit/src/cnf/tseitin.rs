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
        for node in (1..graph.len()).filter(|node| encoding.variables[*node] != 0).collect::<Vec<_>>() {
            match shape(graph, node) {
                Shape::Input => {}
                Shape::And(a, b) => encoding.add_and(node, a, b),
                Shape::Choice(choice) => encoding.add_choice(node, choice),
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

    /// Adds the clauses of a conjunction.
    fn add_and(&mut self, node: usize, a: Bit, b: Bit) {
        let [made, a, b] = self.literals(node, [a, b]);
        self.cnf.add(&[-made, a]);
        self.cnf.add(&[-made, b]);
        self.cnf.add(&[made, -a, -b]);
    }

    /// Adds the clauses of a choice.
    fn add_choice(&mut self, node: usize, Choice { select, then, otherwise }: Choice) {
        let [made, select, then, otherwise] = self.literals(node, [select, then, otherwise]);
        self.cnf.add(&[-made, -select, then]);
        self.cnf.add(&[made, -select, -then]);
        self.cnf.add(&[-made, select, otherwise]);
        self.cnf.add(&[made, select, -otherwise]);
        if then != -otherwise {
            // These follow from the others, and help unit propagation.
            self.cnf.add(&[-made, then, otherwise]);
            self.cnf.add(&[made, -then, -otherwise]);
        }
    }

    /// Returns the literals of a node and of its operands. Operands are never constants, because
    /// the graph folds them.
    fn literals<const N: usize, const M: usize>(&self, node: usize, operands: [Bit; N]) -> [i32; M] {
        let mut literals = [self.variables[node] as i32; M];
        for (literal, operand) in literals[1..].iter_mut().zip(operands) {
            *literal = self.literal(operand).expect("the operands of a needed node are needed");
        }
        literals
    }
}

/// How a node is encoded.
enum Shape {
    /// A free variable.
    Input,
    /// A conjunction.
    And(Bit, Bit),
    /// A choice, of which an exclusive or is a case.
    Choice(Choice),
}

/// The signal `then` if `select` is 1, else `otherwise`.
#[derive(Clone, Copy)]
struct Choice {
    select: Bit,
    then: Bit,
    otherwise: Bit,
}

/// Returns how a node is encoded. Three gates that form a choice are encoded as one, so that two of
/// them need no variables.
fn shape(graph: &Graph, node: usize) -> Shape {
    match graph.gate(node) {
        Gate::False | Gate::Input(_) => Shape::Input,
        Gate::And(a, b) => choice(graph, a, b).map_or(Shape::And(a, b), Shape::Choice),
    }
}

/// Returns the choice that equals a AND b. NOT (s AND t) AND NOT (NOT s AND e) is the complement of
/// e or t, as s chooses.
fn choice(graph: &Graph, a: Bit, b: Bit) -> Option<Choice> {
    if !a.is_complemented() || !b.is_complemented() {
        return None;
    }
    let (Gate::And(p, q), Gate::And(r, s)) = (graph.gate(a.node()), graph.gate(b.node())) else {
        return None;
    };
    let pairs = [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)];
    let (select, then, _, otherwise) = pairs.into_iter().find(|(own, _, other, _)| *own == !*other)?;
    Some(Choice { select, then: !then, otherwise: !otherwise })
}

/// Returns for each node whether one of the signals depends on it.
fn cone(graph: &Graph, signals: &[Bit]) -> Vec<bool> {
    let mut needed = vec![false; graph.len()];
    for bit in signals {
        needed[bit.node()] = true;
    }
    // Operands come before their nodes.
    for node in (1..graph.len()).rev() {
        if !needed[node] {
            continue;
        }
        match shape(graph, node) {
            Shape::Input => {}
            Shape::And(a, b) => [a, b].iter().for_each(|bit| needed[bit.node()] = true),
            Shape::Choice(Choice { select, then, otherwise }) => {
                [select, then, otherwise].iter().for_each(|bit| needed[bit.node()] = true);
            }
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
