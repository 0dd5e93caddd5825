//! Faults that execute another instruction instead of the decoded one: with a modifier ignored,
//! exchanged or replaced.

use assay_isa::Instruction;
use assay_isa::tables::types::{
    BSel, BoolOp, CWMode, CompOp, EXBool, FCMPOp, FMULScale, FPFtz, FPRound, FPSat, HSel, IExt, IType, LOHI,
    LOPOp, MEMDType, MUFUOp, PRMTMode, SHFDType, SHFDir, VisaType,
};

use super::rounded;
use crate::Fault;

/// Changes the decoded instruction to the one that a fault executes.
pub(crate) fn instead(fault: Fault, instruction: &mut Instruction) {
    use Fault::*;
    match fault {
        CosIsSine => replace(instruction, "mufuop", &[(MUFUOp::COS as u32, MUFUOp::SIN as u32)]),
        SinIsCosine => replace(instruction, "mufuop", &[(MUFUOp::SIN as u32, MUFUOp::COS as u32)]),
        // The instruction loses `.SAT`. The fault's effect on `.SAT` is applied to the result
        // instead.
        MufuSaturationIgnored
        | MufuSaturationNan
        | MufuSaturationNegative
        | MufuSaturationNegativeZero
        | MufuSaturationInfinity
        | MufuNanPayload => unsaturated(instruction),
        MufuHalfIgnored => {
            let half = instruction.form().fields.iter().find(|field| field.attribute() == Some("hsel"));
            if let Some(field) = half {
                instruction.set(field.name, HSel::H0 as u32);
            }
        }
        FaddDownTruncates => replace(instruction, "rnd", &[(FPRound::RM as u32, FPRound::RZ as u32)]),
        FfmaUpTruncates => replace(instruction, "rnd", &[(FPRound::RP as u32, FPRound::RZ as u32)]),
        // The operands are flushed nevertheless.
        FmulOutputNotFlushed => replace(instruction, "ftz", &[(FPFtz::FTZ as u32, FPFtz::NoFTZ as u32)]),
        FmulScaleOffByOne => replace(
            instruction,
            "scl",
            &[(FMULScale::D8 as u32, FMULScale::D4 as u32), (FMULScale::M8 as u32, FMULScale::M4 as u32)],
        ),
        FmnmxNanIgnored => instruction.set("nan", 0),
        FsetpXorAsOr => replace(instruction, "lop", &[(LOPOp::XOR as u32, LOPOp::OR as u32)]),
        FsetpNotEqualOfNan => replace(instruction, "cmp", &[(FCMPOp::NE as u32, FCMPOp::NEU as u32)]),
        FsetpUnorderedAsOrdered | FsetUnorderedAsOrdered => replace(instruction, "cmp", &ORDERED),
        FsetEqualityLost => replace(
            instruction,
            "cmp",
            &[
                (FCMPOp::LE as u32, FCMPOp::LT as u32),
                (FCMPOp::LEU as u32, FCMPOp::LTU as u32),
                (FCMPOp::GE as u32, FCMPOp::GT as u32),
                (FCMPOp::GEU as u32, FCMPOp::GTU as u32),
            ],
        ),
        FsetNanNumSwapped => exchange(instruction, "cmp", FCMPOp::NAN as u32, FCMPOp::NUM as u32),
        FloSignedIgnored | UimnmxSignIgnored | UisetpSignIgnored | UimadSignIgnored | WideSignIgnored
        | UimulSignIgnored => instruction.set("itype", IType::U32 as u32),
        SgxtUnsignedExtended | UimnmxSignSeen | UisetpSignSeen | UimadSignExtended | WideSignExtended
        | UimulSignExtended => instruction.set("itype", IType::S32 as u32),
        // The operands are replaced by the product's low word and 1, so the multiplication must be
        // unsigned.
        WideProductShort => instruction.set("itype", IType::U32 as u32),
        BmskModesSwapped | SgxtModesSwapped => {
            exchange(instruction, "cwmode", CWMode::WRAP as u32, CWMode::CLAMP as u32);
        }
        // The faulty limits are applied to the operands before.
        BmskWrapSixBits => instruction.set("cwmode", CWMode::CLAMP as u32),
        UimulHalvesSwapped | UshfHalvesSwapped => {
            exchange(instruction, "lohi", LOHI::LO as u32, LOHI::HI as u32);
        }
        UimadHighIsLow => instruction.set("lohi", LOHI::LO as u32),
        UleaShiftShort => mask(instruction, "shiftamt", 15),
        UisetpExtensionIgnored => instruction.set("ext", IExt::NoX as u32),
        UisetpXorAsOr => replace(instruction, "boolop", &[(BoolOp::XOR as u32, BoolOp::OR as u32)]),
        UisetpEqualityLost => replace(
            instruction,
            "compop",
            &[(CompOp::LE as u32, CompOp::LT as u32), (CompOp::GE as u32, CompOp::GT as u32)],
        ),
        Ulop3TopRowLost | Uplop3TopRowLost => mask(instruction, "lut", !0x80),
        Ulop3RowZeroLost | Uplop3RowZeroLost => mask(instruction, "lut", !1),
        Ulop3TableInverted | Uplop3TableInverted => map(instruction, "lut", from_the_other_end),
        Uplop3ThirdIgnored => map(instruction, "lut", |lut| lut & 0x55 | (lut & 0x55) << 1),
        Ulop3AndAsOr => instruction.set("exbool", EXBool::POR as u32),
        Up2urByteIgnored => instruction.set("bsel", BSel::B0 as u32),
        Ur2upByteIgnored => instruction.set("ura.bsel", BSel::B0 as u32),
        UshfDirectionReversed => {
            exchange(instruction, "direction", SHFDir::L as u32, SHFDir::R as u32);
        }
        UshfModesSwapped => {
            exchange(instruction, "cwmod", CWMode::WRAP as u32, CWMode::CLAMP as u32);
        }
        UshfSignLost => replace(instruction, "itype", &SIGN_LOST),
        UshfSignAlways => {
            replace(instruction, "itype", &SIGN_LOST.map(|(signed, unsigned)| (unsigned, signed)))
        }
        UprmtBackwardForward => {
            replace(instruction, "mode", &[(PRMTMode::B4E as u32, PRMTMode::F4E as u32)]);
        }
        UprmtClampsSwapped => {
            exchange(instruction, "mode", PRMTMode::ECL as u32, PRMTMode::ECR as u32);
        }
        UprmtHalvesAsBytes => {
            replace(instruction, "mode", &[(PRMTMode::RC16 as u32, PRMTMode::RC8 as u32)]);
        }
        UldcHalfCut => replace(
            instruction,
            "dtype",
            &[(MEMDType::S16 as u32, MEMDType::S8 as u32), (MEMDType::U16 as u32, MEMDType::U8 as u32)],
        ),
        UldcSignLost => replace(instruction, "dtype", &LOAD_SIGN_LOST),
        UldcZerosSigned => {
            replace(instruction, "dtype", &LOAD_SIGN_LOST.map(|(signed, unsigned)| (unsigned, signed)));
        }
        BfnTopRowLost => mask(instruction, "ctrl", !0x80),
        BfnTableInverted => map(instruction, "ctrl", from_the_other_end),
        BfnOrderReversed => map(instruction, "ctrl", |control| {
            let moved = |from: u32, to: u32| (control >> from & 1) << to;
            control & 0b1010_0101 | moved(1, 4) | moved(4, 1) | moved(3, 6) | moved(6, 3)
        }),
        BfnWordUncut => replace(
            instruction,
            "type",
            &[(VisaType::W as u32, VisaType::UD as u32), (VisaType::UW as u32, VisaType::UD as u32)],
        ),
        BfnPredicateNotInverted => instruction.set("pred.not", 0),
        _ if rounded::is_of_sums(fault) => unsaturated(instruction),
        _ => {}
    }
}

