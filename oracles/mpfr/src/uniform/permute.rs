//! UPRMT: builds a word from four of eight bytes.

use assay_isa::readings::Reading;
use assay_isa::tables::types::PRMTMode;
use assay_isa::{BackendError, Truths};

use crate::bits::{WIDTH, byte};
use crate::question::Question;

/// Number of bytes in a result.
const BYTES: u32 = 4;

/// Returns the number of the byte that becomes byte i of the result. Adds 8 if the byte's sign is
/// replicated instead.
#[inline]
fn picked(mode: PRMTMode, selector: u32, i: u32) -> u32 {
    let one = selector % 4;
    match mode {
        PRMTMode::IDX => selector >> (4 * i) & 0xf,
        PRMTMode::F4E => one + i,
        PRMTMode::B4E => (one + 8 - i) % 8,
        PRMTMode::RC8 => one,
        PRMTMode::ECL => one.max(i),
        PRMTMode::ECR => one.min(i),
        PRMTMode::RC16 => 2 * (one % 2) + i % 2,
    }
}

/// UPRMT: builds a word from the bytes that a selector picks in a pair of words.
pub fn permute(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [a, b, c] = question.operands()?;
    let (a, b, c) = (question.values(a)?, question.values(b)?, question.values(c)?);
    let (high, selector) = if question.reads(Reading::E160, 2) { (c, b) } else { (b, c) };
    let mode = question.instruction.modifier("mode").expect("UPRMT has a mode");
    // E158 = 1: the modes other than IDX replicate one byte.
    let mode = if mode != PRMTMode::IDX && question.reads(Reading::E158, 1) { PRMTMode::RC8 } else { mode };
    let overlays = question.reads(Reading::E159, 1);
    let sign_is_ignored = question.reads(Reading::E157, 1);
    let pair = |lane| match (u64::from(high.get(lane)) << WIDTH, a.get(lane)) {
        (high, low) if overlays => high | i64::from(low as i32) as u64,
        (high, low) => high | u64::from(low),
    };
    question.answer(truths, |lane| {
        let (pair, selector) = (pair(lane), selector.get(lane));
        let bytes = (0..BYTES).map(|i| {
            let number = picked(mode, selector, i);
            match byte(pair, number % 8) {
                byte if number < 8 || sign_is_ignored => byte,
                byte if byte < 0x80 => 0,
                _ => 0xff,
            }
        });
        bytes.zip(0..).map(|(byte, i)| byte << (8 * i)).sum()
    });
    Ok(())
}
