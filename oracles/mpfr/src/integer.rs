//! POPC, FLO, BREV, BMSK and SGXT (document `000`) with the readings E049 to E063. The module also
//! computes their counterparts in the uniform datapath (document `003`) with the same definitions.
//!
//! Each instruction is computed by its definition, one bit at a time.

use assay_isa::instruction::Source;
use assay_isa::readings::Reading;
use assay_isa::tables::types::{CWMode, FLOSH, IType};
use assay_isa::{BackendError, Erratum, Truths};

use crate::bits::{WIDTH, bit, pattern};
use crate::operand::Input;
use crate::question::Question;

/// FLO's result if no bit is found.
const NONE: u32 = u32::MAX;

/// POPC: counts the bits that are 1.
pub fn count(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [input] = question.inputs()?;
    if question.reads(Reading::E049, 1) {
        question.undefine(truths, Erratum(49), |lane| input.get(lane) != 0);
    }
    question.answer(truths, |lane| (0..WIDTH).map(|i| bit(input.get(lane), i)).sum());
    Ok(())
}

/// BREV: moves bit 31 - i to bit i. Under E056 = 1, complements every bit instead.
pub fn reverse(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [input] = question.inputs()?;
    if question.reads(Reading::E056, 1) {
        question.answer(truths, |lane| pattern(|i| bit(input.get(lane), i) == 0));
    } else {
        question.answer(truths, |lane| pattern(|i| bit(input.get(lane), WIDTH - 1 - i) == 1));
    }
    Ok(())
}

/// FLO's modifiers and readings. The comment of a field gives the reading and setting for which the
/// field is true.
#[derive(Clone, Copy, Debug)]
struct Search {
    signed: bool,
    shift: bool,
    /// E050 = 2.
    zero_is_final: bool,
    /// E051 = 1.
    complement_all: bool,
    /// E052 = 1.
    absolute: bool,
    /// E053 = 1.
    shift_none: bool,
}

impl Search {
    /// Returns whether the search is skipped for an operand, because it is 0 and E050 = 2.
    fn ends_at(&self, operand: u32) -> bool {
        operand == 0 && self.zero_is_final
    }

    /// Returns the complement that the code assigns to the operand. `None`: the code assigns
    /// nothing.
    fn complemented(&self, operand: u32) -> Option<u32> {
        let negative = bit(operand, WIDTH - 1) == 1;
        let complements = self.signed && !self.absolute && (negative || self.complement_all);
        (complements && !self.ends_at(operand)).then_some(!operand)
    }

    /// Returns the pattern that is searched.
    fn searched(&self, operand: u32) -> u32 {
        if self.signed && self.absolute {
            // The absolute value of -2^31 is 2^31, which fits.
            return (operand as i32).unsigned_abs();
        }
        self.complemented(operand).unwrap_or(operand)
    }

    /// Returns the position of the highest 1 in a pattern. With `.SH`, returns the distance of that
    /// bit from bit 31.
    fn find(&self, pattern: u32) -> u32 {
        match (0..WIDTH).rev().find(|i| bit(pattern, *i) == 1) {
            Some(i) if self.shift => WIDTH - 1 - i,
            Some(i) => i,
            None if self.shift && self.shift_none => (WIDTH - 1).wrapping_sub(NONE),
            None => NONE,
        }
    }
}

/// FLO: finds the largest i for which bit i is set.
pub fn find_leading_one(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [input] = question.inputs()?;
    let search = Search {
        signed: question.instruction.modifier("itype") == Some(IType::S32),
        shift: question.instruction.modifier("sh") == Some(FLOSH::SH),
        zero_is_final: question.reads(Reading::E050, 2),
        complement_all: question.reads(Reading::E051, 1),
        absolute: question.reads(Reading::E052, 1),
        shift_none: question.reads(Reading::E053, 1),
    };
    // E011 = 1: if the source is the destination, it holds [`NONE`] when the search begins.
    let read_again = question.reads(Reading::E011, 1)
        && question.instruction.writes().first() == input.register().as_ref();
    question.answer(truths, |lane| match input.get(lane) {
        operand if search.ends_at(operand) => NONE,
        _ if read_again => search.find(input.prefixed(NONE)),
        operand => search.find(search.searched(operand)),
    });
    question.overwrite(&[input], truths, |_, lane| search.complemented(input.get(lane)));
    Ok(())
}

/// BMSK: returns a mask with ones from a position upward.
pub fn mask(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [position, amount] = question.inputs()?;
    let wrap = wraps(question);
    let prose = question.reads(Reading::E057, 1);
    let has_name = matches!(amount.source, Source::Reg(_) | Source::UReg(_));
    if !prose && question.reads(Reading::E058, 2) && !has_name {
        question.undefine(truths, Erratum(58), |_| true);
        return Ok(());
    }
    let signed = question.reads(Reading::E023, 2) && matches!(amount.source, Source::Imm(_));
    let wrapped = |input: &Input, lane| match input.get(lane) {
        bits if wrap => u64::from(bits % WIDTH),
        bits => u64::from(bits),
    };
    question.answer(truths, |lane| {
        let (first, amount) = (wrapped(&position, lane), wrapped(&amount, lane));
        let amount = match amount {
            amount if prose => amount + 1,
            // For the code, a negative amount is not above 31, so only its low bits count.
            amount if signed && amount >= 1 << (WIDTH - 1) => amount % u64::from(WIDTH),
            amount => amount,
        };
        pattern(|i| first <= u64::from(i) && u64::from(i) < first + amount)
    });
    Ok(())
}

/// SGXT: extends the low bits to a signed or unsigned integer of 32 bits.
pub fn extend(question: &Question, truths: &mut Truths) -> Result<(), BackendError> {
    let [value, width] = question.inputs()?;
    let wrap = wraps(question);
    let keep_full_width = question.reads(Reading::E062, 1);
    let signed = question.instruction.modifier("itype") == Some(IType::S32);
    let full_width_is_lost = signed && question.reads(Reading::E063, 1);
    question.answer(truths, |lane| {
        let width = match width.get(lane) {
            WIDTH if wrap && keep_full_width => WIDTH,
            width if wrap => width % WIDTH,
            width => width.min(WIDTH),
        };
        if width == WIDTH && full_width_is_lost {
            return 0;
        }
        let value = value.get(lane);
        let kept = pattern(|i| i < width && bit(value, i) == 1);
        // In two's complement, the top bit has the weight -2^(width - 1). So if the top bit is set,
        // the value is 2^width less.
        let negative = signed && width > 0 && bit(value, width - 1) == 1;
        if negative { (i64::from(kept) - (1 << width)) as u32 } else { kept }
    });
    Ok(())
}

fn wraps(question: &Question) -> bool {
    question.instruction.modifier("cwmode") == Some(CWMode::WRAP)
}
