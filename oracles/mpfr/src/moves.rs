//! S2R, S2UR, CS2R, UMOV and USEL: instructions that copy words.

use assay_isa::{BackendError, Truths};

use crate::operand::Values;
use crate::question::Question;

/// Copies each word of the source to the destination.
pub fn copy(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [source] = question.operands()?;
    for destination in question.instruction.outputs() {
        for index in 0..destination.words {
            let word = Values::of(source, index, question.batch())?;
            if let Some(location) = destination.word(index) {
                question.answer_at(location, truths, |lane| word.get(lane));
            }
        }
    }
    Ok(())
}

/// USEL: the first operand where the predicate is true, the second where it is false.
pub fn select(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, upp] = question.operands()?;
    let (a, b, first) = (question.values(a)?, question.values(b)?, question.input(upp)?);
    question.answer(truths, |lane| if first.is_true(lane) { a.get(lane) } else { b.get(lane) });
    Ok(())
}
