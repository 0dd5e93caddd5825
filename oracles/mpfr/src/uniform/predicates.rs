//! UP2UR and UR2UP: move the uniform predicates to a byte of a register, and back.

use assay_isa::readings::Reading;
use assay_isa::tables::types::BSel;
use assay_isa::{BackendError, Operand, Truths};

use crate::bits::{bit, byte, pattern};
use crate::operand::Values;
use crate::question::Question;

/// Number of bits in a byte. The last one is UPT (E136).
const BYTE: u32 = 8;

/// Returns the number of the selected byte in its word. Without a selection it is byte 0.
fn number(byte: Option<BSel>) -> u32 {
    match byte {
        None | Some(BSel::B0) => 0,
        Some(BSel::B1) => 1,
        Some(BSel::B2) => 2,
        Some(BSel::B3) => 3,
    }
}

/// Returns the values of all predicates that the operand `UPR` stands for.
fn all<'a>(question: &Question<'a>, upr: Operand) -> Result<Vec<Values<'a>>, BackendError> {
    (0..BYTE as u8).map(|i| Values::of(upr, i, question.batch())).collect()
}

/// UP2UR: replaces bits of one byte by predicates, where a mask is 1. The other bits of the byte
/// come from a register.
pub fn to_register(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [upr, a, mask] = question.operands()?;
    let (predicates, a, mask) = (all(question, upr)?, question.values(a)?, question.values(mask)?);
    let old = question.values(question.instruction.operand("urd"))?;
    let others = match () {
        () if question.reads(Reading::E135, 1) => old,
        () if question.reads(Reading::E135, 2) => a,
        () => Values::Constant(0),
    };
    // The last predicate is UPT (E136).
    let count = if question.reads(Reading::C008, 2) { predicates.len() - 1 } else { predicates.len() };
    let predicates = &predicates[..count];
    let first = BYTE * number(question.instruction.modifier("bsel"));
    let is_in_byte = |i| (first..first + BYTE).contains(&i);
    question.answer(truths, |lane| {
        let packed: u32 = predicates.iter().zip(0..).map(|(predicate, i)| predicate.get(lane) << i).sum();
        let (packed, mask) = (packed << first, mask.get(lane) << first);
        let (a, others) = (a.get(lane), others.get(lane));
        pattern(|i| match (is_in_byte(i), bit(mask, i)) {
            (true, 1) => bit(packed, i) == 1,
            (true, _) => bit(a, i) == 1,
            (false, _) => bit(others, i) == 1,
        })
    });
    Ok(())
}

/// UR2UP: sets the predicates that a mask selects to the bits of a register's byte.
pub fn from_register(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, mask] = question.operands()?;
    let chosen = number(a.byte);
    let (a, mask) = (question.values(a)?, question.values(mask)?);
    let clears = question.reads(Reading::E139, 1);
    let upr = question.instruction.operand("UPR");
    for ((location, old), i) in upr.locations().zip(all(question, upr)?).zip(0..) {
        question.answer_at(location, truths, |lane| match bit(mask.get(lane), i) {
            1 => bit(byte(a.get(lane).into(), chosen), i),
            _ if clears => 0,
            _ => old.get(lane),
        });
    }
    Ok(())
}
