//! ULOP3 and UPLOP3: any function of three bits, given by its table.

use assay_isa::readings::Reading;
use assay_isa::tables::types::EXBool;
use assay_isa::{BackendError, Operand, Source, Truths};

use crate::bits::{BitFunction, bit};
use crate::question::Question;

/// Returns the function of an instruction. The first input has the weight 4 in the index into the
/// table, or the weight 1 under E148 = 2.
fn function(question: &Question, table: Operand) -> BitFunction {
    let Source::Imm(table) = table.source else { unreachable!("the table is a literal") };
    BitFunction::new(table, if question.reads(Reading::E148, 2) { [1, 2, 4] } else { [4, 2, 1] })
}

/// ULOP3: applies the function to the bits at each position. Also combines an input predicate with
/// the predicate that some bit of the result is 1.
pub fn of_words(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, c, table, upp] = question.operands()?;
    let function = function(question, table);
    let (a, b, c, upp) =
        (question.values(a)?, question.values(b)?, question.values(c)?, question.input(upp)?);
    let result = |lane| function.of([a.get(lane), b.get(lane), c.get(lane)]);
    question.answer_to("urd", truths, result);
    let both = question.instruction.modifier("exbool") == Some(EXBool::PAND);
    question.answer_to("upu", truths, |lane| {
        let (any, upp) = (result(lane) != 0, upp.is_true(lane));
        u32::from(if both { any && upp } else { any || upp })
    });
    Ok(())
}

/// UPLOP3: applies the function to three predicates.
pub fn of_predicates(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, c, table] = question.operands()?;
    let function = function(question, table);
    let (a, b, c) = (question.input(a)?, question.input(b)?, question.input(c)?);
    question.answer(truths, |lane| bit(function.of([a.get(lane), b.get(lane), c.get(lane)]), 0));
    Ok(())
}
