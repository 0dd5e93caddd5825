//! The steps of a definition that a proof replaces.

use crate::graph::Graph;
use crate::word::Word;

/// Replaces steps of a definition.
///
/// The definition with replaced steps is another circuit. A proof has to show, as an obligation of
/// its own, where both are equal.
pub trait Steps {
    /// Returns the product of two unsigned words, as wide as both together.
    fn product(&mut self, graph: &mut Graph, a: &Word, b: &Word) -> Word {
        graph.multiply(a, b)
    }

    /// Returns the number of places by which the summand with the larger exponent is shifted left.
    /// `distance` is the difference of the exponents, which is not negative. A constant gives a
    /// small circuit, which is right only for inputs with this distance.
    fn distance(&mut self, _graph: &mut Graph, distance: Word) -> Word {
        distance
    }
}

/// Replaces nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Whole;

impl Steps for Whole {}
