//! Faults that change the operands of a unit, after prefixes and flushing are applied.

use assay_isa::format::{F16, F32, Format};
use assay_isa::location::BANK_BYTES;
use assay_isa::tables::types::{CWMode, FPFtz, IExt, IType, LOPOp, MUFUDType, MUFUOp, PRMTMode};
use assay_isa::{Instruction, Source};

use super::relation;
use crate::binary32::{SIGN, flush};
use crate::{Bug, Fault};

/// The columns of an instruction's operands, in the order in which they are read.
type Columns = [Vec<u32>];

/// Changes the operands of a decoded instruction according to a fault.
pub(crate) fn before(fault: Fault, instruction: &Instruction, columns: &mut Columns) {
    if let (Fault::Common(Bug::CarryInIgnored, _), Some(place)) = (fault, super::carry_in(instruction)) {
        columns[place].fill(0);
    }
    match instruction.optype() {
        "MUFU" => mufu(fault, instruction, columns),
        "FMNMX" | "FSETP" | "FSET" | "FSEL" => compare(fault, instruction, columns),
        "POPC" | "UPOPC" | "FLO" | "UFLO" => count(fault, instruction, columns),
        "BMSK" | "UBMSK" | "SGXT" | "USGXT" => amounts(fault, instruction, columns),
        "FADD" | "FMUL" | "FFMA" => terms(fault, instruction, columns),
        "ULDC" | "GETUGPR" | "SETUGPR" | "GETREG" | "SETREG" => address(fault, instruction, columns),
        "USHF" | "UPRMT" | "UF2FP" | "ULEA" => shift(fault, instruction, columns),
        _ => uniform(fault, instruction, columns),
    }
}

/// Changes each value of a column.
fn each(column: &mut [u32], change: impl Fn(u32) -> u32) {
    column.iter_mut().for_each(|x| *x = change(*x));
}

/// Changes the values of two columns, lane by lane.
fn both(columns: &mut Columns, places: [usize; 2], change: impl Fn(u32, u32) -> [u32; 2]) {
    for lane in 0..columns[places[0]].len() {
        let [a, b] = change(columns[places[0]][lane], columns[places[1]][lane]);
        (columns[places[0]][lane], columns[places[1]][lane]) = (a, b);
    }
}

fn mufu(fault: Fault, instruction: &Instruction, columns: &mut Columns) {
    let (operation, dtype) = (instruction.modifier("mufuop"), instruction.modifier("dtype"));
    if let Some((own, change)) = of_function(fault)
        && operation == Some(own)
        && dtype == Some(MUFUDType::F32)
    {
        each(&mut columns[0], change);
    }
    match (fault, dtype) {
        (Fault::MufuInputFlushed, Some(MUFUDType::F32)) if operation != Some(MUFUOp::TANH) => {
            each(&mut columns[0], flush);
        }
        (Fault::MufuHalfInputFlushed, Some(dtype)) => {
            let Some(format) = super::half_format(dtype) else { return };
            each(&mut columns[0], |x| super::halves(x, |half| flushed(format, half)));
        }
        _ => {}
    }
}

/// The change that a fault makes to an operand.
type ChangedOperand = fn(u32) -> u32;

/// Returns the MUFU function of F32 whose operand a fault changes, and the change.
fn of_function(fault: Fault) -> Option<(MUFUOp, ChangedOperand)> {
    Some(match fault {
        Fault::RcpSubnormalInputNotNormalised => (MUFUOp::RCP, with_leading_one),
        Fault::RsqSubnormalInputNotNormalised => (MUFUOp::RSQ, with_leading_one),
        Fault::SqrtSubnormalInputNotNormalised => (MUFUOp::SQRT, with_leading_one),
        Fault::Lg2SubnormalInputNotNormalised => (MUFUOp::LG2, with_leading_one),
        Fault::RsqParityIgnored => (MUFUOp::RSQ, with_even_exponent),
        Fault::SqrtParityIgnored => (MUFUOp::SQRT, with_even_exponent),
        _ => return None,
    })
}

/// Gives a subnormal the leading one of a normal number with the exponent field 0. The lowest bit is lost.
fn with_leading_one(x: u32) -> u32 {
    let normal = 1 << F32.fraction_bits | x & F32.fraction_mask();
    if F32.is_subnormal(x) { x & SIGN | normal >> 1 } else { x }
}

