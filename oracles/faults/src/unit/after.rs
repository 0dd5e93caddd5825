//! Faults that change the result of a correct unit.

use assay_isa::Instruction;
use assay_isa::format::F16;
use assay_isa::tables::types::{CWMode, EXBool, FLOSH, IExt, IType, LEASX32, LOHI, PRMTMode, SHFDir};

use assay_model::Computed;

use super::lanes::each;
use super::outputs::outputs;
use super::{carry_in, floats, rounded, shift_width};
use crate::binary32::{SIGN, is_nan};
use crate::{Bug, Fault};

/// Changes the results of an output according to a fault.
pub(crate) fn after(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    match computed.instruction.optype() {
        "MUFU" | "FMNMX" | "FSETP" | "FSET" | "FSEL" | "FCHK" => floats::after(fault, computed, results),
        "FADD" | "FMUL" | "FFMA" => rounded::after(fault, computed, results),
        "UIADD" | "UIMAD" | "UIMAD_WIDE" | "ULEA" => sums(fault, computed, results),
        "ULOP3" | "UP2UR" | "UR2UP" => logic(fault, computed, results),
        "UISETP" => outputs(fault, computed, results),
        _ => bits(fault, computed, results),
    }
}

/// Applies faults of POPC, FLO, BREV, BMSK, SGXT and other optypes with one result of one or two
/// words.
fn bits(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    let instruction = computed.instruction;
    let shifts = instruction.modifier("sh") == Some(FLOSH::SH);
    let wraps = instruction.modifier("cwmode") == Some(CWMode::WRAP);
    let signed = instruction.modifier("itype") != Some(IType::U32);
    let by_nibbles = instruction.modifier("mode") == Some(PRMTMode::IDX);
    let by_operand = |results: &mut [u32], change: fn(u32) -> u32| {
        each(computed, results, |_, [x]| change(x));
    };
    match fault {
        Fault::PopcCountWraps => each(computed, results, |count, []| count & 31),
        Fault::FloZeroPosition => each(computed, results, |place, []| if place == !0 { 0 } else { place }),
        Fault::FloNotFoundShifted if shifts => {
            each(computed, results, |place, []| if place == !0 { 32 } else { place });
        }
        Fault::FloShiftOffByOne if shifts => {
            each(computed, results, |place, []| if place < 32 { place + 1 } else { place });
        }
        Fault::BrevReverses => by_operand(results, u32::reverse_bits),
        Fault::BrevNegates => by_operand(results, u32::wrapping_neg),
        Fault::BrevLogicalNot => by_operand(results, |x| u32::from(x == 0)),
        Fault::BrevTopBitKept => by_operand(results, |x| x ^ !SIGN),
        Fault::BrevHighHalfKept => by_operand(results, |x| x ^ 0xffff),
        Fault::BrevOddBitsKept => by_operand(results, |x| x ^ 0x5555_5555),
        Fault::BrevBytesSwapped => by_operand(results, |x| (!x).swap_bytes()),
        Fault::BmskEndWraps => {
            let limited = |x: u32| if wraps { x & 31 } else { x.min(32) };
            each(computed, results, |mask, [position, amount]| {
                let (start, end) = (limited(position), limited(position) + limited(amount));
                if start < 32 && end > 32 { ((1_u64 << (end - 32)) - 1) as u32 ^ !0 << start } else { mask }
            });
        }
        Fault::SgxtFullWidth if !wraps => {
            each(computed, results, |x, [_, width]| if width >= 32 { 0 } else { x });
        }
        Fault::SgxtSignBitLow | Fault::SgxtPositiveUncut if signed => {
            each(computed, results, |_, [x, width]| {
                extended(fault, x, if wraps { width & 31 } else { width.min(32) })
            });
        }
        Fault::UiabsComplements => by_operand(results, |x| if x & SIGN != 0 { !x } else { x }),
        Fault::UiabsSignCleared => by_operand(results, |x| x & !SIGN),
        Fault::UiabsNegates => each(computed, results, |magnitude, []| magnitude.wrapping_neg()),
        Fault::UimnmxSubtracts => {
            each(
                computed,
                results,
                |_, [a, b, upp]| {
                    if (a.wrapping_sub(b) & SIGN != 0) == (upp != 0) { a } else { b }
                },
            )
        }
        Fault::UshfRotates => rotate(computed, results),
        Fault::UprmtSignFlipsByte if by_nibbles => each(computed, results, |_, [a, b, selector]| {
            let pair = u64::from(b) << 32 | u64::from(a);
            let byte = |i: u32| {
                let nibble = selector >> (4 * i) & 15;
                let byte = (pair >> (8 * (nibble & 7))) as u8;
                u32::from(if nibble & 8 != 0 { !byte } else { byte }) << (8 * i)
            };
            byte(0) | byte(1) | byte(2) | byte(3)
        }),
        Fault::Uf2fpSubnormalFlushed
        | Fault::Uf2fpOverflowToGreatest
        | Fault::Uf2fpNanSign
        | Fault::Uf2fpNanInfinite
        | Fault::Uf2fpSignLost => each(computed, results, |packed, [a, b]| {
            packed_half(fault, packed >> 16, a) << 16 | packed_half(fault, packed & 0xffff, b)
        }),
        _ => {}
    }
}

