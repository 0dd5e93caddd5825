//! The common part of POPC, FLO, BREV, BMSK and SGXT.
//!
//! A machine provides the operations of [`Machine`], which include complements and shifts. This
//! module adds the other steps: which operands FLO complements, FLO's result if there is no bit,
//! and amounts of 32 and more. The standard library reverses bits, because few machines have an
//! instruction for it.

use assay_isa::readings::Reading;
use assay_isa::tables::types::{CWMode, FLOSH, IType};
use assay_isa::{Erratum, Instruction, Readings, Source};

/// FLO's result if no bit is found.
const NONE: u32 = u32::MAX;

/// Operations that not every machine has as an instruction.
pub(crate) trait Machine {
    /// Returns the number of ones in a word.
    fn ones(&self, x: u32) -> u32;

    /// Returns the number of zeros above the highest 1, or 32 if the word is 0.
    fn leading_zeros(&self, x: u32) -> u32;

    /// Returns the low `count` bits of a word, with zeros above. Returns the whole word if `count`
    /// is 32 or more. The count is at most 255.
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
        /// Whether the result is the left shift that moves the found bit to bit 31, instead of its
        /// position.
        shift: bool,
    },
    /// BREV by the documents' definition: the complement.
    Complement,
    /// BREV by its name: the reversal.
    Reversal,
    /// BMSK.
    Mask {
        /// Whether position and width are reduced modulo 32. Otherwise they are limited to 32.
        wrap: bool,
        /// The source operand that gives the width.
        amount: Source,
    },
    /// SGXT.
    Extend {
        /// Whether the width is reduced modulo 32. Otherwise it is limited to 32.
        wrap: bool,
        /// Whether the highest bit of the field is copied to the bits above the field.
        signed: bool,
    },
}

impl Integer {
    /// Returns the computation of an instruction, if it is POPC, FLO, BREV, BMSK or SGXT.
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

    /// Returns whether another setting of an erratum can change the result under these modifiers.
    /// May return true even if no result changes.
    pub(crate) fn is_touched_by(&self, erratum: Erratum) -> bool {
        match (erratum.0, *self) {
            (23, Integer::Mask { wrap, amount }) => {
                !wrap && matches!(amount, Source::Imm(bits) if bits > i32::MAX as u32)
            }
            // E050 changes nothing by itself: a zero operand has no bit to find, unless E051 or
            // E053 changes that.
            (50, Integer::Leading { .. }) => false,
            (51 | 52, Integer::Leading { signed, .. }) => signed,
            // Under .U32, only a zero operand has no bit to find, and its result depends on E050.
            // The instruction counts as affected.
            (53, Integer::Leading { shift, .. }) => shift,
            (58, Integer::Mask { amount, .. }) => {
                matches!(amount, Source::Imm(_) | Source::Const { .. })
            }
            (62, Integer::Extend { wrap, .. }) => wrap,
            // Under the intended setting of E062, .WRAP excludes a width of 32.
            (63, Integer::Extend { wrap, signed }) => signed && !wrap,
            _ => true,
        }
    }

    /// Returns the result for the operands, in the order of the text. `b` is ignored if the
    /// instruction has only one operand.
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
                // The shifts have 64 bits, so that a shift by 32 works.
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
