//! ULOP3 and UPLOP3: any function of three bits, by its table.

use assay_isa::readings::Reading;
use assay_isa::tables::types::EXBool;
use assay_isa::{Truths, VoiceError};

use crate::bits::{bit, pattern};
use crate::question::Question;

/// What each input counts in the number of a table's row: the first 4, or with E148 = 2 the first 1.
fn weights(question: &Question) -> [u32; 3] {
    if question.reads(Reading::E148, 2) { [1, 2, 4] } else { [4, 2, 1] }
}

#[inline]
fn look_up(table: u32, weights: [u32; 3], [a, b, c]: [u32; 3]) -> bool {
    let row = weights[0] * a + weights[1] * b + weights[2] * c;
    bit(table, row) == 1
}

/// ULOP3: the function of the bits at each position; and whether any of them is 1, combined with a predicate.
pub fn of_words(question: &Question, truths: &mut Truths) -> Result<(), VoiceError> {
    let [a, b, c, table, upp] = question.operands()?;
    let (a, b, c) = (question.values(a)?, question.values(b)?, question.values(c)?);
    let (table, upp) = (question.values(table)?, question.input(upp)?);
    let weights = weights(question);
    let result = |lane| {
        let (words, table) = ([a.get(lane), b.get(lane), c.get(lane)], table.get(lane));
        pattern(|i| look_up(table, weights, words.map(|word| bit(word, i))))
    };
    question.answer_to("urd", truths, result);
    let both = question.instruction.modifier("exbool") == Some(EXBool::PAND);
    question.answer_to("upu", truths, |lane| {
        let (any, upp) = (result(lane) != 0, upp.is_true(lane));
        u32::from(if both { any && upp } else { any || upp })
    });
    Ok(())
}

/// UPLOP3: the function of three predicates.
pub fn of_predicates(question: &Question, truths: &mut Truths) -> Result<(), VoiceError> {
    let [a, b, c, table] = question.operands()?;
    let (a, b, c) = (question.input(a)?, question.input(b)?, question.input(c)?);
    let (table, weights) = (question.values(table)?, weights(question));
    question.answer(truths, |lane| {
        u32::from(look_up(table.get(lane), weights, [a.get(lane), b.get(lane), c.get(lane)]))
    });
    Ok(())
}