const ORDERED: [(u32, u32); 6] = [
    (FCMPOp::EQU as u32, FCMPOp::EQ as u32),
    (FCMPOp::NEU as u32, FCMPOp::NE as u32),
    (FCMPOp::LTU as u32, FCMPOp::LT as u32),
    (FCMPOp::LEU as u32, FCMPOp::LE as u32),
    (FCMPOp::GTU as u32, FCMPOp::GT as u32),
    (FCMPOp::GEU as u32, FCMPOp::GE as u32),
];

const SIGN_LOST: [(u32, u32); 2] =
    [(SHFDType::S32 as u32, SHFDType::U32 as u32), (SHFDType::S64 as u32, SHFDType::U64 as u32)];

const LOAD_SIGN_LOST: [(u32, u32); 2] =
    [(MEMDType::S8 as u32, MEMDType::U8 as u32), (MEMDType::S16 as u32, MEMDType::U16 as u32)];

/// Removes `.SAT`.
fn unsaturated(instruction: &mut Instruction) {
    replace(instruction, "sat", &[(FPSat::SAT as u32, FPSat::NoSAT as u32)]);
}

/// Replaces a value of a field by another one. `pairs` are the values with their replacements.
fn replace(instruction: &mut Instruction, field: &str, pairs: &[(u32, u32)]) {
    let value = instruction.get(field);
    if let Some((_, other)) = pairs.iter().find(|(one, _)| Some(*one) == value) {
        instruction.set(field, *other);
    }
}

/// Exchanges two values of a field.
fn exchange(instruction: &mut Instruction, field: &str, one: u32, other: u32) {
    replace(instruction, field, &[(one, other), (other, one)]);
}

fn map(instruction: &mut Instruction, field: &str, change: impl Fn(u32) -> u32) {
    if let Some(value) = instruction.get(field) {
        instruction.set(field, change(value));
    }
}

fn mask(instruction: &mut Instruction, field: &str, bits: u32) {
    map(instruction, field, |value| value & bits);
}

/// Returns a table of eight bits in reverse order: bit 7 becomes bit 0.
fn from_the_other_end(table: u32) -> u32 {
    table.reverse_bits() >> 24
}
