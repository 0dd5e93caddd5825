//! Decides once for each instruction word everything that its lanes share.

use assay_isa::{Instruction, Location, Operand, Source};

use crate::definition::definition;
use crate::float::Modifiers;
use crate::knobs::Knobs;
use crate::operand::Input;
use crate::semantics::{Minus, Semantics};

/// A decoded word. The plan is kept, because sweeps send the same word many times.
#[derive(Clone, Debug)]
pub(crate) struct Plan<K> {
    /// The encoded word.
    pub word: u128,
    /// The decoded instruction.
    pub instruction: Instruction,
    /// The work of the lanes.
    pub semantics: Semantics<K>,
    /// The guard.
    pub guard: Operand,
    /// The words of the operands read. After them come the index of an indexed output, and the old
    /// value of an output that can keep some of its bits.
    pub inputs: Vec<Input>,
    /// The locations of the result words, in the order of the writes. A result for RZ or PT is
    /// discarded (E010).
    pub outputs: Vec<Option<Location>>,
}

impl<K: Knobs> Plan<K> {
    /// Plans the execution of an instruction.
    pub(crate) fn of(k: &K, word: u128, decoded: Instruction) -> Plan<K> {
        let instruction = &k.instead(decoded.clone());
        let modifiers = Modifiers::of(k, instruction);
        let operands = k.operands(instruction.inputs().collect());
        let semantics = match definition(instruction.optype()) {
            Some(definition) => definition(k, instruction, &operands),
            None => Semantics::unknown(),
        };
        let early = |position| modifiers.flushes(k, position) && !semantics.flushes_late;
        let flushed = |position| k.flushes(position, early(position));
        Plan {
            word,
            guard: instruction.guard(),
            inputs: if semantics.is_loaded {
                inputs(k, instruction, operands, semantics.minus, flushed)
            } else {
                Vec::new()
            },
            outputs: outputs(k, instruction, semantics.words),
            semantics,
            instruction: decoded,
        }
    }
}

/// Returns an input for each word that an operation reads.
fn inputs<K: Knobs>(
    k: &K,
    instruction: &Instruction,
    mut operands: Vec<Operand>,
    minus: Minus,
    flushed: impl Fn(usize) -> bool,
) -> Vec<Input> {
    operands.extend(instruction.outputs().filter(|o| matches!(o.source, Source::URegAt { .. })));
    let old = instruction.form().optype.extra.old;
    operands.extend(old.iter().map(|name| instruction.operand(name)));
    let words = |(position, operand): (usize, Operand)| {
        let flushed = flushed(position);
        let words = if operand.source == Source::AllPredicates { 1 } else { operand.words };
        let input = move |word| {
            let word = k.word(position, operand, word);
            Input { operand, position: position as u8, word, minus, flushed }
        };
        (0..words).map(input)
    };
    operands.into_iter().enumerate().flat_map(words).collect()
}

/// Returns a location for each word of the outputs. A location is `None` if the word has no
/// storage, or if the current reading discards the word.
fn outputs<K: Knobs>(k: &K, instruction: &Instruction, written: u8) -> Vec<Option<Location>> {
    let location = |output: Operand, word| if word < written { output.word(word) } else { None };
    let words = |output: Operand| (0..output.words).map(move |word| location(output, word)).collect();
    let numbered = instruction.outputs().enumerate();
    numbered.flat_map(|(number, output)| k.output(number > 0, words(output))).collect()
}