/// Halves a normal number with an odd exponent, so its root lacks the factor √2.
fn with_even_exponent(x: u32) -> u32 {
    let field = F32.exponent_field(x);
    // The bias is odd.
    if field > 0 && field.is_multiple_of(2) { x - (1 << F32.fraction_bits) } else { x }
}

fn flushed(format: Format, bits: u32) -> u32 {
    if format.is_subnormal(bits) { bits & format.sign_mask() } else { bits }
}

/// FADD, FMUL and FFMA.
fn terms(fault: Fault, instruction: &Instruction, columns: &mut Columns) {
    let operands = instruction.inputs().count();
    match fault {
        Fault::FmulSubnormalExponent => columns[..operands].iter_mut().for_each(|column| {
            each(column, |x| if F32.is_subnormal(x) { x & SIGN | (x & !SIGN) >> 1 } else { x })
        }),
        // The unit gets this instruction without .FTZ, so the operands are flushed here.
        Fault::FmulOutputNotFlushed if instruction.modifier("ftz") == Some(FPFtz::FTZ) => {
            columns[..operands].iter_mut().for_each(|column| each(column, flush));
        }
        _ => {}
    }
}

fn compare(fault: Fault, instruction: &Instruction, columns: &mut Columns) {
    match fault {
        Fault::FmnmxSenseReversed | Fault::FselReversed => each(&mut columns[2], |pp| pp ^ 1),
        Fault::FsetAndForgotten if instruction.modifier("lop") == Some(LOPOp::AND) => columns[2].fill(1),
        Fault::FsetpIntegerOrder
        | Fault::FsetpZeroOrder
        | Fault::FsetZeroOrder
        | Fault::FsetSignallingUnseen
        | Fault::FsetpSecondNanUnseen => both(columns, [0, 1], |a, b| relation::seen(fault, a, b)),
        _ => {}
    }
}

/// Applies faults of POPC and FLO. For a negative integer, FLO searches the complement.
fn count(fault: Fault, instruction: &Instruction, columns: &mut Columns) {
    let signed = instruction.modifier("itype") == Some(IType::S32);
    let searched =
        |x: u32, change: fn(u32) -> u32| if signed && x & SIGN != 0 { !change(!x) } else { change(x) };
    let inverted = instruction.inputs().next().is_some_and(|operand| operand.bitnot);
    let column = &mut columns[0];
    match fault {
        Fault::PopcComplementNegates if inverted => each(column, |x| x.wrapping_add(1)),
        Fault::PopcSignBitLost => each(column, |x| x & !SIGN),
        Fault::PopcUpperHalf => each(column, |x| x & 0xffff | x << 16),
        Fault::PopcHighByteLost => each(column, |x| x & !((x >> 7 & 0x0101_0101) * 0xff)),
        Fault::PopcFullNibbleLost => {
            each(column, |x| x & !((x & x >> 1 & x >> 2 & x >> 3 & 0x1111_1111) * 0xf));
        }
        Fault::FloTopBitUnseen => each(column, |x| searched(x, |x| x & !SIGN)),
        Fault::FloLowestBitUnseen => each(column, |x| searched(x, |x| x & !1)),
        Fault::FloFromBottom => each(column, |x| searched(x, |x| x & x.wrapping_neg())),
        _ => {}
    }
}

/// Applies faults of BMSK (columns: position and amount) and SGXT (columns: integer and width).
fn amounts(fault: Fault, instruction: &Instruction, columns: &mut Columns) {
    let wraps = instruction.modifier("cwmode") == Some(CWMode::WRAP);
    match fault {
        Fault::BmskOperandsSwapped => columns.swap(0, 1),
        Fault::BmskAmountByte => each(&mut columns[1], |amount| amount & 0xff),
        Fault::BmskWrapSixBits if wraps => {
            columns[..2].iter_mut().for_each(|column| each(column, |x| x & 63))
        }
        Fault::BmskPositionWraps => each(&mut columns[0], |position| position & 31),
        Fault::BmskAmountWraps => each(&mut columns[1], |amount| amount & 31),
        Fault::BmskFullAmount if !wraps => {
            each(&mut columns[1], |amount| if amount >= 32 { 0 } else { amount })
        }
        Fault::SgxtWidthSixBits => each(&mut columns[1], |width| width & 63),
        Fault::SgxtWidthSigned if !wraps => {
            each(&mut columns[1], |width| if width & SIGN != 0 { 0 } else { width });
        }
        Fault::SgxtZeroWidth if !wraps => each(&mut columns[1], |width| width.max(1)),
        Fault::SgxtClampShort if !wraps => each(&mut columns[1], |width| width.min(31)),
        _ => {}
    }
}

