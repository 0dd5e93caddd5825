//! The and-inverter graph: inputs, two-input AND gates, and complemented edges.
//!
//! Equal gates are stored once (structural hashing), and constants are folded. So two circuits that
//! are built alike in one graph are the same nodes.

mod evaluate;
mod simplify;

use std::collections::HashMap;
use std::ops::Not;

pub use evaluate::{Evaluation, LANES};

use crate::hash::NumberHash;

/// A signal of a [`Graph`]: a node, or the complement of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bit(u32);

impl Bit {
    /// The constant 0.
    pub const FALSE: Bit = Bit(0);
    /// The constant 1.
    pub const TRUE: Bit = Bit(1);

    /// Returns the constant with a value.
    pub fn constant(value: bool) -> Bit {
        Bit(u32::from(value))
    }

    /// Returns the value of a constant, or `None` for any other signal.
    pub fn as_constant(self) -> Option<bool> {
        (self.node() == 0).then_some(self.is_complemented())
    }

    /// Returns the index of the node. Node 0 is the constant 0.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the signal is the complement of its node.
    pub fn is_complemented(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns the complement if `complemented` holds, else the signal itself.
    pub fn complement_if(self, complemented: bool) -> Bit {
        Bit(self.0 ^ u32::from(complemented))
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

/// What computes a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// The constant 0: node 0 alone.
    False,
    /// The input with this number, counted from 0.
    Input(u32),
    /// The conjunction of two signals of earlier nodes.
    And(Bit, Bit),
}

/// An and-inverter graph. The operands of a gate always have smaller indices than the gate.
#[derive(Clone, Debug)]
pub struct Graph {
    gates: Vec<Gate>,
    ands: HashMap<(Bit, Bit), u32, NumberHash>,
    inputs: u32,
}

impl Default for Graph {
    fn default() -> Graph {
        Graph { gates: vec![Gate::False], ands: HashMap::default(), inputs: 0 }
    }
}

impl Graph {
    /// Number of nodes, with the constant.
    #[allow(clippy::len_without_is_empty)] // No graph is empty: node 0 always exists.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs as usize
    }

    /// Returns the gate of a node.
    ///
    /// # Panics
    /// If the node does not exist.
    pub fn gate(&self, node: usize) -> Gate {
        self.gates[node]
    }

    /// Adds an input. Inputs are numbered in the order in which they are added.
    pub fn input(&mut self) -> Bit {
        let gate = Gate::Input(self.inputs);
        self.inputs += 1;
        self.push(gate)
    }

    /// Returns a AND b.
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if let Some(simple) = self.simplify(a, b) {
            return simple;
        }
        if let Some(node) = self.ands.get(&(a, b)) {
            return Bit(node << 1);
        }
        let made = self.push(Gate::And(a, b));
        self.ands.insert((a, b), made.0 >> 1);
        made
    }

    /// Returns a OR b.
    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    /// Returns a XOR b.
    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        // Complements are moved to the result, so that all four forms share their gates.
        let complemented = a.is_complemented() != b.is_complemented();
        let (a, b) = (a.complement_if(a.is_complemented()), b.complement_if(b.is_complemented()));
        let (either, both) = (self.or(a, b), self.and(a, b));
        self.and(either, !both).complement_if(complemented)
    }

    /// Returns `then` if `select` is 1, else `otherwise`.
    pub fn mux(&mut self, select: Bit, then: Bit, otherwise: Bit) -> Bit {
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.xor(select, otherwise);
        }
        let (on, off) = (self.and(select, then), self.and(!select, otherwise));
        self.or(on, off)
    }

    /// Returns the conjunction of signals, 1 if there are none.
    pub fn all(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        let mut level: Vec<Bit> = bits.into_iter().collect();
        // A balanced tree: a chain would be as deep as it is long.
        while level.len() > 1 {
            let halved = level.chunks(2).map(|pair| match *pair {
                [a, b] => self.and(a, b),
                _ => pair[0],
            });
            level = halved.collect();
        }
        level.first().copied().unwrap_or(Bit::TRUE)
    }

    /// Returns the disjunction of signals, 0 if there are none.
    pub fn any(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        !self.all(bits.into_iter().map(Not::not))
    }

    /// Appends a node.
    ///
    /// # Panics
    /// If the graph has 2^31 nodes, which need 24 GiB of memory.
    fn push(&mut self, gate: Gate) -> Bit {
        let node = u32::try_from(self.gates.len()).ok().filter(|node| node >> 31 == 0);
        let node = node.expect("a graph has fewer than 2^31 nodes");
        self.gates.push(gate);
        Bit(node << 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_gates_are_one_node() {
        let mut graph = Graph::default();
        let (a, b) = (graph.input(), graph.input());
        let first = graph.and(a, !b);
        let nodes = graph.len();
        assert_eq!(graph.and(!b, a), first);
        assert_eq!(graph.len(), nodes);
        let sum = graph.xor(a, b);
        let nodes = graph.len();
        assert_eq!((graph.xor(!a, b), graph.xor(b, !a), graph.xor(!b, !a)), (!sum, !sum, sum));
        assert_eq!(graph.mux(a, !b, b), sum);
        assert_eq!(graph.len(), nodes);
    }

    #[test]
    fn constants_are_folded() {
        let mut graph = Graph::default();
        let a = graph.input();
        for (made, expected) in [
            (graph.and(a, Bit::FALSE), Bit::FALSE),
            (graph.and(Bit::TRUE, a), a),
            (graph.or(a, Bit::TRUE), Bit::TRUE),
            (graph.xor(a, Bit::TRUE), !a),
            (graph.xor(a, a), Bit::FALSE),
            (graph.mux(Bit::TRUE, a, !a), a),
            (graph.mux(a, Bit::TRUE, Bit::FALSE), a),
            (graph.all([]), Bit::TRUE),
            (graph.any([]), Bit::FALSE),
            (graph.any([a, Bit::FALSE, a]), a),
        ] {
            assert_eq!(made, expected);
        }
        assert_eq!(graph.len(), 2, "no gate was made");
        assert_eq!((Bit::TRUE.as_constant(), a.as_constant()), (Some(true), None));
    }
}
