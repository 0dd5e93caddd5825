//! Rules by which a conjunction needs no new gate.

use super::{Bit, Gate, Graph};

impl Graph {
    /// Returns a signal equal to a AND b that needs no gate for this pair. `None` if no rule
    /// applies. The rules look at the operands and at the operands' operands.
    pub(super) fn simplify(&mut self, a: Bit, b: Bit) -> Option<Bit> {
        match (a, b) {
            _ if a == Bit::FALSE || b == Bit::FALSE || a == !b => Some(Bit::FALSE),
            _ if a == Bit::TRUE || a == b => Some(b),
            _ if b == Bit::TRUE => Some(a),
            _ => self.absorb(a, b).or_else(|| self.absorb(b, a)).or_else(|| self.contradict(a, b)),
        }
    }

    /// Applies the rules for a AND b where `b` is a gate, perhaps complemented.
    fn absorb(&mut self, a: Bit, b: Bit) -> Option<Bit> {
        let Gate::And(c, d) = self.gate(b.node()) else { return None };
        let (same, opposite) = (a == c || a == d, a == !c || a == !d);
        match (b.is_complemented(), same, opposite) {
            // a AND (a AND d) is a AND d.
            (false, true, _) => Some(b),
            // a AND (NOT a AND d) is 0.
            (false, _, true) => Some(Bit::FALSE),
            // a AND NOT (NOT a AND d) is a.
            (true, _, true) => Some(a),
            // a AND NOT (a AND d) is a AND NOT d.
            (true, true, _) => Some(self.and(a, if a == c { !d } else { !c })),
            _ => None,
        }
    }

    /// Returns 0 if both signals are gates of which one needs what the other excludes.
    fn contradict(&self, a: Bit, b: Bit) -> Option<Bit> {
        if a.is_complemented() || b.is_complemented() {
            return None;
        }
        let (Gate::And(c, d), Gate::And(e, f)) = (self.gate(a.node()), self.gate(b.node())) else {
            return None;
        };
        let clash = c == !e || c == !f || d == !e || d == !f;
        clash.then_some(Bit::FALSE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Evaluation;

    /// The truth tables of three inputs.
    const INPUTS: [u64; 3] = [0b1010_1010, 0b1100_1100, 0b1111_0000];

    #[test]
    fn each_conjunction_of_small_circuits_has_the_right_table() {
        let mut graph = Graph::default();
        let inputs = [graph.input(), graph.input(), graph.input()];
        let mut signals = vec![Bit::FALSE];
        signals.extend(inputs);
        // Two rounds of all pairs, complemented in all ways, meet each rule.
        for _ in 0..2 {
            let known = signals.clone();
            for (a, b) in known.iter().flat_map(|a| known.iter().map(move |b| (*a, *b))) {
                for (p, q) in [(a, b), (!a, b), (a, !b), (!a, !b)] {
                    let made = graph.and(p, q);
                    let mut evaluation = Evaluation::default();
                    evaluation.run(&graph, &INPUTS);
                    let table = |bit: Bit| evaluation.bit(bit) & 0xff;
                    assert_eq!(table(made), table(p) & table(q), "{p:?} {q:?}");
                    if !signals.contains(&made) && signals.len() < 60 {
                        signals.push(made);
                    }
                }
            }
        }
    }

    #[test]
    fn shared_operands_need_no_new_gate() {
        let mut graph = Graph::default();
        let (a, b, c) = (graph.input(), graph.input(), graph.input());
        let both = graph.and(a, b);
        let other = graph.and(!a, c);
        let without = graph.and(a, !b);
        let nodes = graph.len();
        assert_eq!(graph.and(a, both), both);
        assert_eq!(graph.and(!a, both), Bit::FALSE);
        assert_eq!(graph.and(!a, !both), !a);
        assert_eq!(graph.and(a, !both), without);
        assert_eq!(graph.and(both, other), Bit::FALSE);
        assert_eq!(graph.len(), nodes);
    }
}
