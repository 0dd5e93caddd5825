//! Evaluation of a graph on concrete inputs, 64 patterns at once.

use super::{Bit, Gate, Graph};

/// Number of patterns that one evaluation computes: the bits of a `u64`.
pub const LANES: usize = 64;

/// The values of all nodes of a graph. Bit i of a value belongs to pattern i.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    values: Vec<u64>,
}

impl Evaluation {
    /// Computes all nodes of a graph. `inputs` has a value for each input, in the order in which
    /// the inputs were added. Reuses memory.
    ///
    /// # Panics
    /// If the number of inputs is wrong.
    pub fn run(&mut self, graph: &Graph, inputs: &[u64]) {
        assert_eq!(inputs.len(), graph.inputs(), "one value for each input");
        self.values.clear();
        self.values.reserve(graph.len());
        for gate in &graph.gates {
            let value = match *gate {
                Gate::False => 0,
                Gate::Input(number) => inputs[number as usize],
                Gate::And(a, b) => self.bit(a) & self.bit(b),
            };
            self.values.push(value);
        }
    }

    /// Returns the values of a signal.
    ///
    /// # Panics
    /// If the signal is not in the graph that was evaluated.
    #[inline]
    pub fn bit(&self, bit: Bit) -> u64 {
        self.values[bit.node()] ^ 0u64.wrapping_sub(u64::from(bit.is_complemented()))
    }

    /// Returns the value of up to 64 signals in one pattern. The first signal is the least
    /// significant bit.
    ///
    /// # Panics
    /// If there are more than 64 signals, or the pattern is not below [`LANES`].
    pub fn number(&self, bits: &[Bit], pattern: usize) -> u64 {
        assert!(bits.len() <= 64 && pattern < LANES);
        let digits = bits.iter().enumerate().map(|(place, bit)| (self.bit(*bit) >> pattern & 1) << place);
        digits.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pattern_is_computed_apart() {
        let mut graph = Graph::default();
        let (a, b) = (graph.input(), graph.input());
        let (both, sum) = (graph.and(a, b), graph.xor(a, b));
        let mut evaluation = Evaluation::default();
        for _ in 0..2 {
            evaluation.run(&graph, &[0b1100, 0b1010]);
            assert_eq!(evaluation.bit(both), 0b1000);
            assert_eq!(evaluation.bit(sum), 0b0110);
            assert_eq!(evaluation.bit(!sum), !0b0110);
            let numbers = [0, 1, 2, 3].map(|pattern| evaluation.number(&[sum, both, Bit::TRUE], pattern));
            assert_eq!(numbers, [4, 5, 5, 6]);
        }
    }
}