/// Returns SGXT's signed result for the low `width` bits, with a fault in the sign.
fn extended(fault: Fault, x: u32, width: u32) -> u32 {
    let mask = ((1_u64 << width) - 1) as u32;
    let (field, sign) = (x & mask, mask & !(mask >> 1));
    match fault {
        Fault::SgxtSignBitLow if field & sign >> 1 != 0 => field | !mask,
        Fault::SgxtSignBitLow => field,
        _ if field & sign == 0 => x,
        _ => (field ^ sign).wrapping_sub(sign),
    }
}

/// Replaces USHF's results by those of a rotation: bits shifted out on one side come in on the
/// other.
fn rotate(computed: &Computed<'_>, results: &mut [u32]) {
    let instruction = computed.instruction;
    let right = instruction.modifier("direction") == Some(SHFDir::R);
    let high = is_high(instruction);
    let (wraps, width) = (instruction.modifier("cwmod") == Some(CWMode::WRAP), shift_width(instruction));
    each(computed, results, |_, [low, amount, word]| {
        let pair = u64::from(word) << 32 | u64::from(low);
        let places = if wraps { amount & (width - 1) } else { amount.min(width) };
        let rotated = if right { pair.rotate_right(places) } else { pair.rotate_left(places) };
        if high { (rotated >> 32) as u32 } else { rotated as u32 }
    });
}

/// Returns a half of UF2FP's result with a fault. `half` is the correct half, and `x` the F32
/// operand.
fn packed_half(fault: Fault, half: u32, x: u32) -> u32 {
    let sign = half & F16.sign_mask();
    let is_small = (x & !SIGN) >> 23 < (F16.emin() + 127) as u32;
    match fault {
        Fault::Uf2fpNanSign if is_nan(x) => (x & SIGN) >> 16 | 0x7fff,
        Fault::Uf2fpNanInfinite if is_nan(x) => F16.infinity(),
        _ if is_nan(x) => half,
        Fault::Uf2fpSubnormalFlushed if is_small => sign,
        Fault::Uf2fpOverflowToGreatest if half & !sign == F16.infinity() => sign | (F16.infinity() - 1),
        Fault::Uf2fpSignLost if half == sign => 0,
        _ => half,
    }
}

