//! MUFU as an NVIDIA H200 computes it, bit for bit.
//!
//! `h200/mufu_h200.rs` computes the functions. It stands alone, so that others can copy it, and it is
//! rewritten in C and SystemVerilog beside it. It agrees with measurements of one H200 (compute
//! capability 9.0, driver 580) for every input. `h200/digests.txt` holds digests of the measured
//! results.
//!
//! CORE-MATH returns the best possible result, but this implementation returns the hardware's
//! result. So a simulator of this unit can be compared with it bit for bit. Other GPUs were not
//! measured.

mod half;
#[path = "../../h200/mufu_h200.rs"]
mod mufu_h200;

use assay_isa::codec::decode;
use assay_isa::readings::Reading;
use assay_isa::tables::types::{FPSat, MUFUDType, MUFUOp};
use assay_isa::{Answer, BackendError, Batch, Effects, EncodingTable, Instruction, Readings, Subject};

use crate::departures::departures;
use crate::operands::{inputs, write};
use half::Packing;

/// MUFU of an NVIDIA H200: every function of F32, RCP and RSQ of F64, and EX2 and TANH of the
/// 16-bit types.
///
/// It follows the readings of the profile `sm90`. `.COS` is the cosine (E033 = 2), and its value
/// at a zero is 1 (E034 = 2). Arguments of `.SIN` and `.COS` are in turns (E035 = 2). The NaN of
/// F32 is 0x7fffffff (E036 = 2). A NaN in one half does not change the other half (E037 = 2). F64
/// operands and results are high words (E040 = 2), and RSQ.F64 of a negative number is NaN
/// (E041 = 2). Subnormal numbers are flushed (E042 = 2 or 3 for F32, 3 for EX2.BF16).
///
/// An instruction is unsupported if another setting can change its result, or if it has `.SAT`,
/// which the unit does not have.
#[derive(Clone, Debug)]
pub struct H200 {
    numbers: EncodingTable,
    readings: Readings,
}

impl H200 {
    /// Creates the implementation with an encoding table and readings.
    pub fn new(numbers: EncodingTable, readings: Readings) -> H200 {
        H200 { numbers, readings }
    }

    /// Returns the function of an instruction. Returns `None` if the unit lacks the function, or if
    /// the readings make its result differ from the unit's.
    fn function(&self, instruction: &Instruction) -> Option<UnitFunction> {
        let (function, dtype) = (instruction.modifier("mufuop")?, instruction.modifier("dtype")?);
        let reads_alike = MEASURED.iter().all(|&(reading, measured)| {
            let setting = self.readings.get(reading);
            setting == measured || !affects(reading, setting, function, dtype)
        });
        let is_measured = |erratum| MEASURED.iter().any(|(reading, _)| reading.switch().erratum == erratum);
        let mut others = departures(&self.readings, instruction).filter(|erratum| !is_measured(*erratum));
        if !reads_alike || others.next().is_some() {
            return None;
        }
        UnitFunction::of(instruction, function, dtype)
    }
}

/// The readings that concern MUFU. Each entry has the setting that the unit follows.
const MEASURED: [(Reading, u8); 9] = [
    (Reading::E033, 2),
    (Reading::E034, 2),
    (Reading::E035, 2),
    (Reading::E036, 2),
    (Reading::E037, 2),
    (Reading::E040, 2),
    (Reading::E041, 2),
    (Reading::E042, 3),
    (Reading::C007, 2),
];

/// Returns whether a setting can make a result of a function differ from the unit's. `setting` is
/// one that the unit does not follow.
fn affects(reading: Reading, setting: u8, function: MUFUOp, dtype: MUFUDType) -> bool {
    let is_single = dtype == MUFUDType::F32;
    match reading {
        Reading::E033 | Reading::E035 | Reading::C007 => matches!(function, MUFUOp::COS | MUFUOp::SIN),
        Reading::E034 => function == MUFUOp::COS,
        Reading::E036 => is_single,
        Reading::E037 => matches!(dtype, MUFUDType::F16_V2 | MUFUDType::BF16_V2),
        Reading::E040 => dtype == MUFUDType::F64,
        Reading::E041 => dtype == MUFUDType::F64 && function == MUFUOp::RSQ,
        // Settings 2 and 3 differ only for EX2 of BF16. The unit's tanh of a subnormal number is
        // that number.
        Reading::E042 if function == MUFUOp::TANH => false,
        Reading::E042 if is_single => setting == 1,
        Reading::E042 => matches!(dtype, MUFUDType::BF16 | MUFUDType::BF16_V2),
        _ => true,
    }
}

/// A function with the type of its operand.
#[derive(Clone, Copy, Debug)]
enum UnitFunction {
    /// A function of a whole register: an F32, or the high word of an F64.
    Whole(fn(u32) -> u32),
    /// A function of a 16-bit type.
    Half { function: fn(u32) -> u32, packing: Packing },
}

impl UnitFunction {
    fn of(instruction: &Instruction, function: MUFUOp, dtype: MUFUDType) -> Option<UnitFunction> {
        let operand = instruction.inputs().next()?;
        if instruction.modifier("sat") == Some(FPSat::SAT) {
            return None;
        }
        let of_half =
            |function| Some(UnitFunction::Half { function, packing: Packing::of(dtype, operand.half) });
        match (function, dtype) {
            (_, MUFUDType::F32) => Some(UnitFunction::Whole(single(function))),
            (MUFUOp::RCP, MUFUDType::F64) => Some(UnitFunction::Whole(mufu_h200::rcp64h)),
            (MUFUOp::RSQ, MUFUDType::F64) => Some(UnitFunction::Whole(mufu_h200::rsq64h)),
            (MUFUOp::EX2, MUFUDType::F16 | MUFUDType::F16_V2) => of_half(mufu_h200::ex2_f16),
            (MUFUOp::EX2, MUFUDType::BF16 | MUFUDType::BF16_V2) => of_half(mufu_h200::ex2_bf16),
            (MUFUOp::TANH, MUFUDType::F16 | MUFUDType::F16_V2) => of_half(mufu_h200::tanh_f16),
            (MUFUOp::TANH, MUFUDType::BF16 | MUFUDType::BF16_V2) => of_half(mufu_h200::tanh_bf16),
            _ => None,
        }
    }

    fn apply(self, register: u32) -> u32 {
        match self {
            UnitFunction::Whole(function) => function(register),
            UnitFunction::Half { function, packing } => packing.apply(function, register),
        }
    }
}

fn single(function: MUFUOp) -> fn(u32) -> u32 {
    match function {
        MUFUOp::COS => mufu_h200::cos,
        MUFUOp::SIN => mufu_h200::sin,
        MUFUOp::EX2 => mufu_h200::ex2,
        MUFUOp::LG2 => mufu_h200::lg2,
        MUFUOp::RCP => mufu_h200::rcp,
        MUFUOp::RSQ => mufu_h200::rsq,
        MUFUOp::SQRT => mufu_h200::sqrt,
        MUFUOp::TANH => mufu_h200::tanh,
    }
}

impl Subject for H200 {
    fn name(&self) -> &str {
        "h200"
    }

    fn execute(&mut self, batch: &Batch, effects: &mut Effects) -> Result<Answer, BackendError> {
        effects.reset(batch.len());
        let instruction = decode(batch.word(), &self.numbers)?;
        let Some(function) = self.function(&instruction) else {
            return Ok(Answer::Unsupported);
        };
        let inputs = inputs(&instruction, batch)?;
        write(&instruction, batch, effects, |_, lane| function.apply(inputs[0].get(lane)))?;
        Ok(Answer::Known)
    }
}
