//! USHF: shifts a pair of words to the left or right.

use assay_isa::readings::Reading;
use assay_isa::tables::types::{CWMode, LOHI, SHFDType, SHFDir};
use assay_isa::{BackendError, Truths};

use crate::bits::{WIDTH, pattern};
use crate::question::Question;

/// Number of bits in a pair of words.
const PAIR: u32 = 2 * WIDTH;

/// USHF: shifts the pair SrcC:URa by SrcB places, and returns its low or high word.
pub fn shift(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, c] = question.operands()?;
    let (a, b, c) = (question.values(a)?, question.values(b)?, question.values(c)?);
    let ty = question.instruction.modifier("itype");
    let signed = matches!(ty, Some(SHFDType::S32 | SHFDType::S64));
    let width = if matches!(ty, Some(SHFDType::S64 | SHFDType::U64)) { PAIR } else { WIDTH };
    let wraps = question.instruction.modifier("cwmod") == Some(CWMode::WRAP);
    let width_stays = question.reads(Reading::E151, 1);
    let places = move |amount: u32| match amount {
        amount if wraps && width_stays && amount == width => width,
        amount if wraps => amount % width,
        amount => amount.min(width),
    };
    let right = question.instruction.modifier("direction") == Some(SHFDir::R);
    let extends_low = right && ty == Some(SHFDType::S32) && question.reads(Reading::E152, 2);
    let pair = |lane| match (a.get(lane), c.get(lane)) {
        (low, _) if extends_low => i64::from(low as i32) as u64,
        (low, high) => u64::from(high) << WIDTH | u64::from(low),
    };
    let full_is_none = !right && question.reads(Reading::E153, 1);
    let first = if question.instruction.modifier("lohi") == Some(LOHI::HI) { WIDTH } else { 0 };
    question.answer(truths, |lane| {
        let pair = pair(lane);
        let places = match places(b.get(lane)) {
            PAIR if full_is_none => 0,
            places => places,
        };
        let moved_in = signed && pair >> (PAIR - 1) == 1;
        if right {
            pattern(|i| of_pair(pair, i64::from(first + i + places)).unwrap_or(moved_in))
        } else {
            pattern(|i| of_pair(pair, i64::from(first + i) - i64::from(places)).unwrap_or(false))
        }
    });
    Ok(())
}

/// Returns bit i of a pair. Returns `None` if the pair has no bit i.
#[inline]
fn of_pair(pair: u64, i: i64) -> Option<bool> {
    (0..i64::from(PAIR)).contains(&i).then(|| pair >> i & 1 == 1)
}