/// Applies faults of UIADD, UIMAD, UIMAD_WIDE and ULEA. The outputs are the words of a sum, then
/// its carry.
fn sums(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    let instruction = computed.instruction;
    let is_wide = instruction.optype() == "UIMAD_WIDE";
    let is_carry = computed.position > usize::from(is_wide);
    match fault {
        Fault::Common(Bug::CarryInForgotten, _) if is_carry => {
            let mut columns = computed.columns.clone();
            if let Some(place) = carry_in(instruction) {
                columns[place].fill(0);
            }
            computed.again(computed.position, &columns, results);
        }
        Fault::UiaddCarrySigned if is_carry => each(computed, results, |_, [a, b, upp]| {
            let sum = a.wrapping_add(b).wrapping_add(upp);
            ((a ^ sum) & (b ^ sum)) >> 31
        }),
        Fault::UiaddCarryInverted if is_carry => each(computed, results, |carry, []| carry ^ 1),
        Fault::WideCarryLost if computed.position == 1 => {
            let mut low = results.to_vec();
            computed.again(0, computed.columns, &mut low);
            for (lane, result) in results.iter_mut().enumerate() {
                let [a, b, _, _, upp] = std::array::from_fn(|place| computed.columns[place][lane]);
                // The low word of the addend is the sum minus the product and the carry in.
                let product = a.wrapping_mul(b);
                let addend = low[lane].wrapping_sub(product).wrapping_sub(upp);
                let sum = u64::from(product) + u64::from(addend) + u64::from(upp);
                *result = result.wrapping_sub((sum >> 32) as u32);
            }
        }
        Fault::UleaBaseShifted | Fault::UleaSignLost => address(fault, computed, results),
        _ => {}
    }
}

/// Replaces ULEA's results: the base is shifted too, or the index has no sign.
fn address(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    let instruction = computed.instruction;
    let negated = instruction.inputs().next().is_some_and(|operand| operand.neg);
    let shift = instruction.get("shiftamt").unwrap_or_default() & 31;
    let (ext, sx32) = (instruction.modifier("ext"), instruction.modifier("sx32"));
    let sum = |index: u32, base: u32, upp: u32| -> Option<u64> {
        Some(match fault {
            Fault::UleaBaseShifted if ext != Some(IExt::X) => {
                let index = if negated { index.wrapping_neg() } else { index };
                u64::from((u64::from(index.wrapping_add(base)) << shift) as u32)
            }
            Fault::UleaSignLost if ext == Some(IExt::X) && sx32 == Some(LEASX32::SX32) => {
                let index = u64::from(if negated { !index } else { index });
                (index >> (32 - shift)) + u64::from(base) + u64::from(upp)
            }
            _ => return None,
        })
    };
    each(computed, results, |result, [index, base, _, _, upp]| match sum(index, base, upp) {
        None => result,
        Some(sum) if computed.position == 0 => sum as u32,
        Some(sum) => u32::from(sum >> 32 != 0),
    });
}

/// Applies faults of ULOP3, UP2UR and UR2UP.
fn logic(fault: Fault, computed: &Computed<'_>, results: &mut [u32]) {
    let instruction = computed.instruction;
    match fault {
        Fault::Ulop3LowBitTested | Fault::Ulop3ZeroTested if computed.position > 0 => {
            let and = instruction.modifier("exbool") == Some(EXBool::PAND);
            let mut words = results.to_vec();
            computed.again(0, computed.columns, &mut words);
            for (lane, result) in results.iter_mut().enumerate() {
                let upp = computed.columns[4][lane];
                let tested = match fault {
                    Fault::Ulop3LowBitTested => words[lane] & 1,
                    _ => u32::from(words[lane] == 0),
                };
                *result = if and { tested & upp } else { tested | upp };
            }
        }
        Fault::Up2urFromLowByte => {
            let shift = 8 * instruction.get("bsel").unwrap_or_default();
            each(computed, results, |result, [predicates, x, mask]| {
                let byte = (mask & predicates | !mask & x) & 0xff;
                result & !(0xff << shift) | byte << shift
            });
        }
        Fault::Ur2upOrderReversed => computed.again(6 - computed.position, computed.columns, results),
        Fault::Ur2upSetsOnly => {
            each(computed, results, |bit, [_, _, old]| bit | old >> computed.position & 1);
        }
        _ => {}
    }
}

/// Returns whether an instruction takes the high half of a result.
fn is_high(instruction: &Instruction) -> bool {
    instruction.modifier("lohi") == Some(LOHI::HI)
}