/// Applies faults of instructions with an address or index. The base register is the first column.
/// For SETUGPR the base register is the second column.
fn address(fault: Fault, instruction: &Instruction, columns: &mut Columns) {
    let operands = || instruction.inputs().chain(instruction.outputs());
    let load = operands().find_map(|operand| match operand.source {
        Source::ConstAt { offset, .. } => Some((offset, BANK_BYTES.ilog2())),
        _ => None,
    });
    let index = operands().find_map(|operand| match operand.source {
        Source::URegAt { offset, .. } => Some((offset, 7)),
        _ => None,
    });
    let (unsigned, width) = load.or(index).unwrap_or((0, 1));
    let signed = ((unsigned << (32 - width)) as i32 >> (32 - width)) as u32;
    // Changes the accessed location: the sum of the base register and the offset.
    let reach = |column: &mut [u32], change: &dyn Fn(u32) -> u32| {
        each(column, |base| change(base.wrapping_add(signed)).wrapping_sub(signed));
    };
    let bytes = load.map_or(1, |_| super::bytes_loaded(instruction));
    match fault {
        Fault::UldcOffsetUnsigned | Fault::GetugprOffsetUnsigned => {
            each(&mut columns[0], |base| base.wrapping_add(unsigned).wrapping_sub(signed));
        }
        Fault::SetugprOffsetUnsigned => {
            each(&mut columns[1], |base| base.wrapping_add(unsigned).wrapping_sub(signed));
        }
        Fault::GetugprOffsetIgnored => each(&mut columns[0], |base| base.wrapping_sub(signed)),
        Fault::SetugprOffsetIgnored => each(&mut columns[1], |base| base.wrapping_sub(signed)),
        Fault::GetugprIndexWraps => reach(&mut columns[0], &|index| index % 64),
        Fault::SetugprIndexWraps => reach(&mut columns[1], &|index| index % 64),
        Fault::GetugprLastRefused => reach(&mut columns[0], &|index| if index == 63 { 64 } else { index }),
        Fault::SetugprLastRefused => reach(&mut columns[1], &|index| if index == 63 { 64 } else { index }),
        // Only an access of 8 or 16 bits at an aligned address, which does not fault, is changed.
        Fault::UldcLowByteOnly if bytes < 4 => reach(&mut columns[0], &|address| {
            if address % bytes == 0 { address & !3 } else { address }
        }),
        Fault::UldcBoundIgnored => reach(&mut columns[0], &|address| address % BANK_BYTES),
        Fault::UldcBoundEarly => {
            reach(&mut columns[0], &|address| {
                if address == BANK_BYTES - bytes { BANK_BYTES } else { address }
            });
        }
        Fault::GetregAddressByte => each(&mut columns[0], |address| address & 0xff),
        Fault::SetregAddressNext => each(&mut columns[0], |address| address.wrapping_add(1)),
        Fault::SetregAddressWords => each(&mut columns[0], |address| address << 2),
        _ => {}
    }
}

