//! The common part of POPC, FLO, BREV, BMSK and SGXT.
//!
//! A machine provides counting of ones and leading zeros, cutting a word to its low bits,
//! complement, and shifts. This module adds which operand FLO complements, FLO's all ones where
//! there is no bit, and the meaning of amounts from 32 on. Bit reversal is the standard library's,
//! because few machines have an instruction for it.

use assay_isa::readings::Reading;
use assay_isa::tables::types::{CWMode, FLOSH, IType};
use assay_isa::{Erratum, Instruction, Readings, Source};

/// FLO's result if no bit is found.
const NONE: u32 = u32::MAX;

/// Instructions that not every machine has.
pub(crate) trait Machine {
    /// Returns the number of ones.
    fn ones(&self, x: u32) -> u32;

    /// Returns the number of zeros above the highest one, 32 if there is none.
    fn leading_zeros(&self, x: u32) -> u32;

    /// Returns the low `count` bits, zeros above; all of them from 32 on. The count is at most 255.
    fn low_bits(&self, x: u32, count: u32) -> u32;
}

/// One POPC, FLO, BREV, BMSK or SGXT with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integer {
    /// POPC.
    Count,
    /// FLO.
    Leading {
        /// Whether negative operands are complemented.
        signed: bool,
        /// Whether the result is the shift that brings the bit to the top.
        shift: bool,
    },
    /// BREV by the documents' definition: the complement.
    Complement,
    /// BREV by its name: the reversal.
    Reversal,
    /// BMSK.
    Mask {
        /// Position and width modulo 32, not limited to 32.
        wrap: bool,
        /// The source of the width.
        amount: Source,
    },
    /// SGXT.
    Extend {
        /// Width modulo 32, not limited to 32.
        wrap: bool,
        /// Whether the top bit is repeated.
        signed: bool,
    },
}

impl Integer {
    /// Returns the computation of an instruction, if it is one of the five.
    pub(crate) fn of(instruction: &Instruction, readings: &Readings) -> Option<Integer> {
        let signed = instruction.modifier("itype") == Some(IType::S32);
        let wrap = instruction.modifier("cwmode") == Some(CWMode::WRAP);
        Some(match instruction.optype() {
            "POPC" => Integer::Count,
            "FLO" => Integer::Leading { signed, shift: instruction.modifier("sh") == Some(FLOSH::SH) },
            "BREV" if readings.get(Reading::E056) == 2 => Integer::Reversal,
            "BREV" => Integer::Complement,
            "BMSK" => Integer::Mask { wrap, amount: instruction.inputs().last()?.source },
            "SGXT" => Integer::Extend { wrap, signed },
            _ => return None,
        })
    }

    /// Returns whether an erratum can change the result under these modifiers.
    pub(crate) fn is_touched_by(&self, erratum: Erratum) -> bool {
        match (erratum.0, *self) {
            (23, Integer::Mask { wrap, amount }) => {
                !wrap && matches!(amount, Source::Imm(bits) if bits > i32::MAX as u32)
            }
            // In general zero has no bit either, unless E051 or E053 changes that.
            (50, Integer::Leading { .. }) => false,
            (51 | 52, Integer::Leading { signed, .. }) => signed,
            // Under .U32 only zero has no bit, and E050 affects its result: treated as affected.
            (53, Integer::Leading { shift, .. }) => shift,
            (58, Integer::Mask { amount, .. }) => {
                matches!(amount, Source::Imm(_) | Source::Const { .. })
            }
            (62, Integer::Extend { wrap, .. }) => wrap,
            // With E062 as intended, .WRAP excludes a width of 32.
            (63, Integer::Extend { wrap, signed }) => signed && !wrap,
            _ => true,
        }
    }

    /// Returns the result for the operands in the order of the text. A missing operand is ignored.
    pub(crate) fn result(&self, machine: &impl Machine, [a, b]: [u32; 2]) -> u32 {
        match *self {
            Integer::Count => machine.ones(a),
            Integer::Leading { signed, shift } => {
                let searched = if signed && (a as i32) < 0 { !a } else { a };
                match machine.leading_zeros(searched) {
                    32 => NONE,
                    zeros if shift => zeros,
                    zeros => 31 - zeros,
                }
            }
            Integer::Complement => !a,
            Integer::Reversal => a.reverse_bits(),
            Integer::Mask { wrap, .. } => {
                let (position, width) = (limited(a, wrap), limited(b, wrap));
                let below = machine.low_bits(u32::MAX, position);
                machine.low_bits(u32::MAX, position + width) & !below
            }
            Integer::Extend { wrap, signed: false } => machine.low_bits(a, limited(b, wrap)),
            Integer::Extend { wrap, signed: true } => {
                // Shifts of 64 bits, so that a shift by 32 is not a shift by 0.
                let shift = 32 - limited(b, wrap);
                let top = (u64::from(a) << shift) as i32;
                (i64::from(top) >> shift) as u32
            }
        }
    }
}

fn limited(amount: u32, wrap: bool) -> u32 {
    if wrap { amount % 32 } else { amount.min(32) }
}
