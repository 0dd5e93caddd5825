//! The steps of a definition that a proof observes or replaces.

use crate::graph::Graph;
use crate::word::Word;

/// Observes and replaces steps of a definition.
pub trait Steps {
    /// Returns the product of two unsigned words, as wide as both together. A definition with
    /// another product is another circuit: a proof has to show where both are equal.
    fn product(&mut self, graph: &mut Graph, a: &Word, b: &Word) -> Word {
        graph.multiply(a, b)
    }

    /// Receives the difference of the exponents of two summands. It is not negative.
    fn distance(&mut self, _graph: &mut Graph, _distance: &Word) {}
}

/// Replaces nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Whole;

impl Steps for Whole {}