/// Applies faults of USHF (columns: low word, amount, high word), UPRMT (two words, selector),
/// UF2FP, and ULEA (index, base, high word of the index).
fn shift(fault: Fault, instruction: &Instruction, columns: &mut Columns) {
    let wraps = instruction.modifier("cwmod") == Some(CWMode::WRAP);
    let mode = instruction.modifier("mode");
    let high = super::is_high_part(instruction);
    let negated = instruction.inputs().next().is_some_and(|operand| operand.neg);
    match fault {
        Fault::UshfWrapShort if wraps => each(&mut columns[1], |amount| amount & 31),
        Fault::UshfWrapEven if wraps => each(&mut columns[1], |amount| amount & !1),
        Fault::UshfClampShort if !wraps => {
            let most = super::shift_width(instruction) - 1;
            each(&mut columns[1], |amount| amount.min(most));
        }
        Fault::UshfClampByte if !wraps => each(&mut columns[1], |amount| amount & 0xff),
        Fault::UshfPairSwapped => columns.swap(0, 2),
        Fault::UprmtForwardWraps if mode == Some(PRMTMode::F4E) => both(columns, [0, 1], |a, _| [a, a]),
        Fault::UprmtSelectorShort if mode != Some(PRMTMode::IDX) => each(&mut columns[2], |s| s & 1),
        Fault::UprmtSelectorReversed if mode == Some(PRMTMode::IDX) => each(&mut columns[2], |s| {
            (0..4).fold(0, |reversed, nibble| reversed | (s >> (4 * nibble) & 15) << (12 - 4 * nibble))
        }),
        Fault::UprmtPairSwapped => columns.swap(0, 1),
        Fault::Uf2fpTieAway => columns[..2].iter_mut().for_each(|column| each(column, above_a_tie)),
        Fault::Uf2fpTruncates => columns[..2].iter_mut().for_each(|column| each(column, cut_to_half)),
        Fault::UleaHighIgnored if high => columns[2].fill(0),
        Fault::UleaComplementShort if high && negated => each(&mut columns[2], |x| !x),
        // With these words, the result is that of a shift by one more place.
        Fault::UleaHighShift if high => both(columns, [0, 2], |low, high| [low << 1, high << 1 | low >> 31]),
        _ => {}
    }
}

/// Returns the number of low significand bits of an F32 that F16 cannot represent.
fn lost_in_half(x: u32) -> u32 {
    let exponent = (x & !SIGN) >> F32.fraction_bits;
    let least_normal = (F16.emin() + F32.bias()) as u32;
    let spare = F32.fraction_bits - F16.fraction_bits;
    (spare + least_normal.saturating_sub(exponent)).min(F32.fraction_bits + 2)
}

/// Returns an F32 without the bits that F16 cannot represent.
fn cut_to_half(x: u32) -> u32 {
    match lost_in_half(x) {
        _ if F32.is_nan(x) || !F32.is_finite(x) => x,
        lost if lost > F32.fraction_bits => x & SIGN,
        lost => x & !0 << lost,
    }
}

/// Returns an F32. A number halfway between two F16 numbers is increased in magnitude.
fn above_a_tie(x: u32) -> u32 {
    let lost = lost_in_half(x);
    let exponent = (x & !SIGN) >> F32.fraction_bits;
    let significand = x & F32.fraction_mask() | u32::from(exponent != 0) << F32.fraction_bits;
    let is_tie = F32.is_finite(x) && significand & ((1 << lost) - 1) == 1 << (lost - 1);
    if is_tie { x | 1 } else { x }
}

/// Applies faults of the other optypes of the uniform datapath.
fn uniform(fault: Fault, instruction: &Instruction, columns: &mut Columns) {
    match fault {
        // The complement ~x is 1 less than -x.
        Fault::UiaddMinusComplements if instruction.modifier("ext") != Some(IExt::X) => {
            for (column, operand) in columns.iter_mut().zip(instruction.inputs()) {
                each(column, |x| x.wrapping_sub(operand.neg.into()));
            }
        }
        Fault::WideAddendShort => columns[3].fill(0),
        Fault::WideAddendExtended => both(columns, [2, 3], |low, _| [low, (low as i32 >> 31) as u32]),
        Fault::WideProductShort => both(columns, [0, 1], |a, b| [a.wrapping_mul(b), 1]),
        Fault::UimnmxSenseReversed | Fault::UselReversed => each(&mut columns[2], |upp| upp ^ 1),
        Fault::UselMerged => both(columns, [0, 1], |a, b| [a | b, b]),
        Fault::UisetpExtensionAlways if instruction.modifier("ext") == Some(IExt::X) => {
            both(columns, [0, 1], |a, _| [a, a]);
        }
        Fault::Up2urTopFalse => each(&mut columns[0], |predicates| predicates & 0x7f),
        Fault::Up2urOrderReversed => {
            each(&mut columns[0], |predicates| predicates & 0x80 | (predicates & 0x7f).reverse_bits() >> 25)
        }
        Fault::Up2urMaskInverted => each(&mut columns[2], |mask| !mask),
        Fault::Up2urMaskIgnored => columns[2].fill(!0),
        Fault::Ur2upMaskInverted => each(&mut columns[1], |mask| !mask),
        Fault::Ur2upMaskIgnored => columns[1].fill(!0),
        _ => {}
    }
}
