//! POPC, FLO, BREV, BMSK and SGXT around the instructions of a machine.
//!
//! The machine's are: counting ones and leading zeros, cutting a word to its low bits, complement, and
//! shifts. Ours are: which operand FLO complements, that it answers all ones where there is no bit, and
//! what an amount of 32 and more means. Bit reversal is the standard library's, which few machines have an
//! instruction for.

use assay_isa::readings::Reading;
use assay_isa::tables::types::{CWMode, FLOSH, IType};
use assay_isa::{Erratum, Instruction, Readings, Source};

/// What FLO answers where it finds no bit.
const NONE: u32 = u32::MAX;

/// The instructions asked of a machine beyond those that every one has.
pub(crate) trait Machine {
    /// The number of ones.
    fn ones(&self, x: u32) -> u32;

    /// The number of zeros above the highest one, 32 if there is none.
    fn leading_zeros(&self, x: u32) -> u32;

    /// The low `count` bits, zeros above; all of them from 32 on. The count is at most 255.
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
        /// Whether the answer is the shift that brings the bit to the top.
        shift: bool,
    },
    /// BREV as the documents have it.
    Complement,
    /// BREV as its name has it.
    Reversal,
    /// BMSK.
    Mask {
        /// Position and width modulo 32, not limited to 32.
        wrap: bool,
        /// Where the width comes from.
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
    /// The computation of an instruction, if it is one of the five.
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

    /// Whether an erratum can change the result under these modifiers.
    pub(crate) fn is_touched_by(&self, erratum: Erratum) -> bool {
        match (erratum.0, *self) {
            (23, Integer::Mask { wrap, amount }) => {
                !wrap && matches!(amount, Source::Imm(bits) if bits > i32::MAX as u32)
            }
            // In the general case zero has no bit either, unless E051 or E053 makes something of it.
            (50, Integer::Leading { .. }) => false,
            (51 | 52, Integer::Leading { signed, .. }) => signed,
            // Under .U32 only a zero has no bit, and E050 has a say in what becomes of it: taken as touched.
            (53, Integer::Leading { shift, .. }) => shift,
            (58, Integer::Mask { amount, .. }) => {
                matches!(amount, Source::Imm(_) | Source::Const { .. })
            }
            (62, Integer::Extend { wrap, .. }) => wrap,
            // With E062 as intended .WRAP leaves no width of 32.
            (63, Integer::Extend { wrap, signed }) => signed && !wrap,
            _ => true,
        }
    }

    /// The result for the operands in the order of the text; one that there is not is not looked at.
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
                // Shifts of 64 bits, so that one by 32 is none by 0.
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
