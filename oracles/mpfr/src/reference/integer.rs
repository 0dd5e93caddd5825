//! POPC, FLO, BREV, BMSK and SGXT, and their siblings in the uniform datapath, on big integers:
//! powers of two, absolute values, text.
//! Sources are registers, so E023 and E058 do not apply.

use assay_isa::Instruction;
use assay_isa::readings::{Reading, Readings};
use assay_isa::tables::types::{CWMode, FLOSH, IType};
use rug::Integer;
use rug::ops::Pow;

use super::LaneOutcome;

/// Evaluates an instruction on operands with their prefixes applied. `None`: a reading makes it
/// undefined.
pub fn evaluate(instruction: &Instruction, readings: &Readings, [a, b]: [u32; 2]) -> Option<LaneOutcome> {
    let is = |reading, setting| readings.get(reading) == setting;
    let signed = instruction.modifier("itype") == Some(IType::S32);
    let wrap = instruction.modifier("cwmode") == Some(CWMode::WRAP);
    let mut assigned = None;
    let output = match instruction.optype().trim_start_matches('U') {
        "POPC" if is(Reading::E049, 1) && a != 0 => return None,
        "POPC" => Integer::from(a).count_ones().unwrap(),
        "BREV" if is(Reading::E056, 1) => u32::MAX - a,
        "BREV" => {
            let digits: String = format!("{a:032b}").chars().rev().collect();
            u32::from_str_radix(&digits, 2).unwrap()
        }
        "FLO" if a == 0 && is(Reading::E050, 2) => u32::MAX,
        "FLO" => {
            let number = if signed { Integer::from(a as i32) } else { Integer::from(a) };
            let searched = match () {
                () if signed && is(Reading::E052, 1) => number.abs(),
                () if signed && (number < 0 || is(Reading::E051, 1)) => {
                    let complement: Integer = -1 - number;
                    let complement = complement.keep_bits(32);
                    assigned = complement.to_u32();
                    complement
                }
                () => number,
            };
            let shift = instruction.modifier("sh") == Some(FLOSH::SH);
            match searched.significant_bits() {
                0 if shift && is(Reading::E053, 1) => 32,
                0 => u32::MAX,
                bits if shift => 32 - bits,
                bits => bits - 1,
            }
        }
        "BMSK" => {
            let [from, amount] = [a, b].map(|x| u64::from(if wrap { x % 32 } else { x }));
            let to = from + amount + u64::from(is(Reading::E057, 1));
            let below = |end: u64| Integer::from(2).pow(end.min(32) as u32) - 1u32;
            (below(to) - below(from)).to_u32().unwrap()
        }
        "SGXT" => {
            let width = match b {
                32 if wrap && is(Reading::E062, 1) => 32,
                b if wrap => b % 32,
                b => b.min(32),
            };
            match Integer::from(a) {
                _ if signed && width == 32 && is(Reading::E063, 1) => 0,
                x if signed => x.keep_signed_bits(width).to_i32().unwrap() as u32,
                x => x.keep_bits(width).to_u32().unwrap(),
            }
        }
        other => panic!("{other} is no integer optype"),
    };
    Some(LaneOutcome { outputs: vec![output], assigned: vec![assigned, None] })
}
