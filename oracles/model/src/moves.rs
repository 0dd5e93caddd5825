//! S2R, S2UR, CS2R and UMOV: instructions that copy words (documents `001` and `003`).

use assay_isa::{Instruction, Operand, Reading};

use crate::knobs::Knobs;
use crate::semantics::Semantics;

/// Defines S2R, S2UR and UMOV.
pub(crate) fn copy<K: Knobs>(_: &K, _: &Instruction, _: &[Operand]) -> Semantics<K> {
    Semantics::columns(|_, columns, word, results| results.copy_from_slice(&columns[word]))
}

/// CS2R. The documents' list has no special registers of 64 bits (E066).
pub(crate) fn copy_pair<K: Knobs>(k: &K, instruction: &Instruction, inputs: &[Operand]) -> Semantics<K> {
    copy(k, instruction, inputs).undefined(k, Reading::E066, 1)
}
