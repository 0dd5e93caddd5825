//! The netlist over some clock cycles, as signals of a graph.

use super::design::{Design, NodeKind, Operand, Port, State};
use super::error::UnrollError;
use crate::graph::{Bit, Graph};
use crate::word::Word;

/// The largest number of gates of an unrolled netlist.
const MOST_GATES: u64 = 1 << 26;

/// The state in cycle 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The initial values of the file. A state without one has any value.
    Initial,
    /// Any value of each state.
    Free,
}

/// The signals of one clock cycle, each list in the order of the file.
#[derive(Clone, Debug)]
pub struct Cycle {
    /// The inputs.
    pub inputs: Vec<Word>,
    /// The states, before the clock edge that ends the cycle.
    pub states: Vec<Word>,
    /// The outputs.
    pub outputs: Vec<Word>,
    /// What the file calls bad: 1 if a property is violated.
    pub bads: Vec<Bit>,
    /// What the file assumes: 1 if an assumption holds.
    pub constraints: Vec<Bit>,
}

impl Design {
    /// Adds some cycles to a graph. `drive` returns the value of an input in a cycle, or `None` for
    /// a free input.
    pub fn unroll(
        &self,
        graph: &mut Graph,
        cycles: usize,
        start: Start,
        mut drive: impl FnMut(&mut Graph, usize, &Port) -> Option<Word>,
    ) -> Result<Vec<Cycle>, UnrollError> {
        let gates = self.cost().max(1);
        if gates.saturating_mul(cycles as u64) > MOST_GATES {
            return Err(UnrollError::TooLarge { cycles, gates, limit: MOST_GATES });
        }
        let mut unrolled: Vec<Cycle> = Vec::with_capacity(cycles);
        let mut next: Option<Vec<Word>> = None;
        for cycle in 0..cycles {
            let inputs = self.inputs.iter().map(|port| {
                let word = drive(graph, cycle, port).unwrap_or_else(|| graph.input_word(port.width));
                check_width(port, word)
            });
            let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
            let words = self.evaluate(graph, &inputs, next.as_deref(), start);
            next = Some(self.states.iter().map(|state| next_value(graph, state, &words)).collect());
            unrolled.push(self.cycle(inputs, &words));
        }
        Ok(unrolled)
    }

    /// Computes all nodes of a cycle. Without states from the cycle before, it is the first.
    fn evaluate(
        &self,
        graph: &mut Graph,
        inputs: &[Word],
        states: Option<&[Word]>,
        start: Start,
    ) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let word = match &node.kind {
                NodeKind::Constant(bits) => Word::from_bits(bits.iter().map(|bit| Bit::constant(*bit))),
                NodeKind::Input(index) => inputs[*index].clone(),
                NodeKind::State(index) => match (states, self.states[*index].initial, start) {
                    (Some(states), _, _) => states[*index].clone(),
                    (None, Some(initial), Start::Initial) => value(initial, &words),
                    (None, _, _) => graph.input_word(node.width),
                },
                NodeKind::Apply(operator, operands) => {
                    let operands: Vec<Word> =
                        operands.iter().map(|operand| value(*operand, &words)).collect();
                    operator.apply(graph, &operands, node.width)
                }
            };
            words.push(word);
        }
        words
    }

    fn cycle(&self, inputs: Vec<Word>, words: &[Word]) -> Cycle {
        let states = self.nodes.iter().zip(words).filter(|(node, _)| matches!(node.kind, NodeKind::State(_)));
        let bits =
            |operands: &[Operand]| operands.iter().map(|operand| value(*operand, words).bit(0)).collect();
        Cycle {
            inputs,
            states: states.map(|(_, word)| word.clone()).collect(),
            outputs: self.outputs.iter().map(|(_, operand)| value(*operand, words)).collect(),
            bads: bits(&self.bads),
            constraints: bits(&self.constraints),
        }
    }
}

fn check_width(port: &Port, word: Word) -> Result<Word, UnrollError> {
    if word.width() == port.width {
        return Ok(word);
    }
    Err(UnrollError::InputWidth { name: port.name.clone(), width: word.width(), wanted: port.width })
}

fn value(operand: Operand, words: &[Word]) -> Word {
    let word = &words[operand.node];
    if operand.complemented { !word } else { word.clone() }
}

/// Returns a state's value in the next cycle. A state without one is free in each cycle.
fn next_value(graph: &mut Graph, state: &State, words: &[Word]) -> Word {
    match state.next {
        Some(next) => value(next, words),
        None => graph.input_word(state.port.width),
    }
}
